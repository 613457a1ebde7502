// Bodies that do not move along, or turn about, some axes of the world.
#include "tests/physics/joints/joint_builder.h"

#include <cmath>

namespace cairn::physics::testing {
namespace {

constexpr std::uint8_t x = 1, y = 2, z = 4, rx = 8, ry = 16, rz = 32;

BodyDef crate(const Vec3& place, unsigned locks) {
    BodyDef def = make_body(Box{Vec3(0.4f, 0.3f, 0.5f)}, place);
    def.mass = 5.0f;
    def.locks = static_cast<std::uint8_t>(locks);
    return def;
}

TEST(AxisLocks, LeaveTheOtherAxesFree) {
    World world(without_sleep());
    BodyDef def = crate(Vec3(1.25f, -2.5f, 10), x | y);
    def.linear_velocity = Vec3(3, 4, 0);
    const BodyId body = add(world, def);
    ASSERT_TRUE(world.apply(ApplyImpulse{body, Vec3(20, 5, 0), Vec3(1.5f, -2.5f, 10.2f)}).ok());
    run(world, 60);
    const BodyState state = state_of(world, body);
    EXPECT_EQ(state.pose.position.x, 1.25f);
    EXPECT_EQ(state.pose.position.y, -2.5f);
    EXPECT_NEAR(state.pose.position.z, 10.0f - 0.5f * 9.81f, 0.05f);
    EXPECT_GT(glm::length(state.angular_velocity), 0.1f); // it may turn
}

// In a plane: bodies strike each other and a floor, and not a bit of them leaves it.
TEST(AxisLocks, KeepAPlaneToTheBit) {
    World world(without_sleep());
    add(world, make_floor());
    std::vector<BodyId> bodies;
    for (int i = 0; i < 12; ++i) {
        BodyDef def = crate(
            Vec3(0.37f * static_cast<float>(i % 3), 0.1f * static_cast<float>(i % 2), 1.0f + static_cast<float>(i)),
            y | rx | rz);
        def.pose.orientation = normalized(Quat(1, 0.3f * static_cast<float>(i), 0.2f, -0.4f)); // of no plane
        def.angular_velocity = Vec3(5, static_cast<float>(i), -5);
        bodies.push_back(add(world, def));
    }
    std::vector<float> start;
    for (const BodyId body : bodies) {
        start.push_back(state_of(world, body).pose.position.y);
    }
    float turned = 0.0f;
    for (int step = 0; step < 300; ++step) {
        world.step();
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const BodyState state = state_of(world, bodies[i]);
            ASSERT_EQ(state.pose.position.y, start[i]);
            ASSERT_EQ(state.linear_velocity.y, 0.0f);
            ASSERT_EQ(state.angular_velocity.x, 0.0f);
            ASSERT_EQ(state.angular_velocity.z, 0.0f);
            turned = std::max(turned, std::abs(state.angular_velocity.y));
            ASSERT_GT(state.pose.position.z, 0.2f);
        }
    }
    EXPECT_GT(turned, 1.0f);
}

// Pushed at its top a crate tips over, unless it may not turn: then it slides.
TEST(AxisLocks, KeepACrateUpright) {
    for (const bool locked : {true, false}) {
        World world(without_sleep());
        add(world, make_floor());
        const BodyId body = add(world, crate(Vec3(0, 0, 0.5f), locked ? rx | ry | rz : 0u));
        run(world, 30);
        ASSERT_TRUE(world.apply(ApplyImpulse{body, Vec3(0, 40, 0), Vec3(0, 0, 1)}).ok());
        run(world, 120);
        const BodyState state = state_of(world, body);
        const Vec3 up = rotate(state.pose.orientation, Vec3(0, 0, 1));
        EXPECT_EQ(up == Vec3(0, 0, 1), locked);
        EXPECT_GT(state.pose.position.y, 0.5f);
        if (locked) {
            EXPECT_NEAR(state.pose.position.z, 0.5f, 0.01f);
        }
    }
}

// What may not move at all stops what hits it, however light it is.
TEST(AxisLocks, HoldAgainstAnImpact) {
    World world(weightless());
    BodyDef wall = crate(Vec3(0.0f), x | y | z | rx | ry | rz);
    const BodyId body = add(world, wall);
    BodyDef ball = make_body(Sphere{0.2f}, Vec3(-3, 0.1f, 0));
    ball.mass = 50.0f;
    ball.linear_velocity = Vec3(20, 0, 0);
    const BodyId bullet = add(world, ball);
    run(world, 60);
    EXPECT_EQ(state_of(world, body).pose.position, Vec3(0.0f));
    EXPECT_LT(state_of(world, bullet).pose.position.x, -0.55f);
}

// A crank drives a piston that its locks guide; the same as on a slider.
TEST(AxisLocks, GuideAPistonAsASliderDoes) {
    const auto course = [](bool locked) {
        World world(weightless());
        BodyDef wheel = make_body(Cylinder{0.3f, 0.05f}, Vec3(0.0f));
        wheel.pose.orientation = z_to_y();
        BodyDef rod = make_body(Box{Vec3(0.5f, 0.02f, 0.04f)}, Vec3(0.7f, 0, 0));
        BodyDef piston = make_body(Box{Vec3(0.1f)}, Vec3(1.2f, 0, 0));
        piston.locks = locked ? std::uint8_t(y | z | rx | ry | rz) : std::uint8_t{0};
        for (BodyDef* part : {&wheel, &rod, &piston}) {
            part->mass = 2.0f;
            part->filter.mask = 0;
        }
        const BodyId a = add(world, wheel), b = add(world, rod), c = add(world, piston);
        JointDef drive = joint_at(world, JointKind::hinge, {}, a, Vec3(0.0f), z_to_y());
        drive.motor = JointMotor{6.0f, 50.0f};
        join(world, drive);
        join(world, joint_at(world, JointKind::hinge, a, b, Vec3(0.2f, 0, 0), z_to_y()));
        join(world, joint_at(world, JointKind::ball, b, c, Vec3(1.2f, 0, 0)));
        if (!locked) {
            join(world, joint_at(world, JointKind::slider, {}, c, Vec3(1.2f, 0, 0), normalized(Quat(1, 0, 1, 0))));
        }
        std::vector<float> places;
        for (int i = 0; i < 180; ++i) {
            world.step();
            places.push_back(state_of(world, c).pose.position.x);
        }
        return places;
    };
    const std::vector<float> expected = course(false), found = course(true);
    float least = 2.0f, most = 0.0f, apart = 0.0f;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        least = std::min(least, found[i]);
        most = std::max(most, found[i]);
        apart = std::max(apart, std::abs(found[i] - expected[i]));
    }
    EXPECT_LT(apart, 2e-3f);
    EXPECT_NEAR(most, 1.2f, 0.01f);  // rod and crank stretched out
    EXPECT_NEAR(least, 0.8f, 0.01f); // and folded
}

