#include "physics/geometry/convex_hull.h"

#include "physics/geometry/hull/hull_corners.h"
#include "physics/geometry/hull/hull_support.h"
#include "physics/geometry/hull/polyhedron_integrals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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
// Used where the tolerance above leaves more corners than are allowed, as on a cylinder of ten thousand sides: the
// coarsest tolerance that usually stays within the promise.
constexpr double coarse_tolerance = 3e-6;
constexpr double coarse_loss = 9e-6;
// Thinner solids have no trustworthy face directions and no usable inertia in single precision.
constexpr double flat_limit = 1e-5;

constexpr float greatest_coordinate = 1e6f; // m
constexpr double least_extent = 1e-6;       // m

// The points, and the same on the integer grid of the exact predicates.
struct Input {
    std::span<const Vec3> points;
    DVec3 middle{0.0};       // of their bounds, m
    double extent = 0.0;     // m
    double unit = 0.0;       // the extent in grid units
    std::vector<DVec3> grid; // relative to the middle

    explicit Input(std::span<const Vec3> all) : points(all) {
        Aabb box;
        for (const Vec3& p : points) {
            box.lower = glm::min(box.lower, p);
            box.upper = glm::max(box.upper, p);
        }
        const DVec3 sides = DVec3(box.upper) - DVec3(box.lower);
        extent = std::max(sides.x, std::max(sides.y, sides.z));
        middle = DVec3(box.lower) + 0.5 * sides;
        // Scaled by a power of two (exact) so that half the extent fits, rounded to whole numbers: near 1.5 * 2^52 the
        // spacing of doubles is one. (std::nearbyint is a call into the library on plain x86-64.)
        constexpr double to_whole = 6755399441055744.0;
        int exponent = 0;
        std::frexp(0.5 * extent, &exponent); // 0.5 * extent < 2^exponent
        const double scale = std::ldexp(detail::grid_half, -exponent);
        unit = extent * scale;
        grid.reserve(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            grid.push_back((position(i) * scale + to_whole) - to_whole);
        }
    }

    DVec3 position(std::size_t i) const { return DVec3(points[i]) - middle; } // m, relative to the middle
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

void fill_edges(ConvexHull& hull) {
    struct HalfEdge {
        std::uint32_t high;
        bool reversed; // runs from high to low
        std::uint32_t slot, face;
    };
    // Gathered by their lower vertex, by counting; each vertex has few, which are sorted by the higher one. So the
    // edges come out in the order of their vertices.
    std::vector<std::uint32_t> start(hull.vertices.size() + 1, 0);
    std::vector<HalfEdge> halves(hull.face_indices.size());
    const auto for_each_half = [&hull](const auto& action) {
        for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
            const auto corners = hull.face(f);
            for (std::uint32_t i = 0; i < corners.size(); ++i) {
                action(f, hull.faces[f].first_index + i, corners[i], corners[i + 1 < corners.size() ? i + 1 : 0]);
            }
        }
    };
    for_each_half(
        [&](std::uint32_t, std::uint32_t, std::uint32_t from, std::uint32_t to) { ++start[std::min(from, to) + 1]; });
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<std::uint32_t> filled(start.begin(), start.end() - 1);
    for_each_half([&](std::uint32_t face, std::uint32_t slot, std::uint32_t from, std::uint32_t to) {
        halves[filled[std::min(from, to)]++] = {std::max(from, to), from > to, slot, face};
    });
    hull.face_edges.resize(hull.face_indices.size());
    hull.neighbour_start.assign(hull.vertices.size() + 1, 0);
    hull.edges.reserve(halves.size() / 2);
    for (std::uint32_t low = 0; low < hull.vertices.size(); ++low) {
        std::sort(halves.begin() + start[low], halves.begin() + start[low + 1],
                  [](const HalfEdge& a, const HalfEdge& b) {
                      return a.high != b.high ? a.high < b.high : a.reversed < b.reversed;
                  });
        for (std::size_t h = start[low]; h + 1 < start[low + 1]; h += 2) { // twice each, forward before reversed
            const auto edge = static_cast<std::uint32_t>(hull.edges.size());
            hull.edges.push_back({low, halves[h].high, halves[h].face, halves[h + 1].face});
            hull.face_edges[halves[h].slot] = edge;
            hull.face_edges[halves[h + 1].slot] = edge;
            ++hull.neighbour_start[low + 1];
            ++hull.neighbour_start[halves[h].high + 1];
        }
    }
    std::partial_sum(hull.neighbour_start.begin(), hull.neighbour_start.end(), hull.neighbour_start.begin());
    hull.neighbours.resize(hull.edges.size() * 2);
    filled.assign(hull.neighbour_start.begin(), hull.neighbour_start.end() - 1);
    for (const ConvexHull::Edge& edge : hull.edges) {
        hull.neighbours[filled[edge.vertex_a]++] = edge.vertex_b;
        hull.neighbours[filled[edge.vertex_b]++] = edge.vertex_a;
    }
}

// The polygons in lexicographic order. Each begins at its smallest vertex, and only one has a given edge in a given
// direction, so the first two vertices decide.
void fill_faces(ConvexHull& hull, const detail::Polygons& polygons) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
    order.reserve(polygons.size());
    for (std::uint32_t i = 0; i < polygons.size(); ++i) {
        const auto polygon = polygons[i];
        order.emplace_back((std::uint64_t{polygon[0]} << 32) | polygon[1], i);
    }
    std::sort(order.begin(), order.end());
    hull.faces.reserve(polygons.size());
    hull.face_indices.reserve(polygons.corners.size());
    for (const auto& [key, i] : order) {
        const auto polygon = polygons[i];
        hull.faces.push_back(
            {static_cast<std::uint32_t>(hull.face_indices.size()), static_cast<std::uint32_t>(polygon.size())});
        hull.face_indices.insert(hull.face_indices.end(), polygon.begin(), polygon.end());
    }
}

