#include "physics/geometry/decomposition/parts/mesh_tree.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::physics::detail {

namespace {

constexpr std::size_t leaf_size = 4;
constexpr std::size_t greatest_depth = 64; // halves at each level, so far beyond any mesh

double distance_to_box_squared(const glm::dvec3& p, const GridBox& box) {
    const glm::dvec3 d = glm::max(glm::max(box.lower - p, p - box.upper), glm::dvec3(0.0));
    return glm::dot(d, d);
}

double distance_to_segment_squared(const glm::dvec3& p, const glm::dvec3& a, const glm::dvec3& b) {
    const glm::dvec3 u = b - a, v = p - a;
    const double length2 = glm::dot(u, u);
    const double t = length2 > 0.0 ? glm::clamp(glm::dot(u, v) / length2, 0.0, 1.0) : 0.0;
    const glm::dvec3 d = v - t * u;
    return glm::dot(d, d);
}

double distance_to_triangle_squared(const glm::dvec3& p, const glm::dvec3& a, const glm::dvec3& b,
                                    const glm::dvec3& c) {
    const glm::dvec3 ab = b - a, bc = c - b, ca = a - c, normal = glm::cross(ab, c - a);
    const bool above = glm::dot(glm::cross(normal, ab), p - a) >= 0.0 &&
                       glm::dot(glm::cross(normal, bc), p - b) >= 0.0 && glm::dot(glm::cross(normal, ca), p - c) >= 0.0;
    const double normal2 = glm::dot(normal, normal);
    if (above && normal2 > 0.0) {
        const double height = glm::dot(normal, p - a);
        return height * height / normal2;
    }
    return std::min(distance_to_segment_squared(p, a, b),
                    std::min(distance_to_segment_squared(p, b, c), distance_to_segment_squared(p, c, a)));
}

} // namespace

MeshTree::MeshTree(std::span<const glm::dvec3> points, std::span<const IndexTriangle> triangles) {
    triangles_.reserve(triangles.size());
    for (const IndexTriangle& t : triangles) {
        triangles_.push_back({points[t[0]], points[t[1]], points[t[2]]});
    }
    if (!triangles_.empty()) {
        nodes_.reserve(triangles_.size());
        build(0, triangles_.size());
    }
}

void MeshTree::build(std::size_t begin, std::size_t end) {
    const std::size_t index = nodes_.size();
    nodes_.emplace_back();
    GridBox box, middles;
    for (std::size_t i = begin; i < end; ++i) {
        const Triangle& t = triangles_[i];
        box.add(t.a);
        box.add(t.b);
        box.add(t.c);
        middles.add(t.a + t.b + t.c);
    }
    nodes_[index].box = box;
    if (end - begin <= leaf_size) {
        nodes_[index].first = static_cast<std::uint32_t>(begin);
        nodes_[index].count = static_cast<std::uint32_t>(end - begin);
        return;
    }
    const glm::dvec3 sides = middles.upper - middles.lower;
    const int axis = sides.x >= sides.y && sides.x >= sides.z ? 0 : (sides.y >= sides.z ? 1 : 2);
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [this](std::size_t i) { return triangles_.begin() + static_cast<std::ptrdiff_t>(i); };
    // Which of several equal ones go where does not show in any answer.
    std::nth_element(at(begin), at(middle), at(end), [axis](const Triangle& s, const Triangle& t) {
        return s.a[axis] + s.b[axis] + s.c[axis] < t.a[axis] + t.b[axis] + t.c[axis];
    });
    build(begin, middle);
    nodes_[index].right = static_cast<std::uint32_t>(nodes_.size());
    build(middle, end);
}

double MeshTree::distance(const glm::dvec3& p, double enough) const {
    double best = 1e300;
    const double enough2 = enough * enough;
    struct Entry {
        std::uint32_t node;
        double distance2;
    };
    std::array<Entry, greatest_depth> stack{};
    std::size_t depth = 0;
    if (!nodes_.empty()) {
        stack[depth++] = {0, distance_to_box_squared(p, nodes_[0].box)};
    }
    while (depth > 0) {
        const Entry entry = stack[--depth];
        if (entry.distance2 >= best) {
            continue;
        }
        const Node& node = nodes_[entry.node];
        if (node.count > 0) {
            for (std::size_t i = node.first; i < node.first + node.count; ++i) {
                const Triangle& t = triangles_[i];
                best = std::min(best, distance_to_triangle_squared(p, t.a, t.b, t.c));
            }
            if (best <= enough2) {
                break;
            }
            continue;
        }
        const Entry left{entry.node + 1, distance_to_box_squared(p, nodes_[entry.node + 1].box)};
        const Entry right{node.right, distance_to_box_squared(p, nodes_[node.right].box)};
        const bool left_first = left.distance2 <= right.distance2;
        stack[depth++] = left_first ? right : left;
        stack[depth++] = left_first ? left : right;
    }
    return std::sqrt(best);
}

int MeshTree::winding(const glm::dvec3& p) const {
    // Triangles that a ray along +x crosses, up or down. Edges count for the triangle on their one side and against
    // the one on the other, by the same exact test, so that a ray through an edge or a corner is no special case.
    const auto crossing = [&p](const glm::dvec3& a, const glm::dvec3& b) {
        if ((a.y <= p.y) == (b.y <= p.y)) {
            return 0;
        }
        const bool rising = a.y <= p.y;
        const glm::dvec3 &low = rising ? a : b, &high = rising ? b : a;
        const int side = exact_turn({low.y, low.z}, {high.y, high.z}, {p.y, p.z});
        return side < 0 ? (rising ? -1 : 1) : 0; // p lies below the edge
    };
    int winding = 0;
    std::array<std::uint32_t, greatest_depth> stack{};
    std::size_t depth = 0;
    if (!nodes_.empty()) {
        stack[depth++] = 0;
    }
    while (depth > 0) {
        const std::uint32_t index = stack[--depth];
        const Node& node = nodes_[index];
        const GridBox& box = node.box;
        if (box.upper.x < p.x || box.lower.y > p.y || box.upper.y < p.y || box.lower.z > p.z || box.upper.z < p.z) {
            continue;
        }
        if (node.count == 0) {
            stack[depth++] = node.right;
            stack[depth++] = index + 1;
            continue;
        }
        for (std::size_t i = node.first; i < node.first + node.count; ++i) {
            const Triangle& t = triangles_[i];
            const int turns = crossing(t.a, t.b) + crossing(t.b, t.c) + crossing(t.c, t.a);
            if (turns == 0) {
                continue;
            }
            const glm::dvec3 normal = glm::cross(t.b - t.a, t.c - t.a);
            if (normal.x == 0.0) {
                continue;
            }
            const double beyond = glm::dot(normal, t.a - p) / normal.x; // along the ray
            winding += beyond > 0.0 ? turns : 0;
        }
    }
    return winding;
}

} // namespace cairn::physics::detail
