#include "app/ui/input/actions.h"
#include "app/ui/timeline/branch_graph.h"
#include "app/ui/timeline/ghosts.h"
#include "app/ui/timeline/past.h"
#include "app/ui/timeline/playback.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace cairn::ui {

namespace {

struct Span { // of the timeline, steps
    std::uint64_t known = 0, all = 0;
    std::uint64_t shown = 0; // by the track: other branches may be longer
    double hz = 60.0;
    double seconds(std::uint64_t step) const { return static_cast<double>(step) / hz; }
};

FrameText time_text(double seconds) {
    const int minutes = static_cast<int>(seconds / 60.0);
    return minutes > 0 ? formatted("%d:%05.2f", minutes, seconds - 60.0 * minutes) : formatted("%.2f s", seconds);
}

ImVec4 colour_of(core::MarkKind kind) {
    switch (kind) {
    case core::MarkKind::strike:
        return theme::from_linear(colours::contacts());
    case core::MarkKind::sleep:
        return theme::muted;
    case core::MarkKind::wake:
        return theme::good;
    case core::MarkKind::command:
        return theme::text;
    case core::MarkKind::joint_break:
        return theme::bad;
    }
    return theme::text;
}

// Above the bar what happened by itself, below it what was done.
void marks(const Context& ctx, const auto& x_of, const auto& shows, float middle) {
    const float s = ctx.widgets.scale;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    std::array<float, core::mark_kinds> last;
    last.fill(-1.0f);
    ctx.get<TimelineState>().marks.visit(
        ctx.simulation.branches(), ctx.simulation.current_branch(), [&](const core::Mark& mark) {
            const auto kind = static_cast<std::size_t>(mark.kind);
            const float x = std::round(x_of(mark.step));
            if (!ctx.get<TimelineState>().shown[kind] || x == last[kind] || !shows(mark.step)) {
                return; // one line of a colour for each pixel
            }
            last[kind] = x;
            const float side = mark.kind == core::MarkKind::command ? 1.0f : -1.0f;
            draw->AddLine(ImVec2(x, middle + 4.0f * side * s), ImVec2(x, middle + 9.0f * side * s),
                          theme::packed(colour_of(mark.kind), 0.85f), s);
        });
    // On the bar: where something expected was met, or failed.
    const core::ExpectationsShown& expected = ctx.simulation.expected();
    const float reach = 3.0f * s;
    for (std::size_t i = 0; i < expected.outcomes.size(); ++i) {
        const core::ExpectationOutcome& outcome = expected.outcomes[i];
        if (!shows(outcome.step)) {
            continue;
        }
        const ImVec2 at(std::round(x_of(outcome.step)), middle);
        const auto line = [&](float x0, float y0, float x1, float y1, const ImVec4& colour) {
            draw->AddLine(ImVec2(at.x + x0 * reach, at.y + y0 * reach), ImVec2(at.x + x1 * reach, at.y + y1 * reach),
                          theme::packed(colour), 1.5f * s);
        };
        if (outcome.status == core::ExpectationOutcome::Status::met) {
            line(-1.2f, 0.0f, -0.3f, 0.9f, theme::good);
            line(-0.3f, 0.9f, 1.4f, -1.2f, theme::good);
        } else if (outcome.status == core::ExpectationOutcome::Status::failed) {
            line(-1.2f, -1.2f, 1.2f, 1.2f, theme::bad);
            line(-1.2f, 1.2f, 1.2f, -1.2f, theme::bad);
        }
    }
    if (const auto& replay = ctx.simulation.replay(); replay && replay->divergence && shows(replay->divergence->step)) {
        const float x = x_of(replay->divergence->step);
        draw->AddLine(ImVec2(x, middle - 10.0f * s), ImVec2(x, middle + 10.0f * s), theme::packed(theme::bad),
                      2.0f * s);
    }
}

// The next popup stands on the button that was drawn last: below it there is no room.
void place_popup_above(float gap) {
    const ImVec2 at = ImGui::GetItemRectMin();
    ImGui::SetNextWindowPos(ImVec2(at.x, at.y - gap), ImGuiCond_Always, ImVec2(0.0f, 1.0f));
}

void rate_field(Context& ctx) {
    Widgets& w = ctx.widgets;
    ImGui::SetNextItemWidth(46.0f * w.scale);
    ImGui::PushFont(w.fonts.mono);
    ImGui::DragFloat("##timeline.rate", &ctx.get<TimelineState>().rate, 0.01f, 0.1f, TimelineState::fastest, "%.1f×",
                     ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic);
    ImGui::PopFont();
    w.mark("timeline.rate");
    w.tip("Playback speed of the history, relative to real time.");
}

void mark_choice(Context& ctx) {
    static constexpr const char* titles[] = {"Impacts", "Bodies fall asleep", "Bodies wake", "Commands",
                                             "Joints break"};
    static constexpr const char* ids[] = {"timeline.strikes", "timeline.sleeps", "timeline.wakes", "timeline.commands",
                                          "timeline.breaks"};
    for (std::size_t i = 0; i < ctx.get<TimelineState>().shown.size(); ++i) {
        ImGui::PushStyleColor(ImGuiCol_CheckMark, colour_of(static_cast<core::MarkKind>(i)));
        ctx.widgets.toggle(ids[i], titles[i], ctx.get<TimelineState>().shown[i], "");
        ImGui::PopStyleColor();
    }
}

// How fast the past is played, and which marks are shown.
void playback_controls(Context& ctx, float gap) {
    Widgets& w = ctx.widgets;
    rate_field(ctx);
    ImGui::SameLine(0.0f, gap);
    if (ImGui::ArrowButton("##timeline.marks", ImGuiDir_Up)) {
        ImGui::OpenPopup("timeline.kinds");
    }
    w.mark("timeline.marks");
    w.tip_by([&] {
        return joined("Which markers the timeline shows. ", ctx.key_of("last_mark"), " and ", ctx.key_of("next_mark"),
                      " jump between them.");
    });
    place_popup_above(gap);
    if (ImGui::BeginPopup("timeline.kinds")) {
        mark_choice(ctx);
        ImGui::EndPopup();
    }
    ImGui::SameLine(0.0f, gap);
}

// The same where there is no room for it.
void more_controls(Context& ctx, float gap) {
    Widgets& w = ctx.widgets;
    if (w.icon_button("timeline.more", Icon::more, "Playback speed, and which markers the timeline shows.", false)) {
        ImGui::OpenPopup("timeline.more");
    }
    place_popup_above(gap);
    if (ImGui::BeginPopup("timeline.more")) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted("Speed");
        ImGui::SameLine();
        rate_field(ctx);
        mark_choice(ctx);
        ImGui::EndPopup();
    }
    ImGui::SameLine(0.0f, gap);
}

