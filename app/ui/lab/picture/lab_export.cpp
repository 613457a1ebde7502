#include "app/ui/lab/picture/lab_export.h"

#include "app/core/base/error.h"

#include <string>
#include <system_error>
#include <utility>

namespace cairn::ui {

LabExport::LabExport(core::lab::LabPair pair, core::lab::LabRun run, std::filesystem::path folder, int width,
                     int height)
    : pair_(std::move(pair)), run_(std::move(run)), folder_(std::move(folder)), pictures_(width, height) {
    std::error_code trouble;
    std::filesystem::create_directories(folder_, trouble);
    if (trouble) {
        throw core::InputError(core::Location{folder_.string(), 0, 0}, "cannot be made: " + trouble.message());
    }
    if (ffmpeg_is_there()) {
        film_ = make_film_writer(FilmKind::gif, folder_ / "steps", width, height, 1);
    }
}

double LabExport::progress() const {
    return static_cast<double>(next_) / static_cast<double>(run_.steps.size());
}

void LabExport::advance() {
    std::string number = std::to_string(next_ + 1);
    number.insert(0, std::to_string(run_.steps.size()).size() - number.size(), '0');
    const render::Image image = pictures_.draw(pair_, run_, next_);
    try {
        render::write_png(folder_ / ("step_" + number + ".png"), image);
    } catch (const render::RenderError& error) {
        throw core::InputError(error.what());
    }
    if (film_) {
        film_->add(image);
    }
    ++next_;
    if (done() && film_) {
        film_->finish();
    }
}

} // namespace cairn::ui
