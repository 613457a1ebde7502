#include "app/core/export/motion.h"
#include "app/core/scene/scene.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace cairn::core {
namespace {

using namespace cairn::physics;

// Where a viewer that follows the keys draws the body.
Transform shown(const MotionTrack& track, double time) {
    if (time <= track.keys.front().time) {
        return track.keys.front().pose;
    }
    for (std::size_t i = 1; i < track.keys.size(); ++i) {
        const MotionKey &a = track.keys[i - 1], &b = track.keys[i];
        if (time <= b.time) {
            const auto share = static_cast<float>((time - a.time) / (b.time - a.time));
            return {glm::mix(a.pose.position, b.pose.position, share),
                    glm::normalize(glm::slerp(a.pose.orientation, b.pose.orientation, share))};
        }
    }
    return track.keys.back().pose;
}

struct Recorded {
    std::vector<FrameState> frames;
    std::vector<MotionTrack> tracks;
};

Recorded record(const char* scene, int steps, float precision) {
    World world = make_world(read_scene(find_scene(scene)));
    Recorded out;
    MotionTracks tracks(precision);
    for (int step = 0; step <= steps; ++step) {
        if (step > 0) {
            world.step();
        }
        out.frames.emplace_back();
        world.publish(out.frames.back());
        tracks.add(out.frames.back());
    }
    out.tracks = tracks.finish();
    return out;
}

// The farthest that any corner of any body's bounds is shown from where it was, m.
float worst_error(const Recorded& run) {
    float worst = 0.0f;
    for (const FrameState& frame : run.frames) {
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            const MotionTrack& track = run.tracks[i];
            EXPECT_EQ(track.body, frame.bodies[i].id);
            const Transform pose = shown(track, frame.time);
            for (const BodyModel::Part& part : track.model->parts) {
                const ShapeMesh mesh = tessellate(*part.shape, 8);
                for (const Vec3& p : mesh.positions) {
                    const Vec3 local = to_world(part.pose, p);
                    worst =
                        std::max(worst, glm::distance(to_world(pose, local), to_world(frame.bodies[i].pose, local)));
                }
            }
        }
    }
    return worst;
}

std::size_t key_count(const Recorded& run) {
    std::size_t count = 0;
    for (const MotionTrack& track : run.tracks) {
        count += track.keys.size();
    }
    return count;
}

TEST(Motion, NoPointIsFartherThanThePrecision) {
    const std::vector<const char*> scenes =
        sanitized ? std::vector{"tumbling"} : std::vector{"tumbling", "domino_run", "billiards"};
    for (const char* scene : scenes) {
        const Recorded fine = record(scene, 150, 0.001f), coarse = record(scene, 150, 0.05f);
        EXPECT_LE(worst_error(fine), 0.001f * 1.01f) << scene;
        EXPECT_LE(worst_error(coarse), 0.05f * 1.01f) << scene;
        EXPECT_GT(worst_error(coarse), 0.0f) << scene;
        EXPECT_LT(key_count(coarse), key_count(fine)) << scene;
    }
}

TEST(Motion, WithoutToleranceEveryStateIsThere) {
    const Recorded run = record("seesaw", 120, 0.0f);
    EXPECT_LE(worst_error(run), 1e-5f);
}

TEST(Motion, KeysAscendAndTurnTheShortWay) {
    for (const MotionTrack& track : record("spinning", 200, 0.001f).tracks) {
        for (std::size_t i = 1; i < track.keys.size(); ++i) {
            EXPECT_LT(track.keys[i - 1].time, track.keys[i].time);
            EXPECT_GE(glm::dot(track.keys[i - 1].pose.orientation, track.keys[i].pose.orientation), 0.0f);
        }
    }
}

TEST(Motion, WhatStaysStillHasOneKeyHoweverLong) {
    Scene scene;
    scene.bodies.resize(1);
    scene.bodies[0].type = BodyType::fixed;
    scene.bodies[0].shapes.push_back({Sphere{}, {}});
    World world = make_world(scene);
    MotionTracks tracks(0.001f);
    FrameState frame;
    for (int step = 0; step < 500; ++step) {
        world.step();
        world.publish(frame);
        tracks.add(frame);
    }
    const auto made = tracks.finish();
    ASSERT_EQ(made.size(), 1u);
    EXPECT_EQ(made[0].keys.size(), 1u);
}

// A body that flies straight needs its ends alone, as often as a key is due for the work's sake.
TEST(Motion, StraightFlightHasFewKeys) {
    Scene scene;
    scene.settings.gravity = Vec3(0.0f);
    scene.bodies.resize(1);
    scene.bodies[0].linear_velocity = Vec3(3, 4, 5);
    scene.bodies[0].shapes.push_back({Sphere{}, {}});
    World world = make_world(scene);
    MotionTracks tracks(0.001f);
    FrameState frame;
    for (int step = 0; step < 500; ++step) {
        world.step();
        world.publish(frame);
        tracks.add(frame);
    }
    EXPECT_LE(tracks.finish().at(0).keys.size(), 10u);
}

TEST(Motion, BodiesThatComeAndGoAreToldApart) {
    World world = make_world(read_scene(find_scene("duel")));
    MotionTracks tracks(0.001f);
    FrameState frame;
    world.publish(frame);
    const BodyId first = frame.bodies.at(0).id;
    const std::size_t count = frame.bodies.size();
    BodyId second;
    for (int step = 1; step <= 9; ++step) {
        if (step == 4) {
            ASSERT_TRUE(world.apply(DestroyBody{first}).ok());
        }
        if (step == 7) { // takes the free slot
            BodyDef def;
            def.shapes.push_back({Sphere{}, {}});
            def.pose.position = Vec3(0, 0, 90);
            const CommandResult made = world.apply(CreateBody{def});
            ASSERT_TRUE(made.ok()) << made.error;
            second = made.created;
        }
        world.step();
        world.publish(frame);
        tracks.add(frame);
    }
    EXPECT_EQ(second.index, first.index);
    const double hz = static_cast<double>(world.settings().hz);
    const std::vector<MotionTrack> made = tracks.finish();
    ASSERT_EQ(made.size(), count + 1);
    EXPECT_EQ(made.front().body, first);
    EXPECT_NEAR(made.front().last, 3 / hz, 1e-6);
    EXPECT_EQ(made.back().body, second);
    EXPECT_NEAR(made.back().first, 7 / hz, 1e-6);
    EXPECT_NEAR(made.back().last, 9 / hz, 1e-6);
}

} // namespace
} // namespace cairn::core
