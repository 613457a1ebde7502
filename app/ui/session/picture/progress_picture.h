// What the window shows while nothing else can be drawn: what is being done, and how much of it is.
#pragma once

#include "app/ui/view/labels/labels.h"
#include "render/renderer.h"

#include <string>

struct GLFWwindow;

namespace cairn::ui {

class ProgressPicture {
  public:
    // `window`: with its context current. `pixel_ratio`: pixels per unit of the user interface.
    ProgressPicture(GLFWwindow* window, float pixel_ratio) : window_(window), ratio_(pixel_ratio), text_(pixel_ratio) {}

    // Draws and shows it. False if Esc is down, or the window is to be closed.
    bool show(const std::string& what, double share);
    // The same as a picture.
    static render::Image paint(LabelPainter& text, int width, int height, float pixel_ratio, const std::string& what,
                               double share);

  private:
    GLFWwindow* window_;
    float ratio_;
    LabelPainter text_;
};

} // namespace cairn::ui
