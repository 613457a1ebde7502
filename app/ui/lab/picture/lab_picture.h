// Pictures of the lab without a window: what `cairn lab --out` writes and what the documentation shows.
#pragma once

#include "app/lab/steps/lab_step.h"
#include "render/renderer.h"

#include <cstddef>
#include <memory>

namespace cairn::ui {

// Draws steps of one run, all as seen by the same two cameras, so that they make a film.
class LabPictures {
  public:
    // Needs a current GL context, as long as it lives. `width` and `height` in pixels, 480x320 to 8192x8192. Throws
    // core::InputError for other sizes, core::MachineError where OpenGL rejects.
    LabPictures(int width, int height);
    ~LabPictures();
    LabPictures(const LabPictures&) = delete;
    LabPictures& operator=(const LabPictures&) = delete;

    // The bodies on the left, the Minkowski difference on the right, below them the step's sentence and numbers. The
    // step counts from 0.
    render::Image draw(const core::lab::LabPair& pair, const core::lab::LabRun& run, std::size_t step);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace cairn::ui