void what_if_controls(Context& ctx, const Span& span, float gap) {
    Widgets& w = ctx.widgets;
    const bool on = ctx.simulation.what_if().has_value();
    const auto& replay = ctx.simulation.replay();
    const bool possible = ctx.frame().step < span.known || (replay && replay->step < replay->steps);
    const FrameText help = joined(on ? "Cancel the what-if; the world continues normally ("
                                     : "What-if: change the world here and replay the later commands (",
                                  ctx.key_of("what_if"), ")");
    if (w.icon_button("timeline.what_if", Icon::what_if, help, on, on || possible)) {
        what_if(ctx);
    }
    ImGui::SameLine(0.0f, gap);
    if (on) {
        const FrameText fast = joined("Run to the end at full speed (", ctx.key_of("hurry"), ")");
        if (w.icon_button("timeline.hurry", Icon::hurry, fast, ctx.simulation.hurried)) {
            hurry(ctx);
        }
        ImGui::SameLine(0.0f, gap);
    }
}

// The wheel shows less or more of the past, with the step under the cursor where it is.
void zoom_track(TimelineState& timeline, double all, double share, float wheel) {
    constexpr double least = 10.0; // steps
    const double before = timeline.shown_span > 0.0 ? timeline.shown_span : all;
    const double at = (timeline.shown_span > 0.0 ? timeline.shown_from : 0.0) + share * before;
    const double span = std::max(before * std::pow(0.8, static_cast<double>(wheel)), std::min(least, all));
    timeline.shown_span = span < all ? span : 0.0;
    timeline.shown_from = at - share * span;
}

// First step and length of what the track shows. `step`: to be among them, while the world goes on.
std::pair<double, double> shown_steps(TimelineState& timeline, double all, std::optional<double> step) {
    if (timeline.shown_span <= 0.0 || timeline.shown_span >= all) {
        timeline.shown_span = 0.0;
        return {0.0, all};
    }
    const double length = timeline.shown_span;
    if (step) {
        timeline.shown_from = std::clamp(timeline.shown_from, *step - length, *step);
    }
    timeline.shown_from = std::clamp(timeline.shown_from, 0.0, all - length);
    return {timeline.shown_from, length};
}