// Mass properties of the hull without tolerance: what was left out changes the volume of a plate of a thousandth of its
// width by up to a thousandth, and that of a cylinder of many sides by 1e-5.
detail::PolyhedronIntegrals integrate_exact(const Input& input, const detail::HullCorners& corners) {
    const auto integrate = [&input](std::span<const std::uint32_t> indices, const auto& triangles) {
        std::vector<DVec3> positions;
        positions.reserve(indices.size());
        DVec3 mean(0.0);
        for (const std::uint32_t i : indices) {
            positions.push_back(input.position(i));
            mean += positions.back();
        }
        return detail::integrate(positions, triangles, mean / static_cast<double>(positions.size()));
    };
    if (corners.left_out.empty()) {
        return integrate(corners.input, corners.triangles);
    }
    std::vector<std::uint32_t> candidates = corners.input;
    candidates.insert(candidates.end(), corners.left_out.begin(), corners.left_out.end());
    std::sort(candidates.begin(), candidates.end());
    std::vector<DVec3> grid;
    grid.reserve(candidates.size());
    for (const std::uint32_t i : candidates) {
        grid.push_back(input.grid[i]);
    }
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (const detail::HullTriangle& t : detail::triangulate_hull(grid, 0.0, 0.0).triangles) {
        triangles.push_back(t.vertex);
    }
    return integrate(candidates, triangles);
}

ConvexHull assemble(const Input& input, const detail::HullCorners& corners) {
    ConvexHull hull;
    const detail::PolyhedronIntegrals integrals = integrate_exact(input, corners);
    hull.centroid = Vec3(input.middle + integrals.centroid);
    hull.volume = static_cast<float>(integrals.volume);
    hull.unit_inertia = Mat3(integrals.inertia);

    // Relative to the centroid before it is rounded for the field above: of points far from their origin that rounding
    // would show.
    std::vector<DVec3> exact;
    exact.reserve(corners.input.size());
    hull.vertices.reserve(corners.input.size());
    hull.input_index = corners.input;
    double radius2 = 0.0;
    for (const std::uint32_t i : corners.input) {
        const DVec3 p = input.position(i) - integrals.centroid;
        exact.push_back(p);
        hull.vertices.emplace_back(p);
        hull.bounds.lower = glm::min(hull.bounds.lower, hull.vertices.back());
        hull.bounds.upper = glm::max(hull.bounds.upper, hull.vertices.back());
        radius2 = std::max(radius2, glm::dot(p, p));
    }
    hull.bounding_radius = static_cast<float>(std::sqrt(radius2));

    fill_faces(hull, corners.polygons);
    hull.planes.reserve(hull.faces.size());
    double inner = std::numeric_limits<double>::max();
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        const DVec3 normal = detail::newell_normal(exact, hull.face(f));
        const double offset = detail::polygon_offset(exact, hull.face(f), normal);
        hull.planes.push_back({Vec3(normal), static_cast<float>(offset)});
        inner = std::min(inner, offset);
    }
    hull.inner_radius = static_cast<float>(inner);
    fill_edges(hull);
    detail::prepare_support(hull);
    return hull;
}

// Nothing for points that may have a hull, else why they have none.
std::optional<HullError> refusal(std::span<const Vec3> points) {
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
    return std::nullopt;
}

std::optional<detail::HullCorners> find_corners(const Input& input) {
    // Without tolerance every input has its hull.
    for (const double share : {1.0, 1.0 / 16.0, 1.0 / 256.0, 0.0}) {
        auto corners = detail::find_hull_corners(
            input.grid, {share * coplanar_tolerance * input.unit, greatest_loss * input.unit, flat_limit * input.unit});
        if (!corners) {
            continue;
        }
        // On a smooth surface the corners left are inversely proportional to the tolerance, so that more than that is
        // not worth trying.
        const std::size_t within_reach =
            static_cast<std::size_t>(coarse_tolerance / coplanar_tolerance * static_cast<double>(max_hull_vertices));
        if (corners->input.size() > max_hull_vertices && corners->input.size() <= within_reach) {
            auto coarse = detail::find_hull_corners(
                input.grid, {coarse_tolerance * input.unit, coarse_loss * input.unit, flat_limit * input.unit});
            if (coarse && coarse->input.size() < corners->input.size()) {
                return coarse;
            }
        }
        return corners;
    }
    return std::nullopt;
}

} // namespace

std::variant<ConvexHull, HullError> build_convex_hull(std::span<const Vec3> points) {
    if (auto error = refusal(points)) {
        return *error;
    }
    const Input input(points);
    if (!(input.extent >= least_extent)) {
        return HullError{"all points coincide"};
    }
    const std::optional<detail::HullCorners> corners = find_corners(input);
    if (!corners) {
        return HullError{"the points are too nearly flat for a hull"};
    }
    if (corners->flatness != detail::Flatness::solid) {
        return HullError{describe(corners->flatness)};
    }
    if (corners->input.size() > max_hull_vertices) {
        return HullError{"the hull has " + std::to_string(corners->input.size()) + " vertices; at most " +
                         std::to_string(max_hull_vertices) + " are allowed"};
    }
    return assemble(input, *corners);
}

} // namespace cairn::physics