TEST(AxisLocks, ChangeWhileItRuns) {
    World world(without_sleep());
    const BodyId body = add(world, crate(Vec3(0, 0, 5), z));
    run(world, 60);
    EXPECT_EQ(state_of(world, body).pose.position.z, 5.0f);
    SetBody set;
    set.body = body;
    set.locks = std::uint8_t{0};
    ASSERT_TRUE(world.apply(set).ok());
    run(world, 30);
    EXPECT_LT(state_of(world, body).pose.position.z, 4.0f);
    set.locks = std::uint8_t{64};
    EXPECT_FALSE(world.apply(set).ok());
}

// One turn locked: its torque keeps w . e = 0 and does no work, whatever the moments do to the other two.
TEST(AxisLocks, OfOneTurnLeaveTheCourseThatEulersEquationsHave) {
    for (int locked = 0; locked < 3; ++locked) {
        World world(weightless());
        BodyDef def = make_body(Box{Vec3(0.1f, 0.25f, 0.5f)}, Vec3(0.0f));
        def.mass = 10.0f;
        def.pose.orientation = normalized(Quat(0.7f, 0.3f, -0.5f, 0.2f));
        def.angular_velocity = Vec3(3, 4, 5);
        def.angular_velocity[locked] = 0.0f;
        def.locks = static_cast<std::uint8_t>(rx << locked);
        const BodyId body = add(world, def);

        glm::dquat q(def.pose.orientation);
        glm::dvec3 w(def.angular_velocity);
        const glm::dvec3 moments = 10.0 / 3.0 * glm::dvec3(0.0625 + 0.25, 0.01 + 0.25, 0.01 + 0.0625);
        const auto inertia = [&](const glm::dquat& at) {
            const glm::dmat3 r = glm::mat3_cast(at);
            return r * glm::dmat3(moments.x, 0, 0, 0, moments.y, 0, 0, 0, moments.z) * glm::transpose(r);
        };
        const auto acceleration = [&](const glm::dquat& at, const glm::dvec3& spin) {
            const glm::dmat3 tensor = inertia(at), inverse = glm::inverse(tensor);
            const glm::dvec3 alone = inverse * -glm::cross(spin, tensor * spin);
            return alone - inverse[locked] * (alone[locked] / inverse[locked][locked]);
        };
        const auto turned_by = [](const glm::dquat& from, const glm::dvec3& spin, double time) {
            return glm::normalize(from + (0.5 * time) * (glm::dquat(0.0, spin.x, spin.y, spin.z) * from));
        };
        const double energy = 0.5 * glm::dot(w, inertia(q) * w);
        for (int step = 0; step < 60; ++step) {
            world.step();
            for (int i = 0; i < 1000; ++i) { // midpoints
                const double time = 1.0 / 60000.0;
                const glm::dquat half = turned_by(q, w, 0.5 * time);
                const glm::dvec3 middle = w + 0.5 * time * acceleration(q, w);
                w += time * acceleration(half, middle);
                q = turned_by(q, middle, time);
            }
            const BodyState state = state_of(world, body);
            ASSERT_EQ(state.angular_velocity[locked], 0.0f);
            const glm::dvec3 spin(state.angular_velocity);
            ASSERT_NEAR(0.5 * glm::dot(spin, inertia(glm::dquat(state.pose.orientation)) * spin), energy,
                        1e-4 * energy);
            EXPECT_LT(glm::length(spin - w), 0.1) << "axis " << locked << ", step " << step;
        }
    }
}

