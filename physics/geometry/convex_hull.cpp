#include "physics/geometry/convex_hull.h"

#include "physics/geometry/hull_faces.h"
#include "physics/geometry/hull_support.h"
#include "physics/geometry/hull_triangulation.h"
#include "physics/geometry/polyhedron_integrals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace cairn::physics {

namespace {

using detail::DVec3;

// All relative to the extent, the longest side of the input's bounds.
//
// A flat face stored in floats is off its plane by one or two 1e-7, and by a few if it came through a text file with
// six digits, so that much counts as coplanar.
constexpr double coplanar_tolerance = 1e-6;
// How far outside a point may end after building and thinning out; the promise is 1e-5.
constexpr double greatest_loss = 6e-6;
// Thinner solids have no trustworthy face directions and no usable inertia in single precision.
constexpr double flat_limit = 1e-5;

constexpr float greatest_coordinate = 1e6f; // m
constexpr double least_extent = 1e-6;       // m

struct Corners {
    std::vector<std::uint32_t> input;                    // index into the input of each hull vertex, ascending
    std::vector<std::vector<std::uint32_t>> polygons;    // into `input`
    std::vector<std::array<std::uint32_t, 3>> triangles; // into `input`
};

const char* describe(detail::Flatness flatness) {
    switch (flatness) {
    case detail::Flatness::point:
        return "all points coincide";
    case detail::Flatness::line:
        return "the points lie on one line";
    case detail::Flatness::plane:
        return "the points lie in one plane";
    case detail::Flatness::solid:
        break;
    }
    return "";
}

// Newell's normal: the area vector of the polygon, the best plane for corners that are not quite coplanar.
DVec3 newell_normal(std::span<const DVec3> points, const std::vector<std::uint32_t>& polygon) {
    const DVec3 origin = points[polygon[0]];
    DVec3 sum(0.0);
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
        sum += glm::cross(points[polygon[i]] - origin, points[polygon[i + 1]] - origin);
    }
    return sum / std::sqrt(glm::dot(sum, sum));
}

// A plane in front of all corners of the polygon.
double polygon_offset(std::span<const DVec3> points, const std::vector<std::uint32_t>& polygon, const DVec3& normal) {
    double offset = -std::numeric_limits<double>::max();
    for (const std::uint32_t v : polygon) {
        offset = std::max(offset, glm::dot(normal, points[v]));
    }
    return offset;
}

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

// How far the farthest of `candidates` lies outside the polygons' planes, grid units.
double greatest_height(std::span<const DVec3> grid, std::span<const std::uint32_t> candidates, const Corners& corners) {
    double greatest = 0.0;
    if (candidates.empty()) {
        return greatest;
    }
    std::vector<DVec3> points;
    for (const std::uint32_t i : corners.input) {
        points.push_back(grid[i]);
    }
    for (const auto& polygon : corners.polygons) {
        const DVec3 normal = newell_normal(points, polygon);
        const double offset = polygon_offset(points, polygon, normal);
        for (const std::uint32_t i : candidates) {
            greatest = std::max(greatest, glm::dot(normal, grid[i]) - offset);
        }
    }
    return greatest;
}

