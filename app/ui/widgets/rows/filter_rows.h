// Which bodies a body collides with, as rows of a panel.
#pragma once

#include "app/ui/widgets/widgets.h"
#include "physics/world/body_def.h"

#include <optional>

namespace cairn::ui {

// A button that says what it is and opens a field with the group and the mask. What it was changed to, if it was.
// Marks: body.filter, and while the field is open body.group, and body.mask.0 and so on.
// Switches for the axes along and about which a body may not move.
std::optional<std::uint8_t> lock_rows(Widgets& w, std::uint8_t locks);
std::optional<physics::CollisionFilter> filter_rows(Widgets& w, const physics::CollisionFilter& filter);

} // namespace cairn::ui
