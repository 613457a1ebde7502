#include "app/ui/window/window_events.h"

#include "app/ui/input/actions.h"

#include <imgui.h>
#include <utility>

namespace cairn::ui {

namespace {

glm::vec2 cursor_of(GLFWwindow* window) {
    double x = 0.0, y = 0.0;
    glfwGetCursorPos(window, &x, &y);
    return {static_cast<float>(x), static_cast<float>(y)};
}

int modifiers_of(int glfw) {
    return ((glfw & GLFW_MOD_SHIFT) != 0 ? modifier_shift : 0) |
           ((glfw & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) != 0 ? modifier_control : 0);
}

// GLFW numbers keys by their place on a US keyboard; the table means the letter that is printed on the key.
int printed_key(int key, int scancode) {
    const char* name = glfwGetKeyName(key, scancode);
    if (name != nullptr && name[0] != '\0' && name[1] == '\0') {
        const char c = name[0];
        return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
    }
    return key;
}

} // namespace

WindowEvents& WindowEvents::of(GLFWwindow* window) {
    return *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window));
}

WindowEvents::WindowEvents(GLFWwindow* window) : window_(window) {
    glfwSetWindowUserPointer(window, this);
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
        const int printed = printed_key(key, scancode);
        const int modifiers = modifiers_of(mods);
        const bool question_mark = printed == GLFW_KEY_SLASH && modifiers == modifier_shift; // comes as a character
        if (action == GLFW_PRESS && key != GLFW_KEY_UNKNOWN) {
            of(w).pressed_.push_back(key);
            if ((modifiers & modifier_control) != 0) {
                of(w).commands_.push_back(key);
            }
        } else if (action == GLFW_RELEASE) {
            std::erase(of(w).commands_, key);
        }
        if (action != GLFW_RELEASE && key != GLFW_KEY_UNKNOWN && !question_mark) {
            of(w).events_.push_back(KeyEvent{printed, modifiers, action == GLFW_REPEAT});
        }
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned c) {
        // '?' sits elsewhere on other keyboards: it is taken as the character that it is.
        if (c == '?') {
            of(w).events_.push_back(KeyEvent{GLFW_KEY_SLASH, modifier_shift, false});
        }
    });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int mods) {
        if (button <= GLFW_MOUSE_BUTTON_MIDDLE) {
            of(w).events_.push_back(ButtonEvent{button == GLFW_MOUSE_BUTTON_LEFT    ? MouseButton::left
                                                : button == GLFW_MOUSE_BUTTON_RIGHT ? MouseButton::right
                                                                                    : MouseButton::middle,
                                                action == GLFW_PRESS, (mods & GLFW_MOD_SHIFT) != 0,
                                                (mods & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) != 0, cursor_of(w)});
        }
    });
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
        auto& events = of(w).events_;
        const MoveEvent move{{static_cast<float>(x), static_cast<float>(y)}};
        if (!events.empty() && std::holds_alternative<MoveEvent>(events.back())) {
            events.back() = move;
        } else {
            events.push_back(move);
        }
    });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double, double y) {
        of(w).events_.push_back(ScrollEvent{static_cast<float>(y), cursor_of(w)});
    });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) { of(w).inside_ = entered == GLFW_TRUE; });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w).exposed_ = true; });
    glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
        for (int i = 0; i < count; ++i) {
            of(w).events_.push_back(DropEvent{paths[i], cursor_of(w)});
        }
    });
}

WindowEvents::~WindowEvents() {
    glfwSetWindowUserPointer(window_, nullptr);
    glfwSetKeyCallback(window_, nullptr);
    glfwSetCharCallback(window_, nullptr);
    glfwSetMouseButtonCallback(window_, nullptr);
    glfwSetCursorPosCallback(window_, nullptr);
    glfwSetScrollCallback(window_, nullptr);
    glfwSetCursorEnterCallback(window_, nullptr);
    glfwSetWindowRefreshCallback(window_, nullptr);
    glfwSetDropCallback(window_, nullptr);
}

void WindowEvents::take(std::vector<WindowEvent>& events) {
    events.clear();
    std::swap(events, events_);
}

void WindowEvents::hold_short_keys() {
    ImGuiIO& io = ImGui::GetIO();
    for (const int key : held_) {
        io.KeysDown[key] = glfwGetKey(window_, key) == GLFW_PRESS;
    }
    held_.clear();
    for (const int key : pressed_) {
        if (!io.KeysDown[key]) {
            io.KeysDown[key] = true;
            held_.push_back(key);
        }
    }
    pressed_.clear();
}

} // namespace cairn::ui
