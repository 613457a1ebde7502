// The separating axis test in sentences: one step for each axis that is measured, with both shapes' shadows on it.
#include "app/algorithms/sat.h"
#include "app/lab/steps/wording.h"
#include "app/lab/tracers/tracers.h"
#include "physics/geometry/shape.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace cairn::core::lab {

namespace trace = algorithms::trace;
using physics::Shape;

namespace {

struct Placed {
    const Shape& shape;
    FrameOfA frame;

    DVec3 at(const DVec3& local) const { return frame.point(local); }
    // Least and greatest dot(n, p), n in world axes.
    std::pair<double, double> shadow(const DVec3& n) const {
        const DVec3 local = glm::transpose(frame.rotation) * n;
        const auto reach = [&](const DVec3& d) {
            return glm::dot(DVec3(physics::support(shape, physics::Vec3(d))), d);
        };
        const double middle = glm::dot(n, frame.position);
        return {middle - reach(-local), middle + reach(local)};
    }
};

void mark_face(Figure& figure, const Placed& placed, std::uint32_t face, Role role) {
    std::vector<DVec3> corners;
    for (const physics::Vec3& corner : algorithms::sat_face(placed.shape, face)) {
        corners.push_back(placed.at(DVec3(corner)));
    }
    for (std::size_t i = 0; i < corners.size(); ++i) {
        figure.strokes.push_back({corners[i], corners[(i + 1) % corners.size()], role, false, {}});
        if (i >= 1 && i + 1 < corners.size()) {
            figure.facets.push_back({{corners[0], corners[i], corners[i + 1]}, role});
        }
    }
}

void mark_edge(Figure& figure, const Placed& placed, std::uint32_t edge, Role role) {
    const auto [from, to] = algorithms::sat_edge(placed.shape, edge);
    figure.strokes.push_back({placed.at(DVec3(from)), placed.at(DVec3(to)), role, false, {}});
}

} // namespace

