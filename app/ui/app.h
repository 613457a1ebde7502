// What the window's parts share: the simulation, the camera, what is selected and what the panels hold. The world
// itself is out of reach: it is read through the published state and changed through commands.
#pragma once

#include "app/core/runner/simulation.h"
#include "app/ui/browser/scene_browser.h"
#include "app/ui/camera_control.h"
#include "app/ui/copies.h"
#include "app/ui/document/document.h"
#include "app/ui/film/film_state.h"
#include "app/ui/input_map.h"
#include "app/ui/lab/lab_state.h"
#include "app/ui/labels.h"
#include "app/ui/message_log.h"
#include "app/ui/panels/command_palette.h"
#include "app/ui/panels/contacts_panel.h"
#include "app/ui/plots/drawer.h"
#include "app/ui/quality.h"
#include "app/ui/scene_view.h"
#include "app/ui/settings/remembered.h"
#include "app/ui/sound/sounds.h"
#include "app/ui/spawn.h"
#include "app/ui/timeline/ghosts.h"
#include "app/ui/timeline/playback.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tour/tour.h"
#include "app/ui/widgets.h"
#include "app/ui/window.h"
#include "render/renderer.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cairn::ui {

// The last few seconds of a figure, for plots.
class History {
  public:
    void add(float value);
    float mean() const;
    float median() const;
    float largest() const;
    const std::array<float, 240>& values() const { return values_; }
    int start() const { return next_; } // index of the oldest
    int count() const { return count_; }

  private:
    std::array<float, 240> values_{};
    int next_ = 0, count_ = 0;
};

// A scene in the list of the Scenes panel, with the texts that the list needs for every picture.
struct SceneRow {
    std::filesystem::path path;
    std::string item, mark, tip;
    std::string searched; // in small letters
};

struct ScenesState {
    std::vector<core::SceneFile> shipped, own;
    std::vector<SceneRow> rows;
    std::string search;
    bool listed = false;
};

struct CaptureState {
    std::string path;    // of the next recording or the next replay
    bool always = false; // record every scene from its first step on
    std::string replay_path;
    std::vector<std::filesystem::path> own;
    bool listed = false;
    // The last replay, kept after it ended.
    std::optional<core::Runner::ReplayState> last_replay;
};

struct WorldPanelState {
    std::string filter;
    bool changed_only = false;
    // The last reset of all parameters, while it can be taken back: what was there, and what it was replaced by.
    std::optional<physics::Settings> before_reset;
    physics::Settings after_reset;
};

struct LayersPanelState {
    std::vector<const char*> mode_titles; // for the list of what colours may mean
};

struct ExpectationsPanelState {
    float seconds = 5.0f; // for which something is expected from here on
};

struct BodyPanelState {
    physics::BodyId body;
    glm::vec3 degrees{0.0f}; // orientation while it is edited
    bool editing_degrees = false;
    glm::vec3 impulse{0.0f, 0.0f, 10.0f}; // N s
};

// How the last frames went.
struct FrameFigures {
    std::uint64_t frames = 0;
    double frame_seconds = 0.0;
    History frame_ms, step_ms;
    // What the main thread does for a picture, without what the driver and the screen make it wait: taking the newest
    // state of the world, what follows from the mouse, panels, the draw list, culling, filling the instance buffer.
    History update_ms, input_ms, panels_ms, draw_list_ms, cull_ms, fill_ms;
    // How fast simulated time has run of late, as a share of how fast it should; 1 = it keeps up.
    double pace = 1.0;
    double pace_from = 0.0;      // log time at which measuring it began
    double pace_from_time = 0.0; // s of simulated time then
    double dropped_seen = 0.0;
    double dropped_at = -100.0; // log time at which simulated time was last dropped
};

// The two columns of panels. The right one opens for a selection, and closes with it unless it was open before.
struct Columns {
    bool left = true, right = false;
    bool right_for_selection = false, had_selection = false;
};

