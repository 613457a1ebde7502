// The binary part of a glTF file, and the accessors that say what lies in it.
#pragma once

#include "app/core/report/formats/json.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cairn::core {

class GltfBuffer {
  public:
    // Append values and give the index of their accessor. `type` is one of the format's SCALAR, VEC3 or VEC4; `numbers`
    // holds as many for each element as that says. `bounds`: least and greatest element are stated, as the format wants
    // it of positions and times.
    std::size_t add_floats(std::span<const float> numbers, std::string_view type, bool bounds);
    std::size_t add_vertices(std::span<const float> numbers, bool bounds); // VEC3, for drawing
    std::size_t add_indices(std::span<const std::uint32_t> indices);       // for drawing
    std::size_t add_whole_numbers(std::span<const std::uint32_t> numbers);

    const std::string& bytes() const { return bytes_; } // little-endian; a multiple of four
    const Json& views() const { return views_; }
    const Json& accessors() const { return accessors_; }

  private:
    std::size_t view(const void* data, std::size_t size, int target);
    std::size_t accessor(std::size_t view, std::size_t count, int component, std::string_view type);
    std::size_t floats(std::span<const float> numbers, std::string_view type, bool bounds, int target);

    std::string bytes_;
    Json views_ = Json::array(), accessors_ = Json::array();
};

} // namespace cairn::core
