#include "app/cli/options/verbs.h"
#include "app/cli/output/command_files.h"
#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/report/formats/json.h"
#include "app/core/scene/shapes/mesh_points.h"
#include "physics/geometry/convex_hull.h"

#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace cairn::cli {
namespace {

using physics::ConvexHull;
using physics::Vec3;

Vec3 inertia_row(const ConvexHull& hull, int row) {
    return {hull.unit_inertia[0][row], hull.unit_inertia[1][row], hull.unit_inertia[2][row]};
}

std::string to_json(const ConvexHull& hull, std::span<const Vec3> points) {
    using core::Json;
    using core::json_of;
    Json vertices = Json::array(), faces = Json::array(), inertia = Json::array();
    physics::Aabb bounds;
    for (const std::uint32_t i : hull.input_index) {
        vertices.push_back(json_of(points[i]));
        bounds = physics::united(bounds, {points[i], points[i]});
    }
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        faces.push_back(hull.face(f));
    }
    for (int row = 0; row < 3; ++row) {
        inertia.push_back(json_of(inertia_row(hull, row)));
    }
    Json out;
    out["input_points"] = points.size();
    out["vertices"] = std::move(vertices);
    out["input_indices"] = hull.input_index;
    out["faces"] = std::move(faces);
    out["edges"] = hull.edges.size();
    out["volume"] = json_of(hull.volume);
    out["centroid"] = json_of(hull.centroid);
    out["unit_inertia"] = std::move(inertia);
    out["bounds"] = {{"min", json_of(bounds.lower)}, {"max", json_of(bounds.upper)}};
    return core::text_of(out);
}

void append_vector(std::string& out, const Vec3& v) {
    core::append_number(out, v.x);
    out += ' ';
    core::append_number(out, v.y);
    out += ' ';
    core::append_number(out, v.z);
}

// A Wavefront mesh with the rest in comments, so that the output of the verb is again input for it.
std::string to_obj(const ConvexHull& hull, std::span<const Vec3> points) {
    std::string out = "# convex hull of " + std::to_string(points.size()) +
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
    for (const std::uint32_t i : hull.input_index) {
        out += "v ";
        append_vector(out, points[i]);
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
    CommandFiles files;
    const Path file = files.input(arguments.points);
    const std::vector<Vec3> points = core::read_points(file);
    const auto built = physics::build_convex_hull(points);
    if (const auto* error = std::get_if<physics::HullError>(&built)) {
        throw core::InputError(core::Location{core::shown_name(file), 0, 0}, "no hull: " + error->reason);
    }
    const ConvexHull& hull = std::get<ConvexHull>(built);
    const std::string text = arguments.json ? to_json(hull, points) : to_obj(hull, points);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return exit_success;
}

} // namespace cairn::cli
