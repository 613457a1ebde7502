#include "app/ui/film/film_of_run.h"

#include "app/core/base/error.h"
#include "app/ui/film/film.h"
#include "render/offscreen.h"

#include <utility>

namespace cairn::ui {

std::optional<core::Divergence> film_run(RunFilm film, const std::filesystem::path& out,
                                         const std::function<void(double)>& progress) {
    const std::string end = film.kind == FilmKind::gif ? ".gif" : ".mp4";
    if (out.extension() != end) {
        throw core::InputError(core::Location{out.string(), 0, 0}, "the name of such a film ends with " + end);
    }
    if (!ffmpeg_is_there()) {
        throw core::MachineError("films need the program ffmpeg, which is not installed");
    }
    FilmLook look{view_of(film.look), renderer_options_of(film.look)};
    FilmSettings settings;
    settings.kind = film.kind;
    settings.rate = film.rate;
    CameraTrack camera;
    camera.note(0, camera_of(film.stretch.scene->camera));
    try {
        const render::OffscreenContext context;
        Film made(std::move(film.stretch), film.first, settings, film.look.width, film.look.height, std::move(camera),
                  std::move(look), std::filesystem::absolute(out).replace_extension());
        while (!made.done()) {
            made.advance(0.1);
            progress(static_cast<double>(made.progress()));
        }
        return made.divergence();
    } catch (const render::RenderError& error) {
        throw core::MachineError(std::string("this machine cannot draw the film: ") + error.what());
    }
}

} // namespace cairn::ui
