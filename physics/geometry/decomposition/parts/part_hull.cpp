#include "physics/geometry/decomposition/parts/part_hull.h"

#include "physics/geometry/hull/hull_triangulation.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics::detail {

namespace {

constexpr double flat_thickness = 1e-6; // of the longest side
constexpr double most_samples = 20000;  // of a surface, and of an inside
constexpr double rounding_number = 6755399441055744.0;

double longest_side(std::span<const glm::dvec3> points) {
    GridBox box;
    for (const glm::dvec3& p : points) {
        box.add(p);
    }
    const glm::dvec3 sides = box.upper - box.lower;
    return std::max(sides.x, std::max(sides.y, sides.z));
}

// Points of Roberts' R2 and R3 sequences (2018), which leave no gaps however many are taken.
glm::dvec2 spread_2(std::size_t i) {
    const double n = static_cast<double>(i) + 1.0;
    const double u = n * 0.7548776662466927, v = n * 0.5698402909980532;
    return {u - std::floor(u), v - std::floor(v)};
}

glm::dvec3 spread_3(std::size_t i) {
    const double n = static_cast<double>(i) + 1.0;
    const glm::dvec3 p = n * glm::dvec3(0.8191725133961645, 0.6710436067037893, 0.5497004779019703);
    return p - glm::floor(p);
}

// Calls action(point) for samples of triangles about `spacing` apart, until one returns false.
template <typename Action>
bool for_each_sample(std::span<const glm::dvec3> points, std::span<const IndexTriangle> triangles, double spacing,
                     const Action& action) {
    const auto area = [&](const IndexTriangle& t) {
        const glm::dvec3 n = glm::cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]);
        return 0.5 * std::sqrt(glm::dot(n, n));
    };
    double total = 0.0;
    for (const IndexTriangle& t : triangles) {
        total += area(t);
    }
    const double share = std::max(spacing * spacing, total / most_samples); // of area to each sample
    double covered = 0.5 * share;
    std::size_t taken = 0;
    for (const IndexTriangle& t : triangles) {
        covered += area(t);
        while (covered >= share * static_cast<double>(taken + 1)) {
            glm::dvec2 uv = spread_2(taken++);
            uv = uv.x + uv.y > 1.0 ? glm::dvec2(1.0) - uv : uv;
            const glm::dvec3& a = points[t[0]];
            if (!action(a + uv.x * (points[t[1]] - a) + uv.y * (points[t[2]] - a))) {
                return false;
            }
        }
    }
    return true;
}

// Empty where the points lie in one plane.
std::vector<HullTriangle> triangulated(std::span<const glm::dvec3> points, double tolerance) {
    if (points.size() < 4) {
        return {};
    }
    return triangulate_hull(points, tolerance, flat_thickness * longest_side(points)).triangles;
}

double volume_within(std::span<const glm::dvec3> points, std::span<const HullTriangle> triangles) {
    double volume = 0.0;
    for (const HullTriangle& t : triangles) {
        const glm::dvec3 from_first = points[t.vertex[0]] - points[triangles[0].vertex[0]];
        volume += t.double_area * glm::dot(t.normal, from_first) / 6.0;
    }
    return volume;
}

} // namespace

double hull_volume(std::span<const glm::dvec3> points, double tolerance) {
    return volume_within(points, triangulated(points, tolerance));
}

PartHull hull_of(std::span<const glm::dvec3> points, double tolerance) {
    PartHull hull;
    const std::vector<HullTriangle> built = triangulated(points, tolerance);
    if (built.empty()) {
        return hull;
    }
    std::vector<std::uint32_t> used;
    used.reserve(built.size() * 3);
    for (const HullTriangle& t : built) {
        used.insert(used.end(), t.vertex.begin(), t.vertex.end());
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    hull.points.reserve(used.size());
    for (const std::uint32_t i : used) {
        hull.points.push_back(points[i]);
    }
    for (const HullTriangle& t : built) {
        IndexTriangle corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            corners[k] =
                static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), t.vertex[k]) - used.begin());
        }
        hull.triangles.push_back(corners);
        hull.faces.push_back({t.normal, glm::dot(t.normal, points[t.vertex[0]])});
    }
    hull.volume = volume_within(points, built);
    return hull;
}

