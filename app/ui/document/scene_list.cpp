#include "app/ui/document/scene_list.h"

#include "app/ui/text/fuzzy.h"
#include "app/ui/text/paths.h"

namespace cairn::ui {

namespace {

void list_scenes_again(Context& ctx) {
    const auto read = [&](const std::filesystem::path& folder) {
        try {
            return core::list_scenes(folder);
        } catch (const std::exception& error) {
            ctx.log.warning(error.what());
            return std::vector<core::SceneFile>{};
        }
    };
    SceneList& list = ctx.get<SceneList>();
    list.shipped = read(core::data_folder() / "scenes");
    std::error_code none;
    list.own.clear();
    if (std::filesystem::is_directory(user_folder("scenes"), none)) {
        list.own = read(user_folder("scenes"));
    }
    list.rows.clear();
    for (const auto* group : {&list.shipped, &list.own}) {
        for (const core::SceneFile& file : *group) {
            const std::string path = file.path.string(), stem = file.path.stem().string();
            const std::string& title = file.name.empty() ? stem : file.name;
            list.rows.push_back({file.path, title, "scene." + stem,
                                 (file.description.empty() ? title : file.description) + "\n" + path,
                                 lower_case(file.name + " " + file.description + " " + stem)});
        }
    }
    list.listed = true;
}

} // namespace

void list_scenes_once(Context& ctx) {
    if (!ctx.get<SceneList>().listed) {
        list_scenes_again(ctx);
    }
}

} // namespace cairn::ui
