// Cairn, Bullet and ODE on the same scenes, in turns, on one thread: times beside what they are worth.
#include "app/cli/output/progress.h"
#include "app/cli/output/table.h"
#include "app/core/base/error.h"
#include "app/core/bench_scenes/bench_scenes.h"
#include "app/core/report/formats/json.h"
#include "app/core/report/report.h"
#include "bench/peers/quality.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>

namespace cairn::bench {
namespace {

using cli::TableRow;
using core::Json;

constexpr const char* usage = "usage: peers_bench [SCENE...] [--steps=N] [--repeats=N] [--engines=cairn,bullet,ode] "
                              "[--without=ENGINE] [--json=F] [--agree=M]\n"
                              "       SCENE is a scene file or bench/NAME; all of bench/peers if none is named\n"
                              "       --without=ode leaves the slowest out\n"
                              "       --agree=M fails if another engine's bodies end, on average, more than M metres "
                              "from the first one's";

struct EngineKind {
    const char* key;
    const char* name;
    std::unique_ptr<Engine> (*make)(const physics::FrameState&);
};

constexpr std::array<EngineKind, 3> engine_kinds{{{"cairn", "Cairn", &make_cairn_engine},
                                                  {"bullet", "Bullet", &make_bullet_engine},
                                                  {"ode", "ODE", &make_ode_engine}}};

// Box3D is no Debian package and does not run here. What it took beside Bullet when both were built for the processor
// at hand, each with its own defaults, medians on one thread: published figures of another machine, to be compared as
// ratios only. Two thirds of it is what we want.
struct Published {
    std::string_view scene;
    double box3d_over_bullet, wanted;
};

constexpr std::array<Published, 6> published{{{"pyramid", 0.39, 0.26},
                                              {"wall", 0.39, 0.26},
                                              {"sphere_pile", 0.51, 0.34},
                                              {"box_rain", 0.42, 0.28},
                                              {"diamond_rain", 0.14, 0.10},
                                              {"mixed_10k", 0.30, 0.20}}};

const Published* published_of(std::string_view scene) {
    const auto found =
        std::find_if(published.begin(), published.end(), [&](const Published& entry) { return entry.scene == scene; });
    return found != published.end() ? &*found : nullptr;
}

struct Options {
    std::vector<core::SceneToMeasure> scenes;
    int steps = 360; // 6 s
    int repeats = 3;
    std::vector<EngineKind> engines{engine_kinds.begin(), engine_kinds.end()};
    std::string json;
    std::optional<double> agree; // m
};

[[noreturn]] void reject(const std::string& what) {
    throw core::InputError(what + "\n" + usage);
}

int count_in(std::string_view option, std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > 1000000) {
        reject("--" + std::string(option) + ": '" + std::string(text) + "' is not a number in 1..1000000");
    }
    return value;
}

std::vector<EngineKind> engines_in(std::string_view list) {
    std::vector<EngineKind> engines;
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t to = std::min(list.find(',', from), list.size());
        const std::string_view key = list.substr(from, to - from);
        const auto found = std::find_if(engine_kinds.begin(), engine_kinds.end(),
                                        [&](const EngineKind& kind) { return kind.key == key; });
        if (found == engine_kinds.end()) {
            reject("--engines: there is no '" + std::string(key) + "'");
        }
        engines.push_back(*found);
        from = to + 1;
    }
    return engines;
}

Options parse_options(int count, char** arguments) {
    Options options;
    const auto add = [&options](const std::string& given) {
        for (core::SceneToMeasure& scene : core::scenes_to_measure(given)) {
            options.scenes.push_back(std::move(scene));
        }
    };
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        const std::size_t equals = std::min(argument.find('='), argument.size());
        const std::string name = argument.substr(0, equals);
        const std::string value = argument.substr(std::min(equals + 1, argument.size()));
        if (name == "--steps") {
            options.steps = count_in("steps", value);
        } else if (name == "--repeats") {
            options.repeats = count_in("repeats", value);
        } else if (name == "--engines") {
            options.engines = engines_in(value);
        } else if (name == "--without") {
            const std::vector<EngineKind> without = engines_in(value);
            for (const EngineKind& kind : without) {
                std::erase_if(options.engines,
                              [&](const EngineKind& other) { return std::string_view(other.key) == kind.key; });
            }
        } else if (name == "--agree") {
            double metres = 0.0;
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), metres);
            if (error != std::errc() || end != value.data() + value.size() || !(metres >= 0.0)) {
                reject("--agree: '" + value + "' is not a number of metres");
            }
            options.agree = metres;
        } else if (name == "--json") {
            options.json = value;
            if (value.empty()) {
                reject("--json: name a file");
            }
        } else if (argument.substr(0, 1) == "-") {
            reject("unknown option '" + argument + "'");
        } else {
            add(argument);
        }
    }
    if (options.engines.empty()) {
        reject("--without: no engine is left");
    }
    if (options.scenes.empty()) {
        add("bench/peers");
    }
    return options;
}

