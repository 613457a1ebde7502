#include "app/core/base/joined_words.h"
#include "app/ui/input/actions.h"
#include "app/ui/keys/key_editor.h"
#include "app/ui/panels/panels.h"
#include "app/ui/screen/layout.h"
#include "app/ui/tour/tour.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <string_view>

namespace cairn::ui {

namespace {

struct HelpRow {
    std::string keys; // none: `text` heads a group
    const char* text = "";
    bool loose = false; // the text stands right behind the keys, which may be long
};

void add_mouse(std::vector<HelpRow>& rows) {
    rows.push_back({"", "Mouse"});
    for (const MouseBinding& binding : mouse_bindings()) {
        rows.push_back({binding.gesture, binding.description, true});
    }
}

// Actions that follow each other and differ in their direction alone share a row.
struct SharedRow {
    std::string_view first; // action
    int actions;
    const char* text;
};
constexpr SharedRow shared_rows[] = {
    {"play_back", 2, "Play the history back, forwards"},
    {"last_mark", 2, "Go to the previous, the next marker"},
    {"branch_above", 2, "Take up the branch above, below"},
    {"slower", 2, "Slower, faster"},
    {"select_next", 2, "Select the next, the previous body"},
    {"lab_back", 2, "In the lab: previous, next step"},
    {"aim_left", 4, "Move the crosshair (Shift: finely)"},
    {"aim_nearer", 2, "As the wheel (Shift: Ctrl+wheel)"},
    {"player_left", 4, "Move left, right, away, nearer"},
    {"player_up", 2, "Move up, down"},
    {"player_shape_1", 9, "Turn into one of nine shapes"},
    {"fly_forward", 6, "Fly ahead, to the sides, up and down"},
    {"next_colours", 2, "Next, previous colour mode"},
    {"larger_text", 2, "Larger, smaller text"},
};

// By groups, in the order of the table.
std::vector<HelpRow> help_rows(const Actions& actions) {
    std::vector<HelpRow> rows;
    add_mouse(rows);
    const char* group = "";
    const auto& all = actions.all();
    for (std::size_t i = 0; i < all.size();) {
        const auto shared = std::find_if(std::begin(shared_rows), std::end(shared_rows),
                                         [&](const SharedRow& row) { return row.first == all[i]->id; });
        const char* text = shared == std::end(shared_rows) ? all[i]->title.c_str() : shared->text;
        const std::size_t end = shared == std::end(shared_rows)
                                    ? i + 1
                                    : std::min(i + static_cast<std::size_t>(shared->actions), all.size());
        if (std::strcmp(group, all[i]->group) != 0) {
            group = all[i]->group;
            rows.push_back({"", group});
        }
        std::vector<std::string> keys;
        for (; i < end; ++i) {
            const std::vector<std::string> of_action = keys_in(actions.bindings(), *all[i]);
            keys.insert(keys.end(), of_action.begin(), of_action.end());
        }
        std::string words;
        if (keys == std::vector<std::string>{"1", "2", "3", "4", "5", "6", "7", "8", "9"}) {
            words = "1 to 9";
        } else if (keys == std::vector<std::string>{"Left", "Right", "Up", "Down"}) {
            words = "Arrows";
        } else {
            words = core::joined_words(keys);
        }
        if (!words.empty()) {
            rows.push_back({words, text});
        }
    }
    return rows;
}

struct HelpColumn {
    std::size_t first = 0, end = 0;       // of the rows
    float key_width = 0.0f, width = 0.0f; // window units
};

float width_in(ImFont* font, const char* text) {
    ImGui::PushFont(font);
    const float width = ImGui::CalcTextSize(text).x;
    ImGui::PopFont();
    return width;
}

struct RowWidths {
    float keys = 0.0f, words = 0.0f;
};

std::vector<RowWidths> measure(const std::vector<HelpRow>& rows, const Widgets& w) {
    std::vector<RowWidths> widths;
    for (const HelpRow& row : rows) {
        const float words = row.keys.empty() ? width_in(w.fonts.strong, row.text) : ImGui::CalcTextSize(row.text).x;
        widths.push_back({width_in(w.fonts.mono, row.keys.c_str()), words});
    }
    return widths;
}

// The columns of the least width in all, none of more than `room` rows; a heading stays with what it heads, and a break
// within a group costs as much as a `gap`. The last column that a row can end is chosen row by row, by what is then
// the best of all rows before it.
std::vector<HelpColumn> narrowest_columns(const std::vector<HelpRow>& rows, const std::vector<RowWidths>& widths,
                                          std::size_t room, float between, float gap) {
    std::vector<HelpColumn> last(rows.size() + 1);
    std::vector<float> cost(rows.size() + 1, std::numeric_limits<float>::max());
    cost[0] = 0.0f;
    for (std::size_t first = 0; first < rows.size(); ++first) {
        float key_width = 0.0f, text_width = 0.0f, own_width = 0.0f;
        const float before = cost[first] + (rows[first].keys.empty() ? gap : 2.0f * gap);
        for (std::size_t i = first; i < std::min(first + room, rows.size()); ++i) {
            if (rows[i].keys.empty()) {
                own_width = std::max(own_width, widths[i].words);
                continue;
            }
            if (rows[i].loose) {
                own_width = std::max(own_width, widths[i].keys + between + widths[i].words);
            } else {
                key_width = std::max(key_width, widths[i].keys);
                text_width = std::max(text_width, widths[i].words);
            }
            const float width = std::max(key_width + between + text_width, own_width);
            if (before + width < cost[i + 1]) {
                cost[i + 1] = before + width;
                last[i + 1] = {first, i + 1, key_width, width};
            }
        }
    }
    std::vector<HelpColumn> columns;
    for (std::size_t end = rows.size(); end > 0; end = columns.back().first) {
        columns.push_back(last[end]);
    }
    std::reverse(columns.begin(), columns.end());
    return columns;
}

// Columns that need no scrolling; where the window is too narrow for those, such as need the least.
// `room` in rows, the widths in window units.
std::vector<HelpColumn> help_columns(const std::vector<HelpRow>& rows, const Widgets& w, std::size_t room, float width,
                                     float between, float gap) {
    const std::vector<RowWidths> widths = measure(rows, w);
    for (room = std::max(room, std::size_t{2});; ++room) { // a heading and what it heads
        std::vector<HelpColumn> columns = narrowest_columns(rows, widths, room, between, gap);
        float total = -gap;
        for (const HelpColumn& column : columns) {
            total += column.width + gap;
        }
        if (total <= width || columns.size() == 1) {
            return columns;
        }
    }
}

// The text at (x, y) of the window, on more lines where it would go beyond `end`; from `indent` on below the keys
// where there is hardly room beside them. Returns how high it is.
float help_text(const char* text, float x, float indent, float y, float end, float line) {
    float below = 0.0f;
    const float width = ImGui::CalcTextSize(text).x;
    if (x + width > end && end - x < 0.5f * (end - indent)) {
        x = indent;
        below = line;
    }
    ImGui::SetCursorPos(ImVec2(x, y + below));
    ImGui::PushTextWrapPos(end + 1.0f);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    return below + ImGui::CalcTextSize(text, nullptr, false, end + 1.0f - x).y;
}

} // namespace

void draw_help(Context& ctx) {
    Layout& layout = ctx.get<Layout>();
    if (!layout.show_help) {
        return;
    }
    Widgets& w = ctx.widgets;
    const float s = w.scale, gap = 26.0f * s, between = 12.0f * s, margin = 8.0f * s;
    const glm::vec2 window = ctx.window_size();
    const ImVec2 padding(20.0f * s, 11.0f * s);
    ImGui::SetNextWindowPos(ImVec2(0.5f * window.x, 0.5f * window.y), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(window.x - margin, window.y - margin));
    ImGui::SetNextWindowBgAlpha(1.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    const bool open =
        ImGui::Begin("help", nullptr, (fixed_window & ~ImGuiWindowFlags_NoNav) | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PopStyleVar();
    if (open) {
        if (w.button("help.tour", "Show the tour", "The short tour of the first run.")) {
            layout.show_help = false;
            begin_tour(ctx);
        }
        ImGui::SameLine(0.0f, between);
        if (w.button("help.keys", "Change keys", "Any action can have other keys.")) {
            layout.show_help = false;
            open_key_editor(ctx);
        }
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, 1.0f * s));
        const std::vector<HelpRow> rows = help_rows(ctx.actions);
        const float line = ImGui::GetTextLineHeightWithSpacing();
        const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY() + 4.0f * s;
        // Below what stands above, and above the padding and the spacing of the last row.
        const float high = window.y - margin - (top + ImGui::GetScrollY()) - padding.y - 3.0f * s;
        const float wide = window.x - margin - 2.0f * padding.x;
        const std::vector<HelpColumn> columns =
            help_columns(rows, w, static_cast<std::size_t>(std::max(high / line, 1.0f)), wide, between, gap);
        float x = left, lowest = top;
        for (const HelpColumn& column : columns) {
            float y = top;
            for (std::size_t i = column.first; i < column.end; ++i) {
                const HelpRow& row = rows[i];
                float high_as = line;
                ImGui::SetCursorPos(ImVec2(x, y));
                if (row.keys.empty()) {
                    w.heading(row.text);
                } else {
                    ImGui::PushFont(w.fonts.mono);
                    ImGui::TextColored(theme::accent, "%s", row.keys.c_str());
                    ImGui::PopFont();
                    const float keys = row.loose ? ImGui::GetItemRectSize().x : column.key_width;
                    high_as =
                        std::max(line, help_text(row.text, x + keys + between, x + between, y, left + wide, line));
                }
                y += high_as;
            }
            lowest = std::max(lowest, y);
            x += column.width + gap;
        }
        ImGui::SetCursorPos(ImVec2(left, lowest));
        ImGui::Dummy(ImVec2(1.0f, 1.0f));
        w.mark("help.end");
        ImGui::PopStyleVar();
        w.mark_window("help");
    }
    ImGui::End();
}

} // namespace cairn::ui
