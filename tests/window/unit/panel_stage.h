// Dear ImGui without a window: what panels draw can be counted and compared.
#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

namespace cairn::ui {

class PanelStage : public ::testing::Test {
  protected:
    PanelStage() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {400.0f, 300.0f};
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    }
    ~PanelStage() override { ImGui::DestroyContext(); }
};

} // namespace cairn::ui
