#include "render/mesh_shapes.h"

#include <cmath>
#include <glm/gtc/constants.hpp>

namespace cairn::render {

namespace {

// Segments round the circle per level. A silhouette of radius r pixels leaves the circle by r (1 - cos(pi / segments)):
// with the limits of level_for() in instance_batch.cpp by about half a pixel at most. Coarse levels matter to software
// drivers above all, which shade whole blocks of pixels for every sliver of a triangle.
constexpr std::uint32_t level_segments[max_levels] = {48, 24, 12, 8};

glm::vec3 on_circle(std::uint32_t segment, std::uint32_t segments) {
    const float angle = glm::two_pi<float>() * static_cast<float>(segment % segments) / static_cast<float>(segments);
    return {std::cos(angle), std::sin(angle), 0.0f};
}

std::uint32_t add_vertex(Mesh& mesh, glm::vec3 position, glm::vec3 normal) {
    mesh.positions.push_back(position);
    mesh.normals.push_back(normal);
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
}

void add_quad(std::vector<std::uint32_t>& triangles, std::uint32_t a, std::uint32_t b, std::uint32_t c,
              std::uint32_t d) {
    triangles.insert(triangles.end(), {a, b, c, a, c, d});
}

// A disc at height z that faces up (side = 1) or down (side = -1).
void add_cap(Mesh& mesh, std::uint32_t segments, float z, float side) {
    const glm::vec3 normal{0.0f, 0.0f, side};
    const std::uint32_t centre = add_vertex(mesh, {0.0f, 0.0f, z}, normal);
    for (std::uint32_t i = 0; i < segments; ++i) {
        add_vertex(mesh, on_circle(i, segments) + glm::vec3(0.0f, 0.0f, z), normal);
    }
    for (std::uint32_t i = 0; i < segments; ++i) {
        const std::uint32_t here = centre + 1 + i;
        const std::uint32_t next = centre + 1 + (i + 1) % segments;
        mesh.triangles.insert(mesh.triangles.end(), {centre, side > 0.0f ? here : next, side > 0.0f ? next : here});
    }
}

Mesh box() {
    Mesh mesh;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float side : {-1.0f, 1.0f}) {
            glm::vec3 normal{0.0f};
            normal[axis] = side;
            glm::vec3 u{0.0f};
            u[(axis + 1) % 3] = 1.0f;
            const glm::vec3 v = glm::cross(normal, u);
            const std::uint32_t first = add_vertex(mesh, normal - u - v, normal);
            add_vertex(mesh, normal + u - v, normal);
            add_vertex(mesh, normal + u + v, normal);
            add_vertex(mesh, normal - u + v, normal);
            add_quad(mesh.triangles, first, first + 1, first + 2, first + 3);
        }
    }
    return mesh;
}

Mesh sphere(std::uint32_t segments) {
    Mesh mesh;
    // Rings from the south pole up. The equator is there twice, a hair below and above z = 0, so that extruding along z
    // opens a cylinder between the two rings: that is a capsule.
    const std::uint32_t rings = segments / 4; // per hemisphere
    const std::uint32_t ring_count = 2 * (rings + 1);
    constexpr float hair = 1e-6f;
    for (std::uint32_t ring = 0; ring < ring_count; ++ring) {
        const bool upper = ring > rings;
        const std::uint32_t step = upper ? ring - rings - 1 : rings - ring; // from the equator
        const float latitude = glm::half_pi<float>() * static_cast<float>(step) / static_cast<float>(rings);
        const float z = (upper ? 1.0f : -1.0f) * (step == 0 ? hair : std::sin(latitude));
        const float radius = step == rings ? 0.0f : std::cos(latitude);
        for (std::uint32_t i = 0; i < segments; ++i) {
            const glm::vec3 position = on_circle(i, segments) * radius + glm::vec3(0.0f, 0.0f, z);
            add_vertex(mesh, position, position);
        }
    }
    for (std::uint32_t low = 0; low + 1 < ring_count; ++low) {
        for (std::uint32_t i = 0; i < segments; ++i) {
            const std::uint32_t next = (i + 1) % segments;
            const std::uint32_t a = low * segments + i;
            const std::uint32_t b = low * segments + next;
            if (low == 0) { // the pole is one point
                mesh.triangles.insert(mesh.triangles.end(), {a, b + segments, a + segments});
            } else if (low + 2 == ring_count) {
                mesh.triangles.insert(mesh.triangles.end(), {a, b, a + segments});
            } else {
                add_quad(mesh.triangles, a, b, b + segments, a + segments);
            }
        }
    }
    return mesh;
}

