#include "app/ui/actions.h"
#include "app/ui/panels/panels.h"

namespace cairn::ui {

void film_panel(App& app) {
    Widgets& w = app.widgets;
    if (!w.section("film", "Film", false)) {
        return;
    }
    static const FilmSettings standard;
    FilmSettings& settings = app.film.settings;
    const float width = ImGui::GetContentRegionAvail().x;
    if (app.film.running) {
        ImGui::PushStyleColor(ImGuiCol_PlotHistogram, ImVec4(0.55f, 0.40f, 0.17f, 1.0f));
        ImGui::ProgressBar(app.film.progress, ImVec2(width, 0.0f));
        ImGui::PopStyleColor();
        w.mark("film.progress");
        if (w.button("film.stop", "Cancel", "Discards what has been drawn so far.", width)) {
            film(app);
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
               key_of(Action::film), ").");
    if (w.button("film.make", "Film the last seconds", help.c_str(), width)) {
        film(app);
    }
}

} // namespace cairn::ui
