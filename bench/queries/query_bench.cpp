// Queries against libccd and Bullet, side by side in one run on the same pairs at the same poses. Prints Markdown.
// docs/results/query-performance.md says what is compared and why.
#include "app/lab/published_meshes.h"
#include "bench/queries/report.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>

namespace cairn::bench {
namespace {

using namespace physics;

constexpr std::uint64_t seed = 20240607;

// For shapes of about 1 m, in single precision. Our answers must be as right as this, or the times are worth nothing.
constexpr double accuracy_tolerance = 2e-6; // m

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
    const Shape ball = make(PointSet{std::make_shared<const std::vector<Vec3>>(core::lab::sphere_mesh(0.5f))});
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

// Between the least and the greatest, in percent of the median.
double spread(const std::vector<double>& values) {
    if (values.empty()) {
        return 0.0;
    }
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return 100.0 * (*high - *low) / median(values);
}

// Collects what was measured instead of printing it.
class Collector : public benchmark::BenchmarkReporter {
  public:
    std::map<std::string, std::pair<std::vector<double>*, std::size_t>> targets; // by name of the benchmark
    std::size_t collected = 0;

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration || run.error_occurred) {
                continue;
            }
            ++collected;
            const auto& [values, questions] = targets.at(run.run_name.function_name);
            const double seconds = run.cpu_accumulated_time / static_cast<double>(run.iterations);
            values->push_back(1e9 * seconds / static_cast<double>(questions));
        }
    }
};

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

// False if our own answers were wrong.
bool run(std::vector<std::string> arguments) {
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
    const std::size_t matched = benchmark::RunSpecifiedBenchmarks(&collector);
    if (matched == 0) {
        throw std::runtime_error("no measurement has a name that --benchmark_filter fits");
    }

    if (collector.collected == 0) {
        return true; // the names were only listed
    }
    for (const auto& cell : cells) {
        cell->accuracies.resize(cell->methods.size());
        for (std::size_t m = 0; m < cell->methods.size() && options.accuracy; ++m) {
            if (cell->methods[m].answer && !cell->nanoseconds[m].empty()) {
                cell->accuracies[m] = check_accuracy(*cell->c, cell->methods[m]);
            }
        }
    }
    std::vector<double> spreads;
    for (const auto& shapes : pairs) {
        std::vector<const Measured*> of_pair;
        for (const auto& cell : cells) {
            if (cell->c->shapes == shapes) {
                of_pair.push_back(cell.get());
                for (const std::vector<double>& repetitions : cell->nanoseconds) {
                    spreads.push_back(spread(repetitions));
                }
            }
        }
        std::puts(times_table(of_pair).c_str());
        if (options.accuracy) {
            std::puts(accuracy_table(of_pair).c_str());
        }
    }
    std::puts(summary(cells).c_str());
    std::printf("%zu poses in each cell; medians of CPU time over %d repetitions that take turns.", options.poses,
                options.repetitions);
    if (options.repetitions > 1) {
        std::erase(spreads, 0.0); // not measured
        std::printf(" The repetitions of a measurement differ by %.0f %% at the median, by %.0f %% at worst.",
                    median(spreads), *std::max_element(spreads.begin(), spreads.end()));
    }
    std::puts("");
    const std::string wrong = faults(cells, accuracy_tolerance);
    std::fputs(wrong.c_str(), stderr);
    return wrong.empty();
}

} // namespace
} // namespace cairn::bench

int main(int argc, char** argv) {
    try {
        return cairn::bench::run({argv, argv + argc}) ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    }
}
