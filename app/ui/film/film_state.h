// What the window knows of the film that it makes: what is asked for, and how far it has come.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/film/film.h"

#include <string>

namespace cairn::ui {

struct FilmState : Part {
    FilmSettings settings;
    CameraTrack cameras;
    bool wanted = false;   // begin one at the end of this frame, or if one is being made,
    bool given_up = false; // end it

    bool running = false;
    float progress = 0.0f;  // 0..1, of the one that runs
    std::uint64_t made = 0; // so far
    std::string last_path;  // of the last one

    void remember(Context& ctx, SettingsArchive& archive) override;
    void world_replaced(Context& ctx, WorldChange change) override;
};

// Begins a film of the last seconds, or gives up the one that is being made.
void toggle_film(Context& ctx);

void film_panel(Context& ctx);

} // namespace cairn::ui
