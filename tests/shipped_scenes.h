// The files of scenes/ by their names alone: what a test program asks for at each start.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

namespace cairn {

inline std::vector<std::filesystem::path> shipped_scene_files() {
    std::vector<std::filesystem::path> scenes;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(CAIRN_SOURCE_DIR) / "scenes")) {
        if (entry.path().extension() == ".json" && entry.path().filename() != "scene.schema.json") {
            scenes.push_back(entry.path());
        }
    }
    std::sort(scenes.begin(), scenes.end());
    return scenes;
}

} // namespace cairn
