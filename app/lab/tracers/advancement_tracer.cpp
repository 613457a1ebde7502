// Conservative advancement in sentences: each step asks for the closest points and lets time pass while a direction
// certainly keeps the shapes apart.
#include "app/core/query/question.h"
#include "app/lab/steps/wording.h"
#include "app/lab/tracers/difference.h"
#include "app/lab/tracers/tracers.h"

namespace cairn::core::lab {

namespace trace = algorithms::trace;

namespace {

std::string course_text(const trace::Advance& step, const LabPair& pair) {
    std::string out;
    switch (step.course) {
    case trace::CourseKind::fixed:
        out = "the direction between the closest points, kept fixed,";
        break;
    case trace::CourseKind::with_a:
        out = "the direction between the closest points, turning with " + pair.name_a + ",";
        break;
    case trace::CourseKind::with_b:
        out = "the direction between the closest points, turning with " + pair.name_b + ",";
        break;
    case trace::CourseKind::with_edges:
        out = "the direction between the closest points, turning as it has turned so far,";
        break;
    case trace::CourseKind::none:
        break;
    }
    if (step.revolved_a || step.revolved_b) {
        out += " with " +
               (step.revolved_a && step.revolved_b ? "both"
                : step.revolved_a                  ? pair.name_a
                                                   : pair.name_b) +
               " replaced by the body of revolution that " +
               (step.revolved_a && step.revolved_b ? "they sweep" : "it sweeps") + " out,";
    }
    return out;
}

} // namespace

void trace_advancement(const LabPair& pair, const algorithms::QueryTrace& trace, std::vector<LabStep>& out) {
    const double size = size_of(pair);
    const double duration = double(pair.duration);
    const double tolerance = double(impact_settings(pair.a, pair.b).tolerance);
    int advances = 0;
    trace::Advance last;
    const auto step_at = [&](double time) {
        LabStep step;
        step.time = time;
        step.status = "going on";
        step.backdrop =
            difference_figure(pair.a, shape_pose_at(pair.sweep_a, time), pair.b, shape_pose_at(pair.sweep_b, time));
        for (const auto* sweep : {&pair.sweep_a, &pair.sweep_b}) {
            const DVec3 from(physics::body_pose_at(*sweep, 0.0f).position);
            const DVec3 to(physics::body_pose_at(*sweep, pair.duration).position);
            if (glm::length(to - from) > 1e-6 * size) {
                step.world.strokes.push_back({from, to, Role::sweep, true, {}});
            }
        }
        step.readings.push_back({"time", seconds(time)});
        step.readings.push_back({"remaining", seconds(std::max(duration - time, 0.0))});
        return step;
    };
    const auto mark_nearest = [&](LabStep& step, const trace::Advance& a) {
        mark_answer(step, a.point_a, a.point_b, a.normal, size);
        step.difference.strokes.push_back({DVec3(0.0), a.point_a - a.point_b, Role::nearest, false, {}});
        step.difference.dots.push_back({a.point_a - a.point_b, Role::nearest, {}});
        step.readings.push_back({"distance", metres(a.distance)});
        step.readings.push_back({"normal", vector_text(a.normal)});
    };
    for (const trace::Event& event : trace.events) {
        if (const auto* balls = std::get_if<trace::Balls>(&event)) {
            LabStep step = step_at(balls->miss ? duration : balls->time);
            step.sentence =
                balls->miss ? "Balls about both centres of rotation hold the shapes however they turn, and they "
                              "never meet in this time: a miss, without any closest points."
                : balls->time > 0.0
                    ? "Balls about both centres of rotation hold the shapes however they turn. They meet after " +
                          seconds(balls->time) + ": until then nothing can happen."
                    : "Balls about both centres of rotation meet already: the search starts at once.";
            step.readings.push_back({"sum of the radii", metres(balls->reach)});
            out.push_back(std::move(step));
        } else if (const auto* a = std::get_if<trace::Advance>(&event)) {
            last = *a;
            ++advances;
            if (a->course == trace::CourseKind::none) {
                continue; // the end reports it
            }
            LabStep step = step_at(a->time);
            mark_nearest(step, *a);
            step.sentence = "Iteration " + std::to_string(advances) + ": at " + seconds(a->time) + " the shapes are " +
                            metres(a->distance) + " apart. Along " + course_text(*a, pair) +
                            " the separation closes at " + short_number(std::max(-a->rate, 0.0)) +
                            " m/s, and bends by no more than " + short_number(a->curvature) + " m/s²: until " +
                            seconds(std::min(a->until, duration)) + " it certainly stays open.";
            step.readings.push_back({"separation", metres(a->gap)});
            step.readings.push_back({"its rate", short_number(a->rate, 4) + " m/s"});
            step.readings.push_back({"bound of its bend", short_number(a->curvature, 4) + " m/s²"});
            step.readings.push_back({"samples", std::to_string(a->samples)});
            step.readings.push_back({"advance", seconds(std::min(a->until, duration) - a->time)});
            out.push_back(std::move(step));
        } else if (const auto* end = std::get_if<trace::ToiEnd>(&event)) {
            LabStep step = step_at(end->time);
            const bool nearest = advances > 0;
            if (nearest) {
                mark_nearest(step, last);
            }
            switch (end->status) {
            case physics::ToiStatus::hit:
                step.sentence =
                    "At " + seconds(end->time) + " the distance has fallen to the target: this is the impact.";
                step.status = "stops: hit";
                break;
            case physics::ToiStatus::miss:
                step.sentence = "The end of the sweep is reached, and the shapes have been apart all the way.";
                step.status = "stops: miss";
                break;
            case physics::ToiStatus::initial:
                step.sentence = "The shapes touch or overlap at the start already.";
                step.status = "stops: initial";
                break;
            case physics::ToiStatus::out_of_iterations:
                step.sentence = "The cap on iterations is reached: until " + seconds(end->time) +
                                " there is certainly no impact, and no more is claimed.";
                step.status = "stops: out of iterations, with a safe time";
                break;
            }
            step.readings.push_back({"iterations", std::to_string(advances)});
            step.readings.push_back({"tolerance", metres(tolerance)});
            out.push_back(std::move(step));
        }
    }
}

} // namespace cairn::core::lab
