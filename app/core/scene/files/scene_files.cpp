// Scenes on disk: reading, saving, and where the ones that ship with the program are.
#include "app/core/base/build_facts.h"
#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/base/files/text_file.h"
#include "app/core/scene/gltf/file/gltf_mesh.h"
#include "app/core/scene/gltf/gltf_scene.h"
#include "app/core/scene/json/document.h"
#include "app/core/scene/parser/scene_parser.h"
#include "app/core/scene/scene.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace cairn::core {

namespace fs = std::filesystem;

Scene read_scene(const fs::path& path, std::vector<fs::path>& files, const SceneReading& how) {
    files.push_back(path);
    const std::string name = shown_name(path);
    std::string text = read_whole_file(path);
    std::error_code error;
    const fs::path canonical = fs::canonical(path, error);
    const bool piped = name != path.string(); // then relative paths begin where the program was started
    if (is_gltf_name(path) || (piped && looks_like_glb(text))) {
        const fs::path folder = piped ? fs::path(".") : path.parent_path();
        FileAccess access{&files, {}};
        if (how.confined) {
            access.confined_to = fs::canonical(folder.empty() ? "." : folder);
        }
        return scene_from_gltf(std::move(text), name, folder, access, how);
    }
    return scene_from_document(Document(text, name), piped ? fs::path(".") : path.parent_path(),
                               error || piped ? path : canonical, &files, how);
}

Scene read_scene(const fs::path& path, const SceneReading& how) {
    std::vector<fs::path> files;
    return read_scene(path, files, how);
}

Scene parse_scene(std::string_view text, const std::string& name, const fs::path& folder) {
    return scene_from_document(Document(text, name), folder, {});
}

void save_scene(const Scene& scene, const fs::path& path) {
    std::string text;
    try {
        text = write_scene(scene);
    } catch (const InputError& error) {
        throw InputError({path.string(), 0, 0}, "not saved: " + error.message());
    }
    replace_file(path, text);
}

fs::path data_folder() {
    std::error_code error;
    const auto holds_data = [&error](const fs::path& folder) { return fs::is_directory(folder / "scenes", error); };
    if (const char* chosen = std::getenv("CAIRN_DATA"); chosen != nullptr && *chosen != '\0') {
        if (!holds_data(chosen)) {
            throw InputError("the environment variable CAIRN_DATA names " + std::string(chosen) +
                             ", which has no folder \"scenes\"");
        }
        return chosen;
    }
    // An installed program before the source tree: that may still be there, and may have moved on.
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = (program.parent_path() / data_from_program).lexically_normal();
    if (!error && holds_data(installed)) {
        return installed;
    }
    if (holds_data(source_data)) {
        return source_data;
    }
    throw InputError("the program's scenes were not found in " + installed.string() + " nor in " + source_data +
                     "; set CAIRN_DATA to the folder that holds \"scenes\" and \"assets\"");
}

fs::path builtin_scene(const std::string& name) {
    const fs::path folder = data_folder() / "scenes";
    const fs::path file = folder / (name + ".json");
    std::error_code error;
    if (name.empty() || name.find('/') != name.npos || name == "scene.schema" || !fs::is_regular_file(file, error)) {
        std::vector<std::string> names;
        for (const SceneFile& each : list_scenes(folder)) {
            names.push_back(each.path.stem().string());
        }
        std::ranges::sort(names);
        const std::vector<std::string_view> known(names.begin(), names.end());
        throw InputError("builtin:" + name + ": there is no such scene;" + suggestion(name, known));
    }
    return file;
}

fs::path find_scene(const fs::path& given) {
    std::error_code error;
    if (given.empty() || given.is_absolute() || fs::exists(given, error)) {
        return given;
    }
    const fs::path shipped = data_folder() / "scenes";
    for (const fs::path& candidate :
         {shipped / given, shipped.parent_path() / given, shipped / (given.string() + ".json")}) {
        if (fs::is_regular_file(candidate, error)) {
            return candidate;
        }
    }
    return given;
}

std::vector<SceneFile> list_scenes(const fs::path& folder) {
    std::error_code error;
    std::vector<SceneFile> files;
    fs::directory_iterator entry(folder, error);
    if (error) {
        throw InputError({folder.string(), 0, 0}, "this folder cannot be listed: " + error.message());
    }
    for (; entry != fs::directory_iterator(); entry.increment(error)) {
        const fs::path& path = entry->path();
        if (path.extension() != ".json" || path.stem().extension() == ".schema" || !entry->is_regular_file(error)) {
            continue;
        }
        SceneFile file{path, path.stem().string(), ""};
        try {
            const std::string text = read_whole_file(path);
            const SceneTitle title = title_from_document(Document(text, path.string()));
            file.name = title.name.empty() ? file.name : title.name;
            file.description = title.description.substr(0, title.description.find('\n'));
        } catch (const InputError& problem) {
            // Still listed: whoever picks it is told the same again, and where to mend it.
            file.description = problem.what();
        }
        files.push_back(std::move(file));
    }
    std::ranges::sort(files, [](const SceneFile& a, const SceneFile& b) {
        return a.name != b.name ? a.name < b.name : a.path < b.path;
    });
    return files;
}

} // namespace cairn::core
