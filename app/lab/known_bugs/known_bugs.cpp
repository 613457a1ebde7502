#include "app/lab/known_bugs/known_bugs.h"

#include "app/lab/known_bugs/queries/advancement.h"
#include "app/lab/known_bugs/queries/expanding.h"
#include "app/lab/known_bugs/queries/padded_simplex.h"
#include "app/lab/known_bugs/queries/unused_slots.h"
#include "app/lab/known_bugs/queries/zero_direction.h"
#include "app/lab/known_bugs/solids/box_inertia.h"
#include "app/lab/known_bugs/solids/grid_mass.h"
#include "app/lab/known_bugs/solids/hull_seeds.h"
#include "app/lab/known_bugs/support/engine_side.h"
#include "app/lab/tracers/algorithms.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace cairn::core::lab::known_bugs {
namespace {

using physics::Box;
using physics::Shape;
using physics::Vec3;

Shape built(const physics::Geometry& geometry) {
    auto shape = build_shape(geometry);
    if (const auto* error = std::get_if<physics::ShapeError>(&shape)) {
        throw std::logic_error(error->reason);
    }
    return std::get<Shape>(std::move(shape));
}

LabPair standing(const physics::Geometry& a, const physics::Geometry& b, const Vec3& b_at) {
    LabPair pair;
    pair.a = built(a);
    pair.b = built(b);
    pair.sweep_b.start.position = b_at;
    return pair;
}

const Box unit_box{Vec3(1.0f)};

LabPair corner_on_corner() {
    return standing(unit_box, unit_box, Vec3(-2, -2, -2));
}

const Box beam{Vec3(3.0f, 0.25f, 0.25f)};
const Box post{Vec3(0.1f, 0.1f, 1.0f)};

// The beam lies along y, so that its own axes are not the world's; the post stands near its tip.
LabPair tip_against_post() {
    LabPair pair = standing(beam, post, Vec3(-0.7f, 2.5f, 0));
    pair.name_a = "the beam";
    pair.name_b = "the post";
    pair.sweep_a.start.orientation = physics::normalized(physics::Quat(1, 0, 0, 1));
    pair.sweep_a.angular_velocity = Vec3(0, 0, 20);
    pair.duration = 0.1f;
    return pair;
}

// The bound on the speed is that of the tips, and the post stands near the middle: many short steps.
LabPair fast_spin() {
    LabPair pair = standing(beam, post, Vec3(0, 0.8f, 0));
    pair.name_a = "the beam";
    pair.name_b = "the post";
    pair.sweep_a.angular_velocity = Vec3(0, 0, 20);
    pair.duration = 0.2f;
    return pair;
}

LabPair face_on_face() {
    return standing(unit_box, unit_box, Vec3(0.5f, 2, 0.5f));
}

LabPair very_small() {
    const Box tiny{Vec3(3e-4f)};
    return standing(tiny, tiny, Vec3(1e-4f, 0, 0));
}

LabPair deep() {
    return standing(Box{Vec3(0.75f, 0.75f, 0.575f)}, Box{Vec3(0.75f, 0.75f, 0.575f)}, -Vec3(1.0f, 1.0f, 0.85f));
}

LabPair one_in_the_other() {
    return standing(unit_box, unit_box, Vec3(0.0f));
}

std::vector<Vec3> box_off_the_origin() {
    return {Vec3(1, 2, 4), Vec3(3, 2, 4), Vec3(1, 5, 4), Vec3(3, 5, 4),
            Vec3(1, 2, 5), Vec3(3, 2, 5), Vec3(1, 5, 5), Vec3(3, 5, 5)};
}

// Points at the origin from one side, so that its tip is the farthest point both along x and along -p0.
std::vector<Vec3> pyramid() {
    return {Vec3(-1, 0, 0), Vec3(-3, 1, 1), Vec3(-3, -1, 1), Vec3(-3, 1, -1), Vec3(-3, -1, -1)};
}

// A spike of 2 m across the grid, 12 mm wide at its foot: hardly more than a step.
std::vector<Vec3> thin_spike() {
    const Vec3 half = glm::normalize(Vec3(1.0f, 0.9f, 0.8f));
    const Vec3 u = physics::any_perpendicular(half), v = glm::cross(half, u);
    std::vector<Vec3> points{half};
    for (const Vec3& side : {u + v, u - v, -u + v, -u - v}) {
        points.push_back(0.006f * side - half);
    }
    return points;
}

const std::array known_bugs{
    KnownBug{
        1, "inertia-parallel-axis", "An offset in the inertia of a box",
        "The tensor of a box is taken about the origin of its points and not about its centre of mass, and one "
        "product of the offset has the wrong sign, so that the tensor is not symmetric.",
        "The engine's tensor is about the centre of mass, where there is no offset; where shapes make up a body its "
        "products are all negative.",
        "mass", Takes::points, nullptr, nullptr, box_off_the_origin, run_box_inertia},
    KnownBug{2, "toi-mixed-frames", "Speeds of points in mixed frames",
             "The bound on how fast a turning body's points close skips the first vertex, and crosses points in the "
             "body's frame with a spin in the world's. It comes out too low, the steps too long, and bodies tunnel.",
             "The engine's bound is in one frame, goes over the whole shape, and never lies below the true speed.",
             "advancement", Takes::moving_pair, tip_against_post, run_mixed_frames},
    KnownBug{
        3, "gjk-unused-slots", "Unused slots taken for points",
        "A support point that the simplex has already ends the search as \"apart\". The comparison runs over all "
        "four slots, and those not in use hold zeros: a support point at the origin, where shapes touch, counts as "
        "a duplicate.",
        "The engine compares with the points that are in use, and a simplex that reaches the origin is a touch.",
        "gjk_epa", Takes::any_pair, corner_on_corner, run_unused_slots},
    KnownBug{
        4, "gjk-flat-padding", "EPA starts from a flat tetrahedron",
        "EPA wants a tetrahedron, and GJK may end with less. The simplex is filled up with support points without a "
        "look whether the last one lies in the plane of the others; a face without area then has no normal.",
        "The engine starts its polytope from a simplex of any size, and looks for points on both sides of a flat "
        "one.",
        "gjk_epa", Takes::any_pair, face_on_face, run_padded_simplex},
    KnownBug{
        5, "epa-squared-millimetre", "Nearest by the square, and done at a millimetre",
        "The nearest face is found by the square of its distance, so that a face which the origin lies beyond looks "
        "far. And a support that gains less than 1 mm ends the search, however small the shapes are.",
        "The engine compares signed distances, and goes on until what is left to gain is small beside the shapes.",
        "gjk_epa", Takes::any_pair, very_small, run_nearest_by_square},
    KnownBug{
        6, "toi-ten-steps", "No hit after ten steps",
        "Conservative advancement stops after ten steps. If the shapes have not touched by then the answer is that "
        "they do not.",
        "The engine needs fewer and longer steps, and where it runs out of them it says up to which time nothing "
        "touches.",
        "advancement", Takes::moving_pair, fast_spin, run_gives_up},
    KnownBug{
        7, "hull-seeds", "Seeds of a hull along -p0",
        "The second point of the hull's seed is the farthest along -p0, which depends on where the origin is. Flat "
        "input goes unnoticed, and points within a centimetre count as one.",
        "The engine's hull depends on the points alone: tolerances are relative to their extent, and what has no "
        "volume is refused with a reason.",
        "hull", Takes::points, nullptr, nullptr, pyramid, run_hull_seeds},
    KnownBug{
        8, "mass-on-a-grid", "Mass properties from a million samples",
        "Volume, centre and inertia are counted on a grid of a hundred points a side over the bounds: slow, off by "
        "half a step, and by anything for a thin body.",
        "The engine sums closed integrals over the faces: exact, and done at once.", "mass", Takes::points, nullptr,
        nullptr, thin_spike, run_grid_mass},
    KnownBug{
        9, "region-gjk-zero-direction", "A direction of no length",
        "Where the origin lies on the line of two points the cross product for the next direction is zero, and so "
        "is the product of any point with it: that is read as \"apart\". Touching is too, and the loop has no cap.",
        "The engine takes the origin on a simplex for a touch, and every loop of it is bounded and says how it "
        "ended.",
        "region_gjk", Takes::any_pair, one_in_the_other, run_zero_direction},
    KnownBug{
        10, "epa-seen-from-origin", "Faces removed as the origin sees them",
        "A face goes when its normal points the way of the new point as seen from the origin, not when the point "
        "lies before its plane. And a normal that points inwards is turned without the corners, so that shared edges "
        "do not cancel: the rim comes out wrong, or empty.",
        "The engine removes the faces before whose planes the point lies, and keeps normals and corners in one "
        "order.",
        "gjk_epa", Takes::any_pair, deep, run_seen_from_origin},
};

[[noreturn]] void reject(const KnownBug& bug, const char* what) {
    throw std::invalid_argument(std::string(bug.key) + " takes no " + what);
}

} // namespace

