// The tools that throw, push and blast bodies, and how strongly they do.
#pragma once

#include "app/ui/tools/tool.h"
#include "physics/world/body_def.h"

#include <memory>

namespace cairn::ui {

std::unique_ptr<Tool> make_throw_tool();
std::unique_ptr<Tool> make_wand_tool();
std::unique_ptr<Tool> make_blast_tool();

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

// Share of the full strength at `distance` m from the middle of a reach of `radius` m: 1 in the middle, falling evenly
// to 0.
float share_at(float distance, float radius);

// What a blast at `centre` adds to the velocity of a body whose centre of mass is at `body`, m/s; `speed` is what it
// gives in the middle. Away from the blast; straight up for what lies on it.
glm::vec3 blast_velocity(const glm::vec3& centre, const glm::vec3& body, float radius, float speed);

} // namespace cairn::ui
