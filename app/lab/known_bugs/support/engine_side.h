// What an article's version is judged by: the engine's own answers, asked for through its public queries.
#pragma once

#include "app/lab/known_bugs/support/step_report.h"
#include "physics/query/distance.h"
#include "physics/query/time_of_impact.h"

namespace cairn::core::lab::known_bugs {

// Of the shapes at the start of their sweeps.
physics::DistanceResult engine_answer(const LabPair& pair);

// Along their sweeps, as `cairn query` asks for it.
physics::TimeOfImpact engine_impact(const LabPair& pair);

// "they overlap by 0.2 m", "they touch", "they are apart by 1 m"
std::string truth_text(const physics::DistanceResult& truth);
std::string truth_text(const physics::TimeOfImpact& truth, float duration);

// Touching shapes count as overlapping.
bool together(const physics::DistanceResult& truth);

// "Says that they are apart; in truth they overlap by 0.2 m." One of the ways in which a version fails.
std::string verdict(const LabRun& bug, const std::string& truth);

// Sets `failed` of a boolean test by the engine's answer, and the answer's text.
void judge(LabRun& bug, Answer answer, const physics::DistanceResult& truth);

// Marks of the nearest or deepest points: in the difference the way from the origin, in the world the points and the
// normal between them.
void draw_nearest(LabStep& step, const physics::Vec3& point_a, const physics::Vec3& point_b,
                  const physics::Vec3& normal, double arrow);

} // namespace cairn::core::lab::known_bugs