// Of this thread alone: all engines run on one, and what else the machine does must not count.
double thread_milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

struct EngineResult {
    std::string name, rejection;              // why it did not run
    std::vector<double> medians, means, last; // ms per step, by repeat; `last`: means of the last quarter of the steps
    Quality quality;                          // at the end of the last repeat, as are the contacts
    EngineContacts contacts;
    std::vector<BodyMotionState> bodies;
};

// Mean distance between the bodies of two engines, m.
double apart(const std::vector<BodyMotionState>& a, const std::vector<BodyMotionState>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const glm::dvec3 way = glm::dvec3(b[i].pose.position) - glm::dvec3(a[i].pose.position);
        sum += std::sqrt(glm::dot(way, way));
    }
    return a.empty() ? 0.0 : sum / static_cast<double>(a.size());
}

physics::FrameState start_of(const core::Scene& scene) {
    physics::FrameState frame;
    core::make_world(scene).publish(frame);
    return frame;
}

// Engines take turns every few steps, so that a slow moment of the machine meets all of them.
constexpr int turn = 5;

std::vector<EngineResult> measure(const Options& options, const core::Scene& scene,
                                  const std::function<void(double)>& progress) {
    const physics::FrameState start = start_of(scene);
    std::vector<EngineResult> results(options.engines.size());
    for (int repeat = 0; repeat < options.repeats; ++repeat) {
        std::vector<std::unique_ptr<Engine>> engines(options.engines.size());
        for (std::size_t i = 0; i < engines.size(); ++i) {
            results[i].name = options.engines[i].name;
            try {
                engines[i] = options.engines[i].make(start);
            } catch (const Unsupported& why) {
                results[i].rejection = why.what();
            }
        }
        std::vector<std::vector<double>> times(engines.size());
        for (int step = 0; step < options.steps; step += turn) {
            for (std::size_t i = 0; i < engines.size(); ++i) {
                for (int k = 0; engines[i] && k < std::min(turn, options.steps - step); ++k) {
                    const double before = thread_milliseconds();
                    engines[i]->step();
                    times[i].push_back(thread_milliseconds() - before);
                }
            }
            progress((repeat + static_cast<double>(step) / options.steps) / options.repeats);
        }
        for (std::size_t i = 0; i < engines.size(); ++i) {
            if (!engines[i]) {
                continue;
            }
            EngineResult& result = results[i];
            result.medians.push_back(median(times[i]));
            result.means.push_back(mean(times[i]));
            const auto quarter = static_cast<std::ptrdiff_t>((times[i].size() + 3) / 4);
            result.last.push_back(mean({times[i].end() - quarter, times[i].end()}));
            if (repeat + 1 == options.repeats) {
                engines[i]->read(result.bodies);
                result.quality = quality_of(start, result.bodies);
                result.contacts = engines[i]->contacts();
            }
        }
    }
    return results;
}

// Of what was measured in the same repeat.
std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> out;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        out.push_back(a[i] / b[i]);
    }
    return out;
}

std::string ratio_text(const std::vector<double>& values) {
    if (values.empty()) {
        return "-";
    }
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    return cli::number_text("%.2f", median(values)) + " (" + cli::number_text("%.2f", *least) + ".." +
           cli::number_text("%.2f", *greatest) + ")";
}

std::string millimetres(double metres) {
    return cli::number_text("%.1f", 1e3 * metres);
}

void add_rows(std::vector<TableRow>& table, const std::string& scene, const std::vector<EngineResult>& results) {
    for (const EngineResult& result : results) {
        if (!result.rejection.empty()) {
            table.push_back({scene, result.name, result.rejection});
            continue;
        }
        const Quality& quality = result.quality;
        table.push_back({scene, result.name, cli::time_text(median(result.medians)),
                         cli::time_text(median(result.means)), cli::time_text(median(result.last)),
                         std::to_string(result.contacts.pairs), std::to_string(result.contacts.points),
                         quality.depth ? millimetres(*quality.depth) : "-", millimetres(result.contacts.depth),
                         cli::number_text("%.3g", quality.kinetic_energy), millimetres(quality.drift),
                         std::to_string(quality.lost)});
    }
}

bool compared_with_bullet(const EngineResult& first, const EngineResult& other) {
    return first.name == engine_kinds[0].name && other.name == engine_kinds[1].name;
}

