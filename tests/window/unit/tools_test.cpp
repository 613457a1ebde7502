// What tools work out, without a window.
#include "app/ui/camera/picking.h"
#include "app/ui/panels/body/arrange.h"
#include "app/ui/tools/build/room.h"
#include "app/ui/tools/gizmo/gizmo.h"
#include "app/ui/tools/player/player.h"
#include "app/ui/tools/push/push_tools.h"
#include "app/ui/tools/select/select_tools.h"
#include "app/ui/view/scene_view.h"
#include "physics/world/world.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace cairn::ui {
namespace {

using gizmo::Handle;
using physics::Vec3;

constexpr glm::vec2 window(1000.0f, 600.0f);

render::Camera camera() {
    render::Camera c;
    c.eye = {5.0f, -12.0f, 6.0f};
    c.target = {0.0f, 0.0f, 1.0f};
    return c;
}

gizmo::Frame frame() {
    gizmo::Frame f;
    f.centre = {0.5f, 0.2f, 1.0f};
    f.reach = reach_on_screen(camera(), f.centre, window, 88.0f);
    return f;
}

TEST(Gizmo, KeepsItsSizeOnTheScreen) {
    for (const float distance : {3.0f, 30.0f, 300.0f}) {
        render::Camera c = camera();
        const Vec3 away = glm::normalize(c.eye - c.target);
        c.eye = c.target + distance * away;
        const float reach = reach_on_screen(c, c.target, window, 88.0f);
        const CameraAxes axes = axes_of(c);
        const auto tip = window_position(c, c.target + reach * axes.right, window);
        ASSERT_TRUE(tip);
        EXPECT_NEAR(tip->x - 0.5f * window.x, 88.0f, 0.1f) << distance;
    }
}

TEST(Gizmo, WithoutPerspectiveADragMovesByWhatThePictureShows) {
    render::Camera front = camera();
    front.orthographic = true;
    front.eye = frame().centre + glm::vec3(0.0f, -20.0f, 3.0f); // the body is beside the middle
    front.target = front.eye + glm::vec3(0.0f, 20.0f, 0.0f);
    const float unit = metres_per_unit(front, 1.0f, window.y);
    const auto middle = window_position(front, frame().centre, window);
    ASSERT_TRUE(middle);
    const glm::vec2 grip = *middle + glm::vec2(0.9f * frame().reach / unit, 0.0f);
    EXPECT_EQ(gizmo::move_handle_at(frame(), front, grip, window, 1.0f), Handle::x);
    const auto before = gizmo::along_axis(cursor_ray(front, grip, window), frame().centre, {1, 0, 0});
    const auto after =
        gizmo::along_axis(cursor_ray(front, grip + glm::vec2(50.0f, 7.0f), window), frame().centre, {1, 0, 0});
    ASSERT_TRUE(before && after);
    EXPECT_NEAR(*after - *before, 50.0f * unit, 1e-4f);
    // The axis along the line of sight is a point, though the body is not in the middle of the picture.
    EXPECT_NE(gizmo::move_handle_at(frame(), front, *middle + glm::vec2(0.0f, 1.0f), window, 1.0f), Handle::y);
    EXPECT_FALSE(gizmo::along_axis(cursor_ray(front, grip, window), frame().centre, {0, 1, 0}));
}

TEST(Gizmo, HandlesAreFoundWhereTheyAreSeen) {
    const auto at = [](const Vec3& local) {
        return *window_position(camera(), frame().centre + frame().reach * local, window);
    };
    const auto move = [](const glm::vec2& cursor) {
        return gizmo::move_handle_at(frame(), camera(), cursor, window, 1.0f);
    };
    EXPECT_EQ(move(at({0.9f, 0, 0})), Handle::x);
    EXPECT_EQ(move(at({0, 0.9f, 0})), Handle::y);
    EXPECT_EQ(move(at({0, 0, 0.9f})), Handle::z);
    EXPECT_EQ(move(at({0.4f, 0.4f, 0})), Handle::plane_z);
    EXPECT_EQ(move(at({0.4f, 0, 0.4f})), Handle::plane_y);
    EXPECT_EQ(move(at({0, 0.4f, 0.4f})), Handle::plane_x);
    EXPECT_EQ(move(at({0, 0, 1.5f})), Handle::none);
    const auto turn = [](const glm::vec2& cursor) {
        return gizmo::turn_handle_at(frame(), camera(), cursor, window, 1.0f);
    };
    const float c = std::cos(1.0f), s = std::sin(1.0f);
    EXPECT_EQ(turn(at({s, -c, 0})), Handle::z);
    EXPECT_EQ(turn(at({s, 0, c})), Handle::y);
    EXPECT_EQ(turn(at({0, -c, s})), Handle::x);
    EXPECT_EQ(turn(at({0, 0, 2})), Handle::none);
}

TEST(Gizmo, DragAlongAnAxisFollowsTheCursor) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> place(-4.0f, 4.0f);
    int tried = 0;
    for (int i = 0; i < 300; ++i) {
        const Vec3 origin(place(random), place(random), 0.5f * place(random) + 1.0f);
        for (const Handle handle : {Handle::x, Handle::y, Handle::z}) {
            const float wanted = place(random);
            const auto at = window_position(camera(), origin + wanted * gizmo::axis_vector(handle), window);
            const auto along =
                at ? gizmo::along_axis(cursor_ray(camera(), *at, window), origin, gizmo::axis_vector(handle))
                   : std::nullopt;
            if (along) {
                EXPECT_NEAR(*along, wanted, 2e-3f);
                ++tried;
            }
        }
    }
    EXPECT_GT(tried, 700);
    physics::Ray ray;
    ray.direction = Vec3(1, 0, 0);
    EXPECT_FALSE(gizmo::along_axis(ray, Vec3(0, 1, 0), Vec3(1, 0, 0))) << "along the axis there is nothing to read off";
}

