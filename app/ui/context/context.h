// What every part of the window works with: the published state to read, what is selected, where the person looks and
// points, the controls and messages, and submit() for what changes the world, which itself is out of reach. Whatever
// belongs to one subject is a part of its own, see parts.h.
#pragma once

#include "app/core/runner/simulation.h"
#include "app/ui/camera/camera_control.h"
#include "app/ui/context/parts.h"
#include "app/ui/context/window_options.h"
#include "app/ui/input/actions.h"
#include "app/ui/view/scene_view.h"
#include "app/ui/widgets/message_log.h"
#include "app/ui/widgets/widgets.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::ui {

struct WindowMetrics {
    int width = 1280, height = 720; // window units
    int framebuffer_width = 1280, framebuffer_height = 720;
    float scale = 1.0f; // UI scale in window units
    bool minimised = false;
    float framebuffer_ratio() const {
        return width > 0 ? static_cast<float>(framebuffer_width) / static_cast<float>(width) : 1.0f;
    }
};

struct Context {
    Context(const WindowOptions& window_options, core::Simulation& the_simulation)
        : options(window_options), simulation(the_simulation) {}
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    WindowOptions options;
    core::Simulation& simulation;
    core::Simulation::Events events; // of the running world, since the last frame
    CameraControl camera;
    SceneView view;
    ViewOptions view_options;
    // Selected bodies by slot, and the one among them that came last, which panels show. Change them through
    // selection.h.
    std::vector<physics::BodyId> selection;
    physics::BodyId selected, hovered;
    physics::JointId open_joint;                   // in the panel of its body
    std::optional<physics::WorldShape> open_shape; // in the panel of this frame
    // Grows when the world is replaced by another: handles from before mean nothing then, though they may look alive.
    std::uint64_t world_number = 0;

    MessageLog log;
    Widgets widgets;
    WindowMetrics window;
    bool quit = false;

    glm::vec2 cursor{0.0f}; // window units
    bool cursor_over_ui = false;
    bool cursor_inside = false;
    bool cursor_in_view() const { return cursor_inside && !cursor_over_ui; }

    Parts parts;
    template <class P>
    P& get() {
        return parts.get<P>();
    }
    template <class P>
    const P& get() const {
        return parts.get<P>();
    }

    // All that can be done, whoever does it.
    Actions actions;
    void perform(std::string_view action) { actions.run(*this, action); }
    const std::string& key_of(std::string_view action) const { return actions.key_of(action); }

    const physics::FrameState& frame() const { return simulation.current(); }
    glm::vec2 window_size() const { return {static_cast<float>(window.width), static_cast<float>(window.height)}; }
    physics::Ray cursor_ray() const;
    // The nearest body along the ray that hides what is behind it: walls drawn as glass are looked through.
    std::optional<physics::WorldRayHit> pick(const physics::Ray& ray) const;
    bool can_edit(); // false in a replay, which is then said in the log
    // Queues a command for the next step if can_edit(). `what`: the edit's name for undo; made from the command if
    // empty.
    template <class Edit>
    void submit(Edit edit, std::string what = {}) {
        if (can_edit()) {
            simulation.submit(std::move(edit), {std::move(what), gesture});
        }
    }
    void submit(std::vector<core::ReplaceShape> changes, std::string what);
    // The same for what only plays with what is there: no work that is to be saved.
    void play(physics::Command command, std::string what);
    // Edits while something on a panel is held down, or between begin_gesture() and end_gesture(), are undone as one.
    void begin_gesture() { gesture = new_gesture(); }
    void end_gesture() { gesture = 0; }
    std::uint64_t new_gesture() { return ++gestures; } // for one that lasts several frames: see GestureScope
    std::uint64_t gesture = 0, gestures = 0;

    // After the world has been replaced: nothing refers to the old one any more.
    void world_replaced(WorldChange change = WorldChange::other);
};

// What is submitted while this lives belongs to the gesture of this number.
class GestureScope {
  public:
    GestureScope(Context& ctx, std::uint64_t gesture) : ctx_(ctx), before_(ctx.gesture) { ctx.gesture = gesture; }
    ~GestureScope() { ctx_.gesture = before_; }
    GestureScope(const GestureScope&) = delete;
    GestureScope& operator=(const GestureScope&) = delete;

  private:
    Context& ctx_;
    std::uint64_t before_;
};

} // namespace cairn::ui
