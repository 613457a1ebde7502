#include "physics/world/contacts/expected_motion.h"

#include "physics/base/bytes.h"
#include "physics/continuous/continuous.h"

#include <algorithm>
#include <utility>

namespace cairn::physics {

void ExpectedMotion::predict(Executor& executor, const Settings& settings, const BodyStore& bodies,
                             const Partition& partition) {
    ++step_;
    paths_.resize(bodies.size());
    if (!settings.continuous) {
        return;
    }
    for_bodies(executor, partition.regions(), [&](std::uint32_t motion) {
        const std::uint32_t slot = partition.slot_of(motion);
        if (bodies.cold[slot].fitted < 0.0f) {
            const Sweep path = expected_path(settings, bodies, slot);
            const float lift = bodies.kind(slot).surface_lift(path.start.orientation, path.angular_velocity);
            paths_[slot] = {path.linear_velocity, path.angular_velocity, lift, step_};
        }
    });
}

bool ExpectedMotion::stays_apart(const Settings& settings, const BodyStore& bodies, const ActivePair& pair) const {
    const Path *a = of(pair.body_a), *b = of(pair.body_b);
    if (a == nullptr && b == nullptr) {
        return false;
    }
    float travel =
        glm::length((b != nullptr ? b->displacement : Vec3(0.0f)) - (a != nullptr ? a->displacement : Vec3(0.0f)));
    for (const auto& [path, slot] : {std::pair{a, pair.body_a}, std::pair{b, pair.body_b}}) {
        travel += path != nullptr ? path->lift : bodies.traces[slot].margin;
    }
    return pair.gap > settings.speculative_distance + 2.0f * travel;
}

PairMotion ExpectedMotion::of_pair(const Settings& settings, const BodyStore& bodies, const ShapeRecord& a,
                                   const ShapeRecord& b) const {
    PairMotion motion;
    for (const auto& [path, shape] : {std::pair{&motion.path_a, &a}, std::pair{&motion.path_b, &b}}) {
        if (const Path* ahead = of(shape->body)) {
            path->start = bodies[shape->body].pose;
            path->linear_velocity = ahead->displacement;
            path->angular_velocity = ahead->turn;
            motion.travel += ahead->lift;
        } else {
            *path = expected_path(settings, bodies, shape->body);
            motion.travel += bodies.kind(shape->body).surface_lift(path->start.orientation, path->angular_velocity);
        }
        path->shape_pose = shape->pose;
    }
    motion.travel += glm::length(motion.path_b.linear_velocity - motion.path_a.linear_velocity);
    const float most = fast_share * std::min(a.shape->inner_radius, b.shape->inner_radius);
    motion.fast = motion.travel > most;
    motion.reach = settings.speculative_distance + std::min(motion.travel, most);
    motion.margin = motion.fast ? std::min(std::max(a.margin + b.margin, settings.speculative_distance), motion.reach)
                                : motion.reach;
    return motion;
}

std::size_t ExpectedMotion::memory_bytes() const {
    return bytes_of(paths_);
}

} // namespace cairn::physics
