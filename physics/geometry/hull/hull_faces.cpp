#include "physics/geometry/hull/hull_faces.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace cairn::physics::detail {

namespace {

constexpr std::uint32_t unset = 0xffffffffu;

// Triangles steeper than this against the face they would join (cosine) stay apart, however thin they are.
constexpr double least_alignment = 0.3;

class Merger {
  public:
    Merger(std::span<const DVec3> points, std::span<const HullTriangle> triangles)
        : points_(points),
          triangles_(triangles),
          region_(triangles.size(), unset),
          next_(points.size(), unset),
          stamped_(triangles.size(), 0) {}

    PolygonHull run(double tolerance) {
        // Large triangles first: their planes are the best conditioned. Equal ones by their corners, so that the result
        // does not depend on the order in which the triangles were made.
        std::vector<std::pair<double, std::uint32_t>> order;
        order.reserve(triangles_.size());
        for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
            order.emplace_back(triangles_[t].double_area, t);
        }
        std::sort(order.begin(), order.end(), [this](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : canonical(a.second) < canonical(b.second);
        });

        PolygonHull result;
        result.polygons.corners.reserve(3 * triangles_.size());
        result.polygons.start.reserve(triangles_.size() + 1);
        std::vector<std::uint32_t> polygon;
        for (const auto& [area, seed] : order) {
            if (region_[seed] != unset) {
                continue;
            }
            // A region is accepted if it is a disc with a convex outline. Exactly coplanar triangles, and at last the
            // triangle alone, always are.
            polygon.clear();
            for (const double level : {tolerance, tolerance / 16.0, tolerance / 256.0, 0.0}) {
                grow(seed, level);
                if (members_.size() == 1) {
                    break;
                }
                if (outline(polygon) && convex(polygon, seed, level)) {
                    break;
                }
                polygon.clear();
            }
            if (polygon.empty()) {
                members_.assign(1, seed);
                const std::array<std::uint32_t, 3> corners = canonical(seed);
                polygon.assign(corners.begin(), corners.end());
            }
            for (const std::uint32_t t : members_) {
                region_[t] = static_cast<std::uint32_t>(result.polygons.size());
            }
            result.polygons.push_back(polygon);
        }
        find_redundant(result);
        result.valid = pairs_share_one_edge(result);
        return result;
    }

  private:
    std::array<std::uint32_t, 3> canonical(std::uint32_t t) const {
        std::array<std::uint32_t, 3> v = triangles_[t].vertex;
        std::rotate(v.begin(), std::min_element(v.begin(), v.end()), v.end());
        return v;
    }

