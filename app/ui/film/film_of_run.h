// A film of a run without a window: what `cairn export` writes.
#pragma once

#include "app/core/history/history.h"
#include "app/ui/film/film.h"
#include "app/ui/film/film_writer.h"
#include "app/ui/view/picture.h"

#include <filesystem>
#include <functional>

namespace cairn::ui {

struct RunFilm {
    core::Segment segment;   // the run, to its last step that is shown
    std::uint64_t first = 0; // step that the film begins with
    FilmKind kind = FilmKind::video;
    int rate = 60; // pictures per second of simulated time
    PictureOptions look;
};

// Where the scene's camera is at each step: on its path, if it has one. Commands may change how long a step is.
CameraTrack cameras_of(const core::Segment& run);

// Draws the run as its scene's camera sees it, into the file `out`, whose name ends as the kind's files do (.mp4,
// .gif). Calls `progress` (0..1) now and then. Returns the first step whose hash is not the recorded one, if there is
// such a step. Throws core::InputError for what cannot be drawn or written, core::MachineError where there is no OpenGL
// or no ffmpeg.
std::optional<core::Divergence> film_run(RunFilm film, const std::filesystem::path& out,
                                         const std::function<void(double)>& progress);

} // namespace cairn::ui
