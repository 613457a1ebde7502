// Speed and height of the selected bodies, as curves.
#pragma once

#include "app/ui/context/context.h"
#include "app/ui/widgets/charts/step_course.h"

#include <vector>

namespace cairn::ui {

class MotionPanel {
  public:
    void operator()(Context& ctx);

  private:
    std::vector<physics::BodyId> bodies_; // that the course is of
    std::uint64_t world_ = 0;
    StepCourse course_; // speeds, then heights
};

} // namespace cairn::ui
