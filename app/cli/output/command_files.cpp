#include "app/cli/output/command_files.h"

#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/scene/scene.h"

#include <exception>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace cairn::cli {
namespace {

constexpr const char* builtin_prefix = "builtin:";

// Whatever is written there is gone: it does not matter who else writes to it.
bool swallows(const struct stat& info) {
    return S_ISCHR(info.st_mode) && ::major(info.st_rdev) == 1;
}

} // namespace

CommandFiles::Identity CommandFiles::identity_of(const Path& path) {
    struct stat info {};
    if (path == "-" ? ::fstat(STDOUT_FILENO, &info) == 0 : ::stat(path.c_str(), &info) == 0) {
        return {info.st_dev, info.st_ino};
    }
    const Path target = core::followed(path);
    const Path folder = target.has_parent_path() ? target.parent_path() : Path(".");
    if (::stat(folder.c_str(), &info) == 0) {
        return {info.st_dev, info.st_ino, target.filename().string()};
    }
    return {0, 0, target.lexically_normal().string()}; // opening it will say what is wrong
}

void CommandFiles::add_input(const Path& path) {
    inputs_.push_back({identity_of(path), core::shown_name(path)});
}

Path CommandFiles::input(const Path& given) {
    if (given == "-") {
        if (input_piped_) {
            throw core::InputError("- stands for the standard input twice: it can be read once");
        }
        input_piped_ = true;
        const Path file = core::standard_input_file();
        add_input(file);
        return file;
    }
    if (given.string().starts_with(builtin_prefix)) {
        const Path file = core::builtin_scene(given.string().substr(std::string(builtin_prefix).size()));
        add_input(file);
        return file;
    }
    std::error_code error;
    if (!given.is_absolute() && !std::filesystem::exists(given, error)) {
        const Path shipped = core::find_scene(given);
        if (shipped != given) {
            throw core::InputError(core::Location{given.string(), 0, 0},
                                   "there is no such file; the scene of that name that ships with the program is " +
                                       std::string(builtin_prefix) + shipped.stem().string());
        }
    }
    add_input(given);
    return given;
}

core::Scene CommandFiles::scene(const Path& from, bool confined, const std::vector<std::string>& set) {
    std::vector<Path> files;
    core::Scene scene = core::read_scene(from, files, core::SceneReading{confined});
    for (const Path& file : files) {
        add_input(file);
    }
    for (const std::string& assignment : set) {
        core::set_value(scene, assignment);
    }
    return scene;
}

void CommandFiles::output(const std::string& option, const Path& given) {
    if (given.empty()) {
        return;
    }
    if (given == "-") {
        if (output_piped_) {
            throw core::InputError(option +
                                   ": two outputs cannot share the standard output; write one of them to a file");
        }
        output_piped_ = true;
    }
    struct stat info {};
    if ((given == "-" ? ::fstat(STDOUT_FILENO, &info) : ::stat(given.c_str(), &info)) == 0 && swallows(info)) {
        return;
    }
    std::vector<Identity> written{identity_of(given)};
    if (given != "-") {
        written.push_back(identity_of(core::followed(given).string() + ".partial")); // what OutputFile writes first
    }
    for (const Identity& identity : written) {
        for (const Named& input : inputs_) {
            if (identity == input.identity) {
                throw core::InputError(option + " " + given.string() + " would overwrite what is read, " + input.name +
                                       ": choose another name");
            }
        }
        for (const Named& other : outputs_) {
            if (identity == other.identity) {
                throw core::InputError(option + " " + given.string() + " is the same file as " + other.name +
                                       ": choose another name");
            }
        }
    }
    for (const Identity& identity : written) {
        outputs_.push_back({identity, option + " " + given.string()});
    }
}

std::unique_ptr<core::OutputFile> CommandFiles::open(const std::string& option, const Path& given) {
    output(option, given);
    return given.empty() ? nullptr : std::make_unique<core::OutputFile>(given);
}

void write_each(std::initializer_list<ReportFile> reports) {
    std::exception_ptr failure;
    for (const ReportFile& report : reports) {
        try {
            if (report.file != nullptr) {
                report.file->finish(report.text());
            }
        } catch (const core::InputError&) { // what cannot be written is one, too
            failure = failure ? failure : std::current_exception();
        }
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

void reject_set_of_capture(const std::vector<std::string>& set) {
    if (!set.empty()) {
        throw core::InputError("--set " + set.front() + ": a capture is what was recorded; values are set in scenes");
    }
}

} // namespace cairn::cli
