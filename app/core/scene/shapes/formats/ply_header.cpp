#include "app/core/scene/shapes/formats/ply_header.h"

#include <charconv>
#include <utility>

namespace cairn::core {

namespace {

constexpr std::array<std::pair<std::string_view, PlyType>, 16> ply_types{{{"char", PlyType::int8},
                                                                          {"uchar", PlyType::uint8},
                                                                          {"short", PlyType::int16},
                                                                          {"ushort", PlyType::uint16},
                                                                          {"int", PlyType::int32},
                                                                          {"uint", PlyType::uint32},
                                                                          {"float", PlyType::float32},
                                                                          {"double", PlyType::float64},
                                                                          {"int8", PlyType::int8},
                                                                          {"uint8", PlyType::uint8},
                                                                          {"int16", PlyType::int16},
                                                                          {"uint16", PlyType::uint16},
                                                                          {"int32", PlyType::int32},
                                                                          {"uint32", PlyType::uint32},
                                                                          {"float32", PlyType::float32},
                                                                          {"float64", PlyType::float64}}};

// Far more than any program writes.
constexpr std::size_t max_ply_elements = 64, max_ply_properties = 256;

} // namespace

PlyHeader PlyHeaderReader::read() {
    lines_.next(words_);
    if (words_.size() != 1 || words_[0].text != "ply") {
        lines_.fail(words_.empty() ? 0 : words_[0].offset, "the first line must be \"ply\"");
    }
    std::optional<PlyFormat> format;
    while (lines_.next_filled(words_)) {
        const std::string_view statement = words_[0].text;
        if (statement == "format") {
            if (format) {
                fail(0, "the format is given twice");
            }
            format = read_format();
        } else if (statement == "element") {
            read_element();
        } else if (statement == "property") {
            read_property();
        } else if (statement == "end_header") {
            want(1, "end_header");
        } else if (statement != "comment" && statement != "obj_info") {
            fail(0, quoted_word(statement) + " begins no line of a header");
        }
    }
    if (!format) {
        lines_.fail(lines_.line_end(), "the header has no line \"format\"");
    }
    header_.format = *format;
    for (const PlyElement& element : header_.elements) {
        if (element.properties.empty()) {
            lines_.fail(element.offset, "the element " + quoted_word(element.name) + " has no properties");
        }
    }
    return std::move(header_);
}

void PlyHeaderReader::want(std::size_t words, const char* form) const {
    if (words_.size() != words) {
        lines_.fail(words_.size() > words ? words_[words].offset : lines_.line_end(),
                    "expected \"" + std::string(form) + '"');
    }
}

PlyFormat PlyHeaderReader::read_format() const {
    want(3, "format NAME 1.0");
    if (words_[2].text != "1.0") {
        fail(2, "the version of the format is " + quoted_word(words_[2].text) + "; 1.0 is read");
    }
    if (words_[1].text == "ascii") {
        return PlyFormat::text;
    }
    if (words_[1].text == "binary_little_endian") {
        return PlyFormat::little;
    }
    if (words_[1].text == "binary_big_endian") {
        return PlyFormat::big;
    }
    fail(1, "the format is ascii, binary_little_endian or binary_big_endian, not " + quoted_word(words_[1].text));
}

void PlyHeaderReader::read_element() {
    want(3, "element NAME COUNT");
    if (header_.elements.size() == max_ply_elements) {
        fail(0, "more than " + std::to_string(max_ply_elements) + " elements");
    }
    for (const PlyElement& other : header_.elements) {
        if (other.name == words_[1].text) {
            fail(1, "the element " + quoted_word(other.name) + " is given twice");
        }
    }
    PlyElement& element = header_.elements.emplace_back();
    element.name = words_[1].text;
    element.offset = words_[2].offset;
    const std::string_view count = words_[2].text;
    const auto [stop, error] = std::from_chars(count.data(), count.data() + count.size(), element.count);
    if (error != std::errc() || stop != count.data() + count.size()) {
        fail(2, quoted_word(count) + " is not a number of elements");
    }
}

void PlyHeaderReader::read_property() {
    const bool list = words_.size() > 1 && words_[1].text == "list";
    want(list ? 5 : 3, list ? "property list TYPE TYPE NAME" : "property TYPE NAME");
    if (header_.elements.empty()) {
        fail(0, "a property belongs after its element");
    }
    std::vector<PlyProperty>& properties = header_.elements.back().properties;
    if (properties.size() == max_ply_properties) {
        fail(0, "more than " + std::to_string(max_ply_properties) + " properties");
    }
    const std::size_t name = list ? 4 : 2;
    for (const PlyProperty& other : properties) {
        if (other.name == words_[name].text) {
            fail(name, "the property " + quoted_word(other.name) + " is given twice");
        }
    }
    PlyProperty property{std::string(words_[name].text), read_type(name - 1), {}};
    if (list) {
        property.length = read_type(2);
        if (!is_whole(*property.length)) {
            fail(2, "the length of a list is a whole number, no " + std::string(words_[2].text));
        }
    }
    properties.push_back(std::move(property));
}

PlyType PlyHeaderReader::read_type(std::size_t word) const {
    for (const auto& [name, type] : ply_types) {
        if (name == words_[word].text) {
            return type;
        }
    }
    fail(word, quoted_word(words_[word].text) + " is no type of a property");
}

} // namespace cairn::core
