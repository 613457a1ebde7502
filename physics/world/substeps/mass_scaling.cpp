#include "physics/world/substeps/mass_scaling.h"

#include "physics/base/bytes.h"
#include "physics/solver/motion/integrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::physics {

namespace {

// Up to this ratio of masses contacts are solved well as they are.
constexpr float even_ratio = 8.0f;
// Cosine between the direction of a load and the normals of the contacts that take it on: what a ball pushes ahead on a
// floor is wedged between them by friction.
constexpr float wedge_slope = 0.35f;
// What comes back faster from what holds it, m/s, would push with momentum that it does not have.
constexpr float fastest_rebound = 1.0f;
// In smooth motion velocities change by no more than this many times what gravity gives in a step; blows do more.
constexpr float smooth_change = 2.0f;

// The least separation of the contact's points after `time` s if its bodies go on as they do, m.
float separation_in(float time, const ContactPool& contacts, const Contact& contact, const BodyMotion& a,
                    const BodyMotion& b) {
    float least = std::numeric_limits<float>::max();
    for (const ContactPoint& point : contacts.points(contact)) {
        const Vec3 velocity = b.linear_velocity + glm::cross(b.angular_velocity, contact.anchor_b(point)) -
                              a.linear_velocity - glm::cross(a.angular_velocity, contact.anchor_a(point));
        least = std::min(least, point.separation + time * glm::dot(velocity, contact.normal));
    }
    return least;
}

// Which axis is nearest, and its sign: 0 to 5.
std::size_t main_direction(const Vec3& v) {
    const Vec3 size = glm::abs(v);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    return static_cast<std::size_t>(2 * axis + (v[axis] < 0.0f ? 1 : 0));
}

// N, on the body in the last step.
Vec3 pull_on(std::uint32_t slot, const JointStore& joints) {
    Vec3 sum(0.0f);
    for (const std::uint32_t joint : joints.of(slot)) {
        sum += joints.ends(joint).body_b == slot ? joints[joint].force : -joints[joint].force;
    }
    return sum;
}

} // namespace

void MassScaling::begin(const Input& in, std::span<BodyMotion> motions, std::span<BodyDynamics> dynamics) {
    scaled_.clear();
    float least = std::numeric_limits<float>::max(), most = 0.0f; // 1/kg
    for (const BodyMotion& motion : motions) {
        if (motion.inverse_mass > 0.0f) {
            least = std::min(least, motion.inverse_mass);
            most = std::max(most, motion.inverse_mass);
        }
    }
    if (most <= even_ratio * least) {
        return;
    }
    find_grounded(in, motions);
    find_pressed(in, motions);
    if (waiting_.empty()) {
        return;
    }
    follow_loads(in, motions);
    for (const Bearer& bearer : bearers_) {
        BodyMotion& motion = motions[bearer.motion];
        const float scale = bearer.load * motion.inverse_mass / even_ratio;
        const float rebound = glm::dot(bearer.holder - motion.linear_velocity, bearer.along);
        if (!bearer.held || scale <= 1.0f || rebound > fastest_rebound) {
            continue;
        }
        scaled_.push_back({bearer.motion, bearer.source, (scale - 1.0f) / motion.inverse_mass, motion.linear_velocity});
        scale_inertia(motion, dynamics[bearer.motion], scale);
    }
}

void MassScaling::end(const Settings& settings, std::span<BodyMotion> motions,
                      std::span<const BodyDynamics> dynamics) const {
    const float most = smooth_change * glm::length(settings.gravity) * settings.dt();
    for (const Scaled& one : scaled_) {
        const Vec3 change = motions[one.motion].linear_velocity - one.velocity;
        if (!(glm::length(change) <= most)) { // a blow, or not finite: that must not reach the source
            continue;
        }
        BodyMotion& source = motions[one.source];
        source.linear_velocity += (one.added * source.inverse_mass) * change;
        hold_locks(source, dynamics[one.source].locks);
    }
}

void MassScaling::find_grounded(const Input& in, std::span<const BodyMotion> motions) {
    grounded_.assign(motions.size(), 0);
    const Islands& islands = in.islands;
    for (const std::uint32_t joint : in.acting) {
        const JointEnds& ends = in.joints.ends(joint);
        const auto fixed = [&](std::uint32_t body) { return body == no_index || !in.bodies.is_dynamic(body); };
        if (fixed(ends.body_a) || fixed(ends.body_b)) {
            grounded_[islands.root(in.partition.motion_of(fixed(ends.body_a) ? ends.body_b : ends.body_a))] = 1;
        }
    }
    for (const TouchingContact& touching : islands.touching()) {
        const auto [a, b] = touching.bodies;
        if (motions[a].inverse_mass == 0.0f || motions[b].inverse_mass == 0.0f) {
            grounded_[islands.root(a)] = grounded_[islands.root(b)] = 1;
        }
    }
}