TEST(AxisLocks, LetImpulsesTurnWhatTheyLeave) {
    for (const int locks : {rx | ry, rx | rz, ry + 0, x | rz}) {
        World pushed(weightless()), forced(weightless());
        std::vector<BodyId> bodies;
        for (World* world : {&pushed, &forced}) {
            BodyDef def = crate(Vec3(0.0f), static_cast<unsigned>(locks));
            def.pose.orientation = normalized(Quat(1, 0.3f, 0.2f, -0.4f));
            bodies.push_back(add(*world, def));
        }
        const Vec3 impulse(2, -1, 3), point(0.2f, 0.3f, -0.1f);
        ASSERT_TRUE(pushed.apply(ApplyImpulse{bodies[0], impulse, point}).ok());
        ASSERT_TRUE(forced.apply(ApplyForce{bodies[1], 60.0f * impulse, Vec3(0.0f), point}).ok());
        pushed.step();
        forced.step();
        const BodyState one = state_of(pushed, bodies[0]), other = state_of(forced, bodies[1]);
        EXPECT_LT(glm::length(one.linear_velocity - other.linear_velocity), 1e-4f) << locks;
        EXPECT_LT(glm::length(one.angular_velocity - other.angular_velocity), 0.02f * glm::length(one.angular_velocity))
            << locks;
    }
}

