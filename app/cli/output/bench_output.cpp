#include "app/cli/output/bench_output.h"

#include "app/core/base/error.h"
#include "app/core/report/report.h"
#include "app/core/scene/scene.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace cairn::cli {

void check_writable(const Path& file) {
    if (file.empty() || file == "-") {
        return;
    }
    std::error_code error;
    const Path folder = file.has_parent_path() ? file.parent_path() : Path(".");
    if (!std::filesystem::is_directory(folder, error)) {
        throw core::InputError({file.string(), 0, 0}, "there is no folder " + folder.string());
    }
    if (std::filesystem::is_directory(file, error)) {
        throw core::InputError({file.string(), 0, 0}, "is a folder");
    }
}

void deliver(const Path& file, const core::Json& json, const std::string& tables) {
    if (!file.empty()) {
        core::write_text_file(file, core::text_of(json, 1));
    }
    if (file != "-" && (std::fputs(tables.c_str(), stdout) < 0 || std::fflush(stdout) != 0)) {
        throw core::InputError("the standard output could not be written");
    }
}

std::vector<Path> shipped_scenes() {
    std::vector<Path> files;
    for (const core::SceneFile& file : core::list_scenes(core::data_folder() / "scenes")) {
        files.push_back(file.path);
    }
    std::ranges::sort(files); // the listing goes by the names inside
    return files;
}

std::vector<core::SceneToMeasure> read_scenes(const std::vector<Path>& given) {
    std::vector<core::SceneToMeasure> scenes;
    for (const Path& file : given) {
        for (core::SceneToMeasure& found : core::scenes_to_measure(file)) {
            if (found.series.empty()) {
                core::make_world(found.scene); // which has the last word on what a body may be
            }
            scenes.push_back(std::move(found));
        }
    }
    return scenes;
}

} // namespace cairn::cli