// The track: what is known of it, where the world stands, and where branches of the history part. Pressed and dragged,
// it takes the world along. Returns where steps are on it.
TrackScale track(Context& ctx, const Span& span, float width) {
    Widgets& w = ctx.widgets;
    const float s = w.scale, height = ImGui::GetFrameHeight();
    const ImVec2 low = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("##timeline.track", ImVec2(width, height));
    w.mark("timeline.track");
    const float cursor = ImGui::GetIO().MousePos.x, edge = 3.0f * s; // both ends are easily met
    const auto share_at = [&](float x) {
        return std::clamp(static_cast<double>((x - low.x - edge) / (width - 2.0f * edge)), 0.0, 1.0);
    };
    if (ImGui::IsItemHovered() && ImGui::GetIO().MouseWheel != 0.0f) {
        zoom_track(ctx.get<TimelineState>(), static_cast<double>(span.shown), share_at(cursor),
                   ImGui::GetIO().MouseWheel);
    }
    const std::pair<double, double> range =
        shown_steps(ctx.get<TimelineState>(), static_cast<double>(span.shown),
                    ctx.simulation.paused ? std::nullopt : std::optional(static_cast<double>(ctx.frame().step)));
    const TrackScale scale{low.x + edge, low.x + width - edge, range.first, range.second};
    const auto x_of = [&](std::uint64_t step) { return scale.x_of(step); };
    const auto step_at = [&](float x) {
        const double step = scale.first + share_at(x) * scale.length;
        return std::min(static_cast<std::uint64_t>(std::lround(step)), span.known);
    };
    const auto shows = [&](std::uint64_t step) { return scale.shows(step); };
    if (ImGui::IsItemActive() && (ImGui::IsItemActivated() || ImGui::GetIO().MouseDelta.x != 0.0f)) {
        go_to_step(ctx, step_at(cursor));
    } else if (ImGui::IsItemHovered()) {
        const std::uint64_t step = step_at(cursor);
        w.tip(joined(time_text(span.seconds(step)), formatted(", step %llu", static_cast<unsigned long long>(step))));
    }
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float middle = low.y + 0.5f * height, half = 2.5f * s;
    const std::uint64_t step = std::min(ctx.frame().step, span.all);
    const auto bar = [&](float from, float to, const ImVec4& colour, float alpha) {
        draw->AddRectFilled(ImVec2(from, middle - half), ImVec2(to, middle + half), theme::packed(colour, alpha), half);
    };
    bar(low.x, low.x + width, theme::muted, 0.25f);
    bar(low.x, x_of(span.known), theme::muted, 0.6f);
    bar(low.x, x_of(step), theme::accent, 1.0f);
    if (ctx.simulation.recording()) {
        bar(x_of(ctx.simulation.recording_from()), x_of(step), theme::bad, 1.0f);
        w.mark("timeline.recorded");
    }
    for (const core::History::Branch& branch : ctx.simulation.branches()) {
        if (branch.fork > 0 && branch.fork <= span.known && shows(branch.fork)) {
            const float x = x_of(branch.fork);
            draw->AddLine(ImVec2(x, middle - 6.0f * s), ImVec2(x, middle + 6.0f * s), theme::packed(theme::text), s);
        }
    }
    marks(ctx, x_of, shows, middle);
    draw->AddCircleFilled(ImVec2(x_of(step), middle), 6.0f * s, theme::packed(theme::accent), 20);
    return scale;
}

// The history's branches as a list: which is in force, which is shown as ghosts, and what it is called.
void branch_choice(Context& ctx, const Span& span, float gap) {
    const std::vector<core::History::Branch>& branches = ctx.simulation.branches();
    const std::size_t current = ctx.simulation.current_branch();
    const auto name = [&](std::size_t i) {
        const std::uint64_t end = i == current ? span.known : branches[i].end;
        const FrameText from =
            i == 0 ? FrameText(" (") : joined(" (", time_text(span.seconds(branches[i].fork)), " to ");
        return joined(name_of_branch(ctx, i), from, time_text(span.seconds(end)), ")");
    };
    const FrameText help = joined("Branches of the history; this one is ", name(current),
                                  ". Here it gets another name. Continuing from an earlier step with something "
                                  "changed starts a new branch, named after the change.");
    if (ctx.widgets.icon_button("timeline.line", Icon::more, help)) {
        ImGui::OpenPopup("timeline.lines");
    }
    const ImVec2 corner(ImGui::GetItemRectMax().x, ImGui::GetItemRectMin().y - gap);
    ImGui::SetNextWindowPos(corner, ImGuiCond_Always, ImVec2(1.0f, 1.0f));
    if (!ImGui::BeginPopup("timeline.lines")) {
        ctx.get<TimelineState>().named.reset();
        return;
    }
    std::size_t chosen = current;
    for (std::size_t i = 0; i < branches.size(); ++i) {
        bool ghosts = ctx.get<Ghosts>().branch == i;
        ImGui::BeginDisabled(i == current);
        if (ctx.widgets.toggle(formatted("timeline.ghosts.%zu", i + 1).c_str(), "", ghosts,
                               "Also shows this branch, as ghosts at the same step.")) {
            ctx.get<Ghosts>().branch = ghosts ? std::optional(i) : std::nullopt;
            ctx.get<Ghosts>().forget();
        }
        ImGui::EndDisabled();
        ImGui::SameLine();
        if (ctx.widgets.entry(formatted("%zu", i), name(i), i == current)) {
            chosen = i;
        }
        ctx.widgets.mark(formatted("timeline.line.%zu", i + 1));
    }
    ImGui::Separator();
    TimelineState& t = ctx.get<TimelineState>();
    if (t.named != current) {
        t.named = current;
        t.branch_name = branches[current].name;
    }
    if (ctx.widgets.text("timeline.name", "Name of this branch", t.branch_name, 180.0f * ctx.widgets.scale)) {
        ctx.simulation.name_branch(current, t.branch_name);
        t.named.reset();
        ImGui::CloseCurrentPopup();
    }
    ctx.widgets.tip("Enter renames it.");
    ImGui::EndPopup();
    if (chosen != current) {
        take_branch(ctx, chosen); // from here on `branches` is another list
    }
}

} // namespace

