#include "physics/world/islands/islands.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/solver/joints/rows/joint_axes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace cairn::physics {

namespace {

constexpr std::size_t touching_block = 2048;

} // namespace

void Islands::build(Executor& executor, const BodyStore& bodies, const Partition& partition,
                    std::span<const std::uint32_t> touching, std::span<const TouchingSides> sides,
                    const JointStore& joints, const ActingSlots& acting) {
    assert(touching.size() == sides.size());
    const std::size_t motions = partition.regions().size() + 1;
    driver_.resize(motions);
    driver_[0] = 0;
    for_bodies(executor, partition.regions(), [&](std::uint32_t motion) {
        const std::uint8_t drives = bodies[partition.slot_of(motion)].type == BodyType::kinematic ? 1 : 0;
        if (driver_[motion] != drives) {
            driver_[motion] = drives;
        }
    });
    touching_.resize(touching.size());
    parallel_for(executor, touching.size(), touching_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            touching_[i] = {touching[i],
                            {partition.motion_of(sides[i].body_a), partition.motion_of(sides[i].body_b)},
                            sides[i].overlaps != 0};
        }
    });
    find_mechanisms(bodies, partition, joints, acting);
    sets_ = joined_;
    for (const Solver::TouchingContact& contact : touching_) {
        const auto [a, b] = contact.bodies;
        if (a != 0 && b != 0 && driver_[a] == 0 && driver_[b] == 0) {
            sets_.unite(a, b);
        }
    }
    roots_.resize(motions);
    for (std::uint32_t motion = 0; motion < motions; ++motion) {
        roots_[motion] = sets_.root(motion);
    }
    const auto alone = 1 + std::count(driver_.begin(), driver_.end(), std::uint8_t{1});
    count_ = static_cast<std::uint32_t>(sets_.sets() - static_cast<std::size_t>(alone));
}

// They last as long as no joint begins or ceases to act.
void Islands::find_mechanisms(const BodyStore& bodies, const Partition& partition, const JointStore& joints,
                              const ActingSlots& acting) {
    const std::size_t motions = driver_.size();
    if (joined_by_ == acting.version && joined_numbers_ == partition.numbering() && joined_.size() == motions) {
        return;
    }
    joined_by_ = acting.version;
    joined_numbers_ = partition.numbering();
    joined_.reset(motions);
    mechanisms_.clear();
    if (acting.empty()) {
        return;
    }
    for (const std::uint32_t slot : acting) {
        const JointEnds& ends = joints.ends(slot);
        if (ends.body_a != no_index && bodies.is_dynamic(ends.body_a) && bodies.is_dynamic(ends.body_b)) {
            joined_.unite(partition.motion_of(ends.body_a), partition.motion_of(ends.body_b));
        }
    }
    mechanisms_.resize(motions);
    for (std::uint32_t motion = 0; motion < motions; ++motion) {
        mechanisms_[motion] = joined_.root(motion);
    }
}

namespace {

// Whether a motor moves what it drives at the speed that it is meant to have, however slow: a clock's hand, a winch.
// One that is stalled uses all its force or leans on a limit. `substep`: s, that impulses are kept for.
bool runs(const JointRecord& joint, float substep) {
    const JointDef& def = *joint.def;
    const JointImpulses& impulses = joint.impulses;
    const auto has_force_left = [&](const JointMotor& motor, float impulse) {
        return motor.speed != 0.0f && std::abs(impulse) < 0.99f * motor.max_force * substep;
    };
    if (def.kind == JointKind::six_dof) {
        const AxisOrder order = order_of(def.axes.data());
        for (int row = order.locked; row < order.all; ++row) {
            const JointAxis& axis = def.axes[static_cast<std::size_t>(order.axis[static_cast<std::size_t>(row)])];
            if (axis.mode == JointAxis::Mode::motor &&
                has_force_left(axis.motor, impulses.rigid[static_cast<std::size_t>(row)])) {
                return true;
            }
        }
        return false;
    }
    const bool leans = impulses.lower != 0.0f || impulses.upper != 0.0f;
    return def.motor && !leans &&
           has_force_left(*def.motor, def.kind == JointKind::ball ? glm::length(impulses.brake) : impulses.motor);
}

bool has_spring(const JointDef& def) {
    return def.spring ||
           std::ranges::any_of(def.axes, [](const JointAxis& axis) { return axis.mode == JointAxis::Mode::spring; });
}

// Whether a spring still moves something, however slowly: a door that its closer brings home. What it bears stands
// still.
bool creeps(const JointRecord& joint, const BodyStore& bodies) {
    constexpr float least = 1e-3f; // m/s or rad/s; what rests on springs trembles by a hundredth of that
    const JointDef& def = *joint.def;
    if (!has_spring(def)) {
        return false;
    }
    const BodyRecord& b = bodies[def.body_b.index];
    const Vec3 anchor = b.pose.position + rotate(b.pose.orientation, def.frame_b.position);
    const auto velocity_there = [&](const BodyRecord& body) {
        return body.linear_velocity + glm::cross(body.angular_velocity, anchor - body.pose.position);
    };
    Vec3 moves = velocity_there(b), turns = b.angular_velocity;
    if (def.body_a) {
        const BodyRecord& a = bodies[def.body_a.index];
        moves -= velocity_there(a);
        turns -= a.angular_velocity;
    }
    return glm::dot(moves, moves) + glm::dot(turns, turns) > least * least;
}

} // namespace

std::span<const std::uint32_t> Islands::to_sleep(const BodyStore& bodies, const AwakeBodies& awake,
                                                 const Partition& partition, const JointStore& joints,
                                                 const ActingSlots& acting, const Settings& settings) {
    rested_.assign(driver_.size(), std::numeric_limits<float>::max());
    for (std::uint32_t motion = 1; motion < driver_.size(); ++motion) {
        if (driver_[motion] == 0) {
            float& rested = rested_[roots_[motion]];
            rested = std::min(rested, time_at_rest(bodies, partition.slot_of(motion)));
        }
    }
    const auto disturb = [this](std::uint32_t by, std::uint32_t motion) {
        if (driver_[by] != 0) {
            rested_[roots_[motion]] = 0.0f;
        }
    };
    const float substep = settings.dt() / static_cast<float>(settings.substeps);
    for (const std::uint32_t slot : acting) {
        const JointEnds& ends = joints.ends(slot);
        const std::uint32_t b = partition.motion_of(ends.body_b);
        const std::uint32_t a = ends.body_a != no_index ? partition.motion_of(ends.body_a) : b;
        disturb(a, b);
        disturb(b, a);
        if (runs(joints[slot], substep) || creeps(joints[slot], bodies)) {
            rested_[roots_[a]] = rested_[roots_[b]] = 0.0f;
        }
    }
    for (const Solver::TouchingContact& contact : touching_) {
        disturb(contact.bodies.a, contact.bodies.b);
        disturb(contact.bodies.b, contact.bodies.a);
    }
    sleepers_.clear();
    for (const std::uint32_t slot : awake) {
        const std::uint32_t motion = partition.motion_of(slot);
        if (driver_[motion] == 0 && rested_[roots_[motion]] >= settings.sleep_time) {
            sleepers_.push_back(slot);
        }
    }
    return sleepers_;
}

std::size_t Islands::memory_bytes() const {
    return bytes_of(touching_) + bytes_of(driver_) + bytes_of(roots_) + bytes_of(mechanisms_) + bytes_of(rested_) +
           bytes_of(sleepers_) + sets_.memory_bytes() + joined_.memory_bytes();
}

} // namespace cairn::physics
