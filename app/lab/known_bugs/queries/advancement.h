// Errors 2 and 6: conservative advancement. One loop, with the articles' mistakes as rules that can be set one by
// one; without them it is slow but safe, which the tests hold it to.
#pragma once

#include "app/lab/known_bugs/support/step_report.h"

namespace cairn::core::lab::known_bugs {

// 2: greatest speed of a point along a world direction, m/s, as the article has it: the first vertex is skipped, and
// local points are crossed with the world's angular velocity, rad/s.
float greatest_speed(const std::vector<physics::Vec3>& local_points, const physics::Vec3& angular_velocity,
                     const physics::Vec3& direction);

struct AdvancementRules {
    bool mixed_frames = false; // 2: speeds of points by greatest_speed()
    bool gives_up = false;     // 6: ten steps at most, and then no hit
};

struct Advanced {
    enum class Outcome : std::uint8_t { hit, miss, runs_out };
    Outcome outcome = Outcome::runs_out;
    float time = 0.0f; // s; of a hit, else how far it has come
};

// Advances by as long as the distance and the bound on the closing speed allow, until the distance is no more than
// `target`, m.
Advanced advance(const LabPair& pair, const AdvancementRules& rules, float target, StepReport& report);

LabRun run_mixed_frames(const LabPair& pair);
LabRun run_gives_up(const LabPair& pair);

} // namespace cairn::core::lab::known_bugs
