#include "app/ui/browser/scene_browser.h"
#include "app/ui/film/film_state.h"
#include "app/ui/input/actions.h"
#include "app/ui/panels/panels.h"
#include "app/ui/screen/frame_metrics.h"
#include "app/ui/screen/layout.h"
#include "app/ui/tools/player/player.h"
#include "app/ui/tools/tool_box.h"

#include <algorithm>

namespace cairn::ui {

namespace {

// A short coloured word at the top edge: what state the program is in.
struct Pill {
    const char* name;
    FrameText text;
    ImVec4 colour;
    // In lines of `room` at most, window units.
    ImVec2 size(float s, float room) const {
        const ImVec2 words = ImGui::CalcTextSize(text.c_str(), nullptr, false, room - beside_words * s);
        return {words.x + beside_words * s, words.y + 8.0f * s};
    }
    static constexpr float beside_words = 34.0f;
};

void draw_pill(Context& ctx, float x, float top, float room, const Pill& pill) {
    const float s = ctx.widgets.scale;
    const ImVec2 size = pill.size(s, room);
    const float round = 0.5f * ImGui::GetTextLineHeight() + 4.0f * s;
    ImDrawList* draw = ImGui::GetBackgroundDrawList(); // under what is asked or chosen from
    draw->AddRectFilled(ImVec2(x, top), ImVec2(x + size.x, top + size.y), theme::packed(theme::panel), round);
    draw->AddCircleFilled(ImVec2(x + 15.0f * s, top + round), 4.0f * s, theme::packed(pill.colour), 16);
    draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(), ImVec2(x + 25.0f * s, top + 4.0f * s),
                  theme::packed(theme::text), pill.text.c_str(), nullptr, room - Pill::beside_words * s);
    ctx.widgets.mark(joined("pill.", pill.name), {x, top, size.x, size.y});
}

// In the middle of the window as far as the panels leave room there, in as many rows as it takes: beside the tools, or
// where that is too narrow, below them.
void draw_pills(Context& ctx, const FrameList<Pill>& pills, float left, float right) {
    const float s = ctx.widgets.scale, gap = 6.0f * s;
    float top = 10.0f * s;
    if (const Rectangle* tools = ctx.widgets.place("column.tools")) {
        const float beside = std::max(left, tools->x + tools->width + gap);
        const bool fit = std::ranges::all_of(
            pills, [&](const Pill& pill) { return pill.size(s, ctx.window_size().x).x <= right - beside; });
        const float below = tools->y + tools->height + gap;
        if (fit || below > 0.25f * ctx.window_size().y) {
            left = beside;
        } else {
            top = below;
        }
    }
    const float room = std::max(right - left, 80.0f * s);
    for (std::size_t first = 0, end = 0; first < pills.size(); first = end) {
        float total = 0.0f, height = 0.0f;
        for (; end < pills.size(); ++end) {
            const ImVec2 size = pills[end].size(s, room);
            const float more = size.x + (end > first ? gap : 0.0f);
            if (end > first && total + more > room) {
                break;
            }
            total += more;
            height = std::max(height, size.y);
        }
        float x = std::max(left, std::min(0.5f * (ctx.window_size().x - total), right - total));
        for (std::size_t i = first; i < end; ++i) {
            draw_pill(ctx, x, top, room, pills[i]);
            x += pills[i].size(s, room).x + gap;
        }
        top += height + gap;
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
    Player& player = ctx.get<Player>();
    if (player.active()) {
        pills.push_back({"player",
                         player.drives() ? joined("Arrow keys drive, ", ctx.key_of("toggle_player"), " lets go")
                                         : joined("You are the ", player_shapes()[player.shape()].name, ", ",
                                                  ctx.key_of("toggle_player"), " releases it"),
                         theme::good});
    }
    if (ctx.log.time() - ctx.get<FrameMetrics>().dropped_at < 1.5 && !ctx.options.frames) {
        const double pace = std::clamp(ctx.get<FrameMetrics>().pace, 1e-6, 1.0),
                     dropped = ctx.simulation.dropped_seconds();
        pills.push_back(
            {"slow",
             pace > 0.99 ? formatted("Simulation caught up, %.1f s dropped", dropped)
             : pace > 0.5
                 ? formatted("Simulation at %.0f %% of real time, %.1f s dropped", 100.0 * pace, dropped)
                 : formatted("Simulation %.3g times slower than real time, %.1f s dropped", 1.0 / pace, dropped),
             theme::bad});
    }
    if (ctx.get<Layout>().show_help || ctx.get<SceneBrowser>().open || left >= right) {
        pills.clear(); // they would stand in what these say, or in a lab that has all the room
    }
    draw_pills(ctx, pills, left, right);

    // Notes: newest at the bottom, between the columns.
    const float frame = 26.0f * s, least = 200.0f * s, most = 0.42f * ctx.window_size().x;
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
        const float middle = 0.5f * (ctx.window_size().x - width);
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
