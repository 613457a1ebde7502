// What the lab reports the engine's algorithms: every pair comes to an end with the engine's own answer, and what is
// drawn lies where the shapes are.
#include "app/lab/tracers/algorithms.h"

#include "app/algorithms/region_gjk.h"
#include "app/algorithms/sat.h"
#include "app/lab/choices.h"
#include "app/lab/comparison/comparison_pairs.h"
#include "app/lab/scene_pair.h"
#include "app/lab/steps/placing.h"
#include "app/lab/tracers/difference.h"
#include "app/lab/tracers/tracers.h"
#include "physics/query/distance.h"
#include "physics/world/world.h"
#include "tests/sanitized.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

namespace cairn::core::lab {
namespace {

using physics::Shape;
using physics::Transform;

Shape shape_of(const physics::Geometry& geometry) {
    return std::get<Shape>(physics::build_shape(geometry));
}

std::vector<Shape> shapes() {
    const auto points = std::make_shared<const std::vector<physics::Vec3>>(std::vector<physics::Vec3>{
        {0.0f, 0.0f, 0.7f}, {0.5f, 0.0f, -0.3f}, {-0.3f, 0.4f, -0.3f}, {-0.3f, -0.5f, -0.2f}, {0.1f, 0.6f, 0.2f}});
    return {shape_of(physics::Sphere{0.5f}),        shape_of(physics::Box{{0.5f, 0.4f, 0.3f}}),
            shape_of(physics::Capsule{0.2f, 0.5f}), shape_of(physics::Cylinder{0.4f, 0.5f}),
            shape_of(physics::Cone{0.5f, 0.9f}),    shape_of(physics::Diamond{0.6f}),
            shape_of(physics::PointSet{points})};
}

class Pairs {
  public:
    LabPair next() {
        LabPair pair;
        const auto all = shapes();
        pair.a = all[random_() % all.size()];
        pair.b = all[random_() % all.size()];
        pair.origin = DVec3(10.0, -4.0, 2.0);
        pair.sweep_a.start.orientation = turn();
        pair.sweep_b.start.orientation = turn();
        // In braces, so that every compiler takes the numbers in this order.
        pair.sweep_b.start.position = physics::Vec3{number(-0.9f, 0.9f), number(-0.9f, 0.9f), number(-0.9f, 0.9f)};
        pair.sweep_a.linear_velocity = physics::Vec3{number(-1.0f, 1.0f), 0.0f, 0.0f};
        pair.sweep_b.angular_velocity = physics::Vec3{0.0f, number(-4.0f, 4.0f), number(-4.0f, 4.0f)};
        pair.duration = 1.0f;
        return pair;
    }

