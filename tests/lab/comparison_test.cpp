// The comparison table: what is in a row, which pairs there are, and how growth is fitted. Nothing here looks at how
// long anything took.
#include "app/lab/comparison/comparison.h"

#include "app/algorithms/region_gjk.h"
#include "app/algorithms/sat.h"
#include "app/core/query/question.h"
#include "app/core/scene/scene.h"
#include "app/lab/comparison/comparison_pairs.h"
#include "app/lab/comparison/comparison_table.h"
#include "physics/query/distance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <sstream>

namespace cairn::core::lab {
namespace {

using physics::Geometry;
using physics::Shape;
using physics::Vec3;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Shape built(const Geometry& geometry) {
    return std::get<Shape>(physics::build_shape(geometry));
}

ComparedPair pair_of(const std::string& name, const Geometry& a, const Geometry& b, const Vec3& position_b) {
    ComparedPair out{name, {}, a, b, {}};
    out.pair.a = built(a);
    out.pair.b = built(b);
    out.pair.sweep_b.start.position = position_b;
    return out;
}

std::vector<ComparisonRow> measured(std::vector<ComparedPair> pairs) {
    Comparison comparison(std::move(pairs));
    std::size_t calls = 0;
    while (comparison.measure_next()) {
        ++calls;
        EXPECT_EQ(comparison.rows().size(), calls) << "one row a call";
    }
    EXPECT_EQ(calls, comparison.row_count());
    EXPECT_FALSE(comparison.measure_next());
    return comparison.rows();
}

std::vector<ComparedPair> some_pairs() {
    std::vector<ComparedPair> pairs{
        pair_of("boxes", physics::Box{Vec3(0.5f)}, physics::Box{Vec3(0.4f)}, Vec3(0.7f, 0.1f, 0.2f)),
        pair_of("ball and gem", physics::Sphere{0.3f}, physics::Diamond{1.0f}, Vec3(1.9f, 0.0f, 0.1f)),
        pair_of("gems", physics::Diamond{1.0f}, physics::Diamond{0.5f}, Vec3(1.1f, 0.3f, 0.0f))};
    ComparedPair moving = pair_of("thrown", physics::Box{Vec3(0.5f)}, physics::Cone{0.5f, 1.0f}, Vec3(3, 0, 0));
    moving.pair.sweep_a.linear_velocity = Vec3(10, 0, 0);
    moving.pair.duration = 1.0f;
    pairs.push_back(moving);
    return pairs;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

TEST(Comparison, EveryAlgorithmHasItsRowAndTheAdvancementWhereThePairMoves) {
    const std::vector<ComparisonRow> rows = measured(some_pairs());
    std::vector<std::string> names;
    names.reserve(rows.size());
    for (const ComparisonRow& row : rows) {
        names.push_back(row.pair + ' ' + std::string(name_of(row.algorithm)));
    }
    EXPECT_THAT(names,
                ElementsAre("boxes gjk_epa", "boxes engine", "boxes region_gjk", "boxes sat", "ball and gem gjk_epa",
                            "ball and gem engine", "ball and gem region_gjk", "ball and gem sat", "gems gjk_epa",
                            "gems engine", "gems region_gjk", "gems sat", "thrown gjk_epa", "thrown engine",
                            "thrown region_gjk", "thrown sat", "thrown advancement"));
}

TEST(Comparison, AnswersAreTheEngines) {
    const std::vector<ComparedPair> pairs = some_pairs();
    for (const ComparisonRow& row : measured(pairs)) {
        const auto at =
            std::find_if(pairs.begin(), pairs.end(), [&](const ComparedPair& pair) { return pair.name == row.pair; });
        ASSERT_NE(at, pairs.end());
        const LabPair& p = at->pair;
        const physics::Transform pose_a = p.sweep_a.start, pose_b = p.sweep_b.start;
        SCOPED_TRACE(row.pair + ' ' + std::string(name_of(row.algorithm)));
        if (!row.rejection.empty()) {
            continue;
        }
        const auto measures = [&](const physics::DistanceResult& r) {
            EXPECT_EQ(row.distance, double(r.distance));
            EXPECT_EQ(row.status, core::name_of(r.status));
            EXPECT_EQ(row.iterations, r.gjk_iterations + r.epa_iterations);
        };
        switch (row.algorithm) {
        case Algorithm::gjk_epa:
            measures(physics::gjk_epa_distance(p.a, pose_a, p.b, pose_b));
            break;
        case Algorithm::engine:
            measures(physics::signed_distance(p.a, pose_a, p.b, pose_b));
            break;
        case Algorithm::region_gjk: {
            const auto r = algorithms::region_gjk(p.a, pose_a, p.b, pose_b);
            EXPECT_EQ(row.status, core::name_of(r.status));
            EXPECT_EQ(row.iterations, r.iterations);
            EXPECT_FALSE(row.distance);
            break;
        }
        case Algorithm::sat: {
            const auto r = algorithms::sat(p.a, pose_a, p.b, pose_b);
            EXPECT_EQ(row.distance, double(r.distance));
            EXPECT_EQ(row.status, core::name_of(r.status));
            EXPECT_EQ(row.iterations, r.axes);
            break;
        }
        case Algorithm::advancement: // 3 m between the centres, less half a metre of box and the base's radius
            EXPECT_EQ(row.status, "hit");
            ASSERT_TRUE(row.impact);
            EXPECT_NEAR(*row.impact, 0.2, 2e-5); // what may be left of the way, over the speed
            EXPECT_FALSE(row.distance);
            break;
        }
        EXPECT_GT(row.query.median, 0.0);
        EXPECT_GT(row.build.median, 0.0);
        EXPECT_GE(row.query.spread, 0.0);
    }
}

TEST(Comparison, WhatIsRejectedSaysWhy) {
    std::size_t rejected = 0;
    for (const ComparisonRow& row : measured(some_pairs())) {
        const bool round = row.shape_a == "sphere" || row.shape_b == "cone";
        EXPECT_EQ(!row.rejection.empty(), row.algorithm == Algorithm::sat && round) << row.pair;
        if (!row.rejection.empty()) {
            ++rejected;
            EXPECT_THAT(row.rejection, HasSubstr("two polytopes"));
            EXPECT_EQ(row.query.median, 0.0);
            EXPECT_TRUE(row.status.empty());
            EXPECT_FALSE(row.distance);
            EXPECT_GT(row.build.median, 0.0) << "they are built all the same";
        }
    }
    EXPECT_EQ(rejected, 2u);
}

TEST(Comparison, RoundShapesHaveNoVertices) {
    const std::vector<ComparisonRow> rows = measured(some_pairs());
    EXPECT_EQ(rows[0].vertices(), 16u);
    EXPECT_FALSE(rows[4].vertices_a);
    EXPECT_EQ(rows[4].vertices_b, 56u);
    EXPECT_FALSE(rows[4].vertices());
    EXPECT_EQ(rows[8].vertices(), 112u);
}

// ---- the table ------------------------------------------------------------------------------------------------------

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        out.push_back(line);
    }
    return out;
}

TEST(Comparison, ColumnsStandInTheirOrder) {
    EXPECT_EQ(comparison_csv({}),
              "set,pair,placing,algorithm,vertices,shape_a,shape_b,vertices_a,vertices_b,build_us,build_spread_us,"
              "query_us,query_spread_us,iterations,status,distance,toi,exponent,refusal\n");
    ComparisonRow row;
    row.pair = "a, \"b\"";
    row.algorithm = Algorithm::sat;
    row.shape_a = row.shape_b = "box";
    row.vertices_a = row.vertices_b = 8;
    row.build = {0.123456, 0.01};
    row.query = {1234.56, 2.5};
    row.iterations = 7;
    row.status = "touching";
    row.distance = -0.0;
    ComparisonRow rejected;
    rejected.pair = "c";
    rejected.algorithm = Algorithm::sat;
    rejected.shape_a = "sphere";
    rejected.shape_b = "box";
    rejected.vertices_b = 8;
    rejected.build = {1, 0.5};
    rejected.rejection = "no, it cannot";
    ComparisonRow meets;
    meets.pair = "d";
    meets.algorithm = Algorithm::advancement;
    meets.shape_a = meets.shape_b = "cone";
    meets.build = {1, 0.5};
    meets.query = {2, 0.25};
    meets.iterations = 3;
    meets.status = "hit";
    meets.impact = double(0.1f);
    const std::vector<std::string> lines = lines_of(comparison_csv({row, rejected, meets}));
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[1], "pairs,\"a, \"\"b\"\"\",,sat,16,box,box,8,8,0.1235,0.01,1235,2.5,7,touching,0,,,");
    EXPECT_EQ(lines[2], "pairs,c,,sat,,sphere,box,,8,1,0.5,,,,,,,,\"no, it cannot\"");
    EXPECT_EQ(lines[3], "pairs,d,,advancement,,cone,cone,,,1,0.5,2,0.25,3,hit,,0.1,,");
}

