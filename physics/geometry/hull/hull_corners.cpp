#include "physics/geometry/hull/hull_corners.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cairn::physics::detail {

namespace {

// Keeps the points whose mark is set, with their indices into the input.
void keep(std::vector<DVec3>& points, std::vector<std::uint32_t>& input, const std::vector<bool>& marked) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (marked[i]) {
            points[count] = points[i];
            input[count++] = input[i];
        }
    }
    points.resize(count);
    input.resize(count);
}

// Drops the points that no triangle uses.
void keep_used(std::vector<DVec3>& points, std::vector<std::uint32_t>& input, std::vector<HullTriangle>& triangles) {
    std::vector<bool> used(points.size(), false);
    for (const HullTriangle& t : triangles) {
        for (const std::uint32_t v : t.vertex) {
            used[v] = true;
        }
    }
    std::vector<std::uint32_t> renumbered(points.size(), 0);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        renumbered[i] = used[i] ? count++ : 0;
    }
    keep(points, input, used);
    for (HullTriangle& t : triangles) {
        for (std::uint32_t& v : t.vertex) {
            v = renumbered[v];
        }
    }
}

// Does a point lie farther than a limit outside some plane? Points are halved again and again along the longest side of
// their bounds; each half only keeps the planes that some corner of its bounds exceeds, so that of the product of
// points and planes little is left to look at.
class HeightCheck {
  public:
    void add_plane(const DVec3& normal, double offset) { planes_.push_back({normal, offset}); }

    // Changes the order of the points.
    bool exceeded(std::span<DVec3> points, double limit) {
        limit_ = limit;
        std::vector<std::uint32_t> all(planes_.size());
        std::iota(all.begin(), all.end(), 0u);
        return exceeded(points, all);
    }

  private:
    struct Plane {
        DVec3 normal;
        double offset;
    };

    bool exceeded(std::span<DVec3> points, std::span<const std::uint32_t> planes) const {
        if (points.empty()) {
            return false;
        }
        DVec3 low = points.front(), high = low;
        for (const DVec3& p : points) {
            low = glm::min(low, p);
            high = glm::max(high, p);
        }
        const DVec3 middle = 0.5 * (low + high);
        const DVec3 half = 0.5 * (high - low);
        std::vector<std::uint32_t> near;
        for (const std::uint32_t i : planes) {
            const Plane& plane = planes_[i];
            const double highest = glm::dot(plane.normal, middle) + glm::dot(glm::abs(plane.normal), half);
            if (highest - plane.offset > limit_ - certain_distance) {
                near.push_back(i);
            }
        }
        constexpr std::size_t worth_splitting = 16;
        if (near.empty() || points.size() <= worth_splitting) {
            for (const DVec3& p : points) {
                for (const std::uint32_t i : near) {
                    if (glm::dot(planes_[i].normal, p) - planes_[i].offset > limit_) {
                        return true;
                    }
                }
            }
            return false;
        }
        const int axis = half.x >= half.y && half.x >= half.z ? 0 : (half.y >= half.z ? 1 : 2);
        const std::size_t split = points.size() / 2;
        std::nth_element(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(split), points.end(),
                         [axis](const DVec3& a, const DVec3& b) { return a[axis] < b[axis]; });
        return exceeded(points.first(split), near) || exceeded(points.subspan(split), near);
    }

    double limit_ = 0.0;
    std::vector<Plane> planes_;
};

// False if a point left out lies farther than `loss` outside the polygons. If none lies outside at all, the list is
// cleared.
bool keeps_promise(std::span<const DVec3> grid, std::span<const DVec3> points, HullCorners& corners, double loss) {
    if (corners.left_out.empty()) {
        return true;
    }
    HeightCheck check;
    for (std::size_t i = 0; i < corners.polygons.size(); ++i) {
        const DVec3 normal = newell_normal(points, corners.polygons[i]);
        check.add_plane(normal, polygon_offset(points, corners.polygons[i], normal));
    }
    std::vector<DVec3> candidates;
    candidates.reserve(corners.left_out.size());
    for (const std::uint32_t i : corners.left_out) {
        candidates.push_back(grid[i]);
    }
    if (check.exceeded(candidates, loss)) {
        return false;
    }
    if (!check.exceeded(candidates, certain_distance)) {
        corners.left_out.clear();
    }
    return true;
}

} // namespace

DVec3 newell_normal(std::span<const DVec3> points, std::span<const std::uint32_t> polygon) {
    const DVec3 origin = points[polygon[0]];
    DVec3 sum(0.0);
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
        sum += glm::cross(points[polygon[i]] - origin, points[polygon[i + 1]] - origin);
    }
    return sum / std::sqrt(glm::dot(sum, sum));
}

double polygon_offset(std::span<const DVec3> points, std::span<const std::uint32_t> polygon, const DVec3& normal) {
    double offset = -std::numeric_limits<double>::max();
    for (const std::uint32_t v : polygon) {
        offset = std::max(offset, glm::dot(normal, points[v]));
    }
    return offset;
}

std::optional<HullCorners> find_hull_corners(std::span<const DVec3> grid, const HullTolerance& tolerance) {
    HullCorners corners;
    TriangulatedHull hull = triangulate_hull(grid, tolerance.coplanar, tolerance.flat_limit);
    if (hull.flatness != Flatness::solid) {
        corners.flatness = hull.flatness;
        return corners;
    }
    corners.input.resize(grid.size());
    std::iota(corners.input.begin(), corners.input.end(), 0u);
    corners.left_out = std::move(hull.left_outside);
    std::vector<DVec3> points(grid.begin(), grid.end());
    for (;;) {
        keep_used(points, corners.input, hull.triangles);
        PolygonHull merged = merge_coplanar(points, hull.triangles, tolerance.coplanar);
        if (!merged.valid) {
            return std::nullopt;
        }
        if (merged.redundant.empty()) {
            corners.polygons = std::move(merged.polygons);
            break;
        }
        std::vector<bool> is_corner(points.size(), true);
        for (const std::uint32_t v : merged.redundant) {
            is_corner[v] = false;
            corners.left_out.push_back(corners.input[v]);
        }
        keep(points, corners.input, is_corner);
        hull = triangulate_hull(points, 0.0, 0.0);
        if (hull.flatness != Flatness::solid) {
            return std::nullopt;
        }
    }
    corners.triangles.reserve(hull.triangles.size());
    for (const HullTriangle& t : hull.triangles) {
        corners.triangles.push_back(t.vertex);
    }
    if (!keeps_promise(grid, points, corners, tolerance.loss)) {
        return std::nullopt;
    }
    return corners;
}

} // namespace cairn::physics::detail
