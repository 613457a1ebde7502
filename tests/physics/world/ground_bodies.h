// Bodies on uneven ground, for the tests of meshes and of height fields.
#pragma once

#include "tests/physics/world/mesh_builder.h"
#include "tests/physics/world/world_builder.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace cairn::physics::testing {

struct GroundBody {
    std::string name;
    Geometry geometry;
    float rest = 0.0f; // m, height of its centre on a floor
    Quat orientation = identity_orientation;
};

// One of each kind; `hull_rest`: m, the height of the hull's centre on a floor.
inline std::vector<GroundBody> ground_bodies(PointSet hull, float hull_rest) {
    const Quat lying = normalized(Quat(1, 1, 0, 0));
    return {{"ball", Sphere{0.5f}, 0.5f},
            {"box", Box{Vec3(0.5f)}, 0.5f},
            {"capsule", Capsule{0.3f, 0.4f}, 0.3f, lying},
            {"cylinder", Cylinder{0.4f, 0.4f}, 0.4f, lying},
            {"cone", Cone{0.5f, 1.0f}, 0.25f},
            {"hull", std::move(hull), hull_rest},
            {"plate", Box{Vec3(0.4f, 0.3f, 0.002f)}, 0.002f}};
}

inline BodyDef on_ground(const GroundBody& shape, const Vec3& at) {
    BodyDef body = make_body(shape.geometry, at + Vec3(0, 0, shape.rest));
    body.pose.orientation = shape.orientation;
    return body;
}

inline float bumpy_bowl_height(float x, float y) {
    return 0.02f * (x * x + y * y) + 0.3f * hills(3 * x, 3 * y);
}

// m: facets lie up to so much below the curves hills() and bumpy_bowl_height().
inline constexpr float facet_depth = 0.12f;

// A heap of bodies of every kind above the ground; some fast, some asleep at the end.
inline void fill_bowl(World& world, const Geometry& ground, const std::vector<GroundBody>& shapes,
                      float rolling_resistance) {
    add(world, make_static(ground, Vec3(0.0f)));
    for (int i = 0; i < 60; ++i) {
        BodyDef body =
            make_body(shapes[static_cast<std::size_t>(i) % shapes.size()].geometry,
                      Vec3(1.1f * static_cast<float>(i % 5) - 2.2f, 1.1f * static_cast<float>(i / 5 % 4) - 1.6f,
                           2.0f + 1.3f * static_cast<float>(i / 20)));
        body.pose.orientation = normalized(Quat(1, 0.1f * static_cast<float>(i), 0.3f, 0.05f * static_cast<float>(i)));
        body.linear_velocity = i % 10 == 0 ? Vec3(3, 2, -40) : Vec3(0.0f);
        body.material.rolling_resistance = rolling_resistance;
        add(world, body);
    }
}

// The heap of fill_bowl() after a while: most of it sleeps, nothing is below the ground, and no contact is deeper than
// `deepest(contact)`, m. A run that is cut short still falls.
template <typename Deepest>
void expect_heap_at_rest(const World& world, const Deepest& deepest) {
    int asleep = 0;
    for (const BodyId body : world.body_ids()) {
        const BodyState state = state_of(world, body);
        const Vec3 at = state.pose.position;
        if (state.type == BodyType::dynamic) {
            asleep += state.sleeping ? 1 : 0;
            EXPECT_GT(at.z, bumpy_bowl_height(at.x, at.y) - facet_depth);
        }
    }
    EXPECT_GT(asleep, sanitized ? -1 : 50);
    for (const ContactState& contact : published(world).contacts) {
        EXPECT_GT(contact.separation, sanitized ? -0.1f : -deepest(contact));
    }
}

} // namespace cairn::physics::testing
