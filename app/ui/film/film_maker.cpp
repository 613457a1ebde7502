#include "app/ui/film/film_maker.h"

#include "app/core/scene/scene_sources.h"
#include "app/ui/app.h"
#include "app/ui/paths.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {

namespace {

// As the view shows them, from that step on.
std::optional<FilmGhosts> ghosts_of(App& app, std::uint64_t first) {
    const std::optional<std::size_t> line = app.ghosts.line;
    const std::size_t current = app.simulation.current_line();
    if (!line || *line == current || *line >= app.simulation.lines().size()) {
        return std::nullopt;
    }
    const std::uint64_t from = std::min(first, app.simulation.lines()[*line].end);
    return FilmGhosts{app.simulation.stretch_of_line(*line, from),
                      core::History::shared_steps(app.simulation.lines(), *line, current)};
}

} // namespace

void FilmMaker::follow(App& app) {
    FilmState& state = app.film;
    state.cameras.note(app.frame().step, app.camera.camera());
    const bool wanted = std::exchange(state.wanted, false), given_up = std::exchange(state.given_up, false);
    try {
        if (film_ && given_up) {
            film_.reset();
            app.log.info("Film cancelled");
        } else if (wanted && !film_) {
            begin(app);
        } else if (film_) {
            film_->advance(0.012); // s: the window stays in motion
            state.progress = film_->progress();
            if (film_->done()) {
                ++state.made;
                state.last_path = film_->path().string();
                app.log.info("Saved " + state.last_path + " (" + std::to_string(film_->pictures()) + " pictures)");
                film_.reset();
            }
        }
    } catch (const std::exception& error) {
        film_.reset();
        app.log.error(std::string("No film: ") + error.what());
    }
    state.running = film_ != nullptr;
}

void FilmMaker::begin(App& app) {
    FilmSettings settings = app.film.settings;
    if (settings.kind != FilmKind::pictures && !ffmpeg_is_there()) {
        settings.kind = FilmKind::pictures;
        app.log.warning("ffmpeg was not found: the film is saved as a folder of PNG files");
    }
    const std::uint64_t end = app.frame().step;
    const auto wanted = static_cast<std::uint64_t>(
        std::lround(static_cast<double>(settings.seconds) * static_cast<double>(app.frame().settings.hz)));
    const std::uint64_t steps = std::min(wanted, end);
    if (steps == 0) {
        app.log.info("There is nothing to film yet");
        return;
    }
    const FilmSize& size = film_sizes()[static_cast<std::size_t>(settings.size)];
    FilmLook look;
    look.view = app.view_options;
    look.renderer.textures = core::data_folder() / "assets" / "textures";
    look.renderer.msaa_samples = app.draw.msaa;
    look.renderer.shadow_map_size = app.draw.shadow_map;
    look.renderer.shadow_cascades = app.draw.shadow_cascades;
    look.renderer.ambient_occlusion = app.draw.occlusion;
    film_ = std::make_unique<Film>(app.simulation.stretch(end - steps, end), end - steps, settings,
                                   size.width > 0 ? size.width : app.window.framebuffer_width,
                                   size.height > 0 ? size.height : app.window.framebuffer_height, app.film.cameras,
                                   std::move(look), user_folder("films") / dated_name(app.document.title),
                                   ghosts_of(app, end - steps));
}

} // namespace cairn::ui
