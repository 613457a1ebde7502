#include "app/core/scene/mesh_points.h"

#include "app/core/base/error.h"
#include "app/core/base/text_file.h"
#include "app/core/scene/scene_keys.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string>
#include <tiny_obj_loader.h>

namespace cairn::core {

namespace {

using physics::Vec3;

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// tinyobjloader reads faces well but takes any word for a number (0 then) and rounds decimals twice, so the lines of
// vertices are read here, to the nearest float, and checked.
Vec3 parse_vertex(std::string_view line, const Location& start) {
    Vec3 vertex;
    std::size_t i = 1;
    for (int axis = 0; axis < 3; ++axis) {
        while (i < line.size() && is_blank(line[i])) {
            ++i;
        }
        Location at = start;
        at.column += i;
        std::size_t end = i;
        while (end < line.size() && !is_blank(line[end])) {
            ++end;
        }
        if (i == end) {
            throw InputError(at, "a vertex needs three coordinates: v x y z");
        }
        const std::string word(line.substr(i, end - i));
        const char* first = word.data() + (word[0] == '+' ? 1 : 0); // from_chars knows no plus sign
        const char* last = word.data() + word.size();
        float value = 0.0f;
        const auto [stop, error] = std::from_chars(first, last, value);
        if (error == std::errc::result_out_of_range && stop == last) {
            // Too small for single precision is zero; too large is an error.
            double wide = 0.0;
            const auto again = std::from_chars(first, last, wide);
            if (again.ec != std::errc() || std::abs(wide) > 1.0) {
                throw InputError(at, "the coordinate " + word + " is too large");
            }
            value = 0.0f;
        } else if (error != std::errc() || stop != last) {
            throw InputError(at, "\"" + word.substr(0, 40) + "\" is not a number");
        }
        if (!std::isfinite(value) || std::abs(value) > coordinate_range.max) {
            throw InputError(at, "the coordinate " + word.substr(0, 40) + " is not within -1e6 .. 1e6");
        }
        vertex[axis] = value;
        i = end;
    }
    return vertex;
}

// The line number in a message of tinyobjloader, or 0.
std::size_t line_in(const std::string& message) {
    const std::size_t word = message.find("line ");
    std::size_t line = 0;
    if (word != std::string::npos) {
        std::from_chars(message.data() + word + 5, message.data() + message.size(), line);
    }
    return line;
}

std::string one_line(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
        text.pop_back();
    }
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

} // namespace

std::vector<Vec3> parse_obj_points(std::string_view text, const std::string& name) {
    std::vector<Vec3> points;
    bool has_faces = false;
    std::size_t line_number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        ++line_number;
        std::size_t indent = 0;
        while (indent < line.size() && is_blank(line[indent])) {
            ++indent;
        }
        line.remove_prefix(indent);
        if (const std::size_t zero = line.find('\0'); zero != std::string_view::npos) {
            throw InputError({name, line_number, indent + zero + 1}, "there is a zero byte here; this is no .obj text");
        }
        if (line.size() > 1 && line[0] == 'v' && is_blank(line[1])) {
            if (points.size() == max_hull_points) {
                throw InputError({name, line_number, indent + 1},
                                 "more than " + std::to_string(max_hull_points) + " vertices");
            }
            points.push_back(parse_vertex(line, {name, line_number, indent + 1}));
        }
        has_faces = has_faces || (line.size() > 1 && line[0] == 'f' && is_blank(line[1]));
    }
    if (points.empty()) {
        throw InputError({name, 0, 0}, "the mesh has no vertices; lines of the form \"v x y z\" are needed");
    }
    if (has_faces) {
        tinyobj::attrib_t attributes;
        std::vector<tinyobj::shape_t> shapes;
        std::vector<tinyobj::material_t> materials;
        std::string warning, error;
        std::istringstream stream{std::string(text)};
        const bool good = tinyobj::LoadObj(&attributes, &shapes, &materials, &warning, &error, &stream);
        if (!good || !error.empty()) {
            const std::size_t line = line_in(error);
            throw InputError({name, line, line == 0 ? 0u : 1u}, "bad mesh: " + one_line(error));
        }
        for (const tinyobj::shape_t& shape : shapes) {
            for (const tinyobj::index_t& index : shape.mesh.indices) {
                if (index.vertex_index < 0 || static_cast<std::size_t>(index.vertex_index) >= points.size()) {
                    const std::size_t line = line_in(warning);
                    throw InputError({name, line, line == 0 ? 0u : 1u},
                                     "a face names vertex " + std::to_string(index.vertex_index + 1) +
                                         " but there are " + std::to_string(points.size()));
                }
            }
        }
    }
    return points;
}

std::vector<Vec3> read_mesh_points(const std::filesystem::path& path) {
    return parse_obj_points(read_whole_file(path), path.string());
}

} // namespace cairn::core