// ---- growth ---------------------------------------------------------------------------------------------------------

ComparisonRow made_up(Algorithm algorithm, const std::string& placing, std::size_t vertices, double us) {
    ComparisonRow row;
    row.algorithm = algorithm;
    row.placing = placing;
    row.vertices_a = row.vertices_b = vertices / 2;
    row.query.median = us;
    return row;
}

TEST(Comparison, ExponentsOfMadeUpSeriesAreFound) {
    std::vector<ComparisonRow> rows;
    for (const std::size_t vertices : {16u, 64u, 256u, 1024u}) {
        const auto v = static_cast<double>(vertices);
        rows.push_back(made_up(Algorithm::sat, "apart", vertices, 3.0 * std::pow(v, 0.7)));
        rows.push_back(made_up(Algorithm::sat, "touching", vertices, 0.01 * v * v));
        rows.push_back(made_up(Algorithm::engine, "touching", vertices, 5.0));
        // Rows of chosen pairs, rejected ones and round shapes belong to no series.
        rows.push_back(made_up(Algorithm::sat, "", vertices, 1e9));
        rows.push_back(made_up(Algorithm::sat, "apart", vertices, 1e9));
        rows.back().rejection = "no";
        rows.push_back(made_up(Algorithm::sat, "apart", vertices, 1e9));
        rows.back().vertices_a.reset();
    }
    rows.push_back(made_up(Algorithm::gjk_epa, "apart", 16, 1.0)); // one size alone has no growth
    const std::vector<Growth> found = growth_of(rows);
    std::set<std::string> names;
    for (const Growth& growth : found) {
        names.insert(std::string(name_of(growth.algorithm)) + ' ' + growth.placing);
        const double expected = growth.algorithm == Algorithm::engine ? 0.0
                                : growth.placing == "apart"           ? 0.7
                                : growth.placing == "touching"        ? 2.0
                                                                      : 1.35; // both at once
        EXPECT_NEAR(growth.exponent, expected, 1e-12) << name_of(growth.algorithm) << growth.placing;
    }
    EXPECT_EQ(names, (std::set<std::string>{"sat apart", "sat touching", "sat ", "engine touching", "engine "}));
    EXPECT_EQ(found.size(), names.size());
    // In the table they stand beside the rows that they were fitted to, and beside no others.
    const std::vector<std::string> lines = lines_of(comparison_csv(rows));
    EXPECT_THAT(lines[1], HasSubstr(",0.7,"));
    EXPECT_THAT(lines[2], HasSubstr(",2,"));
    EXPECT_THAT(lines[4], HasSubstr(",,,,")) << "of a chosen pair";
    EXPECT_THAT(lines[5], HasSubstr(",,,no")) << "of a refused one";
}

