// Outlines that are extruded: which are rejected, and the convex pieces of the others.
#include "app/ui/tools/build/extrude/extrude_tool.h"
#include "physics/world/store/body_kind.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace cairn::ui {
namespace {

using physics::Vec3;
using ::testing::HasSubstr;

const Outline square = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
const Outline l_shape = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};

std::string fault(const Outline& outline) {
    const auto found = outline_fault(outline);
    return found ? found->reason : "";
}

bool is_convex(const Outline& outline) {
    for (std::size_t i = 0, n = outline.size(); i < n; ++i) {
        const glm::dvec2 a(outline[i]), b(outline[(i + 1) % n]), c(outline[(i + 2) % n]);
        const glm::dvec2 in = b - a, out = c - b;
        if (in.x * out.y - in.y * out.x < -1e-9 * glm::length(in) * glm::length(out)) {
            return false;
        }
    }
    return true;
}

bool holds(const Outline& convex, const glm::dvec2& p) {
    for (std::size_t i = 0, n = convex.size(); i < n; ++i) {
        const glm::dvec2 a(convex[i]), edge = glm::dvec2(convex[(i + 1) % n]) - a, to = p - a;
        if (edge.x * to.y - edge.y * to.x < 0.0) {
            return false;
        }
    }
    return true;
}

// A star-shaped outline: simple whatever the radii.
Outline random_star(std::mt19937& random, int corners) {
    std::uniform_real_distribution<float> radius(0.2f, 3.0f), wobble(0.1f, 0.9f);
    Outline outline;
    for (int i = 0; i < corners; ++i) {
        const float angle = 6.2831853f * (static_cast<float>(i) + wobble(random)) / static_cast<float>(corners);
        const float r = radius(random);
        outline.emplace_back(r * std::cos(angle), r * std::sin(angle));
    }
    return outline;
}

TEST(Outlines, WithoutFaultOnesPass) {
    EXPECT_EQ(fault(square), "");
    EXPECT_EQ(fault(l_shape), "");
    EXPECT_EQ(fault(Outline(l_shape.rbegin(), l_shape.rend())), "") << "either way round";
    EXPECT_EQ(fault({{0, 0}, {1, 0}, {2, 0}, {2, 2}}), "") << "a corner on a straight line";
}

TEST(Outlines, FaultsAreNamed) {
    EXPECT_THAT(fault({{0, 0}, {1, 0}}), HasSubstr("three corners"));
    EXPECT_THAT(fault({{0, 0}, {2, 2}, {2, 0}, {0, 2}}), HasSubstr("crosses itself"));
    EXPECT_THAT(fault({{0, 0}, {0, 0}, {1, 0}, {1, 1}}), HasSubstr("on each other"));
    EXPECT_THAT(fault({{0, 0}, {2, 0}, {1, 0}, {1, 1}}), HasSubstr("runs back"));
    EXPECT_THAT(fault({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}), HasSubstr("crosses itself")) << "it touches an edge";
    EXPECT_THAT(fault({{0, 0}, {1, 0}, {2, 0}}), HasSubstr("runs back"));
    const auto crossing = outline_fault(Outline{{0, 0}, {2, 2}, {2, 0}, {0, 2}});
    ASSERT_TRUE(crossing);
    EXPECT_EQ(crossing->edge, 0u);
    EXPECT_EQ(crossing->other, 2u);
}

TEST(Outlines, ANewEdgeIsHeldAgainstTheOthers) {
    EXPECT_FALSE(crosses_open(Outline{{0, 0}, {2, 0}, {2, 2}}, {0, 2}));
    EXPECT_TRUE(crosses_open(Outline{{0, 0}, {2, 0}, {2, 2}}, {1, -1}));
    EXPECT_TRUE(crosses_open(Outline{{0, 0}, {2, 0}}, {1, 0})) << "back on the last one";
    EXPECT_FALSE(crosses_open(Outline{{0, 0}}, {1, 0}));
}

TEST(Outlines, ConvexOnesStayWhole) {
    const auto pieces = convex_pieces(Outline(square.rbegin(), square.rend()));
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_EQ(pieces[0].size(), 4u);
    EXPECT_GT(doubled_area(pieces[0]), 0.0) << "counter-clockwise";
    EXPECT_EQ(convex_pieces(Outline{{0, 0}, {1, 0}, {2, 0}, {2, 2}, {0, 2}})[0].size(), 4u)
        << "without what is on a straight line";
}

