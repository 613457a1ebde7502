#include "app/ui/actions.h"
#include "app/ui/panels/panels.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

namespace {

struct Span { // of the timeline, steps
    std::uint64_t known = 0, all = 0;
    double hz = 60.0;
    double seconds(std::uint64_t step) const { return static_cast<double>(step) / hz; }
};

FrameText time_text(double seconds) {
    const int minutes = static_cast<int>(seconds / 60.0);
    return minutes > 0 ? formatted("%d:%05.2f", minutes, seconds - 60.0 * minutes) : formatted("%.2f s", seconds);
}

// The track: what is known of it, where the world stands, and where lines of the past part. Pressed and dragged, it
// takes the world along.
void track(App& app, const Span& span, float width) {
    Widgets& w = app.widgets;
    const float s = w.scale, height = ImGui::GetFrameHeight();
    const ImVec2 low = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("##timeline.track", ImVec2(width, height));
    w.mark("timeline.track");
    const auto x_of = [&](std::uint64_t step) {
        const double share = static_cast<double>(step) / static_cast<double>(span.all);
        return low.x + 3.0f * s + (width - 6.0f * s) * static_cast<float>(share);
    };
    const auto step_at = [&](float x) {
        const float edge = 3.0f * s; // both ends are easily met
        const double share = std::clamp(static_cast<double>((x - low.x - edge) / (width - 2.0f * edge)), 0.0, 1.0);
        return std::min(static_cast<std::uint64_t>(std::lround(share * static_cast<double>(span.all))), span.known);
    };
    const float cursor = ImGui::GetIO().MousePos.x;
    if (ImGui::IsItemActive() && (ImGui::IsItemActivated() || ImGui::GetIO().MouseDelta.x != 0.0f)) {
        go_to_step(app, step_at(cursor));
    } else if (ImGui::IsItemHovered()) {
        const std::uint64_t step = step_at(cursor);
        w.tip(joined(time_text(span.seconds(step)), formatted(", step %llu", static_cast<unsigned long long>(step))));
    }
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float middle = low.y + 0.5f * height, half = 2.5f * s;
    const std::uint64_t step = std::min(app.frame().step, span.all);
    const auto bar = [&](float from, float to, const ImVec4& colour, float alpha) {
        draw->AddRectFilled(ImVec2(from, middle - half), ImVec2(to, middle + half), theme::packed(colour, alpha), half);
    };
    bar(low.x, low.x + width, theme::muted, 0.25f);
    bar(low.x, x_of(span.known), theme::muted, 0.6f);
    bar(low.x, x_of(step), theme::accent, 1.0f);
    for (const core::History::Line& line : app.simulation.lines()) {
        if (line.fork > 0 && line.fork <= span.known) {
            const float x = x_of(line.fork);
            draw->AddLine(ImVec2(x, middle - 6.0f * s), ImVec2(x, middle + 6.0f * s), theme::packed(theme::text), s);
        }
    }
    draw->AddCircleFilled(ImVec2(x_of(step), middle), 6.0f * s, theme::packed(theme::accent), 20);
}

// Which of the ways that the world has taken.
void line_choice(App& app, const Span& span, float width) {
    const std::vector<core::History::Line>& lines = app.simulation.lines();
    const std::size_t current = app.simulation.current_line();
    const auto name = [&](std::size_t i) {
        const std::uint64_t end = i == current ? span.known : lines[i].end;
        const FrameText from =
            i == 0 ? FrameText(", to ") : joined(", ", time_text(span.seconds(lines[i].fork)), " to ");
        return joined(formatted("Way %zu", i + 1), from, time_text(span.seconds(end)));
    };
    ImGui::SetNextItemWidth(width);
    const bool open = ImGui::BeginCombo("##timeline.line", name(current).c_str());
    app.widgets.mark("timeline.line");
    app.widgets.tip("The ways that the world has taken: going on from the past with something changed begins another.");
    if (!open) {
        return;
    }
    std::size_t chosen = current;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (ImGui::Selectable(name(i).c_str(), i == current)) {
            chosen = i;
        }
        app.widgets.mark(formatted("timeline.line.%zu", i + 1));
    }
    ImGui::EndCombo();
    if (chosen != current) {
        take_line(app, chosen); // from here on `lines` is another list
    }
}

} // namespace

float timeline(App& app, float left, float right, float bottom) {
    Widgets& w = app.widgets;
    const float s = w.scale;
    const float width = right - left, height = ImGui::GetFrameHeight() + 14.0f * s;
    if (width < 200.0f * s) {
        return bottom;
    }
    Span span;
    span.hz = static_cast<double>(app.frame().settings.hz);
    span.known = app.simulation.known_steps();
    const auto& replay = app.simulation.replay();
    span.all = std::max<std::uint64_t>({span.known, replay ? replay->steps : 0, 1});

    ImGui::SetNextWindowPos(ImVec2(left, bottom - height));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8.0f * s, 7.0f * s));
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                   ImGuiWindowFlags_NoNav;
    if (ImGui::Begin("timeline", nullptr, flags)) {
        const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        w.mark("timeline", {at.x, at.y, size.x, size.y});
        const float gap = 4.0f * s;
        if (w.icon_button("timeline.back", Icon::step_back, joined("One step back (", key_of(Action::step_back), ")"),
                          false, app.frame().step > 0)) {
            step_back(app);
        }
        ImGui::SameLine(0.0f, gap);
        const float choice = app.simulation.lines().size() > 1 ? std::min(0.3f * width, 170.0f * s) : 0.0f;
        const FrameText clock =
            joined(time_text(span.seconds(app.frame().step)), " of ", time_text(span.seconds(span.all)));
        ImGui::PushFont(w.fonts.mono);
        const float clock_width = ImGui::CalcTextSize(clock.c_str()).x;
        ImGui::PopFont();
        const float room = ImGui::GetContentRegionAvail().x - (choice > 0.0f ? choice + gap : 0.0f);
        const bool with_clock = room > clock_width + 140.0f * s;
        track(app, span, room - (with_clock ? clock_width + 14.0f * s : 0.0f) - 8.0f * s);
        if (with_clock) {
            ImGui::SameLine(0.0f, 14.0f * s);
            ImGui::AlignTextToFramePadding();
            ImGui::PushFont(w.fonts.mono);
            ImGui::TextColored(app.simulation.seeking() ? theme::accent : theme::muted, "%s", clock.c_str());
            ImGui::PopFont();
        }
        if (choice > 0.0f) {
            ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - choice);
            line_choice(app, span, choice);
        }
    }
    ImGui::End();
    ImGui::PopStyleVar();
    return bottom - height;
}

} // namespace cairn::ui
