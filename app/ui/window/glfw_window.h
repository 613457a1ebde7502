// The platform's window with its OpenGL 4.1 context.
#pragma once

#include "app/ui/context/context.h"

#include <GLFW/glfw3.h>
#include <string>

namespace cairn::ui {

class GlfwWindow {
  public:
    // Makes the context current on the calling thread. Throws core::MachineError without a display or without OpenGL
    // 4.1. One at a time.
    GlfwWindow(int width, int height, const std::string& title); // window units
    ~GlfwWindow();
    GlfwWindow(const GlfwWindow&) = delete;
    GlfwWindow& operator=(const GlfwWindow&) = delete;

    GLFWwindow* get() const { return handle_; }
    bool closed() const { return glfwWindowShouldClose(handle_) == GLFW_TRUE; } // by the person
    void keep_open() { glfwSetWindowShouldClose(handle_, GLFW_FALSE); }
    bool minimised() const;
    // Sizes of now; the scale of the user interface is the screen's, or $CAIRN_UI_SCALE.
    WindowMetrics metrics() const;

  private:
    GLFWwindow* handle_ = nullptr;
};

// Pictures per second that the screen shows; 60 where that is not known.
double screen_hz();

} // namespace cairn::ui
