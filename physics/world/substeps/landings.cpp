#include "physics/world/substeps/landings.h"

#include "physics/base/bytes.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

// Root mean square of the velocities of an island below which it rests, m/s.
constexpr float at_rest = 0.05f;
// What an island that lands has of velocity along the normal of the ground, m/s, and as a share of that mean: below it
// single bodies move and not the island, as in a heap onto which others fall.
constexpr float least_speed = 0.1f, least_speed_share = 0.7f;
// What the ground and gravity change of its velocity in a step: m/s, as a share of the same mean, and of what gravity
// alone would.
constexpr float least_change = 0.05f, least_change_share = 0.25f, least_gravity_share = 0.3f;

// Contacts times substeps times relaxing passes in a step, of an island that lands.
constexpr std::uint32_t landing_work = 20000;

} // namespace

bool Landings::find(const Input& in) {
    islands_.clear();
    const auto moves = [](const BodyMotion& body) {
        return glm::dot(body.linear_velocity, body.linear_velocity) > at_rest * at_rest;
    };
    if (std::none_of(in.motions.begin(), in.motions.end(), moves)) {
        return false;
    }
    islands_.assign(in.motions.size(), Island{});
    add_bodies(in);
    add_contacts(in);
    const float least = std::max(least_change, least_gravity_share * in.step * glm::length(in.gravity));
    bool any = false;
    for (Island& island : islands_) {
        const bool thrown =
            glm::length(island.change) > std::max(least, least_change_share * island.speed) * island.mass;
        if (island.grounded && island.several && (island.meets_ground || thrown)) {
            const std::uint32_t passes = landing_work / (island.contacts * static_cast<std::uint32_t>(in.substeps));
            island.relaxations = static_cast<int>(std::clamp(passes, 1u, std::uint32_t{most_relaxations}));
            any = any || island.relaxations > 1;
        }
    }
    return any;
}

std::uint32_t Landings::root_of(const Input& in, const TouchingContact& contact) {
    return in.islands.root(is_ground(in, contact.bodies.a) ? contact.bodies.b : contact.bodies.a);
}

void Landings::add_bodies(const Input& in) {
    const Vec3 fall = in.step * in.gravity;
    for (const std::uint32_t slot : in.awake) { // in an order that does not depend on the regions
        const std::uint32_t i = in.partition.motion_of(slot);
        const BodyMotion& body = in.motions[i];
        if (body.inverse_mass > 0.0f) {
            Island& island = islands_[in.islands.root(i)];
            const float mass = 1.0f / (body.inverse_mass * in.dynamics[i].load_scale);
            island.mass += mass;
            island.momentum += mass * body.linear_velocity;
            island.speed += mass * glm::dot(body.linear_velocity, body.linear_velocity);
            island.change += (in.dynamics[i].gravity_scale / body.inverse_mass) * fall;
        }
    }
    for (Island& island : islands_) {
        island.speed = island.mass > 0.0f ? std::sqrt(island.speed / island.mass) : 0.0f;
    }
}

void Landings::add_contacts(const Input& in) {
    for (const TouchingContact& contact : in.islands.touching()) {
        const auto [a, b] = contact.bodies;
        const bool on_a = is_ground(in, a), on_b = is_ground(in, b);
        Island& island = islands_[root_of(in, contact)];
        ++island.contacts;
        if (on_a == on_b) {
            island.several = island.several || !on_a;
            continue;
        }
        const Contact& record = in.contacts[contact.slot];
        const BodyMotion& below = in.motions[on_a ? a : b];
        Vec3 ground = below.linear_velocity;
        if (below.angular_velocity != Vec3(0.0f)) {
            const ContactPoint& point = in.contacts.points(record)[0];
            ground += glm::cross(below.angular_velocity, on_a ? record.anchor_a(point) : record.anchor_b(point));
        }
        if (island.speed <= at_rest && ground == Vec3(0.0f)) {
            continue;
        }
        float impulse = 0.0f; // N s, on B
        for (const ContactPoint& point : in.contacts.points(record)) {
            impulse += point.normal_impulse;
        }
        island.change += (in.step / in.kept_for * (on_a ? impulse : -impulse)) * record.normal;
        const Vec3 against = island.momentum - island.mass * ground;
        const float least = std::max(least_speed, least_speed_share * island.speed) * island.mass;
        island.meets_ground = island.meets_ground || std::abs(glm::dot(against, record.normal)) > least;
        island.grounded = true;
    }
}

std::size_t Landings::memory_bytes() const {
    return bytes_of(islands_);
}

} // namespace cairn::physics