  private:
    float number(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
    physics::Quat turn() {
        return physics::normalized(
            physics::Quat{number(-1.0f, 1.0f), number(-1.0f, 1.0f), number(-1.0f, 1.0f), number(-1.0f, 1.0f)});
    }
    std::mt19937 random_{7};
};

void expect_finite(const Figure& figure, const std::string& where) {
    const auto fine = [](const DVec3& p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); };
    for (const Dot& dot : figure.dots) {
        ASSERT_TRUE(fine(dot.at)) << where;
    }
    for (const Stroke& stroke : figure.strokes) {
        ASSERT_TRUE(fine(stroke.from) && fine(stroke.to)) << where;
    }
    for (const Facet& facet : figure.facets) {
        ASSERT_TRUE(fine(facet.corner[0]) && fine(facet.corner[1]) && fine(facet.corner[2])) << where;
    }
}

TEST(Lab, EveryPairIsToldToTheEnginesOwnAnswer) {
    Pairs pairs;
    std::set<std::string> statuses;
    for (int i = 0; i < (sanitized ? 60 : 600); ++i) {
        const LabPair pair = pairs.next();
        const Transform pose_a = shape_pose_at(pair.sweep_a, 0.0);
        const Transform pose_b = shape_pose_at(pair.sweep_b, 0.0);
        for (const Algorithm algorithm : all_algorithms) {
            if (const auto reason = rejection(algorithm, pair)) {
                EXPECT_EQ(algorithm, Algorithm::sat) << *reason;
                EXPECT_THROW(run(algorithm, pair), std::invalid_argument);
                continue;
            }
            const LabRun told = run(algorithm, pair);
            const std::string where = std::string(name_of(algorithm)) + " " + std::to_string(i);
            ASSERT_FALSE(told.steps.empty()) << where;
            EXPECT_EQ(told.algorithm, name_of(algorithm));
            EXPECT_FALSE(told.failed) << where << ": " << told.answer;
            for (const LabStep& step : told.steps) {
                EXPECT_FALSE(step.sentence.empty()) << where;
                EXPECT_FALSE(step.status.empty()) << where;
                expect_finite(step.difference, where);
                expect_finite(step.world, where);
            }
            statuses.insert(told.steps.back().status.substr(0, 11));
            if (algorithm == Algorithm::region_gjk) {
                const auto status = algorithms::region_gjk(pair.a, pose_a, pair.b, pose_b).status;
                EXPECT_EQ(told.answer, status == physics::QueryStatus::overlapping ? "overlapping" : "separated");
            } else if (algorithm == Algorithm::gjk_epa || algorithm == Algorithm::engine) {
                const auto right = physics::signed_distance(pair.a, pose_a, pair.b, pose_b);
                const bool overlapping = right.status == physics::QueryStatus::overlapping;
                EXPECT_EQ(told.answer.substr(0, 5), overlapping ? "overl" : "separ") << where;
            }
        }
    }
    EXPECT_GE(statuses.size(), 3u);
}

// A search that starts from a guess may keep a single point of it: no support plane was asked for, and there is none to
// draw. Nor has one of the search before anything to do with it.
TEST(Lab, AGuessOfWhichOneVertexIsLeftHasNoPlane) {
    physics::trace::Simplex simplex;
    simplex.vertex[0].a = simplex.vertex[0].w = physics::DVec3(0.0, 0.0, 0.3);
    simplex.weight[0] = 1.0;
    simplex.count = 1;
    simplex.nearest = simplex.vertex[0].w;
    simplex.distance = 0.3;
    Scenery scenery{FrameOfA(Transform{}), 1.0, 0.0, nullptr};
    std::vector<LabStep> steps;
    GjkTracer tracer(scenery, false, steps);
    tracer.take(simplex);
    ASSERT_EQ(steps.size(), 1u);
    expect_finite(steps[0].difference, "guess");
    expect_finite(steps[0].world, "guess");
    EXPECT_TRUE(steps[0].difference.facets.empty());
    EXPECT_NE(steps[0].sentence.find("a good guess"), std::string::npos) << steps[0].sentence;

    const physics::trace::Support support{physics::DVec3(0.0, 0.0, -1.0), simplex.vertex[0], 0.3};
    tracer.take(support);
    tracer.take(physics::trace::GjkEnd{physics::trace::GjkStop::known_point, 1});
    steps.clear();
    tracer.take(simplex);
    EXPECT_TRUE(steps[0].difference.facets.empty());
    tracer.take(physics::trace::GjkEnd{physics::trace::GjkStop::touching, 1});
    steps.clear();
    tracer.take(support);
    tracer.take(simplex);
    EXPECT_EQ(steps[0].difference.facets.size(), 2u) << "the plane of the support point that it starts from";
}

// The marks of a step: numbered vertices are differences of the numbered points on the bodies, and those lie on them.
TEST(Lab, VerticesAreDifferencesOfPointsOnTheBodies) {
    Pairs pairs;
    int vertices = 0;
    const int tried = sanitized ? 20 : 200;
    for (int i = 0; i < tried; ++i) {
        const LabPair pair = pairs.next();
        const LabRun told = run(Algorithm::gjk_epa, pair);
        for (const LabStep& step : told.steps) {
            for (const Dot& vertex : step.difference.dots) {
                if (vertex.name.empty() || vertex.role == Role::origin) {
                    continue;
                }
                const Dot* on_a = nullptr;
                const Dot* on_b = nullptr;
                for (const Dot& dot : step.world.dots) {
                    if (dot.name == vertex.name) {
                        (dot.role == Role::witness_a ? on_a : on_b) = &dot;
                    }
                }
                if (on_a == nullptr || on_b == nullptr) {
                    continue; // of a polytope only the face that is looked at is shown on the bodies
                }
                ++vertices;
                EXPECT_LT(glm::length(on_a->at - on_b->at - vertex.at), 1e-6) << i;
                for (const auto& [dot, shape, sweep] :
                     {std::tuple{on_a, &pair.a, &pair.sweep_a}, std::tuple{on_b, &pair.b, &pair.sweep_b}}) {
                    const double away = glm::length(dot->at - DVec3(shape_pose_at(*sweep, 0.0).position));
                    EXPECT_LE(away, double(shape->bounding_radius) * (1.0 + 1e-5));
                }
            }
        }
    }
    EXPECT_GT(vertices, 20 * tried);
}

// The polytope that is shown is closed at every step, and grows by what it is said to have.
TEST(Lab, PolytopesAreClosedAtEveryStep) {
    Pairs pairs;
    int polytopes = 0;
    const int tried = sanitized ? 20 : 200;
    for (int i = 0; i < tried; ++i) {
        for (const LabStep& step : run(Algorithm::gjk_epa, pairs.next()).steps) {
            std::set<std::pair<int, int>> open;
            for (const auto& face : step.polytope.faces) {
                for (std::size_t k = 0; k < 3; ++k) {
                    const int p = face[k];
                    const int q = face[(k + 1) % 3];
                    ASSERT_LT(static_cast<std::size_t>(p), step.polytope.vertices->size());
                    if (open.erase({q, p}) == 0) {
                        ASSERT_TRUE(open.insert({p, q}).second);
                    }
                }
            }
            ASSERT_TRUE(open.empty()) << i;
            if (!step.polytope.faces.empty()) {
                ++polytopes;
                const Figure marks = marks_of(step.polytope);
                EXPECT_EQ(marks.facets.size(), step.polytope.faces.size());
                EXPECT_EQ(2 * marks.strokes.size(), 3 * marks.facets.size());
                EXPECT_EQ(marks.dots.size() + marks.facets.size(), marks.strokes.size() + 2); // Euler
            }
        }
    }
    EXPECT_GT(polytopes, 5 * tried);
}

// The faint hull holds the origin where the cores overlap, and its distance is that of the cores where they do not.
TEST(Lab, TheDifferenceHoldsTheOriginWhereTheShapesOverlap) {
    const Shape box = shape_of(physics::Box{{0.5f, 0.4f, 0.3f}});
    const Shape diamond = shape_of(physics::Diamond{0.6f});
    for (const float x : {0.2f, 0.6f, 1.4f, 3.0f}) {
        Transform pose;
        pose.position = physics::Vec3(x, 0.1f, 0.05f);
        const auto figure = difference_figure(box, Transform{}, diamond, pose);
        ASSERT_GT(figure->facets.size(), 20u);
        // Least distance of the origin from the planes, outwards positive.
        double outside = -1e300;
        DVec3 middle(0.0);
        for (const Facet& facet : figure->facets) {
            middle += (facet.corner[0] + facet.corner[1] + facet.corner[2]) / (3.0 * double(figure->facets.size()));
        }
        for (const Facet& facet : figure->facets) {
            DVec3 n = glm::normalize(glm::cross(facet.corner[1] - facet.corner[0], facet.corner[2] - facet.corner[0]));
            if (glm::dot(n, facet.corner[0] - middle) < 0.0) {
                n = -n;
            }
            outside = std::max(outside, -glm::dot(n, facet.corner[0]));
        }
        const auto right = physics::signed_distance(box, Transform{}, diamond, pose);
        EXPECT_EQ(outside < 0.0, right.distance < 0.0f) << x;
        if (right.distance < 0.0f) {
            EXPECT_NEAR(outside, double(right.distance), 1e-4) << x;
        }
    }
}

TEST(Lab, FlatDifferencesAreDrawnToo) {
    const Shape ball = shape_of(physics::Sphere{0.5f});
    const Shape capsule = shape_of(physics::Capsule{0.2f, 0.5f});
    Transform across;
    across.orientation = physics::Quat(0.70710678f, 0.70710678f, 0.0f, 0.0f);
    across.position = physics::Vec3(1.0f, 0.0f, 0.0f);
    EXPECT_EQ(difference_figure(ball, Transform{}, ball, across)->facets.size(), 0u);
    EXPECT_EQ(difference_figure(ball, Transform{}, capsule, across)->facets.size(), 0u);
    EXPECT_GE(difference_figure(capsule, Transform{}, capsule, across)->facets.size(), 2u);
}

physics::BodyId add(physics::World& world, physics::Geometry geometry, const physics::Vec3& position,
                    physics::BodyType type = physics::BodyType::dynamic) {
    physics::BodyDef body;
    body.type = type;
    body.pose.position = position;
    body.shapes = {{std::move(geometry), {}}};
    return world.apply(physics::CreateBody{std::move(body)}).created;
}

// The engine's algorithms are for convex shapes; a mesh would be a point at its body's origin to them.
TEST(Lab, MeshesAreRejectedByEveryAlgorithm) {
    physics::World world;
    auto field = std::make_shared<physics::HeightData>();
    field->columns = field->rows = 11;
    field->heights = std::vector<float>(121, 0.0f);
    const auto ground =
        add(world, physics::HeightField{std::move(field)}, physics::Vec3(0.0f), physics::BodyType::fixed);
    const auto near_ground = add(world, physics::Sphere{0.5f}, physics::Vec3(4.0f, 4.0f, 0.6f));
    const auto above = add(world, physics::Sphere{0.5f}, physics::Vec3(4.0f, 4.0f, 2.0f));
    physics::FrameState frame;
    world.publish(frame);
    EXPECT_EQ(nearest_body(frame, near_ground), ground) << "0.1 m above it, 0.4 m below the other ball";
    EXPECT_EQ(nearest_body(frame, above), near_ground);
    EXPECT_TRUE(near_pairs(frame, 10.0f).size() == 1) << "of the balls alone";
    const auto pair = pair_in_scene(frame, ground, near_ground, 1.0f);
    ASSERT_TRUE(pair);
    for (const Choice& choice : all_choices()) {
        if (!choice.takes_no_pair()) {
            EXPECT_THAT(rejection(choice, *pair).value_or("taken"), testing::HasSubstr("mesh or a height field"))
                << choice.name;
        }
    }
    EXPECT_THROW(run(Algorithm::engine, *pair), std::invalid_argument);
}

TEST(Lab, AlgorithmsAndVersionsHaveNamesOfTheirOwn) {
    std::set<std::string_view> names;
    for (const Choice& choice : all_choices()) {
        EXPECT_TRUE(names.insert(choice.name).second) << choice.name;
        EXPECT_EQ(choice_named(choice.name), &choice);
        EXPECT_FALSE(choice.title.empty());
        const int kinds =
            int(choice.algorithm.has_value()) + int(choice.bug != nullptr) + int(choice.lesson != nullptr);
        EXPECT_EQ(kinds, 1) << choice.name;
    }
    EXPECT_EQ(choice_named("no such thing"), nullptr);
}

} // namespace
} // namespace cairn::core::lab
