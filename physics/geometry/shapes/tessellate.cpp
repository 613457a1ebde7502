// Meshes for drawing. Not part of the step: library sines are fine here.
#include "physics/geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn::physics {

namespace {

using std::numbers::pi_v;

struct Ring {
    std::vector<float> cosine, sine; // segments + 1 values; the last equals the first, so that no seam opens

    explicit Ring(int segments) {
        for (int i = 0; i <= segments; ++i) {
            const float angle = 2.0f * pi_v<float> * static_cast<float>(i % segments) / static_cast<float>(segments);
            cosine.push_back(std::cos(angle));
            sine.push_back(std::sin(angle));
        }
    }
    Vec3 at(int i) const { return {cosine[static_cast<std::size_t>(i)], sine[static_cast<std::size_t>(i)], 0.0f}; }
};

std::uint32_t add(ShapeMesh& mesh, const Vec3& position, const Vec3& normal) {
    mesh.positions.push_back(position);
    mesh.normals.push_back(normal);
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
}

void add_triangle(ShapeMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh.triangles.insert(mesh.triangles.end(), {a, b, c});
}

// A flat convex polygon, counter-clockwise from outside.
void add_polygon(ShapeMesh& mesh, std::span<const Vec3> corners, const Vec3& normal) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Vec3& p : corners) {
        add(mesh, p, normal);
    }
    for (std::uint32_t i = 1; i + 1 < corners.size(); ++i) {
        add_triangle(mesh, first, first + i, first + i + 1);
    }
}

void add_edge(ShapeMesh& mesh, const Vec3& a, const Vec3& b) {
    mesh.edges.push_back(a);
    mesh.edges.push_back(b);
}

// Round surface of rings from the top pole to the bottom one. Ring k has the polar angle of its normals and a shift
// along z; a sphere has no shift, a capsule shifts its upper and lower halves apart and has two rings at the equator.
void add_round(ShapeMesh& mesh, float radius, float half_height, int segments) {
    const Ring ring(segments);
    const int half_stacks = std::max(2, segments / 4);
    std::vector<std::pair<float, float>> profile; // polar angle, shift
    for (int k = 1; k <= half_stacks; ++k) {
        profile.emplace_back(0.5f * pi_v<float> * static_cast<float>(k) / static_cast<float>(half_stacks), half_height);
    }
    const int lower_start = half_height > 0.0f ? 0 : 1;
    for (int k = lower_start; k < half_stacks; ++k) {
        profile.emplace_back(0.5f * pi_v<float> * (1.0f + static_cast<float>(k) / static_cast<float>(half_stacks)),
                             -half_height);
    }
    const std::uint32_t top = add(mesh, Vec3(0, 0, radius + half_height), Vec3(0, 0, 1));
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const auto& [polar, shift] : profile) {
        for (int i = 0; i < segments; ++i) {
            Vec3 normal = std::sin(polar) * ring.at(i);
            normal.z = std::cos(polar);
            add(mesh, radius * normal + Vec3(0, 0, shift), glm::normalize(normal));
        }
    }
    const std::uint32_t bottom = add(mesh, Vec3(0, 0, -radius - half_height), Vec3(0, 0, -1));
    const auto n = static_cast<std::uint32_t>(segments);
    const auto rings = static_cast<std::uint32_t>(profile.size());
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t j = (i + 1) % n;
        add_triangle(mesh, top, first + i, first + j);
        for (std::uint32_t k = 0; k + 1 < rings; ++k) {
            const std::uint32_t upper = first + k * n;
            const std::uint32_t lower = upper + n;
            add_triangle(mesh, upper + i, lower + i, lower + j);
            add_triangle(mesh, upper + i, lower + j, upper + j);
        }
        const std::uint32_t last = first + (rings - 1) * n;
        add_triangle(mesh, bottom, last + j, last + i);
    }
}

void add_cap(ShapeMesh& mesh, const Ring& ring, int segments, float radius, float z, bool up) {
    std::vector<Vec3> corners;
    for (int i = 0; i < segments; ++i) {
        corners.push_back(radius * ring.at(up ? i : segments - i) + Vec3(0, 0, z));
        add_edge(mesh, radius * ring.at(i) + Vec3(0, 0, z), radius * ring.at(i + 1) + Vec3(0, 0, z));
    }
    add_polygon(mesh, corners, Vec3(0, 0, up ? 1 : -1));
}

