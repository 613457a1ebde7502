#include "tests/physics/geometry/shape_samples.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cairn::physics::geometry_testing {

namespace {

using DVec3 = glm::dvec3;
constexpr double pi = 3.14159265358979323846;

double number(float x) {
    return static_cast<double>(x);
}

// A surface of revolution about z, given as a profile of (radius, z).
void revolve(std::vector<DVec3>& points, const std::vector<std::pair<double, double>>& profile, int around) {
    for (const auto& [rho, z] : profile) {
        for (int i = 0; i < around; ++i) {
            const double angle = 2 * pi * i / around;
            points.emplace_back(rho * std::cos(angle), rho * std::sin(angle), z);
        }
    }
}

std::vector<NamedShape> make_shapes() {
    std::vector<NamedShape> shapes;
    for (const float size : {2e-3f, 1.0f, 100.0f}) {
        const std::string suffix = " x " + std::to_string(size);
        const auto add = [&](const char* name, const Geometry& geometry) {
            shapes.push_back({name + suffix, shape_of(geometry)});
        };
        add("sphere", Sphere{size});
        add("cube", Box{Vec3(size)});
        add("beam", Box{Vec3(3, 0.25f, 0.1f) * size});
        add("capsule", Capsule{0.5f * size, size});
        add("pill", Capsule{size, 0.1f * size});
        add("cylinder", Cylinder{0.5f * size, size});
        add("coin", Cylinder{size, 0.05f * size});
        add("rod", Cylinder{0.05f * size, size});
        add("cone", Cone{0.5f * size, size});
        add("flat cone", Cone{size, 0.1f * size});
        add("spike", Cone{0.05f * size, size});
        add("diamond", Diamond{size});
        if (size >= 1.0f) { // a thousand to one; a millimetre's thousandth is refused
            const float thin = 1e-3f * size;
            add("needle box", Box{Vec3(thin, thin, size)});
            add("plate box", Box{Vec3(size, thin, size)});
            add("needle capsule", Capsule{thin, size});
            add("needle cylinder", Cylinder{thin, size});
            add("plate cylinder", Cylinder{size, thin});
            add("needle cone", Cone{thin, 2.0f * size});
            add("plate cone", Cone{size, 2.0f * thin});
        }
        for (const NamedPoints& set : point_families(17)) {
            const auto points = std::make_shared<const std::vector<Vec3>>(
                placed(set.points, size, normalized(Quat(0.9f, 0.2f, -0.3f, 0.1f)), size * Vec3(1, 2, 3)));
            // Of two millimetres the thinnest sets are refused; that is tested elsewhere.
            if (size >= 1.0f || std::holds_alternative<Shape>(build_shape(PointSet{points}))) {
                add(set.name.c_str(), PointSet{points});
            }
        }
    }
    return shapes;
}

} // namespace

const std::vector<NamedShape>& sample_shapes() {
    static const std::vector<NamedShape> shapes = make_shapes();
    return shapes;
}

Shape shape_of(const Geometry& geometry) {
    auto built = build_shape(geometry);
    if (const auto* error = std::get_if<ShapeError>(&built)) {
        throw std::runtime_error("no shape: " + error->reason);
    }
    return std::get<Shape>(std::move(built));
}

double outside(const Shape& shape, const DVec3& p) {
    const double rho = std::sqrt(p.x * p.x + p.y * p.y);
    const double r = number(shape.radius);
    const double h = number(shape.half_extents.z);
    switch (shape.kind) {
    case ShapeKind::sphere:
        return glm::length(p) - r;
    case ShapeKind::box: {
        const DVec3 d = glm::abs(p) - DVec3(shape.half_extents);
        return std::max(d.x, std::max(d.y, d.z));
    }
    case ShapeKind::capsule:
        return glm::length(p - DVec3(0, 0, std::clamp(p.z, -h, h))) - r;
    case ShapeKind::cylinder:
        return std::max(rho - r, std::abs(p.z) - h);
    case ShapeKind::cone: // half_extents.z is half the height
        return std::max(-0.5 * h - p.z, (2 * h * rho + r * (p.z - 1.5 * h)) / std::sqrt(4 * h * h + r * r));
    case ShapeKind::mesh:
        throw std::logic_error("a mesh is not convex");
    case ShapeKind::hull: {
        double most = -1e300;
        for (const Plane& plane : shape.hull->planes) {
            most = std::max(most, glm::dot(DVec3(plane.normal), p) - number(plane.offset));
        }
        return most;
    }
    }
    return 0.0;
}

std::vector<DVec3> surface_points(const Shape& shape, int resolution) {
    std::vector<DVec3> points;
    const double r = number(shape.radius);
    const double h = number(shape.half_extents.z);
    std::vector<std::pair<double, double>> profile;
    const auto line = [&](double r0, double z0, double r1, double z1) {
        for (int i = 0; i <= resolution; ++i) {
            const double t = static_cast<double>(i) / resolution;
            profile.emplace_back(r0 + t * (r1 - r0), z0 + t * (z1 - z0));
        }
    };
    switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::capsule: {
        const double shift = shape.kind == ShapeKind::capsule ? h : 0.0;
        for (int i = 0; i <= 2 * resolution; ++i) {
            const double polar = pi * i / (2 * resolution);
            profile.emplace_back(r * std::sin(polar), r * std::cos(polar) + (2 * i <= 2 * resolution ? shift : -shift));
        }
        line(r, shift, r, -shift);
        break;
    }
    case ShapeKind::cylinder:
        line(0, h, r, h);
        line(r, h, r, -h);
        line(r, -h, 0, -h);
        break;
    case ShapeKind::cone:
        line(0, 1.5 * h, r, -0.5 * h);
        line(r, -0.5 * h, 0, -0.5 * h);
        break;
    case ShapeKind::box:
        for (int i = 0; i < 8; ++i) {
            points.push_back(DVec3(shape.half_extents) * DVec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
        }
        break;
    case ShapeKind::mesh:
        throw std::logic_error("a mesh is not convex");
    case ShapeKind::hull:
        for (const Vec3& v : shape.hull->vertices) {
            points.emplace_back(v);
        }
        break;
    }
    revolve(points, profile, 4 * resolution);
    return points;
}

} // namespace cairn::physics::geometry_testing
