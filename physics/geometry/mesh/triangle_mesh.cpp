#include "physics/geometry/triangle_mesh.h"

#include "physics/base/bytes.h"
#include "physics/base/hash.h"

#include <cmath>
#include <utility>

namespace cairn::physics {

namespace {

// A plane bent by less than this sine is flat. (At 60 m/s a tilt of it is felt as 6 mm/s.)
constexpr double flat = 1e-4;

int next(int k) {
    return k == 2 ? 0 : k + 1;
}

// The corner of `triangle` that is not on its edge with `other`.
std::uint32_t opposite(const TriangleMesh& mesh, std::uint32_t triangle, std::uint32_t other) {
    const TriangleMesh::Triangle t = mesh.triangle(triangle);
    const std::size_t k = t.beside[0] == other ? 2 : (t.beside[1] == other ? 0 : 1);
    return t.vertex[k];
}

} // namespace

unsigned TriangleMesh::find_ridges(std::uint32_t t, const std::array<DVec3, 3>& corner) const {
    const DVec3 n = normal_of(corner);
    unsigned bits = 0;
    const auto look_across = [&](unsigned k, const DVec3& over) {
        const DVec3 edge = glm::normalize(corner[static_cast<std::size_t>(next(static_cast<int>(k)))] - corner[k]);
        const DVec3 arm = over - corner[k];
        const double height = glm::dot(n, arm);
        const double length = glm::length(arm - edge * glm::dot(arm, edge));
        // Folded back on itself, it is as sharp as can be.
        const bool folded = glm::dot(glm::cross(n, edge), arm) > 0.0 && std::abs(height) <= flat * length;
        bits |= (height < -flat * length || folded ? 1u : 0u) << k;
        bits |= (height > flat * length || folded ? 8u : 0u) << k;
    };
    if (grid) {
        for (unsigned k = 0; k < 3; ++k) {
            const std::optional<Vec3> over = grid->opposite(t, static_cast<int>(k));
            if (!over) {
                bits |= 9u << k;
            } else if (const DVec3 there(*over); glm::dot(n, there - corner[k]) != 0.0) { // no field is folded
                look_across(k, there);
            }
        }
        return bits;
    }
    const Triangle sides = triangle(t);
    for (unsigned k = 0; k < 3; ++k) {
        const std::uint32_t beside = sides.beside[k];
        if (beside == none) {
            bits |= 9u << k;
        } else {
            look_across(k, DVec3(vertex(opposite(*this, beside, t))));
        }
    }
    return bits;
}

Aabb TriangleMesh::bounds_of(std::uint32_t triangle) const {
    const auto v = this->triangle(triangle).vertex;
    const Vec3 a = vertex(v[0]), b = vertex(v[1]), c = vertex(v[2]);
    return {glm::min(a, glm::min(b, c)), glm::max(a, glm::max(b, c))};
}

TriangleMesh::Hit TriangleMesh::cast(const DVec3& origin, const DVec3& direction, double reach, int& tested) const {
    Hit best;
    best.distance = reach;
    const auto meet = [&](std::uint32_t t) {
        // The volumes of the ray with the three edges: all of one sign where it passes through (Plücker).
        ++tested;
        const std::array<DVec3, 3> c = corners(t);
        const std::array<DVec3, 3> r{c[0] - origin, c[1] - origin, c[2] - origin};
        const double u = glm::dot(direction, glm::cross(r[0], r[1]));
        const double v = glm::dot(direction, glm::cross(r[1], r[2]));
        const double w = glm::dot(direction, glm::cross(r[2], r[0]));
        // Seen against the front all are negative.
        const bool front = u <= 0.0 && v <= 0.0 && w <= 0.0;
        const bool back = u >= 0.0 && v >= 0.0 && w >= 0.0;
        if (!(front || (back && two_sided)) || u + v + w == 0.0) {
            return;
        }
        const DVec3 n = glm::cross(c[1] - c[0], c[2] - c[0]);
        const double distance = glm::dot(n, r[0]) / glm::dot(n, direction);
        if (distance >= 0.0 && (distance < best.distance || (distance == best.distance && t < best.triangle))) {
            best = {t, distance};
        }
    };
    if (grid) {
        grid->along_ray(origin, direction, best.distance, meet);
        return best;
    }
    tree.along_ray(origin, direction, best.distance, meet);
    return best;
}

TriangleMesh::Feature TriangleMesh::feature_at(std::uint32_t triangle, const DVec3& point) const {
    const std::array<DVec3, 3> c = corners(triangle);
    const DVec3 n = normal(triangle);
    std::array<double, 3> length{}, over{}; // of the edges; how far within each the nearest place of the triangle lies
    std::array<DVec3, 3> along;
    for (std::size_t k = 0; k < 3; ++k) {
        const DVec3 edge = c[static_cast<std::size_t>(next(static_cast<int>(k)))] - c[k];
        length[k] = glm::length(edge);
        along[k] = edge / length[k];
    }
    DVec3 nearest = point - n * glm::dot(n, point - c[0]);
    double least = -1.0;
    for (std::size_t k = 0; k < 3; ++k) { // beyond an edge, the nearest place is on one of those that it is beyond
        if (glm::dot(glm::cross(along[k], n), point - c[k]) > 0.0) {
            const DVec3 on = c[k] + along[k] * std::clamp(glm::dot(along[k], point - c[k]), 0.0, length[k]);
            const double distance = glm::length(point - on);
            if (least < 0.0 || distance < least) {
                least = distance;
                nearest = on;
            }
        }
    }
    const double near = 1e-4 * std::max({length[0], length[1], length[2]});
    std::array<bool, 3> on{};
    for (std::size_t k = 0; k < 3; ++k) {
        over[k] = glm::dot(glm::cross(n, along[k]), nearest - c[k]);
        on[k] = over[k] <= near;
    }
    for (std::size_t k = 0; k < 3; ++k) { // two edges meet in a corner; near all three, the triangle is tiny
        if (on[k] && on[(k + 2) % 3] && glm::length(nearest - c[k]) <= 2.0 * near) {
            return {Feature::Kind::corner, static_cast<int>(k)};
        }
    }
    for (std::size_t k = 0; k < 3; ++k) {
        if (glm::length(nearest - c[k]) <= near) {
            return {Feature::Kind::corner, static_cast<int>(k)};
        }
    }
    Feature best;
    for (std::size_t k = 0; k < 3; ++k) {
        if (on[k] && (best.kind == Feature::Kind::face || over[k] < over[static_cast<std::size_t>(best.index)])) {
            best = {Feature::Kind::edge, static_cast<int>(k)};
        }
    }
    return best;
}

bool TriangleMesh::admits(std::uint32_t triangle, const Feature& feature, const DVec3& direction) const {
    const Triangle t = this->triangle(triangle);
    const auto k = static_cast<std::size_t>(feature.index);
    if (feature.kind == Feature::Kind::face) {
        return std::abs(glm::dot(direction, normal(triangle))) > 1.0 - 0.5 * flat * flat;
    }
    const DVec3 at(vertex(t.vertex[k]));
    const auto below = [&](std::uint32_t other) {
        const DVec3 d = DVec3(vertex(other)) - at;
        return glm::dot(direction, d) <= flat * glm::length(d);
    };
    if (feature.kind == Feature::Kind::edge) {
        return below(t.vertex[static_cast<std::size_t>(next(next(feature.index)))]) &&
               (t.beside[k] == none || below(opposite(*this, t.beside[k], triangle)));
    }
    // Round the corner, one way until it is closed or ends at a border, then the other.
    const Vec3 place = vertex(t.vertex[k]);
    for (const bool forward : {true, false}) {
        std::uint32_t at_triangle = triangle;
        do {
            const Triangle one = this->triangle(at_triangle);
            const int corner = vertex(one.vertex[0]) == place ? 0 : (vertex(one.vertex[1]) == place ? 1 : 2);
            const int after = next(corner), last = next(after);
            if (!below(one.vertex[static_cast<std::size_t>(after)]) ||
                !below(one.vertex[static_cast<std::size_t>(last)])) {
                return false;
            }
            at_triangle = one.beside[static_cast<std::size_t>(forward ? corner : last)];
        } while (at_triangle != none && at_triangle != triangle);
        if (at_triangle == triangle) {
            break;
        }
    }
    return true;
}

std::uint32_t TriangleMesh::name_of(std::uint32_t triangle, const Feature& feature) const {
    const Triangle t = this->triangle(triangle);
    const auto k = static_cast<std::size_t>(feature.index);
    std::uint64_t name = 0;
    switch (feature.kind) {
    case Feature::Kind::face: // a contact slides from face to face of a plane and stays the same
        return 0;
    case Feature::Kind::edge: {
        const auto [low, high] = std::minmax(t.vertex[k], t.vertex[static_cast<std::size_t>(next(feature.index))]);
        name = (std::uint64_t{high} << 32) | low;
        break;
    }
    case Feature::Kind::corner:
        name = (std::uint64_t{none} << 32) | t.vertex[k];
        break;
    }
    return static_cast<std::uint32_t>(1 + mix_bits(name) % 0x7fffu);
}

std::size_t TriangleMesh::memory_bytes() const {
    return sizeof(TriangleMesh) + bytes_of(vertices) + bytes_of(triangles) + bytes_of(ridges) + bytes_of(materials) +
           bytes_of(source) + tree.memory_bytes() + (grid ? grid->memory_bytes() : 0);
}

} // namespace cairn::physics
