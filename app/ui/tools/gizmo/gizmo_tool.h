// Moves and turns the selected bodies by handles. While they are held they are kinematic, so that nothing pushes them
// out of the hand; afterwards they are again what they were.
#pragma once

#include "app/ui/tools/gizmo/gizmo.h"
#include "app/ui/tools/tool.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <string>

namespace cairn::ui {

class GizmoTool : public Tool {
  public:
    enum class Mode { move, turn };
    explicit GizmoTool(Mode mode);
    void press(Context& ctx, const glm::vec2& at) override;
    void move(Context& ctx, const glm::vec2& at) override;
    void release(Context& ctx, const glm::vec2& at) override;
    void update(Context& ctx) override;
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) override;
    void write(const Context& ctx, ToolOverlay& overlay) const override;
    void settings(Context& ctx) override;
    void remember(SettingsArchive& archive) override;
    bool cancel(Context& ctx) override;

  private:
    struct Held {
        physics::BodyId body;
        physics::BodyType type = physics::BodyType::dynamic;
        physics::Transform pose;
        physics::Vec3 linear_velocity{0.0f}, angular_velocity{0.0f};
    };

    std::optional<gizmo::Frame> frame_of(const Context& ctx) const; // nullopt with nothing selected
    gizmo::Handle handle_at(const Context& ctx, const gizmo::Frame& frame, const glm::vec2& at) const;
    void take(Context& ctx, gizmo::Handle handle);
    void drag(Context& ctx, const physics::Ray& ray);
    void put(Context& ctx, const physics::Vec3& offset, float angle);
    void let_go(Context& ctx);
    void drop();
    bool held_in(const Context& ctx) const;

    Mode mode_;
    float move_step_ = 0.5f, turn_step_ = 15.0f; // m and degrees, of snapping

    gizmo::Handle hovered_ = gizmo::Handle::none;
    // While something is held.
    glm::vec2 pressed_at_{0.0f};
    gizmo::Handle handle_ = gizmo::Handle::none;
    bool in_plane_ = false; // the body itself is dragged, in a level plane
    std::vector<Held> held_;
    std::uint64_t world_ = 0, gesture_ = 0;
    std::string what_;
    physics::Vec3 centre_{0.0f};       // where the handles were
    physics::Vec3 grip_{0.0f};         // of a plane: where the drag began
    float start_ = 0.0f, last_ = 0.0f; // m or rad, along or about the axis
    physics::Vec3 offset_{0.0f};       // m, so far
    float angle_ = 0.0f;               // rad, so far
};

} // namespace cairn::ui