    // Free triangles connected with the seed whose corners all lie within `level` of the seed's plane. The plane
    // supports the whole hull, so they lie in a slab below it and errors cannot creep from triangle to triangle.
    void grow(std::uint32_t seed, double level) {
        const HullTriangle& base = triangles_[seed];
        const DVec3 origin = points_[base.vertex[0]];
        members_.assign(1, seed);
        ++stamp_;
        stamped_[seed] = stamp_;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            for (const std::uint32_t other : triangles_[members_[i]].neighbour) {
                if (stamped_[other] == stamp_ || region_[other] != unset ||
                    glm::dot(triangles_[other].normal, base.normal) < least_alignment) {
                    continue;
                }
                bool inside = true;
                for (const std::uint32_t v : triangles_[other].vertex) {
                    inside = inside && (level > 0.0 ? std::abs(glm::dot(base.normal, points_[v] - origin)) <= level
                                                    : exact_side(points_[base.vertex[0]], points_[base.vertex[1]],
                                                                 points_[base.vertex[2]], points_[v]) == 0);
                }
                if (inside) {
                    stamped_[other] = stamp_;
                    members_.push_back(other);
                }
            }
        }
    }

    // The rim of members_ as one polygon that starts at its smallest vertex; false if it is not one simple loop.
    bool outline(std::vector<std::uint32_t>& polygon) {
        polygon.clear();
        rim_.clear();
        bool simple = true;
        for (const std::uint32_t t : members_) {
            const HullTriangle& triangle = triangles_[t];
            for (std::size_t e = 0; e < 3; ++e) {
                if (stamped_[triangle.neighbour[e]] != stamp_) {
                    const std::uint32_t from = triangle.vertex[e];
                    simple = simple && next_[from] == unset;
                    next_[from] = triangle.vertex[(e + 1) % 3];
                    rim_.push_back(from);
                }
            }
        }
        if (simple && !rim_.empty()) {
            const std::uint32_t first = *std::min_element(rim_.begin(), rim_.end());
            std::uint32_t v = first;
            do {
                polygon.push_back(v);
                v = next_[v];
            } while (v != first && v != unset && polygon.size() <= rim_.size());
            simple = v == first && polygon.size() == rim_.size();
        }
        for (const std::uint32_t v : rim_) {
            next_[v] = unset;
        }
        return simple && polygon.size() >= 3;
    }

    // Is the polygon convex in the seed's plane? A corner may lie inside the line of its neighbours by no more than the
    // level (or rounding), and no two edges may run back on each other.
    bool convex(const std::vector<std::uint32_t>& polygon, std::uint32_t seed, double level) const {
        const double slack = std::max(level, 2.0 * grid_half * 1e-12);
        const DVec3& normal = triangles_[seed].normal;
        const std::size_t count = polygon.size();
        for (std::size_t i = 0; i < count; ++i) {
            const DVec3 in = points_[polygon[(i + 1) % count]] - points_[polygon[i]];
            const DVec3 out = points_[polygon[(i + 2) % count]] - points_[polygon[(i + 1) % count]];
            const DVec3 chord = in + out;
            const double turn = glm::dot(normal, glm::cross(in, out));
            const double chord_length = std::sqrt(glm::dot(chord, chord));
            if (turn < -slack * chord_length || (turn <= 0.0 && glm::dot(in, out) <= 0.0)) {
                return false;
            }
        }
        return true;
    }

    // Hull vertices with fewer than three polygons around them.
    void find_redundant(PolygonHull& result) const {
        std::vector<std::uint32_t> polygons_at(points_.size(), 0);
        for (const std::uint32_t v : result.polygons.corners) {
            ++polygons_at[v];
        }
        std::vector<bool> used(points_.size(), false);
        for (const HullTriangle& t : triangles_) {
            for (const std::uint32_t v : t.vertex) {
                used[v] = true;
            }
        }
        for (std::uint32_t v = 0; v < points_.size(); ++v) {
            if (used[v] && polygons_at[v] < 3) {
                result.redundant.push_back(v);
            }
        }
    }

    bool pairs_share_one_edge(const PolygonHull& result) const {
        if (!result.redundant.empty()) {
            return true; // chains of edges are expected until the vertices between them are gone
        }
        if (result.polygons.size() < 4) {
            return false;
        }
        // The neighbours of each polygon with a greater number, gathered by counting.
        std::vector<std::uint32_t> start(result.polygons.size() + 1, 0);
        const auto for_each_pair = [this](const auto& action) {
            for (std::size_t t = 0; t < triangles_.size(); ++t) {
                for (const std::uint32_t other : triangles_[t].neighbour) {
                    if (region_[t] < region_[other]) {
                        action(region_[t], region_[other]);
                    }
                }
            }
        };
        for_each_pair([&](std::uint32_t low, std::uint32_t) { ++start[low + 1]; });
        for (std::size_t r = 0; r < result.polygons.size(); ++r) {
            start[r + 1] += start[r];
        }
        std::vector<std::uint32_t> beyond(start.back()), filled(start.begin(), start.end() - 1);
        for_each_pair([&](std::uint32_t low, std::uint32_t high) { beyond[filled[low]++] = high; });
        std::vector<std::uint32_t> met_by(result.polygons.size(), unset);
        for (std::uint32_t low = 0; low < result.polygons.size(); ++low) {
            for (std::uint32_t i = start[low]; i < start[low + 1]; ++i) {
                if (met_by[beyond[i]] == low) {
                    return false;
                }
                met_by[beyond[i]] = low;
            }
        }
        return true;
    }

    std::span<const DVec3> points_;
    std::span<const HullTriangle> triangles_;
    std::vector<std::uint32_t> region_;  // polygon of each triangle
    std::vector<std::uint32_t> next_;    // scratch of outline(), by vertex
    std::vector<std::uint32_t> members_; // triangles of the region under trial
    std::vector<std::uint32_t> rim_;
    std::vector<std::uint32_t> stamped_;
    std::uint32_t stamp_ = 0;
};

} // namespace

PolygonHull merge_coplanar(std::span<const DVec3> points, std::span<const HullTriangle> triangles, double tolerance) {
    return Merger(points, triangles).run(tolerance);
}

} // namespace cairn::physics::detail
