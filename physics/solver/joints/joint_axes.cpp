#include "physics/solver/joints/joint_axes.h"

namespace cairn::physics {

AxisOrder order_of(const JointAxis* axes) {
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

std::pair<Vec3, Vec3> crossed(int angle, const Mat3& a, const Mat3& b) {
    return angle == 0 ? std::pair(a[1], b[2]) : angle == 1 ? std::pair(a[0], b[2]) : std::pair(a[0], b[1]);
}

int free_turn(const JointAxis* axes) {
    for (int i = 0; i < 3; ++i) {
        if (axes[3 + i].mode != JointAxis::Mode::locked) {
            return i;
        }
    }
    return 3;
}

} // namespace cairn::physics
