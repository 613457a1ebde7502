// Dear ImGui with its two backends, for the life of a window.
#pragma once

#include <GLFW/glfw3.h>
#include <glm/glm.hpp>
#include <string>

namespace cairn::ui {

class PanelSystem {
  public:
    // Its callbacks come before those that the window has already, and call them. `remember_layout`: where panels
    // stand is kept in state_folder().
    PanelSystem(GLFWwindow* window, bool remember_layout);
    ~PanelSystem();
    PanelSystem(const PanelSystem&) = delete;
    PanelSystem& operator=(const PanelSystem&) = delete;

    // After the fonts have changed, from the second frame on: their texture is made anew.
    static void replace_fonts();

  private:
    std::string ini_; // ImGui keeps a pointer to it
};

// Is there a panel, list or tooltip window at this place, window units, by the last frame's layout?
bool panels_cover(const glm::vec2& at);

} // namespace cairn::ui
