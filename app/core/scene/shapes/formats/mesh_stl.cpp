#include "app/core/scene/shapes/formats/mesh_stl.h"

#include "app/core/scene/shapes/formats/mesh_bytes.h"
#include "app/core/scene/shapes/formats/mesh_text.h"
#include "app/core/scene/values/scene_keys.h"
#include "physics/base/hash.h"
#include "physics/geometry/triangle_mesh.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::core {

namespace {

using physics::Vec3;

constexpr std::size_t stl_header_size = 80, stl_triangle_size = 50;

struct PointHash {
    std::size_t operator()(const Vec3& p) const { return physics::Hasher(0).add(p).value(); }
};

// Joins equal corners.
class StlMesh {
  public:
    // What is wrong, if it is one too many.
    std::optional<std::string> add(std::array<Vec3, 3> corners) {
        if (mesh_.triangles.size() == physics::max_mesh_triangles) {
            return "more than " + std::to_string(physics::max_mesh_triangles) + " triangles";
        }
        std::array<std::uint32_t, 3> triangle{};
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 corner = corners[k] + Vec3(0.0f); // -0 becomes 0
            const auto [found, fresh] = places_.try_emplace(corner, static_cast<std::uint32_t>(mesh_.vertices.size()));
            if (fresh) {
                if (mesh_.vertices.size() == max_hull_points) {
                    return "more than " + std::to_string(max_hull_points) + " points";
                }
                mesh_.vertices.push_back(corner);
            }
            triangle[k] = found->second;
        }
        mesh_.triangles.push_back(triangle);
        return {};
    }
    bool empty() const { return mesh_.triangles.empty(); }
    void reserve(std::size_t triangles) { mesh_.triangles.reserve(triangles); }
    physics::MeshData take() { return std::move(mesh_); }

  private:
    physics::MeshData mesh_;
    std::unordered_map<Vec3, std::uint32_t, PointHash> places_;
};

// Keywords come in capitals, too.
bool is_keyword(std::string_view word, std::string_view keyword) {
    return word.size() == keyword.size() && std::equal(word.begin(), word.end(), keyword.begin(), [](char a, char b) {
               return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
           });
}

std::string_view first_word(std::string_view bytes) {
    if (bytes.substr(0, 3) == "\xEF\xBB\xBF") {
        bytes.remove_prefix(3);
    }
    const std::size_t first = bytes.find_first_not_of(" \t\r\n\f\v");
    if (first == std::string_view::npos) {
        return {};
    }
    bytes.remove_prefix(first);
    return bytes.substr(0, bytes.find_first_of(" \t\r\n\f\v"));
}

// Lines that are as the format wants them. Fails where one is not.
class StlText {
  public:
    StlText(std::string_view text, const std::string& name)
        : lines_(text, name, {.comments = false, .joints = false}) {}

    bool next() { return lines_.next_filled(words_); }
    // The next line has to be this one, with as many words after it.
    void expect(const char* what, std::size_t more = 0) {
        if (!next()) {
            fail_at_end(what);
        }
        require(what, more);
    }
    void require(const char* what, std::size_t more = 0) const {
        if (!is(what)) {
            lines_.fail(words_[0].offset, "expected \"" + std::string(what) + "\", not " + quoted_word(words_[0].text));
        }
        const std::size_t wanted = keywords(what) + more;
        if (words_.size() > wanted) {
            lines_.fail(words_[wanted].offset,
                        quoted_word(words_[wanted].text) + " does not belong after \"" + what + '"');
        }
        if (words_.size() < wanted) {
            lines_.fail(lines_.line_end(), '"' + std::string(what) + "\" is followed by three numbers");
        }
    }
    // Whether the line begins with these words.
    bool is(std::string_view what) const {
        std::size_t word = 0;
        for (; !what.empty(); ++word) {
            const std::string_view keyword = what.substr(0, what.find(' '));
            if (word >= words_.size() || !is_keyword(words_[word].text, keyword)) {
                return false;
            }
            what.remove_prefix(std::min(what.size(), keyword.size() + 1));
        }
        return true;
    }
    Vec3 vertex() {
        expect("vertex", 3);
        const float x = read_coordinate(lines_, words_[1]);
        const float y = read_coordinate(lines_, words_[2]);
        return {x, y, read_coordinate(lines_, words_[3])};
    }
    [[noreturn]] void fail(const std::string& what) const { lines_.fail(words_[0].offset, what); }
    [[noreturn]] void fail_at_end(const char* wanted) const {
        lines_.fail(lines_.line_end(), "the file ends where \"" + std::string(wanted) + "\" is expected");
    }

