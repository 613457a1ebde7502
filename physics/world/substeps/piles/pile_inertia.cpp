#include "physics/world/substeps/piles/pile_inertia.h"

#include "physics/base/bytes.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

// Speeds as shares of sqrt(g a), a being the half width of an island's smallest body: 2.2 m/s for a cube of 1 m.
// Of any point of its bodies: below the first, inertia may be given; above the second, it is taken away.
constexpr float still = 0.0225f, moving = moving_share;
// The same of the horizontal velocity of its centre of mass: a pile that begins to slide or to topple.
constexpr float centred = 0.00225f, drifting = 0.0045f;
// And how much less of that, in any direction, on a dynamic body: it falls behind one that speeds up.
constexpr float steady = 0.1f;
// Of gravity: how much a ground may accelerate. Friction may not give more to what is on it.
constexpr float most_carried = 0.5f;

} // namespace

void PileInertia::update(const Input& in, const std::vector<ColumnContact>& columns, const ColumnLoads* fresh,
                         std::vector<LoadedBody>& loaded) {
    islands_.clear();
    std::erase_if(loaded, [&](const LoadedBody& one) {
        const BodyRecord& body = in.bodies[one.slot];
        return !body.alive || body.generation != one.generation || body.type != BodyType::dynamic;
    });
    const float gravity = glm::length(in.settings.gravity);
    if (gravity == 0.0f) {
        loaded.clear();
    }
    const bool any_columns = !columns.empty() || in.ground.any_moves();
    if (loaded.empty() && (fresh == nullptr || !any_columns || gravity == 0.0f)) {
        return; // mostly
    }
    islands_.assign(in.awake.size() + 1, Island{});
    const auto is_fresh = [&](std::uint32_t root) { return fresh != nullptr && fresh->covers(root); };
    const auto island_of = [&](std::uint32_t slot) -> Island& {
        return islands_[in.islands.root(in.partition.motion_of(slot))];
    };
    if (fresh != nullptr) {
        for (const ColumnContact& column : columns) {
            if (const Contact* contact = column.holding(in.contacts)) {
                const std::uint32_t root = root_of(*contact, in.bodies, in.partition, in.islands);
                islands_[root].tall = is_fresh(root);
            }
        }
    }
    if (fresh != nullptr && in.ground.any_moves()) {
        // Ground that moves may turn or speed up, and low piles lean as readily as high ones then.
        for (std::uint32_t root = 0; root < islands_.size(); ++root) {
            islands_[root].tall = islands_[root].tall || (in.ground.moves(root) && is_fresh(root));
        }
    }
    const auto is_awake = [&](const LoadedBody& one) { return in.bodies[one.slot].awake; };
    for (const LoadedBody& one : loaded) {
        if (is_awake(one)) {
            island_of(one.slot).loaded = true;
        }
    }
    look_at_bodies(in);
    for (Island& island : islands_) {
        if (island.asks()) {
            island.disturbed = island.disturbed || !is_calm(island, in.settings.gravity);
        }
    }
    look_at_contacts(in, in.settings.gravity / gravity);
    for (std::uint32_t root = 0; root < islands_.size(); ++root) {
        const std::uint32_t carrier = in.ground.carrier(root);
        if (islands_[root].asks() && carrier != no_index && supported_[in.partition.motion_of(carrier)] == 0 &&
            in.joints.of(carrier).empty()) {
            islands_[root].disturbed = true; // it falls
        }
    }
    for (const LoadedBody& one : loaded) {
        if (is_awake(one) && supported_[in.partition.motion_of(one.slot)] == 0 && !island_of(one.slot).disturbed) {
            island_of(one.slot).disturbed = island_of(one.slot).falls = true;
        }
    }
    std::erase_if(loaded, [&](const LoadedBody& one) {
        return is_awake(one) &&
               (is_fresh(in.islands.root(in.partition.motion_of(one.slot))) || !island_of(one.slot).stands());
    });
    if (fresh == nullptr) {
        return;
    }
    for (std::uint32_t root = 0; root < islands_.size(); ++root) {
        islands_[root].loaded = islands_[root].loaded && !is_fresh(root);
    }
    for (const std::uint32_t slot : in.awake) {
        const std::uint32_t motion = in.partition.motion_of(slot);
        Island& island = islands_[in.islands.root(motion)];
        if (island.tall && !island.disturbed && supported_[motion] != 0) {
            const float load = fresh->carried(slot) / gravity;
            if (load * in.bodies.kind(slot).inverse_mass > 1.0f) {
                loaded.push_back({slot, in.bodies[slot].generation, load});
                island.loaded = true;
            }
        }
    }
    std::sort(loaded.begin(), loaded.end(), [](const LoadedBody& a, const LoadedBody& b) { return a.slot < b.slot; });
}

bool PileInertia::is_calm(const Island& island, const Vec3& gravity) {
    const float g = glm::length(gravity), unit = std::sqrt(g * island.smallest); // m/s
    const Vec3 down = gravity / g, velocity = island.momentum / island.mass;
    const float drift = glm::length(island.carried ? velocity : velocity - glm::dot(velocity, down) * down);
    return island.fastest < unit * (island.loaded ? moving : still) &&
           drift < unit * (island.loaded ? drifting : centred) * (island.carried ? steady : 1.0f);
}

