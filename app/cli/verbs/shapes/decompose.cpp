// cairn decompose: a mesh that is not convex as hulls that are.
#include "app/cli/options/verbs.h"
#include "app/cli/output/command_files.h"
#include "app/cli/output/progress.h"
#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/base/interruption.h"
#include "app/core/report/formats/json.h"
#include "app/core/scene/shapes/decomposed_mesh.h"
#include "app/core/scene/shapes/mesh_points.h"
#include "app/core/workers/interruptible_executor.h"
#include "app/core/workers/worker_pool.h"
#include "physics/geometry/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <variant>

namespace cairn::cli {
namespace {

using physics::Decomposition;
using physics::Vec3;

constexpr float usual_density = 1000.0f; // kg/m^3

std::size_t most_vertices(const Decomposition& result) {
    std::size_t most = 0;
    for (const auto& hull : result.hulls) {
        most = std::max(most, hull.size());
    }
    return most;
}

std::string scene_text(const Decomposition& result, const std::string& name) {
    core::Scene scene;
    scene.name = name;
    scene.bodies.push_back(core::body_of(result, usual_density));
    scene.bodies.back().name = name;
    const Vec3 at = scene.bodies.back().pose.position;
    float size = 0.0f;
    for (const auto& hull : result.hulls) {
        for (const Vec3& p : hull) {
            size = std::max(size, glm::length(p - at));
        }
    }
    scene.camera = {at + size * Vec3(0.8f, -2.5f, 1.2f), at};
    return core::write_scene(scene);
}

// One object of the file for each hull.
std::string obj_text(const Decomposition& result) {
    std::string out = "# " + std::to_string(result.hulls.size()) + " convex hulls of at most " +
                      std::to_string(most_vertices(result)) + " vertices\n";
    std::size_t first = 1;
    for (std::size_t i = 0; i < result.hulls.size(); ++i) {
        const auto& points = result.hulls[i];
        out += "o hull_" + std::to_string(i) + '\n';
        for (const Vec3& p : points) {
            out += 'v';
            for (int axis = 0; axis < 3; ++axis) {
                out += ' ';
                core::append_number(out, p[axis]);
            }
            out += '\n';
        }
        const auto built = physics::build_convex_hull(points);
        if (const auto* hull = std::get_if<physics::ConvexHull>(&built)) {
            for (std::size_t f = 0; f < hull->faces.size(); ++f) {
                out += 'f';
                for (const std::uint32_t vertex : hull->face(f)) {
                    out += ' ' + std::to_string(first + hull->input_index[vertex]);
                }
                out += '\n';
            }
        }
        first += points.size();
    }
    return out;
}

double volume_error(const Decomposition& result) {
    return result.hull_volume / result.volume - 1.0;
}

std::string json_text(const Decomposition& result) {
    using core::Json;
    const auto rows = [](const glm::dmat3& m) {
        Json list = Json::array();
        for (int row = 0; row < 3; ++row) {
            list.push_back({m[0][row], m[1][row], m[2][row]});
        }
        return list;
    };
    const physics::MeshRepairs& r = result.repairs;
    Json out;
    out["hulls"] = result.hulls.size();
    out["vertices"] = most_vertices(result);
    out["concavity"] = result.concavity;
    out["hull_volume"] = result.hull_volume;
    out["volume_error"] = volume_error(result);
    out["mesh"] = {{"volume", result.volume},
                   {"centroid", {result.centroid.x, result.centroid.y, result.centroid.z}},
                   {"unit_inertia", rows(result.unit_inertia)}};
    out["repairs"] = {{"merged_points", r.merged_points},
                      {"degenerate_triangles", r.degenerate_triangles},
                      {"duplicate_triangles", r.duplicate_triangles},
                      {"flipped_triangles", r.flipped_triangles},
                      {"closed_holes", r.closed_holes},
                      {"open_surfaces", r.open_surfaces}};
    return core::text_of(out, 2);
}

void print_answer(const Decomposition& result) {
    std::printf("%zu hull%s of at most %zu vertices, greatest concavity %.4f\n"
                "volume %.6g m^3, of the hulls %.6g m^3: %+.2f %%\n",
                result.hulls.size(), result.hulls.size() == 1 ? "" : "s", most_vertices(result), result.concavity,
                result.volume, result.hull_volume, std::round(1e4 * volume_error(result)) / 100.0 + 0.0); // never -0.00
    if (const std::string repairs = core::description(result.repairs); !repairs.empty()) {
        std::printf("repairs: %s\n", repairs.c_str());
    }
}

} // namespace

int run_decompose(const DecomposeArguments& arguments) {
    CommandFiles files;
    const bool as_obj = arguments.out.extension() == ".obj";
    if (!as_obj && arguments.out.extension() != ".json" && arguments.out != "-") {
        throw core::InputError("--out " + arguments.out.string() +
                               ": the name must end in .json (a scene) or .obj (a mesh); - is a scene");
    }
    const Path file = files.input(arguments.mesh);
    const std::string name = core::shown_name(file);
    const physics::MeshData mesh = core::read_mesh(file);
    const auto out = files.open("--out", arguments.out);
    const auto json = files.open("--json", arguments.json);

    physics::DecompositionSettings settings;
    settings.concavity = arguments.concavity;
    settings.max_hulls = arguments.max_hulls;
    settings.max_vertices = arguments.max_vertices;
    const core::InterruptionGuard guard;
    const auto workers = core::make_worker_pool(arguments.threads);
    core::InterruptibleExecutor executor(*workers);
    Progress progress("decomposing", arguments.quiet);
    const auto answer = physics::decompose(mesh.vertices, mesh.triangles, settings, executor,
                                           [&progress](double share) { progress.show(share); });
    progress.wipe();
    if (const auto* error = std::get_if<physics::MeshError>(&answer)) {
        throw core::InputError(core::Location{name, 0, 0}, error->reason);
    }
    const Decomposition& result = std::get<Decomposition>(answer);
    const std::string stem = arguments.mesh == "-" ? "decomposed" : arguments.mesh.stem().string();
    write_each({{out.get(), [&] { return as_obj ? obj_text(result) : scene_text(result, stem); }},
                {json.get(), [&] { return json_text(result); }}});
    if (!arguments.quiet && arguments.json != "-" && arguments.out != "-") {
        print_answer(result);
    }
    return exit_success;
}

} // namespace cairn::cli
