#include "app/lab/tracers/algorithms.h"

#include "app/algorithms/region_gjk.h"
#include "app/algorithms/sat.h"
#include "app/core/query/question.h"
#include "app/lab/steps/wording.h"
#include "app/lab/tracers/difference.h"
#include "app/lab/tracers/tracers.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cairn::core::lab {

using algorithms::QueryTrace;
using physics::QueryStatus;
using physics::Transform;
namespace trace = algorithms::trace;

namespace {

struct AlgorithmEntry {
    Algorithm algorithm;
    std::string_view name, title, about;
};

constexpr std::array<AlgorithmEntry, all_algorithms.size()> algorithm_entries{{
    {Algorithm::gjk_epa, "gjk_epa", "GJK and EPA",
     "Signed-volumes GJK finds the distance of shapes that are apart; where they overlap, the expanding polytope finds "
     "how "
     "deep."},
    {Algorithm::engine, "engine", "As the engine answers",
     "What the engine does with this very pair: closed forms and good guesses first, then GJK and EPA."},
    {Algorithm::region_gjk, "region_gjk", "Region GJK",
     "Boolean GJK: whether the shapes overlap, by the region of the simplex in which the origin lies."},
    {Algorithm::sat, "sat", "Separating axes",
     "For polytopes: the axes along which the shapes can part at all are the normals of faces and the cross products "
     "of "
     "edges."},
    {Algorithm::advancement, "advancement", "Conservative advancement",
     "The time of impact of moving shapes: time passes only while a direction certainly keeps them apart."},
}};

const AlgorithmEntry& entry_of(Algorithm algorithm) {
    return *std::ranges::find(algorithm_entries, algorithm, &AlgorithmEntry::algorithm);
}

std::string status_text(QueryStatus status, double distance) {
    switch (status) {
    case QueryStatus::separated:
        return "separated: " + metres(distance) + " apart";
    case QueryStatus::touching:
        return "touching";
    case QueryStatus::overlapping:
        return "overlapping: " + metres(-distance) + " deep";
    case QueryStatus::failed:
        break;
    }
    return "failed: the answer could not be refined to its accuracy";
}

LabStep answer_step(const trace::Answer& answer, const Scenery& scenery) {
    LabStep step;
    step.backdrop = scenery.backdrop;
    const DVec3 n = scenery.frame.direction(answer.normal);
    mark_answer(step, scenery.frame.point(answer.point_a), scenery.frame.point(answer.point_b), n, scenery.size);
    const DVec3 joined = scenery.frame.direction(answer.point_a - answer.point_b);
    step.difference.strokes.push_back({DVec3(0.0), joined, Role::nearest, false, {}});
    step.difference.dots.push_back({joined, Role::nearest, {}});
    step.sentence =
        "The point of the difference nearest to the origin is the difference of two points of the bodies: a on "
        "the one and b on the other. " +
        std::string(answer.distance < 0.0 ? "Moving B along the normal by the depth parts them."
                                          : "The normal leads from a to b.");
    step.status = status_text(answer.status, answer.distance);
    step.readings = {{"distance", metres(answer.distance)}, {"normal", vector_text(n)}};
    if (scenery.radius > 0.0) {
        step.sentence += " The radii of spheres and capsules are taken off the distance of their cores.";
        step.readings.push_back({"radii", metres(scenery.radius)});
    }
    return step;
}

LabStep shortcut_step(const trace::ClosedForm& form, const Scenery& scenery) {
    LabStep step;
    step.backdrop = scenery.backdrop;
    switch (form.which) {
    case trace::Shortcut::far_boxes:
        step.sentence = "The fifteen axes of two boxes: one of them parts the pair by more than was asked for.";
        break;
    case trace::Shortcut::boxes:
        step.sentence =
            "Two boxes: of their fifteen axes the best one belongs to a corner over a face or to two crossing "
            "edges, and that proves the answer without any iteration.";
        break;
    case trace::Shortcut::closed_form:
        step.sentence =
            "The nearest points of this pair can be written down: a closed form answers, without any iteration.";
        break;
    }
    step.status = "answered by a closed form";
    return step;
}

void trace_distance(const QueryTrace& events, const Scenery& scenery, bool by_regions, std::vector<LabStep>& out) {
    GjkTracer gjk(scenery, by_regions, out);
    EpaTracer epa(scenery, out);
    for (const trace::Event& event : events.events) {
        std::visit(
            [&](const auto& e) {
                if constexpr (requires { gjk.take(e); }) {
                    gjk.take(e);
                } else if constexpr (requires { epa.take(e); }) {
                    epa.take(e);
                }
            },
            event);
        if (const auto* form = std::get_if<trace::ClosedForm>(&event)) {
            out.push_back(shortcut_step(*form, scenery));
        } else if (const auto* answer = std::get_if<trace::Answer>(&event)) {
            out.push_back(answer_step(*answer, scenery));
        }
    }
}

} // namespace

