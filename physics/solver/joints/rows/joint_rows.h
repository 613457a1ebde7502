// Joints as rows of the solver. Every joint is a block of up to six rigid rows, solved together, and what acts along
// its free axis or in place of rigid rows: motor, spring, limits.
//
// Rigid rows carry their load without giving way; softness decides only how fast an error of position is taken back
// (docs/how/joints.md).
#pragma once

#include "physics/solver/joints/rows/joint_terms.h"
#include "physics/solver/motion/motion.h"
#include "physics/solver/motion/softness.h"
#include "physics/solver/rows/row_blocks.h"

#include <array>
#include <cstdint>
#include <span>

namespace cairn::physics {

// What a joint remembers from substep to substep and from step to step. N s and N m s.
struct JointImpulses {
    std::array<float, 6> rigid{}; // and, behind those, of the axes of six_dof that are limited or driven
    float motor = 0.0f, spring = 0.0f, lower = 0.0f, upper = 0.0f, cone = 0.0f;
    Vec3 soft_block{0.0f}; // of a spring that replaces three rows
    Vec3 brake{0.0f};      // of a ball joint's motor
    float along_axis() const { return motor + spring + lower - upper; }
    friend bool operator==(const JointImpulses&, const JointImpulses&) = default;
};

JointImpulses scaled(const JointImpulses& impulses, float share);
// `share` of the way from one to the other.
JointImpulses blended(const JointImpulses& from, const JointImpulses& to, float share);

// A damped spring over one substep: its impulse is -mass * (brake * speed after it + pull * error before it). `ahead`:
// the part of `brake` that stands for the error after it, to which arcs add.
struct SpringTerms {
    float brake = 0.0f, ahead = 0.0f;
    float pull = 0.0f;  // 1/s
    float swing = 0.0f; // see JointSprings::Work
};

// Damping is implicit. Of the spring's force a share is taken at the position before the substep, which keeps the
// energy of an undamped oscillator (symplectic Euler), and the rest after it, which damps it and is stable at any
// stiffness. Of its error a spring takes back no more than half in a substep. `own`: (h omega)^2 of the swing that it
// makes alone.
SpringTerms make_spring(float hertz, float damping_ratio, float h, float own, float share_before);
inline constexpr float most_taken_back_at_once = 0.5f;

// Where a joint of this kind stands, between its frames in the world: see JointLimits; of a ball or universal
// joint the angle between the Z axes, of a weld nothing. An angle of a hinge is the one nearest to `near`; gear, rack
// and pulley have no position but what the solver knows, `near`.
float joint_position(JointKind kind, const Transform& frame_a, const Transform& frame_b, float near);

struct JointSolverSettings {
    float h = 0.0f;     // s, substep
    Vec3 gravity{0.0f}; // m/s^2
    // Rigid rows take back errors of position at its rate and are otherwise rigid. Rows that are solved one after the
    // other, which are limits and joints outside the system, are soft altogether.
    Softness softness;
    float max_push_speed = 0.0f; // m/s, with which what is beyond a limit is brought back
};

// What arcs add to the rates of a joint's rows within a substep, m/s or rad/s.
struct JointBend {
    std::array<float, 6> rigid{};
    float axis = 0.0f;
    Vec3 block{0.0f}; // of a spring that replaces three rows
};

// One equation in the velocities: linear . (v_b - v_a) + linear_a . v_a + angular_a . w_a + angular_b . w_b.
struct JointRow {
    Vec3 linear{0.0f}, angular_a{0.0f}, angular_b{0.0f};
    Vec3 linear_a{0.0f}; // not zero in the row of a pulley alone, whose two parts pull in directions of their own
    Vec3 turn_a{0.0f}, turn_b{0.0f}; // change of angular velocity by a unit impulse
};

// Stated once a step, with what the joint remembers and what comes of it.
struct JointInput {
    JointKind kind = JointKind::ball;
    bool has_limits = false, has_motor = false, has_spring = false, has_cone = false;
    bool breakable = false, broken = false; // it ends beyond some force; it has come to that
    bool locks_body = false;                // a six_dof that holds a body's locked axes: their speeds alone
    std::uint32_t joint = 0xffffffffu;      // slot; none for the mouse drag
    std::uint32_t step_class = 0;           // index into SolverInput::classes
    std::uint32_t motion_a = 0, motion_b = 0;
    float inverse_mass_a = 0.0f, inverse_mass_b = 0.0f;
    Vec3 start_arm_a{0.0f}, start_arm_b{0.0f}; // m, from the centres of mass to the origins of the frames, world
    Vec3 start_offset{0.0f};                   // m, from A's origin to B's
    JointImpulses impulses;
    Vec3 step_force{0.0f}, step_torque{0.0f}; // N s, N m s on B at its origin, sums over the substeps
    float position = 0.0f; // rad or m; angles keep their turns. Of gear and rack: what they have slipped
    Vec3 local_arm_a{0.0f}, local_arm_b{0.0f};                                       // m, the same in the bodies' axes
    Quat start_frame_a = identity_orientation, start_frame_b = identity_orientation; // world
    float length = 0.0f;                                                             // m, of a distance joint
    float ratio = 1.0f;                                                              // of gear, rack and pulley
    const JointAxis* axes = nullptr;                                                 // of six_dof, all six
    Vec3 ground_a{0.0f}, ground_b{0.0f}; // m, of a pulley: from the bodies' centres of mass at the start of the step
    float start_position = 0.0f;         // of gear and rack, see `position`
    JointLimits limits;
    float cone = 0.0f;          // rad, greatest angle between the Z axes
    float motor_speed = 0.0f;   // rad/s or m/s
    float motor_impulse = 0.0f; // N m s or N s, greatest in a substep
    float spring_hertz = 0.0f, spring_damping_ratio = 0.0f;
    float spring_target = 0.0f;
    float spring_impulse = 0.0f; // greatest in a substep
    float angular_drag = 0.0f;   // 1/s, of the mouse drag: calms the swing of B
};

// A free row that is solved together with the rigid ones (passes/held_rows.h).
struct HeldRow {
    enum class Kind : std::uint8_t {
        motor,
        brake,
        spring,
        soft_block,
        limit,
        cone,
        axis_motor,
        axis_spring,
        axis_limit
    };
    Kind kind = Kind::motor;
    std::uint8_t row = 0;  // in JointWorkspace::rows
    bool positive = false; // the impulse of a limit
};

// Effective masses of a joint's rows while its own rigid rows hold, computed on first use (joint_factors.h): a
// component that is solved exactly mostly needs none of them.
struct OwnMasses {
    static constexpr float unknown = -1.0f;
    bool factored = false;
    std::array<float, 21> factors{}; // of the rigid rows' compliance: L D L^T, lower triangle row by row, 1/D on it
    float axis = unknown, cone = unknown; // kg or kg m^2
    std::array<float, 6> rows{unknown, unknown, unknown,
                              unknown, unknown, unknown}; // of six_dof, behind the rigid ones
};

// Follows the bodies, see refresh. The lanes of a net have it in a form of their own (joint_blocks.h).
struct JointWorkspace {
    Vec3 arm_a{0.0f}, arm_b{0.0f}, offset{0.0f};
    SymmetricMat3 inverse_inertia_a, inverse_inertia_b;
    int count = 0;                // rigid rows
    int acted = 0;                // of six_dof: rows behind these, of axes that are limited or driven
    int held_count = 0;           // free rows that are solved with the rigid ones
    std::array<JointRow, 6> rows; // behind these are the held ones, but for six_dof, whose own are there
    std::array<HeldRow, 6> held;
    std::array<float, 6> error{};       // m or rad; of rows behind the rigid ones their positions
    JointBend bend;                     // of the substep
    JointRow axis;                      // of motor, spring and limits
    float turn_a = 0.0f, turn_b = 0.0f; // rad, of gear and rack: since the start of the step, about the axes
    Vec3 brake_axis{0.0f};              // unit, of a ball joint's motor
    JointRow cone_row;                  // closes the cone
    float cone_room = 0.0f;             // rad, angle that is left
    std::array<SpringTerms, 6> springs; // by row of six_dof; others have one, the first
    std::array<float, 6> sprung{};      // their errors when they acted, of a block the first three: m or rad
    bool relaxes = true;                // springs are not to act now (hold_springs)
    SymmetricMat3 block_compliance;     // of a spring that replaces three rows: 1/kg or 1/(kg m^2)
    Vec3 block_error{0.0f};             // m or rad
    OwnMasses own;
    // By what the masses of the axis and the cone are multiplied in an impact for what hangs on the bodies (Mechanism),
    // found when a row first acts; 0: not yet.
    float axis_load = 0.0f, cone_load = 0.0f;
};

struct JointRows : JointInput, JointWorkspace {};

// What hangs together with a joint, for rows that are solved one after the other. In an impact a limit stops all that
// hangs rigidly on its bodies. With the mass of these two alone a light carriage would need hundreds of passes to stop
// the tonne that is welded to it.
class Mechanism {
  public:
    // By how much greater the row's mass is with all of it than with the joint's own rigid rows alone, `own_mass`: 1 if
    // that makes no difference that a few passes would not find.
    virtual float load_on(const JointRows& joint, const JointRow& row, float own_mass) = 0;
    // All rigid rows answer what a row has just done.
    virtual void answer() = 0;

