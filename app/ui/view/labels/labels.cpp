#include "app/ui/view/labels/labels.h"

#include "app/ui/camera/picking.h"
#include "app/ui/widgets/palette.h"
#include "app/ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <imgui_internal.h>
#include <tuple>

namespace cairn::ui {

namespace {

constexpr float cell = 6.0f; // units of the window
constexpr ImU32 halo = IM_COL32(14, 18, 24, 190);

} // namespace

void LabelLayout::begin(std::span<const render::Label> labels, const render::Camera& camera, const glm::vec2& window) {
    candidates_.clear();
    placed_.clear();
    columns_ = static_cast<int>(window.x / cell) + 1;
    rows_ = static_cast<int>(window.y / cell) + 1;
    taken_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), false);
    for (const render::Label& label : labels) {
        const auto at = window_position(camera, label.position, window);
        if (at && at->x >= 0.0f && at->y >= 0.0f && at->x < window.x && at->y < window.y) {
            candidates_.push_back({&label, *at, glm::length(label.position - camera.eye)});
        }
    }
    std::ranges::sort(candidates_, [](const Candidate& a, const Candidate& b) {
        return std::tuple(a.label->gives_way, a.distance, a.label) <
               std::tuple(b.label->gives_way, b.distance, b.label);
    });
}

void LabelLayout::add(const Candidate& candidate, const glm::vec2& size) {
    const glm::vec2 low = candidate.middle - 0.5f * size;
    const auto cell_of = [](float place, int end) {
        return std::clamp(static_cast<int>(std::floor(place / cell)), 0, end - 1);
    };
    const int left = cell_of(low.x, columns_), right = cell_of(low.x + size.x, columns_);
    const int top = cell_of(low.y, rows_), bottom = cell_of(low.y + size.y, rows_);
    const auto at = [&](int x, int y) { return static_cast<std::size_t>(y * columns_ + x); };
    for (int y = top; candidate.label->gives_way && y <= bottom; ++y) {
        for (int x = left; x <= right; ++x) {
            if (taken_[at(x, y)]) {
                return;
            }
        }
    }
    for (int y = top; y <= bottom; ++y) {
        for (int x = left; x <= right; ++x) {
            taken_[at(x, y)] = true;
        }
    }
    placed_.push_back({candidate.label, glm::vec2(std::round(low.x), std::round(low.y)), size});
}

void write_label(ImDrawList& out, const ImFont& font, const render::Label& label, const glm::vec2& at, float shift) {
    const std::string& text = label.text;
    const auto write = [&](float x, float y, ImU32 colour) {
        out.AddText(&font, font.FontSize, ImVec2(at.x + x, at.y + y), colour, text.data(), text.data() + text.size());
    };
    for (const auto& [x, y] : {std::pair{-1.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, -1.0f}, {0.0f, 1.0f}}) {
        write(x * shift, y * shift, halo);
    }
    write(0.0f, 0.0f, theme::packed(theme::from_linear(glm::vec3(label.colour)), label.colour.a));
}

void draw_labels(std::span<const render::Label> labels, LabelLayout& layout, const render::Camera& camera,
                 const glm::vec2& window, const ImFont& font, float scale) {
    const float height = font.FontSize;
    const auto size_of = [&](const std::string& text) {
        const ImVec2 size = font.CalcTextSizeA(height, 1e9f, 0.0f, text.data(), text.data() + text.size());
        return glm::vec2(size.x, size.y);
    };
    ImDrawList& out = *ImGui::GetBackgroundDrawList();
    const float shift = std::max(1.0f, std::round(scale));
    for (const LabelLayout::Placed& placed : layout.place(labels, camera, window, size_of)) {
        write_label(out, font, *placed.label, placed.at, shift);
    }
}

