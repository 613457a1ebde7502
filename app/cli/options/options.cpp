#include "app/cli/options/options.h"

#include "app/cli/options/number_pair.h"
#include "app/core/base/error.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace cairn::cli {
namespace {

constexpr int min_pixels = 16, max_pixels = 8192; // a side

// "1280x720"
Size parse_size(const std::string& text) {
    const auto size = number_pair<int>(text, 'x');
    const auto fits = [](int side) { return side >= min_pixels && side <= max_pixels; };
    if (size && fits(size->first) && fits(size->second)) {
        return {size->first, size->second};
    }
    throw CLI::ValidationError("--size", '"' + text + "\" is not WIDTHxHEIGHT in pixels, " +
                                             std::to_string(min_pixels) + " to " + std::to_string(max_pixels) +
                                             " each, as in 1280x720");
}

template <typename Value>
void add_size_option(CLI::App& verb, Value& size, const char* usual) {
    verb.add_option_function<std::string>(
            "--size", [&size](const std::string& text) { size = parse_size(text); }, "Size in pixels")
        ->type_name("WxH")
        ->default_str(usual);
}

} // namespace

const CLI::Validator
    not_empty([](std::string& word) { return word.empty() ? std::string("must not be empty") : std::string(); }, "");

const CLI::Validator positive_number(
    [](std::string& word) {
        double value = 0.0;
        const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
        const bool is_one = read.ec == std::errc{} && read.ptr == word.data() + word.size();
        return is_one && value > 0.0 && std::isfinite(value) ? std::string() : '"' + word + "\" is not a number > 0";
    },
    "");

CLI::Option* add_folder(CLI::App& verb, const char* name, Path& folder, const char* help) {
    return verb.add_option(name, folder, help)->check(CLI::ExistingDirectory)->type_name("FOLDER");
}

CLI::Option* add_threads(CLI::App& verb, int& threads) {
    return add_number(verb, "--threads", threads, "Threads to simulate on; 0 = as many as there are cores", 0,
                      max_threads, "T");
}

void add_size(CLI::App& verb, Size& size) {
    add_size_option(verb, size, "1280x720");
}
void add_size(CLI::App& verb, std::optional<Size>& size, const char* usual) {
    add_size_option(verb, size, usual);
}

void add_quality(CLI::App& verb, std::string& quality) {
    add_word(verb, "--quality", quality, "low, medium, high or ultra", "NAME");
}

void add_picture(CLI::App& verb, PictureArguments& picture) {
    add_size(verb, picture.size);
    verb.add_option("--layers", picture.layers, "Debug layers to show: contacts,bounds,...")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("LIST");
    add_word(verb, "--colours", picture.colours, "Colour mode of the bodies: palette, touching, speed, ...", "MODE");
    add_msaa(verb, picture.msaa);
    add_quality(verb, picture.quality);
}

void add_quiet(CLI::App& verb, bool& quiet) {
    verb.add_flag("--quiet", quiet, "Print errors and failures only");
}

void add_confined(CLI::App& verb, bool& confined) {
    verb.add_flag("--confined", confined, "Refuse includes and meshes from outside the scene's folder");
}

void add_run(CLI::App& verb, RunArguments& run) {
    verb.add_option("--set", run.set, "Change a value of the scene first, as gravity.2=-3.7; may be repeated")
        ->allow_extra_args(false)
        ->type_name("PATH=VALUE");
    add_confined(verb, run.confined);
    add_threads(verb, run.threads);
    add_quiet(verb, run.quiet);
}

void add_json(CLI::App& verb, Path& json) {
    add_word(verb, "--json", json, "The same as JSON; - = standard output, instead of the lines", "F.json");
}

bool parse(CLI::App& app, int argc, char** argv) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) { // --help, --version
            std::fflush(stdout);
            app.exit(error);
            return false;
        }
        throw core::InputError(std::string(error.what()) + " (see `" + app.get_name() + " --help`)");
    }
    return true;
}

} // namespace cairn::cli
