// Mesh files that are binary, as numbers one after the other.
#pragma once

#include "app/core/base/error.h"
#include "app/core/scene/values/scene_keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace cairn::core {

// `at` + sizeof(T) must lie within the bytes.
template <class T>
T number_at(std::string_view bytes, std::size_t at, std::endian order = std::endian::little) {
    std::array<char, sizeof(T)> raw{};
    std::copy_n(bytes.data() + at, sizeof(T), raw.begin());
    if (order != std::endian::native) {
        std::ranges::reverse(raw);
    }
    return std::bit_cast<T>(raw);
}

class MeshBytes {
  public:
    MeshBytes(std::string_view bytes, const std::string& name, std::endian order = std::endian::little,
              std::size_t first = 0)
        : bytes_(bytes), name_(name), order_(order), at_(first), last_(first) {}

    std::size_t left() const { return bytes_.size() - at_; }

    template <class T>
    T take(const char* what) {
        skip(sizeof(T), what);
        return number_at<T>(bytes_, last_, order_);
    }
    void skip(std::uint64_t size, const char* what) {
        last_ = at_;
        if (size > left()) {
            fail("the file ends within " + std::string(what));
        }
        at_ += static_cast<std::size_t>(size);
    }
    // Of what has just been taken, which fails unless it is within -1e6 .. 1e6. What is too small becomes zero.
    float coordinate(double value) const {
        if (!(std::abs(value) <= static_cast<double>(coordinate_range.max))) {
            std::array<char, 32> text{};
            std::snprintf(text.data(), text.size(), "%.9g", value);
            fail("the coordinate " + std::string(text.data()) + " is not within -1e6 .. 1e6");
        }
        return static_cast<float>(value);
    }

    // Throws InputError with the place, from 0, of what has been taken last.
    [[noreturn]] void fail(const std::string& what) const { fail_at(last_, what); }
    [[noreturn]] void fail_at(std::size_t place, const std::string& what) const {
        throw InputError({name_, 0, 0}, "byte " + std::to_string(place) + ": " + what);
    }

  private:
    std::string_view bytes_;
    const std::string& name_;
    std::endian order_;
    std::size_t at_, last_;
};

} // namespace cairn::core
