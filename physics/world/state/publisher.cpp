#include "physics/world/state/publisher.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"

#include <algorithm>
#include <atomic>

namespace cairn::physics {

BodyState state_of(const BodyStore& bodies, std::uint32_t slot) {
    const BodyRecord& body = bodies[slot];
    return {bodies.id(slot), body.pose,     body.linear_velocity, body.angular_velocity,
            body.type,       body.sleeping, body.touching};
}

namespace {

void publish_contact(const Contact& contact, const WorldData& data, std::vector<ContactState>& out, float& deepest) {
    if (contact.meets_at > 0.0f) { // an impact, and reported as one
        return;
    }
    const BodyRecord& a = data.bodies[contact.body_a];
    const BodyRecord& b = data.bodies[contact.body_b];
    const std::span<const ContactPoint> points = data.contacts.points(contact);
    const std::span<const StepImpulse> impulses = data.contacts.step_impulses(contact);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const ContactPoint& point = points[i];
        ContactState state;
        state.body_a = {contact.body_a, a.generation};
        state.body_b = {contact.body_b, b.generation};
        state.point = contact.world(point);
        state.normal = contact.normal;
        state.separation = point.separation;
        state.normal_impulse = impulses[i].normal;
        state.friction_impulse = impulses[i].friction;
        state.feature = point.feature;
        state.age = contact.ages[i];
        state.opens = i == 0;
        out.push_back(state);
        deepest = std::max(deepest, -point.separation);
    }
}

double kinetic_energy(const BodyRecord& body, const BodyKind& kind) {
    const Vec3 local = inverse_rotate(body.pose.orientation, body.angular_velocity);
    const double linear = glm::dot(glm::dvec3(body.linear_velocity), glm::dvec3(body.linear_velocity));
    const double angular = glm::dot(glm::dvec3(local), glm::dvec3(kind.inertia_local * local));
    return 0.5 * (linear / static_cast<double>(kind.inverse_mass) + angular);
}

void add_energy(const BodyRecord& body, const BodyKind& kind, const Vec3& gravity, double& kinetic, double& potential) {
    if (body.type == BodyType::dynamic) {
        kinetic += kinetic_energy(body, kind);
        potential -= static_cast<double>(kind.mass) * static_cast<double>(kind.def.gravity_scale) *
                     glm::dot(glm::dvec3(gravity), glm::dvec3(body.pose.position));
    }
}

void publish_all_bodies(const WorldData& data, FrameState& frame) {
    frame.bodies.clear();
    frame.models.clear();
    frame.revision = data.revision;
    for (std::uint32_t slot = 0; slot < data.bodies.size(); ++slot) {
        const BodyRecord& body = data.bodies[slot];
        if (!body.alive) {
            continue;
        }
        frame.bodies.push_back(state_of(data.bodies, slot));
        frame.models.push_back(data.bodies.cold[slot].model);
        add_energy(body, data.bodies.kind(slot), data.settings.gravity, frame.stats.kinetic_energy,
                   body.awake ? frame.stats.potential_energy : frame.resting.potential_energy);
    }
}

void publish_awake_bodies(const WorldData& data, FrameState& frame) {
    auto at = frame.bodies.begin();
    for (const std::uint32_t slot : data.awake) {
        const BodyRecord& body = data.bodies[slot];
        if (at->id.index != slot) { // mostly it is the next one
            at = std::lower_bound(at, frame.bodies.end(), slot,
                                  [](const BodyState& state, std::uint32_t wanted) { return state.id.index < wanted; });
        }
        *at++ = state_of(data.bodies, slot);
        add_energy(body, data.bodies.kind(slot), data.settings.gravity, frame.stats.kinetic_energy,
                   frame.stats.potential_energy);
    }
}

void publish_tree(const Broadphase& broadphase, std::vector<TreeBoxState>& out) {
    broadphase.for_each_box([&](const Aabb& box, std::uint16_t depth, bool leaf, bool moving) {
        out.push_back({box, depth, leaf, moving});
    });
}

void publish_joint(const WorldData& data, std::uint32_t slot, JointState& state) {
    const JointRecord& joint = data.joints[slot];
    const JointDef& def = *joint.def;
    const Transform a = compose(data.bodies.pose_of(def.body_a), def.frame_a);
    const Transform b = compose(data.bodies.pose_of(def.body_b), def.frame_b);
    state.id = {slot, joint.generation};
    if (state.def != joint.def) { // to share a pointer costs more than all else here
        state.def = joint.def;
    }
    state.anchor_a = a.position;
    state.anchor_b = b.position;
    state.axis = rotate(a.orientation, Vec3(0, 0, 1));
    state.position = joint_position(def.kind, a, b, joint.position);
    if (def.kind == JointKind::distance) {
        state.axis = normalized_or(b.position - a.position, state.axis);
    }
    state.force = joint.force;
    state.torque = joint.torque;
}

void publish_joints(Executor& executor, const WorldData& data, FrameState& frame) {
    constexpr std::size_t block = 512;
    std::vector<std::uint32_t> live; // slots, if some are free
    for (std::uint32_t slot = 0; slot < data.joints.size() && !data.joints.free_slots().empty(); ++slot) {
        if (data.joints[slot].alive) {
            live.push_back(slot);
        }
    }
    frame.joints.resize(data.joints.count());
    parallel_for(executor, frame.joints.size(), block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            publish_joint(data, live.empty() ? static_cast<std::uint32_t>(i) : live[i], frame.joints[i]);
        }
    });
}

} // namespace

