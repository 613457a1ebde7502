#include "app/core/capture/cbor.h"

#include <bit>

namespace cairn::core {
namespace {

constexpr std::uint8_t major_unsigned = 0;
constexpr std::uint8_t major_text = 3;
constexpr std::uint8_t major_array = 4;
constexpr std::uint8_t major_map = 5;

constexpr std::uint8_t byte_false = 0xf4;
constexpr std::uint8_t byte_true = 0xf5;
constexpr std::uint8_t byte_null = 0xf6;
constexpr std::uint8_t byte_single = 0xfa;

} // namespace

void CborWriter::head(std::uint8_t major, std::uint64_t value) {
    const auto type = static_cast<std::uint8_t>(major << 5);
    int width = 0;
    if (value < 24) {
        bytes_.push_back(static_cast<std::uint8_t>(type | value));
        return;
    }
    if (value <= 0xff) {
        bytes_.push_back(type | 24);
        width = 1;
    } else if (value <= 0xffff) {
        bytes_.push_back(type | 25);
        width = 2;
    } else if (value <= 0xffffffff) {
        bytes_.push_back(type | 26);
        width = 4;
    } else {
        bytes_.push_back(type | 27);
        width = 8;
    }
    for (int i = width - 1; i >= 0; --i) {
        bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
}

void CborWriter::unsigned_integer(std::uint64_t value) {
    head(major_unsigned, value);
}

void CborWriter::single(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    bytes_.push_back(byte_single);
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes_.push_back(static_cast<std::uint8_t>(bits >> shift));
    }
}

void CborWriter::boolean(bool value) {
    bytes_.push_back(value ? byte_true : byte_false);
}

void CborWriter::null() {
    bytes_.push_back(byte_null);
}

void CborWriter::text(std::string_view value) {
    head(major_text, value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
}

void CborWriter::array(std::uint64_t items) {
    head(major_array, items);
}

void CborWriter::map(std::uint64_t pairs) {
    head(major_map, pairs);
}

void CborWriter::raw(std::span<const std::uint8_t> items) {
    bytes_.insert(bytes_.end(), items.begin(), items.end());
}

std::uint8_t CborReader::peek() const {
    if (at_end()) {
        fail("the record ends too early");
    }
    return bytes_[offset_];
}

std::uint64_t CborReader::head(std::uint8_t major, const char* expected) {
    const std::uint8_t first = peek();
    if (first >> 5 != major) {
        fail(std::string("expected ") + expected);
    }
    const std::uint8_t info = first & 31;
    if (info < 24) {
        ++offset_;
        return info;
    }
    if (info > 27) {
        fail(std::string("expected ") + expected + " of definite length");
    }
    const std::size_t width = std::size_t{1} << (info - 24);
    if (left() < 1 + width) {
        fail("the record ends too early");
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i) {
        value = value << 8 | bytes_[offset_ + 1 + i];
    }
    offset_ += 1 + width;
    return value;
}

std::uint64_t CborReader::unsigned_integer() {
    return head(major_unsigned, "an unsigned integer");
}

float CborReader::single() {
    if (peek() != byte_single) {
        fail("expected a single-precision number");
    }
    if (left() < 5) {
        fail("the record ends too early");
    }
    std::uint32_t bits = 0;
    for (std::size_t i = 1; i <= 4; ++i) {
        bits = bits << 8 | bytes_[offset_ + i];
    }
    offset_ += 5;
    return std::bit_cast<float>(bits);
}

bool CborReader::boolean() {
    const std::uint8_t byte = peek();
    if (byte != byte_true && byte != byte_false) {
        fail("expected true or false");
    }
    ++offset_;
    return byte == byte_true;
}

bool CborReader::take_null() {
    if (peek() != byte_null) {
        return false;
    }
    ++offset_;
    return true;
}

std::string_view CborReader::text() {
    const std::uint64_t size = head(major_text, "a text");
    if (size > left()) {
        fail("a text is longer than its record");
    }
    const std::string_view value(reinterpret_cast<const char*>(bytes_.data() + offset_),
                                 static_cast<std::size_t>(size));
    offset_ += static_cast<std::size_t>(size);
    return value;
}

std::uint64_t CborReader::array() {
    const std::uint64_t items = head(major_array, "an array");
    if (items > left()) {
        fail("an array announces more items than its record has bytes");
    }
    return items;
}

void CborReader::array(std::uint64_t items) {
    const std::size_t start = offset_;
    if (array() != items) {
        throw CborError(start, "expected an array of " + std::to_string(items));
    }
}

std::uint64_t CborReader::map() {
    const std::uint64_t pairs = head(major_map, "a map");
    if (pairs > left() / 2) {
        fail("a map announces more pairs than its record has bytes");
    }
    return pairs;
}

void CborReader::map(std::uint64_t pairs) {
    const std::size_t start = offset_;
    if (map() != pairs) {
        throw CborError(start, "expected a map of " + std::to_string(pairs));
    }
}

void CborReader::key(std::string_view expected) {
    const std::size_t start = offset_;
    if (text() != expected) {
        throw CborError(start, "expected the key \"" + std::string(expected) + '"');
    }
}

} // namespace cairn::core
