// The collision lab in the window: opening it, following what it looks at, and its panel.
#pragma once

#include "app/ui/lab/lab_export.h"
#include "app/ui/lab/lab_look.h"
#include "app/ui/lab/lab_state.h"
#include "render/view_texture.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace cairn::ui {

struct App;

// On the two selected bodies; on the selected one and the body nearest to it; on the lessons where nothing is selected.
// Closes it if it is open.
void toggle_lab(App& app);
void open_lab(App& app, physics::BodyId a, physics::BodyId b);
// On a file of questions as `cairn query` takes them. Returns whether it holds any.
bool open_questions(App& app, const std::filesystem::path& file);
std::filesystem::path lessons_file(); // the questions that come with the program
bool looks_like_questions(const std::filesystem::path& file);
void step_lab(App& app, int by); // stops playing

// Once a frame: runs the algorithms again where the pair or the choice has changed, and plays.
void follow_lab(App& app);

// The table of how long each algorithm takes: on all questions of the file, or on all near pairs of the world; and how
// that grows with the number of vertices. follow_comparison() measures some of it, once a frame.
void begin_comparison(App& app);
void follow_comparison(App& app);
void draw_comparison(App& app);

// The panel, where the right column stands else. Its width, window units; 0 while it is closed.
float lab_width(const App& app);
void draw_lab(App& app);

// Adds the marks of the shown step to the world, if the pair is in it; and draws the panel's views.
class LabViews {
  public:
    void mark_world(const App& app, render::DrawList& list, render::Renderer& renderer);
    // Only what has changed. Needs the window's context, and leaves its framebuffer bound.
    void draw(App& app);

  private:
    struct Key {
        std::uint64_t version = 0;
        std::size_t step = 0;
        int width = 0, height = 0;
        float yaw = 0.0f, pitch = 0.0f, zoom = 0.0f;
        bool operator==(const Key&) const = default;
    };
    struct Kept {
        std::unique_ptr<LabDrawing> drawing;
        std::unique_ptr<render::ViewTexture> target;
        Key key;
    };
    void save_pictures(App& app);

    std::unique_ptr<LabExport> export_;
    std::unique_ptr<render::Renderer> renderer_; // made when the lab is first opened
    std::array<Kept, 4> kept_;
    std::unique_ptr<LabDrawing> in_world_;
};

} // namespace cairn::ui
