#include "app/lab/known_bugs/solids/grid_mass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace cairn::core::lab::known_bugs {
namespace {

using physics::ConvexHull;
using physics::Plane;
using physics::Shape;

constexpr int side = 100;
constexpr std::size_t most_shown_points = 400; // points in a figure

bool is_inside(const ConvexHull& hull, const DVec3& p) {
    return std::ranges::all_of(
        hull.planes, [&p](const Plane& plane) { return glm::dot(DVec3(plane.normal), p) <= double(plane.offset); });
}

// About the principal axes, the greatest first.
std::string moments_text(const glm::dmat3& tensor) {
    const DVec3 found = principal_axes(tensor).moments;
    std::array<double, 3> moments{found.x, found.y, found.z};
    std::ranges::sort(moments, std::greater<>());
    return reading_text({moments[0], moments[1], moments[2]}) + " kg m²";
}

} // namespace

Sampled sample_on_a_grid(const ConvexHull& hull, std::vector<DVec3>* points_inside) {
    const DVec3 low(hull.bounds.lower);
    const DVec3 step = (DVec3(hull.bounds.upper) - low) / double(side);
    Sampled sum;
    glm::dmat3 squares(0.0); // sum of p p^T
    for (int x = 0; x < side; ++x) {
        for (int y = 0; y < side; ++y) {
            for (int z = 0; z < side; ++z) {
                const DVec3 p = low + DVec3(x, y, z) * step;
                if (!is_inside(hull, p)) {
                    continue;
                }
                sum.centre += p;
                squares += glm::outerProduct(p, p);
                ++sum.inside;
                if (points_inside != nullptr) {
                    points_inside->push_back(p);
                }
            }
        }
    }
    const double cell = step.x * step.y * step.z;
    sum.centre /= double(std::max(sum.inside, 1));
    sum.volume = double(sum.inside) * cell;
    squares = cell * squares - sum.volume * glm::outerProduct(sum.centre, sum.centre);
    sum.inertia = glm::dmat3(squares[0][0] + squares[1][1] + squares[2][2]) - squares;
    return sum;
}

KnownBugRuns run_grid_mass(const Points& points) {
    const auto built = solid_of(points);
    if (const auto* error = std::get_if<physics::ShapeError>(&built)) {
        throw std::invalid_argument(error->reason);
    }
    const Shape& shape = std::get<Shape>(built);
    const DVec3 offset(shape.author_offset);
    const double size = 2.0 * double(shape.bounding_radius);
    const DVec3 extent = DVec3(shape.hull->bounds.upper) - DVec3(shape.hull->bounds.lower);
    std::vector<DVec3> inside;
    const Sampled sampled = sample_on_a_grid(*shape.hull, &inside);
    const double volume = double(shape.volume);
    const glm::dmat3 inertia(shape.unit_inertia);

    KnownBugRuns runs;
    StepReport bug;
    {
        LabStep& step = bug.step("The article lays a grid of 100 x 100 x 100 points over the bounds of the body, "
                                 "and asks of each of a million points whether it lies inside.",
                                 "going on");
        draw_hull_edges(step.world, shape, Role::simplex);
        draw_points(step.world, points);
        add_reading(step, "step of the grid", reading_text(extent / double(side)) + " m");
        add_reading(step, "thickness", length_text(2.0 * double(shape.inner_radius)));
    }
    {
        LabStep& step = bug.step(reading_text(double(sampled.inside)) +
                                     " of them do. The body is thin beside the steps, so that it is luck which "
                                     "ones.",
                                 "going on");
        if (2.0 * double(shape.inner_radius) > 10.0 * std::max({extent.x, extent.y, extent.z}) / side) {
            step.sentence = reading_text(double(sampled.inside)) + " of them do.";
        }
        draw_hull_edges(step.world, shape, Role::simplex);
        const std::size_t every = inside.size() / most_shown_points + 1;
        for (std::size_t i = 0; i < inside.size(); i += every) {
            step.world.dots.push_back({offset + inside[i], Role::newest, {}});
        }
        add_reading(step, "points inside", std::to_string(sampled.inside));
        add_reading(step, "shown", "one in " + std::to_string(every));
    }
    {
        LabStep& step = bug.step("Each stands for a cell of the grid: their number is the volume, their middle the "
                                 "centre of mass. The cells begin at the points and do not surround them, which "
                                 "moves even a thick body's centre by half a step.",
                                 "stops");
        draw_hull_edges(step.world, shape, Role::simplex);
        draw_axes(step.world, offset, inertia, size, Role::kept);
        if (sampled.inside > 0) {
            draw_axes(step.world, offset + sampled.centre, sampled.inertia, size, Role::wrong);
            step.world.dots.push_back({offset + sampled.centre, Role::wrong, "centre, article"});
        }
        step.world.dots.push_back({offset, Role::kept, "centre of mass"});
        add_reading(step, "volume, article", reading_text(sampled.volume) + " m³");
        add_reading(step, "volume, truly", reading_text(volume) + " m³");
        add_reading(step, "centre is off by", length_text(glm::length(sampled.centre)));
        add_reading(step, "moments, article", moments_text(sampled.inertia));
        add_reading(step, "moments, truly", moments_text(inertia));
    }
    runs.bug.steps = bug.take();
    runs.bug.failed = !(std::abs(sampled.volume - volume) <= 0.05 * volume) ||
                      tensor_error(sampled.inertia, inertia) > 0.05 || glm::length(sampled.centre) > 0.05 * size;
    runs.bug.answer = "The article's answer: a volume of " + reading_text(sampled.volume) +
                      " m³, after a million "
                      "questions.";

    StepReport engine;
    LabStep& step = engine.step("The engine sums closed integrals over the tetrahedra between the faces and a point "
                                "inside: volume, centre and moments come out exactly, in a few operations a face.",
                                "stops: exact");
    draw_hull_edges(step.world, shape, Role::simplex);
    draw_axes(step.world, offset, inertia, size, Role::kept);
    step.world.dots.push_back({offset, Role::kept, "centre of mass"});
    add_reading(step, "volume", reading_text(volume) + " m³");
    add_reading(step, "centre of mass", reading_text(offset) + " m");
    add_reading(step, "moments, 1 kg/m³", moments_text(inertia));
    runs.engine.algorithm = "mass";
    runs.engine.answer = "a volume of " + reading_text(volume) + " m³";
    runs.engine.steps = engine.take();
    runs.verdict = runs.bug.answer + (runs.bug.failed ? " In truth" : " So it is here, nearly:") + " it is " +
                   reading_text(volume) + " m³.";
    return runs;
}

} // namespace cairn::core::lab::known_bugs
