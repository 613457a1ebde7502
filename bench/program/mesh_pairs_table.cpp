// The tables of `cairn-bench mesh-pairs`.
#include "app/cli/output/bench_output.h"
#include "app/cli/output/progress.h"
#include "app/cli/output/table.h"
#include "app/core/report/formats/json.h"
#include "app/core/report/statistics/statistics.h"
#include "bench/program/mesh_pairs.h"
#include "bench/program/verbs.h"

#include <cstdio>

namespace cairn::bench {
namespace {

using namespace cli;
using core::Json;

template <class Rows, class X>
std::vector<double> growth_of(const Rows& rows, X x) {
    std::vector<double> xs, source;
    std::vector<std::vector<double>> ours(algorithm_columns);
    for (const auto& row : rows) {
        xs.push_back(x(row));
        source.push_back(row.source);
        for (std::size_t i = 0; i < algorithm_columns; ++i) {
            ours[i].push_back(row.ours[i]);
        }
    }
    std::vector<double> growth{core::growth_exponent(xs, source)};
    for (const std::vector<double>& times : ours) {
        growth.push_back(core::growth_exponent(xs, times));
    }
    return growth;
}

Json times_json(double source, const std::vector<double>& ours) {
    Json json;
    json["published"] = source;
    for (std::size_t i = 0; i < algorithm_columns; ++i) {
        json[std::string(algorithm_column(i))] = ours[i];
    }
    return json;
}

void add_times(TableRow& row, double source, const std::vector<double>& ours) {
    row.push_back(time_text(source));
    for (const double time : ours) {
        row.push_back(time_text(time));
    }
    row.push_back(number_text("%.0f", source / ours.front()));
}

void add_growth(std::vector<TableRow>& rows, TableRow row, const std::vector<double>& growth) {
    for (const double exponent : growth) {
        row.push_back(number_text("%.2f", exponent));
    }
    rows.push_back(std::move(row));
}

TableRow with_algorithms(TableRow head) {
    head.emplace_back("published");
    for (std::size_t i = 0; i < algorithm_columns; ++i) {
        head.emplace_back(algorithm_column(i));
    }
    head.emplace_back("published / gjk_epa");
    return head;
}

} // namespace

int measure_mesh_pairs(const Arguments& arguments) {
    SourceTables tables;
    {
        Progress progress("measuring");
        tables = measure_source_tables(arguments.quick, [&progress](double share) { progress.show(share); });
    }
    Json json;
    json["wrong_answers"] = tables.wrong;
    json["queries"] = tables.queries;

    std::vector<TableRow> meshes{{"mesh", "vertices", "edges", "faces", "build us"}};
    for (const SourceTables::Mesh& mesh : tables.meshes) {
        meshes.push_back({mesh.name, std::to_string(mesh.vertices), std::to_string(mesh.edges),
                          std::to_string(mesh.faces), time_text(mesh.build)});
        json["meshes"].push_back(Json{{"name", mesh.name},
                                      {"vertices", mesh.vertices},
                                      {"edges", mesh.edges},
                                      {"faces", mesh.faces},
                                      {"build_microseconds", mesh.build}});
    }

    std::vector<TableRow> pairs{with_algorithms({"positive test, us", "vertices"})};
    for (const SourceTables::Pair& pair : tables.pairs) {
        TableRow row{pair.name, std::to_string(pair.vertices)};
        add_times(row, pair.source, pair.ours);
        pairs.push_back(std::move(row));
        json["pairs"].push_back(Json{
            {"pair", pair.name}, {"vertices", pair.vertices}, {"microseconds", times_json(pair.source, pair.ours)}});
    }
    const std::vector<double> pair_growth =
        growth_of(tables.pairs, [](const SourceTables::Pair& pair) { return static_cast<double>(pair.vertices); });
    add_growth(pairs, {"growth exponent", ""}, pair_growth);

    std::vector<TableRow> heaps{with_algorithms({"n of each in one place, ms", "shapes", "pairs"})};
    for (const SourceTables::Heap& heap : tables.heaps) {
        TableRow row{std::to_string(heap.n), std::to_string(heap.shapes), std::to_string(heap.pairs)};
        add_times(row, heap.source, heap.ours);
        heaps.push_back(std::move(row));
        json["in_one_place"].push_back(Json{{"n", heap.n},
                                            {"shapes", heap.shapes},
                                            {"pairs", heap.pairs},
                                            {"milliseconds", times_json(heap.source, heap.ours)}});
    }
    const std::vector<double> heap_growth =
        growth_of(tables.heaps, [](const SourceTables::Heap& heap) { return static_cast<double>(heap.n); });
    add_growth(heaps, {"growth exponent", "", ""}, heap_growth);

    const auto growth_json = [](const std::vector<double>& growth) {
        return times_json(growth.front(), {growth.begin() + 1, growth.end()});
    };
    json["growth"] = {{"pairs_over_vertices", growth_json(pair_growth)},
                      {"in_one_place_over_n", growth_json(heap_growth)}};

    std::string text = markdown_table(meshes) + '\n' + markdown_table(pairs) + '\n' + markdown_table(heaps) + '\n';
    text += std::to_string(tables.queries) + " queries of shapes that overlap, " + std::to_string(tables.wrong) +
            " answered otherwise\n";
    deliver(arguments.json, json, text);
    if (tables.wrong > 0) {
        std::fprintf(stderr, "%zu of %zu queries did not find the overlap\n", tables.wrong, tables.queries);
        return exit_check_failed;
    }
    return exit_success;
}

} // namespace cairn::bench
