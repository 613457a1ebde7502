// Whoever adds a panel, a tool or a debug layer writes it and registers it; nothing else has to know of it.
#include "app/core/base/files/text_file.h"
#include "app/ui/layers/debug_layers.h"
#include "app/ui/panels/panels.h"
#include "app/ui/report/state_report.h"
#include "app/ui/screen/panel_list.h"
#include "app/ui/session/registrations.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/settings/settings_file.h"
#include "app/ui/tools/tool_box.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <unistd.h>

namespace cairn::ui {
namespace {

using ::testing::HasSubstr;

// A panel that keeps a number and edits the world by a button.
class LiftPanel {
  public:
    void operator()(Context& ctx) {
        ctx.widgets.number("lift.height", "Height", height_, {"m", 0.0f, 10.0f}, 2.0f);
        if (ctx.widgets.button("lift.apply", "Lift", "Adds a ball.") || ctx.frame().bodies.empty()) {
            physics::BodyDef ball;
            ball.name = "lifted";
            ball.shapes = {{physics::Sphere{0.5f}, {}}};
            ball.pose.position.z = height_;
            ctx.submit(physics::CreateBody{ball}, "Lift");
        }
    }

  private:
    float height_ = 3.0f;
};

// A tool that counts its clicks, with a setting of its own.
class CountTool : public Tool {
  public:
    CountTool() : Tool({"count", "Count", "Click to count.", "Count clicks", "Ctrl+K", [](const IconPen&) {}}) {}
    void press(Context&, const glm::vec2&) override { ++clicks; }
    void remember(SettingsArchive& archive) override { archive.value("clicks", clicks, 0, 100); }
    int clicks = 0;
};

void draw_origins(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for (const physics::Transform& pose : scene.poses) {
        list.points.push_back({pose.position, glm::vec4(colour, 1.0f), 5.0f});
    }
}

class Registration : public ::testing::Test {
  protected:
    Registration() {
        ImGui::SetCurrentContext(imgui_);
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().DisplaySize = ImVec2(1280.0f, 3000.0f); // room for all panels
        ctx_.window.height = ctx_.window.framebuffer_height = 3000;
    }
    ~Registration() override { ImGui::DestroyContext(imgui_); }

    // Before the context, which makes the layers' actions. Once in a process.
    static bool add_layer() {
        DebugLayer layer{"origins", "Origins", "Where bodies have their origin", glm::vec3(1.0f), draw_origins};
        layer.action = "origins";
        layer.action_title = "Origins";
        layer.key = "Ctrl+F7";
        if (debug_layers().back().name != std::string_view("origins")) {
            add_debug_layer(layer);
        }
        return true;
    }
    static void add(Context& ctx) {
        ctx.get<PanelList>().left.push_back({LiftPanel()});
        ctx.get<ToolBox>().add(std::make_unique<CountTool>());
    }

    // Windows that fit their content have their size from the second frame on.
    void draw_frames(Context& ctx) {
        for (int i = 0; i < 4; ++i) {
            frame(ctx);
        }
    }
    static void frame(Context& ctx) {
        if (ctx.widgets.fonts.text == nullptr) {
            ctx.widgets.fonts = load_fonts(1.0f, 1.0f, ctx.log);
            unsigned char* texels = nullptr;
            int width = 0, height = 0;
            ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&texels, &width, &height);
        }
        ImGui::NewFrame();
        ctx.widgets.begin_frame();
        draw_panels(ctx);
        ImGui::Render();
    }

    const bool has_layer_ = add_layer();
    ImGuiContext* const imgui_ = ImGui::CreateContext();
    core::Simulation simulation_{core::Scene{}, nullptr, core::Simulation::Place::caller};
    WindowContext ctx_{WindowOptions{}, simulation_, add};
};

TEST_F(Registration, APanelIsDrawnAndEditsTheWorld) {
    draw_frames(ctx_);
    EXPECT_NE(ctx_.widgets.place("lift.apply"), nullptr);
    simulation_.update(0.0);
    ASSERT_FALSE(simulation_.current().bodies.empty());
    EXPECT_EQ(simulation_.current().models[0]->def.name, "lifted");
    EXPECT_EQ(simulation_.current().bodies[0].pose.position.z, 3.0f);
    EXPECT_EQ(simulation_.undo_what(), "Lift");
}

TEST_F(Registration, AToolIsInTheBarHasItsKeyAndIsRemembered) {
    draw_frames(ctx_);
    EXPECT_NE(ctx_.widgets.place("tool.count"), nullptr);
    EXPECT_EQ(ctx_.actions.of_key('K', modifier_control), ctx_.actions.find("tool_count"));
    ctx_.perform("tool_count");
    ctx_.get<ToolBox>().tool().press(ctx_, glm::vec2(0.0f));
    EXPECT_THAT(state_report(ctx_, {}), HasSubstr("\"active\": \"count\""));

    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("cairn-registration-" + std::to_string(::getpid()) + ".json");
    SettingsFile(file).write(ctx_);
    WindowContext other{WindowOptions{}, simulation_, add};
    EXPECT_TRUE(SettingsFile(file).read(other));
    EXPECT_TRUE(other.log.all().empty()) << other.log.all().front().text;
    EXPECT_EQ(dynamic_cast<CountTool&>(*other.get<ToolBox>().all().back()).clicks, 1);
    std::filesystem::remove(file);
}

TEST_F(Registration, ALayerHasItsKeyItsNameAndItsDrawing) {
    EXPECT_THAT(layer_names(), HasSubstr("origins"));
    EXPECT_EQ(ctx_.actions.of_key(296, modifier_control), ctx_.actions.find("origins"));
    ctx_.perform("origins");
    EXPECT_TRUE(ctx_.view_options.layers["origins"]);
    EXPECT_THAT(state_report(ctx_, {}), HasSubstr("\"origins\": true"));

    const physics::Transform pose{{1.0f, 2.0f, 3.0f}, physics::Quat(1.0f, 0.0f, 0.0f, 0.0f)};
    const physics::FrameState frame;
    LayerMemory memory;
    render::DrawList list;
    draw_layers(list, {frame, std::span(&pose, 1), memory}, ctx_.view_options.layers);
    ASSERT_EQ(list.points.size(), 1u);
    EXPECT_EQ(list.points[0].position, glm::vec3(1.0f, 2.0f, 3.0f));
}

TEST_F(Registration, WhatIsRegisteredTwiceIsRejected) {
    EXPECT_THROW(ctx_.parts.add<ToolBox>(), std::logic_error);
    struct Unknown : Part {};
    EXPECT_THROW(ctx_.get<Unknown>(), std::logic_error);
}

} // namespace
} // namespace cairn::ui
