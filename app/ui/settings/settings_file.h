// The settings file: where it is, when it is read and written, and what happens to a broken one.
#pragma once

#include "app/ui/screen/remembered.h"
#include "app/ui/settings/archive/settings_archive.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::ui {

class SettingsFile {
  public:
    // No path: nothing is read or written.
    explicit SettingsFile(std::filesystem::path path) : path_(std::move(path)) {}

    // Where a person's settings are: $XDG_CONFIG_HOME/cairn/settings.json (default ~/.config/...), or what the
    // environment variable CAIRN_SETTINGS names; "off" there is nowhere. A run of so many frames must be the same every
    // time: it has settings only if the variable names a file.
    static std::filesystem::path usual_path(bool run_of_frames);

    // All actions with the keys in force: asked for every second, and seldom another answer.
    struct KeyTable {
        std::vector<SettingsArchive::Named> keys;
        std::uint64_t revision = 0;
    };

    const std::filesystem::path& path() const { return path_; }

    // Takes over what the file says; no file is as good as an empty one. What cannot be taken becomes messages in the
    // log. A file that is no JSON is moved aside, one that is right but for some values is copied there.
    // True when there was something to take over.
    bool read(Context& ctx);
    // Writes when something has changed and stayed so for a moment. Once a frame.
    void follow(Context& ctx);
    void write(Context& ctx); // now, if something has changed

  private:
    void keep_aside(Context& ctx, bool move) const;
    void write_text(Context& ctx, std::string& text); // replaces the text

    std::filesystem::path path_;
    std::string written_, seen_, now_, rejected_;
    KeyTable key_table_;
    double looked_at_ = 0.0; // log time, s
};

} // namespace cairn::ui