void PileInertia::look_at_bodies(const Input& in) {
    const float plain_substep = in.settings.dt() / static_cast<float>(in.settings.substeps);
    for (const std::uint32_t slot : in.awake) {
        const std::uint32_t motion = in.partition.motion_of(slot);
        Island& island = islands_[in.islands.root(motion)];
        if (!island.asks()) {
            continue;
        }
        const BodyKind& kind = in.bodies.kind(slot);
        const BodyDynamics& dynamics = in.dynamics[motion];
        const float mass = 1.0f / kind.inverse_mass;
        const BodyRecord& body = in.bodies[slot];
        const GroundMotion& ground = in.ground.motion(in.islands.root(motion));
        const Vec3 velocity = ground.relative(body.pose.position, body.linear_velocity, plain_substep);
        island.fastest =
            std::max(island.fastest, in.bodies.surface_speed(slot, velocity, body.angular_velocity - ground.spin));
        island.smallest = std::min(island.smallest, kind.inner_radius);
        island.mass += mass;
        island.momentum += mass * velocity;
        const GroundMotion& next = in.ground.next(in.islands.root(motion));
        island.carried = in.ground.carrier(in.islands.root(motion)) != no_index;
        if (next.turns() || !(next == ground)) {
            const Vec3& place = body.pose.position;
            const Vec3 change = next.velocity_at(place) - ground.velocity_at(place) +
                                in.settings.dt() * next.acceleration_at(place, in.settings.dt());
            island.disturbed = island.disturbed ||
                               glm::length(change) > most_carried * in.settings.dt() * glm::length(in.settings.gravity);
        }
        island.disturbed = island.disturbed || !in.ground.is_one(in.islands.root(motion)) || dynamics.push != nullptr ||
                           dynamics.parting || dynamics.locks != 0 || kind.def.gravity_scale < 0.0f ||
                           (!in.joints.of(slot).empty() && slot != in.ground.carrier(in.islands.root(motion))) ||
                           (in.grab.active && in.grab.grab.body.index == slot);
    }
}

// Which bodies something holds up.
void PileInertia::look_at_contacts(const Input& in, const Vec3& down) {
    supported_.assign(in.awake.size() + 1, 0);
    for (const Solver::TouchingContact& touching : in.islands.touching()) {
        const auto [a, b] = touching.bodies;
        Island& island = islands_[in.islands.root(a != 0 && !in.islands.is_driver(a) ? a : b)];
        if (!island.asks() || island.disturbed) {
            continue;
        }
        const Contact& contact = in.contacts[touching.slot];
        const float slope = glm::dot(contact.normal, down);
        if (std::abs(slope) < standing_slope) {
            continue;
        }
        const std::uint32_t above = slope > 0.0f ? a : b, below = slope > 0.0f ? b : a;
        const std::uint32_t carrier = in.ground.carrier(in.islands.root(above));
        if (carrier != no_index && above == in.partition.motion_of(carrier) && below != 0 &&
            !in.islands.is_driver(below)) {
            island.disturbed = true; // it is what is carried
            continue;
        }
        std::uint8_t& supported = supported_[above];
        for (const ContactPoint& point : in.contacts.points(contact)) {
            supported |= point.separation < in.settings.linear_slop ? 1 : 0;
        }
    }
}

void PileInertia::apply(const Places& in, const IslandGround& ground, std::span<const LoadedBody> loaded,
                        std::span<BodyMotion> motions, std::span<BodyDynamics> dynamics) {
    pushes_.clear();
    pushes_.reserve(loaded.size()); // they stay where they are
    for (const LoadedBody& one : loaded) {
        if (!in.bodies[one.slot].awake) {
            continue;
        }
        const std::uint32_t i = in.partition.motion_of(one.slot), root = in.islands.root(i);
        const float scale = one.load * motions[i].inverse_mass;
        if (!(scale > 1.0f)) {
            continue;
        }
        scale_inertia(motions[i], dynamics[i], scale);
        const float added = 1.0f - 1.0f / scale;
        const Vec3& place = in.bodies[one.slot].pose.position;
        const GroundMotion &before = ground.motion(root), &next = ground.next(root);
        if (!(next == before)) {
            motions[i].linear_velocity += added * (next.velocity_at(place) - before.velocity_at(place));
            motions[i].angular_velocity += added * (next.spin - before.spin);
        }
        if (next.turns()) {
            pushes_.push_back(ride(next, place, added, in.step, dynamics[i]));
            dynamics[i].push = &pushes_.back();
        }
    }
}

// What takes a body along a ground that turns, in place of the forces that its added inertia, `added` of all that it
// has, would ask of its neighbours for that.
BodyPush PileInertia::ride(const GroundMotion& ground, const Vec3& place, float added, float step,
                           const BodyDynamics& body) {
    const Vec3 momentum = rotated(body.inertia_local, body.start_orientation) * ground.spin;
    return {added * ground.acceleration_at(place, step),
            added * (body.inverse_inertia * glm::cross(ground.spin, momentum))};
}

std::size_t PileInertia::memory_bytes() const {
    return bytes_of(islands_) + bytes_of(supported_) + bytes_of(pushes_);
}

} // namespace cairn::physics
