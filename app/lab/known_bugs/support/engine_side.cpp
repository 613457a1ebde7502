#include "app/lab/known_bugs/support/engine_side.h"

#include "app/core/query/question.h"
#include "app/lab/steps/placing.h"

namespace cairn::core::lab::known_bugs {

using physics::DistanceResult;
using physics::QueryStatus;
using physics::TimeOfImpact;
using physics::ToiStatus;
using physics::Vec3;

DistanceResult engine_answer(const LabPair& pair) {
    return signed_distance(pair.a, shape_pose_at(pair.sweep_a, 0.0), pair.b, shape_pose_at(pair.sweep_b, 0.0));
}

TimeOfImpact engine_impact(const LabPair& pair) {
    return time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration, impact_settings(pair.a, pair.b));
}

std::string truth_text(const DistanceResult& truth) {
    switch (truth.status) {
    case QueryStatus::separated:
        return "they are apart by " + length_text(double(truth.distance));
    case QueryStatus::touching:
        return "they touch";
    case QueryStatus::overlapping:
        return "they overlap by " + length_text(-double(truth.distance));
    case QueryStatus::failed:
        break;
    }
    return "the engine gives no answer either";
}

std::string truth_text(const TimeOfImpact& truth, float duration) {
    switch (truth.status) {
    case ToiStatus::hit:
        return "they meet after " + reading_text(double(truth.time)) + " s";
    case ToiStatus::initial:
        return "they touch from the beginning";
    case ToiStatus::miss:
        return "they do not meet within " + reading_text(double(duration)) + " s";
    case ToiStatus::out_of_iterations:
        break;
    }
    return "nothing touches before " + reading_text(double(truth.time)) + " s, and the engine knows no more";
}

bool together(const DistanceResult& truth) {
    return truth.status == QueryStatus::touching || truth.status == QueryStatus::overlapping;
}

void draw_nearest(LabStep& step, const Vec3& point_a, const Vec3& point_b, const Vec3& normal, double arrow) {
    const DVec3 on_a(point_a);
    const DVec3 on_b(point_b);
    step.difference.dots.push_back({on_a - on_b, Role::nearest, {}});
    step.difference.strokes.push_back({DVec3(0.0), on_a - on_b, Role::nearest, false, {}});
    draw_direction(step.difference, DVec3(0.0), -DVec3(normal), arrow, Role::normal);
    step.world.dots.push_back({on_a, Role::witness_a, {}});
    step.world.dots.push_back({on_b, Role::witness_b, {}});
    step.world.strokes.push_back({on_a, on_b, Role::nearest, false, {}});
    draw_direction(step.world, on_a, DVec3(normal), arrow, Role::normal);
}

std::string verdict(const LabRun& bug, const std::string& truth) {
    return bug.answer + (bug.failed ? " In truth " : " So it is here: ") + truth + ".";
}

void judge(LabRun& bug, Answer answer, const DistanceResult& truth) {
    bug.failed = answer != (together(truth) ? Answer::hit : Answer::miss);
    bug.answer = "The article's answer: " + answer_text(answer) + ".";
}

} // namespace cairn::core::lab::known_bugs
