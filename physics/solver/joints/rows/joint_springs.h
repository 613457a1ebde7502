// Springs that share bodies make a faster swing than each of them would alone.
#pragma once

#include "physics/solver/joints/rows/joint_rows.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

class JointSprings {
  public:
    void begin(std::size_t motions) { pulls_.resize(motions, 0.0f); }

    // What the joint's springs may do to their bodies within a substep.
    struct Work {
        double stored = 0.0; // J, that they can give: but for the error that stiff ones do not take back at once
        double swing = 0.0;  // of the kinetic energy, that it and what is stored seem to change together (see below)
    };
    static Work work_of(JointRows& joint, float h);

    // States the springs of the joints, which are up to date. `list`: those of the rows that hang together, or some of
    // them; of others, with other bodies, the same may be done at the same time. `h`: s, of a substep.
    void state(std::span<JointRows> rows, std::span<const std::uint32_t> list, float h);

    std::size_t memory_bytes() const;

  private:
    std::vector<float> pulls_; // by motion, 1/s: zero between calls
};

} // namespace cairn::physics
