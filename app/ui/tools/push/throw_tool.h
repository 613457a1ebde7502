// A sling: press on a body, or on the ground for a new ball, pull back, let go.
#pragma once

#include "app/ui/tools/tool.h"
#include "physics/world/body_def.h"

#include <cstdint>

namespace cairn::ui {

// Where something that flies is after `steps` steps of the world: m, from `from` with `velocity`, m/s. Euler's rule as
// the world takes it, so that the preview and the flight are the same curve.
class BallisticPath {
  public:
    BallisticPath(const physics::Vec3& from, const physics::Vec3& velocity, const physics::Vec3& gravity, float damping,
                  float seconds_per_step)
        : position_(from), velocity_(velocity), gravity_(gravity), damping_(damping), step_(seconds_per_step) {}
    const physics::Vec3& position() const { return position_; }
    void advance();

  private:
    physics::Vec3 position_, velocity_, gravity_;
    float damping_, step_;
};

// The velocity that a pull of `pull` window units gives: along the level direction opposite to the pull, lifted by
// `elevation` (rad). `right` and `forward` are level unit vectors of the view.
physics::Vec3 sling_velocity(const glm::vec2& pull, float metres_per_second_per_unit, float elevation,
                             const physics::Vec3& right, const physics::Vec3& forward);

class ThrowTool : public Tool {
  public:
    ThrowTool();
    void press(Context& ctx, const glm::vec2& at) override;
    void move(Context& ctx, const glm::vec2& at) override;
    void release(Context& ctx, const glm::vec2& at) override;
    bool scroll(Context& ctx, float steps) override;
    void update(Context& ctx) override;
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) override;
    void write(const Context& ctx, ToolOverlay& overlay) const override;
    void settings(Context& ctx) override;
    void remember(SettingsArchive& archive) override;
    bool cancel(Context& ctx) override;

  private:
    physics::Vec3 velocity(const Context& ctx) const;
    bool pulled(const Context& ctx) const; // far enough to be no click

    float strength_ = 0.12f;  // m/s per window unit at scale 1
    float elevation_ = 35.0f; // degrees

    bool aiming_ = false;
    std::uint64_t world_ = 0;
    glm::vec2 pressed_at_{0.0f}, last_{0.0f};
    physics::BodyId body_;            // none: a new ball
    physics::Vec3 from_{0.0f};        // m, where it leaves
    std::vector<physics::Vec3> path_; // m, as of the last update
    bool lands_ = false;              // the path ends at something
};

} // namespace cairn::ui