void trace_sat(const LabPair& pair, const Scenery& scenery, const algorithms::QueryTrace& trace,
               std::vector<LabStep>& out) {
    const Placed a{pair.a, FrameOfA(shape_pose_at(pair.sweep_a, 0.0))};
    const Placed b{pair.b, FrameOfA(shape_pose_at(pair.sweep_b, 0.0))};
    const double size = scenery.size;
    int measured = 0;
    trace::Axis best;
    bool have_best = false;
    const auto mark_axis = [&](LabStep& step, const trace::Axis& axis) {
        const DVec3 n = scenery.frame.direction(axis.normal);
        if (axis.kind == trace::AxisKind::face_a) {
            mark_face(step.world, a, axis.feature_a, Role::witness_a);
        } else if (axis.kind == trace::AxisKind::face_b) {
            mark_face(step.world, b, axis.feature_b, Role::witness_b);
        } else {
            mark_edge(step.world, a, axis.feature_a, Role::witness_a);
            mark_edge(step.world, b, axis.feature_b, Role::witness_b);
        }
        // The axis stands beside the pair, with the shadow of each shape on it.
        const DVec3 middle = 0.5 * (a.frame.position + b.frame.position);
        const DVec3 helper = std::abs(n.z) < 0.9 ? DVec3(0.0, 0.0, 1.0) : DVec3(0.0, 1.0, 0.0);
        const DVec3 aside = glm::normalize(glm::cross(n, helper)) * (0.75 * size);
        const auto on_axis = [&](double t, double lane) {
            return middle + aside * (1.0 + lane) + n * (t - glm::dot(n, middle));
        };
        const auto [a0, a1] = a.shadow(n);
        const auto [b0, b1] = b.shadow(n);
        const double low = std::min(a0, b0) - 0.1 * size;
        const double high = std::max(a1, b1) + 0.1 * size;
        step.world.strokes.push_back({on_axis(low, 0.0), on_axis(high, 0.0), Role::direction, true, {}});
        step.world.strokes.push_back({on_axis(a0, 0.04), on_axis(a1, 0.04), Role::witness_a, false, {}});
        step.world.strokes.push_back({on_axis(b0, 0.08), on_axis(b1, 0.08), Role::witness_b, false, {}});
        step.world.strokes.push_back(
            {on_axis(a1, 0.06), on_axis(b0, 0.06), axis.separation > 0.0 ? Role::normal : Role::nearest, false, {}});
        // On the difference: the support plane against n, at the separation from the origin.
        mark_plane(step, scenery, -axis.normal, -axis.normal * axis.separation, axis.best ? Role::kept : Role::bound);
        step.difference.strokes.push_back({DVec3(0.0), -n * axis.separation, Role::nearest, false, {}});
        step.readings.push_back({"axis", std::to_string(measured)});
        step.readings.push_back({"direction", vector_text(n)});
        step.readings.push_back({"shadow of " + pair.name_a, metres(a0) + " to " + metres(a1)});
        step.readings.push_back({"shadow of " + pair.name_b, metres(b0) + " to " + metres(b1)});
        step.readings.push_back({"separation", metres(axis.separation)});
    };
    const auto source_of = [&](const trace::Axis& axis) {
        switch (axis.kind) {
        case trace::AxisKind::face_a:
            return "the normal of face " + std::to_string(axis.feature_a + 1) + " of " + pair.name_a;
        case trace::AxisKind::face_b:
            return "the normal of face " + std::to_string(axis.feature_b + 1) + " of " + pair.name_b;
        case trace::AxisKind::edges:
            break;
        }
        return "across edge " + std::to_string(axis.feature_a + 1) + " of " + pair.name_a + " and edge " +
               std::to_string(axis.feature_b + 1) + " of " + pair.name_b;
    };
    for (const trace::Event& event : trace.events) {
        LabStep step;
        step.backdrop = scenery.backdrop;
        step.status = "going on";
        if (const auto* axis = std::get_if<trace::Axis>(&event)) {
            ++measured;
            mark_axis(step, *axis);
            step.sentence = "Axis " + std::to_string(measured) + ", " + source_of(*axis) + ": ";
            if (axis->separation > 0.0) {
                step.sentence +=
                    "the shadows are " + metres(axis->separation) + " apart, so the shapes are at least that.";
            } else {
                step.sentence +=
                    "the shadows overlap by " + metres(-axis->separation) + ", so this way out is that long.";
            }
            if (axis->best) {
                step.sentence += have_best ? " The best axis so far." : " The first axis, and the best so far.";
                best = *axis;
                have_best = true;
            } else {
                step.sentence += " No better than the best so far, " +
                                 (best.separation > 0.0 ? metres(best.separation) + " apart."
                                                        : "an overlap of " + metres(-best.separation) + ".");
            }
            step.readings.push_back({"best so far", metres(best.separation)});
            out.push_back(std::move(step));
        } else if (const auto* end = std::get_if<trace::SatEnd>(&event)) {
            if (have_best) {
                mark_axis(step, best);
            }
            const std::uint64_t all = end->faces + end->pairs;
            step.sentence = "Of " + std::to_string(all) + " possible axes (" + std::to_string(end->faces) + " faces, " +
                            std::to_string(end->pairs) + " pairs of edges) " + std::to_string(end->axes) +
                            " had to be measured: the others cannot be facets of the difference, or are ruled out by "
                            "support points. ";
            step.sentence +=
                end->witness == trace::WitnessFrom::axis
                    ? "The features of the best axis give the nearest points."
                    : "The nearest points are not on the features of the best axis: those that it leaves in "
                      "question are compared.";
            step.status = "all axes are measured or ruled out";
            step.readings.push_back({"axes measured", std::to_string(end->axes) + " of " + std::to_string(all)});
            out.push_back(std::move(step));
        } else if (const auto* answer = std::get_if<trace::Answer>(&event)) {
            const DVec3 n = scenery.frame.direction(answer->normal);
            mark_answer(step, scenery.frame.point(answer->point_a), scenery.frame.point(answer->point_b), n, size);
            step.difference.strokes.push_back({DVec3(0.0), -n * answer->distance, Role::nearest, true, {}});
            step.sentence = answer->distance > 0.0 ? "The shapes are " + metres(answer->distance) + " apart."
                                                   : "The shapes overlap; the shortest way out is " +
                                                         metres(-answer->distance) + " along the best axis.";
            step.status = "stops: answered";
            step.readings.push_back({"distance", metres(answer->distance)});
            step.readings.push_back({"normal", vector_text(n)});
            out.push_back(std::move(step));
        }
    }
}

} // namespace cairn::core::lab
