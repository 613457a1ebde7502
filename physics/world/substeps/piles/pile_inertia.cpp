#include "physics/world/substeps/piles/pile_inertia.h"

#include "physics/base/bytes.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

// Speeds as shares of sqrt(g a), a being the half width of an island's smallest body: 2.2 m/s for a cube of 1 m.
// Of any point of its bodies: below the first, inertia may be given; above the second, it is taken away.
constexpr float still = 0.0225f, moving = 0.045f;
// The same of the horizontal velocity of its centre of mass: a pile that begins to slide or to topple.
constexpr float centred = 0.00225f, drifting = 0.0045f;
// And how much less of that, in any direction, on ground that moves: it falls behind a ground that speeds up.
constexpr float steady = 0.1f;

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
    if (loaded.empty() && (fresh == nullptr || columns.empty() || gravity == 0.0f)) {
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
    for (const std::uint32_t slot : in.awake) {
        const std::uint32_t motion = in.partition.motion_of(slot);
        Island& island = islands_[in.islands.root(motion)];
        if (!island.asks()) {
            continue;
        }
        const BodyKind& kind = in.bodies.kind(slot);
        const BodyDynamics& dynamics = in.dynamics[motion];
        const float mass = 1.0f / kind.inverse_mass;
        const Vec3 velocity = in.bodies[slot].linear_velocity - in.ground.velocity(in.islands.root(motion));
        island.fastest = std::max(island.fastest, in.bodies.surface_speed(slot, velocity));
        island.smallest = std::min(island.smallest, kind.inner_radius);
        island.mass += mass;
        island.momentum += mass * velocity;
        island.carried = in.ground.moves(in.islands.root(motion));
        island.disturbed = island.disturbed || !in.ground.is_one(in.islands.root(motion)) || dynamics.push != nullptr ||
                           dynamics.parting || dynamics.locks != 0 || kind.def.gravity_scale < 0.0f ||
                           !in.joints.of(slot).empty() || (in.grab.active && in.grab.grab.body.index == slot);
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
        std::uint8_t& supported = supported_[slope > 0.0f ? a : b];
        for (const ContactPoint& point : in.contacts.points(contact)) {
            supported |= point.separation < in.settings.linear_slop ? 1 : 0;
        }
    }
}

void PileInertia::apply(std::span<const LoadedBody> loaded, const BodyStore& bodies, const Partition& partition,
                        std::span<BodyMotion> motions, std::span<BodyDynamics> dynamics) {
    for (const LoadedBody& one : loaded) {
        if (!bodies[one.slot].awake) {
            continue;
        }
        const std::uint32_t motion = partition.motion_of(one.slot);
        const float scale = one.load * motions[motion].inverse_mass;
        if (scale > 1.0f) {
            scale_inertia(motions[motion], dynamics[motion], scale);
        }
    }
}

std::size_t PileInertia::memory_bytes() const {
    return bytes_of(islands_) + bytes_of(supported_);
}

} // namespace cairn::physics