TEST(Outlines, AnLIsTwoPieces) {
    const auto pieces = convex_pieces(l_shape);
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_NEAR(doubled_area(pieces[0]) + doubled_area(pieces[1]), 6.0, 1e-9);
    for (const float scale : {0.01f, 5000.0f}) { // as exact at every size
        Outline scaled = l_shape;
        for (glm::vec2& corner : scaled) {
            corner *= scale;
        }
        EXPECT_EQ(convex_pieces(scaled).size(), 2u) << scale;
    }
}

// Every piece is convex, their areas add up to the whole, and no point is in two of them.
TEST(Outlines, PiecesFillTheOutlineAndOverlapNowhere) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> anywhere(-3.0, 3.0);
    std::size_t concave = 0, inside = 0;
    for (int round = 0; round < 200; ++round) {
        const Outline outline = random_star(random, 5 + round % 30);
        ASSERT_EQ(fault(outline), "") << round;
        const auto pieces = convex_pieces(outline);
        concave += pieces.size() > 1 ? 1 : 0;
        double area = 0.0;
        for (const Outline& piece : pieces) {
            EXPECT_TRUE(is_convex(piece)) << round;
            area += doubled_area(piece);
        }
        EXPECT_NEAR(area, std::abs(doubled_area(outline)), 1e-5 * std::abs(doubled_area(outline))) << round;
        EXPECT_LE(pieces.size(), outline.size() - 2);
        for (int i = 0; i < 50; ++i) {
            const glm::dvec2 p(anywhere(random), anywhere(random));
            const auto count =
                std::count_if(pieces.begin(), pieces.end(), [&](const Outline& o) { return holds(o, p); });
            EXPECT_LE(count, 1) << round;
            inside += static_cast<std::size_t>(count);
        }
    }
    EXPECT_GT(concave, 150u);
    EXPECT_GT(inside, 1000u);
}

TEST(Extrusion, StandsOnItsPlaneWithItsVolume) {
    physics::BodyKindLibrary kinds;
    for (const Vec3& normal : {Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(0, -0.6f, 0.8f), Vec3(0, 0, -1)}) {
        const DrawingPlane plane = drawing_plane({1, 2, 3}, normal);
        EXPECT_NEAR(glm::dot(glm::cross(plane.x, plane.y), plane.normal), 1.0f, 1e-6f);
        EXPECT_NEAR(glm::dot(plane.origin - Vec3(1, 2, 3), normal), 0.0f, 1e-6f);
        physics::BodyDef body = extruded(l_shape, plane, 0.5f, 0.0f);
        EXPECT_EQ(body.shapes.size(), 2u);
        body.density = 1000.0f;
        const auto kind = kinds.get(body);
        ASSERT_TRUE(std::holds_alternative<std::shared_ptr<const physics::BodyKind>>(kind));
        const physics::BodyModel& model = *std::get<std::shared_ptr<const physics::BodyKind>>(kind);
        EXPECT_NEAR(model.mass, 3.0f * 0.5f * 1000.0f, 0.01f);
        // The corners are where they were drawn, whichever way the body turns them.
        float lowest = 1e9f, highest = -1e9f;
        for (const auto& part : model.parts) {
            for (const Vec3& point : part.shape->hull->vertices) {
                const Vec3 at = physics::to_world(physics::compose(body.pose, part.pose), point);
                const float height = glm::dot(at - plane.origin, plane.normal);
                lowest = std::min(lowest, height);
                highest = std::max(highest, height);
                const glm::vec2 p = plane.under(at);
                EXPECT_TRUE(std::any_of(l_shape.begin(), l_shape.end(),
                                        [&](const glm::vec2& c) { return glm::distance(c, p) < 1e-4f; }))
                    << p.x << ' ' << p.y;
            }
        }
        EXPECT_NEAR(lowest, 0.0f, 1e-5f);
        EXPECT_NEAR(highest, 0.5f, 1e-5f);
    }
}

} // namespace
} // namespace cairn::ui
