#include "physics/world/substeps/piles/island_ground.h"

#include "physics/base/bytes.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

void IslandGround::find(const Input& in) {
    grounds_.assign(in.motions.size(), Ground());
    find_below(in);
    find_carriers(in);
    any_moves_ = false;
    for (std::uint32_t root = 0; root < grounds_.size(); ++root) {
        any_moves_ = any_moves_ || moves(root);
    }
}

// What is fixed or kinematic.
void IslandGround::find_below(const Input& in) {
    changes_.assign(in.changed.empty() ? 0 : in.bodies.size(), 0);
    for (std::uint32_t i = 0; i < in.changed.size(); ++i) {
        const BodyId id = in.changed[i].body;
        if (in.bodies.find(id) != nullptr && changes_[id.index] == 0) { // the first since the last step
            changes_[id.index] = i + 1;
        }
    }
    const auto is_ground = [&](std::uint32_t motion) { return motion == 0 || in.islands.is_driver(motion); };
    for (const TouchingContact& touching : in.islands.touching()) {
        const auto [a, b] = touching.bodies;
        if (is_ground(a) == is_ground(b)) {
            continue;
        }
        const Contact& contact = in.contacts[touching.slot];
        const std::uint32_t slot = is_ground(a) ? contact.body_a : contact.body_b;
        Ground& ground = grounds_[in.islands.root(is_ground(a) ? b : a)];
        if (ground.slot == slot) {
            continue;
        }
        const BodyMotion& below = in.motions[is_ground(a) ? a : b];
        GroundMotion next{below.linear_velocity, below.angular_velocity, Vec3(0.0f)}, motion = next;
        if (!changes_.empty() && changes_[slot] != 0) {
            const ChangedGround& before = in.changed[changes_[slot] - 1];
            motion = {before.velocity, before.spin, Vec3(0.0f)};
        }
        if (motion.turns() || next.turns()) {
            motion.centre = next.centre = in.bodies[slot].pose.position;
        }
        const bool other = ground.slot != no_index && !(motion == ground.motion && next == ground.next);
        ground.several = ground.several || other;
        ground.motion = ground.several ? GroundMotion() : motion;
        ground.next = ground.several ? GroundMotion() : next;
        ground.slot = slot;
    }
}

// The heaviest body of an island, if it moves and outweighs all that it carries, and does not fall.
void IslandGround::find_carriers(const Input& in) {
    const auto moves = [](const BodyMotion& body) {
        constexpr float hardly = 1e-3f; // m/s and rad/s
        return body.inverse_mass > 0.0f && glm::dot(body.linear_velocity, body.linear_velocity) +
                                                   glm::dot(body.angular_velocity, body.angular_velocity) >
                                               hardly * hardly;
    };
    if (std::none_of(in.motions.begin(), in.motions.end(), moves)) {
        return; // mostly
    }
    for (const std::uint32_t slot : in.awake) {
        if (in.bodies.is_dynamic(slot)) {
            Ground& ground = grounds_[in.islands.root(in.partition.motion_of(slot))];
            const float mass = 1.0f / in.bodies.kind(slot).inverse_mass;
            ground.mass += mass;
            if (mass > ground.heaviest) {
                ground.heaviest = mass;
                ground.carrier = slot;
            }
        }
    }
    for (Ground& ground : grounds_) {
        if (ground.carrier == no_index) {
            continue;
        }
        const BodyRecord& body = in.bodies[ground.carrier];
        const Vec3 velocity = body.linear_velocity - ground.motion.velocity_at(body.pose.position);
        const float speed =
            in.bodies.surface_speed(ground.carrier, velocity, body.angular_velocity - ground.motion.spin);
        const float width = in.bodies.kind(ground.carrier).inner_radius;
        const bool held = ground.slot != no_index || !in.joints.of(ground.carrier).empty();
        const bool carries = held && 2.0f * ground.heaviest > ground.mass && ground.mass > ground.heaviest &&
                             speed > moving_share * std::sqrt(glm::length(in.settings.gravity) * width);
        if (!carries) {
            ground.carrier = no_index;
            continue;
        }
        ground.motion = ground.next = {body.linear_velocity, body.angular_velocity, body.pose.position};
        ground.several = false;
    }
}

std::size_t IslandGround::memory_bytes() const {
    return bytes_of(grounds_) + bytes_of(changes_);
}

} // namespace cairn::physics
