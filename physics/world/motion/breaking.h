// Which joints end where several carry more than they bear.
#pragma once

#include "physics/world/store/body_store.h"
#include "physics/world/store/joint_store.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Joints one behind the other, as in a chain, a bridge or a row of welded bricks, carry the same load, and when one of
// them ends it is taken off the others. So of those in a line only the one goes that carried most for what it bears;
// with it what holds the same two bodies together and is overloaded as well. A line ends at bodies that are joined to
// other than two others, and at those that are not dynamic.
//
// `overloaded`, and what is returned: slots, ascending.
std::vector<std::uint32_t> weakest_in_line(std::span<const std::uint32_t> overloaded, const JointStore& joints,
                                           const BodyStore& bodies);

} // namespace cairn::physics
