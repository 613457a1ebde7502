#include "app/ui/session/screenshots.h"

#include "app/core/base/error.h"
#include "app/ui/context/attempt.h"
#include "app/ui/plots/drawer.h"
#include "render/renderer.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {

namespace {

render::Image picture_of_window(const Context& ctx) {
    return render::read_framebuffer(ctx.window.framebuffer_width, ctx.window.framebuffer_height);
}

template <class Picture>
void save(Context& ctx, const std::filesystem::path& path, const Picture& picture) {
    if (attempt(ctx, [&] { render::write_png(path, picture()); })) {
        ctx.log.info("Saved " + path.string());
    }
}

render::Image part_of_window(const Context& ctx, const Rectangle& part) {
    const float ratio = ctx.window.framebuffer_ratio();
    const render::Image whole = picture_of_window(ctx);
    const auto pixel = [&](float at, int most) { return std::clamp(static_cast<int>(at * ratio), 0, most); };
    const int left = pixel(part.x, whole.width), right = pixel(part.x + part.width, whole.width);
    const int top = pixel(part.y, whole.height), bottom = pixel(part.y + part.height, whole.height);
    render::Image image{right - left, bottom - top, {}};
    for (int y = top; y < bottom; ++y) {
        image.pixels.insert(image.pixels.end(), whole.at(left, y), whole.at(right, y));
    }
    return image;
}

void save_asked_for(Context& ctx) {
    save(ctx, std::exchange(ctx.get<Screenshots>().wanted, std::nullopt)->path, [&] { return picture_of_window(ctx); });
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
    Drawer& drawer = ctx.get<Drawer>();
    if (drawer.picture_of) {
        const Rectangle part = *std::exchange(drawer.picture_of, std::nullopt);
        save(ctx, std::exchange(drawer.picture_path, {}), [&] { return part_of_window(ctx, part); });
    }
    if (ctx.get<Screenshots>().wanted && ctx.get<Screenshots>().wanted->with_panels) {
        save_asked_for(ctx);
    }
    if (!ctx.options.screenshot.empty() && last) {
        try {
            render::write_png(ctx.options.screenshot, picture_of_window(ctx));
        } catch (const render::RenderError& error) {
            throw core::InputError(error.what());
        }
    }
}

} // namespace cairn::ui
