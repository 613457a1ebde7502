// From the published state of a world to what the renderer draws. Needs no GL: meshes are asked for through MeshSource.
#pragma once

#include "app/core/scene/scene.h"
#include "app/ui/camera/frame_queries.h"
#include "app/ui/layers/debug_layers.h"
#include "app/ui/view/colour_modes.h"
#include "physics/world/frame_state.h"
#include "physics/world/world.h"
#include "render/draw_list.h"

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace cairn::ui {

// Gives the mesh of a hull or a surface, in the shape's own coordinates.
class MeshSource {
  public:
    virtual ~MeshSource() = default;
    virtual render::MeshId mesh(const std::shared_ptr<const physics::Shape>& hull) = 0;
    // Adds the meshes that together are a height field.
    virtual void tiles(const std::shared_ptr<const physics::Shape>& field, std::vector<render::MeshId>& out) {
        out.push_back(mesh(field));
    }
    // Adds the meshes that together are a surface of several materials, each with its place in MeshData::materials.
    virtual void of_materials(const std::shared_ptr<const physics::Shape>& surface,
                              std::vector<std::pair<render::MeshId, std::uint16_t>>& out) {
        out.emplace_back(mesh(surface), std::uint16_t{0});
    }
};

struct ViewOptions {
    DebugLayers layers = usual_layers();
    bool grid = true;
    bool textures = true;
    ColourMode colours = ColourMode::palette;
    std::span<const physics::BodyId> selected; // by slot
    std::span<const core::Zone> zones;
    std::span<const WorldLabel> labels;
    std::span<const physics::BodyId> hidden; // neither drawn nor picked; by slot
    physics::BodyId hovered;
    std::optional<physics::WorldShape> open_shape; // its outline is stronger than that of the body's others
    float interpolation = 1.0f;                    // 0 = the previous state, 1 = the current one
    float seconds = 0.0f; // since the last call, for fading; negative = fades are complete at once
    float shadow_strength = 0.7f;
};

class SceneView {
  public:
    // Fills `list` (cleared before) from two states of a world. `camera` decides which walls stand between the eye and
    // the inside: those are drawn glassy.
    void build(render::DrawList& list, const physics::FrameState& previous, const physics::FrameState& current,
               const render::Camera& camera, MeshSource& meshes, const ViewOptions& options);

    // Did the last build() meet models that it had not met before, or miss some?
    bool models_changed() const { return models_changed_; }

    // Where a body was drawn last; nullopt if it was not.
    std::optional<physics::Transform> drawn_pose(physics::BodyId body) const;

    // Was this body drawn as glass, because it stands between the eye and the inside?
    bool is_glass(physics::BodyId body) const;

    bool is_hidden(physics::BodyId body) const;

    // The nearest body of `frame` along the ray (of unit direction) that hides what is behind it, where it was drawn
    // last: what one sees is what one picks, though a fast body may be farther by now. What was drawn as glass is
    // looked through, and bodies of sensors alone are picked where nothing else is. Of two at the same distance, the
    // one of the lower slot. `but`: as if that body were not there.
    std::optional<physics::WorldRayHit> pick(const physics::FrameState& frame, const physics::Ray& ray,
                                             physics::BodyId but = {}) const;

    // Adds a body that is in no world, in one colour, without a shadow.
    static void add_model(render::DrawList& list, const physics::BodyModel& model, const physics::Transform& pose,
                          const glm::vec4& colour, MeshSource& meshes);

  private:
    // How a body looks, as far as that follows from its model. Kept from frame to frame: ten thousand models lie all
    // over the memory, and reading them takes longer than all the rest of a frame.
    struct Look {
        std::shared_ptr<const physics::BodyModel> model;
        std::uint32_t first_part = 0, part_count = 0;
        float reach = 0.0f; // m, of its farthest point from the centre of mass
        std::optional<physics::Colour> colour;
    };
    struct Part {
        render::MeshId mesh = 0;
        std::uint32_t place = 0; // in BodyModel::parts
        bool centred = true;     // it has the body's own pose
        bool ball = false;
        bool sensor = false;
        float extrude_z = 0.0f;
        glm::vec3 scale{1.0f};
        physics::Transform pose; // in the body's frame
        // Where it is not as the body is: what it is made of, and its own colour, if any, linear: asleep and awake.
        bool apart = false, coloured = false;
        physics::Material material;
        glm::vec3 asleep{0.0f}, awake{0.0f};
    };
    // By body index. A colour takes a dozen transcendental functions: it is worked out when it changes.
    struct Paint {
        std::uint32_t generation = 0;
        float awake = -1.0f;   // how awake it looks, 0..1: sleeping fades rather than flips
        float painted = -1.0f; // what `colour` is for, in the mode that it is for
        ColourMode mode = ColourMode::palette;
        std::optional<physics::Colour> own;
        glm::vec4 colour{1.0f};
    };

    void learn_models(const physics::FrameState& frame, MeshSource& meshes);
    static void add_parts(const physics::BodyModel& model, MeshSource& meshes, std::vector<Part>& to);
    static Part part_of(const physics::BodyModel::Part& from, MeshSource& meshes);
    static void set_material(Part& part, const physics::ShapeMaterial& own, const physics::ShapeMaterial& of_shape,
                             const physics::Material& of_body);
    static void place_part(render::Instance& instance, const Part& part, const physics::Transform& world);
    static bool is_occupied(const physics::FrameState& frame, physics::BodyId sensor, std::uint32_t shape);
    void find_ground(const physics::FrameState& frame);
    void paint_fixed(render::Instance& instance, const physics::FrameState& frame, std::size_t slot,
                     const physics::Transform& pose, const render::Camera& camera, ColourMode mode);
    // As the body is painted, but for what the part has of its own.
    void paint_part(render::Instance& instance, const Part& part, const physics::BodyState& body,
                    ColourMode mode) const;
    void paint_moving(render::Instance& instance, const physics::FrameState& frame, std::size_t slot,
                      const ViewOptions& options);
    void add_body(render::DrawList& list, const physics::FrameState& frame, std::size_t slot,
                  const physics::Transform& pose, const render::Camera& camera, const ViewOptions& options);

    std::vector<Look> looks_; // by slot of the last frame, as are the parts
    std::vector<Part> parts_;
    bool models_changed_ = false;
    std::vector<std::size_t> fixed_; // slots of static bodies
    std::vector<Paint> paints_;
    std::optional<std::size_t> ground_;     // slot
    std::vector<physics::Transform> drawn_; // by slot of the last frame
    std::vector<physics::BodyId> drawn_ids_;
    std::vector<physics::BodyId> glass_, hidden_;
    bool safe_colours_ = false; // that paints_ were made with
    LayerMemory layer_memory_;
};

// What frames must hold so that this can be drawn.
physics::FrameDetails details_for(const ViewOptions& options);

render::Camera camera_of(const core::SceneCamera& camera);

} // namespace cairn::ui
