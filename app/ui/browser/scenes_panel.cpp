#include "app/ui/browser/scene_browser.h"
#include "app/ui/document/document.h"
#include "app/ui/document/scene_list.h"
#include "app/ui/input/actions.h"
#include "app/ui/opening/opening.h"

#include <algorithm>
#include <cctype>

namespace cairn::ui {

void scenes_panel(Context& ctx) {
    Widgets& w = ctx.widgets;
    list_scenes_once(ctx);
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x;
    SceneList& list = ctx.get<SceneList>();
    w.text("scenes.search", "Search", list.search, width - 84.0f * w.scale - spacing);
    ImGui::SameLine();
    if (w.button("scenes.reload", "Reload", joined("Reloads this scene's file (", ctx.key_of("reload"), ").").c_str(),
                 84.0f * w.scale)) {
        reload_safely(ctx);
    }

    if (w.button("scenes.browse", "Browse with pictures",
                 joined("Built-in, your own and recent scenes (", ctx.key_of("browser"), ").").c_str(), width)) {
        open_browser(ctx);
    }
    std::filesystem::path open;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImVec4(0, 0, 0, 0.18f));
    const float row = ImGui::GetTextLineHeightWithSpacing();
    if (ImGui::BeginChild("scenes.list", ImVec2(0.0f, row * 7.0f), true)) {
        int shown = 0;
        for (const SceneRow& scene : list.rows) {
            const auto found = std::search(
                scene.searched.begin(), scene.searched.end(), list.search.begin(), list.search.end(),
                [](char in_row, unsigned char wanted) { return in_row == static_cast<char>(std::tolower(wanted)); });
            if (found == scene.searched.end() && !list.search.empty()) {
                continue;
            }
            ++shown;
            if (w.entry(scene.path.native(), scene.item, scene.path == ctx.get<Document>().file)) {
                open = scene.path;
            }
            w.mark(scene.mark);
            w.tip(scene.tip);
        }
        if (shown == 0) {
            w.muted(list.search.empty() ? "No scenes found." : "Nothing matches the search.");
        }
    }
    ImGui::EndChild();
    ImGui::PopStyleColor();

    const float half = 0.5f * (width - spacing);
    if (w.button("scenes.new", "New", joined("An empty scene with a ground (", ctx.key_of("new_scene"), ").").c_str(),
                 half)) {
        new_scene(ctx);
    }
    ImGui::SameLine();
    if (w.button("scenes.open", "Open…", joined("A file of any folder (", ctx.key_of("open"), ").").c_str(), half)) {
        choose_and_open(ctx);
    }
    if (w.button("scenes.save", "Save",
                 joined("What was built, with this camera, to the scene's file (", ctx.key_of("save"), ").").c_str(),
                 half)) {
        save(ctx);
    }
    ImGui::SameLine();
    if (w.button(
            "scenes.save_as", "Save as…",
            joined("The world as it is now, with this camera, to another file (", ctx.key_of("save_as"), ").").c_str(),
            half)) {
        save_as(ctx);
    }
    if (!open.empty()) {
        open_safely(ctx, open);
    }
}

} // namespace cairn::ui
