#include "app/lab/known_bugs/solids/hull_seeds.h"

#include <algorithm>
#include <cmath>

namespace cairn::core::lab::known_bugs {
namespace {

using physics::Shape;
using physics::ShapeError;
using physics::Vec3;

std::size_t farthest_along(const Points& points, const Vec3& direction) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (glm::dot(points[i], direction) > glm::dot(points[best], direction)) {
            best = i;
        }
    }
    return best;
}

DVec3 at(const Points& points, std::size_t i) {
    return DVec3(points[i]);
}

void draw_seed(LabStep& step, const Points& points, std::size_t which, int number, Role role) {
    step.world.dots.push_back({at(points, which), role, std::to_string(number)});
}

} // namespace

std::pair<std::size_t, std::size_t> first_two_seeds(const Points& points) {
    const std::size_t first = farthest_along(points, Vec3(1, 0, 0));
    return {first, farthest_along(points, -points[first])};
}

std::array<std::size_t, 4> seeds(const Points& points) {
    const auto [i, j] = first_two_seeds(points);
    const Vec3 a = points[i], ab = points[j] - points[i];
    std::size_t c = i, d = i;
    for (std::size_t k = 0; k < points.size(); ++k) {
        if (glm::length(glm::cross(ab, points[k] - a)) > glm::length(glm::cross(ab, points[c] - a))) {
            c = k;
        }
    }
    const Vec3 normal = glm::cross(ab, points[c] - a);
    for (std::size_t k = 0; k < points.size(); ++k) {
        if (std::abs(glm::dot(normal, points[k] - a)) > std::abs(glm::dot(normal, points[d] - a))) {
            d = k;
        }
    }
    return {i, j, c, d};
}

float seed_determinant(const Points& points) {
    const auto [a, b, c, d] = seeds(points);
    return std::abs(glm::dot(glm::cross(points[b] - points[a], points[c] - points[a]), points[d] - points[a]));
}

Points without_duplicates(const Points& points) {
    Points kept;
    for (const Vec3& p : points) {
        const bool fresh = std::ranges::all_of(kept, [&p](const Vec3& q) { return glm::length(p - q) > 0.01f; });
        if (fresh) {
            kept.push_back(p);
        }
    }
    return kept;
}

KnownBugRuns run_hull_seeds(const Points& points) {
    KnownBugRuns runs;
    const auto built = solid_of(points);
    const Shape* truth = std::get_if<Shape>(&built);

    StepReport bug;
    const Points kept = without_duplicates(points);
    {
        LabStep& step = bug.step(std::to_string(points.size()) +
                                     " points. Those nearer than a centimetre to an "
                                     "earlier one are taken for the same, however small the whole is: " +
                                     std::to_string(kept.size()) + " are left.",
                                 "going on");
        draw_points(step.world, points, kept.size() < points.size() ? Role::dropped : Role::simplex);
        draw_points(step.world, kept);
    }
    const auto [first, second, third, fourth] = seeds(kept);
    const DVec3 p0 = at(kept, first);
    {
        LabStep& step = bug.step("Seed 1 is the point farthest along x. From it the second should be looked for "
                                 "away from it; the article looks along -p0, which is from p0 to the origin and "
                                 "knows nothing of where the other points are.",
                                 "going on");
        draw_points(step.world, kept);
        draw_seed(step, kept, first, 1, Role::newest);
        step.world.dots.push_back({DVec3(0.0), Role::origin, "O"});
        step.world.strokes.push_back({p0, DVec3(0.0), Role::wrong, true, "-p0"});
    }
    {
        LabStep& step = bug.step("", "going on");
        draw_points(step.world, kept);
        draw_seed(step, kept, first, 1, Role::simplex);
        if (second == first) {
            step.sentence = "Farthest along -p0 is seed 1 itself: the first edge of the seed has no length.";
            draw_seed(step, kept, second, 2, Role::wrong);
        } else {
            step.sentence = "Seed 2 is the point farthest along -p0.";
            draw_seed(step, kept, second, 2, Role::newest);
            step.world.strokes.push_back({p0, at(kept, second), Role::simplex, false, {}});
        }
        add_reading(step, "first edge", length_text(glm::length(at(kept, second) - p0)));
    }
    const double volume = double(seed_determinant(kept)) / 6.0;
    {
        LabStep& step = bug.step("Seeds 3 and 4 are the points farthest from the line and from the plane of those "
                                 "before.",
                                 volume > 0.0 ? "going on" : "stops: no volume");
        draw_points(step.world, kept);
        const std::array<DVec3, 4> corner{p0, at(kept, second), at(kept, third), at(kept, fourth)};
        for (std::size_t i = 0; i < 4; ++i) {
            step.world.dots.push_back({corner[i], volume > 0.0 ? Role::newest : Role::wrong, std::to_string(i + 1)});
            for (std::size_t j = i + 1; j < 4; ++j) {
                step.world.strokes.push_back({corner[i], corner[j], Role::simplex, false, {}});
            }
        }
        if (!(volume > 0.0)) {
            step.sentence += " The tetrahedron is flat: no point lies on a certain side of its faces, nothing can "
                             "grow from it, and nobody complains.";
        }
        add_reading(step, "seed's volume", reading_text(volume) + " m³");
    }
    const auto grown = solid_of(kept);
    const Shape* hull = volume > 0.0 ? std::get_if<Shape>(&grown) : nullptr;
    if (hull != nullptr) {
        LabStep& step =
            bug.step("The seed has volume: from here on the article's hull grows as it should.", "stops: done");
        draw_points(step.world, kept);
        draw_hull_edges(step.world, *hull, Role::simplex);
        add_reading(step, "volume", reading_text(double(hull->volume)) + " m³");
    }
    runs.bug.steps = bug.take();
    runs.bug.answer = hull != nullptr ? "The article's answer: a hull of " + reading_text(double(hull->volume)) + " m³."
                                      : "The article's answer: a hull without volume, and no complaint.";
    // A rejection is right where there is no hull to be had; the article never rejects.
    runs.bug.failed =
        truth == nullptr || hull == nullptr || !(std::abs(hull->volume - truth->volume) <= 0.05f * truth->volume);

    StepReport engine;
    runs.engine.algorithm = "hull";
    std::string answer;
    if (truth == nullptr) {
        answer = "the engine refuses the points: " + std::get<ShapeError>(built).reason;
        LabStep& step = engine.step("The points span no volume, and the engine says so.", "stops: refused");
        draw_points(step.world, points);
    } else {
        answer = "the hull has " + std::to_string(truth->hull->vertices.size()) + " corners and " +
                 reading_text(double(truth->volume)) + " m³";
        LabStep& step =
            engine.step("The engine puts the points on a grid that is fine beside their extent, wherever they lie, "
                        "and tells exactly on which side of a face each is.",
                        "stops: done");
        draw_points(step.world, points);
        draw_hull_edges(step.world, *truth, Role::kept);
        add_reading(step, "corners", std::to_string(truth->hull->vertices.size()));
        add_reading(step, "faces", std::to_string(truth->hull->faces.size()));
        add_reading(step, "volume", reading_text(double(truth->volume)) + " m³");
    }
    runs.engine.answer = answer;
    runs.engine.steps = engine.take();
    runs.verdict = runs.bug.answer + (runs.bug.failed ? " In truth " : " So it is here: ") + answer + ".";
    return runs;
}

} // namespace cairn::core::lab::known_bugs