Mesh cylinder(std::uint32_t segments) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < segments; ++i) {
        const glm::vec3 side = on_circle(i, segments);
        add_vertex(mesh, side - glm::vec3(0.0f, 0.0f, 1.0f), side);
        add_vertex(mesh, side + glm::vec3(0.0f, 0.0f, 1.0f), side);
    }
    for (std::uint32_t i = 0; i < segments; ++i) {
        const std::uint32_t a = 2 * i;
        const std::uint32_t b = 2 * ((i + 1) % segments);
        add_quad(mesh.triangles, a, b, b + 1, a + 1);
    }
    add_cap(mesh, segments, 1.0f, 1.0f);
    add_cap(mesh, segments, -1.0f, -1.0f);
    return mesh;
}

Mesh cone(std::uint32_t segments) {
    Mesh mesh;
    constexpr float base = -0.5f;
    constexpr float apex = 1.5f;
    // The side rises `apex - base` over a radius of 1, so its normal is (rise, 1) in (radial, z), normalised.
    const glm::vec2 slope = glm::normalize(glm::vec2(apex - base, 1.0f));
    const auto normal_at = [&](float segment) {
        const float angle = glm::two_pi<float>() * segment / static_cast<float>(segments);
        return glm::vec3(std::cos(angle) * slope.x, std::sin(angle) * slope.x, slope.y);
    };
    for (std::uint32_t i = 0; i < segments; ++i) {
        add_vertex(mesh, on_circle(i, segments) + glm::vec3(0.0f, 0.0f, base), normal_at(static_cast<float>(i)));
        // The apex has no normal of its own: each triangle takes the one halfway round its segment.
        add_vertex(mesh, {0.0f, 0.0f, apex}, normal_at(static_cast<float>(i) + 0.5f));
    }
    for (std::uint32_t i = 0; i < segments; ++i) {
        const std::uint32_t here = 2 * i;
        const std::uint32_t next = 2 * ((i + 1) % segments);
        mesh.triangles.insert(mesh.triangles.end(), {here, next, here + 1});
    }
    add_cap(mesh, segments, base, -1.0f);
    return mesh;
}

MeshShape in_levels(Mesh (*make)(std::uint32_t segments)) {
    MeshShape shape;
    for (const std::uint32_t segments : level_segments) {
        shape.levels.push_back(make(segments));
    }
    return shape;
}

} // namespace

MeshShape make_box() {
    return {{box()}};
}

MeshShape make_sphere() {
    return in_levels(sphere);
}

MeshShape make_cylinder() {
    return in_levels(cylinder);
}

MeshShape make_cone() {
    return in_levels(cone);
}

MeshBounds bounds_of(const Mesh& mesh) {
    MeshBounds bounds;
    glm::vec3 low = mesh.positions.front();
    glm::vec3 high = low;
    for (const glm::vec3& position : mesh.positions) {
        low = glm::min(low, position);
        high = glm::max(high, position);
    }
    bounds.centre = 0.5f * (low + high);
    bounds.half_extents = 0.5f * (high - low);
    for (const glm::vec3& position : mesh.positions) {
        bounds.radius = std::max(bounds.radius, glm::length(position - bounds.centre));
    }
    return bounds;
}

Mesh checked(const Mesh& mesh) {
    if (mesh.positions.empty() || mesh.triangles.empty()) {
        throw RenderError("a mesh needs vertices and triangles");
    }
    if (mesh.normals.size() != mesh.positions.size()) {
        throw RenderError("a mesh with " + std::to_string(mesh.positions.size()) + " vertices has " +
                          std::to_string(mesh.normals.size()) + " normals");
    }
    if (mesh.triangles.size() % 3 != 0) {
        throw RenderError("the number of a mesh's triangle indices is not a multiple of three");
    }
    if (!mesh.creases.empty() && 3 * mesh.creases.size() != mesh.triangles.size()) {
        throw RenderError("a mesh with " + std::to_string(mesh.triangles.size() / 3) + " triangles has creases of " +
                          std::to_string(mesh.creases.size()));
    }
    for (const glm::vec3& position : mesh.positions) {
        if (!std::isfinite(position.x) || !std::isfinite(position.y) || !std::isfinite(position.z)) {
            throw RenderError("a mesh has a vertex that is not finite");
        }
    }
    Mesh result = mesh;
    for (std::size_t i = 0; i < result.triangles.size(); i += 3) {
        std::uint32_t* corner = &result.triangles[i];
        for (int k = 0; k < 3; ++k) {
            if (corner[k] >= result.positions.size()) {
                throw RenderError("triangle " + std::to_string(i / 3) + " of a mesh names vertex " +
                                  std::to_string(corner[k]) + " of " + std::to_string(result.positions.size()));
            }
        }
        const glm::vec3 across = glm::cross(result.positions[corner[1]] - result.positions[corner[0]],
                                            result.positions[corner[2]] - result.positions[corner[0]]);
        const glm::vec3 outward = result.normals[corner[0]] + result.normals[corner[1]] + result.normals[corner[2]];
        if (glm::dot(across, outward) < 0.0f) {
            std::swap(corner[1], corner[2]);
            if (!result.creases.empty()) {
                std::swap(result.creases[i / 3].y, result.creases[i / 3].z);
            }
        }
    }
    return result;
}

} // namespace cairn::render
