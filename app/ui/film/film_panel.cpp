#include "app/ui/context/context.h"
#include "app/ui/film/film_state.h"
#include "app/ui/input/actions.h"
#include "app/ui/settings/archive/settings_archive.h"

namespace cairn::ui {

void film_panel(Context& ctx) {
    Widgets& w = ctx.widgets;
    static const FilmSettings standard;
    FilmState& film = ctx.get<FilmState>();
    FilmSettings& settings = film.settings;
    const float width = ImGui::GetContentRegionAvail().x;
    if (film.running) {
        w.progress("film.progress", film.progress);
        if (w.button("film.stop", "Cancel", "Discards what has been drawn so far.", width)) {
            toggle_film(ctx);
        }
        return;
    }
    w.number("film.seconds", "Length", settings.seconds,
             {"s", 0.1f, 600.0f, 0.1f, "%.1f", "How much of the history to film, up to now, in simulated time.", true},
             standard.seconds);
    const char* sizes[8];
    int count = 0;
    for (const FilmSize& size : film_sizes()) {
        sizes[count++] = size.name;
    }
    w.choice("film.size", "Size", settings.size, sizes, count, "In pixels.");
    const char* kinds[] = {"Video (MP4)", "GIF", "PNG files"};
    int kind = static_cast<int>(settings.kind);
    if (w.choice("film.kind", "Format", kind, kinds, 3, "Videos and GIFs need the program ffmpeg.")) {
        settings.kind = static_cast<FilmKind>(kind);
    }
    float rate = static_cast<float>(settings.rate);
    if (w.number("film.rate", "Frame rate", rate,
                 {"fps", 1.0f, 240.0f, 0.2f, "%.0f", "Frames per second of simulated time."},
                 static_cast<float>(standard.rate))) {
        settings.rate = static_cast<int>(rate);
    }
    w.toggle("film.still", "From current view", settings.still,
             "Films from the current camera position. Off: the camera moves as it did.");
    const FrameText help =
        joined("Recomputes and draws the last seconds without panels, while the window stays usable (",
               ctx.key_of("film"), ").");
    if (w.button("film.make", "Film the last seconds", help.c_str(), width)) {
        toggle_film(ctx);
    }
}

void FilmState::remember(Context&, SettingsArchive& a) {
    a.enter("film");
    a.value("seconds", settings.seconds, 0.1f, 600.0f);
    a.value("size", settings.size, 0, static_cast<int>(film_sizes().size()) - 1);
    static constexpr std::string_view kinds[] = {"video", "gif", "pictures"};
    int kind = static_cast<int>(settings.kind);
    a.word("kind", kind, kinds);
    settings.kind = static_cast<FilmKind>(kind);
    a.value("rate", settings.rate, 1, 240);
    a.value("still", settings.still);
    a.leave();
}

void FilmState::world_replaced(Context&, WorldChange) {
    cameras.clear();
}

void toggle_film(Context& ctx) {
    FilmState& film = ctx.get<FilmState>();
    (film.running ? film.given_up : film.wanted) = true;
}

} // namespace cairn::ui