TEST(Gizmo, TurnsAreCountedOnPastHalfATurn) {
    const Vec3 axis(0, 0, 1), centre(0.5f, 0.2f, 1.0f);
    std::optional<float> start;
    float last = 0.0f;
    for (int i = 0; i <= 100; ++i) { // two turns and a half
        const float angle = 0.15707963f * static_cast<float>(i);
        const auto at = window_position(camera(), centre + Vec3(std::cos(angle), std::sin(angle), 0), window);
        ASSERT_TRUE(at);
        const auto seen = gizmo::angle_about(cursor_ray(camera(), *at, window), centre, axis);
        ASSERT_TRUE(seen);
        last = start ? gizmo::unwound(*seen, last) : *seen;
        start = start.value_or(*seen);
    }
    EXPECT_NEAR(last - *start, 15.707963f, 1e-2f);
    physics::Ray level;
    level.origin = {-5, 0, 1};
    level.direction = {1, 0, 0};
    EXPECT_FALSE(gizmo::angle_about(level, centre, axis)) << "the ring is seen from its edge";
}

TEST(Gizmo, SnapsToWholeSteps) {
    EXPECT_EQ(gizmo::snapped(0.74f, 0.5f), 0.5f);
    EXPECT_EQ(gizmo::snapped(-0.76f, 0.5f), -1.0f);
    EXPECT_EQ(gizmo::snapped(0.74f, 0.0f), 0.74f);
}

TEST(ThrowTool, PathIsTheOneThatTheWorldTakes) {
    physics::BodyDef ball;
    ball.shapes = {{physics::Sphere{0.3f}, {}}};
    ball.pose.position = {1, 2, 40};
    ball.linear_velocity = {6, -3, 9};
    ball.linear_damping = 0.2f;
    physics::World world;
    const physics::BodyId id = world.apply(physics::CreateBody{ball}).created;
    const physics::Settings& settings = world.settings();
    BallisticPath path(ball.pose.position, ball.linear_velocity, settings.gravity, ball.linear_damping,
                       1.0f / settings.hz);
    for (int i = 0; i < 120; ++i) {
        world.step();
        path.advance();
    }
    const Vec3 flown = world.state(id)->pose.position - ball.pose.position;
    EXPECT_GT(glm::length(flown), 10.0f);
    EXPECT_LT(glm::length(world.state(id)->pose.position - path.position()), 0.02f * glm::length(flown));
}

TEST(ThrowTool, FliesAgainstThePull) {
    const Vec3 right(1, 0, 0), forward(0, 1, 0);
    const Vec3 v = sling_velocity({30.0f, 40.0f}, 0.2f, 0.5f, right, forward);
    EXPECT_NEAR(glm::length(v), 10.0f, 1e-4f);
    EXPECT_NEAR(v.z, 10.0f * std::sin(0.5f), 1e-4f);
    EXPECT_LT(v.x, 0.0f) << "pulled to the right";
    EXPECT_GT(v.y, 0.0f) << "pulled nearer";
    EXPECT_EQ(sling_velocity({0.0f, 0.0f}, 0.2f, 0.5f, right, forward), Vec3(0.0f));
}

TEST(Blast, DrivesApartAndFallsToNothingAtTheRing) {
    const Vec3 centre(1, 1, 0);
    EXPECT_NEAR(glm::length(blast_velocity(centre, centre + Vec3(1, 0, 0), 4.0f, 16.0f)), 12.0f, 1e-4f);
    EXPECT_GT(blast_velocity(centre, centre + Vec3(1, 0, 0), 4.0f, 16.0f).x, 0.0f);
    EXPECT_EQ(blast_velocity(centre, centre + Vec3(0, 4.1f, 0), 4.0f, 16.0f), Vec3(0.0f));
    EXPECT_EQ(blast_velocity(centre, centre, 4.0f, 16.0f), Vec3(0, 0, 16.0f)) << "straight up from the middle";
    EXPECT_EQ(share_at(1.0f, 0.0f), 0.0f);
}

