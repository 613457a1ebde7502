#include "app/cli/verbs.h"
#include "app/core/base/error.h"
#include "app/core/base/text_file.h"
#include "app/core/report/json.h"
#include "app/core/scene/mesh_points.h"
#include "physics/geometry/convex_hull.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <string_view>

namespace cairn::cli {
namespace {

using physics::ConvexHull;
using physics::Vec3;

constexpr std::string_view blanks = " \t\r,;";

// One point a line: three numbers between blanks, commas or semicolons. Empty lines and what follows a # are skipped.
std::vector<Vec3> parse_xyz_points(std::string_view text, const std::string& name) {
    std::vector<Vec3> points;
    std::size_t line_number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        ++line_number;
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        line = line.substr(0, line.find('#'));
        const auto fail = [&](std::size_t column, const std::string& what) {
            throw core::InputError(core::Location{name, line_number, column + 1}, what);
        };
        std::size_t at = line.find_first_not_of(blanks);
        if (at == std::string_view::npos) {
            continue;
        }
        std::array<float, 3> numbers{};
        for (float& number : numbers) {
            if (at == std::string_view::npos) {
                fail(line.size(), "expected three numbers");
            }
            const std::string_view word = line.substr(at, line.find_first_of(blanks, at) - at);
            const char* first = word.data() + (word.front() == '+' ? 1 : 0);
            const auto [stop, error] = std::from_chars(first, word.data() + word.size(), number);
            if (error != std::errc{} || stop != word.data() + word.size() || !physics::is_finite(number)) {
                fail(at, "\"" + std::string(word.substr(0, 40)) + "\" is not a number that a float holds");
            }
            at = line.find_first_not_of(blanks, at + word.size());
        }
        if (at != std::string_view::npos) {
            fail(at, "there is something after the third number");
        }
        points.emplace_back(numbers[0], numbers[1], numbers[2]);
    }
    return points;
}

std::vector<Vec3> read_points(const Path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (extension == ".obj") {
        return core::read_mesh_points(path);
    }
    if (extension == ".xyz") {
        return parse_xyz_points(core::read_whole_file(path), path.string());
    }
    throw core::InputError(core::Location{path.string(), 0, 0},
                           "the name must end in .obj (a Wavefront mesh) or .xyz (three numbers a line)");
}

Vec3 inertia_row(const ConvexHull& hull, int row) {
    return {hull.unit_inertia[0][row], hull.unit_inertia[1][row], hull.unit_inertia[2][row]};
}

std::string to_json(const ConvexHull& hull, std::size_t input_points) {
    using core::Json;
    using core::json_of;
    Json vertices = Json::array(), faces = Json::array(), inertia = Json::array();
    for (const Vec3& vertex : hull.vertices) {
        vertices.push_back(json_of(vertex + hull.centroid));
    }
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        faces.push_back(hull.face(f));
    }
    for (int row = 0; row < 3; ++row) {
        inertia.push_back(json_of(inertia_row(hull, row)));
    }
    Json out;
    out["input_points"] = input_points;
    out["vertices"] = std::move(vertices);
    out["faces"] = std::move(faces);
    out["edges"] = hull.edges.size();
    out["volume"] = json_of(hull.volume);
    out["centroid"] = json_of(hull.centroid);
    out["unit_inertia"] = std::move(inertia);
    out["bounds"] = {{"min", json_of(hull.bounds.lower + hull.centroid)},
                     {"max", json_of(hull.bounds.upper + hull.centroid)}};
    return core::text_of(out);
}

void append_vector(std::string& out, const Vec3& v) {
    core::append_number(out, v.x);
    out += ' ';
    core::append_number(out, v.y);
    out += ' ';
    core::append_number(out, v.z);
}

// A Wavefront mesh whose comments tell the rest, so that the output of the verb is again input for it.
std::string to_obj(const ConvexHull& hull, std::size_t input_points) {
    std::string out = "# convex hull of " + std::to_string(input_points) +
                      " points: " + std::to_string(hull.vertices.size()) + " vertices, " +
                      std::to_string(hull.edges.size()) + " edges, " + std::to_string(hull.faces.size()) + " faces\n";
    out += "# volume ";
    core::append_number(out, hull.volume);
    out += " m^3, centroid ";
    append_vector(out, hull.centroid);
    out += " m\n# inertia about the centroid for 1 kg/m^3, kg m^2, row by row:\n";
    for (int row = 0; row < 3; ++row) {
        out += "#   ";
        append_vector(out, inertia_row(hull, row));
        out += '\n';
    }
    for (const Vec3& vertex : hull.vertices) {
        out += "v ";
        append_vector(out, vertex + hull.centroid);
        out += '\n';
    }
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        out += 'f';
        for (const std::uint32_t vertex : hull.face(f)) {
            out += ' ';
            core::append_number(out, vertex + 1);
        }
        out += '\n';
    }
    return out;
}

} // namespace

int run_hull(const HullArguments& arguments) {
    const std::vector<Vec3> points = read_points(arguments.points);
    const auto built = physics::build_convex_hull(points);
    if (const auto* error = std::get_if<physics::HullError>(&built)) {
        throw core::InputError(core::Location{arguments.points.string(), 0, 0}, "no hull: " + error->reason);
    }
    const ConvexHull& hull = std::get<ConvexHull>(built);
    const std::string text = arguments.json ? to_json(hull, points.size()) : to_obj(hull, points.size());
    std::fwrite(text.data(), 1, text.size(), stdout);
    return exit_success;
}

} // namespace cairn::cli
