// A GL 4.1 core context without a window, shared by the tests of the program.
#pragma once

#include "render/offscreen.h"
#include "render/renderer.h"
#include "tests/render/studio_scene.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace cairn::render::tests {

inline std::filesystem::path source_folder() {
    return CAIRN_SOURCE_DIR;
}
inline std::filesystem::path texture_folder() {
    return source_folder() / "assets" / "textures";
}

// A fresh folder for the files of one test; two runs at a time do not share it.
inline std::filesystem::path scratch_folder(const std::string& name) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("cairn_render_" + name + "_" + std::to_string(getpid()));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
}

// Every test ends with the check that the driver had nothing to complain about. Without EGL the tests fail with its
// reason.
class RenderTest : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        // The driver may offer more than the renderer asks for; with these it does not (Mesa only, ignored elsewhere).
        setenv("MESA_GL_VERSION_OVERRIDE", "4.1", 1);
        setenv("MESA_GLSL_VERSION_OVERRIDE", "410", 1);
        context_ = std::make_unique<OffscreenContext>();
    }
    static void TearDownTestSuite() { context_.reset(); }

    void TearDown() override {
        EXPECT_EQ(gl_error_count(), 0);
        for (const std::string& message : gl_messages()) {
            ADD_FAILURE() << "GL: " << message;
        }
    }

    static RendererOptions small_options() {
        RendererOptions options;
        options.textures = texture_folder();
        options.shadow_map_size = 1024;
        return options;
    }

  private:
    static inline std::unique_ptr<OffscreenContext> context_;
};

inline constexpr Viewport small_viewport{320, 180, 1.0f};

// Linear luminance-like mean of the three bytes of a pixel, rows from the top.
inline int brightness(const Image& image, int x, int y) {
    const std::uint8_t* pixel = image.at(x, y);
    return (pixel[0] + pixel[1] + pixel[2]) / 3;
}

} // namespace cairn::render::tests
