// Which bodies a body collides with, as rows of a panel.
#pragma once

#include "app/ui/widgets.h"
#include "physics/world/body_def.h"

#include <optional>

namespace cairn::ui {

// The group as a number, and the mask as a button that opens a field of all groups. What it was changed to, if it was.
// Marks: body.group, body.mask, and body.mask.0 and so on while the field is open.
std::optional<physics::CollisionFilter> filter_rows(Widgets& w, const physics::CollisionFilter& filter);

} // namespace cairn::ui
