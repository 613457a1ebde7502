#include "app/ui/window/screenshots.h"

#include "app/core/base/error.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {

namespace {

render::Image picture_of_window(const App& app) {
    return render::read_framebuffer(app.window.framebuffer_width, app.window.framebuffer_height);
}

void save_whole(const App& app, const std::filesystem::path& path) {
    render::write_png(path, picture_of_window(app));
}

// A part of the window as a picture.
void save_part(App& app, const Rectangle& part, const std::filesystem::path& path) {
    const float ratio = app.window.framebuffer_ratio();
    const render::Image whole = picture_of_window(app);
    const auto pixel = [&](float at, int most) { return std::clamp(static_cast<int>(at * ratio), 0, most); };
    const int left = pixel(part.x, whole.width), right = pixel(part.x + part.width, whole.width);
    const int top = pixel(part.y, whole.height), bottom = pixel(part.y + part.height, whole.height);
    render::Image image;
    image.width = right - left;
    image.height = bottom - top;
    for (int y = top; y < bottom; ++y) {
        const auto row = whole.pixels.begin() + 4 * (static_cast<std::ptrdiff_t>(y) * whole.width + left);
        image.pixels.insert(image.pixels.end(), row, row + 4 * static_cast<std::ptrdiff_t>(image.width));
    }
    try {
        render::write_png(path, image);
        app.log.info("Saved " + path.string());
    } catch (const std::exception& error) {
        app.log.error(error.what());
    }
}

void save_asked_for(App& app) {
    const std::filesystem::path path = std::exchange(app.screenshot, std::nullopt)->path;
    try {
        save_whole(app, path);
        app.log.info("Saved " + path.string());
    } catch (const std::exception& error) {
        app.log.error(error.what());
    }
}

} // namespace

void take_world_screenshot(App& app) {
    if (app.screenshot && !app.screenshot->with_panels) {
        save_asked_for(app);
    }
}

void take_screenshots(App& app, bool last) {
    if (app.drawer.picture_of) {
        save_part(app, *std::exchange(app.drawer.picture_of, std::nullopt), std::exchange(app.drawer.picture_path, {}));
    }
    if (app.screenshot && app.screenshot->with_panels) {
        save_asked_for(app);
    }
    if (!app.options.screenshot.empty() && last) {
        try {
            save_whole(app, app.options.screenshot);
        } catch (const render::RenderError& error) {
            throw core::InputError(error.what());
        }
    }
}

} // namespace cairn::ui
