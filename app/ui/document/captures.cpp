#include "app/ui/document/captures.h"

#include "app/ui/context/attempt.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/document/document.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/screen/remembered.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/text/paths.h"

#include <functional>
#include <utility>

namespace cairn::ui {

namespace {

// A name that no other capture has: by the date, and by a number where a second is not enough.
std::filesystem::path new_capture(const Context& ctx) {
    const std::string stem = dated_name(ctx.get<Document>().title);
    std::filesystem::path path = in_user_folder(stem + ".cairn", "captures");
    std::error_code ignored;
    for (int number = 2; std::filesystem::exists(path, ignored); ++number) {
        path = in_user_folder(stem + "-" + std::to_string(number) + ".cairn", "captures");
    }
    return path;
}

std::filesystem::path wanted_capture(const Context& ctx) {
    return ctx.get<CaptureState>().path.empty() ? new_capture(ctx)
                                                : in_user_folder(ctx.get<CaptureState>().path, "captures");
}

void save_past_to(Context& ctx, const std::filesystem::path& path) {
    if (make_parent(ctx, path) &&
        attempt(ctx, [&] { ctx.simulation.with_runner([&](core::Runner& r) { r.save_history(path); }); })) {
        ctx.log.info("Saved " + path.string());
        ctx.get<CaptureState>().listed = false;
    }
}

// A capture that is there already is replaced only by one who says so.
void write_capture(Context& ctx, std::function<void(Context&, const std::filesystem::path&)> write) {
    const std::filesystem::path path = wanted_capture(ctx);
    if (ctx.simulation.recording() && whole_path(path) == whole_path(ctx.simulation.recording_path())) {
        ctx.log.info(path.filename().string() + " is being recorded: finish that first");
        return;
    }
    std::error_code error;
    const std::filesystem::path folder = path.parent_path();
    if (folder != user_folder("captures") && !std::filesystem::is_directory(folder, error)) {
        ctx.log.error(folder.string() + ": there is no such folder");
        return;
    }
    if (std::filesystem::is_directory(path, error)) {
        ctx.log.error(path.string() + " is a folder: name a file in it");
        return;
    }
    if (!std::filesystem::exists(path, error)) {
        write(ctx, path);
        return;
    }
    ask(ctx, {.title = "Replace " + path.filename().string() + "?",
              .text = "There is a capture of this name in " + path.parent_path().string() + ".",
              .choices = {{"replace", "Replace", [path, write = std::move(write)](Context& a) { write(a, path); }},
                          {"cancel", "Cancel", {}}},
              .chosen = 1});
}

} // namespace

void save_past(Context& ctx) {
    write_capture(ctx, save_past_to);
}

void start_recording(Context& ctx) {
    write_capture(ctx, [](Context& a, const std::filesystem::path& path) {
        if (!a.simulation.recording()) { // which may have begun while the question was open
            record_to(a, path);
        }
    });
}

bool record_to(Context& ctx, const std::filesystem::path& path) {
    if (!make_parent(ctx, path) ||
        !attempt(ctx, [&] { ctx.simulation.with_runner([&](core::Runner& r) { r.start_recording(path); }); })) {
        return false;
    }
    ctx.get<CaptureState>().last_replay.reset();
    ctx.log.info("Recording to " + path.string());
    return true;
}

void record_if_wanted(Context& ctx) {
    if (ctx.get<CaptureState>().always && !ctx.simulation.replay() && !ctx.simulation.recording()) {
        record_to(ctx, new_capture(ctx));
    }
}

void stop_recording(Context& ctx) {
    if (!ctx.simulation.recording()) {
        return;
    }
    const std::filesystem::path path = ctx.simulation.recording_path();
    const std::uint64_t steps = ctx.simulation.recorded_steps(), from = ctx.simulation.recording_from();
    if (attempt(ctx, [&] { ctx.simulation.with_runner(std::mem_fn(&core::Runner::stop_recording)); })) {
        ctx.log.info("Recorded " + std::to_string(steps) + " steps to " + path.string() +
                     (from == 0 ? std::string()
                                : ", which begins with the scene: `--at " + std::to_string(from) + "` opens it here"));
        ctx.get<CaptureState>().replay_path = name_in_user_folder(path, "captures");
        ctx.get<CaptureState>().listed = false;
    }
}

void start_replay(Context& ctx, const std::filesystem::path& path, std::optional<std::uint64_t> at) {
    if (at) { // before the world stands there, or it would go on at once
        ctx.simulation.paused = true;
    }
    if (attempt(ctx, [&] { ctx.simulation.start_replay(path, at.value_or(0)); })) {
        ctx.get<CaptureState>().replay_path = name_in_user_folder(path, "captures");
        ctx.simulation.paused = at.has_value();
        ctx.world_replaced();
        note_opened(ctx, path, {});
        set_camera_of_scene(ctx);
        remember_file(ctx.get<Remembered>(), path);
        ctx.log.info("Replaying " + path.filename().string() + (at ? ", at step " + std::to_string(*at) : ""));
    }
}

void stop_replay(Context& ctx) {
    ctx.get<CaptureState>().last_replay = ctx.simulation.replay();
    ctx.simulation.with_runner(std::mem_fn(&core::Runner::stop_replay));
}

void CaptureState::remember(Context&, SettingsArchive& a) {
    a.enter("capture");
    a.value("always", always);
    a.leave();
}

} // namespace cairn::ui
