// Errors 2, 6 and 9: conservative advancement. One loop, with the articles' mistakes as rules that can be set one by
// one; without them it is slow but safe, which the tests hold it to.
#pragma once

#include "app/lab/articles/telling.h"

namespace cairn::core::lab::articles {

// 2: greatest speed of a point along a world direction, m/s, as the article has it: the first vertex is skipped, and
// local points are crossed with the world's angular velocity, rad/s.
float greatest_speed(const std::vector<physics::Vec3>& local_points, const physics::Vec3& angular_velocity,
                     const physics::Vec3& direction);

// 9: the normal is filled in only where the two overlap.
struct Contact {
    physics::Vec3 normal{0.0f};
    float separation = 0.0f; // m
};
Contact contact_without_normal(const physics::Shape& a, const physics::Transform& pose_a, const physics::Shape& b,
                               const physics::Transform& pose_b);

struct AdvancementRules {
    bool mixed_frames = false; // 2: speeds of points by greatest_speed()
    bool gives_up = false;     // 6: ten steps at most, and then no hit
    bool normal_unset = false; // 9: contacts by contact_without_normal()
};

struct Advanced {
    enum class Outcome : std::uint8_t { hit, miss, runs_out };
    Outcome outcome = Outcome::runs_out;
    float time = 0.0f; // s; of a hit, else how far it has come
};

// Advances by as long as the distance and the bound on the closing speed allow, until the distance is no more than
// `target`, m.
Advanced advance(const LabPair& pair, const AdvancementRules& rules, float target, Telling& telling);

LabRun run_mixed_frames(const LabPair& pair);
LabRun run_gives_up(const LabPair& pair);
LabRun run_normal_unset(const LabPair& pair);

} // namespace cairn::core::lab::articles