// Triangulates, merges, leaves out what is no corner, and repeats until every vertex is one. Nothing if the tolerance
// is too coarse for this input: at the edge of a blade a point within the tolerance of both sides may still be a tip
// that sticks out far beyond the rest.
std::optional<Corners> find_corners(std::span<const DVec3> grid, detail::TriangulatedHull hull, double tolerance,
                                    double allowed_loss) {
    Corners corners;
    corners.input.resize(grid.size());
    for (std::uint32_t i = 0; i < corners.input.size(); ++i) {
        corners.input[i] = i;
    }
    std::vector<DVec3> points(grid.begin(), grid.end());
    std::vector<std::uint32_t> left_out = hull.left_outside;
    for (;;) {
        std::vector<bool> used(points.size(), false);
        for (const auto& t : hull.triangles) {
            for (const std::uint32_t v : t.vertex) {
                used[v] = true;
            }
        }
        std::vector<std::uint32_t> renumbered(points.size(), 0);
        std::uint32_t count = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            renumbered[i] = used[i] ? count++ : 0;
        }
        keep(points, corners.input, used);
        for (auto& t : hull.triangles) {
            for (std::uint32_t& v : t.vertex) {
                v = renumbered[v];
            }
        }

        detail::PolygonHull merged = detail::merge_coplanar(points, hull.triangles, tolerance);
        if (!merged.valid) {
            return std::nullopt;
        }
        if (merged.redundant.empty()) {
            corners.polygons = std::move(merged.polygons);
            for (const auto& t : hull.triangles) {
                corners.triangles.push_back(t.vertex);
            }
            if (greatest_height(grid, left_out, corners) > allowed_loss) {
                return std::nullopt;
            }
            return corners;
        }
        std::vector<bool> corner(points.size(), true);
        for (const std::uint32_t v : merged.redundant) {
            corner[v] = false;
            left_out.push_back(corners.input[v]);
        }
        keep(points, corners.input, corner);
        hull = detail::triangulate_hull(points, 0.0, 0.0);
        if (hull.flatness != detail::Flatness::solid) {
            return std::nullopt;
        }
    }
}

void fill_edges(ConvexHull& hull) {
    struct HalfEdge {
        std::uint32_t low, high;
        bool reversed; // runs from high to low
        std::uint32_t slot, face;
    };
    std::vector<HalfEdge> halves;
    halves.reserve(hull.face_indices.size());
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        const ConvexHull::Face& face = hull.faces[f];
        for (std::uint32_t i = 0; i < face.index_count; ++i) {
            const std::uint32_t slot = face.first_index + i;
            const std::uint32_t from = hull.face_indices[slot];
            const std::uint32_t to = hull.face_indices[face.first_index + (i + 1) % face.index_count];
            halves.push_back({std::min(from, to), std::max(from, to), from > to, slot, f});
        }
    }
    std::sort(halves.begin(), halves.end(), [](const HalfEdge& a, const HalfEdge& b) {
        return a.low != b.low ? a.low < b.low : (a.high != b.high ? a.high < b.high : a.reversed < b.reversed);
    });
    hull.face_edges.resize(hull.face_indices.size());
    hull.neighbour_start.assign(hull.vertices.size() + 1, 0);
    for (std::size_t h = 0; h + 1 < halves.size(); h += 2) { // each edge is there twice, forward before reversed
        const auto edge = static_cast<std::uint32_t>(hull.edges.size());
        hull.edges.push_back({halves[h].low, halves[h].high, halves[h].face, halves[h + 1].face});
        hull.face_edges[halves[h].slot] = edge;
        hull.face_edges[halves[h + 1].slot] = edge;
        ++hull.neighbour_start[halves[h].low + 1];
        ++hull.neighbour_start[halves[h].high + 1];
    }
    for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
        hull.neighbour_start[i + 1] += hull.neighbour_start[i];
    }
    hull.neighbours.resize(hull.edges.size() * 2);
    std::vector<std::uint32_t> filled(hull.neighbour_start.begin(), hull.neighbour_start.end() - 1);
    for (const ConvexHull::Edge& edge : hull.edges) {
        hull.neighbours[filled[edge.vertex_a]++] = edge.vertex_b;
        hull.neighbours[filled[edge.vertex_b]++] = edge.vertex_a;
    }
}

