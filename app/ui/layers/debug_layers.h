// What can be drawn on top of the bodies, in one table: names, colours, and what draws each.
#pragma once

#include "app/core/scene/expectation.h"
#include "app/ui/frame_queries.h"
#include "app/ui/layers/inertia_box.h"
#include "app/ui/layers/islands.h"
#include "physics/world/frame_state.h"
#include "render/draw_list.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::ui {

struct DebugLayers {
    bool contacts = false, normals = false, impulses = false, bounds = false, velocities = false, centres = false,
         joints = false, faces = false, tree = false, inertia = false, islands = false, sleeping = false,
         sweeps = false, names = false, zones = false;
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

// What a layer is drawn from.
struct LayerScene {
    const physics::FrameState& frame;
    std::span<const physics::Transform> poses; // where bodies are drawn, by slot in frame.bodies
    LayerMemory& memory;
    std::span<const core::Zone> zones{};

    std::optional<physics::Transform> pose_of(physics::BodyId body) const;
};

struct DebugLayer {
    const char* name;
    const char* title;
    const char* description;
    bool DebugLayers::*shown;
    glm::vec3 colour; // linear; the same everywhere
    void (*draw)(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
    bool physics::FrameDetails::*detail = nullptr; // what it needs of a frame beyond the usual
};
const std::vector<DebugLayer>& debug_layers();

// What is on until someone says otherwise: joints, since a rope that cannot be seen is a puzzle, and zones.
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