TEST(Comparison, TheSeriesOfHullsIsPlacedAsItSays) {
    const std::vector<ComparedPair> pairs = growth_pairs();
    ASSERT_EQ(pairs.size(), growth_sizes.size() * growth_placings.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::size_t size = growth_sizes[i / growth_placings.size()];
        const GrowthPlacing& placing = growth_placings[i % growth_placings.size()];
        SCOPED_TRACE(std::to_string(size) + ' ' + std::string(placing.name));
        EXPECT_EQ(pairs[i].placing, placing.name);
        const LabPair& pair = pairs[i].pair;
        EXPECT_EQ(pair.a.hull->vertices.size(), size) << "every point is a corner";
        EXPECT_EQ(pair.b.hull->vertices.size(), size);
        EXPECT_EQ(std::get<physics::PointSet>(pairs[i].geometry_a).points->size(), size);
        // The placing was found by GJK and EPA; separating axes share nothing with them.
        const auto sat = algorithms::sat(pair.a, pair.sweep_a.start, pair.b, pair.sweep_b.start);
        EXPECT_NEAR(double(sat.distance), placing.distance, 2e-6);
        EXPECT_EQ(core::name_of(sat.status), placing.distance > 0.0   ? "separated"
                                             : placing.distance < 0.0 ? "overlapping"
                                                                      : "touching");
    }
}