std::uint64_t Publisher::next_source() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

void Publisher::watch(const FrameDetails& details) {
    watched_ = details;
    if (!details.sweeps) {
        sweeps_.clear();
    }
    if (!details.colours) {
        colour_of_contact_.clear();
    }
}

std::span<std::uint8_t> Publisher::colours(std::size_t contacts) {
    colour_of_contact_.clear();
    if (watched_.colours) {
        colour_of_contact_.resize(contacts, FrameState::no_colour);
    }
    return colour_of_contact_;
}

void Publisher::note_sweeps(const BodyStore& bodies, const FastBodies& fast_bodies, const BodyMotions& motions) {
    if (!watched_.sweeps) {
        return;
    }
    const bool first = sweeps_.empty();
    fast_bodies.list_sweeps(bodies, motions, sweeps_);
    if (!first) { // a sweep of several short steps begins with the first of them
        std::stable_sort(sweeps_.begin(), sweeps_.end(),
                         [](const SweepState& a, const SweepState& b) { return a.body.index < b.body.index; });
        const auto same = [](const SweepState& a, const SweepState& b) { return a.body == b.body; };
        sweeps_.erase(std::unique(sweeps_.begin(), sweeps_.end(), same), sweeps_.end());
    }
}

void Publisher::forget() {
    source_ = next_source();
    sweeps_.clear();
    colour_of_contact_.clear();
}

void Publisher::publish(Executor& executor, const WorldData& data, std::uint64_t hash, FrameState& frame) const {
    frame.step = data.step;
    frame.time = data.time;
    frame.hash = hash;
    frame.settings = data.settings;
    frame.stats = data.report.stats;
    frame.stopped = data.report.stopped;
    frame.impacts = data.report.impacts;
    frame.breaks = data.report.breaks;

    // Commands leave the lists of the awake to the next step; until then everything is written.
    FrameState::Resting& resting = frame.resting;
    const bool listed = data.awake.listed();
    const bool known = listed && resting.source == source_ && resting.revision == data.bodies.resting_revision &&
                       frame.revision == data.revision && frame.bodies.size() == data.bodies.count();
    if (known) {
        publish_awake_bodies(data, frame);
    } else {
        resting = {};
        publish_all_bodies(data, frame);
    }
    publish_contacts(data, listed, known, frame);
    frame.stats.potential_energy += resting.potential_energy;
    frame.tree.clear();
    if (watched_.tree) {
        publish_tree(data.broadphase, frame.tree);
    }
    frame.sweeps.clear();
    if (watched_.sweeps) {
        frame.sweeps = sweeps_;
    }
    frame.stats.bodies = static_cast<std::uint32_t>(frame.bodies.size());
    frame.stats.contact_points = static_cast<std::uint32_t>(frame.contacts.size());
    publish_joints(executor, data, frame);
    frame.grab = {};
    if (data.grab.active) {
        const Grab& grab = data.grab.grab;
        frame.grab = {true, grab.body, to_world(data.bodies[grab.body.index].pose, grab.local_point), grab.target};
    }
}

void Publisher::publish_contacts(const WorldData& data, bool listed, bool known, FrameState& frame) const {
    FrameState::Resting& resting = frame.resting;
    if (known) {
        frame.contacts.resize(resting.contacts);
    } else {
        frame.contacts.clear();
        data.contacts.for_each([&](const Contact& contact) {
            if (!(listed && data.contacts.active(contact))) {
                ++resting.touching;
                publish_contact(contact, data, frame.contacts, resting.max_penetration);
            }
        });
        if (listed) {
            resting.source = source_;
            resting.revision = data.bodies.resting_revision;
            resting.contacts = frame.contacts.size();
        }
    }
    frame.stats.max_penetration = resting.max_penetration;
    frame.stats.contacts = resting.touching;
    frame.contact_colours.clear();
    if (listed) {
        publish_awake_contacts(data, frame);
    }
    if (watched_.colours) {
        frame.contact_colours.resize(frame.contacts.size(), FrameState::no_colour);
    }
}

void Publisher::publish_awake_contacts(const WorldData& data, FrameState& frame) const {
    for (const std::uint32_t index : data.contacts.touching()) {
        const Contact& contact = data.contacts[index];
        if (!data.contacts.active(contact)) {
            continue;
        }
        if (watched_.colours) { // up to here, and what rests, has none
            const bool known = index < colour_of_contact_.size();
            frame.contact_colours.resize(frame.contacts.size(), FrameState::no_colour);
            frame.contact_colours.resize(frame.contacts.size() + contact.count,
                                         known ? colour_of_contact_[index] : FrameState::no_colour);
        }
        ++frame.stats.contacts;
        publish_contact(contact, data, frame.contacts, frame.stats.max_penetration);
    }
}

std::size_t Publisher::memory_bytes() const {
    return bytes_of(sweeps_) + bytes_of(colour_of_contact_);
}

} // namespace cairn::physics
