// Queries against libccd and Bullet, side by side in one run on the same pairs at the same poses. Prints Markdown.
// docs/performance.md says what is compared and why.
#include "app/cli/source_meshes.h"
#include "bench/queries/accuracy.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>

namespace cairn::bench {
namespace {

using namespace physics;

constexpr std::uint64_t seed = 20240607;

struct Options {
    std::size_t poses = 10'000;
    int repetitions = 7;
    double seconds = 0.03; // of each repetition, at least one pass over the poses
    std::string filter;    // part of the name of a pair
    bool accuracy = true;
};

Shape make(const Geometry& geometry) {
    auto built = build_shape(geometry);
    if (const auto* error = std::get_if<ShapeError>(&built)) {
        throw std::runtime_error(error->reason);
    }
    return std::move(std::get<Shape>(built));
}

std::vector<std::shared_ptr<const ShapePair>> make_pairs(const std::string& filter) {
    const Shape box = make(Box{Vec3(0.5f)});
    const Shape diamond = make(Diamond{1.0f});
    const Shape ball = make(PointSet{std::make_shared<const std::vector<Vec3>>(cli::sphere_mesh(0.5f))});
    std::vector<std::shared_ptr<const ShapePair>> pairs;
    for (const ShapePair& pair :
         {ShapePair{"box-box", box, box}, ShapePair{"box-diamond", box, diamond},
          ShapePair{"diamond-diamond", diamond, diamond}, ShapePair{"482-vertex spheres", ball, ball}}) {
        if (pair.name.find(filter) != std::string::npos) {
            pairs.push_back(std::make_shared<const ShapePair>(pair));
        }
    }
    return pairs;
}

struct Measured {
    std::shared_ptr<const Case> c;
    std::vector<Method> methods;
    std::vector<std::vector<double>> nanoseconds; // per method and repetition, per question
};

// Collects what was measured instead of printing it.
class Collector : public benchmark::BenchmarkReporter {
  public:
    std::map<std::string, std::pair<std::vector<double>*, std::size_t>> targets; // by name of the benchmark
    std::size_t done = 0, expected = 0;

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration || run.error_occurred) {
                continue;
            }
            const auto& [values, questions] = targets.at(run.run_name.function_name);
            const double seconds = run.cpu_accumulated_time / static_cast<double>(run.iterations);
            values->push_back(1e9 * seconds / static_cast<double>(questions));
        }
    }
};

double median(std::vector<double> values) {
    if (values.empty()) {
        return 0.0;
    }
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

// Of what several repetitions said, in percent of the median.
double spread(const std::vector<double>& values) {
    if (values.empty()) {
        return 0.0;
    }
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return 100.0 * (*high - *low) / median(values);
}

std::string text(const char* format, double value) {
    std::array<char, 64> out{};
    std::snprintf(out.data(), out.size(), format, value);
    return out.data();
}

using Row = std::vector<std::string>;

void print_table(const std::vector<Row>& rows) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::string line = "|";
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const std::string cell = i < rows[r].size() ? rows[r][i] : "";
            const std::string pad(widths[i] - cell.size(), ' ');
            line += i == 0 ? ' ' + cell + pad + " |" : ' ' + pad + cell + " |";
        }
        std::puts(line.c_str());
        if (r == 0) {
            line = "|";
            for (std::size_t i = 0; i < widths.size(); ++i) {
                line += i == 0 ? std::string(widths[i] + 2, '-') + '|' : std::string(widths[i] + 1, '-') + ":|";
            }
            std::puts(line.c_str());
        }
    }
    std::puts("");
}

// The best of the libraries among the methods that `counts`; infinite if there is none.
template <class Counts>
double best(const Measured& cell, Counts counts) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < cell.methods.size(); ++m) {
        if (!cell.methods[m].ours && counts(cell.methods[m], cell.c->distance > 0.0)) {
            least = std::min(least, median(cell.nanoseconds[m]));
        }
    }
    return least;
}

const Method* find(const Measured& cell, const std::string& name, double& time) {
    for (std::size_t m = 0; m < cell.methods.size(); ++m) {
        if (cell.methods[m].name == name) {
            time = median(cell.nanoseconds[m]);
            return &cell.methods[m];
        }
    }
    return nullptr;
}

