#include "app/ui/lab/picture/lab_picture.h"

#include "app/core/base/error.h"
#include "app/ui/lab/picture/lab_look.h"
#include "app/ui/view/labels/labels.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace cairn::ui {

namespace lab = core::lab;

namespace {

constexpr glm::vec3 paper(27.0f, 31.0f, 38.0f); // sRGB of the caption, as the panels have it
constexpr glm::vec3 dark_ink(60.0f, 68.0f, 80.0f);
constexpr glm::vec3 ink(230.0f, 235.0f, 240.0f);
constexpr glm::vec3 faint_ink(148.0f, 161.0f, 176.0f);
constexpr glm::vec3 amber(250.0f, 178.0f, 64.0f);

void paste(render::Image& onto, const render::Image& from, int left, int top) {
    for (int y = 0; y < from.height; ++y) {
        std::memcpy(onto.at(left, top + y), from.at(0, y), static_cast<std::size_t>(from.width) * 4);
    }
}

bool in_plane(const lab::LabRun& run) {
    std::vector<glm::dvec3> points;
    for (const lab::LabStep& step : run.steps) {
        add_points(points, step.world);
    }
    return std::ranges::all_of(points, [](const glm::dvec3& p) { return p.z == 0.0; });
}

render::RendererOptions plain_renderer() {
    render::RendererOptions options;
    options.shadow_map_size = 0;
    options.ambient_occlusion = false;
    return options;
}

} // namespace

struct LabPictures::Impl {
    Impl(int w, int h) : width(w), height(h), renderer(plain_renderer()), drawing(renderer), text(1.0f) {}

    int width, height;
    render::Renderer renderer;
    LabDrawing drawing;
    LabelPainter text;
    render::DrawList list;
};

LabPictures::LabPictures(int width, int height) {
    if (width < 480 || height < 320 || width > 8192 || height > 8192) {
        throw core::InputError("a picture of the lab of " + std::to_string(width) + "x" + std::to_string(height) +
                               " pixels is not possible; choose sizes from 480x320 to 8192x8192");
    }
    try {
        impl_ = std::make_unique<Impl>(width, height);
    } catch (const render::RenderError& error) {
        throw core::MachineError(std::string("this machine cannot draw the picture: ") + error.what());
    }
}

LabPictures::~LabPictures() = default;

render::Image LabPictures::draw(const lab::LabPair& pair, const lab::LabRun& run, std::size_t index) {
    const lab::LabStep& step = run.steps.at(index);
    render::Image out = render::Image::sized(impl_->width, impl_->height);
    for (std::size_t i = 0; i < out.pixels.size(); i += 4) {
        for (std::size_t k = 0; k < 3; ++k) {
            out.pixels[i + k] = static_cast<std::uint8_t>(paper[static_cast<glm::length_t>(k)]);
        }
        out.pixels[i + 3] = 255;
    }
    // As high as the step with the most numbers needs, the same for all.
    std::size_t rows = 0;
    for (const lab::LabStep& each : run.steps) {
        rows = std::max(rows, each.readings.size());
    }
    const int caption = std::clamp(static_cast<int>(rows) * 17 + 24, out.height / 4, out.height / 2);
    const int view_height = out.height - caption;
    const int half = out.width / 2;
    // Polygons in a plane are looked at from above.
    const bool flat = !(pair.a.bounding_radius > 0.0f) && in_plane(run);
    const glm::vec3 towards_eye = glm::normalize(flat ? glm::vec3(0.0f, -0.01f, 1.0f) : glm::vec3(0.45f, -1.0f, 0.42f));
    const auto view = [&](int left, int width, const std::vector<glm::dvec3>& points, auto&& fill) {
        impl_->drawing.begin();
        impl_->list.clear();
        impl_->list.grid = false;
        impl_->list.camera =
            camera_for(points, towards_eye, static_cast<float>(width) / static_cast<float>(view_height));
        fill(impl_->list);
        render::Image image = impl_->renderer.draw_to_image(impl_->list, {width, view_height, 1.0f});
        impl_->text.paint(image, impl_->list.labels.all(), impl_->list.camera);
        paste(out, image, left, 0);
    };
    // All steps of a run are seen from the same places.
    const auto bodies = [&](render::DrawList& list) { draw_bodies(list, impl_->drawing, pair, step); };
    if (!shows_difference(run)) { // it is about one body
        view(0, out.width, points_of_bodies(pair, run), bodies);
    } else {
        view(0, half, points_of_bodies(pair, run), bodies);
        view(half, out.width - half, points_of_difference(pair, run),
             [&](render::DrawList& list) { draw_difference(list, impl_->drawing, pair, step); });
        for (int y = 0; y < view_height; ++y) {
            for (int k = 0; k < 3; ++k) {
                out.at(half, y)[k] = static_cast<std::uint8_t>(paper[k]);
            }
        }
        impl_->text.write(out, 12, 10, half - 24, dark_ink,
                          "the bodies: " + pair.name_a + " blue, " + pair.name_b + " orange");
        impl_->text.write(out, half + 12, 10, half - 24, dark_ink,
                          "the Minkowski difference " + pair.name_a + " - " + pair.name_b);
    }

    const int margin = 14;
    int top = view_height + 10;
    const int readings_width = std::min(out.width / 3, 330);
    const int text_width = out.width - readings_width - 3 * margin;
    top = impl_->text.write(out, margin, top, text_width, faint_ink,
                            run.algorithm + " · step " + std::to_string(index + 1) + " of " +
                                std::to_string(run.steps.size()));
    top = impl_->text.write(out, margin, top + 4, text_width, ink, step.sentence);
    impl_->text.write(out, margin, top + 4, text_width, amber, step.status);
    int row = view_height + 10;
    const int column = out.width - readings_width - margin;
    const int names = std::min(130, readings_width / 2);
    for (const lab::Reading& reading : step.readings) {
        if (row > out.height - 36 && &reading != &step.readings.back()) {
            impl_->text.write(out, column, row, readings_width, faint_ink, "... more in the text");
            break;
        }
        impl_->text.write(out, column, row, readings_width, faint_ink, reading.name);
        row = impl_->text.write(out, column + names, row, readings_width - names, ink, reading.value);
    }
    return out;
}

} // namespace cairn::ui
