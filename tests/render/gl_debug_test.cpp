// The tests of this folder and of the window end with the check that the driver had nothing to complain about. Here it
// has: a check that cannot fail would prove nothing.
#include "tests/render/render_fixture.h"

#include <string_view>

namespace cairn::render::tests {
namespace {

TEST(GlDebugTest, AWrongCallIsCountedAndPutIntoWords) {
    setenv("MESA_GL_VERSION_OVERRIDE", "4.1", 1);
    setenv("MESA_GLSL_VERSION_OVERRIDE", "410", 1);
    const OffscreenContext context; // of its own: the next one begins with a clean slate
    Renderer renderer({});
    renderer.draw_to_image(studio(), small_viewport);
    ASSERT_EQ(gl_error_count(), 0);
    ASSERT_TRUE(gl_messages().empty());
    constexpr unsigned nobodys_framebuffer = 4711;
    renderer.draw(studio(), small_viewport, nobodys_framebuffer);
    EXPECT_GT(gl_error_count(), 0);
    ASSERT_FALSE(gl_messages().empty());
    EXPECT_GT(gl_messages().front().size(), std::string_view("GL_INVALID_FRAMEBUFFER_OPERATION").size())
        << "the error flag alone was seen, not the debug output: " << gl_messages().front();
}

} // namespace
} // namespace cairn::render::tests
