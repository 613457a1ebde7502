// Names that people give, in lists and popups: ImGui takes what follows ## for an id and does not show it.
#include "app/ui/widgets/widgets.h"
#include "tests/window/unit/panel_stage.h"

#include <string>
#include <utility>

namespace cairn::ui {
namespace {

class EntriesTest : public PanelStage {
  protected:
    // How many vertices the last of a few frames has.
    template <class Content>
    int drawn(const Content& content) {
        for (int i = 0; i < 4; ++i) {
            ImGui::NewFrame();
            widgets_.begin_frame();
            ImGui::SetNextWindowPos({10.0f, 10.0f});
            ImGui::SetNextWindowSize({380.0f, 200.0f});
            ImGui::Begin("Panel");
            content();
            ImGui::End();
            ImGui::Render();
        }
        return ImGui::GetDrawData()->TotalVtxCount;
    }

    Widgets widgets_;
};

TEST_F(EntriesTest, AreShownWithAllThatFollowsTheSignsOfAnId) {
    const auto entry = [&](const char* text) { return drawn([&] { widgets_.entry("row", text, false); }); };
    EXPECT_EQ(entry("foot##1"), entry("footxx1"));
    EXPECT_EQ(entry("##"), entry("xx"));
    const auto choice = [&](const char* text) {
        return drawn([&] {
            int value = 0;
            widgets_.choice("kind", "Kind", value, &text, 1, "");
        });
    };
    EXPECT_EQ(choice("foot##1"), choice("footxx1"));
}

TEST_F(EntriesTest, DoNotMakeAPopupWiderThanTheWindow) {
    const std::string text(500, 'x');
    ImVec2 size;
    bool first = true;
    drawn([&] {
        if (std::exchange(first, false)) {
            ImGui::OpenPopup("names");
        }
        if (ImGui::BeginPopup("names")) {
            widgets_.entry("row", text, false);
            widgets_.entry("another", "short", false);
            size = ImGui::GetWindowSize();
            ImGui::EndPopup();
        }
    });
    EXPECT_GT(size.x, 200.0f);
    EXPECT_LT(size.x, 360.0f) << "nor as wide";
}

} // namespace
} // namespace cairn::ui
