#include "physics/geometry/shape.h"

#include <array>
#include <cstdio>
#include <numbers>
#include <optional>

namespace cairn::physics {

namespace {

constexpr float least_size = 1e-4f;      // m
constexpr float greatest_size = 1e4f;    // m
constexpr float least_thickness = 1e-6f; // m, inner radius of a hull; below it inertia leaves the range of floats

std::string size_text(float value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g", static_cast<double>(value));
    return text.data();
}

std::optional<ShapeError> check_size(const char* name, float value) {
    if (value >= least_size && value <= greatest_size) { // false for NaN
        return std::nullopt;
    }
    return ShapeError{std::string(name) + " must lie between 0.0001 m and 10000 m, not " + size_text(value)};
}

Mat3 diagonal(double x, double y, double z) {
    Mat3 m(0.0f);
    m[0][0] = static_cast<float>(x);
    m[1][1] = static_cast<float>(y);
    m[2][2] = static_cast<float>(z);
    return m;
}

void set_symmetric_bounds(Shape& shape, const Vec3& half) {
    shape.local_bounds = {-half, half};
}

using Built = std::variant<Shape, ShapeError>;

Built build(const Sphere& sphere) {
    if (auto error = check_size("the radius", sphere.radius)) {
        return *error;
    }
    Shape shape;
    shape.kind = ShapeKind::sphere;
    shape.radius = sphere.radius;
    const double r = static_cast<double>(sphere.radius);
    const double volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
    const double i = 0.4 * volume * r * r;
    shape.volume = static_cast<float>(volume);
    shape.unit_inertia = diagonal(i, i, i);
    shape.bounding_radius = sphere.radius;
    shape.inner_radius = sphere.radius;
    set_symmetric_bounds(shape, Vec3(sphere.radius));
    return shape;
}

Built build(const Box& box) {
    constexpr std::array<const char*, 3> names{"half extent x", "half extent y", "half extent z"};
    for (int axis = 0; axis < 3; ++axis) {
        if (auto error = check_size(names[static_cast<std::size_t>(axis)], box.half_extents[axis])) {
            return *error;
        }
    }
    Shape shape;
    shape.kind = ShapeKind::box;
    shape.half_extents = box.half_extents;
    const glm::dvec3 h(box.half_extents);
    const glm::dvec3 h2 = h * h;
    const double volume = 8.0 * h.x * h.y * h.z;
    shape.volume = static_cast<float>(volume);
    // A full side is 2h, so m (a^2 + b^2) / 12 becomes m (ha^2 + hb^2) / 3.
    shape.unit_inertia =
        diagonal(volume * (h2.y + h2.z) / 3.0, volume * (h2.z + h2.x) / 3.0, volume * (h2.x + h2.y) / 3.0);
    shape.bounding_radius = static_cast<float>(std::sqrt(h2.x + h2.y + h2.z));
    shape.inner_radius = glm::min(box.half_extents.x, glm::min(box.half_extents.y, box.half_extents.z));
    set_symmetric_bounds(shape, box.half_extents);
    return shape;
}

Built build(const Capsule& capsule) {
    if (auto error = check_size("the radius", capsule.radius)) {
        return *error;
    }
    if (auto error = check_size("the half height", capsule.half_height)) {
        return *error;
    }
    Shape shape;
    shape.kind = ShapeKind::capsule;
    shape.radius = capsule.radius;
    shape.half_extents.z = capsule.half_height;
    const double r = static_cast<double>(capsule.radius);
    const double h = static_cast<double>(capsule.half_height);
    const double barrel = std::numbers::pi * r * r * 2.0 * h;
    const double balls = 4.0 / 3.0 * std::numbers::pi * r * r * r; // both halves together
    shape.volume = static_cast<float>(barrel + balls);
    const double axial = 0.5 * barrel * r * r + 0.4 * balls * r * r;
    // A half ball about its own centroid, 3r/8 above its flat side, has 83/320 m r^2 across; moved out to h + 3r/8 the
    // two halves sum to balls (2/5 r^2 + h^2 + 3/4 h r).
    const double across = barrel * (r * r / 4.0 + h * h / 3.0) + balls * (0.4 * r * r + h * h + 0.75 * h * r);
    shape.unit_inertia = diagonal(across, across, axial);
    shape.bounding_radius = capsule.radius + capsule.half_height;
    shape.inner_radius = capsule.radius;
    set_symmetric_bounds(shape, Vec3(capsule.radius, capsule.radius, capsule.radius + capsule.half_height));
    return shape;
}

Built build(const Cylinder& cylinder) {
    if (auto error = check_size("the radius", cylinder.radius)) {
        return *error;
    }
    if (auto error = check_size("the half height", cylinder.half_height)) {
        return *error;
    }
    Shape shape;
    shape.kind = ShapeKind::cylinder;
    shape.radius = cylinder.radius;
    shape.half_extents.z = cylinder.half_height;
    const double r = static_cast<double>(cylinder.radius);
    const double h = static_cast<double>(cylinder.half_height);
    const double volume = std::numbers::pi * r * r * 2.0 * h;
    shape.volume = static_cast<float>(volume);
    const double across = volume * (r * r / 4.0 + h * h / 3.0);
    shape.unit_inertia = diagonal(across, across, 0.5 * volume * r * r);
    shape.bounding_radius = static_cast<float>(std::sqrt(r * r + h * h));
    shape.inner_radius = glm::min(cylinder.radius, cylinder.half_height);
    set_symmetric_bounds(shape, Vec3(cylinder.radius, cylinder.radius, cylinder.half_height));
    return shape;
}

Built build(const Cone& cone) {
    if (auto error = check_size("the radius", cone.radius)) {
        return *error;
    }
    if (auto error = check_size("the height", cone.height)) {
        return *error;
    }
    Shape shape;
    shape.kind = ShapeKind::cone;
    shape.radius = cone.radius;
    shape.half_extents.z = 0.5f * cone.height;
    const double r = static_cast<double>(cone.radius);
    const double h = static_cast<double>(cone.height);
    const double volume = std::numbers::pi * r * r * h / 3.0;
    shape.volume = static_cast<float>(volume);
    const double across = volume * (3.0 / 20.0 * r * r + 3.0 / 80.0 * h * h);
    shape.unit_inertia = diagonal(across, across, 0.3 * volume * r * r);
    shape.bounding_radius = static_cast<float>(std::max(0.75 * h, std::sqrt(r * r + h * h / 16.0)));
    // To the base h/4; to the side: the centroid's distance 3h/4 from the apex times the sine of the half angle.
    shape.inner_radius = static_cast<float>(std::min(0.25 * h, 0.75 * h * r / std::sqrt(r * r + h * h)));
    shape.local_bounds = {Vec3(-cone.radius, -cone.radius, -0.25f * cone.height),
                          Vec3(cone.radius, cone.radius, 0.75f * cone.height)};
    return shape;
}

Built build_hull(std::span<const Vec3> points) {
    auto built = build_convex_hull(points);
    if (const auto* error = std::get_if<HullError>(&built)) {
        return ShapeError{error->reason};
    }
    const auto hull = std::make_shared<const ConvexHull>(std::move(std::get<ConvexHull>(built)));
    const Vec3 sides = hull->bounds.upper - hull->bounds.lower;
    const float longest = glm::max(sides.x, glm::max(sides.y, sides.z));
    if (auto error = check_size("half the longest side of the hull", 0.5f * longest)) {
        return *error;
    }
    if (!(hull->inner_radius >= least_thickness)) {
        return ShapeError{"the hull is too thin: a ball inside it has a radius of only " +
                          size_text(hull->inner_radius) + " m"};
    }
    Shape shape;
    shape.kind = ShapeKind::hull;
    shape.half_extents = 0.5f * sides;
    shape.local_bounds = hull->bounds;
    shape.volume = hull->volume;
    shape.unit_inertia = hull->unit_inertia;
    shape.bounding_radius = hull->bounding_radius;
    shape.inner_radius = hull->inner_radius;
    shape.author_offset = hull->centroid;
    shape.hull = hull;
    return shape;
}

Built build(const Diamond& diamond) {
    if (auto error = check_size("the scale", diamond.scale)) {
        return *error;
    }
    std::vector<Vec3> points = diamond_points();
    for (Vec3& p : points) {
        p *= diamond.scale;
    }
    return build_hull(points);
}

Built build(const PointSet& set) {
    return build_hull(set.points ? std::span<const Vec3>(*set.points) : std::span<const Vec3>());
}

Shape surface_shape(TriangleMesh built) {
    const auto mesh = std::make_shared<const TriangleMesh>(std::move(built));
    Shape shape;
    shape.kind = ShapeKind::mesh;
    shape.half_extents = 0.5f * (mesh->bounds.upper - mesh->bounds.lower);
    shape.local_bounds = mesh->bounds;
    if (mesh->grid) {
        shape.bounding_radius = mesh->grid->radius();
    }
    for (const Vec3& vertex : mesh->vertices) {
        shape.bounding_radius = std::max(shape.bounding_radius, glm::length(vertex));
    }
    shape.bounding_radius *= 1.000001f;
    shape.inner_radius = shape.bounding_radius;
    shape.mesh = mesh;
    return shape;
}

std::optional<ShapeError> check_extent(const Aabb& bounds) {
    const Vec3 sides = bounds.upper - bounds.lower;
    return check_size("half the longest side of the mesh", 0.5f * glm::max(sides.x, glm::max(sides.y, sides.z)));
}

Built surface(std::variant<TriangleMesh, std::string> built) {
    if (std::string* reason = std::get_if<std::string>(&built)) {
        return ShapeError{std::move(*reason)};
    }
    Shape shape = surface_shape(std::move(std::get<TriangleMesh>(built)));
    if (auto error = check_extent(shape.mesh->bounds)) {
        return *error;
    }
    return shape;
}

Built build(const Mesh& from, Executor* executor = nullptr, MeshOrders* orders = nullptr) {
    return surface(build_triangle_mesh(from, executor, orders));
}

Built build(const HeightField& from) {
    return surface(build_height_field(from));
}

} // namespace

std::variant<Shape, ShapeError> build_shape(const Geometry& geometry, Executor* executor, MeshOrders* orders) {
    if (const auto* mesh = std::get_if<Mesh>(&geometry)) {
        return build(*mesh, executor, orders);
    }
    return std::visit([](const auto& g) { return build(g); }, geometry);
}

std::optional<ShapeError> check_geometry(const Geometry& geometry) {
    if (const auto* mesh = std::get_if<Mesh>(&geometry)) {
        auto checked = check_triangle_mesh(*mesh);
        if (std::string* reason = std::get_if<std::string>(&checked)) {
            return ShapeError{std::move(*reason)};
        }
        return check_extent(std::get<Aabb>(checked));
    }
    auto built = build_shape(geometry);
    if (ShapeError* error = std::get_if<ShapeError>(&built)) {
        return std::move(*error);
    }
    return std::nullopt;
}

Shape with_heights(const Shape& before, std::shared_ptr<const HeightData> data, const HeightRegion& changed) {
    return surface_shape(with_heights(*before.mesh, std::move(data), changed));
}

Shape with_materials(const Shape& before, const MeshData& data) {
    Shape shape = before;
    shape.mesh = std::make_shared<const TriangleMesh>(with_materials(*before.mesh, data));
    return shape;
}

} // namespace cairn::physics
