#include "physics/world/shape_library.h"

#include "physics/base/hash.h"

#include <algorithm>

namespace cairn::physics {

namespace {

struct ContentHash {
    Hasher hasher;

    void operator()(const Sphere& s) { hasher.add(s.radius, 0.0f); }
    void operator()(const Box& s) { hasher.add(s.half_extents); }
    void operator()(const Capsule& s) { hasher.add(s.radius, s.half_height); }
    void operator()(const Cylinder& s) { hasher.add(s.radius, s.half_height); }
    void operator()(const Cone& s) { hasher.add(s.radius, s.height); }
    void operator()(const Diamond& s) { hasher.add(s.scale, 0.0f); }
    void operator()(const PointSet& s) {
        if (s.points) {
            for (const Vec3& point : *s.points) {
                hasher.add(point);
            }
        }
    }
};

std::uint64_t content_hash(const Geometry& geometry) {
    ContentHash content{Hasher(geometry.index())};
    std::visit(content, geometry);
    return content.hasher.value();
}

} // namespace

std::variant<std::shared_ptr<const Shape>, ShapeError> ShapeLibrary::get(const Geometry& geometry) {
    std::vector<Entry>& entries = entries_[content_hash(geometry)];
    std::erase_if(entries, [](const Entry& entry) { return entry.shape.expired(); });
    for (const Entry& entry : entries) {
        if (entry.geometry == geometry) {
            if (std::shared_ptr<const Shape> shape = entry.shape.lock()) {
                return shape;
            }
        }
    }
    std::variant<Shape, ShapeError> built = build_shape(geometry);
    if (ShapeError* error = std::get_if<ShapeError>(&built)) {
        return std::move(*error);
    }
    auto shape = std::make_shared<const Shape>(std::get<Shape>(std::move(built)));
    entries.push_back({geometry, shape});
    return std::shared_ptr<const Shape>(shape);
}

} // namespace cairn::physics
