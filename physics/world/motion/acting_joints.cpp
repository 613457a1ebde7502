#include "physics/world/motion/acting_joints.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/base/large_pages.h"
#include "physics/world/limits.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cairn::physics {

namespace {

// For each set of locks the axes of a joint that holds it.
const JointAxis* locked_axes(std::uint8_t locks) {
    using Table = std::array<JointAxes, limits::axis_locks + 1>;
    static const Table table = [] {
        Table t;
        for (unsigned set = 0; set < t.size(); ++set) {
            for (unsigned axis = 0; axis < joint_axes; ++axis) {
                t[set][axis].mode = (set >> axis & 1u) != 0 ? JointAxis::Mode::locked : JointAxis::Mode::free;
            }
        }
        return t;
    }();
    return table[locks].data();
}

// Near a half turn of the Z axes the twist of a ball joint, and near a quarter turn of the second angle of a six_dof
// the other two, change by radians while the bodies hardly move. A limit or spring on such an angle would throw the
// bodies about, so the joint stops before it.
constexpr float widest_swing = 2.9f, widest_turn = 1.3f; // rad
constexpr float sine_of_widest_turn = 0.9635582f;

// Where the second angle of a six_dof would pass the stop within dt seconds.
bool comes_to_stop(const BodyStore& bodies, const JointInput& rows, const JointDef& def, float dt) {
    const auto spin_of = [&bodies](BodyId id) { return id ? bodies[id.index].angular_velocity : Vec3(0.0f); };
    const Vec3 x_a = rotate(rows.start_frame_a, Vec3(1, 0, 0)), z_b = rotate(rows.start_frame_b, Vec3(0, 0, 1));
    const float sine = glm::dot(x_a, z_b);
    const float rate = glm::dot(glm::cross(z_b, x_a), spin_of(def.body_b) - spin_of(def.body_a)); // of it, 1/s
    return std::max(std::abs(sine), std::abs(sine + dt * rate)) > sine_of_widest_turn;
}

JointAxes with_stop(const BodyStore& bodies, const JointInput& rows, const JointDef& def, float dt) {
    JointAxes axes{};
    std::copy(def.axes.begin(), def.axes.end(), axes.begin());
    using Mode = JointAxis::Mode;
    JointAxis& second = axes[4];
    const auto has_no_angle = [](const JointAxis& axis) {
        return axis.mode == Mode::free || axis.mode == Mode::locked;
    };
    if (second.mode == Mode::locked || (has_no_angle(axes[3]) && has_no_angle(axes[5]))) {
        return axes;
    }
    if (second.mode == Mode::limited) {
        second.limits.lower = std::clamp(second.limits.lower, -widest_turn, widest_turn);
        second.limits.upper = std::clamp(second.limits.upper, -widest_turn, widest_turn);
    } else if (second.mode == Mode::free || comes_to_stop(bodies, rows, def, dt)) {
        second.mode = Mode::limited;
        second.limits = {-widest_turn, widest_turn};
    }
    return axes;
}

constexpr std::size_t joint_block = 256; // worth a thread's while

// Where the joint is, with its bodies where they are, and what it holds. Its motions and impulses are not known yet.
void state_joint(const BodyStore& bodies, const JointRecord& joint, std::uint32_t slot, JointInput& rows) {
    const JointDef& def = *joint.def;
    const Transform a = bodies.pose_of(def.body_a);
    const Transform b = bodies.pose_of(def.body_b);
    rows = JointInput{};
    rows.kind = def.kind;
    rows.joint = slot;
    rows.local_arm_a = def.frame_a.position;
    rows.local_arm_b = def.frame_b.position;
    rows.start_arm_a = rotate(a.orientation, def.frame_a.position);
    rows.start_arm_b = rotate(b.orientation, def.frame_b.position);
    rows.start_offset = (b.position - a.position) + (rows.start_arm_b - rows.start_arm_a);
    rows.start_frame_a = a.orientation * def.frame_a.orientation;
    rows.start_frame_b = b.orientation * def.frame_b.orientation;
    rows.length = def.length;
    rows.ratio = def.ratio;
    rows.ground_a = def.ground_a - a.position;
    rows.ground_b = def.ground_b - b.position;
    rows.position = rows.start_position = joint.position;
    rows.has_limits = def.limits || (def.kind == JointKind::pulley && !def.spring);
    rows.limits = def.limits.value_or(JointLimits{0.0f, def.length});
    const bool holds_twist = def.kind == JointKind::ball && def.limits;
    rows.has_cone = def.cone || holds_twist;
    rows.cone = holds_twist ? std::min(def.cone.value_or(widest_swing), widest_swing) : def.cone.value_or(0.0f);
    rows.has_motor = def.motor.has_value();
    rows.has_spring = def.spring.has_value();
}

bool can_be_pushed(const BodyStore& bodies, std::uint32_t body) {
    return bodies.is_dynamic(body) && bodies.kind(body).def.locks != limits::axis_locks;
}

bool is_pushed(const BodyStore& bodies, std::uint32_t body) { // awake, and moved by what it touches
    return body != no_index && bodies[body].awake && can_be_pushed(bodies, body);
}

} // namespace