// Light bodies that heavy ones touch, or will before the step is over. All on one side of a body share its load.
void MassScaling::find_pressed(const Input& in, std::span<const BodyMotion> motions) {
    waiting_.clear();
    pressing_.assign(motions.size(), {});
    for (const TouchingContact& touching : in.islands.touching()) {
        const BodyMotion &a = motions[touching.bodies.a], &b = motions[touching.bodies.b];
        const bool a_heavy = b.inverse_mass > even_ratio * a.inverse_mass && a.inverse_mass > 0.0f;
        const bool b_heavy = a.inverse_mass > even_ratio * b.inverse_mass && b.inverse_mass > 0.0f;
        if ((!a_heavy && !b_heavy) || grounded_[in.islands.root(touching.bodies.a)] == 0) {
            continue;
        }
        const Contact& contact = in.contacts[touching.slot];
        if (std::min(separation_in(0.0f, in.contacts, contact, a, b),
                     separation_in(in.settings.dt(), in.contacts, contact, a, b)) < in.settings.linear_slop) {
            Bearer bearer;
            bearer.source = a_heavy ? touching.bodies.a : touching.bodies.b;
            bearer.motion = a_heavy ? touching.bodies.b : touching.bodies.a;
            bearer.along = a_heavy ? contact.normal : -contact.normal;
            bearer.key = in.contacts.pair(contact.pair).key;
            ++pressing_[bearer.source][main_direction(bearer.along)];
            waiting_.push_back(bearer);
        }
    }
    for (Bearer& bearer : waiting_) {
        const float shares = pressing_[bearer.source][main_direction(bearer.along)];
        bearer.load = 1.0f / (motions[bearer.source].inverse_mass * shares);
    }
}

// Loads pass from body to body, the greatest first, until what takes them on is heavy enough or does not move; on the
// way back each body gets to know whether it is held.
void MassScaling::follow_loads(const Input& in, std::span<const BodyMotion> motions) {
    bearers_.clear();
    links_.clear();
    bearer_of_.assign(motions.size(), 0);
    const auto smaller = [](const Bearer& x, const Bearer& y) {
        return x.load != y.load ? x.load < y.load : x.key > y.key;
    };
    std::make_heap(waiting_.begin(), waiting_.end(), smaller);
    while (!waiting_.empty()) {
        std::pop_heap(waiting_.begin(), waiting_.end(), smaller);
        Bearer bearer = waiting_.back();
        waiting_.pop_back();
        if (bearer_of_[bearer.motion] != 0) {
            continue;
        }
        find_supports(in, motions, bearer);
        for (const Bearer& support : supports_) {
            waiting_.push_back(support);
            std::push_heap(waiting_.begin(), waiting_.end(), smaller);
        }
        bearers_.push_back(bearer);
        bearer_of_[bearer.motion] = static_cast<std::uint32_t>(bearers_.size());
    }
    std::size_t end = links_.size();
    for (auto bearer = bearers_.rbegin(); bearer != bearers_.rend(); ++bearer) {
        for (std::size_t l = bearer->first_link; l < end; ++l) {
            const Bearer& support = bearers_[bearer_of_[links_[l]] - 1];
            if (!bearer->held && support.held) {
                bearer->held = true;
                bearer->holder = support.holder;
            }
        }
        end = bearer->first_link;
    }
}

// What the bearer rests on: what touches it on the far side of its load. All of them share it.
void MassScaling::find_supports(const Input& in, std::span<const BodyMotion> motions, Bearer& bearer) {
    supports_.clear();
    bearer.first_link = static_cast<std::uint32_t>(links_.size());
    const std::uint32_t slot = in.partition.slot_of(bearer.motion);
    if (in.grab.active && in.grab.grab.body.index == slot) {
        return;
    }
    if (!in.joints.of(slot).empty()) {
        // They are not seen to bear more than they pull: a limb that hangs on the rest of a figure is no bridge.
        const float pull = -glm::dot(pull_on(slot, in.joints), bearer.along), g = glm::length(in.settings.gravity);
        const bool own = in.islands.mechanism(bearer.motion) == in.islands.mechanism(bearer.source); // pulls at both
        if (pull > 0.0f && g > 0.0f && !own) {
            bearer.held = true;
            bearer.holder = motions[bearer.motion].linear_velocity;
            bearer.load = std::min(bearer.load, pull / g);
        }
        return;
    }
    float shares = 0.0f;
    for (const std::uint32_t index : in.contacts.of_body(slot)) {
        const ShapePair& pair = in.contacts.pair(index);
        if (!pair.touching()) {
            continue;
        }
        const Contact& contact = in.contacts[pair.contact];
        const bool is_a = contact.body_a == slot;
        const Vec3 away = is_a ? contact.normal : -contact.normal;
        if (glm::dot(away, bearer.along) < wedge_slope) {
            continue;
        }
        const std::uint32_t other = in.partition.motion_of(is_a ? contact.body_b : contact.body_a);
        const BodyMotion &a = motions[is_a ? bearer.motion : other], &b = motions[is_a ? other : bearer.motion];
        if (separation_in(0.0f, in.contacts, contact, a, b) > in.settings.linear_slop) {
            continue;
        }
        shares += 1.0f;
        const BodyMotion& support = motions[other];
        if (support.inverse_mass * bearer.load <= even_ratio) {
            bearer.held = true;
            const ContactPoint& point = in.contacts.points(contact)[0];
            bearer.holder =
                support.linear_velocity +
                glm::cross(support.angular_velocity, is_a ? contact.anchor_b(point) : contact.anchor_a(point));
            continue;
        }
        Bearer next = bearer;
        next.motion = other;
        next.key = pair.key;
        next.along = away;
        next.held = false;
        supports_.push_back(next);
        links_.push_back(other);
    }
    for (Bearer& support : supports_) {
        support.load /= shares;
    }
}

std::size_t MassScaling::memory_bytes() const {
    return bytes_of(grounded_) + bytes_of(waiting_) + bytes_of(bearers_) + bytes_of(supports_) + bytes_of(links_) +
           bytes_of(bearer_of_) + bytes_of(pressing_) + bytes_of(scaled_);
}

} // namespace cairn::physics
