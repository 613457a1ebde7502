// Builds every distinct geometry once and shares the shape.
#pragma once

#include "physics/geometry/shape.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::physics {

// Shapes live as long as somebody uses them; the library itself keeps none alive.
class ShapeLibrary {
  public:
    // Validation errors as in build_shape.
    std::variant<std::shared_ptr<const Shape>, ShapeError> get(const Geometry& geometry);

  private:
    struct Entry {
        Geometry geometry;
        std::weak_ptr<const Shape> shape;
    };
    std::unordered_map<std::uint64_t, std::vector<Entry>> entries_; // by content hash
};

} // namespace cairn::physics
