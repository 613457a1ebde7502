// Contacts with meshes that are taken along, against those that are asked for anew.
#include "physics/narrowphase/carry/carry.h"
#include "physics/narrowphase/update/contact_update.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace cairn::physics {
namespace {

constexpr float speculative = 0.02f;      // m
constexpr float step_time = 1.0f / 60.0f; // s

using Faces = std::array<FoundContact, MeshManifolds::most>;

Shape make_shape(const Geometry& geometry) {
    return std::get<Shape>(build_shape(geometry));
}

// Hills with ridges between triangles, 20 m across.
Shape hills() {
    constexpr int side = 41;
    auto data = std::make_shared<MeshData>();
    for (int j = 0; j < side; ++j) {
        for (int i = 0; i < side; ++i) {
            const float x = 0.5f * static_cast<float>(i) - 10.0f, y = 0.5f * static_cast<float>(j) - 10.0f;
            data->vertices.emplace_back(x, y, 0.3f * std::sin(0.7f * x) * std::cos(0.9f * y));
        }
    }
    for (std::uint32_t j = 0; j + 1 < side; ++j) {
        for (std::uint32_t i = 0; i + 1 < side; ++i) {
            const std::uint32_t a = j * side + i;
            data->triangles.push_back({a, a + 1, a + side + 1});
            data->triangles.push_back({a, a + side + 1, a + side});
        }
    }
    return make_shape(Mesh{data});
}

struct Ground {
    Shape mesh = hills();
    Transform pose;
    Material material;

    int find(const Shape& shape, const Transform& at, Faces& out) const {
        const std::array<ContactBefore, MeshManifolds::most> none{};
        float apart = 0.0f;
        return find_mesh_contacts({&mesh, pose, &pose, mesh.bounding_radius, &material},
                                  {&shape, at, &at, shape.bounding_radius, &material}, speculative, step_time, none, {},
                                  out, apart);
    }
};

bool carry_all(Faces& faces, const Transform& ground, const Transform& at) {
    return std::ranges::all_of(faces, [&](FoundContact& face) {
        return face.contact.count == 0 || carry(face.contact, std::span(face.points).first(face.contact.count), ground,
                                                at, speculative, step_time);
    });
}

float depth(const Faces& faces) {
    float least = speculative;
    for (const FoundContact& face : faces) {
        for (std::size_t i = 0; i < face.contact.count; ++i) {
            least = std::min(least, face.points[i].separation);
        }
    }
    return least;
}

Quat turn_by(const Vec3& angle) { // small
    return normalized(Quat(1.0f, 0.5f * angle.x, 0.5f * angle.y, 0.5f * angle.z));
}

// The ground as well is moved, together with the box, and the box against it by `share` of what the contact bears.
TEST(CarryOnMeshes, SaysTheDepthThatAQueryWouldSay) {
    const Ground ground;
    const Shape box = make_shape(Box{Vec3(0.4f, 0.5f, 0.3f)});
    std::mt19937 random(21);
    std::uniform_real_distribution<float> place(-8.0f, 8.0f), unit(-1.0f, 1.0f);
    const auto direction = [&] { return glm::normalize(Vec3(unit(random), unit(random), unit(random))); };
    int contacts = 0, beyond = 0;
    double error = 0.0, error_left_alone = 0.0; // m
    for (int i = 0; i < 3000; ++i) {
        const float x = place(random), y = place(random);
        Transform at{{x, y, 0.3f * std::sin(0.7f * x) * std::cos(0.9f * y) + 0.3f}, turn_by(0.5f * direction())};
        Faces faces;
        if (ground.find(box, at, faces) == 0 || depth(faces) < -0.02f) {
            continue;
        }
        const auto touching =
            std::ranges::find_if(faces, [](const FoundContact& face) { return face.contact.count > 0; });
        const float bears = touching->contact.tolerance;
        ASSERT_GT(bears, 0.0f);
        at.position += 0.45f * bears * direction();
        at.orientation = normalized(turn_by(0.45f * bears / box.bounding_radius * direction()) * at.orientation);
        Faces anew;
        ground.find(box, at, anew);

        const Transform together{{1.0f, -2.0f, 0.5f}, turn_by(0.3f * direction())};
        Faces carried = faces;
        const bool margin_left = std::ranges::all_of(faces, [&](const FoundContact& face) {
            return std::all_of(
                face.points.begin(), face.points.begin() + face.contact.count,
                [&](const ContactPoint& point) { return point.separation + 2.0f * bears < speculative; });
        });
        if (!margin_left) {
            continue;
        }
        ++contacts;
        ASSERT_TRUE(carry_all(carried, together, compose(together, at)));
        const float off = std::abs(depth(carried) - depth(anew));
        if (off > 2.0f * bears + 1e-5f) {
            ++beyond;
            continue;
        }
        error += double(off);
        error_left_alone += double(std::abs(depth(faces) - depth(anew)));
        ASSERT_FALSE(carry_all(faces, ground.pose, {at.position + 2.1f * bears * direction(), at.orientation}));
    }
    EXPECT_GT(contacts, 250);
    EXPECT_LT(error, 0.5 * error_left_alone);
    EXPECT_LE(beyond, contacts / 50); // an edge that is met more deeply than the face beside it speaks or does not
}

TEST(CarryOnMeshes, NormalsOfFacesTurnWithTheMesh) {
    const Ground ground;
    const Shape box = make_shape(Box{Vec3(0.4f)});
    Faces faces;
    ASSERT_GT(ground.find(box, {{0.3f, 0.2f, 0.43f}, turn_by({0.2f, 0.1f, 0.0f})}, faces), 0);
    for (const FoundContact& face : faces) {
        EXPECT_TRUE(face.contact.count == 0 || face.contact.normal_turns_with_a);
    }
}

TEST(CarryOnMeshes, LeavesRoundShapesAlone) {
    const Ground ground;
    for (const Geometry& geometry : {Geometry(Sphere{0.4f}), Geometry(Capsule{0.4f, 0.2f}),
                                     Geometry(Cylinder{0.4f, 0.4f}), Geometry(Cone{0.4f, 0.8f})}) {
        const Shape shape = make_shape(geometry);
        Faces faces;
        Transform at{{0.3f, 0.2f, 1.0f}, identity_orientation};
        while (ground.find(shape, at, faces) == 0) {
            at.position.z -= 0.01f;
            ASSERT_GT(at.position.z, 0.0f);
        }
        EXPECT_FALSE(carry_all(faces, ground.pose, at));
    }
}

} // namespace
} // namespace cairn::physics
