#include "physics/query/manifold/patch/contact_patch.h"

namespace cairn::physics {
namespace {

// Cosines and sines of k * 2 pi / 32 by repeated halving: cos(x/2) = sqrt((1 + cos x) / 2), and the rotations of the
// angle pi/16 so found.
struct Circle {
    std::array<double, 32> cosine{};
    std::array<double, 32> sine{};

    Circle() {
        double c = 0.0; // cos(pi / 2)
        for (int i = 0; i < 3; ++i) {
            c = std::sqrt(0.5 * (1.0 + c));
        }
        const double s = std::sqrt(1.0 - c * c);
        cosine[0] = 1.0;
        for (int k = 1; k < 8; ++k) {
            cosine[k] = cosine[k - 1] * c - sine[k - 1] * s;
            sine[k] = sine[k - 1] * c + cosine[k - 1] * s;
        }
        for (int k = 8; k < 32; ++k) { // a quarter turn on
            cosine[k] = -sine[k - 8];
            sine[k] = cosine[k - 8];
        }
    }
};

const Circle& circle() {
    static const Circle c;
    return c;
}

void box_patch(const Shape& shape, const DVec3& d, Patch& out) {
    // Plain arrays: GLM branches on an index that is not a constant.
    const std::array<double, 3> direction{d.x, d.y, d.z};
    const std::array<double, 3> h{double(shape.half_extents.x), double(shape.half_extents.y),
                                  double(shape.half_extents.z)};
    const double ax = std::abs(d.x);
    const double ay = std::abs(d.y);
    const double az = std::abs(d.z);
    const std::size_t i = ax >= ay && ax >= az ? 0 : (ay >= az ? 1 : 2);
    const std::size_t j = i == 2 ? 0 : i + 1;
    const std::size_t k = i == 0 ? 2 : i - 1;
    const bool positive = direction[i] >= 0.0;
    const unsigned face = positive ? 1u : 0u;
    std::array<double, 3> normal{};
    normal[i] = positive ? 1.0 : -1.0;
    out.normal = DVec3(normal[0], normal[1], normal[2]);
    out.face = true;
    constexpr std::array<std::array<unsigned, 2>, 4> corner{{{1, 1}, {0, 1}, {0, 0}, {1, 0}}};
    for (std::size_t v = 0; v < 4; ++v) {
        // Counter-clockwise about +i; the opposite face runs the other way round.
        const auto [along_j, along_k] = corner[positive ? v : 3 - v];
        std::array<double, 3> p{};
        p[i] = positive ? h[i] : -h[i];
        p[j] = along_j != 0 ? h[j] : -h[j];
        p[k] = along_k != 0 ? h[k] : -h[k];
        const auto name = static_cast<std::uint32_t>((face << i) + (along_j << j) + (along_k << k));
        // An edge is named by its axis and the signs of the two coordinates that follow it in turn: k, i for an edge
        // along j and i, j for one along k. Round the face they alternate, beginning with one along j.
        const auto edge =
            static_cast<std::uint32_t>(v % 2 == 0 ? 4 * j + along_k + 2 * face : 4 * k + face + 2 * along_j);
        out.add({DVec3(p[0], p[1], p[2]), name, edge});
    }
}

void hull_patch(const ConvexHull& hull, const DVec3& d, Patch& out) {
    const std::uint32_t best = detail::facing_face(hull, d);
    const ConvexHull::Face& face = hull.faces[best];
    const std::uint32_t* index = hull.face_indices.data() + face.first_index;
    const std::uint32_t* edge = hull.face_edges.data() + face.first_index;
    out.normal = glm::normalize(DVec3(hull.planes[best].normal));
    out.face = true;
    if (face.index_count <= max_patch_vertices) {
        for (std::uint32_t v = 0; v < face.index_count; ++v) {
            out.add({DVec3(hull.vertices[index[v]]), index[v], edge[v]});
        }
        return;
    }
    const DVec3 first = DVec3(hull.vertices[index[1]]) - DVec3(hull.vertices[index[0]]);
    const DVec3 x = glm::normalize(first - out.normal * glm::dot(first, out.normal));
    const DVec3 y = glm::cross(out.normal, x);
    for (int k = 0; k < max_patch_vertices; ++k) {
        const DVec3 direction = x * circle().cosine[k] + y * circle().sine[k];
        std::uint32_t extreme = 0;
        double extreme_value = glm::dot(direction, DVec3(hull.vertices[index[0]]));
        for (std::uint32_t v = 1; v < face.index_count; ++v) {
            const double value = glm::dot(direction, DVec3(hull.vertices[index[v]]));
            if (value > extreme_value) {
                extreme_value = value;
                extreme = v;
            }
        }
        // The directions turn counter-clockwise, and so do their extreme corners.
        const bool repeated = out.count > 0 && (out.vertices[out.count - 1].vertex == index[extreme] ||
                                                out.vertices[0].vertex == index[extreme]);
        if (!repeated) {
            out.add({DVec3(hull.vertices[index[extreme]]), index[extreme], edge[extreme]});
        }
    }
}

void round_cap(double radius, double z, bool up, std::uint32_t first_id, Patch& out) {
    out.face = true;
    out.normal = DVec3(0.0, 0.0, up ? 1.0 : -1.0);
    constexpr int step = 32 / round_patch_vertices;
    for (int v = 0; v < round_patch_vertices; ++v) {
        const int k = up ? v : (round_patch_vertices - v) % round_patch_vertices;
        const std::uint32_t name = first_id + static_cast<std::uint32_t>(k);
        out.add({DVec3(radius * circle().cosine[k * step], radius * circle().sine[k * step], z), name, name});
    }
}

void segment(const DVec3& p, const DVec3& q, std::uint32_t first_id, Patch& out) {
    out.add({p, first_id, first_id});
    out.add({q, first_id + 1, first_id});
}

} // namespace

void contact_patch(const Shape& shape, const DVec3& d, Patch& out) {
    if (shape.kind == ShapeKind::box) {
        box_patch(shape, d, out);
        return;
    }
    if (shape.kind == ShapeKind::hull) {
        hull_patch(*shape.hull, d, out);
        return;
    }
    const double radial = std::sqrt(d.x * d.x + d.y * d.y);
    const DVec3 outward = radial > 0.0 ? DVec3(d.x / radial, d.y / radial, 0.0) : DVec3(1.0, 0.0, 0.0);
    const double r = double(shape.radius);
    switch (shape.kind) {
    case ShapeKind::sphere:
        out.add({});
        break;
    case ShapeKind::capsule: {
        const double h = double(shape.half_extents.z);
        segment(DVec3(0.0, 0.0, h), DVec3(0.0, 0.0, -h), 0, out);
        break;
    }
    case ShapeKind::cylinder: {
        const double h = double(shape.half_extents.z);
        if (std::abs(d.z) >= radial) {
            const bool up = d.z >= 0.0;
            round_cap(r, up ? h : -h, up, up ? 0 : round_patch_vertices, out);
        } else {
            segment(outward * r + DVec3(0.0, 0.0, h), outward * r - DVec3(0.0, 0.0, h), 2 * round_patch_vertices, out);
        }
        break;
    }
    case ShapeKind::cone: {
        const double height = 2.0 * double(shape.half_extents.z);
        const double slant = std::sqrt(height * height + r * r);
        if (-d.z * slant >= height * radial + r * d.z) {
            round_cap(r, -0.25 * height, false, 0, out);
        } else {
            segment(DVec3(0.0, 0.0, 0.75 * height), outward * r - DVec3(0.0, 0.0, 0.25 * height), round_patch_vertices,
                    out);
        }
        break;
    }
    case ShapeKind::box:
    case ShapeKind::hull:
        break; // answered above
    case ShapeKind::mesh:
        break; // has no patch of its own
    }
}

void transform(Patch& patch, const Frame& frame) {
    for (int i = 0; i < patch.count; ++i) {
        patch.vertices[i].position = apply(frame, patch.vertices[i].position);
    }
    patch.normal = frame.rotation * patch.normal;
}

} // namespace cairn::physics
