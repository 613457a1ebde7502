#include "app/core/scene/shapes/mesh_points.h"

#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/base/files/text_file.h"
#include "app/core/scene/gltf/file/gltf_mesh.h"
#include "app/core/scene/shapes/formats/mesh_ply.h"
#include "app/core/scene/shapes/formats/mesh_stl.h"
#include "app/core/scene/shapes/formats/mesh_text.h"
#include "app/core/scene/values/material_names.h"
#include "physics/geometry/triangle_mesh.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace cairn::core {

namespace {

using physics::Vec3;

// The statements of the format that say nothing about vertices and faces, those for curved surfaces included.
constexpr std::array<std::string_view, 39> other_statements{
    "vt",     "vn",     "vp",    "p",        "l",        "o",     "g",          "s",         "mg",    "mtllib",
    "usemap", "maplib", "bevel", "c_interp", "d_interp", "lod",   "shadow_obj", "trace_obj", "ctech", "stech",
    "deg",    "bmat",   "step",  "cstype",   "curv",     "curv2", "surf",       "parm",      "trim",  "hole",
    "scrv",   "sp",     "end",   "con",      "res",      "bzp",   "cdc",        "cdp",       "call"};

// All that follows the statement, with single blanks.
std::string name_after(const std::vector<MeshWord>& words) {
    std::string name;
    for (std::size_t i = 1; i < words.size(); ++i) {
        name += (i > 1 ? " " : "") + std::string(words[i].text);
    }
    return name;
}

// Indices of vertices, 1 for the first, -1 for the last so far. One that names a vertex still to come is noted.
void read_face(const MeshLines& lines, const std::vector<MeshWord>& words, std::size_t vertices,
               std::vector<std::pair<long, std::size_t>>& ahead, std::vector<std::array<std::uint32_t, 3>>* triangles) {
    std::array<std::uint32_t, 2> before{}; // the first corner, and the last so far
    if (words.size() < 4) {
        lines.fail(lines.line_end(), "a face needs at least three vertices");
    }
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view word = words[i].text.substr(0, words[i].text.find('/'));
        long index = 0;
        const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), index);
        if (stop != word.data() + word.size() || error == std::errc::invalid_argument) {
            lines.fail(words[i].offset, quoted_word(words[i].text) + " is not a vertex of a face");
        }
        const auto count = static_cast<long>(vertices);
        if (error == std::errc::result_out_of_range || index == 0 || -index > count) {
            lines.fail(words[i].offset, "a face names vertex " + std::string(word.substr(0, 40)) + " but there are " +
                                            std::to_string(vertices) + " before it, counted from 1 or back from -1");
        }
        if (index > count) {
            ahead.emplace_back(index, words[i].offset);
        }
        if (triangles == nullptr) {
            continue;
        }
        if (triangles->size() == physics::max_mesh_triangles) {
            lines.fail(words[i].offset, "more than " + std::to_string(physics::max_mesh_triangles) + " triangles");
        }
        const auto corner = static_cast<std::uint32_t>(std::min(index > 0 ? index - 1 : count + index, 0xffffffffL));
        if (i > 2) {
            triangles->push_back({before[0], before[1], corner});
        }
        before[i == 1 ? 0 : 1] = corner;
    }
}

} // namespace

namespace {

// `mesh`: takes the triangles; none: they are of no interest.
std::vector<Vec3> parse_obj(std::string_view text, const std::string& name, physics::MeshData* mesh) {
    std::vector<Vec3> points;
    physics::MeshData unused;
    MaterialNames materials(mesh != nullptr ? *mesh : unused);
    std::string material;
    std::vector<std::pair<long, std::size_t>> ahead; // index and offset of vertices named before they come
    MeshLines lines(text, name);
    std::vector<MeshWord> words;
    while (lines.next(words)) {
        if (words.empty()) {
            continue;
        }
        const std::string_view statement = words[0].text;
        if (statement == "v") { // what follows the coordinates is a weight or a colour
            if (words.size() < 4) {
                lines.fail(lines.line_end(), "a vertex needs three coordinates: v x y z");
            }
            add_point(points, lines, &words[1]);
        } else if (statement == "f" || statement == "fo") {
            read_face(lines, words, points.size(), ahead, mesh != nullptr ? &mesh->triangles : nullptr);
        } else if (statement == "usemtl") {
            if (!materials.name_triangles(material)) {
                lines.fail(words[0].offset, "more than " + std::to_string(physics::max_mesh_materials) + " materials");
            }
            material = name_after(words);
        } else if (std::ranges::find(other_statements, statement) == other_statements.end()) {
            lines.fail(words[0].offset, quoted_word(statement) + " begins no statement of a Wavefront mesh");
        }
    }
    for (const auto& [index, offset] : ahead) {
        if (index > static_cast<long>(points.size())) {
            lines.fail(offset, "a face names vertex " + std::to_string(index) + " but there are " +
                                   std::to_string(points.size()));
        }
    }
    if (!materials.name_triangles(material)) {
        throw InputError({name, 0, 0}, "more than " + std::to_string(physics::max_mesh_materials) + " materials");
    }
    if (points.empty()) {
        throw InputError({name, 0, 0}, "the mesh has no vertices; lines of the form \"v x y z\" are needed");
    }
    return points;
}

} // namespace