// Names of the methods of all cells, in the order in which they were added.
std::vector<std::string> method_names(const std::vector<const Measured*>& cells) {
    std::vector<std::string> names;
    for (const Measured* cell : cells) {
        for (const Method& method : cell->methods) {
            if (std::find(names.begin(), names.end(), method.name) == names.end()) {
                names.push_back(method.name);
            }
        }
    }
    return names;
}

struct Ratio {
    const char* ours;
    const char* against;
    bool (*counts)(const Method&, bool separated);
};

// A yes or no is no depth, but it is all that libccd says about separated shapes: there it is an opponent, too.
constexpr std::array<Ratio, 4> ratios{{
    {"Cairn overlap", "best yes or no", [](const Method& m, bool) { return m.kind == Kind::yes_no; }},
    {"Cairn signed_distance", "best distance or depth", [](const Method& m, bool) { return m.kind != Kind::yes_no; }},
    {"Cairn signed_distance", "best answer of any kind",
     [](const Method& m, bool separated) { return separated || m.kind != Kind::yes_no; }},
    {"Cairn collide", "best distance or depth", [](const Method& m, bool) { return m.kind != Kind::yes_no; }},
}};

struct Worst {
    double ratio = 0.0;
    std::string where;
};

void print_times(const std::string& name, const std::vector<const Measured*>& cells, std::array<Worst, 4>& worst) {
    std::vector<Row> rows{{name + ", ns per pair"}};
    for (const Measured* cell : cells) {
        rows[0].push_back(cell->c->name);
    }
    for (const std::string& method : method_names(cells)) {
        Row row{method};
        for (const Measured* cell : cells) {
            double time = 0.0;
            row.push_back(find(*cell, method, time) != nullptr ? text("%.0f", time) : "-");
        }
        rows.push_back(row);
    }
    for (std::size_t r = 0; r < ratios.size(); ++r) {
        Row row{std::string(ratios[r].ours) + " / " + ratios[r].against};
        for (const Measured* cell : cells) {
            double time = 0.0;
            const double other = best(*cell, ratios[r].counts);
            if (find(*cell, ratios[r].ours, time) == nullptr) {
                row.emplace_back("-");
                continue;
            }
            row.push_back(text("**%.2f**", time / other));
            if (time / other > worst[r].ratio) {
                worst[r] = {time / other, name + ", " + cell->c->name};
            }
        }
        rows.push_back(row);
    }
    print_table(rows);
}

void print_accuracy(const std::string& name, const std::vector<const Measured*>& cells) {
    std::vector<Row> rows{{name + ", error in m"}};
    for (const Measured* cell : cells) {
        rows[0].push_back(cell->c->name);
    }
    for (const std::string& method : method_names(cells)) {
        Row row{method};
        bool any = false;
        for (const Measured* cell : cells) {
            double time = 0.0;
            const Method* found = find(*cell, method, time);
            if (found == nullptr || !found->answer) {
                row.emplace_back("-");
                continue;
            }
            any = true;
            const Accuracy accuracy = check_accuracy(*cell->c, *found);
            std::string out;
            if (accuracy.has_distance) {
                out = text("%.0e", accuracy.median_error) + text(" max %.0e", accuracy.max_error) +
                      text(", dir. %.0e", accuracy.median_excess) + text(" max %.0e", accuracy.max_excess);
            }
            if (accuracy.wrong > 0) {
                out += (out.empty() ? "" : ", ") + std::to_string(accuracy.wrong) + " WRONG";
            }
            row.push_back(out.empty() ? "right" : out);
        }
        if (any) {
            rows.push_back(row);
        }
    }
    print_table(rows);
}

