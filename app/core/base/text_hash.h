// A short name for texts: FNV-1a, 64 bits. Names that were written into files must be found again, so it stays as it
// is; it protects nothing. Values of the world have the stronger Hasher of physics/base/hash.h.
#pragma once

#include <cstdint>
#include <string_view>

namespace cairn::core {

class TextHash {
  public:
    // `version` makes other names of the same texts.
    constexpr explicit TextHash(std::uint64_t version = 0) : value_(0xcbf29ce484222325u + version) {}

    constexpr void add(std::string_view text) {
        for (const char c : text) {
            add_byte(static_cast<unsigned char>(c));
        }
    }
    // Between texts of a list, so that it matters where one ends: no byte of UTF-8.
    constexpr void end_word() { add_byte(0xff); }
    constexpr std::uint64_t value() const { return value_; }

  private:
    constexpr void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3u; }

    std::uint64_t value_;
};

} // namespace cairn::core
