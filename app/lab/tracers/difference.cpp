#include "app/lab/tracers/difference.h"

#include "app/lab/planar/polygon.h"
#include "app/lab/steps/placing.h"
#include "physics/geometry/convex_hull.h"

#include <algorithm>
#include <cmath>

namespace cairn::core::lab {
namespace {

using physics::Shape;
using physics::ShapeKind;

constexpr int rim_points = 32;
constexpr double tau = 6.28318530717958647693;

// All differences of two vertices are taken where there are no more than these; else the farthest along directions all
// round.
constexpr std::size_t most_differences = 2048;
constexpr int directions = 800;

constexpr float smooth = 0.975f; // cosine of the angle between the normals of faces of one surface

void add_rim(std::vector<DVec3>& out, double radius, double z) {
    for (int i = 0; i < rim_points; ++i) {
        const double angle = tau * i / rim_points;
        out.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
}

// Of the core: what is left of a sphere or capsule without its radius. In world axes, about the shape's centre.
std::vector<DVec3> core_vertices(const Shape& shape, const FrameOfA& frame) {
    std::vector<DVec3> out;
    const DVec3 h(shape.half_extents);
    switch (shape.kind) {
    case ShapeKind::sphere:
        out = {DVec3(0.0)};
        break;
    case ShapeKind::capsule:
        out = {DVec3(0.0, 0.0, h.z), DVec3(0.0, 0.0, -h.z)};
        break;
    case ShapeKind::box:
        for (unsigned i = 0; i < 8; ++i) {
            out.emplace_back((i & 1u) != 0 ? h.x : -h.x, (i & 2u) != 0 ? h.y : -h.y, (i & 4u) != 0 ? h.z : -h.z);
        }
        break;
    case ShapeKind::cylinder:
        add_rim(out, double(shape.radius), h.z);
        add_rim(out, double(shape.radius), -h.z);
        break;
    case ShapeKind::cone:
        add_rim(out, double(shape.radius), -0.5 * h.z);
        out.emplace_back(0.0, 0.0, 1.5 * h.z);
        break;
    case ShapeKind::hull:
        out.assign(shape.hull->vertices.begin(), shape.hull->vertices.end());
        break;
    case ShapeKind::mesh:
        for (std::uint32_t v = 0; v < shape.mesh->vertex_count(); ++v) {
            out.emplace_back(shape.mesh->vertex(v));
        }
        break;
    }
    for (DVec3& p : out) {
        p = frame.direction(p);
    }
    return out;
}

const DVec3& farthest(const std::vector<DVec3>& points, const DVec3& direction) {
    return *std::ranges::max_element(
        points, [&](const DVec3& p, const DVec3& q) { return glm::dot(p, direction) < glm::dot(q, direction); });
}

// Evenly over the sphere: the golden angle from one to the next.
DVec3 direction_of(int k) {
    const double z = 1.0 - (2.0 * k + 1.0) / directions;
    const double across = std::sqrt(1.0 - z * z);
    const double angle = 2.39996322972865332 * k;
    return {across * std::cos(angle), across * std::sin(angle), z};
}

void add_stroke(Figure& figure, const DVec3& from, const DVec3& to) {
    figure.strokes.push_back({from, to, Role::difference, false, {}});
}

void add_hull(Figure& figure, const physics::ConvexHull& hull) {
    const auto at = [&](std::uint32_t i) { return DVec3(hull.vertices[i]) + DVec3(hull.centroid); };
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        const auto face = hull.face(f);
        for (std::size_t i = 1; i + 1 < face.size(); ++i) {
            figure.facets.push_back({{at(face[0]), at(face[i]), at(face[i + 1])}, Role::difference});
        }
    }
    for (const auto& edge : hull.edges) {
        // Between faces that make one round surface an edge would only hide what is to be seen.
        if (glm::dot(hull.planes[edge.face_a].normal, hull.planes[edge.face_b].normal) > smooth) {
            continue;
        }
        add_stroke(figure, at(edge.vertex_a), at(edge.vertex_b));
    }
}

// The difference of points, segments and plates in one plane has no volume: a point, a segment or a polygon.
void add_flat(Figure& figure, const std::vector<DVec3>& points, double eps) {
    const DVec3& first = points.front();
    const auto away = [&](const DVec3& p) { return glm::dot(p - first, p - first); };
    const DVec3 far =
        *std::ranges::max_element(points, [&](const DVec3& p, const DVec3& q) { return away(p) < away(q); });
    if (!(away(far) > eps * eps)) {
        figure.dots.push_back({first, Role::difference, {}});
        return;
    }
    const DVec3 x = glm::normalize(far - first);
    const auto across = [&](const DVec3& p) { return (p - first) - x * glm::dot(p - first, x); };
    const DVec3 side = across(*std::ranges::max_element(
        points, [&](const DVec3& p, const DVec3& q) { return glm::length(across(p)) < glm::length(across(q)); }));
    if (!(glm::length(side) > eps)) {
        const auto along = [&](const DVec3& p, const DVec3& q) { return glm::dot(p, x) < glm::dot(q, x); };
        const auto ends = std::ranges::minmax_element(points, along);
        add_stroke(figure, *ends.min, *ends.max);
        return;
    }
    const DVec3 y = glm::normalize(side);
    std::vector<planar::DVec2> in_plane;
    for (const DVec3& p : points) {
        in_plane.emplace_back(glm::dot(p - first, x), glm::dot(p - first, y));
    }
    const auto hull = planar::polygon_of(in_plane);
    const auto* polygon = std::get_if<planar::Polygon>(&hull);
    if (polygon == nullptr) {
        return; // thinner than can be seen
    }
    const auto at = [&](std::size_t i) {
        const planar::DVec2& corner = polygon->corners[i % polygon->corners.size()];
        return first + x * corner.x + y * corner.y;
    };
    for (std::size_t i = 0; i < polygon->corners.size(); ++i) {
        add_stroke(figure, at(i), at(i + 1));
        if (i >= 1 && i + 1 < polygon->corners.size()) {
            figure.facets.push_back({{at(0), at(i), at(i + 1)}, Role::difference});
        }
    }
}

void add_circle(Figure& figure, const DVec3& x, const DVec3& y) {
    for (int i = 0; i < 2 * rim_points; ++i) {
        const auto at = [&](int k) {
            const double angle = tau * k / (2 * rim_points);
            return x * std::cos(angle) + y * std::sin(angle);
        };
        figure.strokes.push_back({at(i), at(i + 1), Role::origin, false, {}});
    }
}

} // namespace

std::shared_ptr<const Figure> difference_figure(const Shape& a, const physics::Transform& pose_a, const Shape& b,
                                                const physics::Transform& pose_b) {
    auto figure = std::make_shared<Figure>();
    const FrameOfA frame_a(pose_a);
    const FrameOfA frame_b(pose_b);
    const DVec3 shift = frame_a.position - frame_b.position;
    const std::vector<DVec3> of_a = core_vertices(a, frame_a);
    const std::vector<DVec3> of_b = core_vertices(b, frame_b);
    std::vector<DVec3> points;
    if (of_a.size() * of_b.size() <= most_differences) {
        for (const DVec3& p : of_a) {
            for (const DVec3& q : of_b) {
                points.push_back(p - q + shift);
            }
        }
    } else {
        for (int k = 0; k < directions; ++k) {
            const DVec3 d = direction_of(k);
            points.push_back(farthest(of_a, d) - farthest(of_b, -d) + shift);
        }
    }
    // The hull's builder works in single precision: near the middle of the points it loses least.
    const DVec3 middle = shift;
    std::vector<physics::Vec3> rounded;
    for (const DVec3& p : points) {
        rounded.emplace_back(p - middle);
    }
    const double size = double(a.bounding_radius) + double(b.bounding_radius);
    const auto hull = physics::build_convex_hull(rounded);
    if (const auto* solid = std::get_if<physics::ConvexHull>(&hull)) {
        add_hull(*figure, *solid);
        for (Facet& facet : figure->facets) {
            for (DVec3& corner : facet.corner) {
                corner += middle;
            }
        }
        for (Stroke& stroke : figure->strokes) {
            stroke.from += middle;
            stroke.to += middle;
        }
    } else {
        add_flat(*figure, points, 1e-6 * size);
    }
    figure->dots.push_back({DVec3(0.0), Role::origin, "0"});
    if (const double radius = core_radius(a) + core_radius(b); radius > 0.0) {
        add_circle(*figure, DVec3(radius, 0.0, 0.0), DVec3(0.0, radius, 0.0));
        add_circle(*figure, DVec3(0.0, radius, 0.0), DVec3(0.0, 0.0, radius));
        add_circle(*figure, DVec3(0.0, 0.0, radius), DVec3(radius, 0.0, 0.0));
    }
    return figure;
}

double core_radius(const Shape& shape) {
    const bool round = shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule;
    return round ? double(shape.radius) : 0.0;
}

double size_of(const LabPair& pair) {
    const double less = double(std::min(pair.a.bounding_radius, pair.b.bounding_radius));
    const double more = double(std::max(pair.a.bounding_radius, pair.b.bounding_radius));
    return less > 0.0 ? less + std::min(more, 3.0 * less) : std::max(more, 1.0);
}

} // namespace cairn::core::lab
