#include "app/ui/film/film_of_run.h"

#include "app/core/base/error.h"
#include "app/core/base/files/output_file.h"
#include "app/core/base/files/text_file.h"
#include "app/core/scene/scene_camera.h"
#include "app/ui/film/film.h"
#include "render/offscreen.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace cairn::ui {

namespace {

// A folder that goes with what is in it.
class PassingFolder {
  public:
    PassingFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "cairn-film-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            throw core::OutputError(core::Location{name, 0, 0}, std::string("cannot be made: ") + std::strerror(errno));
        }
        path_ = name;
    }
    ~PassingFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    PassingFolder(const PassingFolder&) = delete;
    PassingFolder& operator=(const PassingFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

} // namespace

CameraTrack cameras_of(const core::Segment& run) {
    CameraTrack cameras;
    cameras.note(0, camera_of(core::camera_of_scene(*run.scene, 0.0)));
    double time = 0.0, hz = static_cast<double>(run.scene->settings.hz);
    for (const core::CaptureStep& step : run.steps) {
        for (const physics::Command& command : step.commands) {
            if (const auto* set = std::get_if<physics::SetSettings>(&command)) {
                hz = static_cast<double>(set->settings.hz);
            }
        }
        time += 1.0 / hz;
        cameras.note(step.step, camera_of(core::camera_of_scene(*run.scene, time)));
    }
    return cameras;
}

std::optional<core::Divergence> film_run(RunFilm film, const std::filesystem::path& out,
                                         const std::function<void(double)>& progress) {
    const std::string end = film.kind == FilmKind::gif ? ".gif" : ".mp4";
    if (out == "-") { // films are not written from front to back
        const PassingFolder folder;
        const std::filesystem::path file = folder.path() / ("film" + end);
        auto divergence = film_run(std::move(film), file, progress);
        core::OutputFile stream(out);
        stream.finish(core::read_whole_file(file));
        return divergence;
    }
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
    CameraTrack camera = cameras_of(film.segment);
    try {
        const render::OffscreenContext context;
        Film made(std::move(film.segment), film.first, settings, film.look.width, film.look.height, std::move(camera),
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
