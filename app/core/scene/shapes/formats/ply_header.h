// The header of a PLY file: which elements follow it, and what each entry of theirs holds.
#pragma once

#include "app/core/scene/shapes/formats/mesh_text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

constexpr std::size_t size_of(PlyType type) {
    constexpr std::array<std::size_t, 8> sizes{1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[static_cast<std::size_t>(type)];
}

constexpr bool is_whole(PlyType type) {
    return type != PlyType::float32 && type != PlyType::float64;
}

struct PlyProperty {
    std::string name;
    PlyType type{};
    std::optional<PlyType> length; // of a list: what its length is written as
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::size_t offset = 0; // of its count, for messages
    std::vector<PlyProperty> properties;
};

enum class PlyFormat { text, little, big };

struct PlyHeader {
    PlyFormat format{};
    std::vector<PlyElement> elements;
    std::size_t size = 0; // bytes
};

class PlyHeaderReader {
  public:
    // `text`: up to the end of the line "end_header". All functions throw InputError with line and column.
    PlyHeaderReader(std::string_view text, const std::string& name)
        : lines_(text, name, {.comments = false, .joints = false}) {
        header_.size = text.size();
    }
    PlyHeader read();
    [[noreturn]] void fail_at(std::size_t offset, const std::string& what) const { lines_.fail(offset, what); }
    [[noreturn]] void fail_at_end(const std::string& what) const { lines_.fail(lines_.line_end(), what); }

  private:
    [[noreturn]] void fail(std::size_t word, const std::string& what) const { lines_.fail(words_[word].offset, what); }
    void want(std::size_t words, const char* form) const;
    PlyFormat read_format() const;
    void read_element();
    void read_property();
    PlyType read_type(std::size_t word) const;

    MeshLines lines_;
    std::vector<MeshWord> words_;
    PlyHeader header_;
};

} // namespace cairn::core
