// Everything that is remembered between runs, named once.
#pragma once

#include "app/ui/settings/settings_archive.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::ui {

struct App;

// What has no other place among the parts of the window.
struct Remembered {
    int width = 0, height = 0;       // of the window, window units; 0 = never had one
    std::vector<std::string> recent; // scenes and captures, the newest first
    bool tour_seen = false;          // the guided overlay is not to come by itself again
    bool kept = false;               // there is a settings file: what changes here is there in the next run
};
inline constexpr std::size_t most_recent = 12;

// Puts a file at the head of the recent ones.
void remember_file(Remembered& remembered, const std::filesystem::path& path);

// Visits the whole file. Keys of actions: reading puts them in force, and adds to `key_complaints` what could not be
// had.
void visit_settings(App& app, SettingsArchive& archive, bool reading, std::vector<std::string>& key_complaints);

} // namespace cairn::ui
