// The selected bodies: what they are, how they move, and what can be done with them.
#pragma once

#include "app/ui/context/context.h"

namespace cairn::ui {

struct BodyPanelState {
    physics::BodyId body;    // whose orientation `degrees` is
    glm::vec3 degrees{0.0f}; // orientation while it is edited
    bool editing_degrees = false;
    glm::vec3 impulse{0.0f, 0.0f, 10.0f}; // N s
};

class BodyPanel {
  public:
    void operator()(Context& ctx);

  private:
    BodyPanelState state_;
};

// Marks: joint.N of the one at place N, joint.limits and so on of the one that is open.
void joints_panel(Context& ctx);

} // namespace cairn::ui
