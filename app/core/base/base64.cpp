#include "app/core/base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace cairn::core {

namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string base64(std::span<const std::byte> bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(bytes.size() - i, 3);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            group = group << 8 | (k < count ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0u);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            out += k <= count ? base64_digits[group >> (18 - 6 * k) & 63] : '=';
        }
    }
    return out;
}

std::optional<std::string> from_base64(std::string_view text) {
    std::array<std::uint8_t, 256> value{};
    value.fill(255);
    for (std::size_t i = 0; i < base64_digits.size(); ++i) {
        value[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::uint8_t>(i);
    }
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) {
        text.remove_suffix(1);
    }
    if (text.size() % 4 == 1) {
        return std::nullopt;
    }
    std::string out;
    out.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : text) {
        const std::uint8_t digit = value[static_cast<unsigned char>(c)];
        if (digit == 255) {
            return std::nullopt;
        }
        group = (group << 6 | digit) & 0xffffffu;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out += static_cast<char>(group >> bits & 0xffu);
        }
    }
    return out;
}

} // namespace cairn::core
