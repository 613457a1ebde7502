// Films of the last seconds: what has happened is computed and drawn again, in any size, while the window goes on.
#pragma once

#include "app/core/history/history.h"
#include "app/ui/film/film_writer.h"
#include "app/ui/timeline/ghost_bodies.h"
#include "app/ui/view/labels/labels.h"
#include "app/ui/view/mesh_registry.h"
#include "app/ui/view/scene_view.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace cairn::ui {

struct FilmSettings {
    float seconds = 5.0f; // of simulated time, up to the present
    int size = 1;         // index into film_sizes(); 0 = as large as the window
    FilmKind kind = FilmKind::video;
    int rate = 60;      // pictures per second; GIF players manage 50 at most
    bool still = false; // seen from where the camera is now, else from where it was
};

struct FilmSize {
    const char* name;
    int width, height; // pixels; 0 = the window's
};
const std::vector<FilmSize>& film_sizes();

// Where the camera was, step by step.
class CameraTrack {
  public:
    void note(std::uint64_t step, const render::Camera& camera);
    // At that step, or at the nearest one before it that was seen; the first one if there is none.
    const render::Camera& at(std::uint64_t step) const;
    bool empty() const { return seen_.empty(); }
    void clear() { seen_.clear(); }

  private:
    struct Seen {
        std::uint64_t step;
        render::Camera camera;
    };
    static constexpr std::size_t most = 60 * 60 * 20; // in motion: of some twenty minutes
    std::deque<Seen> seen_;                           // by step
};

// How it is drawn; the window's own settings of the moment when the film was asked for.
struct FilmLook {
    ViewOptions view;
    render::RendererOptions renderer;
};

// Another branch of the same past, which the view shows as ghosts.
struct FilmGhosts {
    core::Segment segment;    // to its end, from the film's first step or before
    std::uint64_t shared = 0; // the last step that both branches have in common: there are no ghosts up to it
};

class Film {
  public:
    // Begins with the state after step `first` of the segment, which must reach so far. `width` and `height` in pixels.
    // Throws InputError and RenderError.
    Film(core::Segment segment, std::uint64_t first, const FilmSettings& settings, int width, int height,
         CameraTrack cameras, FilmLook look, const std::filesystem::path& stem,
         std::optional<FilmGhosts> ghosts = std::nullopt);

    // Computes and draws for about so many seconds, at least one step or picture. Needs the window's GL context. Throws
    // as the constructor.
    void advance(double seconds);
    bool done() const { return done_; }
    float progress() const; // 0..1
    int pictures() const { return pictures_; }
    // The first step that was not as it had been; none so far.
    const std::optional<core::Divergence>& divergence() const { return retrace_.divergence(); }
    const std::filesystem::path& path() const { return writer_->path(); }

  private:
    void work();
    bool bring_ghosts(); // a step nearer to the step that is to be drawn; true: they are there
    void picture();
    float pixel_ratio() const { return static_cast<float>(height_) / 720.0f; }

    FilmSettings settings_;
    int width_, height_;
    LabelPainter labels_;
    CameraTrack cameras_;
    ViewOptions view_options_;
    std::unique_ptr<render::Renderer> renderer_;
    std::unique_ptr<MeshRegistry> meshes_;
    SceneView view_;
    render::DrawList list_;
    core::Retrace retrace_;
    std::optional<core::Retrace> other_; // where the ghosts are
    std::uint64_t shared_ = 0;           // see FilmGhosts
    GhostBodies ghosts_;
    physics::FrameState frame_;
    std::uint64_t origin_, first_, last_; // steps: where it starts to compute, to show, and where it ends
    double shown_ = 0.0;                  // s of simulated time that the pictures so far cover
    double first_time_ = 0.0;             // s
    int pictures_ = 0;
    bool begun_ = false, done_ = false;
    std::unique_ptr<FilmWriter> writer_; // last: goes first
};

} // namespace cairn::ui
