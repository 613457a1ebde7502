// The scenes that come with the program and those of the person.
#pragma once

#include "app/core/scene/scene.h"
#include "app/ui/context/context.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::ui {

// A scene in the list of the Scenes panel, with the texts that the list needs for every picture.
struct SceneRow {
    std::filesystem::path path;
    std::string item, mark, tip;
    std::string searched; // in small letters
};

struct SceneList : Part {
    std::vector<core::SceneFile> shipped, own;
    std::vector<SceneRow> rows;
    std::string search;
    bool listed = false;
};

// Lists the scenes if that has not been done, or `listed` was taken back.
void list_scenes_once(Context& ctx);

} // namespace cairn::ui