// Neither end of such a joint can be moved.
TEST(AxisLocks, LeaveJointsOfWhatCannotMoveWithoutALoad) {
    for (const JointKind kind : {JointKind::ball, JointKind::hinge, JointKind::slider, JointKind::weld}) {
        for (const bool to_world : {true, false}) {
            World world(without_sleep());
            const unsigned all = x | y | z | rx | ry | rz;
            const BodyId a = add(world, crate(Vec3(0, 0, 5), all)), b = add(world, crate(Vec3(1, 0, 5), all));
            join(world, joint_at(world, kind, to_world ? BodyId{} : a, b, Vec3(0.5f, 0, 5)));
            run(world, 5);
            EXPECT_EQ(published(world).joints[0].force, Vec3(0.0f));
            SetBody set;
            set.body = b;
            set.locks = std::uint8_t{0};
            ASSERT_TRUE(world.apply(set).ok());
            run(world, 10);
            EXPECT_TRUE(world.stopped().empty());
            EXPECT_TRUE(std::isfinite(published(world).joints[0].force.z));
        }
    }
}

// What stops on its path is held as a part of its mechanism; where no joint acts, there are none.
TEST(AxisLocks, OfAFastBodyNeedNoJoints) {
    for (const int locks : {y | 0, y | rx | rz, x | y | z}) {
        World world(weightless());
        for (const float side : {-1.0f, 1.0f}) {
            add(world, make_static(Box{Vec3(0.1f, 500, 500)}, Vec3(side, 0, 0)));
        }
        BodyDef def = make_body(Box{Vec3(0.1f)}, Vec3(0));
        def.material.restitution = 1.0f;
        def.linear_velocity = Vec3(100, 0, 0);
        def.angular_velocity = Vec3(0, 20, 0);
        def.locks = static_cast<std::uint8_t>(locks);
        const BodyId body = add(world, def);
        for (int i = 0; i < 60; ++i) {
            world.step();
            ASSERT_LT(std::abs(state_of(world, body).pose.position.x), 0.9f) << locks << " at step " << i;
        }
    }
}

// Sixty-four in a plane that bounce about: each is stopped where it meets another, and goes on within the step. Locked
// bodies were followed as parts of mechanisms are, which come as far as their middles into each other.
TEST(AxisLocks, FastBodiesMeetLikeOthers) {
    for (const Geometry& geometry : {Geometry(Sphere{0.1f}), Geometry(Box{Vec3(0.12f, 0.1f, 0.08f)})}) {
        World world(weightless());
        for (const float side : {-1.0f, 1.0f}) {
            for (const bool along_x : {false, true}) {
                BodyDef wall = make_static(Box{along_x ? Vec3(0.2f, 1.0f, 2.4f) : Vec3(2.4f, 1.0f, 0.2f)},
                                           2.2f * side * (along_x ? Vec3(1, 0, 0) : Vec3(0, 0, 1)));
                wall.material.friction = 0.0f;
                wall.material.restitution = 1.0f;
                add(world, wall);
            }
        }
        std::vector<BodyId> bodies;
        for (int i = 0; i < 64; ++i) {
            const float column = static_cast<float>(i % 8) - 3.5f, row = static_cast<float>(i / 8) - 3.5f;
            BodyDef def = make_body(geometry, Vec3(0.45f * column, 0.01f * row, 0.45f * row));
            def.material.friction = 0.0f;
            def.material.restitution = 1.0f;
            def.locks = y | rx | rz;
            const auto angle = static_cast<float>(i);
            def.linear_velocity = 8.0f * Vec3(std::cos(angle), 0.0f, std::sin(angle));
            bodies.push_back(add(world, def));
        }
        float deepest = 0.0f;
        double given_up = 0.0;
        FrameState frame;
        for (int step = 0; step < 600; ++step) {
            world.step();
            world.publish(frame);
            deepest = std::max(deepest, frame.stats.max_penetration);
            given_up += frame.stats.time_given_up;
        }
        EXPECT_LT(deepest, 0.02f);
        EXPECT_LT(given_up, 0.1) << "of 640 s";
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const BodyState state = state_of(world, bodies[i]);
            EXPECT_EQ(state.pose.position.y, 0.01f * (static_cast<float>(i / 8) - 3.5f));
            EXPECT_EQ(state.linear_velocity.y, 0.0f);
            EXPECT_EQ(state.angular_velocity.x, 0.0f);
            EXPECT_EQ(state.angular_velocity.z, 0.0f);
        }
    }
}

} // namespace
} // namespace cairn::physics::testing
