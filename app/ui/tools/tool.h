// What the left mouse button does in the world. Each tool is a class of its own; the tool box holds them and hands the
// mouse to the one that is active. Tools read the published state and emit commands.
#pragma once

#include "app/ui/widgets.h"
#include "render/draw_list.h"

#include <array>
#include <glm/glm.hpp>
#include <optional>
#include <vector>

namespace cairn::ui {

struct App;
class MeshSource;
class SettingsArchive;

enum class ToolKind { select, move, turn, launch, wand, blast, place, measure, join, remove };

// What a tool writes over the picture. Texts are short and of fixed room: they are written anew in every frame.
struct ToolLabel {
    glm::vec3 at{0.0f}; // m, world
    std::array<char, 64> text{};
};
struct ToolOverlay {
    std::vector<ToolLabel> labels;
    std::vector<glm::vec3> grips;   // m, world: what of the tool can be dragged
    std::optional<Rectangle> frame; // of a box selection, window units
    void clear() {
        labels.clear();
        grips.clear();
        frame.reset();
    }
    void write(const glm::vec3& at, const char* format, ...) __attribute__((format(printf, 3, 4)));
};

class Tool {
  public:
    Tool() = default;
    virtual ~Tool() = default;
    Tool(const Tool&) = delete;
    Tool& operator=(const Tool&) = delete;

    // The left button in the world; `at` in window units. Between press and release the mouse is the tool's.
    virtual void press(App& app, const glm::vec2& at) = 0;
    virtual void move(App&, const glm::vec2& /*at*/) {}
    virtual void release(App&, const glm::vec2& /*at*/) {}
    // True if the tool used the wheel; else it zooms.
    virtual bool scroll(App&, float /*steps*/) { return false; }
    // Once a frame while the tool is active, after the camera moved.
    virtual void update(App&) {}
    virtual void draw(const App&, render::DrawList&, MeshSource&) {}
    virtual void write(const App&, ToolOverlay&) const {}
    virtual bool has_settings() const { return false; }
    virtual void settings(App&) {}
    // What of that is there again in the next run: visited as a part of the settings file.
    virtual void remember(SettingsArchive&) {}
    // Ends what is under way, as Esc, another tool or the loss of the window do. True if there was anything.
    virtual bool cancel(App&) { return false; }
};

} // namespace cairn::ui
