#include "app/lab/planar/polygon.h"

#include <algorithm>
#include <cmath>

namespace cairn::core::lab::planar {
namespace {

constexpr double on_a_line = 1e-9;
constexpr double too_thin = 1e-6;

// Monotone chain (Andrew 1979): one side of the hull, from the first of the sorted points to the last, without the
// last.
template <typename Iterator>
void add_side(std::vector<DVec2>& out, Iterator begin, Iterator end) {
    const std::size_t base = out.size();
    for (auto i = begin; i != end; ++i) {
        while (out.size() >= base + 2 && !(cross(out.back() - out[out.size() - 2], *i - out.back()) > 0.0)) {
            out.pop_back();
        }
        out.push_back(*i);
    }
    out.pop_back();
}

double distance_from_line(const DVec2& p, const DVec2& from, const DVec2& to) {
    const double length = glm::length(to - from);
    return length > 0.0 ? std::abs(cross(to - from, p - from)) / length : glm::length(p - from);
}

// Leaves out, one after the other, the corner nearest to the line of its neighbours, while it lies on it.
void drop_flat_corners(std::vector<DVec2>& corners, double within) {
    while (corners.size() > 2) {
        const std::size_t n = corners.size();
        std::size_t flattest = 0;
        double least = within;
        for (std::size_t i = 0; i < n; ++i) {
            const double off = distance_from_line(corners[i], corners[(i + n - 1) % n], corners[(i + 1) % n]);
            if (off <= least) {
                least = off;
                flattest = i + 1;
            }
        }
        if (flattest == 0) {
            return;
        }
        corners.erase(corners.begin() + std::ptrdiff_t(flattest - 1));
    }
}

} // namespace

std::variant<Polygon, PolygonError> polygon_of(std::span<const DVec2> points) {
    if (points.size() < 3) {
        return PolygonError{"a polygon needs three points or more"};
    }
    std::vector<DVec2> sorted(points.begin(), points.end());
    for (const DVec2& p : sorted) {
        if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
            return PolygonError{"a coordinate is not a finite number"};
        }
    }
    std::ranges::sort(sorted, [](const DVec2& p, const DVec2& q) { return p.x != q.x ? p.x < q.x : p.y < q.y; });
    Polygon polygon;
    add_side(polygon.corners, sorted.begin(), sorted.end());
    add_side(polygon.corners, sorted.rbegin(), sorted.rend());

    // The extent is the longest way between two corners, and the thickness what lies across it.
    DVec2 from(0.0), to(0.0);
    for (const DVec2& p : polygon.corners) {
        for (const DVec2& q : polygon.corners) {
            if (glm::length(q - p) > glm::length(to - from)) {
                from = p;
                to = q;
            }
        }
    }
    const double extent = glm::length(to - from);
    if (!(extent > 0.0)) {
        return PolygonError{"the points are all in one place"};
    }
    double left = 0.0, right = 0.0;
    for (const DVec2& p : polygon.corners) {
        const double off = cross(to - from, p - from) / extent;
        left = std::max(left, off);
        right = std::max(right, -off);
    }
    if (left + right <= too_thin * extent) {
        return PolygonError{"the points lie on one line"};
    }
    drop_flat_corners(polygon.corners, on_a_line * extent);
    return polygon;
}

std::vector<DVec2> placed_corners(const Placed& placed, const DVec2& origin) {
    const double c = std::cos(placed.angle), s = std::sin(placed.angle);
    const DVec2 shift = placed.position - origin;
    std::vector<DVec2> out;
    out.reserve(placed.polygon.corners.size());
    for (const DVec2& p : placed.polygon.corners) {
        out.push_back(shift + DVec2(c * p.x - s * p.y, s * p.x + c * p.y));
    }
    return out;
}

} // namespace cairn::core::lab::planar
