// Height fields under a brush.
#pragma once

#include "app/core/edits/edit_history.h"

#include <optional>

namespace cairn::core {

// The command that leaves these samples as they are. nullopt where there is no such field.
std::optional<physics::SetHeights> present_heights(const physics::World& world, physics::BodyId body,
                                                   std::uint32_t shape, const physics::HeightRegion& region);

// The command by which the brush acts. nullopt where it reaches no sample of the field, or there is none.
std::optional<physics::SetHeights> brushed(const physics::World& world, const BrushHeights& brush);

// The heights of `from`, a part of the region of `to`.
void lay_over(physics::SetHeights& to, const physics::SetHeights& from);

} // namespace cairn::core
