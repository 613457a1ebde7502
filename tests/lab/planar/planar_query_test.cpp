// Distance and depth of polygons against an exact oracle: the Minkowski sum of one and the other mirrored, by merging
// their edges in the order of their directions.
#include "app/lab/planar/planar_pairs.h"
#include "app/lab/planar/planar_tracer.h"
#include "tests/physics/query/oracle.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace cairn::core::lab::planar {
namespace {

using physics::oracle::Random;

// From the lowest corner (the leftmost of several), edge by edge.
void start_at_lowest(std::vector<DVec2>& corners) {
    std::rotate(corners.begin(),
                std::min_element(corners.begin(), corners.end(),
                                 [](const DVec2& p, const DVec2& q) { return p.y != q.y ? p.y < q.y : p.x < q.x; }),
                corners.end());
}

std::vector<DVec2> merged_difference(const PlanarPair& pair) {
    std::vector<DVec2> a = placed_corners(pair.a, pair.a.position);
    std::vector<DVec2> b = placed_corners(pair.b, pair.a.position);
    for (DVec2& p : b) {
        p = -p; // turned by half a turn: still counter-clockwise
    }
    start_at_lowest(a);
    start_at_lowest(b);
    std::vector<DVec2> sum;
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        sum.push_back(a[i % a.size()] + b[j % b.size()]);
        const DVec2 of_a = a[(i + 1) % a.size()] - a[i % a.size()];
        const DVec2 of_b = b[(j + 1) % b.size()] - b[j % b.size()];
        const double turn = i == a.size() ? -1.0 : j == b.size() ? 1.0 : cross(of_a, of_b);
        i += turn >= 0.0;
        j += turn <= 0.0;
    }
    return sum;
}

// Signed: negative inside.
double distance_of_origin(const std::vector<DVec2>& polygon) {
    double outside = 1e300, inside = 1e300;
    bool within = true;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const DVec2 p = polygon[i], edge = polygon[(i + 1) % polygon.size()] - p;
        const double length = glm::length(edge);
        if (!(length > 0.0)) {
            continue;
        }
        const double height = cross(edge, -p) / length; // positive inside
        within = within && height >= 0.0;
        inside = std::min(inside, height);
        const double along = std::clamp(-glm::dot(p, edge) / (length * length), 0.0, 1.0);
        outside = std::min(outside, glm::length(p + along * edge));
    }
    return within ? -inside : outside;
}

double signed_height(const Placed& placed, const DVec2& point) { // positive outside
    const std::vector<DVec2> corners = placed_corners(placed, DVec2(0.0));
    double most = -1e300;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const DVec2 edge = corners[(i + 1) % corners.size()] - corners[i];
        most = std::max(most, glm::dot(glm::normalize(right_of(edge)), point - corners[i]));
    }
    return most;
}

double extent(const std::vector<DVec2>& corners) {
    double most = 0.0;
    for (const DVec2& p : corners) {
        most = std::max(most, glm::length(p - corners.front()));
    }
    return most;
}

Polygon made(const std::vector<DVec2>& points) {
    auto polygon = polygon_of(points);
    if (const auto* error = std::get_if<PolygonError>(&polygon)) {
        throw std::runtime_error(error->reason);
    }
    return std::get<Polygon>(std::move(polygon));
}

Polygon random_polygon(Random& random) {
    const int kind = random.below(5);
    for (;;) {
        std::vector<DVec2> points;
        const int n = kind == 4 ? 40 : 3 + random.below(7);
        const double flat = kind == 2 ? random.log_between(1e-5, 1e-2) : 1.0;
        const double scale = kind == 3 ? 1e-3 : 1.0;
        if (kind == 1) { // corners on a grid: parallel edges, ties
            for (int i = 0; i < n; ++i) {
                const double y = random.below(5) - 2, x = random.below(5) - 2;
                points.emplace_back(0.5 * x, 0.5 * y);
            }
        } else {
            for (int i = 0; i < n; ++i) {
                const double y = random.between(-1.0, 1.0), x = random.between(-1.0, 1.0);
                points.emplace_back(scale * x, scale * flat * y);
            }
        }
        auto polygon = polygon_of(points);
        if (auto* good = std::get_if<Polygon>(&polygon)) {
            return std::move(*good);
        }
    }
}

