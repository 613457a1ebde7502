// Inserts what the Spawn panel describes where one clicks, or all along a stroke. A ghost shows where it would stand,
// and whether there is room.
#pragma once

#include "app/ui/tools/spawn/spawn.h"
#include "app/ui/tools/tool.h"
#include "physics/geometry/aabb.h"
#include "physics/world/store/body_kind.h"

#include <memory>
#include <string>

namespace cairn::ui {

class PlaceTool : public Tool {
  public:
    PlaceTool();
    bool points_at_bodies() const override { return false; }
    void press(Context& ctx, const glm::vec2& at) override;
    void release(Context& ctx, const glm::vec2& at) override;
    void update(Context& ctx) override;
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) override;
    void write(const Context& ctx, ToolOverlay& overlay) const override;
    void settings(Context& ctx) override;
    bool cancel(Context& ctx) override;

  private:
    struct Ghost {
        physics::BodyDef body; // about the origin
        std::shared_ptr<const physics::BodyKind> kind;
    };
    void make_ghosts(Context& ctx);
    void find_place(const Context& ctx);
    void stand_on_meshes(const Context& ctx, const physics::Vec3& direction);
    void find_room(const Context& ctx);
    void insert(Context& ctx);

    std::optional<SpawnSettings> made_with_;
    std::uint64_t made_at_ = 0; // of the prototypes
    std::vector<Ghost> ghosts_;
    std::vector<physics::JointDef> joints_; // between them, by their order
    bool single_ = false;                   // one body, which stands on what is clicked
    std::string problem_;                   // the world would reject the body
    std::optional<physics::Vec3> place_;    // m, of the ghosts' origin
    bool room_ = false;
    std::string in_the_way_;
    std::vector<std::size_t> near_; // slots of what might be

    // While painting.
    bool painting_ = false;
    std::uint64_t gesture_ = 0, world_ = 0;
    physics::Vec3 plane_point_{0.0f}, plane_normal_{0.0f};
    std::vector<physics::Aabb> placed_; // in this stroke: the world may not show them yet
};

} // namespace cairn::ui