void add_cylinder(ShapeMesh& mesh, float radius, float half_height, int segments) {
    const Ring ring(segments);
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int i = 0; i < segments; ++i) {
        add(mesh, radius * ring.at(i) + Vec3(0, 0, half_height), ring.at(i));
        add(mesh, radius * ring.at(i) - Vec3(0, 0, half_height), ring.at(i));
    }
    const auto n = static_cast<std::uint32_t>(segments);
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t a = first + 2 * i;
        const std::uint32_t b = first + 2 * ((i + 1) % n);
        add_triangle(mesh, a, a + 1, b + 1);
        add_triangle(mesh, a, b + 1, b);
    }
    add_cap(mesh, ring, segments, radius, half_height, true);
    add_cap(mesh, ring, segments, radius, -half_height, false);
}

void add_cone(ShapeMesh& mesh, float radius, float height, int segments) {
    const Ring ring(segments);
    const Ring between(2 * segments); // odd entries point at the middle of a segment
    const float apex_z = 0.75f * height;
    const float base_z = -0.25f * height;
    const auto slanted = [&](const Vec3& outward) { return glm::normalize(height * outward + Vec3(0, 0, radius)); };
    for (int i = 0; i < segments; ++i) {
        // The apex has no normal of its own: every segment brings one that points the way the segment faces.
        const std::uint32_t apex = add(mesh, Vec3(0, 0, apex_z), slanted(between.at(2 * i + 1)));
        add(mesh, radius * ring.at(i) + Vec3(0, 0, base_z), slanted(ring.at(i)));
        add(mesh, radius * ring.at(i + 1) + Vec3(0, 0, base_z), slanted(ring.at(i + 1)));
        add_triangle(mesh, apex, apex + 1, apex + 2);
    }
    add_cap(mesh, ring, segments, radius, base_z, false);
}

void add_box(ShapeMesh& mesh, const Vec3& h) {
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3;
        const int v = (axis + 2) % 3;
        for (const float side : {1.0f, -1.0f}) {
            std::array<Vec3, 4> corners;
            // Counter-clockwise in (u, v) seen from +axis; mirrored on the other side.
            constexpr std::array<std::array<float, 2>, 4> square{{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
            for (std::size_t i = 0; i < 4; ++i) {
                corners[i][axis] = side * h[axis];
                corners[i][u] = square[i][0] * h[u];
                corners[i][v] = side * square[i][1] * h[v];
            }
            Vec3 normal(0.0f);
            normal[axis] = side;
            add_polygon(mesh, corners, normal);
        }
        for (const float su : {1.0f, -1.0f}) {
            for (const float sv : {1.0f, -1.0f}) { // the four edges along this axis
                Vec3 a = h;
                a[u] *= su;
                a[v] *= sv;
                Vec3 b = a;
                b[axis] = -h[axis];
                add_edge(mesh, b, a);
            }
        }
    }
}

void add_hull(ShapeMesh& mesh, const ConvexHull& hull) {
    std::vector<Vec3> corners;
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        corners.clear();
        for (const std::uint32_t v : hull.face(f)) {
            corners.push_back(hull.vertices[v]);
        }
        add_polygon(mesh, corners, hull.planes[f].normal);
    }
    for (const ConvexHull::Edge& edge : hull.edges) {
        add_edge(mesh, hull.vertices[edge.vertex_a], hull.vertices[edge.vertex_b]);
    }
}

