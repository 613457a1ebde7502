// What can be drawn on top of the bodies, in one table: names, colours, and what draws each.
#pragma once

#include "app/core/scene/expectation.h"
#include "app/ui/camera/frame_queries.h"
#include "app/ui/layers/shapes/inertia_box.h"
#include "app/ui/layers/shapes/islands.h"
#include "physics/world/frame_state.h"
#include "render/draw_list.h"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::ui {

struct DebugLayer;

// Which layers are shown.
class DebugLayers {
  public:
    static constexpr std::size_t most = 64; // layers that there can be
    bool& operator[](const DebugLayer& layer);
    bool operator[](const DebugLayer& layer) const;
    bool& operator[](std::string_view name); // of one that exists

  private:
    std::array<bool, most> shown_{};
};

// What layers keep from frame to frame.
struct LayerMemory {
    // Of a model in its own frame. The model is held, so that its address names no other.
    struct Boxes {
        std::shared_ptr<const physics::BodyModel> model;
        physics::Aabb bounds;
        InertiaBox inertia;
    };
    const Boxes& boxes_of(const std::shared_ptr<const physics::BodyModel>& model);

    std::map<const physics::BodyModel*, Boxes> boxes;
    Islands islands;
    std::vector<physics::Aabb> island_bounds; // scratch, by slot of the first body
    std::vector<bool> island_rests;
    std::vector<glm::vec3> polygon; // scratch
};

// A text in the world, of the scene.
struct WorldLabel {
    std::string text;
    physics::BodyId body; // that it moves with; none: it stands where it is
    glm::vec3 at{0.0f};   // m, world axes, from the body's centre of mass or from the origin
};

// What a layer is drawn from.
struct LayerScene {
    const physics::FrameState& frame;
    std::span<const physics::Transform> poses; // where bodies are drawn, by slot in frame.bodies
    LayerMemory& memory;
    std::span<const core::Zone> zones{};
    std::span<const WorldLabel> labels{};
    std::span<const physics::BodyId> selected{}; // by slot

    std::optional<physics::Transform> pose_of(physics::BodyId body) const;
};

using DrawLayer = void(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);

struct DebugLayer {
    const char* name;
    const char* title;
    const char* description;
    glm::vec3 colour; // linear; the same everywhere
    DrawLayer* draw;
    bool physics::FrameDetails::*detail = nullptr; // what it needs of a frame beyond the usual
    // The action that shows and hides it, as the settings file and people call it, and its key; none: it has none.
    const char* action = nullptr;
    const char* action_title = "";
    const char* key = "";
    std::size_t index = 0; // given by add_debug_layer()
};
const std::vector<DebugLayer>& debug_layers();
// One more: it is in the panel, the palette, the settings, the reports and on the command line from then on. Before the
// first window is opened, on the main thread.
void add_debug_layer(DebugLayer layer);

// What is on until someone says otherwise: zones, and labels of the scene.
DebugLayers usual_layers();

// Sets the layers of these names; nullopt, or the first name that is no layer.
std::optional<std::string> set_layers(DebugLayers& layers, const std::vector<std::string>& names);

// A contiguous comma-separated list of all names, for messages.
std::string layer_names();

// What frames must hold so that these can be drawn.
void add_details(physics::FrameDetails& details, const DebugLayers& layers);

void draw_layers(render::DrawList& list, const LayerScene& scene, const DebugLayers& layers);

// The spring between a held body and the mouse; always shown.
void draw_grab(render::DrawList& list, const physics::GrabState& grab);

} // namespace cairn::ui