// Options of ours are taken out of the arguments; the rest belong to Google Benchmark.
Options read_options(std::vector<std::string>& arguments) {
    Options options;
    const auto number = [](const std::string& word, auto& value) {
        const std::string_view digits = std::string_view(word).substr(word.find('=') + 1);
        const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (end.ec != std::errc{} || end.ptr != digits.data() + digits.size() || !(value > 0)) {
            throw std::runtime_error(word + ": expected a positive number");
        }
    };
    std::erase_if(arguments, [&](const std::string& word) {
        if (word.rfind("--poses=", 0) == 0) {
            number(word, options.poses);
        } else if (word.rfind("--repetitions=", 0) == 0) {
            number(word, options.repetitions);
        } else if (word.rfind("--seconds=", 0) == 0) {
            number(word, options.seconds);
        } else if (word.rfind("--pair=", 0) == 0) {
            options.filter = word.substr(std::strlen("--pair="));
        } else if (word == "--no-accuracy") {
            options.accuracy = false;
        } else {
            return false;
        }
        return true;
    });
    return options;
}

void run(std::vector<std::string> arguments) {
    const Options options = read_options(arguments);
    // The repetitions of all methods take turns, so that a slow moment of the machine hits all alike.
    arguments.insert(arguments.begin() + 1, {"--benchmark_enable_random_interleaving=true",
                                             "--benchmark_repetitions=" + std::to_string(options.repetitions),
                                             "--benchmark_min_time=" + std::to_string(options.seconds)});
    std::vector<char*> words;
    for (std::string& argument : arguments) {
        words.push_back(argument.data());
    }
    int count = static_cast<int>(words.size());
    benchmark::Initialize(&count, words.data());
    if (benchmark::ReportUnrecognizedArguments(count, words.data())) {
        throw std::runtime_error(
            "options: --pair=NAME --poses=N --repetitions=N --seconds=S --no-accuracy, and those of "
            "Google Benchmark");
    }

    const auto pairs = make_pairs(options.filter);
    if (pairs.empty()) {
        throw std::runtime_error("no pair has \"" + options.filter + "\" in its name");
    }
    std::vector<std::unique_ptr<Measured>> cells;
    Collector collector;
    for (const auto& shapes : pairs) {
        for (const auto& [name, distance] :
             {std::pair{"separated 0.1 m", 0.1}, std::pair{"shallow 0.01 m", -0.01}, std::pair{"deep 0.3 m", -0.3}}) {
            auto c = std::make_shared<Case>();
            c->shapes = shapes;
            c->name = name;
            c->distance = distance;
            c->poses = make_poses(shapes->a, shapes->b, distance, options.poses, seed);
            auto measured = std::make_unique<Measured>();
            measured->c = c;
            add_ours(measured->methods, c);
            add_libccd(measured->methods, c);
            add_bullet(measured->methods, c);
            measured->nanoseconds.resize(measured->methods.size());
            for (std::size_t m = 0; m < measured->methods.size(); ++m) {
                const Method& method = measured->methods[m];
                std::string title = shapes->name + '|' + name + '|' + method.name;
                benchmark::RegisterBenchmark(title.c_str(), method.measure);
                collector.targets[title] = {&measured->nanoseconds[m], method.questions};
            }
            cells.push_back(std::move(measured));
        }
    }
    benchmark::RunSpecifiedBenchmarks(&collector);

    std::printf("%zu poses each, cold; medians of %d interleaved repetitions, CPU time.\n\n", options.poses,
                options.repetitions);
    std::array<Worst, 4> worst;
    std::vector<double> spreads;
    for (const auto& shapes : pairs) {
        std::vector<const Measured*> of_pair;
        for (const auto& cell : cells) {
            if (cell->c->shapes == shapes) {
                of_pair.push_back(cell.get());
                for (const auto& repetitions : cell->nanoseconds) {
                    spreads.push_back(spread(repetitions));
                }
            }
        }
        print_times(shapes->name, of_pair, worst);
        if (options.accuracy) {
            print_accuracy(shapes->name, of_pair);
        }
    }
    for (std::size_t r = 0; r < ratios.size(); ++r) {
        std::printf("%s / %s: at worst %.2f (%s)\n", ratios[r].ours, ratios[r].against, worst[r].ratio,
                    worst[r].where.c_str());
    }
    std::printf("Between the repetitions of a cell: median spread %.0f %%, largest %.0f %%.\n", median(spreads),
                *std::max_element(spreads.begin(), spreads.end()));
}

} // namespace
} // namespace cairn::bench

int main(int argc, char** argv) {
    try {
        cairn::bench::run({argv, argv + argc});
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    }
}