// Smooth.
void add_field(ShapeMesh& out, const HeightGrid& grid) {
    const auto [across, along] = drawn_samples(grid.data());
    const auto first = static_cast<std::uint32_t>(out.positions.size());
    for (const std::uint32_t j : along) {
        for (const std::uint32_t i : across) {
            out.positions.push_back(grid.sample(i, j));
            out.normals.push_back(drawn_normal(grid, i, j));
        }
    }
    const auto width = static_cast<std::uint32_t>(across.size());
    for (std::uint32_t b = 0; b + 1 < along.size(); ++b) {
        for (std::uint32_t a = 0; a + 1 < width; ++a) {
            bool hole = false;
            for (std::uint32_t j = along[b]; j < along[b + 1]; ++j) {
                for (std::uint32_t i = across[a]; i < across[a + 1]; ++i) {
                    hole = hole || grid.is_hole(i, j);
                }
            }
            if (!hole) {
                const std::uint32_t v = first + b * width + a;
                out.triangles.insert(out.triangles.end(), {v, v + 1, v + width + 1, v, v + width + 1, v + width});
            }
        }
    }
}

// Faces of a two-sided mesh are drawn from both sides. Edges are those that are seen: borders, ridges and valleys.
void add_mesh(ShapeMesh& out, const TriangleMesh& mesh) {
    const bool both = mesh.two_sided;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const TriangleMesh::Triangle& triangle = mesh.triangles[t];
        const Vec3 normal(mesh.normal(t));
        std::array<Vec3, 3> corners;
        for (std::size_t k = 0; k < 3; ++k) {
            corners[k] = mesh.vertices[triangle.vertex[k]];
        }
        add_polygon(out, corners, normal);
        if (both) {
            add_polygon(out, std::array<Vec3, 3>{corners[0], corners[2], corners[1]}, -normal);
        }
        for (std::size_t k = 0; k < 3; ++k) {
            if ((mesh.ridges[t] >> k & 9u) != 0 &&
                (triangle.beside[k] == TriangleMesh::none || t < triangle.beside[k])) {
                const float bend = triangle.beside[k] == TriangleMesh::none
                                       ? 1.0f
                                       : glm::length(Vec3(mesh.normal(triangle.beside[k])) - normal);
                constexpr float seen = 0.35f; // 20 degrees; a curved surface is not to be drawn as a net
                if (bend > seen) {
                    add_edge(out, corners[k], corners[k == 2 ? 0 : k + 1]);
                }
            }
        }
    }
}

} // namespace

DrawnSamples drawn_samples(const HeightData& data) {
    constexpr std::uint64_t most = std::uint64_t{1} << 19; // cells
    std::uint32_t step = 1;
    while (std::uint64_t{(data.columns - 1) / step} * ((data.rows - 1) / step) > most) {
        ++step;
    }
    const auto places = [step](std::uint32_t count) { // the last one always
        std::vector<std::uint32_t> at;
        for (std::uint32_t i = 0; i + 1 < count; i += step) {
            at.push_back(i);
        }
        at.push_back(count - 1);
        return at;
    };
    return {places(data.columns), places(data.rows)};
}

Vec3 drawn_normal(const HeightGrid& grid, std::uint32_t column, std::uint32_t row) {
    const HeightData& data = grid.data();
    const Vec3 east =
        grid.sample(std::min(column + 1, data.columns - 1), row) - grid.sample(column > 0 ? column - 1 : 0, row);
    const Vec3 north =
        grid.sample(column, std::min(row + 1, data.rows - 1)) - grid.sample(column, row > 0 ? row - 1 : 0);
    return glm::normalize(glm::cross(east, north));
}

ShapeMesh tessellate(const Shape& shape, int segments) {
    const int n = std::max(segments, 3);
    ShapeMesh mesh;
    switch (shape.kind) {
    case ShapeKind::sphere:
        add_round(mesh, shape.radius, 0.0f, n);
        break;
    case ShapeKind::box:
        add_box(mesh, shape.half_extents);
        break;
    case ShapeKind::capsule:
        add_round(mesh, shape.radius, shape.half_extents.z, n);
        break;
    case ShapeKind::cylinder:
        add_cylinder(mesh, shape.radius, shape.half_extents.z, n);
        break;
    case ShapeKind::cone:
        add_cone(mesh, shape.radius, 2.0f * shape.half_extents.z, n);
        break;
    case ShapeKind::hull:
        add_hull(mesh, *shape.hull);
        break;
    case ShapeKind::mesh:
        if (shape.mesh->grid) {
            add_field(mesh, *shape.mesh->grid);
        } else {
            add_mesh(mesh, *shape.mesh);
        }
        break;
    }
    return mesh;
}

} // namespace cairn::physics
