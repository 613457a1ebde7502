// Builds every distinct geometry once and shares the shape.
#pragma once

#include "physics/geometry/shape.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <variant>

namespace cairn::physics {

// Equal for equal geometries.
std::uint64_t content_hash(const Geometry& geometry);

// Shapes live as long as somebody uses them; the library itself keeps none alive.
class ShapeLibrary {
  public:
    // From here on with the help of these, which outlive the library; none: without.
    void build_on(Executor* executor, MeshOrders* orders = nullptr) {
        executor_ = executor;
        orders_ = orders;
    }
    // Validation errors as in build_shape.
    std::variant<std::shared_ptr<const Shape>, ShapeError> get(const Geometry& geometry);

    std::size_t memory_bytes() const; // of heap, with the shapes that are alive

  private:
    struct Entry {
        Geometry geometry;
        std::weak_ptr<const Shape> shape;
    };
    std::unordered_multimap<std::uint64_t, Entry> entries_; // by content hash
    Executor* executor_ = nullptr;
    MeshOrders* orders_ = nullptr;
    std::size_t sweep_at_ = 64; // entries: time to drop those that nobody uses
};

} // namespace cairn::physics