PartHull simplified(const PartHull& hull, std::size_t count) {
    if (hull.points.size() <= count) {
        return hull;
    }
    // Begins with the farthest apart of the extreme points along the axes, then what makes a triangle and a solid most.
    const std::vector<glm::dvec3>& all = hull.points;
    const auto farthest = [&all](const auto& measure) {
        std::size_t best = 0;
        for (std::size_t i = 1; i < all.size(); ++i) {
            best = measure(all[i]) > measure(all[best]) ? i : best;
        }
        return all[best];
    };
    const glm::dvec3 low = farthest([](const glm::dvec3& p) { return -p.x - p.y - p.z; });
    const glm::dvec3 a = farthest([&](const glm::dvec3& p) { return glm::dot(p - low, p - low); });
    const glm::dvec3 b = farthest([&](const glm::dvec3& p) { return glm::dot(p - a, p - a); });
    const auto from_line = [&](const glm::dvec3& p) {
        const glm::dvec3 n = glm::cross(b - a, p - a);
        return glm::dot(n, n);
    };
    const glm::dvec3 c = farthest(from_line);
    const glm::dvec3 normal = glm::cross(b - a, c - a);
    const glm::dvec3 d = farthest([&](const glm::dvec3& p) { return std::abs(glm::dot(normal, p - a)); });
    std::vector<glm::dvec3> chosen{a, b, c, d};
    PartHull result = hull_of(chosen, 0.0);
    while (chosen.size() < count && !result.flat()) {
        double greatest = 0.0;
        const glm::dvec3* next = nullptr;
        for (const glm::dvec3& p : all) {
            double outside = 0.0;
            for (const PartHull::Face& face : result.faces) {
                outside = std::max(outside, glm::dot(face.normal, p) - face.offset);
            }
            if (outside > greatest && std::find(chosen.begin(), chosen.end(), p) == chosen.end()) {
                greatest = outside;
                next = &p;
            }
        }
        if (next == nullptr) {
            break;
        }
        chosen.push_back(*next);
        result = hull_of(chosen, 0.0);
    }
    return result;
}

double concavity(const MeshPart& part, const MeshTree& tree, const PartHull& hull, double spacing, double limit) {
    double greatest = 0.0;
    if (hull.flat()) {
        return greatest;
    }
    std::size_t near_face = 0; // where the last sample stopped the search, the next one will, too
    const auto depth_in_hull = [&](const glm::dvec3& p, double enough) {
        const auto depth = [&](std::size_t f) { return hull.faces[f].offset - glm::dot(hull.faces[f].normal, p); };
        double least = depth(near_face);
        for (std::size_t f = 0; f < hull.faces.size() && least > enough; ++f) {
            if (const double d = depth(f); d < least) {
                least = d;
                near_face = f;
            }
        }
        return least;
    };
    const auto surface = std::span(part.triangles).first(part.surface_count);
    const auto dent = [&](const glm::dvec3& p) {
        double depth = depth_in_hull(p, greatest);
        if (depth < 0.0) { // outside of a hull that was simplified
            depth = -depth_in_hull(p, -1e300);
        }
        greatest = std::max(greatest, depth);
        return greatest <= limit;
    };
    const auto overhang = [&](const glm::dvec3& p) {
        greatest = std::max(greatest, tree.distance(p, greatest));
        return greatest <= limit;
    };
    if (!for_each_sample(hull.points, hull.triangles, spacing, overhang)) {
        return greatest;
    }
    for (const IndexTriangle& t : surface) {
        for (const std::uint32_t i : t) {
            if (!dent(part.points[i])) {
                return greatest;
            }
        }
    }
    if (!for_each_sample(part.points, surface, spacing, dent)) {
        return greatest;
    }
    GridBox box;
    for (const glm::dvec3& p : hull.points) {
        box.add(p);
    }
    const glm::dvec3 sides = box.upper - box.lower;
    const double wanted = sides.x * sides.y * sides.z / (spacing * spacing * spacing);
    const auto count = static_cast<std::size_t>(std::min(wanted, most_samples));
    for (std::size_t i = 0; i < count; ++i) {
        glm::dvec3 p = box.lower + spread_3(i) * sides;
        p = (p + rounding_number) - rounding_number;
        if (depth_in_hull(p, 0.0) <= 0.0) {
            continue;
        }
        if (const double away = tree.distance(p, greatest); away > greatest && tree.winding(p) == 0) {
            greatest = away;
            if (greatest > limit) {
                return greatest;
            }
        }
    }
    return greatest;
}

} // namespace cairn::physics::detail
