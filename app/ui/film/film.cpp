#include "app/ui/film/film.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace cairn::ui {

const std::vector<FilmSize>& film_sizes() {
    static const std::vector<FilmSize> sizes = {
        {"As the window", 0, 0}, {"640 × 360", 640, 360}, {"1280 × 720", 1280, 720}, {"1920 × 1080", 1920, 1080}};
    return sizes;
}

void CameraTrack::note(std::uint64_t step, const render::Camera& camera) {
    while (!seen_.empty() && seen_.back().step >= step) {
        seen_.pop_back(); // seen again, or the world went back
    }
    if (!seen_.empty() && seen_.back().camera == camera) {
        return; // it stands
    }
    seen_.push_back({step, camera});
    if (seen_.size() > most) {
        seen_.pop_front();
    }
}

const render::Camera& CameraTrack::at(std::uint64_t step) const {
    const auto after = std::ranges::upper_bound(seen_, step, {}, &Seen::step);
    return after == seen_.begin() ? seen_.front().camera : std::prev(after)->camera;
}

Film::Film(core::Segment segment, std::uint64_t first, const FilmSettings& settings, int width, int height,
           CameraTrack cameras, FilmLook look, const std::filesystem::path& stem, std::optional<FilmGhosts> ghosts)
    : settings_(settings),
      width_(width),
      height_(height),
      labels_(pixel_ratio()),
      cameras_(std::move(cameras)),
      view_options_(std::move(look.view)),
      renderer_(std::make_unique<render::Renderer>(look.renderer)),
      meshes_(std::make_unique<MeshRegistry>(*renderer_)),
      retrace_(std::move(segment)),
      origin_(retrace_.step()),
      first_(first),
      last_(retrace_.last_step()),
      writer_(make_film_writer(settings.kind, stem, width, height, settings.rate)) {
    // What is selected and pointed at belongs to the moment in which that was done; and the list of it to the window.
    view_options_.selected = {};
    view_options_.hovered = {};
    view_options_.open_shape.reset();
    view_options_.seconds = -1.0f;
    view_options_.interpolation = 1.0f;
    if (ghosts) {
        other_.emplace(std::move(ghosts->segment));
        shared_ = ghosts->shared;
    }
}

float Film::progress() const {
    if (done_) {
        return 1.0f;
    }
    const double all = static_cast<double>(std::max<std::uint64_t>(last_ - origin_, 1));
    return static_cast<float>(static_cast<double>(retrace_.step() - origin_) / all);
}

void Film::advance(double seconds) {
    const auto start = std::chrono::steady_clock::now();
    do {
        work();
    } while (!done_ && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds);
}

// One step, or one picture. A picture shows the first state that is not before its time: no body is ever drawn where it
// has not been.
void Film::work() {
    if (retrace_.step() < first_) {
        retrace_.advance();
        return;
    }
    retrace_.world().publish(frame_);
    if (!std::exchange(begun_, true)) {
        first_time_ = frame_.time;
    }
    if (frame_.time - first_time_ + 1e-9 >= shown_) {
        if (!bring_ghosts()) {
            return;
        }
        picture();
        shown_ += 1.0 / settings_.rate;
        return;
    }
    if (retrace_.done()) {
        writer_->finish();
        done_ = true;
        return;
    }
    retrace_.advance();
}

// Beyond the end of their way they stay where it ended, as in the window.
bool Film::bring_ghosts() {
    if (!other_ || retrace_.step() <= shared_) {
        return true;
    }
    if (other_->step() < retrace_.step() && !other_->done()) {
        other_->advance();
        return false;
    }
    ghosts_.compare(other_->world(), frame_);
    return true;
}

void Film::picture() {
    const render::Camera& camera = cameras_.at(settings_.still ? last_ : retrace_.step());
    view_.build(list_, frame_, frame_, camera, *meshes_, view_options_);
    ghosts_.add_to(list_, camera, *meshes_, view_options_);
    render::Image image = renderer_->draw_to_image(list_, {width_, height_, pixel_ratio()});
    labels_.paint(image, list_.labels.all(), list_.camera);
    writer_->add(image);
    ++pictures_;
}

} // namespace cairn::ui
