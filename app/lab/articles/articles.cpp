#include "app/lab/articles/articles.h"

#include "app/lab/algorithms.h"
#include "app/lab/articles/advancement.h"
#include "app/lab/articles/box_inertia.h"
#include "app/lab/articles/engine_side.h"
#include "app/lab/articles/expanding.h"
#include "app/lab/articles/grid_mass.h"
#include "app/lab/articles/hull_seeds.h"
#include "app/lab/articles/padded_simplex.h"
#include "app/lab/articles/stale_direction.h"
#include "app/lab/articles/unused_slots.h"
#include "app/lab/articles/zero_direction.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace cairn::core::lab::articles {
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

LabPair box_towards_ball() {
    LabPair pair = standing(unit_box, physics::Sphere{0.5f}, Vec3(0, 4, 0));
    pair.name_a = "the box";
    pair.name_b = "the ball";
    pair.sweep_a.linear_velocity = Vec3(0, 3, 0);
    pair.duration = 2.0f;
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

LabPair beside_each_other() {
    LabPair pair = standing(unit_box, unit_box, Vec3(0, 2.5f, 0.25f));
    pair.sweep_b.start.orientation = physics::normalized(physics::Quat(1, 0, 0, 0.15f));
    return pair;
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

// What an article is, and how it is run: one of the two groups of functions is set.
struct Entry {
    Article article;
    LabPair (*pair)() = nullptr;
    LabRun (*on_pair)(const LabPair& pair) = nullptr;
    std::vector<Vec3> (*points)() = nullptr;
    ArticleRuns (*on_points)(const std::vector<Vec3>& points) = nullptr;
};

const std::array entries{
    Entry{{1, "inertia-parallel-axis", "An offset in the inertia of a box",
           "The tensor of a box is taken about the origin of its points and not about its centre of mass, and one "
           "product of the offset has the wrong sign, so that the tensor is not symmetric.",
           "The engine's tensor is about the centre of mass, where there is no offset; where shapes make up a body its "
           "products are all negative.",
           "mass", Takes::points},
          nullptr,
          nullptr,
          box_off_the_origin,
          run_box_inertia},
    Entry{{2, "toi-mixed-frames", "Speeds of points in mixed frames",
           "The bound on how fast a turning body's points close skips the first vertex, and crosses points in the "
           "body's frame with a spin in the world's. It comes out too low, the steps too long, and bodies tunnel.",
           "The engine's bound is in one frame, goes over the whole shape, and never lies below the true speed.",
           "advancement", Takes::moving_pair},
          tip_against_post,
          run_mixed_frames},
    Entry{{3, "gjk-unused-slots", "Unused slots taken for points",
           "A support point that the simplex has already ends the search as \"apart\". The comparison runs over all "
           "four slots, and those not in use hold zeros: a support point at the origin, where shapes touch, counts as "
           "a duplicate.",
           "The engine compares with the points that are in use, and a simplex that reaches the origin is a touch.",
           "gjk_epa", Takes::any_pair},
          corner_on_corner,
          run_unused_slots},
    Entry{{4, "gjk-flat-padding", "EPA starts from a flat tetrahedron",
           "EPA wants a tetrahedron, and GJK may end with less. The simplex is filled up with support points without a "
           "look whether the last one lies in the plane of the others; a face without area then has no normal.",
           "The engine starts its polytope from a simplex of any size, and looks for points on both sides of a flat "
           "one.",
           "gjk_epa", Takes::any_pair},
          face_on_face,
          run_padded_simplex},
    Entry{{5, "epa-squared-millimetre", "Nearest by the square, and done at a millimetre",
           "The nearest face is found by the square of its distance, so that a face which the origin lies beyond looks "
           "far. And a support that gains less than 1 mm ends the search, however small the shapes are.",
           "The engine compares signed distances, and goes on until what is left to gain is small beside the shapes.",
           "gjk_epa", Takes::any_pair},
          very_small,
          run_nearest_by_square},
    Entry{{6, "toi-ten-steps", "No hit after ten steps",
           "Conservative advancement stops after ten steps. If the shapes have not touched by then the answer is that "
           "they do not.",
           "The engine needs fewer and longer steps, and where it runs out of them it says up to which time nothing "
           "touches.",
           "advancement", Takes::moving_pair},
          fast_spin,
          run_gives_up},
    Entry{{7, "hull-seeds", "Seeds of a hull along -p0",
           "The second point of the hull's seed is the farthest along -p0, which depends on where the origin is. Flat "
           "input goes unnoticed, and points within a centimetre count as one.",
           "The engine's hull depends on the points alone: tolerances are relative to their extent, and what has no "
           "volume is refused with a reason.",
           "hull", Takes::points},
          nullptr,
          nullptr,
          pyramid,
          run_hull_seeds},
    Entry{{8, "mass-on-a-grid", "Mass properties from a million samples",
           "Volume, centre and inertia are counted on a grid of a hundred points a side over the bounds: slow, off by "
           "half a step, and by anything for a thin body.",
           "The engine sums closed integrals over the faces: exact, and done at once.", "mass", Takes::points},
          nullptr,
          nullptr,
          thin_spike,
          run_grid_mass},
    Entry{{9, "toi-unset-normal", "No normal for shapes apart",
           "The contact of shapes that do not overlap has its distance, but not its normal: it stays (0, 0, 0), and "
           "along that nothing ever closes.",
           "The engine's normal is always set, whether the shapes are apart, touch or overlap.", "advancement",
           Takes::moving_pair},
          box_towards_ball,
          run_normal_unset},
    Entry{{10, "region-gjk-zero-direction", "A direction of no length",
           "Where the origin lies on the line of two points the cross product for the next direction is zero, and so "
           "is the product of any point with it: that is read as \"apart\". Touching is too, and the loop has no cap.",
           "The engine takes the origin on a simplex for a touch, and every loop of it is bounded and says how it "
           "ended.",
           "region_gjk", Takes::any_pair},
          one_in_the_other,
          run_zero_direction},
    Entry{
        {11, "epa-seen-from-origin", "Faces removed as the origin sees them",
         "A face goes when its normal points the way of the new point as seen from the origin, not when the point "
         "lies before its plane. And a normal that points inwards is turned without the corners, so that shared edges "
         "do not cancel: the rim comes out wrong, or empty.",
         "The engine removes the faces before whose planes the point lies, and keeps normals and corners in one "
         "order.",
         "gjk_epa", Takes::any_pair},
        deep,
        run_seen_from_origin},
    Entry{{12, "region-gjk-stale-direction", "The first direction for ever",
           "The direction is handed over as a copy, so that what the simplex test finds is lost; a second point short "
           "of the origin is not noticed; and after the faces of a tetrahedron the answer is true, whatever they "
           "found.",
           "The engine searches along what the last simplex tells, ends at the first point that falls short, and "
           "answers from the region in which the origin lies.",
           "region_gjk", Takes::any_pair},
          beside_each_other,
          run_stale_direction},
};

const auto articles = [] {
    std::array<Article, entries.size()> list;
    std::transform(entries.begin(), entries.end(), list.begin(), [](const Entry& entry) { return entry.article; });
    return list;
}();

const Entry& entry_of(const Article& article) {
    return *std::find_if(entries.begin(), entries.end(),
                         [&article](const Entry& entry) { return entry.article.number == article.number; });
}

[[noreturn]] void refuse(const Article& article, const char* what) {
    throw std::invalid_argument(std::string(article.key) + " takes no " + what);
}

} // namespace

std::span<const Article> all_articles() {
    return articles;
}

const Article* find_article(std::string_view key) {
    const auto found =
        std::find_if(articles.begin(), articles.end(), [key](const Article& article) { return article.key == key; });
    return found == articles.end() ? nullptr : &*found;
}

LabPair preset_pair(const Article& article) {
    const Entry& entry = entry_of(article);
    if (entry.pair == nullptr) {
        refuse(article, "pair");
    }
    return entry.pair();
}

std::vector<Vec3> preset_points(const Article& article) {
    const Entry& entry = entry_of(article);
    if (entry.points == nullptr) {
        refuse(article, "points");
    }
    return entry.points();
}

std::optional<std::string> refusal(const Article& article, const LabPair& pair) {
    if (article.takes == Takes::points) {
        return "this is about one body, and not about a pair";
    }
    if (article.takes == Takes::moving_pair) {
        return lab::refusal(Algorithm::advancement, pair);
    }
    return std::nullopt;
}

ArticleRuns run_on_pair(const Article& article, const LabPair& pair) {
    const Entry& entry = entry_of(article);
    if (const auto reason = refusal(article, pair)) {
        throw std::invalid_argument(std::string(article.key) + ": " + *reason);
    }
    ArticleRuns runs;
    runs.article = entry.on_pair(pair);
    runs.article.algorithm = article.key;
    if (article.takes == Takes::moving_pair) {
        runs.engine = run(Algorithm::advancement, pair);
        runs.verdict = verdict(runs.article, truth_text(engine_impact(pair), pair.duration));
    } else {
        // Two balls have points for cores, and no simplex to grow: the engine has a closed form for them.
        const bool balls = pair.a.kind == physics::ShapeKind::sphere && pair.b.kind == physics::ShapeKind::sphere;
        runs.engine = run(balls ? Algorithm::engine : Algorithm::gjk_epa, pair);
        runs.verdict = verdict(runs.article, truth_text(engine_answer(pair)));
    }
    return runs;
}

ArticleRuns run_on_points(const Article& article, const std::vector<Vec3>& points) {
    const Entry& entry = entry_of(article);
    if (entry.on_points == nullptr) {
        refuse(article, "points");
    }
    ArticleRuns runs = entry.on_points(points);
    runs.article.algorithm = article.key;
    return runs;
}

ArticleRuns run_preset(const Article& article) {
    return article.takes == Takes::points ? run_on_points(article, preset_points(article))
                                          : run_on_pair(article, preset_pair(article));
}

} // namespace cairn::core::lab::articles