void add_ratios(std::vector<TableRow>& table, const std::string& scene, const std::vector<EngineResult>& results) {
    for (std::size_t i = 1; i < results.size(); ++i) {
        const EngineResult &first = results.front(), &other = results[i];
        if (other.rejection.empty() && first.rejection.empty()) {
            TableRow row{scene, first.name + " / " + other.name, ratio_text(ratios(first.medians, other.medians)),
                         ratio_text(ratios(first.means, other.means)), ratio_text(ratios(first.last, other.last))};
            if (const Published* them = published_of(scene); them != nullptr && compared_with_bullet(first, other)) {
                row.push_back(cli::number_text("%.2f", them->box3d_over_bullet));
                row.push_back(cli::number_text("%.2f", them->wanted));
            }
            table.push_back(std::move(row));
        }
    }
}

Json json_of(const EngineResult& result) {
    Json json{{"engine", result.name}};
    if (!result.rejection.empty()) {
        json["refused"] = result.rejection;
        return json;
    }
    json["median_ms"] = result.medians;
    json["mean_ms"] = result.means;
    json["last_quarter_ms"] = result.last;
    json["contacts"] = result.contacts.pairs;
    json["contact_points"] = result.contacts.points;
    json["own_depth"] = result.contacts.depth;
    json["depth"] = result.quality.depth ? Json(*result.quality.depth) : Json();
    json["kinetic_energy"] = result.quality.kinetic_energy;
    json["drift"] = result.quality.drift;
    json["lost"] = result.quality.lost;
    return json;
}

// False if bodies that should move alike do not: the comparison would be void.
bool agree(const Options& options, const std::string& scene, const std::vector<EngineResult>& results) {
    bool all = true;
    for (std::size_t i = 1; options.agree && i < results.size(); ++i) {
        const EngineResult &first = results.front(), &other = results[i];
        const bool ran = first.rejection.empty() && other.rejection.empty();
        const double distance = ran ? apart(first.bodies, other.bodies) : 0.0;
        if (!ran || !(distance <= *options.agree)) {
            std::fprintf(stderr, "%s: the bodies of %s are %.3g m from those of %s%s\n", scene.c_str(),
                         other.name.c_str(), distance, first.name.c_str(), ran ? "" : " (one of them did not run)");
            all = false;
        }
    }
    return all;
}

int run(int count, char** arguments) {
    const Options options = parse_options(count, arguments);
    std::vector<TableRow> table{{"scene", "engine", "median ms", "mean ms", "last quarter ms", "contacts", "points",
                                 "depth mm", "own depth mm", "energy J", "drift mm", "lost"}};
    std::vector<TableRow> comparison{
        {"scene", "ratio of", "medians", "means", "last quarters", "Box3D / Bullet", "wanted"}};
    Json json{{"steps", options.steps}, {"repeats", options.repeats}, {"scenes", Json::array()}};
    bool agreed = true;
    {
        cli::Progress progress("measuring");
        for (std::size_t i = 0; i < options.scenes.size(); ++i) {
            const core::SceneToMeasure& scene = options.scenes[i];
            const std::vector<EngineResult> results = measure(options, scene.scene, [&](double share) {
                progress.show((static_cast<double>(i) + share) / static_cast<double>(options.scenes.size()));
            });
            agreed = agree(options, scene.name, results) && agreed;
            add_rows(table, scene.name, results);
            add_ratios(comparison, scene.name, results);
            Json engines = Json::array();
            for (const EngineResult& result : results) {
                engines.push_back(json_of(result));
            }
            Json entry{{"name", scene.name}, {"engines", std::move(engines)}};
            if (const Published* them = published_of(scene.name)) {
                entry["box3d_over_bullet"] = them->box3d_over_bullet;
                entry["wanted_over_bullet"] = them->wanted;
            }
            json["scenes"].push_back(std::move(entry));
        }
    }
    if (!options.json.empty()) {
        core::write_text_file(options.json, core::text_of(json, 1));
    }
    const std::string text = std::to_string(options.steps) + " steps, " + std::to_string(options.repeats) +
                             " repeats in turns, one thread, sleeping off; milliseconds of CPU time per step.\n\n" +
                             cli::markdown_table(table) + '\n' + cli::markdown_table(comparison);
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
        throw core::InputError("the standard output could not be written");
    }
    return agreed ? 0 : 1;
}

} // namespace
} // namespace cairn::bench

int main(int count, char** arguments) {
    try {
        return cairn::bench::run(count, arguments);
    } catch (const cairn::core::InputError& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 3;
    }
}
