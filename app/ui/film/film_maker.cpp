#include "app/ui/film/film_maker.h"

#include "app/core/scene/scene.h"
#include "app/ui/context/context.h"
#include "app/ui/document/document.h"
#include "app/ui/film/film_state.h"
#include "app/ui/screen/drawing.h"
#include "app/ui/text/paths.h"
#include "app/ui/timeline/ghosts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {

namespace {

// As the view shows them, from that step on.
std::optional<FilmGhosts> ghosts_of(Context& ctx, std::uint64_t first) {
    const std::optional<std::size_t> line = ctx.get<Ghosts>().branch;
    const std::size_t current = ctx.simulation.current_branch();
    if (!line || *line == current || *line >= ctx.simulation.branches().size()) {
        return std::nullopt;
    }
    const std::uint64_t from = std::min(first, ctx.simulation.branches()[*line].end);
    return FilmGhosts{
        ctx.simulation.with_runner([&](core::Runner& r) { return r.history().segment_of_branch(*line, from); }),
        core::History::shared_steps(ctx.simulation.branches(), *line, current)};
}

} // namespace

void FilmMaker::follow(Context& ctx) {
    FilmState& state = ctx.get<FilmState>();
    state.cameras.note(ctx.frame().step, ctx.camera.camera());
    const bool wanted = std::exchange(state.wanted, false), given_up = std::exchange(state.given_up, false);
    try {
        if (film_ && given_up) {
            film_.reset();
            ctx.log.info("Film cancelled");
        } else if (wanted && !film_) {
            begin(ctx);
        } else if (film_) {
            film_->advance(0.012); // s: the window stays in motion
            state.progress = film_->progress();
            if (film_->done()) {
                ++state.made;
                state.last_path = film_->path().string();
                ctx.log.info("Saved " + state.last_path + " (" + std::to_string(film_->pictures()) + " pictures)");
                film_.reset();
            }
        }
    } catch (const std::exception& error) {
        film_.reset();
        ctx.log.error(std::string("No film: ") + error.what());
    }
    state.running = film_ != nullptr;
}

void FilmMaker::begin(Context& ctx) {
    FilmSettings settings = ctx.get<FilmState>().settings;
    if (settings.kind != FilmKind::pictures && !ffmpeg_is_there()) {
        settings.kind = FilmKind::pictures;
        ctx.log.warning("ffmpeg was not found: the film is saved as a folder of PNG files");
    }
    const std::uint64_t end = ctx.frame().step;
    const auto wanted = static_cast<std::uint64_t>(
        std::lround(static_cast<double>(settings.seconds) * static_cast<double>(ctx.frame().settings.hz)));
    const std::uint64_t steps = std::min(wanted, end);
    if (steps == 0) {
        ctx.log.info("There is nothing to film yet");
        return;
    }
    const FilmSize& size = film_sizes()[static_cast<std::size_t>(settings.size)];
    FilmLook look;
    look.view = ctx.view_options;
    look.renderer.textures = core::data_folder() / "assets" / "textures";
    Drawing& drawing = ctx.get<Drawing>();
    look.renderer.msaa_samples = drawing.settings.msaa;
    look.renderer.shadow_map_size = drawing.settings.shadow_map;
    look.renderer.shadow_cascades = drawing.settings.shadow_cascades;
    look.renderer.ambient_occlusion = drawing.settings.occlusion;
    film_ = std::make_unique<Film>(
        ctx.simulation.with_runner([&](core::Runner& r) { return r.history().segment(end - steps, end); }), end - steps,
        settings, size.width > 0 ? size.width : ctx.window.framebuffer_width,
        size.height > 0 ? size.height : ctx.window.framebuffer_height, ctx.get<FilmState>().cameras, std::move(look),
        user_folder("films") / dated_name(ctx.get<Document>().title), ghosts_of(ctx, end - steps));
}

} // namespace cairn::ui