std::vector<Vec3> parse_obj_points(std::string_view text, const std::string& name) {
    return parse_obj(text, name, nullptr);
}

physics::MeshData parse_obj_mesh(std::string_view text, const std::string& name, bool points) {
    physics::MeshData mesh;
    mesh.vertices = parse_obj(text, name, &mesh);
    if (mesh.triangles.empty() && !points) {
        throw InputError({name, 0, 0}, "the mesh has no faces; lines of the form \"f 1 2 3\" are needed");
    }
    return mesh;
}

std::vector<Vec3> parse_xyz_points(std::string_view text, const std::string& name) {
    std::vector<Vec3> points;
    MeshLines lines(text, name, {.separators = " \t\r\f\v,;"});
    std::vector<MeshWord> words;
    while (lines.next(words)) {
        if (words.empty()) {
            continue;
        }
        if (words.size() > 3) {
            lines.fail(words[3].offset, "there is something after the third number");
        }
        for (const MeshWord& word : words) {
            read_coordinate(lines, word); // the number that is malformed is reported first
        }
        if (words.size() < 3) {
            lines.fail(lines.line_end(), "expected three numbers");
        }
        add_point(points, lines, words.data());
    }
    return points;
}

namespace {

// Of a text without a name: what it begins with, comments aside. Points are numbers, and statements begin with a
// letter.
bool begins_with_a_number(std::string_view text) {
    while (!text.empty()) {
        const std::size_t first = text.find_first_not_of(" \t\r\n\f\v");
        if (first == std::string_view::npos) {
            return false;
        }
        if (text[first] != '#') {
            return std::string_view("+-.0123456789").find(text[first]) != std::string_view::npos;
        }
        const std::size_t end = text.find('\n', first);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return false;
}

// Of a file with this content.
std::string mesh_ending(const std::filesystem::path& path, std::string_view bytes) {
    if (shown_name(path) == path.string()) {
        return ending_of(path);
    }
    return looks_like_ply(bytes) ? ".ply" : looks_like_stl(bytes) ? ".stl" : looks_like_glb(bytes) ? ".glb" : ".obj";
}

} // namespace

physics::MeshData read_mesh(const std::filesystem::path& path, bool points, const FileAccess& access) {
    std::string bytes = read_whole_file(path);
    const std::string name = shown_name(path), ending = mesh_ending(path, bytes);
    return ending == ".ply"   ? parse_ply_mesh(bytes, name, points)
           : ending == ".stl" ? parse_stl_mesh(bytes, name)
           : ending == ".glb" || ending == ".gltf"
               ? parse_gltf_mesh(std::move(bytes), name, path.parent_path(), access, points)
               : parse_obj_mesh(bytes, name, points);
}

std::vector<Vec3> read_mesh_points(const std::filesystem::path& path, const FileAccess& access) {
    std::string bytes = read_whole_file(path);
    const std::string name = shown_name(path), ending = mesh_ending(path, bytes);
    return ending == ".ply"   ? parse_ply_mesh(bytes, name, true).vertices
           : ending == ".stl" ? parse_stl_mesh(bytes, name).vertices
           : ending == ".glb" || ending == ".gltf"
               ? parse_gltf_mesh(std::move(bytes), name, path.parent_path(), access, true).vertices
               : parse_obj_points(bytes, name);
}

bool is_mesh_name(const std::filesystem::path& path) {
    return std::ranges::find(mesh_endings, ending_of(path)) != mesh_endings.end();
}

std::vector<Vec3> read_points(const std::filesystem::path& path) {
    if (const std::string name = shown_name(path); name != path.string()) {
        const std::string text = read_whole_file(path);
        return begins_with_a_number(text) && !looks_like_stl(text) ? parse_xyz_points(text, name)
                                                                   : read_mesh_points(path);
    }
    if (is_mesh_name(path)) {
        return read_mesh_points(path);
    }
    if (ending_of(path) == ".xyz") {
        return parse_xyz_points(read_whole_file(path), path.string());
    }
    throw InputError({path.string(), 0, 0},
                     "the name must end in .obj, .stl, .ply, .glb or .gltf (meshes) or .xyz (three numbers a line)");
}

} // namespace cairn::core
