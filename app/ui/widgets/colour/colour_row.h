// The colour of a body, as a row of a panel.
#pragma once

#include "app/ui/widgets/widgets.h"
#include "physics/world/body_def.h"

#include <glm/glm.hpp>
#include <optional>
#include <string_view>

namespace cairn::ui {

// A button that shows the colour and opens a field with colours to choose from, a picker, and a way back to automatic.
// Marks: ID, and while the field is open ID.automatic, ID.text, ID.picker, and ID.0 and so on of the colours to choose.
class ColourRow {
  public:
    // `shown`: linear, what it looks like now, which is not `own` where there is none. `mixed`: of several bodies that
    // differ. True when `own` has changed; none is automatic.
    bool operator()(Widgets& w, std::string_view id, std::optional<physics::Colour>& own, const glm::vec3& shown,
                    bool mixed = false);

  private:
    // What the picker shows, finer than the eight bits of what it has chosen: a hue lives through grey and black.
    glm::vec3 picked_{0.0f}; // sRGB
    std::optional<physics::Colour> chosen_;
};

} // namespace cairn::ui
