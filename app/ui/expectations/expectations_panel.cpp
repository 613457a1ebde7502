// What the scene expects, with what has come of it, and more of it from here on.
#include "app/ui/context/selection.h"
#include "app/ui/expectations/expectations.h"
#include "app/ui/timeline/past.h"

namespace cairn::ui {

namespace {

using Status = core::ExpectationOutcome::Status;

// At the step that is shown: what is decided later is not known yet.
Status status_at(const core::ExpectationOutcome& outcome, std::uint64_t step) {
    return outcome.step <= step ? outcome.status : Status::open;
}

// A tick, a cross, or a dot for what is open.
void draw_sign(Status status, const ImVec2& at, float side, float stroke) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const auto point = [&](float x, float y) { return ImVec2(at.x + x * side, at.y + y * side); };
    const ImU32 good = theme::packed(theme::good), bad = theme::packed(theme::bad);
    switch (status) {
    case Status::met:
        draw->AddLine(point(0.15f, 0.55f), point(0.4f, 0.8f), good, stroke);
        draw->AddLine(point(0.4f, 0.8f), point(0.85f, 0.25f), good, stroke);
        break;
    case Status::failed:
        draw->AddLine(point(0.2f, 0.25f), point(0.8f, 0.8f), bad, stroke);
        draw->AddLine(point(0.8f, 0.25f), point(0.2f, 0.8f), bad, stroke);
        break;
    case Status::open:
        draw->AddCircle(point(0.5f, 0.52f), 0.22f * side, theme::packed(theme::muted), 12, stroke);
        break;
    }
}

FrameText state_text(const core::Expectation& e, const core::ExpectationOutcome& outcome, Status status) {
    if (status != Status::open) {
        return formatted("%s at step %llu", status == Status::met ? "Met" : "Failed",
                         static_cast<unsigned long long>(outcome.step));
    }
    return !outcome.missed        ? "Not decided yet"
           : core::is_of_clock(e) ? "Not known: the scene did not run undisturbed from its start"
                                  : "Not known: steps were skipped";
}

// Returns whether it is to go.
bool expectation_row(Context& ctx, std::size_t which) {
    Widgets& w = ctx.widgets;
    const core::ExpectationsShown& all = ctx.simulation.expected();
    const core::Expectation& e = all.expectations[which];
    const core::ExpectationOutcome& outcome = all.outcomes[which];
    const Status status = status_at(outcome, ctx.frame().step);
    const float side = ImGui::GetFrameHeight(), gap = 6.0f * w.scale;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_sign(status, at, side, 2.0f * w.scale);
    ImGui::SetCursorScreenPos(ImVec2(at.x + side + gap, at.y));
    const float room = ImGui::GetContentRegionAvail().x - side - gap;
    const std::string text = core::description(e);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, room);
    const float height = std::max(size.y, side);
    ImGui::PushID(static_cast<int>(which));
    const bool pressed = ImGui::InvisibleButton("row", ImVec2(room, height));
    const ImVec4 ink = ImGui::IsItemHovered() && status != Status::open ? theme::accent
                       : status == Status::failed                       ? theme::bad
                                                                        : theme::text;
    ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                                        ImVec2(at.x + side + gap, at.y + 0.5f * (height - size.y)), theme::packed(ink),
                                        text.c_str(), nullptr, room);
    w.mark(formatted("expectations.%zu", which + 1));
    w.tip_by([&] {
        return joined(state_text(e, outcome, status), status != Status::open && !outcome.found.empty() ? ": " : "",
                      status != Status::open ? outcome.found : std::string(), e.why.empty() ? "" : "\n", e.why,
                      status != Status::open ? "\nClick to go there." : "");
    });
    ImGui::SameLine(0.0f, gap);
    const bool gone = w.icon_button(formatted("expectations.%zu.drop", which + 1).c_str(), Icon::stop,
                                    "No longer expects this, here; the file stays as it is.");
    ImGui::PopID();
    if (pressed && status != Status::open) {
        go_to_step(ctx, outcome.step);
        if (outcome.body) {
            select(ctx, {*outcome.body, 0});
        }
    }
    return gone;
}

void of_selection(Context& ctx) {
    Widgets& w = ctx.widgets;
    const std::size_t count = ctx.selection.size();
    if (count == 0) {
        w.muted("Select bodies to expect something of them from here on; plots and the Measure tool do the same.");
        return;
    }
    w.muted(count == 1 ? FrameText("From here on, of the selected body:")
                       : formatted("From here on, of the %zu selected bodies:", count));
    w.number("expectations.seconds", "For", ctx.get<ExpectationSettings>().seconds,
             {"s", 0.05f, 10000.0f, 0.05f, "%.2f", "How long from now it is to hold, in simulated time.", true}, 5.0f);
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float third = (ImGui::GetContentRegionAvail().x - 2.0f * spacing) / 3.0f;
    const auto choice = [&](const char* id, const char* title, const char* help, SelectionExpectation what, float width,
                            bool enabled = true) {
        if (w.button(id, title, help, width, enabled)) {
            expect_of_selection(ctx, what);
        }
    };
    choice("expectations.place", "Stays here", "Does not leave this place, which becomes a zone.",
           SelectionExpectation::place, third);
    ImGui::SameLine();
    choice("expectations.rest", "Rests", "Is at rest at some step of that time.", SelectionExpectation::rest, third);
    ImGui::SameLine();
    choice("expectations.upright", "Upright", "Tilts by less than 0.1 rad from how it stood at the start.",
           SelectionExpectation::upright, third);
    if (count > 1) {
        const float half = 0.5f * (ImGui::GetContentRegionAvail().x - spacing);
        choice("expectations.touch", "Touches", "The others keep touching the one that was selected last.",
               SelectionExpectation::touch, half);
        ImGui::SameLine();
        choice("expectations.no_touch", "Never touches", "The others never touch the one that was selected last.",
               SelectionExpectation::no_touch, half);
    }
}

} // namespace

void expectations_panel(Context& ctx) {
    Widgets& w = ctx.widgets;
    const core::ExpectationsShown& all = ctx.simulation.expected();
    if (!all.possible) {
        w.muted("This world did not begin as its scene, of which something could be expected.");
        return;
    }
    std::optional<std::size_t> gone;
    for (std::size_t i = 0; i < all.expectations.size(); ++i) {
        if (expectation_row(ctx, i)) {
            gone = i;
        }
    }
    if (all.expectations.empty()) {
        w.muted("Nothing is expected of this scene yet.");
    }
    of_selection(ctx);
    if (!all.expectations.empty() &&
        w.button("expectations.write", "Write to the scene's file",
                 "Adds what is expected and not in the file yet; all else in it stays as it is.",
                 ImGui::GetContentRegionAvail().x)) {
        write_expectations(ctx);
    }
    if (gone) {
        ctx.simulation.drop_expectation(*gone);
    }
}

} // namespace cairn::ui
