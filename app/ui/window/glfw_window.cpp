#include "app/ui/window/glfw_window.h"

#include "app/core/base/error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace cairn::ui {

namespace {

std::string glfw_reason() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text != nullptr ? text : "no reason given";
}

} // namespace

GlfwWindow::GlfwWindow(int width, int height, const std::string& title) {
    if (glfwInit() != GLFW_TRUE) {
        throw core::MachineError("no window can be opened: " + glfw_reason() +
                                 "; `cairn render` draws a picture without a display");
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 1);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    // The renderer smooths edges and keeps depth in targets of its own.
    glfwWindowHint(GLFW_SAMPLES, 0);
    handle_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    if (handle_ == nullptr) {
        const std::string reason = glfw_reason();
        glfwTerminate();
        throw core::MachineError("no window with OpenGL 4.1 can be opened: " + reason);
    }
    glfwSetWindowSizeLimits(handle_, 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(handle_);
    glfwSwapInterval(1);
}

GlfwWindow::~GlfwWindow() {
    glfwDestroyWindow(handle_);
    glfwTerminate();
}

bool GlfwWindow::minimised() const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(handle_, &width, &height);
    return width <= 0 || height <= 0 || glfwGetWindowAttrib(handle_, GLFW_ICONIFIED) == GLFW_TRUE;
}

WindowMetrics GlfwWindow::metrics() const {
    WindowMetrics m;
    // Both sizes of one moment: where somebody drags at the window, it may change between two questions.
    int width = 0, height = 0;
    for (int tries = 0; tries == 0 || (tries < 5 && (width != m.width || height != m.height)); ++tries) {
        glfwGetWindowSize(handle_, &m.width, &m.height);
        glfwGetFramebufferSize(handle_, &m.framebuffer_width, &m.framebuffer_height);
        glfwGetWindowSize(handle_, &width, &height);
    }
    float x = 1.0f, y = 1.0f;
    glfwGetWindowContentScale(handle_, &x, &y);
    // Some systems count windows in points already (then the framebuffer is larger), others in pixels.
    m.scale = std::max(x, y) / m.framebuffer_ratio();
    if (const char* set = std::getenv("CAIRN_UI_SCALE")) {
        char* end = nullptr;
        const float wanted = std::strtof(set, &end);
        if (end != set && std::isfinite(wanted)) {
            m.scale = wanted;
        }
    }
    m.scale = std::clamp(m.scale, 0.5f, 4.0f);
    return m;
}

double screen_hz() {
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
        if (const GLFWvidmode* mode = glfwGetVideoMode(monitor); mode != nullptr && mode->refreshRate >= 30) {
            return mode->refreshRate;
        }
    }
    return 60.0;
}

} // namespace cairn::ui
