#include "app/core/capture/format/cbor.h"

#include <algorithm>
#include <array>
#include <cbor.h>

namespace cairn::core {
namespace {

constexpr std::size_t longest_head = 9; // bytes: the first one and 64 bits

} // namespace

template <class Encode, class... Value>
void CborWriter::append(Encode encode, Value... value) {
    std::array<unsigned char, longest_head> head;
    const std::size_t size = encode(value..., head.data(), head.size());
    bytes_.insert(bytes_.end(), head.data(), head.data() + size);
}

void CborWriter::unsigned_integer(std::uint64_t value) {
    append(cbor_encode_uint, value);
}

void CborWriter::single(float value) {
    append(cbor_encode_single, value);
}

void CborWriter::boolean(bool value) {
    append(cbor_encode_bool, value);
}

void CborWriter::null() {
    append(cbor_encode_null);
}

void CborWriter::text(std::string_view value) {
    append(cbor_encode_string_start, value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
}

void CborWriter::bytes(std::span<const std::uint8_t> value) {
    append(cbor_encode_bytestring_start, value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
}

void CborWriter::array(std::uint64_t items) {
    append(cbor_encode_array_start, items);
}

void CborWriter::map(std::uint64_t pairs) {
    append(cbor_encode_map_start, pairs);
}

void CborWriter::raw(std::span<const std::uint8_t> items) {
    bytes_.insert(bytes_.end(), items.begin(), items.end());
}

struct CborReader::Item {
    Kind kind = Kind::other;
    std::uint64_t value =
        0; // of an integer or a boolean; items of an array, pairs of a map, bytes of a text or a byte string
    float single = 0.0f;
    std::string_view text;
    std::size_t size = 0; // bytes; of arrays and maps without what they hold
};

// One item, however deep it stands: the library's decoder neither recurses nor allocates.
CborReader::Item CborReader::decode() const {
    // Whatever has no place in a capture (other kinds, other widths of floats, indefinite lengths) is left to the
    // callbacks that do nothing, and stays of the kind `other`.
    static const cbor_callbacks callbacks = [] {
        static constexpr auto put = [](void* item, Kind kind, std::uint64_t value) {
            static_cast<Item*>(item)->kind = kind;
            static_cast<Item*>(item)->value = value;
        };
        cbor_callbacks out = cbor_empty_callbacks;
        out.uint8 = [](void* item, std::uint8_t value) { put(item, Kind::unsigned_integer, value); };
        out.uint16 = [](void* item, std::uint16_t value) { put(item, Kind::unsigned_integer, value); };
        out.uint32 = [](void* item, std::uint32_t value) { put(item, Kind::unsigned_integer, value); };
        out.uint64 = [](void* item, std::uint64_t value) { put(item, Kind::unsigned_integer, value); };
        out.array_start = [](void* item, std::size_t items) { put(item, Kind::array, items); };
        out.map_start = [](void* item, std::size_t pairs) { put(item, Kind::map, pairs); };
        out.boolean = [](void* item, bool value) { put(item, Kind::boolean, value); };
        out.null = [](void* item) { put(item, Kind::null, 0); };
        out.float4 = [](void* item, float value) {
            put(item, Kind::single, 0);
            static_cast<Item*>(item)->single = value;
        };
        out.string = [](void* item, cbor_data data, std::size_t size) {
            put(item, Kind::text, size);
            static_cast<Item*>(item)->text = {reinterpret_cast<const char*>(data), size};
        };
        out.byte_string = [](void* item, cbor_data data, std::size_t size) {
            put(item, Kind::bytes, size);
            static_cast<Item*>(item)->text = {reinterpret_cast<const char*>(data), size};
        };
        return out;
    }();
    Item item;
    const cbor_decoder_result result = cbor_stream_decode(bytes_.data() + offset_, left(), &callbacks, &item);
    if (result.status == CBOR_DECODER_NEDATA) {
        // A length beyond all that can come is not waited for. Near 2^64 the library's sum wraps round.
        if (to_come_ > 0 && result.required > left() && result.required <= left() + to_come_) {
            throw CborCutOff();
        }
        fail("the record ends too early");
    }
    if (result.status != CBOR_DECODER_FINISHED) {
        fail("this is not CBOR");
    }
    item.size = result.read;
    return item;
}

CborReader::Item CborReader::take(Kind kind, const char* expected) {
    const Item item = decode();
    if (item.kind != kind) {
        fail(std::string("expected ") + expected);
    }
    if (kind != Kind::single && kind != Kind::boolean && kind != Kind::null) {
        // The library reads any width and writes the shortest, which is as long for all kinds that have a head.
        std::array<unsigned char, longest_head> head;
        if (item.size - item.text.size() != cbor_encode_uint(item.value, head.data(), head.size())) {
            fail(std::string("expected ") + expected + " in its shortest form");
        }
    }
    offset_ += item.size;
    return item;
}

std::uint64_t CborReader::unsigned_integer() {
    return take(Kind::unsigned_integer, "an unsigned integer").value;
}

float CborReader::single() {
    return take(Kind::single, "a single-precision number").single;
}

bool CborReader::boolean() {
    return take(Kind::boolean, "true or false").value != 0;
}

bool CborReader::take_null() {
    const Item item = decode();
    if (item.kind != Kind::null) {
        return false;
    }
    offset_ += item.size;
    return true;
}

std::string_view CborReader::text() {
    return take(Kind::text, "a text of definite length").text;
}

std::span<const std::uint8_t> CborReader::byte_string() {
    const std::string_view content = take(Kind::bytes, "a byte string of definite length").text;
    return {reinterpret_cast<const std::uint8_t*>(content.data()), content.size()};
}

bool CborReader::has_room(std::uint64_t items, std::uint64_t least) const {
    return items <= (left() + to_come_) / least;
}

std::uint64_t CborReader::array() {
    const std::size_t start = offset_;
    const std::uint64_t items = take(Kind::array, "an array of definite length").value;
    if (!has_room(items, 1)) {
        throw CborError(start, "an array announces more items than its record has bytes");
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
    const std::size_t start = offset_;
    const std::uint64_t pairs = take(Kind::map, "a map of definite length").value;
    if (!has_room(pairs, 2)) {
        throw CborError(start, "a map announces more pairs than its record has bytes");
    }
    return pairs;
}

void CborReader::map(std::uint64_t pairs) {
    const std::size_t start = offset_;
    if (map() != pairs) {
        throw CborError(start, "expected a map of " + std::to_string(pairs));
    }
}

std::uint64_t CborReader::map(std::initializer_list<std::uint64_t> sizes) {
    const std::size_t start = offset_;
    const std::uint64_t pairs = map();
    if (std::ranges::find(sizes, pairs) == sizes.end()) {
        throw CborError(start, "a map of " + std::to_string(pairs) + ", which none of its kind has");
    }
    return pairs;
}

void CborReader::key(std::string_view expected) {
    const std::size_t start = offset_;
    if (text() != expected) {
        throw CborError(start, "expected the key \"" + std::string(expected) + '"');
    }
}

} // namespace cairn::core
