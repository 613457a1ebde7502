// The words in which joints are stated, for the solver and for those who make joints.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace cairn::physics {

// A joint holds a frame fixed in body A and one fixed in body B to each other. The axis is the Z of A's frame.
enum class JointKind : std::uint8_t {
    ball,      // the origins coincide
    hinge,     // and the Z axes: B turns about the axis
    slider,    // the orientations agree and B's origin lies on the axis: B slides along it
    weld,      // the frames coincide
    distance,  // the origins are a length apart: a rod, a rope or a spring
    universal, // the origins coincide, and A's X axis stays at right angles to B's Y axis: turning about Z is handed on
    gear,      // A's turning about its Z axis plus `ratio` times B's about its own stays what it is
    rack,      // B's way along its Z axis, as seen from A, is `ratio` (m) times A's turning about A's Z axis (rad)
    pulley,    // a rope from A's origin over two fixed points to B's; of B's part, `ratio` times the length counts
    six_dof,   // each way in which B moves in A's frame is as its JointAxis says
};

// A joint's position is the angle of a hinge (rad, B against A about the axis), the offset of a slider (m, along the
// axis), the distance of the two origins (m) or the length of a pulley's rope (m). The limits of a ball joint are those
// of B's twist against A (rad): what its turn has about the axis when the swing of the Z axes is taken off.
struct JointLimits {
    float lower = 0.0f, upper = 0.0f;
    friend bool operator==(const JointLimits&, const JointLimits&) = default;
};

// Drives the position of hinge, slider, distance and pulley at a speed, as far as the force reaches. On a ball joint it
// brakes: B's turning against A is driven to `speed` about the axis and to nothing about the others.
struct JointMotor {
    float speed = 0.0f;     // rad/s or m/s
    float max_force = 0.0f; // N m or N
    friend bool operator==(const JointMotor&, const JointMotor&) = default;
};

// A damped spring. Hinge and slider: pulls the position to `target`, and with a greatest force is a motor that goes to
// a position. Distance and pulley: to the joint's length. Ball: holds the
// origins together softly in place of rigidly. Weld: holds the orientations softly, the origins stay rigid.
// The stiffness is stated by the frequency at which the two bodies would swing on it: (2 pi hertz)^2 times the mass
// that the joint feels; of a spring between two points, which ball, distance and pulley have, 1 / (1/m_a + 1/m_b).
struct JointSpring {
    float hertz = 1.0f;             // 1/s
    float damping_ratio = 0.0f;     // 1 = critical
    float target = 0.0f;            // rad or m; hinge and slider only
    std::optional<float> max_force; // N m or N; unlimited if unset
    friend bool operator==(const JointSpring&, const JointSpring&) = default;
};

// One of the six ways in which B moves in A's frame, in this order: along its X, Y and Z axes (m), and by the Cardan
// angles that take A's axes to B's: about A's X, then about the Y that this has turned, then about B's Z (rad). The
// second one has no meaning beyond a quarter turn, as with all such angles.
struct JointAxis {
    enum class Mode : std::uint8_t { locked, free, limited, motor, spring };
    Mode mode = Mode::locked;
    JointLimits limits; // where it is limited
    JointMotor motor;   // where it is driven at a speed
    JointSpring spring; // where it is driven to a position
    friend bool operator==(const JointAxis&, const JointAxis&) = default;
};
inline constexpr int joint_axes = 6;
using JointAxes = std::array<JointAxis, joint_axes>;

} // namespace cairn::physics
