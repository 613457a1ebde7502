// Cairn and the engines that Debian packages beside the textbook: one table, each engine at its defaults.
#include "app/cli/output/table.h"
#include "bench/textbook/trial.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>

namespace cairn::bench {
namespace {

struct EngineKind {
    const char* name;
    MakeEngine make;
};

constexpr EngineKind engine_kinds[] = {{"Cairn", &make_cairn_engine},
                                       {"Bullet", &make_bullet_engine},
                                       {"ODE", &make_ode_engine},
                                       {"MuJoCo", &make_mujoco_engine}};

struct Answer {
    double number = 0.0;
    std::string missing; // why there is no number
};

Answer answer_of(const Trial& trial, MakeEngine make) {
    try {
        return {trial.measure(make), ""};
    } catch (const Unsupported& why) {
        return {0.0, why.what()};
    }
}

std::string text_of(const Trial& trial, const Answer& answer) {
    if (!answer.missing.empty()) {
        return "-";
    }
    if (!std::isfinite(answer.number)) {
        return "falls";
    }
    return cli::number_text(trial.format, answer.number);
}

int run(int count, char** arguments) {
    CLI::App app("Tests of the textbook in Cairn, Bullet, ODE and MuJoCo, as a Markdown table.", "textbook_bench");
    std::vector<std::string> only;
    std::string json_file;
    bool ours_alone = false;
    app.add_option("TEXT", only, "Only tests whose names contain one of these");
    app.add_flag("--ours", ours_alone, "Cairn alone");
    app.add_option("--json", json_file, "The same as JSON, with reasons why an engine has no answer");
    CLI11_PARSE(app, count, arguments);

    std::vector<Trial> trials;
    for (auto list : {statics_trials(), impact_trials(), motion_trials()}) {
        for (Trial& trial : list) {
            const bool wanted = only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& text) {
                                    return trial.name.find(text) != std::string::npos;
                                });
            if (wanted) {
                trials.push_back(std::move(trial));
            }
        }
    }
    if (trials.empty()) {
        std::fputs("error: no test has such a name\n", stderr);
        return 2;
    }
    std::vector<cli::TableRow> table{{"test", "theory"}};
    for (const EngineKind& kind : engine_kinds) {
        table[0].push_back(kind.name);
        if (ours_alone) {
            break;
        }
    }
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Trial& trial : trials) {
        std::fprintf(stderr, "%s\n", trial.name.c_str());
        cli::TableRow row{trial.name, trial.theory};
        nlohmann::ordered_json entry{{"test", trial.name}, {"theory", trial.theory}};
        for (std::size_t i = 0; i + 2 < table[0].size(); ++i) {
            const Answer answer = answer_of(trial, engine_kinds[i].make);
            row.push_back(text_of(trial, answer));
            nlohmann::ordered_json& said = entry[engine_kinds[i].name];
            if (answer.missing.empty()) {
                said = std::isfinite(answer.number) ? nlohmann::ordered_json(answer.number) : "falls";
            } else {
                said = {{"missing", answer.missing}};
            }
        }
        table.push_back(std::move(row));
        json.push_back(std::move(entry));
    }
    std::fputs(cli::markdown_table(table).c_str(), stdout);
    if (!json_file.empty()) {
        std::ofstream out(json_file);
        out << json.dump(1) << '\n';
        if (!out.flush()) {
            std::fprintf(stderr, "error: %s could not be written\n", json_file.c_str());
            return 3;
        }
    }
    return 0;
}

} // namespace
} // namespace cairn::bench

int main(int count, char** arguments) {
    try {
        return cairn::bench::run(count, arguments);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 3;
    }
}
