#include "physics/world/substeps/piles/island_ground.h"

namespace cairn::physics {

void IslandGround::find(const Islands& islands, std::span<const BodyMotion> motions) {
    grounds_.assign(motions.size(), Ground());
    const auto is_ground = [&](std::uint32_t motion) { return motion == 0 || islands.is_driver(motion); };
    for (const TouchingContact& touching : islands.touching()) {
        const auto [a, b] = touching.bodies;
        if (is_ground(a) == is_ground(b)) {
            continue;
        }
        const BodyMotion& below = motions[is_ground(a) ? a : b];
        Ground& ground = grounds_[islands.root(is_ground(a) ? b : a)];
        ground.several = ground.several || below.angular_velocity != Vec3(0.0f) ||
                         (ground.known && ground.velocity != below.linear_velocity);
        ground.velocity = ground.several ? Vec3(0.0f) : below.linear_velocity;
        ground.known = true;
    }
}

} // namespace cairn::physics
