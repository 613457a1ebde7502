#include "app/ui/actions.h"
#include "app/ui/panels/panels.h"
#include "app/ui/paths.h"

#include <algorithm>

namespace cairn::ui {

namespace {

void list_captures(App& app) {
    app.capture.own.clear();
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(user_folder("captures"), error)) {
        if (entry.path().extension() == ".cairn") {
            app.capture.own.push_back(entry.path());
        }
    }
    std::sort(app.capture.own.rbegin(), app.capture.own.rend()); // names end in dates: newest first
    app.capture.listed = true;
}

void recording_rows(App& app) {
    Widgets& w = app.widgets;
    const bool always_before = app.capture.always;
    w.toggle("capture.always", "Record every scene", app.capture.always,
             "From its first step on, into a file called by the date. The scene that is open is recorded from the next "
             "restart on.");
    if (app.capture.always && !always_before && app.frame().step == 0 && app.simulation.undo_what().empty()) {
        record_if_wished(app);
    }
    if (app.simulation.recording()) {
        const std::uint64_t steps = app.simulation.recorded_steps();
        ImGui::TextColored(theme::bad, "Recording");
        ImGui::SameLine(w.label_width());
        ImGui::PushFont(w.fonts.mono);
        ImGui::Text("%llu steps, %.1f s", static_cast<unsigned long long>(steps),
                    static_cast<double>(steps) / static_cast<double>(app.frame().settings.hz));
        ImGui::PopFont();
        if (w.button("capture.stop", "Stop recording", "", ImGui::GetContentRegionAvail().x)) {
            stop_recording(app);
            return;
        }
        w.tip_by([&] { return joined("Finishes ", app.simulation.recording_path().string()); });
        return;
    }
    w.text("capture.path", "File name (default: by date)", app.capture.path, ImGui::GetContentRegionAvail().x);
    w.tip_by([&] {
        const bool unnamed = app.capture.path.empty();
        return joined("Goes to ",
                      (unnamed ? user_folder("captures") : in_user_folder(app.capture.path, "captures")).string());
    });
    const FrameText help = joined("Marks this step and writes every step to the disk from here on, and what led here (",
                                  key_of(Action::toggle_record), ").");
    if (w.button("capture.record", "Record", help.c_str(), ImGui::GetContentRegionAvail().x,
                 !app.simulation.replay().has_value())) {
        start_recording(app);
    }
    const FrameText past = joined("Everything since the scene was loaded, whether or not it was recorded (",
                                  key_of(Action::save_past), ").");
    if (w.button("capture.save_past", "Save the history", past.c_str(), ImGui::GetContentRegionAvail().x,
                 app.simulation.known_steps() > 0)) {
        save_past(app);
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

void replay_rows(App& app) {
    Widgets& w = app.widgets;
    if (const auto& replay = app.simulation.replay()) {
        const float share =
            replay->steps > 0 ? static_cast<float>(replay->step) / static_cast<float>(replay->steps) : 0.0f;
        const FrameText text = formatted("step %llu of %llu", static_cast<unsigned long long>(replay->step),
                                         static_cast<unsigned long long>(replay->steps));
        ImGui::PushStyleColor(ImGuiCol_PlotHistogram, ImVec4(0.55f, 0.40f, 0.17f, 1.0f));
        ImGui::ProgressBar(share, ImVec2(ImGui::GetContentRegionAvail().x, 0.0f), text.c_str());
        ImGui::PopStyleColor();
        replay_result(w, *replay);
        if (w.button("capture.stop_replay", "Stop replay", "The world continues from here and can be changed.",
                     ImGui::GetContentRegionAvail().x)) {
            stop_replay(app);
        }
        return;
    }
    if (!app.capture.listed) {
        list_captures(app);
    }
    const float side = ImGui::GetFrameHeight();
    const float spacing = 3.0f * w.scale, button = 70.0f * w.scale;
    const float width = ImGui::GetContentRegionAvail().x;
    const bool entered = w.text("capture.replay_path", "Capture to replay", app.capture.replay_path,
                                width - side - button - 2.0f * spacing);
    const auto chosen = [&] { return in_user_folder(app.capture.replay_path, "captures"); };
    w.tip_by([&] { return chosen().string(); });
    ImGui::SameLine(0.0f, spacing);
    if (ImGui::ArrowButton("##capture.choose", ImGuiDir_Down)) {
        list_captures(app);
        ImGui::OpenPopup("captures");
    }
    w.mark("capture.choose");
    w.tip_by([] { return joined("Captures in ", user_folder("captures").string()); });
    if (ImGui::BeginPopup("captures")) {
        if (app.capture.own.empty()) {
            w.muted("No captures yet.", false);
        }
        for (const auto& path : app.capture.own) {
            if (ImGui::Selectable(path.filename().c_str())) {
                app.capture.replay_path = name_in_user_folder(path, "captures");
            }
        }
        ImGui::EndPopup();
    }
    ImGui::SameLine(0.0f, spacing);
    const bool can = !app.capture.replay_path.empty() && !app.simulation.recording();
    if (w.button("capture.replay", "Replay", "Replays the capture and compares every step.", button, can) ||
        (entered && can)) {
        before_loss(app, "A replay", [path = chosen()](App& a) { start_replay(a, path); });
    }
    if (app.capture.last_replay) {
        replay_result(w, *app.capture.last_replay);
    }
}

} // namespace

void capture_panel(App& app) {
    if (!app.widgets.section("capture", "Capture", false)) {
        return;
    }
    recording_rows(app);
    ImGui::Separator();
    replay_rows(app);
}

} // namespace cairn::ui