// What the times of two measurements must not touch.
std::string without_times(const std::vector<ComparisonRow>& rows) {
    std::vector<ComparisonRow> cut = rows;
    for (ComparisonRow& row : cut) {
        row.build = row.query = {1.0, 0.0};
    }
    return comparison_csv(cut);
}

TEST(Comparison, AllButTheTimesIsTheSameTwice) {
    std::vector<ComparedPair> pairs = some_pairs();
    const std::vector<ComparedPair> series = growth_pairs(); // the small ones: large hulls take long to build
    pairs.insert(pairs.end(), series.begin(), series.begin() + 6);
    const std::string first = without_times(measured(pairs)), second = without_times(measured(pairs));
    EXPECT_EQ(first, second);
    EXPECT_EQ(lines_of(first).size(), 1u + 17u + 6u * 4u);
}

// ---- pairs of a scene -----------------------------------------------------------------------------------------------

std::vector<ComparedPair> near_in(const std::string& bodies) {
    const Scene scene = parse_scene(R"({"cairn": 1, "gravity": [0, 0, 0], "bodies": [)" + bodies + "]}", "s.json", ".");
    physics::World world = make_world(scene);
    physics::FrameState frame;
    world.publish(frame);
    return near_pairs(frame);
}

std::vector<std::string> names_of(const std::vector<ComparedPair>& pairs) {
    std::vector<std::string> out;
    out.reserve(pairs.size());
    for (const ComparedPair& pair : pairs) {
        out.push_back(pair.name);
    }
    return out;
}

TEST(NearPairs, AreThoseWhoseBoundsComeWithinFiveCentimetres) {
    const std::string box = R"("shape": {"box": {"half_extents": [0.5, 0.5, 0.5]}})";
    EXPECT_THAT(names_of(near_in(R"({"name": "a", )" + box + R"(, "position": [0, 0, 0]},
        {"name": "near", )" + box +
                                 R"(, "position": [0, 0, 1.04]},
        {"name": "far", )" + box +
                                 R"(, "position": [0, 1.06, 0]},
        {"name": "corner", )" + box +
                                 R"(, "position": [-1.04, -1.04, 0]},
        {"name": "inside", )" + box +
                                 R"(, "position": [0.3, 0, 0]})")),
                ElementsAre("a and near", "a and inside", "near and inside"));
}

TEST(NearPairs, OfAnEmptySceneAndOfOneBodyThereAreNone) {
    EXPECT_TRUE(near_in("").empty());
    EXPECT_TRUE(near_in(R"({"shape": {"sphere": {"radius": 1}}})").empty());
}

