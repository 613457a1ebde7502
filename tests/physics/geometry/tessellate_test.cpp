#include "tests/physics/geometry/shape_samples.h"

#include <gtest/gtest.h>

#include <map>

namespace cairn::physics {

namespace {

using namespace geometry_testing;
using DVec3 = glm::dvec3;
using Key = std::array<float, 3>;

Key key(const Vec3& p) { // -0 and 0 are one place
    return {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};
}

std::size_t expected_edges(const Shape& shape, std::size_t segments) {
    switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::capsule:
        return 0;
    case ShapeKind::box:
        return 12;
    case ShapeKind::cylinder:
        return 2 * segments;
    case ShapeKind::cone:
        return segments;
    case ShapeKind::mesh:
        break;
    case ShapeKind::hull:
        return shape.hull->edges.size();
    }
    return 0;
}

TEST(Tessellate, MakesClosedOutwardMeshes) {
    for (const NamedShape& sample : sample_shapes()) {
        for (const int segments : {3, 12, 32}) {
            SCOPED_TRACE(sample.name + " segments " + std::to_string(segments));
            const Shape& shape = sample.shape;
            const ShapeMesh mesh = tessellate(shape, segments);
            const double size = static_cast<double>(shape.bounding_radius);
            ASSERT_EQ(mesh.positions.size(), mesh.normals.size());
            ASSERT_EQ(mesh.triangles.size() % 3, 0u);
            for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
                EXPECT_NEAR(glm::length(mesh.normals[i]), 1.0f, 1e-5f);
                EXPECT_LE(std::abs(outside(shape, DVec3(mesh.positions[i]))), 1e-5 * size);
            }
            // Every directed edge meets its reverse: the surface is closed and wound one way.
            std::map<std::pair<Key, Key>, int> edges;
            double volume6 = 0.0;
            for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
                std::array<Vec3, 3> p;
                Vec3 normal(0.0f);
                for (std::size_t k = 0; k < 3; ++k) {
                    ASSERT_LT(mesh.triangles[t + k], mesh.positions.size());
                    p[k] = mesh.positions[mesh.triangles[t + k]];
                    normal += mesh.normals[mesh.triangles[t + k]];
                }
                for (std::size_t k = 0; k < 3; ++k) {
                    ++edges[{key(p[k]), key(p[(k + 1) % 3])}];
                }
                const DVec3 area = glm::cross(DVec3(p[1]) - DVec3(p[0]), DVec3(p[2]) - DVec3(p[0]));
                volume6 += glm::dot(DVec3(p[0]), area);
                EXPECT_GE(glm::dot(area, DVec3(normal)), -1e-6 * size * size) << "counter-clockwise from outside";
            }
            for (const auto& [edge, count] : edges) {
                const auto reverse = edges.find({edge.second, edge.first});
                EXPECT_TRUE(reverse != edges.end() && reverse->second == count && count == 1);
            }
            const double volume = static_cast<double>(shape.volume);
            const bool polyhedron = shape.kind == ShapeKind::box || shape.kind == ShapeKind::hull;
            // Mass is that of the solid without tolerance; what faces lose by being flat to within 1e-6 of the extent
            // shows in solids that are only 1e-4 thick.
            EXPECT_LE(volume6 / 6.0, volume * (1.0 + (polyhedron ? 2e-2 : 1e-6))) << "inscribed";
            if (polyhedron || segments == 32) {
                EXPECT_GE(volume6 / 6.0, volume * (polyhedron ? 1.0 - 2e-2 : 0.97));
            }
            EXPECT_EQ(mesh.edges.size(), 2 * expected_edges(shape, static_cast<std::size_t>(segments)));
            for (const Vec3& p : mesh.edges) {
                EXPECT_LE(std::abs(outside(shape, DVec3(p))), 1e-5 * size);
            }
        }
    }
}

TEST(Tessellate, NormalsAreFlatOnFacetsAndSmoothOnRoundParts) {
    const ShapeMesh box = tessellate(shape_of(Box{Vec3(1, 2, 3)}));
    EXPECT_EQ(box.positions.size(), 24u);
    for (std::size_t t = 0; t < box.triangles.size(); t += 3) {
        EXPECT_EQ(box.normals[box.triangles[t]], box.normals[box.triangles[t + 1]]);
        EXPECT_EQ(box.normals[box.triangles[t]], box.normals[box.triangles[t + 2]]);
    }
    const ShapeMesh ball = tessellate(shape_of(Sphere{2.0f}), 24);
    for (std::size_t i = 0; i < ball.positions.size(); ++i) {
        EXPECT_LE(glm::length(ball.positions[i] / 2.0f - ball.normals[i]), 1e-5f);
    }
    const ShapeMesh diamond = tessellate(shape_of(Diamond{1.0f}));
    const Shape shape = shape_of(Diamond{1.0f});
    EXPECT_EQ(diamond.positions.size(), shape.hull->face_indices.size()) << "one normal per face and corner";
}

} // namespace

} // namespace cairn::physics