std::span<const KnownBug> all_known_bugs() {
    return known_bugs;
}

LabPair preset_pair(const KnownBug& bug) {
    if (bug.pair == nullptr) {
        reject(bug, "pair");
    }
    return bug.pair();
}

std::vector<Vec3> preset_points(const KnownBug& bug) {
    if (bug.points == nullptr) {
        reject(bug, "points");
    }
    return bug.points();
}

std::optional<std::string> rejection(const KnownBug& bug, const LabPair& pair) {
    if (bug.takes == Takes::points) {
        return "this is about one body, and not about a pair";
    }
    if (bug.takes == Takes::moving_pair) {
        return lab::rejection(Algorithm::advancement, pair);
    }
    return std::nullopt;
}

KnownBugRuns run_on_pair(const KnownBug& bug, const LabPair& pair) {
    if (const auto reason = rejection(bug, pair)) {
        throw std::invalid_argument(std::string(bug.key) + ": " + *reason);
    }
    KnownBugRuns runs;
    runs.bug = bug.on_pair(pair);
    runs.bug.algorithm = bug.key;
    if (bug.takes == Takes::moving_pair) {
        runs.engine = run(Algorithm::advancement, pair);
        runs.verdict = verdict(runs.bug, truth_text(engine_impact(pair), pair.duration));
    } else {
        // Two balls have points for cores, and no simplex to grow: the engine has a closed form for them.
        const bool balls = pair.a.kind == physics::ShapeKind::sphere && pair.b.kind == physics::ShapeKind::sphere;
        runs.engine = run(balls ? Algorithm::engine : Algorithm::gjk_epa, pair);
        runs.verdict = verdict(runs.bug, truth_text(engine_answer(pair)));
    }
    return runs;
}

KnownBugRuns run_on_points(const KnownBug& bug, const std::vector<Vec3>& points) {
    if (bug.on_points == nullptr) {
        reject(bug, "points");
    }
    KnownBugRuns runs = bug.on_points(points);
    runs.bug.algorithm = bug.key;
    return runs;
}

KnownBugRuns run_preset(const KnownBug& bug) {
    return bug.takes == Takes::points ? run_on_points(bug, preset_points(bug)) : run_on_pair(bug, preset_pair(bug));
}

} // namespace cairn::core::lab::known_bugs
