#include "app/core/lab/articles/engine_side.h"

#include <algorithm>

namespace cairn::core::lab::articles {

using physics::DistanceResult;
using physics::QueryStatus;
using physics::TimeOfImpact;
using physics::ToiSettings;
using physics::ToiStatus;
using physics::Vec3;

namespace {

ToiSettings settings_of(const LabPair& pair) {
    ToiSettings settings;
    settings.target = contact_distance(pair);
    settings.tolerance = 0.25f * settings.target;
    return settings;
}

std::string word_for(QueryStatus status) {
    switch (status) {
    case QueryStatus::separated:
        return "separated";
    case QueryStatus::touching:
        return "touching";
    case QueryStatus::overlapping:
        return "overlapping";
    case QueryStatus::failed:
        break;
    }
    return "failed";
}

double arrow_of(const LabPair& pair) {
    return 0.4 * double(std::min(pair.a.bounding_radius, pair.b.bounding_radius));
}

} // namespace

DistanceResult engine_answer(const LabPair& pair) {
    return signed_distance(pair.a, shape_pose_at(pair.sweep_a, 0.0f), pair.b, shape_pose_at(pair.sweep_b, 0.0f));
}

float contact_distance(const LabPair& pair) {
    return std::min(1e-3f, 1e-3f * std::min(pair.a.bounding_radius, pair.b.bounding_radius));
}

TimeOfImpact engine_impact(const LabPair& pair) {
    return time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration, settings_of(pair));
}

std::string truth_text(const DistanceResult& truth) {
    switch (truth.status) {
    case QueryStatus::separated:
        return "they are apart by " + metres(double(truth.distance));
    case QueryStatus::touching:
        return "they touch";
    case QueryStatus::overlapping:
        return "they overlap by " + metres(-double(truth.distance));
    case QueryStatus::failed:
        break;
    }
    return "the engine gives no answer either";
}

std::string truth_text(const TimeOfImpact& truth, float duration) {
    switch (truth.status) {
    case ToiStatus::hit:
        return "they meet after " + number_text(double(truth.time)) + " s";
    case ToiStatus::initial:
        return "they touch from the beginning";
    case ToiStatus::miss:
        return "they do not meet within " + number_text(double(duration)) + " s";
    case ToiStatus::out_of_iterations:
        break;
    }
    return "nothing touches before " + number_text(double(truth.time)) + " s, and the engine knows no more";
}

bool together(const DistanceResult& truth) {
    return truth.status == QueryStatus::touching || truth.status == QueryStatus::overlapping;
}

void draw_nearest(LabStep& step, const Vec3& point_a, const Vec3& point_b, const Vec3& normal, double arrow) {
    const DVec3 on_a(point_a);
    const DVec3 on_b(point_b);
    draw_origin(step.difference);
    step.difference.dots.push_back({on_a - on_b, Role::nearest, {}});
    step.difference.strokes.push_back({DVec3(0.0), on_a - on_b, Role::nearest, false, {}});
    draw_direction(step.difference, DVec3(0.0), -DVec3(normal), arrow, Role::normal);
    step.world.dots.push_back({on_a, Role::witness_a, {}});
    step.world.dots.push_back({on_b, Role::witness_b, {}});
    step.world.strokes.push_back({on_a, on_b, Role::nearest, false, {}});
    draw_direction(step.world, on_a, DVec3(normal), arrow, Role::normal);
}

LabRun run_engine_distance(const LabPair& pair) {
    const DistanceResult truth = engine_answer(pair);
    LabRun run;
    run.algorithm = "gjk_epa";
    run.failed = truth.status == QueryStatus::failed;
    run.answer = "The engine: " + truth_text(truth) + ".";
    Telling telling;
    LabStep& step = telling.step(
        truth.epa_iterations > 0
            ? "GJK finds the origin inside the difference. The polytope then finds the way out that is shortest: this "
              "far, and this way, B must move for the shapes to part."
            : "GJK finds the point of the difference that lies nearest to the origin. Its distance is that of the "
              "shapes, and the points that made it are the nearest ones of both.",
        word_for(truth.status));
    add_reading(step, "distance", metres(double(truth.distance)));
    add_reading(step, "normal", vector_text(DVec3(truth.normal)));
    add_reading(step, "rounds of GJK", std::to_string(truth.gjk_iterations));
    add_reading(step, "rounds of EPA", std::to_string(truth.epa_iterations));
    draw_nearest(step, truth.point_a, truth.point_b, truth.normal, arrow_of(pair));
    run.steps = telling.take();
    return run;
}

LabRun run_engine_impact(const LabPair& pair) {
    LabRun run;
    run.algorithm = "time_of_impact";
    Telling telling;
    ToiSettings settings = settings_of(pair);
    const int enough = settings.max_iterations;
    TimeOfImpact now;
    for (int n = 1; n <= enough; ++n) {
        telling.round(n);
        settings.max_iterations = n; // cut short it says how far it is safe to go: that is one step of the whole
        now = time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration, settings);
        const bool last = now.status != ToiStatus::out_of_iterations;
        const std::string at = number_text(double(now.time)) + " s";
        LabStep& step = telling.step(
            last ? "At " + at + " it is certain: " + truth_text(now, pair.duration) + "."
                 : "At " + at + " the shapes are still " + metres(double(now.distance)) +
                       " apart. The direction between their nearest points goes on to part them for a while: the next "
                       "look is at its end.",
            last ? "stops: decided" : "going on");
        step.time = double(now.time);
        add_reading(step, "time", at);
        add_reading(step, "distance", metres(double(now.distance)));
        if (now.iterations > 0) { // else the points are not set
            add_reading(step, "normal", vector_text(DVec3(now.normal)));
            if (now.status != ToiStatus::miss) {
                draw_nearest(step, now.point_a, now.point_b, now.normal, arrow_of(pair));
            }
        }
        if (last) {
            break;
        }
    }
    run.failed = now.status == ToiStatus::out_of_iterations;
    run.answer = "The engine: " + truth_text(now, pair.duration) + ".";
    run.steps = telling.take();
    return run;
}

std::string verdict(const LabRun& article, const std::string& truth) {
    return article.answer + (article.failed ? " In truth " : " So it is here: ") + truth + ".";
}

void judge(LabRun& article, Answer answer, const DistanceResult& truth) {
    article.failed = answer != (together(truth) ? Answer::hit : Answer::miss);
    article.answer = "The article's answer: " + answer_text(answer) + ".";
}

} // namespace cairn::core::lab::articles