// A font as a picture.
class LabelPainter::Font {
  public:
    explicit Font(float pixels_per_unit) {
        ImGuiContext* const before = ImGui::GetCurrentContext();
        ImGui::SetCurrentContext(nullptr);
        context_ = ImGui::CreateContext();
        ImGui::SetCurrentContext(context_);
        ImGui::GetIO().IniFilename = nullptr;
        MessageLog log; // a font that is missing is replaced; a picture is no place to say so
        font_ = load_fonts(pixels_per_unit, 1.0f, log).text;
        ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&texels_, &width_, &height_);
        ImGui::SetCurrentContext(before);
    }
    ~Font() {
        ImGuiContext* const before = ImGui::GetCurrentContext();
        ImGui::DestroyContext(context_);
        ImGui::SetCurrentContext(before);
    }
    Font(const Font&) = delete;
    Font& operator=(const Font&) = delete;

    // Calls plot(x, y, cover) for every pixel of the text, relative to its upper left corner, cover 0..1.
    template <typename Plot>
    void write(const std::string& text, Plot&& plot) const {
        float pen = 0.0f;
        for (const char* at = text.data(); at < text.data() + text.size();) {
            unsigned code = 0;
            at += std::max(ImTextCharFromUtf8(&code, at, text.data() + text.size()), 1);
            const ImFontGlyph* glyph = font_->FindGlyph(static_cast<ImWchar>(code));
            if (glyph == nullptr) {
                continue;
            }
            draw(*glyph, pen, plot);
            pen += glyph->AdvanceX;
        }
    }
    // The atlas may hold a glyph several times as wide as it is shown: a pixel is the mean of the texels under it.
    template <typename Plot>
    void draw(const ImFontGlyph& glyph, float pen, Plot& plot) const {
        const float u = glyph.U0 * static_cast<float>(width_), v = glyph.V0 * static_cast<float>(height_);
        const float columns = (glyph.U1 - glyph.U0) * static_cast<float>(width_);
        const float rows = (glyph.V1 - glyph.V0) * static_cast<float>(height_);
        const float wide = columns / std::max(glyph.X1 - glyph.X0, 1e-3f);
        const int left = static_cast<int>(std::floor(pen + glyph.X0));
        const int right = static_cast<int>(std::ceil(pen + glyph.X1));
        const int top = static_cast<int>(std::lround(glyph.Y0));
        for (int y = 0; y < static_cast<int>(std::lround(rows)); ++y) {
            const unsigned char* row = texels_ + (static_cast<int>(std::lround(v)) + y) * width_;
            for (int x = left; x < right; ++x) {
                const float from = std::max((static_cast<float>(x) - pen - glyph.X0) * wide, 0.0f);
                const float to = std::min((static_cast<float>(x + 1) - pen - glyph.X0) * wide, columns);
                float sum = 0.0f;
                for (int i = static_cast<int>(from); static_cast<float>(i) < to; ++i) {
                    const float share = std::min(static_cast<float>(i + 1), to) - std::max(static_cast<float>(i), from);
                    sum += share * static_cast<float>(row[static_cast<int>(std::lround(u)) + i]);
                }
                plot(x, top + y, sum / (255.0f * wide));
            }
        }
    }
    glm::vec2 size_of(const std::string& text) const {
        const ImVec2 size = font_->CalcTextSizeA(font_->FontSize, 1e9f, 0.0f, text.data(), text.data() + text.size());
        return {size.x, size.y};
    }

  private:
    ImGuiContext* context_ = nullptr;
    ImFont* font_ = nullptr;
    unsigned char* texels_ = nullptr;
    int width_ = 0, height_ = 0;
};

namespace {

// `colour` is sRGB, 0..255.
void blend(render::Image& image, int x, int y, const glm::vec3& colour, float cover) {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height || cover <= 0.0f) {
        return;
    }
    std::uint8_t* pixel = image.at(x, y);
    for (int i = 0; i < 3; ++i) {
        const float there = static_cast<float>(pixel[i]);
        pixel[i] = static_cast<std::uint8_t>(std::lround(there + (colour[i] - there) * cover));
    }
}

} // namespace

LabelPainter::LabelPainter(float pixel_ratio) : pixel_ratio_(pixel_ratio) {
}

LabelPainter::~LabelPainter() = default;

int LabelPainter::write(render::Image& image, int left, int top, int width, const glm::vec3& colour,
                        const std::string& text) {
    if (!font_) {
        font_ = std::make_unique<Font>(pixel_ratio_);
    }
    const Font& font = *font_;
    const int line_height = static_cast<int>(std::lround(1.15f * font.size_of("Ag").y));
    const auto put = [&](const std::string& line) {
        font.write(line, [&](int x, int y, float cover) { blend(image, left + x, top + y, colour, cover); });
        top += line_height;
    };
    std::string line;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        const std::string longer = line.empty() ? word : line + " " + word;
        if (!line.empty() && font.size_of(longer).x > static_cast<float>(width)) {
            put(line);
            line = word;
        } else {
            line = longer;
        }
        begin = end + 1;
    }
    if (!line.empty()) {
        put(line);
    }
    return top;
}

void LabelPainter::paint(render::Image& image, std::span<const render::Label> labels, const render::Camera& camera) {
    if (labels.empty()) {
        return;
    }
    if (!font_) {
        font_ = std::make_unique<Font>(pixel_ratio_);
    }
    const Font& font = *font_;
    const glm::vec2 size(static_cast<float>(image.width), static_cast<float>(image.height));
    for (const LabelLayout::Placed& placed :
         layout_.place(labels, camera, size, [&](const std::string& text) { return font.size_of(text); })) {
        const int left = static_cast<int>(placed.at.x), top = static_cast<int>(placed.at.y);
        const glm::vec3 dark(14.0f, 18.0f, 24.0f);
        const glm::vec3 colour = 255.0f * srgb_from_linear(glm::vec3(placed.label->colour));
        for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
            font.write(placed.label->text, [&, dx = dx, dy = dy](int x, int y, float cover) {
                blend(image, left + x + dx, top + y + dy, dark, 0.75f * cover);
            });
        }
        font.write(placed.label->text, [&](int x, int y, float cover) {
            blend(image, left + x, top + y, colour, placed.label->colour.a * cover);
        });
    }
}

} // namespace cairn::ui
