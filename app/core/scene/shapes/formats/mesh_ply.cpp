#include "app/core/scene/shapes/formats/mesh_ply.h"

#include "app/core/scene/shapes/formats/mesh_bytes.h"
#include "app/core/scene/shapes/formats/mesh_text.h"
#include "app/core/scene/values/scene_keys.h"
#include "physics/geometry/triangle_mesh.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::core {

namespace {

using physics::Vec3;

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

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

// Far more than any program writes.
constexpr std::size_t max_ply_elements = 64, max_ply_properties = 256;

enum class PlyFormat { text, little, big };

struct PlyHeader {
    PlyFormat format{};
    std::vector<PlyElement> elements;
    std::size_t size = 0; // bytes
};

class PlyHeaderReader {
  public:
    PlyHeaderReader(std::string_view text, const std::string& name)
        : lines_(text, name, {.comments = false, .joints = false}) {
        header_.size = text.size();
    }

    PlyHeader read() {
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

    [[noreturn]] void fail_at(std::size_t offset, const std::string& what) const { lines_.fail(offset, what); }
    [[noreturn]] void fail_at_end(const std::string& what) const { lines_.fail(lines_.line_end(), what); }

  private:
    [[noreturn]] void fail(std::size_t word, const std::string& what) const { lines_.fail(words_[word].offset, what); }

    void want(std::size_t words, const char* form) const {
        if (words_.size() != words) {
            lines_.fail(words_.size() > words ? words_[words].offset : lines_.line_end(),
                        "expected \"" + std::string(form) + '"');
        }
    }

    PlyFormat read_format() const {
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

    void read_element() {
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

    void read_property() {
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

    PlyType read_type(std::size_t word) const {
        for (const auto& [name, type] : ply_types) {
            if (name == words_[word].text) {
                return type;
            }
        }
        fail(word, quoted_word(words_[word].text) + " is no type of a property");
    }

    MeshLines lines_;
    std::vector<MeshWord> words_;
    PlyHeader header_;
};

// What follows the header, value by value. Entries are those of an element; a text has one a line.
class PlyTextBody {
  public:
    PlyTextBody(std::string_view bytes, const std::string& name, std::size_t first)
        : lines_(bytes, name, {.comments = false, .joints = false}) {
        while (bytes.size() - lines_.left() < first) {
            lines_.next(words_);
        }
    }

    // Whether there can be as many entries: each value takes a character and what divides it from the next.
    bool can_hold(std::uint64_t entries, const PlyElement& element) const {
        return entries <= (std::uint64_t{lines_.left()} + 1) / (2 * element.properties.size());
    }
    void begin_entry(const PlyElement& element) {
        word_ = 0;
        if (!lines_.next_filled(words_)) {
            lines_.fail(lines_.line_end(), "the file ends within the element " + quoted_word(element.name));
        }
    }
    void end_entry() {
        if (word_ < words_.size()) {
            lines_.fail(words_[word_].offset, "there is something after the last value");
        }
    }
    void skip(PlyType) { next(); }
    void skip_list(PlyType type, std::int64_t length) {
        for (; length > 0; --length) {
            skip(type);
        }
    }
    float take_coordinate(PlyType) { return read_coordinate(lines_, next()); }
    std::int64_t take_whole(PlyType) {
        const MeshWord& word = next();
        std::int64_t value = 0;
        const auto [stop, error] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), value);
        if (error != std::errc() || stop != word.text.data() + word.text.size()) {
            fail(quoted_word(word.text) + " is not a whole number");
        }
        return value;
    }
    [[noreturn]] void fail(const std::string& what) const { lines_.fail(words_[word_ - 1].offset, what); }
    void end() {
        if (lines_.next_filled(words_)) {
            lines_.fail(words_[0].offset, "there is something after the last element");
        }
    }

  private:
    const MeshWord& next() {
        if (word_ == words_.size()) {
            lines_.fail(lines_.line_end(), "expected another value");
        }
        return words_[word_++];
    }

    MeshLines lines_;
    std::vector<MeshWord> words_;
    std::size_t word_ = 0;
};

class PlyBinaryBody {
  public:
    explicit PlyBinaryBody(const MeshBytes& bytes) : bytes_(bytes) {}

    bool can_hold(std::uint64_t entries, const PlyElement& element) const {
        std::size_t size = 0;
        for (const PlyProperty& property : element.properties) {
            size += size_of(property.length.value_or(property.type));
        }
        return entries <= bytes_.left() / size;
    }
    void begin_entry(const PlyElement&) {}
    void end_entry() {}
    void skip(PlyType type) { bytes_.skip(size_of(type), "a value"); }
    void skip_list(PlyType type, std::int64_t length) { // at most 2^32 times eight bytes
        bytes_.skip(static_cast<std::uint64_t>(length) * size_of(type), "a list");
    }
    float take_coordinate(PlyType type) {
        return bytes_.coordinate(type == PlyType::float64   ? bytes_.take<double>("a coordinate")
                                 : type == PlyType::float32 ? static_cast<double>(bytes_.take<float>("a coordinate"))
                                                            : static_cast<double>(take_whole(type)));
    }
    std::int64_t take_whole(PlyType type) {
        constexpr const char* what = "a number";
        switch (type) {
        case PlyType::int8:
            return bytes_.take<std::int8_t>(what);
        case PlyType::uint8:
            return bytes_.take<std::uint8_t>(what);
        case PlyType::int16:
            return bytes_.take<std::int16_t>(what);
        case PlyType::uint16:
            return bytes_.take<std::uint16_t>(what);
        case PlyType::int32:
            return bytes_.take<std::int32_t>(what);
        default:
            return bytes_.take<std::uint32_t>(what);
        }
    }
    [[noreturn]] void fail(const std::string& what) const { bytes_.fail(what); }
    void end() {
        if (const std::size_t left = bytes_.left(); left > 0) {
            bytes_.skip(left, "");
            bytes_.fail(std::to_string(left) + (left == 1 ? " byte follows" : " bytes follow") + " the last element");
        }
    }

  private:
    MeshBytes bytes_;
};

template <class Body>
class PlyBodyReader {
  public:
    PlyBodyReader(Body& body, const PlyHeader& header, const PlyHeaderReader& lines)
        : body_(body), header_(header), lines_(lines) {}

    physics::MeshData read() {
        const PlyElement* vertices = element("vertex");
        if (vertices == nullptr || vertices->count == 0) {
            lines_.fail_at_end("the mesh has no vertices; an element \"vertex\" is needed");
        }
        if (vertices->count > max_hull_points) {
            lines_.fail_at(vertices->offset, "more than " + std::to_string(max_hull_points) + " points");
        }
        vertices_ = static_cast<std::int64_t>(vertices->count);
        for (const PlyElement& each : header_.elements) {
            if (!body_.can_hold(each.count, each)) {
                lines_.fail_at(each.offset, "the file is too short for " + std::to_string(each.count) + " of " +
                                                quoted_word(each.name));
            }
            if (each.name == "vertex") {
                read_vertices(each);
            } else if (each.name == "face") {
                read_faces(each);
            } else {
                pass_over(each);
            }
        }
        body_.end();
        return std::move(mesh_);
    }

  private:
    const PlyElement* element(std::string_view name) const {
        for (const PlyElement& each : header_.elements) {
            if (each.name == name) {
                return &each;
            }
        }
        return nullptr;
    }

    void read_vertices(const PlyElement& element) {
        std::array<std::size_t, 3> places{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            places[axis] = place_of(element, {std::string_view("xyz").substr(axis, 1)}, false);
        }
        mesh_.vertices.reserve(static_cast<std::size_t>(element.count));
        for (std::uint64_t i = 0; i < element.count; ++i) {
            body_.begin_entry(element);
            Vec3 point(0.0f);
            for (std::size_t k = 0; k < element.properties.size(); ++k) {
                const auto axis = std::find(places.begin(), places.end(), k);
                if (axis == places.end()) {
                    pass_over(element.properties[k]);
                } else {
                    point[static_cast<int>(axis - places.begin())] = body_.take_coordinate(element.properties[k].type);
                }
            }
            body_.end_entry();
            mesh_.vertices.push_back(point);
        }
    }

    void read_faces(const PlyElement& element) {
        const std::size_t corners = place_of(element, {"vertex_indices", "vertex_index"}, true);
        if (!is_whole(element.properties[corners].type)) {
            lines_.fail_at(element.offset, "the corners of faces are whole numbers");
        }
        for (std::uint64_t i = 0; i < element.count; ++i) {
            body_.begin_entry(element);
            for (std::size_t k = 0; k < element.properties.size(); ++k) {
                if (k == corners) {
                    read_corners(element.properties[k]);
                } else {
                    pass_over(element.properties[k]);
                }
            }
            body_.end_entry();
        }
    }

    void read_corners(const PlyProperty& property) {
        const std::int64_t length = body_.take_whole(*property.length);
        if (length < 3) {
            body_.fail("a face needs at least three vertices");
        }
        std::array<std::uint32_t, 2> before{}; // the first corner, and the last so far
        for (std::int64_t k = 0; k < length; ++k) {
            const std::int64_t place = body_.take_whole(property.type);
            if (place < 0 || place >= vertices_) {
                body_.fail("a face names vertex " + std::to_string(place) + " but there are " +
                           std::to_string(vertices_) + ", counted from 0");
            }
            if (mesh_.triangles.size() == physics::max_mesh_triangles) {
                body_.fail("more than " + std::to_string(physics::max_mesh_triangles) + " triangles");
            }
            const auto corner = static_cast<std::uint32_t>(place);
            if (k > 1) {
                mesh_.triangles.push_back({before[0], before[1], corner});
            }
            before[k == 0 ? 0 : 1] = corner;
        }
    }

    void pass_over(const PlyElement& element) {
        for (std::uint64_t i = 0; i < element.count; ++i) {
            body_.begin_entry(element);
            for (const PlyProperty& property : element.properties) {
                pass_over(property);
            }
            body_.end_entry();
        }
    }

    void pass_over(const PlyProperty& property) {
        if (!property.length) {
            body_.skip(property.type);
            return;
        }
        const std::int64_t length = body_.take_whole(*property.length);
        if (length < 0) {
            body_.fail("a list cannot have " + std::to_string(length) + " values");
        }
        body_.skip_list(property.type, length);
    }

    std::size_t place_of(const PlyElement& element, std::initializer_list<std::string_view> names, bool list) const {
        for (std::size_t k = 0; k < element.properties.size(); ++k) {
            const PlyProperty& property = element.properties[k];
            if (std::find(names.begin(), names.end(), property.name) != names.end() &&
                property.length.has_value() == list) {
                return k;
            }
        }
        lines_.fail_at(element.offset, "the element " + quoted_word(element.name) + " has no " +
                                           (list ? "list " : "property ") + quoted_word(*names.begin()));
    }

    Body& body_;
    const PlyHeader& header_;
    const PlyHeaderReader& lines_;
    std::int64_t vertices_ = 0;
    physics::MeshData mesh_;
};

// The bytes up to the end of the line "end_header".
std::size_t ply_header_size(std::string_view bytes, const std::string& name) {
    const std::size_t last = bytes.find("\nend_header");
    const std::size_t end = last == std::string_view::npos ? last : bytes.find('\n', last + 1);
    if (!looks_like_ply(bytes)) {
        throw InputError({name, 1, 1}, "the first line must be \"ply\"");
    }
    if (end == std::string_view::npos) {
        throw InputError({name, 0, 0}, "byte " + std::to_string(bytes.size()) +
                                           ": the file ends within its header; a line \"end_header\" is needed");
    }
    return end + 1;
}

} // namespace

bool looks_like_ply(std::string_view bytes) {
    return bytes.substr(0, 4) == "ply\n" || bytes.substr(0, 5) == "ply\r\n";
}

physics::MeshData parse_ply_mesh(std::string_view bytes, const std::string& name, bool points) {
    const std::size_t first = ply_header_size(bytes, name);
    PlyHeaderReader lines(bytes.substr(0, first), name);
    const PlyHeader header = lines.read();
    physics::MeshData mesh;
    if (header.format == PlyFormat::text) {
        PlyTextBody body(bytes, name, first);
        mesh = PlyBodyReader(body, header, lines).read();
    } else {
        PlyBinaryBody body(
            MeshBytes(bytes, name, header.format == PlyFormat::little ? std::endian::little : std::endian::big, first));
        mesh = PlyBodyReader(body, header, lines).read();
    }
    if (mesh.triangles.empty() && !points) {
        lines.fail_at_end("the mesh has no faces; an element \"face\" is needed");
    }
    return mesh;
}

} // namespace cairn::core
