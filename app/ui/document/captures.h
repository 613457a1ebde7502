// Recording captures of the running world, and replaying them.
#pragma once

#include "app/ui/context/context.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cairn::ui {

struct CaptureState : Part {
    std::string path;    // of the next recording or the next replay
    bool always = false; // record every scene from its first step on
    std::string replay_path;
    std::vector<std::filesystem::path> own;
    bool listed = false;
    // The last replay, kept after it ended.
    std::optional<core::Runner::ReplayState> last_replay;

    void remember(Context& ctx, SettingsArchive& archive) override;
    void world_replaced(Context&, WorldChange change) override {
        if (change != WorldChange::restarted) {
            last_replay.reset();
        }
    }
};

// Everything since the world was made, as a capture.
void save_past(Context& ctx);
void start_recording(Context& ctx);
void stop_recording(Context& ctx);
bool record_to(Context& ctx, const std::filesystem::path& path); // returns whether it is recorded now
void record_if_wanted(Context& ctx); // into a file called by the date, where every scene shall be recorded
// From the state after the step `at`, and if that is given, paused there.
void start_replay(Context& ctx, const std::filesystem::path& path, std::optional<std::uint64_t> at = {});
void stop_replay(Context& ctx);

} // namespace cairn::ui