PlanarPair random_pair(Random& random, int i) {
    PlanarPair pair;
    pair.a.polygon = random_polygon(random);
    pair.b.polygon = random_polygon(random);
    if (i % 3 != 0) { // else along the axes: parallel edges, ties
        pair.a.angle = random.between(-4.0, 4.0);
        pair.b.angle = random.between(-4.0, 4.0);
    }
    const double reach = i % 4 == 0 ? 0.3 : 2.5;
    const double y = random.between(-reach, reach), x = random.between(-reach, reach);
    pair.b.position = {x, y};
    if (i % 5 == 0) { // moved so that they touch, or nearly
        const double distance = distance_of_origin(merged_difference(pair));
        const PlanarAnswer answer = planar_distance(pair);
        const double gap =
            random.below(3) == 0 ? 0.0 : (random.below(2) == 0 ? 1.0 : -1.0) * random.log_between(1e-12, 1e-4);
        pair.b.position -= (distance - gap) * answer.normal;
    }
    if (i % 7 == 0) { // far from the origin
        pair.a.position += DVec2(512.0, -4096.0);
        pair.b.position += DVec2(512.0, -4096.0);
    }
    return pair;
}

void check_answer(const PlanarPair& pair, const PlanarAnswer& answer, double truth, double size) {
    ASSERT_NE(answer.status, PlanarStatus::failed);
    const double within = 1e-9 * size + 1e-12; // coordinates in the thousands end there
    ASSERT_NEAR(answer.distance, truth, within);
    ASSERT_NEAR(glm::length(answer.normal), 1.0, 1e-12);
    ASSERT_LT(glm::length(answer.point_b - answer.point_a - answer.distance * answer.normal), within);
    ASSERT_NEAR(signed_height(pair.a, answer.point_a), 0.0, within) << "a lies on the border of A";
    ASSERT_NEAR(signed_height(pair.b, answer.point_b), 0.0, within);
    // Moved by it they touch.
    PlanarPair moved = pair;
    moved.b.position -= answer.distance * answer.normal;
    ASSERT_NEAR(distance_of_origin(merged_difference(moved)), 0.0, within);
}

TEST(Planar, AnswersAreThoseOfTheMergedEdges) {
    Random random(31);
    int apart = 0, touching = 0, overlapping = 0, contained = 0, most_rounds = 0;
    for (int i = 0; i < 100000; ++i) {
        SCOPED_TRACE(i);
        const PlanarPair pair = random_pair(random, i);
        const std::vector<DVec2> difference = merged_difference(pair);
        const double truth = distance_of_origin(difference);
        const PlanarAnswer answer = planar_distance(pair);
        check_answer(pair, answer, truth, extent(difference));
        if (::testing::Test::HasFatalFailure()) {
            return;
        }
        apart += answer.status == PlanarStatus::separated;
        touching += answer.status == PlanarStatus::touching;
        overlapping += answer.status == PlanarStatus::overlapping;
        const std::vector<DVec2> corners = placed_corners(pair.b, DVec2(0.0));
        contained +=
            std::all_of(corners.begin(), corners.end(), [&](const DVec2& p) { return signed_height(pair.a, p) < 0.0; });
        most_rounds = std::max({most_rounds, answer.gjk_rounds, answer.epa_rounds});
    }
    EXPECT_GT(apart, 20000);
    EXPECT_GT(touching, 5000);
    EXPECT_GT(overlapping, 20000);
    EXPECT_GT(contained, 1000);
    EXPECT_GT(most_rounds, 10);
    EXPECT_LT(most_rounds, 60);
}

bool near(const DVec2& p, const DVec2& q) {
    return glm::length(p - q) < 1e-9;
}

