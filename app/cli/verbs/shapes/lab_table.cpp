// `cairn lab FILE --table`: every algorithm on every pair of a file of questions or of a scene, and how their times
// grow with the number of vertices.
#include "app/cli/options/verbs.h"
#include "app/cli/output/command_files.h"
#include "app/cli/output/progress.h"
#include "app/core/base/error.h"
#include "app/core/query/question_file.h"
#include "app/core/report/report.h"
#include "app/core/runner/runner.h"
#include "app/core/workers/worker_pool.h"
#include "app/lab/comparison/comparison_pairs.h"
#include "app/lab/comparison/comparison_table.h"
#include "app/lab/pair_of_question.h"
#include "app/lab/published_meshes.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace cairn::cli {
namespace {

namespace lab = core::lab;
using Pairs = std::vector<lab::ComparedPair>;

Pairs pairs_of_scene(const Path& file, std::uint64_t steps) {
    const auto workers = core::make_worker_pool(0);
    core::Runner runner(core::read_scene(file), workers.get(), 0);
    Progress progress("simulating");
    for (std::uint64_t step = 1; step <= steps; ++step) {
        runner.step();
        progress.show(static_cast<double>(step) / static_cast<double>(steps));
    }
    return lab::near_pairs(runner.current());
}

// The meshes of the GJK demo, each with each, placed as those of the growth series are.
Pairs pairs_of_source() {
    struct Mesh {
        const char* name;
        physics::Geometry geometry;
        physics::Shape shape;
    };
    constexpr float half = 1.0f; // m
    std::vector<Mesh> meshes;
    const auto add = [&](const char* name, std::vector<physics::Vec3> points) {
        Mesh& mesh = meshes.emplace_back();
        mesh.name = name;
        mesh.geometry = physics::PointSet{std::make_shared<const std::vector<physics::Vec3>>(std::move(points))};
        mesh.shape = std::get<physics::Shape>(physics::build_shape(mesh.geometry));
    };
    add("cube", core::lab::cube_mesh(half));
    add("cone", core::lab::cone_mesh(half));
    add("cylinder", core::lab::cylinder_mesh(half));
    add("sphere", core::lab::sphere_mesh(half));
    Pairs pairs;
    for (std::size_t a = 0; a < meshes.size(); ++a) {
        for (std::size_t b = a; b < meshes.size(); ++b) {
            for (const lab::GrowthPlacing& placing : lab::growth_placings) {
                lab::ComparedPair& pair = pairs.emplace_back();
                pair.name = std::string(meshes[a].name) + '-' + meshes[b].name + ' ' + std::string(placing.name);
                pair.geometry_a = meshes[a].geometry;
                pair.geometry_b = meshes[b].geometry;
                pair.pair.a = meshes[a].shape;
                pair.pair.b = meshes[b].shape;
                lab::place(pair.pair, placing.distance);
            }
        }
    }
    return pairs;
}

// Scenes are called "*.json", questions anything else.
bool is_scene(const Path& file) {
    return file != "-" && file.extension() == ".json";
}

} // namespace

int run_lab_table(const LabArguments& arguments) {
    CommandFiles files;
    const Path file = arguments.file.empty() || arguments.file == "-" ? arguments.file : files.input(arguments.file);
    const auto table = files.open("--table", arguments.table);
    const auto page = files.open("--page", arguments.page);
    const std::string about = file.empty()  ? "meshes of the GJK demo"
                              : file == "-" ? "standard input"
                                            : file.filename().string();
    if (!is_scene(file) && arguments.step > 0) {
        throw core::InputError("--step is for scenes, which are called *.json: " + about + " is not");
    }
    Pairs pairs = file.empty()     ? pairs_of_source()
                  : is_scene(file) ? pairs_of_scene(file, arguments.step)
                                   : lab::pairs_of(core::read_question_file(file));
    const std::size_t chosen = pairs.size();
    std::ranges::move(lab::growth_pairs(), std::back_inserter(pairs));
    lab::Comparison comparison(std::move(pairs));
    {
        Progress progress("measuring");
        while (comparison.measure_next()) {
            progress.show(static_cast<double>(comparison.rows().size()) / static_cast<double>(comparison.row_count()));
        }
    }
    table->finish(lab::comparison_csv(comparison.rows()));
    if (page) {
        page->finish(lab::comparison_html(comparison.rows(), about));
    }
    std::fprintf(stderr, "%zu pairs and %zu of the growth series, %zu rows\n", chosen,
                 lab::growth_sizes.size() * lab::growth_placings.size(), comparison.rows().size());
    return exit_success;
}

} // namespace cairn::cli
