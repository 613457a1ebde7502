#include "app/lab/known_bugs/solids/box_inertia.h"

namespace cairn::core::lab::known_bugs {
namespace {

using physics::Shape;
using physics::Vec3;

struct Bounds {
    DVec3 low, high;
};

Bounds bounds_of(const Points& points) {
    Bounds out{DVec3(points.front()), DVec3(points.front())};
    for (const Vec3& point : points) {
        out.low = glm::min(out.low, DVec3(point));
        out.high = glm::max(out.high, DVec3(point));
    }
    return out;
}

Points corners_of(const Bounds& box) {
    Points out;
    for (int i = 0; i < 8; ++i) {
        out.emplace_back(
            DVec3(i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y, i & 4 ? box.high.z : box.low.z));
    }
    return out;
}

} // namespace

glm::dmat3 box_inertia(const DVec3& low, const DVec3& high) {
    const DVec3 d = high - low;
    const DVec3 r = 0.5 * (low + high);
    glm::dmat3 m(0.0);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        m[i][i] = (d[j] * d[j] + d[k] * d[k]) / 12.0 + r[j] * r[j] + r[k] * r[k];
        m[i][j] = (i == 1 ? 1.0 : -1.0) * r[i] * r[j];
        m[i][k] = -r[i] * r[k];
    }
    return m;
}

KnownBugRuns run_box_inertia(const Points& points) {
    KnownBugRuns runs;
    const Bounds box = bounds_of(points);
    const auto built = solid_of(corners_of(box));
    if (const auto* error = std::get_if<physics::ShapeError>(&built)) {
        throw std::invalid_argument(error->reason);
    }
    const Shape& shape = std::get<Shape>(built);
    const glm::dmat3 truth = glm::dmat3(shape.unit_inertia) / double(shape.volume);
    const glm::dmat3 wrong = box_inertia(box.low, box.high);
    const DVec3 centre = 0.5 * (box.low + box.high);
    const double size = glm::length(box.high - box.low);

    StepReport bug;
    {
        LabStep& step =
            bug.step("A box of 1 kg reaches from " + reading_text(box.low) + " to " + reading_text(box.high) +
                         ". The middle of the box, about which it turns, is " + reading_text(centre) +
                         "; the article takes the moments about O, the origin "
                         "of the points.",
                     "going on");
        draw_hull_edges(step.world, shape, Role::simplex);
        step.world.dots.push_back({centre, Role::nearest, "centre of mass"});
        step.world.dots.push_back({DVec3(0.0), Role::wrong, "O"});
        step.world.strokes.push_back({DVec3(0.0), centre, Role::wrong, true, "r"});
    }
    {
        LabStep& step = bug.step("To each moment it adds the squares of the offset r, as for a body that is swung "
                                 "about O. A body that flies turns about its centre of mass: it has no offset.",
                                 "going on");
        draw_hull_edges(step.world, shape, Role::simplex);
        for (int i = 0; i < 3; ++i) {
            const std::string axis(1, "xyz"[i]);
            add_reading(step, "about " + axis + ", article", reading_text(wrong[i][i]) + " kg m²");
            add_reading(step, "about " + axis + ", truly", reading_text(truth[i][i]) + " kg m²");
        }
    }
    {
        LabStep& step = bug.step("The products of the offset should be -r_i r_j in every place. In the row of y one "
                                 "has the other sign: " +
                                     reading_text(wrong[1][2]) + " in one place, " + reading_text(wrong[2][1]) +
                                     " in the one across the diagonal. The tensor is not symmetric, and no body "
                                     "has such a one.",
                                 "stops");
        draw_hull_edges(step.world, shape, Role::simplex);
        draw_axes(step.world, centre, wrong, size, Role::wrong);
        draw_axes(step.world, centre, truth, size, Role::kept);
        add_reading(step, "tensor, article", tensor_text(wrong) + " kg m²");
        add_reading(step, "tensor, truly", tensor_text(truth) + " kg m²");
    }
    runs.bug.steps = bug.take();
    const double asymmetry = tensor_error(wrong, glm::transpose(wrong));
    const double error = tensor_error(wrong, truth);
    runs.bug.failed = asymmetry > 1e-6 || error > 0.05;
    runs.bug.answer = "The article's answer: a tensor with a moment of " + reading_text(wrong[0][0]) +
                      " kg m² about x" + (asymmetry > 1e-6 ? ", and not symmetric." : ".");

    StepReport engine;
    LabStep& step = engine.step("The engine takes the moments about the centre of mass. Along the sides of a box there "
                                "are no products.",
                                "stops: exact");
    draw_hull_edges(step.world, shape, Role::simplex);
    draw_axes(step.world, centre, truth, size, Role::kept);
    add_reading(step, "centre of mass", reading_text(DVec3(shape.author_offset)) + " m");
    add_reading(step, "tensor of 1 kg", tensor_text(truth) + " kg m²");
    runs.engine.algorithm = "mass";
    runs.engine.answer = "a symmetric tensor with a moment of " + reading_text(truth[0][0]) + " kg m² about x";
    runs.engine.steps = engine.take();
    runs.engine.failed = tensor_error(truth, glm::transpose(truth)) > 1e-6;
    runs.verdict = runs.bug.answer + (runs.bug.failed ? " In truth" : " So it is here:") + " the moment about x is " +
                   reading_text(truth[0][0]) + " kg m².";
    return runs;
}

} // namespace cairn::core::lab::known_bugs
