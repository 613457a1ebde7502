#include "app/ui/actions.h"
#include "app/ui/fuzzy.h"
#include "app/ui/panels/panels.h"
#include "app/ui/paths.h"

#include <algorithm>
#include <cctype>

namespace cairn::ui {

namespace {

void list_scenes_again(App& app) {
    const auto read = [&](const std::filesystem::path& folder) {
        try {
            return core::list_scenes(folder);
        } catch (const std::exception& error) {
            app.log.warning(error.what());
            return std::vector<core::SceneFile>{};
        }
    };
    app.scenes.shipped = read(core::data_folder() / "scenes");
    std::error_code none;
    app.scenes.own.clear();
    if (std::filesystem::is_directory(user_folder("scenes"), none)) {
        app.scenes.own = read(user_folder("scenes"));
    }
    app.scenes.rows.clear();
    for (const auto* group : {&app.scenes.shipped, &app.scenes.own}) {
        for (const core::SceneFile& file : *group) {
            const std::string path = file.path.string(), stem = file.path.stem().string();
            const std::string& title = file.name.empty() ? stem : file.name;
            app.scenes.rows.push_back({file.path, title + "##" + path, "scene." + stem,
                                       (file.description.empty() ? title : file.description) + "\n" + path,
                                       lower_case(file.name + " " + file.description + " " + stem)});
        }
    }
    app.scenes.listed = true;
}

} // namespace

void list_scenes_once(App& app) {
    if (!app.scenes.listed) {
        list_scenes_again(app);
    }
}

void scenes_panel(App& app) {
    Widgets& w = app.widgets;
    if (!w.section("scenes", "Scenes", false)) {
        return;
    }
    list_scenes_once(app);
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x;
    w.text("scenes.search", "Search", app.scenes.search, width - 84.0f * w.scale - spacing);
    ImGui::SameLine();
    if (w.button("scenes.reload", "Reload", joined("Reloads this scene's file (", key_of(Action::reload), ").").c_str(),
                 84.0f * w.scale)) {
        reload_safely(app);
    }

    if (w.button("scenes.browse", "Browse with pictures",
                 joined("Built-in, your own and recent scenes (", key_of(Action::browser), ").").c_str(), width)) {
        open_browser(app);
    }
    std::filesystem::path open;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImVec4(0, 0, 0, 0.18f));
    const float row = ImGui::GetTextLineHeightWithSpacing();
    if (ImGui::BeginChild("scenes.list", ImVec2(0.0f, row * 7.0f), true)) {
        int shown = 0;
        for (const SceneRow& scene : app.scenes.rows) {
            const auto found = std::search(
                scene.searched.begin(), scene.searched.end(), app.scenes.search.begin(), app.scenes.search.end(),
                [](char in_row, unsigned char wanted) { return in_row == static_cast<char>(std::tolower(wanted)); });
            if (found == scene.searched.end() && !app.scenes.search.empty()) {
                continue;
            }
            ++shown;
            if (ImGui::Selectable(scene.item.c_str(), scene.path == app.document.file)) {
                open = scene.path;
            }
            w.mark(scene.mark);
            w.tip(scene.tip);
        }
        if (shown == 0) {
            w.muted(app.scenes.search.empty() ? "No scenes found." : "Nothing matches the search.");
        }
    }
    ImGui::EndChild();
    ImGui::PopStyleColor();

    const float half = 0.5f * (width - spacing);
    if (w.button("scenes.new", "New", joined("An empty scene with a ground (", key_of(Action::new_scene), ").").c_str(),
                 half)) {
        new_scene(app);
    }
    ImGui::SameLine();
    if (w.button("scenes.open", "Open…", joined("A file of any folder (", key_of(Action::open), ").").c_str(), half)) {
        choose_and_open(app);
    }
    if (w.button("scenes.save", "Save",
                 joined("What was built, with this camera, to the scene's file (", key_of(Action::save), ").").c_str(),
                 half)) {
        save(app);
    }
    ImGui::SameLine();
    if (w.button("scenes.save_as", "Save as…",
                 joined("The world as it is now, with this camera, to another file (", key_of(Action::save_as), ").")
                     .c_str(),
                 half)) {
        save_as(app);
    }
    if (!open.empty()) {
        open_safely(app, open);
    }
}

} // namespace cairn::ui