std::string_view name_of(Algorithm algorithm) {
    return entry_of(algorithm).name;
}
std::string_view title_of(Algorithm algorithm) {
    return entry_of(algorithm).title;
}
std::string_view about(Algorithm algorithm) {
    return entry_of(algorithm).about;
}

std::optional<Algorithm> algorithm_named(std::string_view name) {
    const auto at = std::ranges::find(algorithm_entries, name, &AlgorithmEntry::name);
    return at == algorithm_entries.end() ? std::nullopt : std::optional(at->algorithm);
}

std::optional<std::string> mesh_rejection(const LabPair& pair) {
    for (const auto& [shape, name] : {std::pair(&pair.a, &pair.name_a), std::pair(&pair.b, &pair.name_b)}) {
        if (shape->kind == physics::ShapeKind::mesh) {
            return (name->empty() ? "one of the two" : *name) +
                   " is a mesh or a height field, and the lab takes convex shapes";
        }
    }
    return std::nullopt;
}

std::optional<std::string> rejection(Algorithm algorithm, const LabPair& pair) {
    if (auto reason = mesh_rejection(pair)) {
        return reason;
    }
    if (algorithm == Algorithm::sat && !(algorithms::sat_answers(pair.a) && algorithms::sat_answers(pair.b))) {
        return "the separating axis test answers two polytopes: boxes, hulls and diamonds";
    }
    if (algorithm == Algorithm::advancement && !(pair.duration > 0.0f)) {
        return "a time of impact needs a duration, and motions of the shapes";
    }
    return std::nullopt;
}

LabRun run(Algorithm algorithm, const LabPair& pair) {
    if (const auto reason = rejection(algorithm, pair)) {
        throw std::invalid_argument(*reason);
    }
    LabRun out;
    out.algorithm = name_of(algorithm);
    const Transform pose_a = shape_pose_at(pair.sweep_a, 0.0);
    const Transform pose_b = shape_pose_at(pair.sweep_b, 0.0);
    QueryTrace events;
    if (algorithm == Algorithm::advancement) {
        const auto settings = impact_settings(pair.a, pair.b);
        const physics::TimeOfImpact toi =
            physics::time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration, settings, &events);
        trace_advancement(pair, events, out.steps);
        switch (toi.status) {
        case physics::ToiStatus::hit:
            out.answer = "hit after " + seconds(double(toi.time));
            break;
        case physics::ToiStatus::miss:
            out.answer = "miss: apart for " + seconds(double(pair.duration));
            break;
        case physics::ToiStatus::initial:
            out.answer = "in touch at the start";
            break;
        case physics::ToiStatus::out_of_iterations:
            out.answer = "undecided: safe until " + seconds(double(toi.time));
            out.failed = true;
            break;
        }
        return out;
    }
    Scenery scenery{FrameOfA(pose_a), size_of(pair), core_radius(pair.a) + core_radius(pair.b),
                    difference_figure(pair.a, pose_a, pair.b, pose_b)};
    QueryStatus status = QueryStatus::failed;
    double distance = 0.0;
    const auto take = [&](const auto& result) {
        status = result.status;
        distance = double(result.distance);
    };
    switch (algorithm) {
    case Algorithm::gjk_epa:
        take(physics::gjk_epa_distance(pair.a, pose_a, pair.b, pose_b, &events));
        break;
    case Algorithm::engine:
        take(physics::signed_distance(pair.a, pose_a, pair.b, pose_b, &events));
        break;
    case Algorithm::sat:
        take(algorithms::sat(pair.a, pose_a, pair.b, pose_b, &events));
        break;
    case Algorithm::region_gjk:
        status = algorithms::region_gjk(pair.a, pose_a, pair.b, pose_b, &events).status;
        break;
    case Algorithm::advancement:
        break;
    }
    if (algorithm == Algorithm::sat) {
        trace_sat(pair, scenery, events, out.steps);
    } else {
        trace_distance(events, scenery, algorithm == Algorithm::region_gjk, out.steps);
    }
    out.answer = algorithm != Algorithm::region_gjk   ? status_text(status, distance)
                 : status == QueryStatus::overlapping ? "overlapping"
                 : status == QueryStatus::separated   ? "separated"
                                                      : "undecided";
    out.failed = status == QueryStatus::failed;
    return out;
}

} // namespace cairn::core::lab
