// What is remembered between runs and belongs to no other part.
#pragma once

#include "app/ui/context/parts.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::ui {

struct Remembered : Part {
    int width = 0, height = 0;       // of the window, window units; 0 = never had one
    std::vector<std::string> recent; // scenes and captures, the newest first
    bool tour_seen = false;          // the guided overlay is not to come by itself again
    bool kept = false;               // there is a settings file: what changes here is there in the next run

    void remember(Context& ctx, SettingsArchive& archive) override;
};
inline constexpr std::size_t most_recent = 12;

// Puts a file at the head of the recent ones.
void remember_file(Remembered& remembered, const std::filesystem::path& path);

} // namespace cairn::ui
