// How the window is opened; see session/window.h.
#pragma once

#include "app/ui/view/quality.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace cairn::ui {

struct WindowOptions {
    std::filesystem::path file;      // scene or capture; empty = the default scene
    std::optional<std::uint64_t> at; // of a capture: the step to begin with, paused; unset = from its start, running
    int threads = 0;                 // 0 = as many as there are cores
    int width = 0, height = 0;       // window units; 0 = as in the last run, at first 1280 x 720
    std::optional<int> msaa;         // samples per pixel, 0 = off; unset = those of the quality
    std::optional<int> resolution;   // percent of the window's pixels along each side; unset = that of the quality
    std::optional<Quality> quality;  // unset = as in the last run, at first what the machine can draw fluently
    // Smoke test: run this many frames at one step per frame, then quit. Unset = until the user closes the window.
    std::optional<int> frames;
    std::filesystem::path screenshot; // PNG of the last frame
    std::filesystem::path
        stats; // JSON with the program's state, written on exit and, when set, after every frame on request
    std::filesystem::path shader_override;
    std::filesystem::path capture; // records the scene from its first step into this file; empty = as remembered
};

} // namespace cairn::ui
