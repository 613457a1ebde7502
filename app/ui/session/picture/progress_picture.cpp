#include "app/ui/session/picture/progress_picture.h"

#include "render/picture_texture.h"

#include <GLFW/glfw3.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::ui {

namespace {

using Rgb = std::array<std::uint8_t, 3>;
constexpr Rgb slate{27, 31, 37}, groove{44, 50, 59}, amber{255, 179, 61};

void fill(render::Image& image, int left, int top, int right, int bottom, const Rgb& colour) {
    for (int y = std::max(top, 0); y < std::min(bottom, image.height); ++y) {
        for (int x = std::max(left, 0); x < std::min(right, image.width); ++x) {
            std::uint8_t* pixel = image.at(x, y);
            std::ranges::copy(colour, pixel);
            pixel[3] = 255;
        }
    }
}

} // namespace

render::Image ProgressPicture::paint(LabelPainter& text, int width, int height, float pixel_ratio,
                                     const std::string& what, double share) {
    render::Image image = render::Image::sized(width, height);
    fill(image, 0, 0, width, height, slate);
    const int across = std::min(width * 9 / 10, static_cast<int>(std::lround(480.0f * pixel_ratio)));
    const int high = std::max(static_cast<int>(std::lround(8.0f * pixel_ratio)), 2);
    const int left = (width - across) / 2, top = height / 2;
    const int done = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(across)));
    fill(image, left, top, left + across, top + high, groove);
    fill(image, left, top, left + done, top + high, amber);
    const int line = static_cast<int>(std::lround(20.0f * pixel_ratio));
    text.write(image, left, top - 2 * line - line / 2, across, glm::vec3(225.0f, 229.0f, 235.0f), what);
    text.write(image, left, top + line, across, glm::vec3(140.0f, 148.0f, 158.0f), "Esc cancels.");
    return image;
}

bool ProgressPicture::show(const std::string& what, double share) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (width > 0 && height > 0) {
        render::show_image(paint(text_, width, height, ratio_, what, share));
        glfwSwapBuffers(window_);
    }
    glfwPollEvents();
    return glfwGetKey(window_, GLFW_KEY_ESCAPE) != GLFW_PRESS && glfwWindowShouldClose(window_) == GLFW_FALSE;
}

} // namespace cairn::ui
