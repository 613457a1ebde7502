#include "app/ui/browser/scene_browser.h"
#include "app/ui/film/film_state.h"
#include "app/ui/input/actions.h"
#include "app/ui/keys/key_editor.h"
#include "app/ui/panels/panels.h"
#include "app/ui/screen/frame_figures.h"
#include "app/ui/screen/layout.h"
#include "app/ui/tools/player/player.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tour/tour.h"

#include <algorithm>
#include <cmath>
#include <cstring>
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

// By groups, in the order of the table; keys that do the same share a row.
std::vector<HelpRow> help_rows(const Actions& actions) {
    std::vector<HelpRow> rows;
    add_mouse(rows);
    const char* group = "";
    bool in_row = false; // the shape before this one
    for (const auto& action : actions.all()) {
        std::string keys;
        for (const std::string& key : keys_in(actions.bindings(), *action)) {
            keys += (keys.empty() ? "" : ", ") + key;
        }
        if (std::strcmp(group, action->group) != 0) {
            group = action->group;
            rows.push_back({"", group});
        }
        // The nine shapes share a row as long as their keys follow each other.
        constexpr std::string_view shape = "player_shape_";
        const bool of_shapes = action->id.starts_with(shape) && keys == action->id.substr(shape.size());
        in_row = of_shapes && (keys == "1" || in_row);
        if (in_row && keys != "1") {
            rows.back().keys = "1 to " + keys;
            rows.back().text = "Turn into one of nine shapes";
        } else if (!keys.empty()) {
            rows.push_back({keys, action->title.c_str()});
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

void measure(HelpColumn& column, const std::vector<HelpRow>& rows, const Widgets& w, float between) {
    float text_width = 0.0f, loose_width = 0.0f;
    for (std::size_t i = column.first; i < column.end; ++i) {
        const HelpRow& row = rows[i];
        const float keys = width_in(w.fonts.mono, row.keys.c_str());
        const float words = ImGui::CalcTextSize(row.text).x;
        if (row.loose) {
            loose_width = std::max(loose_width, keys + between + words);
        } else if (row.keys.empty()) {
            loose_width = std::max(loose_width, width_in(w.fonts.strong, row.text));
        } else {
            column.key_width = std::max(column.key_width, keys);
            text_width = std::max(text_width, words);
        }
    }
    column.width = std::max(column.key_width + between + text_width, loose_width);
}

// Whole groups, as many below each other as there is room for.
std::vector<HelpColumn> columns_of_groups(const std::vector<HelpRow>& rows, std::size_t room) {
    std::vector<HelpColumn> columns(1);
    for (std::size_t i = 0; i < rows.size();) {
        std::size_t end = i + 1;
        while (end < rows.size() && !rows[end].keys.empty()) {
            ++end;
        }
        if (columns.back().end > columns.back().first && end - columns.back().first > room) {
            columns.push_back({i, i});
        }
        columns.back().end = i = end;
    }
    return columns;
}

// So many columns of about the same length; a heading stays with what it heads.
std::vector<HelpColumn> even_columns(const std::vector<HelpRow>& rows, std::size_t count) {
    std::vector<HelpColumn> columns;
    for (std::size_t i = 0, first = 0; i < count; ++i) {
        std::size_t end = rows.size() * (i + 1) / count;
        while (end < rows.size() && end > first + 1 && rows[end - 1].keys.empty()) {
            --end;
        }
        columns.push_back({first, end});
        first = end;
    }
    return columns;
}

// As few columns as need no scrolling; where the window is too narrow for that, as many as it has room for, and what is
// then too long is scrolled. `room` in rows, the widths in window units.
std::vector<HelpColumn> help_columns(const std::vector<HelpRow>& rows, const Widgets& w, std::size_t room, float width,
                                     float between, float gap) {
    std::vector<HelpColumn> columns = columns_of_groups(rows, room);
    for (;;) {
        float total = -gap;
        for (HelpColumn& column : columns) {
            measure(column, rows, w, between);
            total += column.width + gap;
        }
        if (total <= width || columns.size() == 1) {
            return columns;
        }
        columns = even_columns(rows, columns.size() - 1);
    }
}

} // namespace

void draw_help(Context& ctx) {
    if (!ctx.get<Layout>().show_help) {
        return;
    }
    Widgets& w = ctx.widgets;
    const float s = w.scale, gap = 26.0f * s, between = 12.0f * s, margin = 8.0f * s;
    const ImVec2 window(static_cast<float>(ctx.window.width), static_cast<float>(ctx.window.height));
    const ImVec2 padding(20.0f * s, 11.0f * s);
    ImGui::SetNextWindowPos(ImVec2(0.5f * window.x, 0.5f * window.y), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(window.x - margin, window.y - margin));
    ImGui::SetNextWindowBgAlpha(1.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    const bool open = ImGui::Begin("help", nullptr,
                                   ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                       ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_AlwaysAutoResize |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (open) {
        if (w.button("help.tour", "Show the tour", "The short tour of the first run.")) {
            ctx.get<Layout>().show_help = false;
            begin_tour(ctx);
        }
        ImGui::SameLine(0.0f, between);
        if (w.button("help.keys", "Change keys", "Any action can have other keys.")) {
            ctx.get<Layout>().show_help = false;
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
                ImGui::SetCursorPos(ImVec2(x, y));
                if (row.keys.empty()) {
                    ImGui::PushFont(w.fonts.strong);
                    ImGui::TextUnformatted(row.text);
                    ImGui::PopFont();
                } else {
                    ImGui::PushFont(w.fonts.mono);
                    ImGui::TextColored(theme::accent, "%s", row.keys.c_str());
                    ImGui::PopFont();
                    const float keys = row.loose ? ImGui::GetItemRectSize().x : column.key_width;
                    ImGui::SetCursorPos(ImVec2(x + keys + between, y));
                    ImGui::TextUnformatted(row.text);
                }
                y += line;
            }
            lowest = std::max(lowest, y);
            x += column.width + gap;
        }
        ImGui::SetCursorPos(ImVec2(left, lowest));
        ImGui::Dummy(ImVec2(1.0f, 1.0f));
        w.mark("help.end");
        ImGui::PopStyleVar();
        const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        w.mark("help", {at.x, at.y, size.x, size.y});
    }
    ImGui::End();
}

namespace {

// A short coloured word at the top edge: what state the program is in.
struct Pill {
    const char* name;
    FrameText text;
    ImVec4 colour;
    float width(float s) const { return ImGui::CalcTextSize(text.c_str()).x + 34.0f * s; }
};

void draw_pill(Context& ctx, float x, float top, const Pill& pill) {
    const float s = ctx.widgets.scale, width = pill.width(s), height = ImGui::GetTextLineHeight() + 8.0f * s;
    ImDrawList* draw = ImGui::GetForegroundDrawList();
    draw->AddRectFilled(ImVec2(x, top), ImVec2(x + width, top + height), theme::packed(theme::panel), 0.5f * height);
    draw->AddCircleFilled(ImVec2(x + 15.0f * s, top + 0.5f * height), 4.0f * s, theme::packed(pill.colour), 16);
    draw->AddText(ImVec2(x + 25.0f * s, top + 4.0f * s), theme::packed(theme::text), pill.text.c_str());
    ctx.widgets.mark(joined("pill.", pill.name), {x, top, width, height});
}

// In the middle of the window as far as the panels leave room there, in as many rows as it takes.
void draw_pills(Context& ctx, const FrameList<Pill>& pills, float left, float right) {
    const float s = ctx.widgets.scale, gap = 6.0f * s;
    float top = 10.0f * s;
    for (std::size_t first = 0, end = 0; first < pills.size(); first = end) {
        float total = 0.0f;
        for (; end < pills.size(); ++end) {
            const float more = pills[end].width(s) + (end > first ? gap : 0.0f);
            if (end > first && total + more > right - left) {
                break;
            }
            total += more;
        }
        const float middle = 0.5f * (static_cast<float>(ctx.window.width) - total);
        float x = std::max(left, std::min(middle, right - total));
        for (std::size_t i = first; i < end; ++i) {
            draw_pill(ctx, x, top, pills[i]);
            x += pills[i].width(s) + gap;
        }
        top += ImGui::GetTextLineHeight() + 8.0f * s + gap;
    }
}

} // namespace

void draw_notes(Context& ctx, float left, float right, float bottom) {
    const float s = ctx.widgets.scale;
    FrameList<Pill> pills;
    if (ctx.simulation.recording()) {
        pills.push_back(
            {"recording",
             formatted("Recording, %llu steps", static_cast<unsigned long long>(ctx.simulation.recorded_steps())),
             theme::bad});
    }
    if (const auto& replay = ctx.simulation.replay()) {
        pills.push_back({"replay",
                         formatted("Replay, %llu of %llu", static_cast<unsigned long long>(replay->step),
                                   static_cast<unsigned long long>(replay->steps)),
                         replay->divergence ? theme::bad : theme::good});
    }
    if (const auto& what_if = ctx.simulation.what_if()) {
        const double hz = static_cast<double>(ctx.frame().settings.hz);
        pills.push_back({"what_if",
                         formatted("What-if: %s%.1f of %.1f s",
                                   ctx.frame().step == what_if->from ? "change something, then resume. " : "",
                                   static_cast<double>(ctx.frame().step) / hz, static_cast<double>(what_if->end) / hz),
                         theme::accent});
    }
    if (ctx.get<FilmState>().running) {
        pills.push_back(
            {"film",
             formatted("Film, %.0f %%; %s cancels", 100.0 * static_cast<double>(ctx.get<FilmState>().progress),
                       ctx.key_of("film").c_str()),
             theme::accent});
    }
    if (ctx.simulation.paused && !ctx.simulation.hurried) {
        pills.push_back({"paused", "Paused", theme::accent});
    }
    if (ctx.get<ToolBox>().once()) {
        pills.push_back({"placing", "Click where to spawn, Esc cancels", theme::accent});
    }
    if (ctx.get<Player>().active()) {
        pills.push_back({"player",
                         ctx.get<Player>().drives()
                             ? joined("Arrow keys drive, ", ctx.key_of("toggle_player"), " lets go")
                             : joined("You are the ", player_shapes()[ctx.get<Player>().shape()].name, ", ",
                                      ctx.key_of("toggle_player"), " releases it"),
                         theme::good});
    }
    if (ctx.log.time() - ctx.get<FrameFigures>().dropped_at < 1.5 && !ctx.options.frames) {
        const double pace = std::clamp(ctx.get<FrameFigures>().pace, 1e-6, 1.0),
                     dropped = ctx.simulation.dropped_seconds();
        pills.push_back(
            {"slow",
             pace > 0.5 ? formatted("Simulation at %.0f %% of real time, %.1f s dropped", 100.0 * pace, dropped)
                        : formatted("Simulation %.3g times slower than real time, %.1f s dropped", 1.0 / pace, dropped),
             theme::bad});
    }
    if (ctx.get<Layout>().show_help || ctx.get<SceneBrowser>().open) {
        pills.clear(); // they would stand in what these say
    }
    const Rectangle* tools = ctx.widgets.place("column.tools");
    draw_pills(ctx, pills, tools != nullptr ? std::max(left, tools->x + tools->width + 6.0f * s) : left, right);

    // Notes: newest at the bottom, between the columns.
    const float frame = 26.0f * s, least = 200.0f * s, most = 0.42f * static_cast<float>(ctx.window.width);
    const bool between = right - left - frame >= least;
    const float wrap = between ? std::min(most, right - left - frame) : std::max(most, least);
    // Under all windows, so that they never stand in what somebody reads or chooses from. Only where they do not fit
    // between the columns they lie over these, as long as nothing is open that one chooses from.
    const bool choosing = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    ImDrawList* draw = between || choosing ? ImGui::GetBackgroundDrawList() : ImGui::GetForegroundDrawList();
    int shown = 0;
    const auto& messages = ctx.log.all();
    for (auto it = messages.rbegin(); it != messages.rend() && shown < 4; ++it) {
        const float alpha = ctx.log.visibility(*it);
        if (alpha <= 0.0f) {
            continue;
        }
        ++shown;
        FrameText text(it->text);
        if (it->times > 1) {
            text += formatted("  (%d times)", it->times);
        }
        const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap);
        const ImVec4 colour = it->severity == Severity::error     ? theme::bad
                              : it->severity == Severity::warning ? theme::accent
                                                                  : theme::muted;
        const float width = size.x + frame, height = size.y + 12.0f * s;
        const float middle = 0.5f * (static_cast<float>(ctx.window.width) - width);
        const float x0 = between ? std::max(left, std::min(middle, right - width)) : middle;
        draw->AddRectFilled(ImVec2(x0, bottom - height), ImVec2(x0 + width, bottom), theme::packed(theme::panel, alpha),
                            6.0f * s);
        draw->AddRectFilled(ImVec2(x0, bottom - height + 5.0f * s), ImVec2(x0 + 3.0f * s, bottom - 5.0f * s),
                            theme::packed(colour, alpha), 1.5f * s);
        draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(), ImVec2(x0 + 13.0f * s, bottom - height + 6.0f * s),
                      theme::packed(theme::text, alpha), text.c_str(), nullptr, wrap);
        ctx.widgets.mark(formatted("note.%d", shown - 1), {x0, bottom - height, width, height});
        bottom -= height + 5.0f * s;
    }
}

} // namespace cairn::ui