// What is told is what was done: bounds close in, the edge that is split is the nearest, and the end is the answer.
TEST(Planar, TracesAreConsistentWithTheAnswers) {
    Random random(32);
    int expanded = 0;
    for (int i = 0; i < 100000; ++i) {
        SCOPED_TRACE(i);
        const PlanarPair pair = random_pair(random, i);
        PlanarTrace trace;
        const PlanarAnswer answer = planar_distance(pair, &trace);
        const PlanarAnswer untraced = planar_distance(pair);
        ASSERT_EQ(answer.distance, untraced.distance);
        ASSERT_EQ(answer.normal, untraced.normal);
        ASSERT_EQ(answer.point_a, untraced.point_a);
        ASSERT_EQ(answer.point_b, untraced.point_b);
        ASSERT_EQ(int(trace.gjk.size()), answer.gjk_rounds);
        ASSERT_EQ(int(trace.epa.size()), answer.epa_rounds);
        double at_most = 1e300, at_least = 0.0;
        for (const PlanarTrace::GjkRound& round : trace.gjk) {
            ASSERT_NEAR(glm::length(round.direction), 1.0, 1e-12);
            ASSERT_TRUE(near(round.found.w, round.found.on_a - round.found.on_b));
            ASSERT_GE(round.at_least, at_least);
            ASSERT_LE(glm::length(round.nearest), at_most + 1e-12);
            at_least = round.at_least;
            at_most = glm::length(round.nearest);
            ASSERT_LE(at_least, at_most + 1e-9);
        }
        double depth = -1e300;
        for (const PlanarTrace::EpaRound& round : trace.epa) {
            if (depth >= 0.0) { // else the origin lies outside, by less than counts
                ASSERT_GE(round.offset, depth - 1e-12) << "the nearest edge only ever moves out";
            }
            depth = round.offset;
            const std::size_t n = round.polygon.size();
            for (std::size_t k = 0; k < n; ++k) {
                const DVec2 p = round.polygon[k].w, q = round.polygon[(k + 1) % n].w;
                ASSERT_GE(glm::dot(glm::normalize(right_of(q - p)), p), round.offset - 1e-12);
            }
            ASSERT_EQ(round.ends, &round == &trace.epa.back());
        }
        if (!trace.epa.empty()) {
            ++expanded;
            ASSERT_EQ(answer.distance, -depth);
        } else {
            ASSERT_EQ(answer.distance, at_most);
        }
    }
    EXPECT_GT(expanded, 20000);
}

const Lesson& lesson_named(std::string_view key) {
    return *std::ranges::find(all_lessons(), key, &Lesson::key);
}

TEST(Planar, PositionsFarOutCostNothing) {
    PlanarPair pair = lesson_named("shallow").pair();
    const PlanarAnswer near_by = planar_distance(pair);
    pair.a.position += DVec2(4096.0, 8192.0);
    pair.b.position += DVec2(4096.0, 8192.0);
    const PlanarAnswer far_out = planar_distance(pair);
    EXPECT_NEAR(far_out.distance, near_by.distance, 1e-11);
    EXPECT_LT(glm::length(far_out.point_a - near_by.point_a - DVec2(4096.0, 8192.0)), 1e-9);
}

TEST(Planar, RunningOutOfRoundsIsSaid) {
    PlanarSettings one;
    one.most_rounds = 1;
    const PlanarPair deep = lesson_named("contained").pair();
    EXPECT_EQ(planar_distance(deep, nullptr, one).status, PlanarStatus::failed);
    EXPECT_EQ(planar_distance(deep).status, PlanarStatus::overlapping);
    EXPECT_GT(planar_distance(deep).epa_rounds, 3);
}