TEST(NearPairs, PartsOfCompoundsStandOnTheirOwn) {
    const std::vector<ComparedPair> pairs = near_in(R"(
        {"name": "hammer", "position": [0, 0, 5], "shapes": [
            {"shape": {"cylinder": {"radius": 0.1, "half_height": 1}}},
            {"shape": {"box": {"half_extents": [0.4, 0.2, 0.2]}}, "position": [0, 0, 1.1]}]},
        {"name": "plate", "shape": {"box": {"half_extents": [0.2, 2, 2]}}, "position": [-0.5, 0, 5],
         "linear_velocity": [1, 0, 0]},
        {"shape": {"sphere": {"radius": 0.3}}, "position": [0, 0.5, 5.6]})");
    // The head alone reaches the plate; head and ball are near, and the parts of one body are no pair.
    EXPECT_THAT(names_of(pairs), ElementsAre("hammer/2 and plate", "hammer/2 and body 2", "plate and body 2"));
    EXPECT_EQ(pairs[0].pair.a.kind, physics::ShapeKind::box);
    EXPECT_EQ(std::get<physics::Box>(pairs[0].geometry_a).half_extents, Vec3(0.4f, 0.2f, 0.2f));
    // They move where a body does, for a step.
    EXPECT_EQ(pairs[0].pair.duration, 1.0f / 60.0f);
    EXPECT_EQ(pairs[1].pair.duration, 0.0f);
    // Where they are: the head's centre lies where the scene has it, seen from the hammer's.
    const auto pose = physics::compose(pairs[0].pair.sweep_a.start, pairs[0].pair.sweep_a.shape_pose);
    const auto other = physics::compose(pairs[0].pair.sweep_b.start, pairs[0].pair.sweep_b.shape_pose);
    EXPECT_NEAR(double(other.position.x - pose.position.x), -0.5, 1e-6);
}

// The sweep along X against all pairs, one by one.
TEST(NearPairs, NoneIsMissed) {
    std::mt19937 random(11); // NOLINT: pinned
    std::uniform_real_distribution<float> at(-1.6f, 1.6f), size(0.05f, 0.4f);
    std::string bodies;
    for (int i = 0; i < 60; ++i) {
        std::ostringstream body;
        body << (i > 0 ? "," : "") << R"({"type": "kinematic", "shape": {"box": {"half_extents": [)" << size(random)
             << ',' << size(random) << ',' << size(random) << R"(]}}, "position": [)" << at(random) << ',' << at(random)
             << ',' << at(random) << "]}";
        bodies += body.str();
    }
    const Scene scene = parse_scene(R"({"cairn": 1, "bodies": [)" + bodies + "]}", "s.json", ".");
    physics::World world = make_world(scene);
    physics::FrameState frame;
    world.publish(frame);
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        for (std::size_t k = i + 1; k < frame.bodies.size(); ++k) {
            const auto bounds = [&](std::size_t slot) {
                return physics::bounds(*frame.models[slot]->parts[0].shape, frame.bodies[slot].pose);
            };
            if (physics::distance(bounds(i), bounds(k)) <= near_bounds) {
                expected.push_back("body " + std::to_string(i) + " and body " + std::to_string(k));
            }
        }
    }
    EXPECT_GT(expected.size(), 40u);
    EXPECT_LT(expected.size(), 1500u); // of 1770
    EXPECT_EQ(names_of(near_pairs(frame)), expected);
}

// ---- pairs without their geometries ---------------------------------------------------------------------------------

TEST(Comparison, ShapesAloneAreBuiltFromWhatTheyAre) {
    const auto points = std::make_shared<const std::vector<Vec3>>(
        std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1f, 0.1f, 0.1f}});
    for (const Geometry& geometry : {Geometry(physics::Sphere{0.3f}), Geometry(physics::Box{Vec3(0.1f, 0.2f, 0.3f)}),
                                     Geometry(physics::Capsule{0.2f, 0.7f}), Geometry(physics::Cylinder{0.2f, 0.7f}),
                                     Geometry(physics::Cone{0.2f, 0.7f}), Geometry(physics::PointSet{points})}) {
        LabPair pair;
        pair.a = pair.b = built(geometry);
        const ComparedPair compared = compared_pair("p", pair);
        const Shape again = built(compared.geometry_a);
        EXPECT_EQ(again.kind, pair.a.kind);
        EXPECT_EQ(compared.geometry_a, compared.geometry_b);
        EXPECT_NEAR(again.volume, pair.a.volume, 1e-6f * pair.a.volume);
        EXPECT_EQ(again.hull ? again.hull->vertices.size() : 0u, pair.a.hull ? pair.a.hull->vertices.size() : 0u);
        if (!again.hull) {
            EXPECT_EQ(compared.geometry_a, geometry);
        }
    }
}

} // namespace
} // namespace cairn::core::lab