TEST(MeasureTool, AnglesBetweenThreePoints) {
    EXPECT_NEAR(*angle_at({0, 0, 0}, {1, 0, 0}, {0, 2, 0}), 90.0f, 1e-4f);
    EXPECT_NEAR(*angle_at({1, 1, 1}, {2, 1, 1}, {2, 2, 1}), 45.0f, 1e-4f);
    EXPECT_NEAR(*angle_at({0, 0, 0}, {1, 0, 0}, {-1, 1e-4f, 0}), 180.0f, 1e-2f);
    EXPECT_FALSE(angle_at({0, 0, 0}, {0, 0, 0}, {1, 0, 0}));
}

TEST(Room, IsTakenByWhatIsThere) {
    physics::World world;
    physics::BodyDef box;
    box.shapes = {{physics::Box{Vec3(1)}, {}}};
    world.apply(physics::CreateBody{box});
    box.pose.position = {10, 0, 0};
    box.pose.orientation = glm::angleAxis(0.785398f, Vec3(0, 0, 1));
    world.apply(physics::CreateBody{box});
    physics::FrameState state;
    world.publish(state);
    const physics::BodyModel& model = *state.models[0];
    const auto in_the_way = [&](const physics::FrameState& frame, const physics::BodyModel& body,
                                const physics::Transform& pose) {
        std::vector<std::size_t> near;
        find_near(frame, body_bounds(body, pose), near);
        return ui::in_the_way(frame, near, body, pose);
    };
    EXPECT_EQ(in_the_way(state, model, {Vec3(0, 0, 1.9f), physics::identity_orientation}), std::size_t(0));
    EXPECT_EQ(in_the_way(state, model, {Vec3(0, 0, 2.1f), physics::identity_orientation}), std::nullopt);
    // Bounds overlap, bodies do not: the corner of a box beside the side of one that is turned.
    EXPECT_EQ(in_the_way(state, model, {Vec3(11.9f, 1.9f, 0), physics::identity_orientation}), std::nullopt);
    EXPECT_EQ(in_the_way(state, model, {Vec3(11.2f, 1.2f, 0), physics::identity_orientation}), std::size_t(1));
    EXPECT_NEAR(extent_along(model, glm::angleAxis(0.785398f, Vec3(0, 0, 1)), Vec3(1, 0, 0)), std::sqrt(2.0f), 1e-4f);
}

// A valley along Y whose sides rise by a half of X, with its origin in the middle of the bottom.
physics::BodyDef valley() {
    auto data = std::make_shared<physics::HeightData>();
    data->columns = data->rows = 21;
    std::vector<float> heights;
    for (int row = 0; row < 21; ++row) {
        for (int column = 0; column < 21; ++column) {
            heights.push_back(0.5f * std::abs(static_cast<float>(column - 10)));
        }
    }
    data->heights = heights;
    physics::BodyDef body;
    body.type = physics::BodyType::fixed;
    body.shapes = {{physics::HeightField{std::move(data)}, {}}};
    return body;
}

TEST(Room, OnHeightFieldsAndMeshesIsAboveTheirSurface) {
    physics::World world;
    ASSERT_TRUE(world.apply(physics::CreateBody{valley()}).ok());
    physics::BodyDef def;
    def.shapes = {{physics::Box{Vec3(0.5f)}, {}}};
    ASSERT_TRUE(world.apply(physics::CreateBody{def}).ok());
    physics::FrameState state;
    world.publish(state);
    const physics::BodyModel& box = *state.models[1];
    const std::vector<std::size_t> ground{0};
    const auto in_the_way = [&](float x, float z) {
        return ui::in_the_way(state, ground, box, {Vec3(x, 0, z), physics::identity_orientation});
    };
    // Two edges of a cube touch the sides of the valley where it is 0.25 m above the bottom.
    EXPECT_EQ(in_the_way(0, 0.76f), std::nullopt) << "the origin of the field is no part of its surface";
    EXPECT_EQ(in_the_way(0, 0.74f), std::size_t(0));
    EXPECT_EQ(in_the_way(5, 3.26f), std::nullopt);
    EXPECT_EQ(in_the_way(5, 3.2f), std::size_t(0)) << "far from the origin of the field";
    const auto rise = [&](float z, float most) {
        return rise_from_meshes(state, box, {Vec3(0, 0, z), physics::identity_orientation}, Vec3(0, 0, 1), most);
    };
    EXPECT_EQ(rise(0.8f, 1.0f), 0.0f) << "there is room";
    EXPECT_NEAR(rise(0.5f, 1.0f).value_or(-1.0f), 0.25f, 0.002f) << "touching, not inside";
    EXPECT_EQ(rise(0.5f, 0.2f), std::nullopt);
}