struct ActingJoints::ClassStep {
    std::size_t index = 0; // of IslandSubsteps::classes()
    bool only = true;      // no other is in use
    float h = 0.0f;        // s, its substep
    float share = 1.0f;    // of it in a plain substep, for which impulses are stored

    bool has(const IslandSubsteps& substeps, std::uint32_t motion) const {
        return only || substeps.class_of_motion()[motion] == index;
    }
};

// Each is found at the first of its bodies that can be pushed.
void ActingJoints::list(const BodyStore& bodies, const AwakeBodies& awake, const JointStore& joints,
                        std::uint64_t revision) {
    const std::array<std::uint64_t, 3> versions{revision, awake.version(), joints.version()};
    if (listed_by_ == versions) {
        return;
    }
    listed_by_ = versions;
    ++version_;
    slots_.clear();
    if (!joints.ever_any()) {
        return;
    }
    for (const std::uint32_t body : awake) {
        if (!can_be_pushed(bodies, body)) {
            continue;
        }
        for (const std::uint32_t slot : joints.of(body)) {
            const std::uint32_t body_a = joints.ends(slot).body_a;
            if (body_a == body || !is_pushed(bodies, body_a)) {
                slots_.push_back(slot);
            }
        }
    }
    std::sort(slots_.begin(), slots_.end());
}

std::span<JointInput> ActingJoints::gather(Executor& executor, const Input& in, const JointStore& joints,
                                           const GrabRecord& grab) {
    const std::span<const TimeStepClass> classes = in.substeps.classes();
    std::size_t count = 0;
    axes_.resize(std::max<std::size_t>(classes.size(), 1));
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        const auto own = static_cast<float>(classes.empty() ? in.settings.substeps : classes[i].substeps);
        count =
            gather(executor, in, {i, classes.size() < 2, in.settings.dt() / own, in.short_step.plain_substeps / own},
                   joints, grab, count);
    }
    rows_.resize(count);
    return rows_;
}

JointInput& ActingJoints::next_row(std::size_t count) {
    rows_.resize(std::max(rows_.size(), count + 1));
    return rows_[count] = JointInput{};
}

// Those whose islands are of this class, behind the first `count` rows. Returns how many there are then.
std::size_t ActingJoints::gather(Executor& executor, const Input& in, const ClassStep& step, const JointStore& joints,
                                 const GrabRecord& grab, std::size_t count) {
    const auto motion_of = [&in](std::uint32_t body) {
        return body != no_index && in.bodies[body].awake ? in.partition.motion_of(body) : 0u;
    };
    std::span<const std::uint32_t> mine = slots_;
    if (!step.only) {
        of_class_.clear();
        for (const std::uint32_t slot : slots_) {
            const JointEnds& ends = joints.ends(slot);
            const std::uint32_t motion_a = motion_of(ends.body_a);
            if (step.has(in.substeps, in.motions[motion_a].inverse_mass > 0.0f ? motion_a : motion_of(ends.body_b))) {
                of_class_.push_back(slot);
            }
        }
        mine = of_class_;
    }
    resize_large(rows_, std::max(rows_.size(), count + mine.size()));
    const auto has_axes = [&](std::uint32_t slot) { return joints.ends(slot).kind == JointKind::six_dof; };
    std::vector<JointAxes>& axes = axes_[step.index];
    axes.resize(std::any_of(mine.begin(), mine.end(), has_axes) ? mine.size() : 0);
    const auto state = [&](JointInput& rows, std::uint32_t slot) {
        const JointRecord& joint = joints[slot];
        const JointDef& def = *joint.def;
        state_joint(in.bodies, joint, slot, rows);
        rows.motion_a = motion_of(joints.ends(slot).body_a);
        rows.motion_b = motion_of(joints.ends(slot).body_b);
        rows.step_class = static_cast<std::uint32_t>(step.index);
        rows.inverse_mass_a = in.motions[rows.motion_a].inverse_mass;
        rows.inverse_mass_b = in.motions[rows.motion_b].inverse_mass;
        rows.breakable = def.break_force || def.break_torque;
        if (def.motor) {
            rows.motor_speed = def.motor->speed;
            rows.motor_impulse = def.motor->max_force * step.h;
        }
        if (def.spring) {
            rows.spring_hertz = def.spring->hertz;
            rows.spring_damping_ratio = def.spring->damping_ratio;
            const bool has_length = def.kind == JointKind::distance || def.kind == JointKind::pulley;
            rows.spring_target = has_length ? def.length : def.spring->target;
            rows.spring_impulse =
                def.spring->max_force ? *def.spring->max_force * step.h : std::numeric_limits<float>::max();
        }
        if (in.settings.warm_starting) {
            rows.impulses = scaled(joint.impulses, step.share);
        }
    };
    parallel_for(executor, mine.size(), joint_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            state(rows_[count + i], mine[i]);
            if (has_axes(mine[i])) {
                JointInput& rows = rows_[count + i];
                axes[i] = with_stop(in.bodies, rows, *joints[mine[i]].def, in.settings.dt());
                rows.axes = axes[i].data();
            }
        }
    });
    count = gather_locks(in, step, count + mine.size());
    if (grab.active && step.has(in.substeps, in.partition.motion_of(grab.grab.body.index))) {
        add_drag(in, step, grab, next_row(count++));
    }
    return count;
}

