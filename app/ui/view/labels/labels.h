// Text in the world: where it stands on the screen, and drawing it into the window or into a picture.
#pragma once

#include "render/renderer.h"

#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct ImDrawList;
struct ImFont;

namespace cairn::ui {

// Finds places for labels so that those that may give way do not cover others: what is nearer comes first. Keeps its
// memory from frame to frame.
class LabelLayout {
  public:
    struct Placed {
        const render::Label* label = nullptr;
        glm::vec2 at{0.0f}; // upper left corner, units of the window
        glm::vec2 size{0.0f};
    };

    // `size_of(text)` gives width and height in units of the window, which is `window` of them large.
    template <typename SizeOf>
    const std::vector<Placed>& place(std::span<const render::Label> labels, const render::Camera& camera,
                                     const glm::vec2& window, SizeOf&& size_of) {
        begin(labels, camera, window);
        for (const Candidate& candidate : candidates_) {
            add(candidate, size_of(candidate.label->text));
        }
        return placed_;
    }

  private:
    struct Candidate {
        const render::Label* label = nullptr;
        glm::vec2 middle{0.0f};
        float distance = 0.0f; // m
    };
    void begin(std::span<const render::Label> labels, const render::Camera& camera, const glm::vec2& window);
    void add(const Candidate& candidate, const glm::vec2& size);

    std::vector<Candidate> candidates_;
    std::vector<Placed> placed_;
    // Which cells of a grid over the window hold text.
    int columns_ = 0, rows_ = 0;
    std::vector<bool> taken_;
};

// One label with its halo, its upper left corner at `at`; `shift` is how wide the halo is, window units.
void write_label(ImDrawList& out, const ImFont& font, const render::Label& label, const glm::vec2& at, float shift);

// Behind all panels, above the world, in a window of that size; `layout` keeps its memory from frame to frame.
void draw_labels(std::span<const render::Label> labels, LabelLayout& layout, const render::Camera& camera,
                 const glm::vec2& window, const ImFont& font, float scale);

// Writes labels onto pictures, without any window or driver.
class LabelPainter {
  public:
    // `pixel_ratio`: pixels per unit of the user interface.
    explicit LabelPainter(float pixel_ratio);
    ~LabelPainter();
    LabelPainter(const LabelPainter&) = delete;
    LabelPainter& operator=(const LabelPainter&) = delete;

    void paint(render::Image& image, std::span<const render::Label> labels, const render::Camera& camera);

    // Writes a paragraph with its upper left corner there, in lines of at most `width` pixels. `colour` is sRGB,
    // 0..255. Returns the row below it.
    int write(render::Image& image, int left, int top, int width, const glm::vec3& colour, const std::string& text);

  private:
    class Font;
    float pixel_ratio_;
    std::unique_ptr<Font> font_; // made when the first label is to be written
    LabelLayout layout_;
};

} // namespace cairn::ui
