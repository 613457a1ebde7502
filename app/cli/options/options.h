// What the options of several verbs have in common. The parser is costly to compile: include this only where verbs are
// described.
#pragma once

#include "app/cli/options/verbs.h"

#include <CLI/CLI.hpp>
#include <functional>

namespace cairn::cli {

inline constexpr int max_threads = 256;
inline constexpr std::uint64_t max_steps = 1'000'000'000;

// CLI11 leaves a positional path empty for an empty word: that is a mistake in a script, not a request for the default.
extern const CLI::Validator not_empty;
extern const CLI::Validator positive_number;

// An option or position whose value is a word, such as a file's name; `type` stands for it in the help.
template <typename Word>
CLI::Option* add_word(CLI::App& verb, const char* name, Word& word, const char* help, const char* type = "") {
    return verb.add_option(name, word, help)->check(not_empty)->type_name(type);
}
// A number within limits; `type` stands for it in the help.
template <typename Value, typename Limit>
CLI::Option* add_number(CLI::App& verb, const char* name, Value& value, const char* help, Limit least, Limit most,
                        const char* type) {
    return verb.add_option(name, value, help)->check(CLI::Range(least, most))->type_name(type);
}
CLI::Option* add_folder(CLI::App& verb, const char* name, Path& folder, const char* help);
CLI::Option* add_threads(CLI::App& verb, int& threads);
void add_size(CLI::App& verb, Size& size);
void add_size(CLI::App& verb, std::optional<Size>& size, const char* usual);
template <typename Samples>
void add_msaa(CLI::App& verb, Samples& msaa) {
    verb.add_option("--msaa", msaa, "Samples per pixel; 0 = off")
        ->check(CLI::IsMember({0, 1, 2, 4, 8}))
        ->type_name("N");
}
template <typename Steps>
CLI::Option* add_steps(CLI::App& verb, const char* name, Steps& steps, const char* help) {
    return add_number(verb, name, steps, help, std::uint64_t{0}, max_steps, "N");
}
void add_quality(CLI::App& verb, std::string& quality);
void add_picture(CLI::App& verb, PictureArguments& picture);
void add_quiet(CLI::App& verb, bool& quiet);
void add_confined(CLI::App& verb, bool& confined);
// What the verbs that read scenes and take time have in common.
void add_run(CLI::App& verb, RunArguments& run);
void add_json(CLI::App& verb, Path& json);

struct Arguments {
    WindowArguments window;
    SimulateArguments simulate;
    RenderArguments render;
    VerifyArguments verify;
    DiffArguments diff;
    ExportArguments exported;
    SweepArguments sweep;
    CheckArguments check;
    TestArguments test;
    BisectArguments bisect;
    RepairArguments repair;
    HullArguments hull;
    DecomposeArguments decompose;
    QueryArguments query;
    LabArguments lab;
    BenchArguments bench;
};

using Action = std::function<int()>;
// The verbs by what they are about, in the order of the help. `action` becomes what the chosen one does.
void add_window(CLI::App& app, Arguments& arguments, Action& action);
void add_runs(CLI::App& app, Arguments& arguments, Action& action);
void add_checks(CLI::App& app, Arguments& arguments, Action& action);
void add_shapes(CLI::App& app, Arguments& arguments, Action& action);
void add_bench(CLI::App& app, Arguments& arguments, Action& action);

// False where the help or the version was asked for, which is printed. Throws core::InputError.
bool parse(CLI::App& app, int argc, char** argv);

} // namespace cairn::cli