TEST(Planar, OriginOnACornerOfTheDifference) {
    const Polygon square = made({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
    for (const DVec2& at : {DVec2(2, 2), DVec2(-2, 2), DVec2(2, -2), DVec2(-2, -2), DVec2(2, 0), DVec2(0, -2)}) {
        PlanarPair pair;
        pair.a.polygon = pair.b.polygon = square;
        pair.b.position = at;
        const PlanarAnswer answer = planar_distance(pair);
        EXPECT_EQ(answer.status, PlanarStatus::touching);
        EXPECT_NEAR(answer.distance, 0.0, 1e-12);
        EXPECT_GT(glm::dot(answer.normal, at), 0.0);
        EXPECT_TRUE(near(answer.point_a, answer.point_b));
    }
    PlanarPair same;
    same.a.polygon = same.b.polygon = square;
    EXPECT_NEAR(planar_distance(same).distance, -2.0, 1e-12) << "one in the place of the other";
}

TEST(Planar, DifferenceIsThatOfTheMergedEdges) {
    Random random(33);
    for (int i = 0; i < 300; ++i) {
        const PlanarPair pair = random_pair(random, i);
        const std::vector<DVec2> mine = difference_polygon(pair), merged = merged_difference(pair);
        for (int k = 0; k < 40; ++k) {
            const DVec2 d(std::cos(0.157 * k), std::sin(0.157 * k));
            const auto reach = [&d](const std::vector<DVec2>& points) {
                double most = -1e300;
                for (const DVec2& p : points) {
                    most = std::max(most, glm::dot(p, d));
                }
                return most;
            };
            ASSERT_NEAR(reach(mine), reach(merged), 1e-8);
        }
    }
}

std::set<Role> roles_of(const LabRun& run) {
    std::set<Role> roles;
    for (const LabStep& step : run.steps) {
        for (const Figure* figure : {&step.difference, &step.world}) {
            for (const Dot& dot : figure->dots) {
                EXPECT_EQ(dot.at.z, 0.0);
                roles.insert(dot.role);
            }
            for (const Stroke& stroke : figure->strokes) {
                EXPECT_EQ(stroke.from.z, 0.0);
                EXPECT_LT(glm::length(stroke.to), 100.0) << "less the position of A";
                roles.insert(stroke.role);
            }
        }
    }
    return roles;
}

TEST(Planar, LessonsTellTheirSteps) {
    using ::testing::IsSupersetOf;
    ASSERT_GE(all_lessons().size(), 5u);
    std::set<PlanarStatus> seen;
    std::set<std::string_view> keys;
    for (const Lesson& lesson : all_lessons()) {
        SCOPED_TRACE(lesson.key);
        EXPECT_TRUE(keys.insert(lesson.key).second);
        EXPECT_EQ(lesson.about.back(), '.');
        PlanarPair pair = lesson.pair();
        pair.a.position += DVec2(1000.0, 0.0);
        pair.b.position += DVec2(1000.0, 0.0);
        const PlanarAnswer answer = planar_distance(pair);
        const LabRun run = run_planar(pair);
        const bool apart = lesson.key == "apart" || lesson.key == "corner-on-edge";
        EXPECT_EQ(answer.status, apart                      ? PlanarStatus::separated
                                 : lesson.key == "touching" ? PlanarStatus::touching
                                                            : PlanarStatus::overlapping);
        seen.insert(answer.status);
        EXPECT_FALSE(run.failed);
        EXPECT_EQ(int(run.steps.size()), answer.gjk_rounds + answer.epa_rounds + 1);
        EXPECT_GE(run.steps.size(), 3u) << "there is something to see";
        for (const LabStep& step : run.steps) {
            EXPECT_FALSE(step.sentence.empty());
            EXPECT_FALSE(step.status.empty());
            ASSERT_NE(step.backdrop, nullptr);
            EXPECT_FALSE(step.backdrop->facets.empty());
            EXPECT_GE(step.world.facets.size(), 2u) << "both polygons are areas, not outlines";
        }
        EXPECT_EQ(run.steps.back().status, run.answer);
        EXPECT_THAT(roles_of(run), IsSupersetOf({Role::simplex, Role::newest, Role::kept, Role::direction,
                                                 Role::nearest, Role::witness_a, Role::witness_b, Role::normal}));
        if (answer.epa_rounds > 1) {
            EXPECT_THAT(roles_of(run), IsSupersetOf({Role::silhouette, Role::dropped, Role::bound}));
        }
    }
    EXPECT_THAT(seen, ::testing::UnorderedElementsAre(PlanarStatus::separated, PlanarStatus::touching,
                                                      PlanarStatus::overlapping));
}

} // namespace
} // namespace cairn::core::lab::planar
