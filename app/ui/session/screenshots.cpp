#include "app/ui/session/screenshots.h"

#include "app/core/base/error.h"
#include "app/ui/plots/drawer.h"
#include "render/renderer.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {

namespace {

render::Image picture_of_window(const Context& ctx) {
    return render::read_framebuffer(ctx.window.framebuffer_width, ctx.window.framebuffer_height);
}

void save_whole(const Context& ctx, const std::filesystem::path& path) {
    render::write_png(path, picture_of_window(ctx));
}

// A part of the window as a picture.
void save_part(Context& ctx, const Rectangle& part, const std::filesystem::path& path) {
    const float ratio = ctx.window.framebuffer_ratio();
    const render::Image whole = picture_of_window(ctx);
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
        ctx.log.info("Saved " + path.string());
    } catch (const std::exception& error) {
        ctx.log.error(error.what());
    }
}

void save_asked_for(Context& ctx) {
    const std::filesystem::path path = std::exchange(ctx.get<Screenshots>().wanted, std::nullopt)->path;
    try {
        save_whole(ctx, path);
        ctx.log.info("Saved " + path.string());
    } catch (const std::exception& error) {
        ctx.log.error(error.what());
    }
}

} // namespace

bool screenshot_due(const Context& ctx, bool last) {
    return ctx.get<Screenshots>().wanted || ctx.get<Drawer>().picture_of || (last && !ctx.options.screenshot.empty());
}

void take_world_screenshot(Context& ctx) {
    if (ctx.get<Screenshots>().wanted && !ctx.get<Screenshots>().wanted->with_panels) {
        save_asked_for(ctx);
    }
}

void take_screenshots(Context& ctx, bool last) {
    if (ctx.get<Drawer>().picture_of) {
        save_part(ctx, *std::exchange(ctx.get<Drawer>().picture_of, std::nullopt),
                  std::exchange(ctx.get<Drawer>().picture_path, {}));
    }
    if (ctx.get<Screenshots>().wanted && ctx.get<Screenshots>().wanted->with_panels) {
        save_asked_for(ctx);
    }
    if (!ctx.options.screenshot.empty() && last) {
        try {
            save_whole(ctx, ctx.options.screenshot);
        } catch (const render::RenderError& error) {
            throw core::InputError(error.what());
        }
    }
}

} // namespace cairn::ui
