// Panels that look as they did are known to.
#include "app/ui/window/shown_panels.h"
#include "tests/window/unit/panel_stage.h"

namespace cairn::ui {
namespace {

class ShownPanelsTest : public PanelStage {
  protected:
    ShownPanelsTest() {
        changes("Three boxes"); // a window takes a frame to find its size
        changes("Three boxes");
    }

    bool changes(const char* text, ImTextureID picture = nullptr) {
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({10.0f, 10.0f});
        ImGui::SetNextWindowSize({300.0f, 200.0f});
        ImGui::Begin("Panel");
        ImGui::TextUnformatted(text);
        if (picture != nullptr) {
            ImGui::Image(picture, {32.0f, 32.0f});
        }
        if (callback_) {
            ImGui::GetWindowDrawList()->AddCallback([](const ImDrawList*, const ImDrawCmd*) {}, nullptr);
        }
        ImGui::End();
        ImGui::Render();
        return shown_.change_to(*ImGui::GetDrawData());
    }

    ShownPanels shown_;
    bool callback_ = false;
};

TEST_F(ShownPanelsTest, TheSameAgainIsNoChange) {
    EXPECT_FALSE(changes("Three boxes"));
    EXPECT_FALSE(changes("Three boxes"));
}

TEST_F(ShownPanelsTest, ALetterIsAChange) {
    EXPECT_TRUE(changes("Three foxes"));
    EXPECT_FALSE(changes("Three foxes"));
    EXPECT_TRUE(changes("Three boxes"));
}

TEST_F(ShownPanelsTest, AnotherTextureInTheSamePlaceIsAChange) {
    int one = 0, other = 0;
    EXPECT_TRUE(changes("Three boxes", &one));
    EXPECT_FALSE(changes("Three boxes", &one));
    EXPECT_TRUE(changes("Three boxes", &other));
}

TEST_F(ShownPanelsTest, AnotherSizeOfTheWindowIsAChange) {
    ImGui::GetIO().DisplaySize = {401.0f, 300.0f};
    EXPECT_TRUE(changes("Three boxes"));
    EXPECT_FALSE(changes("Three boxes"));
    ImGui::GetIO().DisplayFramebufferScale = {2.0f, 2.0f};
    EXPECT_TRUE(changes("Three boxes"));
}

TEST_F(ShownPanelsTest, WhatACallbackDrawsIsNotKnown) {
    callback_ = true;
    EXPECT_TRUE(changes("Three boxes"));
    EXPECT_TRUE(changes("Three boxes"));
}

} // namespace
} // namespace cairn::ui
