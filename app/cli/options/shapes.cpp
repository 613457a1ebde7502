// The verbs about shapes, without a world.
#include "app/cli/options/options.h"
#include "app/core/scene/values/scene_keys.h"
#include "physics/geometry/convex_hull.h"

namespace cairn::cli {

void add_shapes(CLI::App& app, Arguments& arguments, Action& action) {
    HullArguments& hull = arguments.hull;
    CLI::App* verb = app.add_subcommand("hull", "Convex hull of points, with volume, centre and inertia");
    add_word(*verb, "POINTS", hull.points,
             "Mesh (.obj, .stl, .ply, .glb, .gltf) or points (.xyz); - = standard input, any")
        ->required();
    verb->add_flag("--json", hull.json, "Print JSON instead of a Wavefront mesh");
    verb->callback([&] { action = [&hull] { return run_hull(hull); }; });

    DecomposeArguments& decompose = arguments.decompose;
    verb = app.add_subcommand("decompose", "Cut a mesh that is not convex into convex hulls");
    add_word(*verb, "MESH", decompose.mesh, "Mesh (.obj, .stl, .ply, .glb, .gltf); - = standard input")->required();
    add_word(*verb, "--out", decompose.out,
             "The hulls as a scene of one body (.json) or as a mesh (.obj); - = standard output, a scene", "F.json")
        ->required();
    verb->add_option("--concavity", decompose.concavity,
                     "How far a hull may be from its part of the mesh, as a share of half the mesh's longest side")
        ->check(positive_number)
        ->check(CLI::Range(0.001, 1.0))
        ->type_name("C")
        ->capture_default_str();
    add_number(*verb, "--max-hulls", decompose.max_hulls, "Merge hulls down to N, whatever concavity that takes",
               std::size_t{1}, core::max_shapes_per_body, "N")
        ->capture_default_str();
    add_number(*verb, "--max-vertices", decompose.max_vertices, "Vertices of each hull", std::size_t{4},
               physics::max_hull_vertices, "N")
        ->capture_default_str();
    add_json(*verb, decompose.json);
    add_quiet(*verb, decompose.quiet);
    add_threads(*verb, decompose.threads)->description("Threads; 0 = as many as there are cores");
    verb->callback([&] { action = [&decompose] { return run_decompose(decompose); }; });

    QueryArguments& query = arguments.query;
    verb = app.add_subcommand("query", "Closest points, depth or time of impact of pairs of shapes");
    add_word(*verb, "FILE", query.file, "Questions, one JSON object a line; - = standard input")->required();
    verb->callback([&] { action = [&query] { return run_query(query); }; });

    LabArguments& lab = arguments.lab;
    verb = app.add_subcommand("lab", "Show what an algorithm does with a pair of shapes, step by step");
    add_word(*verb, "QUERY", lab.file,
             "Questions as for `query`, one JSON object a line; - = standard input; with --table also a scene");
    CLI::Option* line = add_number(*verb, "--line", lab.line, "Line of the file, from 1 (default: the first question)",
                                   std::uint64_t{1}, std::uint64_t{1'000'000'000}, "N");
    CLI::Option* algorithm = add_word(*verb, "--algorithm", lab.algorithm,
                                      "Which algorithm, see --list (default: the one the line names)", "A");
    CLI::Option* pictures =
        add_word(*verb, "--out", lab.out, "Folder for a picture of every step, and a GIF of them all", "FOLDER");
    add_number(*verb, "--step", lab.step,
               "Draw only this step; --out is then the picture. With --table: the step of the scene", std::uint64_t{1},
               std::uint64_t{1'000'000'000}, "N");
    add_size(*verb, lab.size);
    CLI::Option* list = verb->add_flag("--list", lab.list, "List the algorithms");
    CLI::Option* table = add_word(*verb, "--table", lab.table,
                                  "Times of all algorithms on all pairs of the file or scene (default: four "
                                  "meshes), and how they grow; - = standard output",
                                  "F.csv");
    table->excludes(line)->excludes(algorithm)->excludes(pictures)->excludes(list);
    add_word(*verb, "--page", lab.page, "The same as an HTML page with charts", "F.html")->needs(table);
    verb->callback([&] { action = [&lab] { return run_lab(lab); }; });
}

} // namespace cairn::cli