struct ScreenshotRequest { // written at the end of the frame
    std::filesystem::path path;
    bool with_panels = false;
};

struct WindowMetrics {
    int width = 1280, height = 720; // window units
    int framebuffer_width = 1280, framebuffer_height = 720;
    float scale = 1.0f; // UI scale in window units
    bool minimised = false;
    float framebuffer_ratio() const {
        return width > 0 ? static_cast<float>(framebuffer_width) / static_cast<float>(width) : 1.0f;
    }
};

struct App {
    App(const WindowOptions& window_options, core::Simulation& the_simulation)
        : options(window_options), simulation(the_simulation) {}

    WindowOptions options;
    core::Simulation& simulation;
    CameraControl camera;
    SceneView view;
    ViewOptions view_options;
    render::DrawList draw_list;
    // Selected bodies by slot, and the one among them that came last, which panels show. Change them through actions.h.
    std::vector<physics::BodyId> selection;
    LabelLayout labels;
    physics::JointId open_joint; // in the panel of its body
    physics::BodyId selected, hovered;
    // Grows when the world is replaced by another: handles from before mean nothing then, though they may look alive.
    std::uint64_t world_number = 0;

    MessageLog log;
    Widgets widgets;
    WindowMetrics window;
    DrawSettings draw;
    render::RenderStats render_stats;
    FrameFigures figures;

    SpawnSettings spawn;
    ToolBox tools;
    ScenesState scenes;
    Copies copies;
    CaptureState capture;
    WorldPanelState world_panel;
    BodyPanelState body_panel;
    ExpectationsPanelState expectations_panel;
    Sounds sounds;
    FilmState film;
    Remembered remembered;
    LayersPanelState layers_panel;
    CommandPalette palette;
    ContactsPanel contacts_panel;
    Drawer drawer;
    Tour tour;
    SceneBrowser browser;
    TimelineState timeline;
    Ghosts ghosts;
    LabState lab;
    Document document;

    bool show_ui = true, show_help = false;
    Columns columns;
    bool quit = false;
    std::optional<ScreenshotRequest> screenshot;

    glm::vec2 cursor{0.0f}; // window units
    bool cursor_over_ui = false;
    bool cursor_inside = false;
    int max_msaa = 4;
    bool software_driver = false; // the processor draws: finery is off until it is asked for

    const physics::FrameState& frame() const { return simulation.current(); }
    glm::vec2 window_size() const { return {static_cast<float>(window.width), static_cast<float>(window.height)}; }
    physics::Ray cursor_ray() const;
    // The nearest body along the ray that hides what is behind it: walls drawn as glass are looked through.
    std::optional<physics::WorldRayHit> pick(const physics::Ray& ray) const;
    bool can_edit(); // false in a replay, which is then said in the log
    // Queues a command for the next step if can_edit(). `what`: the edit's name for undo; made from the command if
    // empty.
    void submit(physics::Command command, std::string what = {});
    // The same for what only plays with what is there: no work that is to be saved.
    void play(physics::Command command, std::string what);
    // Edits while something on a panel is held down, or between begin_gesture() and end_gesture(), are undone as one.
    void begin_gesture() { gesture = new_gesture(); }
    void end_gesture() { gesture = 0; }
    std::uint64_t new_gesture() { return ++gestures; } // for one that lasts several frames: see GestureScope
    std::uint64_t gesture = 0, gestures = 0, panel_gesture = 0;
    bool panel_held = false;
};

// What is submitted while this lives belongs to the gesture of this number.
class GestureScope {
  public:
    GestureScope(App& app, std::uint64_t gesture) : app_(app), before_(app.gesture) { app.gesture = gesture; }
    ~GestureScope() { app_.gesture = before_; }
    GestureScope(const GestureScope&) = delete;
    GestureScope& operator=(const GestureScope&) = delete;

  private:
    App& app_;
    std::uint64_t before_;
};

} // namespace cairn::ui