// A soft ball joint between the world at the target and the held point.
void ActingJoints::add_drag(const Input& in, const ClassStep& step, const GrabRecord& record, JointInput& rows) const {
    const Grab& grab = record.grab;
    const BodyRecord& body = in.bodies[grab.body.index];
    rows.motion_b = in.partition.motion_of(grab.body.index);
    rows.step_class = static_cast<std::uint32_t>(step.index);
    rows.inverse_mass_b = in.bodies.kind(grab.body.index).inverse_mass;
    rows.local_arm_b = grab.local_point;
    rows.start_arm_b = rotate(body.pose.orientation, grab.local_point);
    rows.start_offset = body.pose.position + rows.start_arm_b - grab.target;
    rows.has_spring = true;
    rows.spring_hertz = grab.hertz;
    rows.spring_damping_ratio = grab.damping_ratio;
    rows.spring_impulse = grab.max_acceleration * step.h / rows.inverse_mass_b;
    rows.angular_drag = 2.0f; // 1/s: a held body stops swinging within a second or so
    if (in.settings.warm_starting) {
        rows.impulses.soft_block = step.share * record.impulse;
    }
}

// A body with locked axes is held to the world where it is, anew in each step: what drift that leaves is taken off when
// it moves.
std::size_t ActingJoints::gather_locks(const Input& in, const ClassStep& step, std::size_t count) {
    if (!in.bodies.any_locks) {
        return count;
    }
    for (std::uint32_t motion = 1; motion < in.dynamics.size(); ++motion) {
        const std::uint8_t locks = in.dynamics[motion].locks;
        if (locks == 0 || !step.has(in.substeps, motion)) {
            continue;
        }
        JointInput& rows = next_row(count++);
        rows.kind = JointKind::six_dof;
        rows.axes = locked_axes(locks);
        rows.locks_body = true;
        rows.motion_b = motion;
        rows.step_class = static_cast<std::uint32_t>(step.index);
        rows.inverse_mass_b = in.motions[motion].inverse_mass;
    }
    return count;
}

void ActingJoints::store(Executor& executor, const Input& in, JointStore& joints, GrabRecord& grab) {
    const float per_second = 1.0f / (in.settings.dt() * static_cast<float>(in.short_step.count));
    const std::span<const TimeStepClass> classes = in.substeps.classes();
    parallel_for(executor, rows_.size(), joint_block, [&](std::size_t begin, std::size_t end) {
        for (JointInput& rows : std::span(rows_).subspan(begin, end - begin)) {
            const int own = classes.empty() ? in.settings.substeps : classes[rows.step_class].substeps;
            const float share = static_cast<float>(own) / in.short_step.plain_substeps;
            if (rows.joint == no_index && rows.axes != nullptr) {
                continue; // a lock stores nothing
            }
            if (rows.joint == no_index) {
                grab.impulse = share * rows.impulses.soft_block;
                continue;
            }
            JointRecord& joint = joints[rows.joint];
            joint.impulses = scaled(rows.impulses, share);
            joint.position = rows.position;
            const Vec3 force = per_second * rows.step_force, torque = per_second * rows.step_torque;
            joint.force = in.short_step.first() ? force : joint.force + force;
            joint.torque = in.short_step.first() ? torque : joint.torque + torque;
            const JointDef& def = *joint.def;
            const auto beyond = [](const Vec3& load, const std::optional<float>& most) {
                return most && glm::dot(load, load) > *most * *most;
            };
            if (in.short_step.last() && rows.breakable &&
                (beyond(joint.force, def.break_force) || beyond(joint.torque, def.break_torque))) {
                rows.broken = true;
                any_broken_.store(true, std::memory_order_relaxed);
            }
        }
    });
}

std::span<const std::uint32_t> ActingJoints::take_broken() {
    broken_.clear();
    if (any_broken_.exchange(false)) {
        for (const JointInput& rows : rows_) {
            if (rows.broken) {
                broken_.push_back(rows.joint);
            }
        }
        std::sort(broken_.begin(), broken_.end());
    }
    return broken_;
}

std::size_t ActingJoints::memory_bytes() const {
    std::size_t axes = bytes_of(axes_);
    for (const std::vector<JointAxes>& of_class : axes_) {
        axes += bytes_of(of_class);
    }
    return bytes_of(slots_) + bytes_of(of_class_) + bytes_of(rows_) + bytes_of(broken_) + axes;
}

} // namespace cairn::physics
