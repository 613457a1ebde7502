#include "app/ui/context/context.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/input/key_codes.h"
#include "app/ui/opening/mesh_import.h"
#include "app/ui/opening/mesh_pictures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <imgui.h>

namespace cairn::ui {

namespace {

struct ShapeText {
    const char *id, *title, *what;
};
constexpr std::array<ShapeText, 3> shape_texts{{
    {"hull", "Hull", "One convex body around all vertices; hollows are filled."},
    {"decomposed", "Decomposed",
     "A body of convex hulls that follow the surface. They are found once for each file, which takes a while."},
    {"fixed", "Fixed mesh", "The surface itself, which never moves; what comes from behind passes."},
}};

// A row of buttons of which one is lit. Returns the one that was pressed, or `chosen`.
template <class Name>
std::size_t row(Widgets& w, const char* id, std::size_t count, std::size_t chosen, std::size_t enabled, Name&& name) {
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = (ImGui::GetContentRegionAvail().x + gap) / static_cast<float>(count) - gap;
    std::size_t pressed = chosen;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) {
            ImGui::SameLine();
        }
        const auto& [which, title] = name(i);
        if (w.button(joined(id, which).c_str(), title, "", width, i < enabled, i == chosen)) {
            pressed = i;
        }
    }
    return pressed;
}

void begin_row(Widgets& w, const char* label) {
    ImGui::AlignTextToFramePadding();
    w.muted(label, false);
    ImGui::SameLine(w.label_width() + 10.0f * w.scale);
}

// One above each button of the row below. A click chooses, too.
void draw_pictures(Widgets& w, MeshImport& import) {
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = (ImGui::GetContentRegionAvail().x + gap) / static_cast<float>(shape_texts.size()) - gap;
    // Large text leaves them less of the window, not the buttons below.
    const float most = std::max(ImGui::GetIO().DisplaySize.y - 260.0f * w.scale, 40.0f * w.scale);
    const ImVec2 size(width, std::min(width * static_cast<float>(MeshPictures::height) / MeshPictures::width, most));
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < shape_texts.size(); ++i) {
        if (i > 0) {
            ImGui::SameLine();
        }
        const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + size.x, at.y + size.y);
        const auto shape = static_cast<ImportShape>(i);
        const bool possible = import.has_faces() || shape == ImportShape::hull;
        const FrameText id = joined("mesh.picture.", shape_texts[i].id);
        if (ImGui::InvisibleButton(id.c_str(), size) && possible) {
            import.settings.shape = shape;
        }
        const MeshPictures::Picture& picture = import.pictures->of(shape);
        FrameText words;
        draw->AddRectFilled(at, end, IM_COL32(24, 28, 34, 255), 4.0f * w.scale);
        if (picture.status == MeshPictures::Status::ready) {
            draw->AddImageRounded(
                reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(picture.texture.name())), // NOLINT
                at, end, ImVec2(0, 0), ImVec2(1, 1), IM_COL32_WHITE, 4.0f * w.scale);
            w.mark(id, {at.x, at.y, size.x, size.y}); // for who waits for it
            if (shape == ImportShape::decomposed) {
                words = formatted(picture.parts == 1 ? "%zu hull" : "%zu hulls", picture.parts);
            }
        } else if (!possible) {
            words = "No faces";
        } else if (picture.status == MeshPictures::Status::failed) {
            words = picture.problem;
        } else {
            words = shape == ImportShape::decomposed
                        ? formatted("%.0f %%", std::floor(100.0 * import.pictures->progress()))
                        : "…";
        }
        if (!words.empty()) {
            const float margin = 5.0f * w.scale, most = size.x - 2.0f * margin;
            const ImVec2 text = ImGui::CalcTextSize(words.c_str(), nullptr, false, most);
            ImGui::PushClipRect(at, end, true);
            draw->AddRectFilled(ImVec2(at.x, end.y - 2.0f * margin - text.y), end, IM_COL32(24, 28, 34, 200));
            draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                          ImVec2(at.x + margin, std::max(at.y + margin, end.y - margin - text.y)),
                          ImGui::GetColorU32(ImGuiCol_Text), words.c_str(), nullptr, most);
            ImGui::PopClipRect();
        }
    }
}

void draw_choices(Widgets& w, MeshImport& import) {
    MeshImportSettings& s = import.settings;
    if (import.pictures != nullptr) {
        draw_pictures(w, import);
    }
    const std::size_t shape =
        row(w, "mesh.", shape_texts.size(), static_cast<std::size_t>(s.shape), import.has_faces() ? 3 : 1,
            [](std::size_t i) { return std::pair(shape_texts[i].id, shape_texts[i].title); });
    s.shape = static_cast<ImportShape>(shape);
    w.muted(shape_texts[shape].what);
    if (import.states_unit()) {
        return;
    }
    begin_row(w, "File's unit");
    s.unit = row(w, "mesh.unit.", length_units.size(), s.unit, length_units.size(),
                 [](std::size_t i) { return std::pair(length_units[i].name, length_units[i].name); });
    begin_row(w, "File's up axis");
    s.y_up = row(w, "mesh.up.", 2, s.y_up ? 0 : 1, 2,
                 [](std::size_t i) { return i == 0 ? std::pair("y", "Y") : std::pair("z", "Z"); }) == 0;
}

} // namespace

void draw_mesh_import(Context& ctx) {
    MeshImport& import = ctx.get<MeshImport>();
    import.follow(ctx);
    if (!import.is_open()) {
        return;
    }
    Widgets& w = ctx.widgets;
    const glm::vec2 window = ctx.window_size();
    const float s = w.scale;
    bool accept = false, cancel = false;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(18.0f * s, 16.0f * s));
    if (begin_modal("mesh", window.x, window.y, std::min(460.0f * s, window.x - 16.0f * s))) {
        w.heading(joined("Add ", import.name()), true);
        ImGui::TextUnformatted(import.counts().c_str());
        w.words(import.size_text(), theme::text);
        ImGui::Dummy(ImVec2(1.0f, 6.0f * s));
        if (import.working()) {
            w.progress("mesh.progress", static_cast<float>(import.progress()));
        } else {
            draw_choices(w, import);
            ImGui::Dummy(ImVec2(1.0f, 6.0f * s));
            accept = w.button("mesh.add", "Add", "", 120.0f * s);
            ImGui::SameLine();
        }
        cancel = w.button("mesh.cancel", "Cancel", "", 120.0f * s);
        w.mark_window("mesh");
    }
    ImGui::End();
    ImGui::PopStyleVar();
    if (accept) {
        import.accept(ctx);
    } else if (cancel) {
        import.cancel(ctx);
    }
}

bool mesh_import_key(Context& ctx, int key) {
    MeshImport& import = ctx.get<MeshImport>();
    if (!import.is_open()) {
        return false;
    }
    if (key == key_enter || key == key_keypad_enter) {
        import.accept(ctx);
    } else if (key == key_escape) {
        import.cancel(ctx);
    }
    return true;
}

} // namespace cairn::ui
