// What the left mouse button does in the world. Each tool is a class of its own; the tool box holds them and hands the
// mouse to the one that is active. Tools read the published state and emit commands.
#pragma once

#include "app/ui/widgets/widgets.h"
#include "render/draw_list.h"

#include <array>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cairn::ui {

struct Context;
class MeshSource;
class SettingsArchive;

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

struct IconPen;

// What is known of a tool before it is used.
struct ToolInfo {
    const char* id;     // in the settings file and in reports; its button is tool.ID
    const char* name;   // for people
    const char* help;   // one sentence
    const char* action; // that chooses it, as people read it, and its key
    const char* key;
    void (*icon)(const IconPen& pen);
    bool edits = true; // the world, so that a replay has no use for it
};
// The id of the action that chooses it.
inline std::string tool_action(const ToolInfo& info) {
    return std::string("tool_") + info.id;
}

class Tool {
  public:
    explicit Tool(const ToolInfo& info) : info_(info) {}
    virtual ~Tool() = default;
    Tool(const Tool&) = delete;
    Tool& operator=(const Tool&) = delete;

    const ToolInfo& info() const { return info_; }
    virtual bool points_at_bodies() const { return true; } // what is under the cursor is shown
    // The left button in the world; `at` in window units. Between press and release the mouse is the tool's.
    virtual void press(Context& ctx, const glm::vec2& at) = 0;
    virtual void move(Context&, const glm::vec2& /*at*/) {}
    virtual void release(Context&, const glm::vec2& /*at*/) {}
    // A key that is pressed while the world has the keyboard, as key_codes.h numbers it. True if the tool used it.
    virtual bool key(Context&, int /*key*/) { return false; }
    // True if the tool used the wheel; else it zooms.
    virtual bool scroll(Context&, float /*steps*/) { return false; }
    // Once a frame while the tool is active, after the camera moved.
    virtual void update(Context&) {}
    virtual void draw(const Context&, render::DrawList&, MeshSource&) {}
    virtual void write(const Context&, ToolOverlay&) const {}
    virtual bool has_settings() const { return true; }
    virtual void settings(Context&) {}
    // What of that is there again in the next run: visited as a part of the settings file.
    virtual void remember(SettingsArchive&) {}
    // Ends what is under way, as Esc, another tool or the loss of the window do. True if there was anything.
    virtual bool cancel(Context&) { return false; }

  private:
    ToolInfo info_;
};

} // namespace cairn::ui
