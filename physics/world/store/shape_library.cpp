#include "physics/world/store/shape_library.h"

#include "physics/base/bytes.h"
#include "physics/base/hash.h"

#include <vector>

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
    void operator()(const Mesh& s) {
        if (s.data) {
            hasher.add(s.data->two_sided ? 1u : 0u, 0u);
            for (const Vec3& vertex : s.data->vertices) {
                hasher.add(vertex);
            }
            for (const auto& triangle : s.data->triangles) {
                hasher.add(triangle[0], triangle[1]).add(triangle[2], 0u);
            }
            for (const std::uint16_t material : s.data->triangle_materials) {
                hasher.add(std::uint32_t{material}, 1u);
            }
        }
    }
    void operator()(const HeightField& s) {
        if (s.data) {
            hasher.add(s.data->columns, s.data->rows).add(s.data->spacing, 0.0f);
            for (const float height : s.data->heights) {
                hasher.add(height, 0.0f);
            }
            for (const std::uint64_t word : s.data->holes) {
                hasher.add(word);
            }
        }
    }
};

std::size_t hull_bytes(const ConvexHull& hull) {
    return sizeof(ConvexHull) + bytes_of(hull.vertices) + bytes_of(hull.input_index) + bytes_of(hull.faces) +
           bytes_of(hull.planes) + bytes_of(hull.face_indices) + bytes_of(hull.face_edges) + bytes_of(hull.edges) +
           bytes_of(hull.neighbour_start) + bytes_of(hull.neighbours) + bytes_of(hull.vertex_lanes.blocks) +
           bytes_of(hull.plane_lanes.blocks) + bytes_of(hull.cell_start) + bytes_of(hull.cell_vertices);
}

} // namespace

std::uint64_t content_hash(const Geometry& geometry) {
    ContentHash content{Hasher(geometry.index())};
    std::visit(content, geometry);
    return content.hasher.value();
}

std::variant<std::shared_ptr<const Shape>, ShapeError> ShapeLibrary::get(const Geometry& geometry) {
    const std::uint64_t key = content_hash(geometry);
    for (auto [at, end] = entries_.equal_range(key); at != end; ++at) {
        if (at->second.geometry == geometry) {
            if (std::shared_ptr<const Shape> shape = at->second.shape.lock()) {
                return shape;
            }
        }
    }
    std::variant<Shape, ShapeError> built = build_shape(geometry, executor_, orders_);
    if (ShapeError* error = std::get_if<ShapeError>(&built)) {
        return std::move(*error);
    }
    auto shape = std::make_shared<const Shape>(std::get<Shape>(std::move(built)));
    if (entries_.size() >= sweep_at_) {
        std::erase_if(entries_, [](const auto& entry) { return entry.second.shape.expired(); });
        sweep_at_ = 2 * entries_.size() + 64;
    }
    entries_.emplace(key, Entry{geometry, shape});
    return std::shared_ptr<const Shape>(shape);
}

std::size_t ShapeLibrary::memory_bytes() const {
    constexpr std::size_t links = 2 * sizeof(void*); // of a node: the next one, and its hash
    std::size_t bytes =
        entries_.bucket_count() * sizeof(void*) + entries_.size() * (links + sizeof(decltype(entries_)::value_type));
    for (const auto& [key, entry] : entries_) {
        if (const std::shared_ptr<const Shape> shape = entry.shape.lock()) {
            bytes += sizeof(Shape) + (shape->hull ? hull_bytes(*shape->hull) : 0) +
                     (shape->mesh ? shape->mesh->memory_bytes() : 0);
        }
    }
    return bytes;
}

} // namespace cairn::physics
