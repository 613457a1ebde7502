// The axes of six_dof by what holds them.
#pragma once

#include "physics/base/math.h"
#include "physics/solver/joints/rows/joint_terms.h"

#include <array>
#include <utility>

namespace cairn::physics {

// The axes of six_dof in the order of their rows: what is locked of lengths and of turns, then what is acted on.
struct AxisOrder {
    std::array<int, 6> axis{};
    int lengths = 0, locked = 0, all = 0;
};

inline AxisOrder order_of(const JointAxis* axes) {
    AxisOrder order;
    const auto add = [&](bool locked) {
        for (int i = 0; i < joint_axes; ++i) {
            const JointAxis::Mode mode = axes[i].mode;
            if (locked ? mode == JointAxis::Mode::locked
                       : mode != JointAxis::Mode::locked && mode != JointAxis::Mode::free) {
                order.axis[static_cast<std::size_t>(order.all++)] = i;
                order.lengths += locked && i < 3 ? 1 : 0;
            }
        }
    };
    add(true);
    order.locked = order.all;
    add(false);
    return order;
}

// The two axes that a single locked Cardan angle keeps at right angles, one of each frame.
inline std::pair<Vec3, Vec3> crossed(int angle, const Mat3& a, const Mat3& b) {
    return angle == 0 ? std::pair(a[1], b[2]) : angle == 1 ? std::pair(a[0], b[2]) : std::pair(a[0], b[1]);
}

// Of several locked turns the one that is free; 3 if none is.
inline int free_turn(const JointAxis* axes) {
    for (int i = 0; i < 3; ++i) {
        if (axes[3 + i].mode != JointAxis::Mode::locked) {
            return i;
        }
    }
    return 3;
}

} // namespace cairn::physics
