#include "app/ui/document/captures.h"
#include "app/ui/document/document.h"
#include "app/ui/input/actions.h"
#include "app/ui/panels/panels.h"
#include "app/ui/text/paths.h"

#include <algorithm>

namespace cairn::ui {

namespace {

void list_captures(Context& ctx) {
    CaptureState& captures = ctx.get<CaptureState>();
    captures.own.clear();
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(user_folder("captures"), error)) {
        if (entry.path().extension() == ".cairn") {
            captures.own.push_back(entry.path());
        }
    }
    std::sort(captures.own.rbegin(),
              captures.own.rend()); // names end in dates: newest first
    captures.listed = true;
}

void recording_rows(Context& ctx) {
    Widgets& w = ctx.widgets;
    CaptureState& captures = ctx.get<CaptureState>();
    const bool always_before = captures.always;
    w.toggle("capture.always", "Record every scene", captures.always,
             "From its first step on, into a file called by the date. The scene that is open is recorded from the next "
             "restart on.");
    if (captures.always && !always_before && ctx.frame().step == 0 && ctx.simulation.undo_what().empty()) {
        record_if_wanted(ctx);
    }
    if (ctx.simulation.recording()) {
        const std::uint64_t steps = ctx.simulation.recorded_steps();
        ImGui::TextColored(theme::bad, "Recording");
        ImGui::SameLine(w.label_width());
        ImGui::PushFont(w.fonts.mono);
        ImGui::Text("%llu steps, %.1f s", static_cast<unsigned long long>(steps),
                    static_cast<double>(steps) / static_cast<double>(ctx.frame().settings.hz));
        ImGui::PopFont();
        if (w.button("capture.stop", "Stop recording", "", ImGui::GetContentRegionAvail().x)) {
            stop_recording(ctx);
            return;
        }
        w.tip_by([&] { return joined("Finishes ", ctx.simulation.recording_path().string()); });
        return;
    }
    w.text("capture.path", "File name (default: by date)", captures.path, ImGui::GetContentRegionAvail().x);
    w.tip_by([&] {
        const bool unnamed = captures.path.empty();
        return joined("Goes to ",
                      (unnamed ? user_folder("captures") : in_user_folder(captures.path, "captures")).string());
    });
    const FrameText help = joined("Marks this step and writes every step to the disk from here on, and what led here (",
                                  ctx.key_of("toggle_record"), ").");
    if (w.button("capture.record", "Record", help.c_str(), ImGui::GetContentRegionAvail().x,
                 !ctx.simulation.replay().has_value())) {
        start_recording(ctx);
    }
    const FrameText past = joined("Everything since the scene was loaded, whether or not it was recorded (",
                                  ctx.key_of("save_past"), ").");
    if (w.button("capture.save_past", "Save the history", past.c_str(), ImGui::GetContentRegionAvail().x,
                 ctx.simulation.known_steps() > 0)) {
        save_past(ctx);
    }
}

void replay_result(Widgets& w, const core::Runner::ReplayState& replay) {
    if (replay.divergence) {
        ImGui::PushStyleColor(ImGuiCol_Text, theme::bad);
        ImGui::PushTextWrapPos(0.0f);
        ImGui::Text("Differs at step %llu: %s", static_cast<unsigned long long>(replay.divergence->step),
                    replay.divergence->what.c_str());
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
        w.mark("capture.divergence");
    } else {
        ImGui::TextColored(theme::good, replay.compared == replay.steps ? "All %llu steps match" : "%llu steps match",
                           static_cast<unsigned long long>(replay.compared));
        w.mark("capture.equal");
    }
}

void replay_rows(Context& ctx) {
    Widgets& w = ctx.widgets;
    if (const auto& replay = ctx.simulation.replay()) {
        const float share =
            replay->steps > 0 ? static_cast<float>(replay->step) / static_cast<float>(replay->steps) : 0.0f;
        const FrameText text = formatted("step %llu of %llu", static_cast<unsigned long long>(replay->step),
                                         static_cast<unsigned long long>(replay->steps));
        w.progress("capture.progress", share, text.c_str());
        replay_result(w, *replay);
        if (w.button("capture.stop_replay", "Stop replay", "The world continues from here and can be changed.",
                     ImGui::GetContentRegionAvail().x)) {
            stop_replay(ctx);
        }
        return;
    }
    CaptureState& captures = ctx.get<CaptureState>();
    if (!captures.listed) {
        list_captures(ctx);
    }
    const float side = ImGui::GetFrameHeight();
    const float spacing = 3.0f * w.scale, button = 70.0f * w.scale;
    const float width = ImGui::GetContentRegionAvail().x;
    const bool entered = w.text("capture.replay_path", "Capture to replay", captures.replay_path,
                                width - side - button - 2.0f * spacing);
    const auto chosen = [&] { return in_user_folder(captures.replay_path, "captures"); };
    w.tip_by([&] { return chosen().string(); });
    ImGui::SameLine(0.0f, spacing);
    if (ImGui::ArrowButton("##capture.choose", ImGuiDir_Down)) {
        list_captures(ctx);
        ImGui::OpenPopup("captures");
    }
    w.mark("capture.choose");
    w.tip_by([] { return joined("Captures in ", user_folder("captures").string()); });
    if (ImGui::BeginPopup("captures")) {
        if (captures.own.empty()) {
            w.muted("No captures yet.", false);
        }
        for (const auto& path : captures.own) {
            if (w.entry(path.filename().string(), path.filename().string(), false)) {
                captures.replay_path = name_in_user_folder(path, "captures");
            }
        }
        ImGui::EndPopup();
    }
    ImGui::SameLine(0.0f, spacing);
    const bool can = !captures.replay_path.empty() && !ctx.simulation.recording();
    if (w.button("capture.replay", "Replay", "Replays the capture and compares every step.", button, can) ||
        (entered && can)) {
        before_loss(ctx, "A replay", [path = chosen()](Context& a) { start_replay(a, path); });
    }
    if (captures.last_replay) {
        replay_result(w, *captures.last_replay);
    }
}

} // namespace

void capture_panel(Context& ctx) {
    recording_rows(ctx);
    ImGui::Separator();
    replay_rows(ctx);
}

} // namespace cairn::ui
