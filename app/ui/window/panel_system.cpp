#include "app/ui/window/panel_system.h"

#include "app/ui/text/paths.h"

#include <algorithm>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <filesystem>
#include <imgui_internal.h>
#include <string_view>
#include <system_error>

namespace cairn::ui {

PanelSystem::PanelSystem(GLFWwindow* window, bool remember_layout) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    if (remember_layout) {
        std::error_code error;
        std::filesystem::create_directories(state_folder(), error);
        if (!error) {
            ini_ = (state_folder() / "imgui.ini").string();
            io.IniFilename = ini_.c_str();
        }
    }
    io.ConfigDragClickToInputText = true;
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 410");
}

PanelSystem::~PanelSystem() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void PanelSystem::replace_fonts() {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

bool panels_cover(const glm::vec2& at) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    if (g.OpenPopupStack.Size > 0) {
        return true; // a click outside only closes the list
    }
    return std::ranges::any_of(g.Windows, [&](const ImGuiWindow* window) {
        return window->WasActive && !window->Hidden && (window->Flags & ImGuiWindowFlags_NoMouseInputs) == 0 &&
               (window->Flags & ImGuiWindowFlags_Tooltip) == 0 && window->ParentWindow == nullptr &&
               std::string_view(window->Name) != "Debug##Default" &&
               window->OuterRectClipped.Contains(ImVec2(at.x, at.y));
    });
}

} // namespace cairn::ui
