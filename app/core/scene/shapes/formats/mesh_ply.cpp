#include "app/core/scene/shapes/formats/mesh_ply.h"

#include "app/core/scene/shapes/formats/mesh_bytes.h"
#include "app/core/scene/shapes/formats/mesh_text.h"
#include "app/core/scene/shapes/formats/ply_header.h"
#include "app/core/scene/values/scene_keys.h"
#include "physics/geometry/triangle_mesh.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <utility>
#include <vector>

namespace cairn::core {

namespace {

using physics::Vec3;

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
        const auto vertices = std::ranges::find(header_.elements, "vertex", &PlyElement::name);
        if (vertices == header_.elements.end() || vertices->count == 0) {
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
                const auto axis = std::ranges::find(places, k);
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
            if (std::ranges::find(names, property.name) != names.end() && property.length.has_value() == list) {
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
