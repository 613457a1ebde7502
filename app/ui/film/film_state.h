// What the window knows of the film that it makes: the wish, and how far it has come.
#pragma once

#include "app/ui/film/film.h"

#include <string>

namespace cairn::ui {

struct FilmState {
    FilmSettings settings;
    CameraTrack cameras;
    bool wanted = false;   // begin one at the end of this frame, or if one is being made,
    bool given_up = false; // end it

    bool running = false;
    float progress = 0.0f;  // 0..1, of the one that runs
    std::uint64_t made = 0; // so far
    std::string last_path;  // of the last one
};

} // namespace cairn::ui