  protected:
    ~Mechanism() = default;
};

// The greatest speed at which an error of position, or what an arc will make of one, is taken back, m/s or rad/s. The
// error of a step is a small part of that. Where two arms of hardly any inertia are stretched out, none of the rows can
// be fulfilled, the turns that they ask for grow with the square of the turns before, and the step would end at no
// number (StretchedArms.DoNotExplode).
inline constexpr float most_taken_back = 20.0f;

// Whether a spring replaces three rows: of a soft ball joint those that hold the origins together, of a soft weld those
// that hold the orientations.
inline bool has_soft_block(const JointInput& joint) {
    return joint.has_spring && (joint.kind == JointKind::ball || joint.kind == JointKind::weld);
}

// Whether it is the mouse that holds a body.
inline bool is_drag(const JointInput& joint) {
    return joint.angular_drag > 0.0f;
}

// How many rigid rows the joint has.
int rigid_rows(const JointInput& joint);

// Brings all that follows the bodies up to date: once before the first substep and after each change of positions.
// `inertias`: by motion, against the joints.
void refresh(JointRows& joint, std::span<const BodyMotion> motions, std::span<const BodyInertia> inertias);

// Apply the accumulated impulses. What is held is not among the free rows.
void warm_start_free_rows(std::span<JointRows> joints, std::span<BodyMotion> motions);
void warm_start_rigid_rows(const JointRows& joint, std::span<BodyMotion> motions);

// Notes by how much positions will change within the substep beyond what their present rates say, per second: an origin
// goes round its body on an arc and not along the tangent. `end_a`, `end_b`: where the present velocities take the
// bodies. A row that knows it ends the substep on the joint instead of beside it, and its impulse acts along the chord
// of the arc, so that it neither brakes nor drives what swings (docs/how/joints.md).
//
// The velocities must be such as the joints allow. What warm starting leaves, with impulses whose directions are a
// substep old, is a guess: of thin rods, a wild one, which made them swing up in a few substeps. Returns by how much a
// row's differs from what it was, at most, m/s or rad/s.
float note_arcs(JointRows& joint, std::span<const BodyMotion> motions, const BodyMotion& end_a, const BodyMotion& end_b,
                float h);

// Passes over one joint come in two: with `use_bias` errors of position are taken back and springs act; without, rigid
// rows, limits and motors are held, at the positions after the substep.
bool has_free_rows(const JointInput& joint);
// Whether any of these is solved by itself in a pass over a component that is solved exactly: drag, and springs and
// motors that are not held.
bool has_rows_alone(const JointRows& joint, bool use_bias);
// Motor and spring, and limits where these are `sequential`: not solved together with the rigid rows.
void solve_free_rows(JointRows& joint, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                     bool use_bias, bool sequential);
// Limits and the cone alone, without bias: what ropes and stops do in an impact. True if they had to do anything.
bool hold_stops(JointRows& joint, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                Mechanism& mechanism);
// Of this joint alone, softly; the rows must have been factored (joint_factors.h).
void solve_rigid_rows(JointRows& joint, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                      bool use_bias);

// The speeds that rows, rigid and held, are to have, m/s or rad/s.
std::array<float, 6> wanted_speeds(const JointRows& joint, const JointSolverSettings& settings, bool use_bias);

// m/s, how fast an origin moves at most to take errors of position back.
float speed_back(const JointRows& joint, const JointSolverSettings& settings);

// N s, the impulse on B at its origin in a substep, as far as it is remembered, world.
Vec3 pull_of(const JointInput& joint);

// Adds the substep's impulses to the step's sums.
void accumulate(std::span<JointRows> joints);

} // namespace cairn::physics