  private:
    static std::size_t keywords(std::string_view what) { return what.find(' ') == std::string_view::npos ? 1 : 2; }

    MeshLines lines_;
    std::vector<MeshWord> words_;
};

physics::MeshData parse_stl_text(std::string_view bytes, const std::string& name) {
    StlMesh mesh;
    StlText text(bytes, name);
    while (text.next()) {
        if (!text.is("solid")) { // its name is the rest of the line
            text.require("solid");
        }
        for (;;) {
            if (!text.next()) {
                text.fail_at_end("endsolid");
            }
            if (text.is("endsolid")) {
                break;
            }
            if (!text.is("facet")) {
                text.fail("expected \"facet\" or \"endsolid\"");
            }
            text.require("facet normal", 3);
            text.expect("outer loop");
            std::array<Vec3, 3> corners;
            for (Vec3& corner : corners) {
                corner = text.vertex();
            }
            if (const auto problem = mesh.add(corners)) {
                text.fail(*problem);
            }
            text.expect("endloop");
            text.expect("endfacet");
        }
    }
    if (mesh.empty()) {
        throw InputError({name, 0, 0}, "the mesh has no faces");
    }
    return mesh.take();
}

physics::MeshData parse_stl_binary(std::string_view bytes, const std::string& name) {
    MeshBytes in(bytes, name);
    in.skip(stl_header_size, "the header");
    const std::uint32_t count = in.take<std::uint32_t>("the number of triangles");
    const std::uint64_t size = stl_header_size + 4 + std::uint64_t{count} * stl_triangle_size;
    if (size != bytes.size()) {
        in.fail_at(stl_header_size, std::to_string(count) + " triangles take " + std::to_string(size) +
                                        " bytes, but the file has " + std::to_string(bytes.size()));
    }
    if (count == 0 || count > physics::max_mesh_triangles) {
        in.fail_at(stl_header_size, count == 0
                                        ? "the mesh has no faces"
                                        : "more than " + std::to_string(physics::max_mesh_triangles) + " triangles");
    }
    StlMesh mesh;
    mesh.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        in.skip(12, "the normal");
        std::array<Vec3, 3> corners;
        for (Vec3& corner : corners) {
            for (int axis = 0; axis < 3; ++axis) {
                corner[axis] = in.coordinate(static_cast<double>(in.take<float>("a coordinate")));
            }
        }
        if (const auto problem = mesh.add(corners)) {
            in.fail(*problem);
        }
        in.skip(2, "what follows a triangle");
    }
    return mesh.take();
}

// Binary files begin with whatever their author liked, "solid" included. Read as a number, four letters are more
// triangles than any file that is read has bytes for, so no text has the size of a binary file.
bool has_size_of_binary_stl(std::string_view bytes) {
    return bytes.size() >= stl_header_size + 4 &&
           bytes.size() == stl_header_size + 4 +
                               std::uint64_t{number_at<std::uint32_t>(bytes, stl_header_size)} * stl_triangle_size;
}

} // namespace

physics::MeshData parse_stl_mesh(std::string_view bytes, const std::string& name) {
    const bool text = is_keyword(first_word(bytes), "solid") && bytes.find('\0') == std::string_view::npos;
    return text && !has_size_of_binary_stl(bytes) ? parse_stl_text(bytes, name) : parse_stl_binary(bytes, name);
}

bool looks_like_stl(std::string_view bytes) {
    return has_size_of_binary_stl(bytes) || is_keyword(first_word(bytes), "solid");
}

} // namespace cairn::core