float timeline_height(const Context& ctx) {
    return branch_graph_height(ctx) + ImGui::GetFrameHeight() + 14.0f * ctx.widgets.scale;
}

float timeline(Context& ctx, float left, float right, float bottom) {
    Widgets& w = ctx.widgets;
    const float s = w.scale;
    const float graph = branch_graph_height(ctx);
    const float width = right - left, height = timeline_height(ctx);
    if (width < least_timeline_width * s) {
        return bottom;
    }
    Span span;
    span.hz = static_cast<double>(ctx.frame().settings.hz);
    span.known = ctx.simulation.known_steps();
    const auto& replay = ctx.simulation.replay();
    span.all = std::max<std::uint64_t>({span.known, replay ? replay->steps : 0, 1});
    span.shown = span.all;
    for (const core::History::Branch& branch : ctx.simulation.branches()) {
        span.shown = std::max(span.shown, branch.end);
    }

    ImGui::SetNextWindowPos(ImVec2(left, bottom - height));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8.0f * s, 7.0f * s));
    if (ImGui::Begin("timeline", nullptr,
                     fixed_window | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing)) {
        w.mark_window("timeline");
        const float gap = 4.0f * s;
        const ImVec2 top = ImGui::GetCursorPos();
        ImGui::SetCursorPosY(top.y + graph);
        const int playing = ctx.get<TimelineState>().playing;
        if (w.icon_button("timeline.play_back", playing < 0 ? Icon::pause : Icon::play_back,
                          joined("Play the history backwards (", ctx.key_of("play_back"), ")"), playing < 0,
                          playing < 0 || ctx.frame().step > 0)) {
            play(ctx, -1);
        }
        ImGui::SameLine(0.0f, gap);
        if (w.icon_button("timeline.back", Icon::step_back, joined("Step back (", ctx.key_of("step_back"), ")"), false,
                          ctx.frame().step > 0)) {
            step_back(ctx);
        }
        ImGui::SameLine(0.0f, gap);
        if (w.icon_button("timeline.play", playing > 0 ? Icon::pause : Icon::play,
                          joined("Play the history forwards (", ctx.key_of("play_forward"), ")"), playing > 0,
                          playing > 0 || ctx.frame().step < span.known)) {
            play(ctx, 1);
        }
        ImGui::SameLine(0.0f, gap);
        what_if_controls(ctx, span, gap);
        if (width > 480.0f * s) {
            playback_controls(ctx, gap);
        } else {
            more_controls(ctx, gap);
        }
        const float choice = graph > 0.0f ? ImGui::GetFrameHeight() + 4.0f * s : 0.0f;
        const FrameText clock =
            joined(time_text(span.seconds(ctx.frame().step)), " of ", time_text(span.seconds(span.all)));
        ImGui::PushFont(w.fonts.mono);
        const float clock_width = ImGui::CalcTextSize(clock.c_str()).x;
        ImGui::PopFont();
        const float room = ImGui::GetContentRegionAvail().x - (choice > 0.0f ? choice + gap : 0.0f);
        const bool with_clock = room > clock_width + 140.0f * s;
        const TrackScale scale = track(ctx, span, room - (with_clock ? clock_width + 14.0f * s : 0.0f) - 8.0f * s);
        if (with_clock) {
            ImGui::SameLine(0.0f, 14.0f * s);
            ImGui::AlignTextToFramePadding();
            ImGui::PushFont(w.fonts.mono);
            ImGui::TextColored(ctx.simulation.seeking() ? theme::accent : theme::muted, "%s", clock.c_str());
            ImGui::PopFont();
        }
        if (choice > 0.0f) {
            ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - choice);
            branch_choice(ctx, span, gap);
            ImGui::SetCursorPos(top);
            branch_graph(ctx, scale, ImGui::GetContentRegionAvail().x);
        }
    }
    ImGui::End();
    ImGui::PopStyleVar();
    return bottom - height;
}

} // namespace cairn::ui
