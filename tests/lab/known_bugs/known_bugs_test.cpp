// The table of erroneous versions, and what must hold of every one of them.
#include "app/lab/known_bugs/known_bugs.h"
#include "app/lab/known_bugs/support/backdrop.h"
#include "app/lab/known_bugs/support/difference.h"
#include "app/lab/planar/planar_pairs.h"
#include "app/lab/tracers/algorithms.h"
#include "tests/physics/query/oracle.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <stdexcept>

namespace cairn::core::lab::known_bugs {
namespace {

using namespace cairn::physics;
using oracle::Random;

bool is_finite(const Figure& figure) {
    const auto finite = [](const DVec3& p) { return glm::length(p) < 1e4; };
    bool all = true;
    for (const Dot& dot : figure.dots) {
        all = all && finite(dot.at);
    }
    for (const Stroke& stroke : figure.strokes) {
        all = all && finite(stroke.from) && finite(stroke.to);
    }
    for (const Facet& facet : figure.facets) {
        all = all && finite(facet.corner[0]) && finite(facet.corner[1]) && finite(facet.corner[2]);
    }
    return all;
}

void check_run(const LabRun& run) {
    ASSERT_FALSE(run.steps.empty());
    EXPECT_FALSE(run.algorithm.empty());
    EXPECT_FALSE(run.answer.empty());
    for (const LabStep& step : run.steps) {
        EXPECT_FALSE(step.sentence.empty());
        EXPECT_FALSE(step.status.empty());
        EXPECT_TRUE(step.backdrop == nullptr || is_finite(*step.backdrop));
        EXPECT_TRUE(is_finite(step.difference)) << step.sentence;
        EXPECT_TRUE(is_finite(step.world)) << step.sentence;
        for (const Reading& reading : step.readings) {
            EXPECT_FALSE(reading.name.empty());
            EXPECT_FALSE(reading.value.empty());
        }
    }
}

bool draws_anything(const LabRun& run, Role role) {
    for (const LabStep& step : run.steps) {
        for (const Figure* figure : {&step.difference, &step.world}) {
            for (const Dot& dot : figure->dots) {
                if (dot.role == role) {
                    return true;
                }
            }
            for (const Stroke& stroke : figure->strokes) {
                if (stroke.role == role) {
                    return true;
                }
            }
            for (const Facet& facet : figure->facets) {
                if (facet.role == role) {
                    return true;
                }
            }
        }
    }
    return false;
}

TEST(KnownBugs, HaveKeysAndWordsOfTheirOwn) {
    std::set<std::string_view> keys;
    int last = 0;
    for (const KnownBug& bug : all_known_bugs()) {
        EXPECT_GT(bug.number, last) << "in order, each once";
        last = bug.number;
        EXPECT_TRUE(keys.insert(bug.key).second) << bug.key;
        EXPECT_THAT(std::string(bug.key), ::testing::MatchesRegex("[a-z0-9-]+"));
        EXPECT_FALSE(bug.title.empty());
        EXPECT_EQ(bug.wrong.back(), '.') << bug.key;
        EXPECT_EQ(bug.right.back(), '.') << bug.key;
        if (bug.takes == Takes::points) {
            EXPECT_TRUE(bug.algorithm == "hull" || bug.algorithm == "mass");
        } else {
            EXPECT_TRUE(algorithm_named(bug.algorithm)) << bug.algorithm;
        }
    }
    EXPECT_EQ(all_known_bugs().size(), 10u);
}

TEST(KnownBugs, FailOnTheirPresetAndTheEngineDoesNot) {
    for (const KnownBug& bug : all_known_bugs()) {
        SCOPED_TRACE(bug.key);
        const KnownBugRuns runs = run_preset(bug);
        EXPECT_TRUE(runs.bug.failed);
        EXPECT_FALSE(runs.engine.failed);
        EXPECT_EQ(runs.bug.algorithm, bug.key);
        EXPECT_THAT(runs.verdict, ::testing::HasSubstr("In truth"));
        EXPECT_TRUE(draws_anything(runs.bug, Role::wrong)) << "where it goes wrong is marked";
        check_run(runs.bug);
        check_run(runs.engine);
        if (bug.takes != Takes::points) {
            for (const LabStep& step : runs.bug.steps) {
                EXPECT_NE(step.backdrop, nullptr) << step.sentence;
            }
        }
    }
}

// docs/guide/lab-errors.md reports every one of them by its key and title, and quotes what the lab says on the preset.
TEST(KnownBugs, AreDocumentedAsTheyAre) {
    std::ifstream file(std::string(CAIRN_SOURCE_DIR) + "/docs/guide/lab-errors.md");
    std::string page, word;
    while (file >> word) {
        page += (page.empty() ? "" : " ") + word; // line breaks count as spaces
    }
    for (const KnownBug& bug : all_known_bugs()) {
        EXPECT_THAT(page, ::testing::HasSubstr("`" + std::string(bug.key) + "`"));
        EXPECT_THAT(page,
                    ::testing::HasSubstr("### " + std::to_string(bug.number) + ". " + std::string(bug.title) + " "));
        EXPECT_THAT(page, ::testing::HasSubstr("\"" + run_preset(bug).verdict + "\""));
    }
    for (const planar::Lesson& lesson : planar::all_lessons()) {
        EXPECT_THAT(page, ::testing::HasSubstr("`" + std::string(lesson.key) + "`"));
    }
}

TEST(KnownBugs, RejectWhatTheyDoNotTake) {
    for (const KnownBug& bug : all_known_bugs()) {
        if (bug.takes == Takes::points) {
            EXPECT_THROW(preset_pair(bug), std::invalid_argument);
            EXPECT_TRUE(rejection(bug, LabPair{}));
            EXPECT_THROW(run_on_pair(bug, LabPair{}), std::invalid_argument);
        } else {
            EXPECT_THROW(preset_points(bug), std::invalid_argument);
            EXPECT_THROW(run_on_points(bug, {}), std::invalid_argument);
            LabPair still = preset_pair(bug);
            EXPECT_FALSE(rejection(bug, still));
            still.duration = 0.0f;
            EXPECT_EQ(rejection(bug, still).has_value(), bug.takes == Takes::moving_pair);
            if (bug.takes == Takes::moving_pair) {
                EXPECT_THROW(run_on_pair(bug, still), std::invalid_argument);
            }
        }
    }
}

// Any pair: each ends, tells steps that can be drawn, and its `failed` is no constant: most are right on most pairs.
TEST(KnownBugs, RunOnAnyPair) {
    Random random(7);
    const std::vector<Shape> shapes{oracle::make(Sphere{0.5f}),        oracle::make(Box{Vec3(1.0f, 0.5f, 0.25f)}),
                                    oracle::make(Capsule{0.3f, 0.8f}), oracle::make(Cylinder{0.5f, 0.7f}),
                                    oracle::make(Cone{0.6f, 1.1f}),    oracle::make(Diamond{0.8f})};
    for (const KnownBug& bug : all_known_bugs()) {
        if (bug.takes == Takes::points) {
            continue;
        }
        SCOPED_TRACE(bug.key);
        int failures = 0, runs_made = 0;
        for (const Shape& a : shapes) {
            for (const Shape& b : shapes) {
                for (int i = 0; i < 2; ++i) {
                    LabPair pair;
                    pair.a = a;
                    pair.b = b;
                    pair.sweep_a.start.orientation = random.orientation();
                    pair.sweep_b.start = {Vec3(random.direction() * random.between(0.2, 2.5)), random.orientation()};
                    if (i % 2 == 1) {
                        pair.sweep_a.linear_velocity = Vec3(random.vector(-3, 3));
                        pair.sweep_b.angular_velocity = Vec3(random.vector(-9, 9));
                        pair.duration = 0.5f;
                    }
                    if (rejection(bug, pair)) {
                        continue;
                    }
                    const KnownBugRuns runs = run_on_pair(bug, pair);
                    check_run(runs.bug);
                    check_run(runs.engine);
                    EXPECT_FALSE(runs.verdict.empty());
                    EXPECT_FALSE(runs.engine.failed);
                    failures += runs.bug.failed;
                    ++runs_made;
                }
            }
        }
        EXPECT_GE(runs_made, 36);
        EXPECT_LT(failures, runs_made);
    }
}

// What stands behind the steps is the difference on which their points lie: of the whole shapes, round ones too.
TEST(KnownBugs, BackdropHoldsTheSupportPoints) {
    Random random(9);
    LabPair pair;
    pair.a = oracle::make(Capsule{0.3f, 0.8f});
    for (const Shape& b : {oracle::make(Sphere{0.5f}), oracle::make(Diamond{0.8f})}) {
        pair.b = b;
        pair.sweep_b.start = {Vec3(0.5f, 1, 2), random.orientation()};
        Difference difference = difference_of(pair);
        const auto backdrop = backdrop_of(pair, 0.0);
        EXPECT_LT(backdrop->strokes.size(), backdrop->facets.size() / 4) << "no net of lines over what is round";
        for (int i = 0; i < 50; ++i) {
            const DVec3 d = random.direction();
            double most = -1e300;
            for (const Facet& facet : backdrop->facets) {
                for (const DVec3& corner : facet.corner) {
                    most = std::max(most, glm::dot(corner, d));
                }
            }
            EXPECT_NEAR(most, glm::dot(difference.support(d).w, d), 0.03); // a picture, by directions 15 degrees apart
        }
    }
}

// The support points of the lab are those of the oracle.
TEST(KnownBugs, DifferenceIsThatOfTheShapes) {
    Random random(8);
    const std::vector<Shape> shapes{oracle::make(Sphere{0.5f}),        oracle::make(Box{Vec3(1.0f, 0.5f, 0.25f)}),
                                    oracle::make(Capsule{0.3f, 0.8f}), oracle::make(Cylinder{0.5f, 0.7f}),
                                    oracle::make(Cone{0.6f, 1.1f}),    oracle::make(Diamond{0.8f})};
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            const Transform pose_a{Vec3(random.vector(-1, 1)), random.orientation()};
            const Transform pose_b{Vec3(random.vector(-1, 1)), random.orientation()};
            Difference difference(a, pose_a, b, pose_b);
            for (int i = 1; i <= 20; ++i) {
                const DVec3 d = random.direction();
                const Vertex vertex = difference.support(d);
                EXPECT_NEAR(glm::dot(vertex.w, d), -oracle::separation_along(a, pose_a, b, pose_b, d), 1e-9);
                EXPECT_LE(vertex.number, i);
                EXPECT_EQ(difference.support(d).number, vertex.number) << "found again, it keeps its number";
            }
            EXPECT_LT(glm::length(difference.support(DVec3(0.0)).w), 10.0);
        }
    }
}

} // namespace
} // namespace cairn::core::lab::known_bugs
