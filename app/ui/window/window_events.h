// What happened to the window since the last frame, in order and with the cursor where it was then. ImGui 1.86 keeps
// only the latest state of each key and button; a click that starts and ends within one slow frame would be lost, so
// the world's own input does not go through it.
#pragma once

#include "app/ui/window/pointing/mouse_tool.h"

#include <GLFW/glfw3.h>
#include <algorithm>
#include <filesystem>
#include <glm/glm.hpp>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::ui {

struct KeyEvent {
    int key = 0;
    int modifiers = 0; // KeyModifiers
    bool repeated = false;
};
struct ButtonEvent {
    MouseButton button = MouseButton::left;
    bool pressed = false;
    bool shift = false, control = false;
    glm::vec2 at{0.0f};
};
struct MoveEvent {
    glm::vec2 at{0.0f};
};
struct ScrollEvent {
    float steps = 0.0f;
    glm::vec2 at{0.0f};
};
struct DropEvent {
    std::filesystem::path path;
    glm::vec2 at{0.0f};
};
using WindowEvent = std::variant<KeyEvent, ButtonEvent, MoveEvent, ScrollEvent, DropEvent>;

class WindowEvents {
  public:
    // Installs the callbacks; the panels' backend installs its own afterwards and calls these.
    explicit WindowEvents(GLFWwindow* window);
    ~WindowEvents();
    WindowEvents(const WindowEvents&) = delete;
    WindowEvents& operator=(const WindowEvents&) = delete;

    // What happened since the last call; what the list held is gone.
    void take(std::vector<WindowEvent>& events);
    // Whether the system has lost what the window showed since the last call.
    bool take_exposed() { return std::exchange(exposed_, false); }
    bool cursor_inside() const { return inside_; }
    // Whether a key that is down went down together with Ctrl: it stays a command if Ctrl is let go first.
    bool is_command(int key) const { return std::ranges::find(commands_, key) != commands_.end(); }
    // The panels see which keys are down once a frame, before it begins: what was pressed and released since the last
    // one is down for this one, so that an Enter is never lost to a slow frame.
    void hold_short_keys();

  private:
    static WindowEvents& of(GLFWwindow* window);

    GLFWwindow* window_;
    std::vector<WindowEvent> events_;
    std::vector<int> pressed_, held_; // by their place: since the last frame; for this one only
    std::vector<int> commands_;       // keys that are down, see is_command()
    bool inside_ = true;
    bool exposed_ = true;
};

} // namespace cairn::ui
