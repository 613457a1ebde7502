// Polygons of any points, and pairs of them out of files.
#include "app/lab/planar/planar_pairs.h"

#include "app/core/base/error.h"
#include "app/lab/planar/planar_query.h"
#include "tests/physics/query/oracle.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

namespace cairn::core::lab::planar {
namespace {

using physics::oracle::Random;
using ::testing::HasSubstr;

std::string reason(const std::vector<DVec2>& points) {
    const auto built = polygon_of(points);
    const auto* error = std::get_if<PolygonError>(&built);
    return error != nullptr ? error->reason : "";
}

TEST(Polygons, AreTheHullOfTheirPoints) {
    Random random(41);
    for (int i = 0; i < 2000; ++i) {
        std::vector<DVec2> points;
        for (int k = 0; k < 3 + i % 20; ++k) {
            const double y = i % 2 == 0 ? random.below(4) : random.between(-1, 1);
            const double x = i % 2 == 0 ? random.below(4) : random.between(-1, 1);
            points.emplace_back(x, y);
        }
        const auto built = polygon_of(points);
        const auto* polygon = std::get_if<Polygon>(&built);
        if (polygon == nullptr) {
            ASSERT_EQ(i % 2, 0) << "only points on a grid can lie on one line";
            continue;
        }
        const auto& c = polygon->corners;
        ASSERT_GE(c.size(), 3u);
        for (std::size_t k = 0; k < c.size(); ++k) {
            const DVec2 from = c[k], edge = c[(k + 1) % c.size()] - from;
            ASSERT_GT(cross(edge, c[(k + 2) % c.size()] - from), 0.0) << "strictly convex, counter-clockwise";
            for (const DVec2& p : points) {
                ASSERT_GE(cross(edge, p - from), -1e-8) << "holds all points";
            }
            ASSERT_NE(std::find(points.begin(), points.end(), from), points.end()) << "a corner is one of the points";
        }
    }
}

TEST(Polygons, RejectWhatHasNoArea) {
    EXPECT_THAT(reason({}), HasSubstr("three points"));
    EXPECT_THAT(reason({{0, 0}, {1, 0}}), HasSubstr("three points"));
    EXPECT_THAT(reason({{1, 2}, {1, 2}, {1, 2}, {1, 2}}), HasSubstr("one place"));
    EXPECT_THAT(reason({{0, 0}, {1, 1}, {2, 2}, {3, 3}}), HasSubstr("one line"));
    EXPECT_THAT(reason({{0, 0}, {1e-3, 1e-10}, {2e-3, 0}}), HasSubstr("one line")) << "beside its extent";
    EXPECT_THAT(reason({{0, 0}, {1, 0}, {0, std::numeric_limits<double>::quiet_NaN()}}), HasSubstr("finite"));
    EXPECT_THAT(reason({{0, 0}, {1, 0}, {0, std::numeric_limits<double>::infinity()}}), HasSubstr("finite"));
    EXPECT_EQ(reason({{0, 0}, {1e-6, 0}, {0, 1e-6}}), "") << "small, but a triangle";
    EXPECT_EQ(reason({{0, 0}, {1, 0}, {2, 1e-5}}), "") << "thin, but a triangle";
}

TEST(Polygons, LeaveOutCornersOnALine) {
    const auto built =
        polygon_of(std::vector<DVec2>{{0, 0}, {1, -1e-12}, {2, 0}, {2, 2}, {1, 2}, {0, 2}, {1, 1}, {0, 0}, {2, 2}});
    EXPECT_EQ(std::get<Polygon>(built).corners.size(), 4u);
}

constexpr const char* good = R"({
  "a": {"polygon": [[-1, -1], [1, -1], [1, 1], [-1, 1], [0, 0]], "position": [10, 20], "angle": 0.5},
  "b": {"polygon": [[0, 0], [1, 0], [0, 0.1]]} // at its place
})";

TEST(PlanarFiles, AreRead) {
    const PlanarPair pair = planar_pair_from_text(good, "pair.json");
    EXPECT_EQ(pair.a.polygon.corners.size(), 4u) << "made convex";
    EXPECT_EQ(pair.a.position, DVec2(10, 20));
    EXPECT_EQ(pair.a.angle, 0.5);
    EXPECT_EQ(pair.b.polygon.corners.size(), 3u);
    EXPECT_THAT(pair.b.polygon.corners, ::testing::Contains(DVec2(0, 0.1))) << "in double precision";
    EXPECT_EQ(pair.b.position, DVec2(0.0));
    EXPECT_EQ(pair.b.angle, 0.0);
    EXPECT_EQ(planar_distance(pair).status, PlanarStatus::separated);
}

// The text with one spelling replaced, and what is said of it.
std::string complaint(const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    if (at == std::string::npos) {
        return "the text has no " + from;
    }
    text.replace(at, from.size(), to);
    try {
        planar_pair_from_text(text, "pair.json");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(PlanarFiles, AreRejectedWithTheirPlace) {
    EXPECT_THAT(complaint("[0, 0.1]", "[2, 0]"), HasSubstr("pair.json:3:20: the points lie on one line"));
    EXPECT_THAT(complaint(", [1, 0], [0, 0.1]", ""), HasSubstr("pair.json:3:20: a polygon needs three points"));
    EXPECT_THAT(complaint("[0, 0.1]", "[0, 0.1, 2]"), HasSubstr("pair.json:3:37: \"polygon\" must be [x, y]"));
    EXPECT_THAT(complaint("[0, 0.1]", "7"), HasSubstr("pair.json:3:37: \"polygon\" must be [x, y]"));
    EXPECT_THAT(complaint("[0, 0.1]", "[0, \"up\"]"), HasSubstr("pair.json:3:41: "));
    EXPECT_THAT(complaint("[0, 0.1]", "[0, 1e30]"), HasSubstr("pair.json:3:41: \"polygon\" must be within"));
    EXPECT_THAT(complaint("[10, 20]", "[10]"), HasSubstr("pair.json:2:78: \"position\" must be [x, y]"));
    EXPECT_THAT(complaint("0.5}", "1e9}"), HasSubstr("\"angle\" must be within -1000 .. 1000 rad"));
    EXPECT_THAT(complaint("\"angle\"", "\"angel\""), HasSubstr("pair.json:2:88: "));
    EXPECT_THAT(complaint("\"b\"", "\"c\""), HasSubstr("pair.json:3:3: "));
    EXPECT_THAT(complaint("{\"polygon\": [[0, 0], [1, 0], [0, 0.1]]}", "3"), HasSubstr("pair.json:3:8: "));
    EXPECT_THAT(complaint("[[0, 0], [1, 0], [0, 0.1]]", "3"),
                HasSubstr("pair.json:3:20: \"polygon\" must be a list of points [x, y], not a number"));
    std::string many = "[0, 0]";
    for (std::size_t i = 0; i < most_points; ++i) {
        many += ", [1, " + std::to_string(i) + "]";
    }
    EXPECT_THAT(complaint("[0, 0], [1, 0], [0, 0.1]", many),
                HasSubstr("pair.json:3:20: a polygon may have 256 points at most, not 257"));
}

} // namespace
} // namespace cairn::core::lab::planar
