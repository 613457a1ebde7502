#include "app/core/export/gltf_buffer.h"

#include "app/core/base/error.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace cairn::core {

namespace {

static_assert(std::endian::native == std::endian::little, "glTF is little-endian");

// Names of the format (section 3.6.2 and table 3.5 of the specification).
constexpr int component_float = 5126, component_uint = 5125;
constexpr int target_vertices = 34962, target_indices = 34963, target_none = 0;
// Lengths in a .glb are 32 bits; some room is left for the JSON.
constexpr std::size_t most_bytes = std::numeric_limits<std::uint32_t>::max() - (std::size_t{256} << 20);

std::size_t width_of(std::string_view type) {
    return type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4;
}

} // namespace

std::size_t GltfBuffer::view(const void* data, std::size_t size, int target) {
    if (bytes_.size() + size > most_bytes) {
        throw InputError("the run does not fit into a glTF file, which holds 4 GiB: export fewer steps, or choose a "
                         "greater --precision");
    }
    Json view;
    view["buffer"] = 0;
    view["byteOffset"] = bytes_.size();
    view["byteLength"] = size;
    if (target != target_none) {
        view["target"] = target;
    }
    bytes_.append(static_cast<const char*>(data), size);
    views_.push_back(std::move(view));
    return views_.size() - 1;
}

std::size_t GltfBuffer::accessor(std::size_t view, std::size_t count, int component, std::string_view type) {
    Json accessor;
    accessor["bufferView"] = view;
    accessor["componentType"] = component;
    accessor["count"] = count;
    accessor["type"] = type;
    accessors_.push_back(std::move(accessor));
    return accessors_.size() - 1;
}

std::size_t GltfBuffer::floats(std::span<const float> numbers, std::string_view type, bool bounds, int target) {
    const std::size_t width = width_of(type);
    const std::size_t made =
        accessor(view(numbers.data(), numbers.size_bytes(), target), numbers.size() / width, component_float, type);
    if (bounds) {
        Json least = Json::array(), greatest = Json::array();
        for (std::size_t k = 0; k < width; ++k) {
            float low = numbers[k], high = numbers[k];
            for (std::size_t i = k; i < numbers.size(); i += width) {
                low = std::min(low, numbers[i]);
                high = std::max(high, numbers[i]);
            }
            // Not as the shortest decimal: readers compare with the floats themselves.
            least.push_back(static_cast<double>(low));
            greatest.push_back(static_cast<double>(high));
        }
        accessors_[made]["min"] = std::move(least);
        accessors_[made]["max"] = std::move(greatest);
    }
    return made;
}

std::size_t GltfBuffer::add_floats(std::span<const float> numbers, std::string_view type, bool bounds) {
    return floats(numbers, type, bounds, target_none);
}

std::size_t GltfBuffer::add_vertices(std::span<const float> numbers, bool bounds) {
    return floats(numbers, "VEC3", bounds, target_vertices);
}

std::size_t GltfBuffer::add_indices(std::span<const std::uint32_t> indices) {
    return accessor(view(indices.data(), indices.size_bytes(), target_indices), indices.size(), component_uint,
                    "SCALAR");
}

std::size_t GltfBuffer::add_whole_numbers(std::span<const std::uint32_t> numbers) {
    return accessor(view(numbers.data(), numbers.size_bytes(), target_none), numbers.size(), component_uint, "SCALAR");
}

} // namespace cairn::core