TEST(Player, EveryShapeIsTakenByTheWorld) {
    for (std::size_t i = 0; i < player_shapes().size(); ++i) {
        for (const float size : {0.1f, 1.0f, 10.0f}) {
            physics::World world;
            const auto result = world.apply(physics::CreateBody{player_body(i, size, Vec3(0, 0, 5))});
            EXPECT_TRUE(result.ok()) << player_shapes()[i].name << ": " << result.error;
            world.step();
            EXPECT_NEAR(world.state(result.created)->pose.position.z, 5.0f, 1e-4f) << "it has no weight";
        }
    }
}

TEST(Player, SpeedsUpEvenlyAndNoFurtherThanAsked) {
    Vec3 v(0.0f);
    for (int i = 0; i < 4; ++i) {
        v = driven_velocity(v, Vec3(3.5f, 0, 0), 1.0f);
    }
    EXPECT_EQ(v, Vec3(3.5f, 0, 0));
    EXPECT_NEAR(glm::length(driven_velocity(Vec3(0), Vec3(3, 4, 0), 1.0f)), 1.0f, 1e-5f);
}

TEST(Player, KeysFollowTheScreenAlongTheAxesOfTheWorld) {
    render::Camera c;
    c.target = Vec3(0.0f);
    c.eye = {1, -10, 5}; // looks north
    EXPECT_EQ(along_world_axes(c, 1, 0, 0), Vec3(1, 0, 0));
    EXPECT_EQ(along_world_axes(c, 0, 1, 0), Vec3(0, 1, 0));
    c.eye = {10, 1, 5}; // west
    EXPECT_EQ(along_world_axes(c, 1, 0, 0), Vec3(0, 1, 0));
    EXPECT_EQ(along_world_axes(c, 0, 1, 0), Vec3(-1, 0, 0));
    c.eye = {-1, 10, 5}; // south
    EXPECT_EQ(along_world_axes(c, 1, 0, 0), Vec3(-1, 0, 0));
    EXPECT_EQ(along_world_axes(c, 0, 1, 1), Vec3(0, -1, 1));
}

Arranged box_at(const Vec3& middle, const Vec3& half, const Vec3& off_centre = Vec3(0.0f)) {
    return {middle + off_centre, {middle - half, middle + half}};
}

TEST(Arrange, AlignsByTheMiddleOfTheBounds) {
    const std::vector<Arranged> bodies = {box_at({1, 2, 3}, Vec3(1)), box_at({4, 5, 6}, Vec3(2), Vec3(0.5f))};
    const std::vector<Vec3> positions = aligned(bodies, 0, 1);
    EXPECT_EQ(positions[0], Vec3(1, 2, 3)) << "the leader stays";
    EXPECT_EQ(positions[1], Vec3(4.5f, 2.5f, 6.5f)) << "its centre of mass is not the middle of its bounds";
}

TEST(Arrange, LeavesEqualGapsBetweenTheOutermost) {
    const std::vector<Arranged> bodies = {box_at({10, 0, 0}, Vec3(1)), box_at({0, 0, 0}, Vec3(1)),
                                          box_at({1, 0, 0}, Vec3(0.5f)), box_at({9, 0, 0}, Vec3(0.5f))};
    const std::vector<Vec3> positions = distributed(bodies, 0);
    EXPECT_EQ(positions[0], Vec3(10, 0, 0));
    EXPECT_EQ(positions[1], Vec3(0, 0, 0));
    EXPECT_NEAR(positions[2].x - 0.5f - 1.0f, 2.0f, 1e-5f);
    EXPECT_NEAR(positions[3].x - 0.5f - (positions[2].x + 0.5f), 2.0f, 1e-5f);
}

TEST(Arrange, StacksFromTheLowestUp) {
    const std::vector<Arranged> bodies = {box_at({3, 3, 9}, Vec3(0.5f)), box_at({0, 1, 1}, Vec3(1)),
                                          box_at({5, 5, 2}, Vec3(2))};
    const std::vector<Vec3> positions = stacked(bodies, 1);
    EXPECT_EQ(positions[1], Vec3(0, 1, 1));
    EXPECT_NEAR(positions[2].z, 4.001f, 1e-5f);
    EXPECT_NEAR(positions[0].z, 6.502f, 1e-5f);
    EXPECT_EQ(glm::vec2(positions[0]), glm::vec2(0, 1));
}

} // namespace
} // namespace cairn::ui