ConvexHull assemble(std::span<const Vec3> points, const DVec3& middle, Corners corners) {
    ConvexHull hull;
    std::vector<DVec3> exact;
    exact.reserve(corners.input.size());
    DVec3 mean(0.0);
    for (const std::uint32_t i : corners.input) {
        exact.push_back(DVec3(points[i]) - middle);
        mean += exact.back();
    }
    mean /= static_cast<double>(exact.size());
    const detail::PolyhedronIntegrals integrals = detail::integrate(exact, corners.triangles, mean);
    hull.centroid = Vec3(middle + integrals.centroid);
    hull.volume = static_cast<float>(integrals.volume);
    hull.unit_inertia = Mat3(integrals.inertia);

    // Relative to the centroid before it is rounded for the field above: of points far from their origin that rounding
    // would show.
    double radius2 = 0.0;
    for (DVec3& p : exact) {
        p -= integrals.centroid;
        hull.vertices.emplace_back(p);
        hull.bounds.lower = glm::min(hull.bounds.lower, hull.vertices.back());
        hull.bounds.upper = glm::max(hull.bounds.upper, hull.vertices.back());
        radius2 = std::max(radius2, glm::dot(p, p));
    }
    hull.bounding_radius = static_cast<float>(std::sqrt(radius2));

    std::sort(corners.polygons.begin(), corners.polygons.end());
    double inner = std::numeric_limits<double>::max();
    for (const auto& polygon : corners.polygons) {
        hull.faces.push_back(
            {static_cast<std::uint32_t>(hull.face_indices.size()), static_cast<std::uint32_t>(polygon.size())});
        hull.face_indices.insert(hull.face_indices.end(), polygon.begin(), polygon.end());
        const DVec3 normal = newell_normal(exact, polygon);
        const double offset = polygon_offset(exact, polygon, normal);
        hull.planes.push_back({Vec3(normal), static_cast<float>(offset)});
        inner = std::min(inner, offset);
    }
    hull.inner_radius = static_cast<float>(inner);
    fill_edges(hull);
    detail::fill_support_cells(hull);
    return hull;
}

} // namespace

std::variant<ConvexHull, HullError> build_convex_hull(std::span<const Vec3> points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!is_finite(points[i])) {
            return HullError{"point " + std::to_string(i) + " is not finite"};
        }
        const Vec3 a = glm::abs(points[i]);
        if (std::max(a.x, std::max(a.y, a.z)) > greatest_coordinate) {
            return HullError{"point " + std::to_string(i) + " lies more than 1e6 m from the origin"};
        }
    }
    if (points.size() < 4) {
        return HullError{"a hull needs at least 4 points, not " + std::to_string(points.size())};
    }
    Aabb box;
    for (const Vec3& p : points) {
        box.lower = glm::min(box.lower, p);
        box.upper = glm::max(box.upper, p);
    }
    const DVec3 sides = DVec3(box.upper) - DVec3(box.lower);
    const double extent = std::max(sides.x, std::max(sides.y, sides.z));
    if (!(extent >= least_extent)) {
        return HullError{"all points coincide"};
    }

    // Onto the grid: scaled by a power of two (exact) so that half the extent fits, rounded to whole numbers.
    const DVec3 middle = DVec3(box.lower) + 0.5 * sides;
    int exponent = 0;
    std::frexp(0.5 * extent, &exponent); // 0.5 * extent < 2^exponent
    const double scale = std::ldexp(detail::grid_half, -exponent);
    std::vector<DVec3> grid;
    grid.reserve(points.size());
    for (const Vec3& p : points) {
        const DVec3 q = (DVec3(p) - middle) * scale;
        grid.emplace_back(std::nearbyint(q.x), std::nearbyint(q.y), std::nearbyint(q.z));
    }

    const double unit = extent * scale;
    std::optional<Corners> corners;
    for (const double share : {1.0, 1.0 / 16.0, 1.0 / 256.0, 0.0}) { // without tolerance every input has its hull
        const double tolerance = share * coplanar_tolerance * unit;
        detail::TriangulatedHull hull = detail::triangulate_hull(grid, tolerance, flat_limit * unit);
        if (hull.flatness != detail::Flatness::solid) {
            return HullError{describe(hull.flatness)};
        }
        corners = find_corners(grid, std::move(hull), tolerance, greatest_loss * unit);
        if (corners) {
            break;
        }
    }
    if (!corners) {
        return HullError{"the points are too nearly flat for a hull"};
    }
    if (corners->input.size() > max_hull_vertices) {
        return HullError{"the hull has " + std::to_string(corners->input.size()) + " vertices; at most " +
                         std::to_string(max_hull_vertices) + " are allowed"};
    }
    return assemble(points, middle, std::move(*corners));
}

} // namespace cairn::physics
