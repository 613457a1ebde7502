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
    using Table = std::array<std::array<JointAxis, joint_axes>, limits::axis_locks + 1>;
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
    rows.axes = def.axes.empty() ? nullptr : def.axes.data();
    rows.ground_a = def.ground_a - a.position;
    rows.ground_b = def.ground_b - b.position;
    rows.position = rows.start_position = joint.position;
    rows.has_limits = def.limits || (def.kind == JointKind::pulley && !def.spring);
    rows.limits = def.limits.value_or(JointLimits{0.0f, def.length});
    rows.has_cone = def.cone.has_value();
    rows.cone = def.cone.value_or(0.0f);
    rows.has_motor = def.motor.has_value();
    rows.has_spring = def.spring.has_value();
}

bool is_pushed(const BodyStore& bodies, std::uint32_t body) { // awake, and moved by what it touches
    return body != no_index && bodies[body].awake && bodies.is_dynamic(body);
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
        if (!bodies.is_dynamic(body)) {
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
    for (std::size_t i = 0; i < std::max<std::size_t>(classes.size(), 1); ++i) {
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
            rows.spring = make_spring(def.spring->hertz, def.spring->damping_ratio, step.h);
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
    rows.spring = make_spring(grab.hertz, grab.damping_ratio, step.h);
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
    }
    return broken_;
}

std::size_t ActingJoints::memory_bytes() const {
    return bytes_of(slots_) + bytes_of(of_class_) + bytes_of(rows_) + bytes_of(broken_);
}

} // namespace cairn::physics
