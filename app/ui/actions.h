// What keys, buttons and dropped files do, by subject in actions/. Nothing here throws: what goes wrong becomes a
// message, and the running world goes on.
#pragma once

#include "app/ui/app.h"

namespace cairn::ui {

// perform.cpp. Carries out a key's action (flight is not one of them: it acts while held).
void perform(App& app, Action action);

// files.cpp. Opens a scene, or replays a capture, whatever is lost by it: see document/document.h. Returns whether that
// worked.
bool open_file(App& app, const std::filesystem::path& path);
void reload(App& app);

// captures.cpp. Everything since the world was made, as a capture.
void save_past(App& app);
void start_recording(App& app);
void stop_recording(App& app);
bool record_to(App& app, const std::filesystem::path& path); // returns whether it is recorded now
void record_if_wished(App& app); // into a file called by the date, where every scene shall be recorded
// From the state after the step `at`, and if that is given, paused there.
void start_replay(App& app, const std::filesystem::path& path, std::optional<std::uint64_t> at = {});
void stop_replay(App& app);

// past.cpp. Brings the world to the state after a known step, and pauses there.
void go_to_step(App& app, std::uint64_t step);
void step_back(App& app);
// Takes up another line of the past, see core::History.
void take_line(App& app, std::size_t line);
// Does what followed again in a world that the person changes, see core::Runner, with ghosts of how it was; or ends
// that.
void what_if(App& app);
void hurry(App& app); // through it as fast as it is computed, or at the usual pace again

// world.cpp
void toggle_pause(App& app);
void single_step(App& app);
void restart(App& app);
// After something changed the world as a whole (scene loaded, restarted): drops what refers to the old one.
void forget_bodies(App& app);
// Spawns by the panel's settings with the lowest point at `base`, or where the settings say.
void spawn_at(App& app, const physics::Vec3& base);
void spawn_from_panel(App& app);
void throw_ball(App& app);
void delete_selected(App& app, const std::string& what = {});
// Take back the last edit of this world, or do it again.
void undo(App& app);
void redo(App& app);

// selection.cpp
void select(App& app, physics::BodyId body);                       // this alone, or nothing
void toggle_selected(App& app, physics::BodyId body);              // one more, or one less
void select_bodies(App& app, std::vector<physics::BodyId> bodies); // these alone; shows the last
void select_all(App& app);                                         // that can move
bool is_selected(const App& app, physics::BodyId body);
// Of the selected bodies, in frame().bodies; ascending.
std::vector<std::size_t> selected_places(const App& app);

// expectations.cpp. From the next step on, for as long as the panel says.
enum class SelectionExpectation { rest, upright, place, touch, no_touch };
void expect_of_selection(App& app, SelectionExpectation what);
void expect_at_most(App& app, core::Measure measure, double most);
struct PointOfBody {
    physics::BodyId body;
    physics::Vec3 local{0.0f};
};
void expect_distance(App& app, const PointOfBody& from, const PointOfBody& to, double distance);
// Those that the scene's file does not hold yet, into it.
void write_expectations(App& app);

// view.cpp. Where the cursor meets the world: a body, else the ground plane z = 0 within 200 m.
std::optional<physics::Vec3> point_under_cursor(const App& app);
void frame_selected(App& app);
void frame_all(App& app);
void look_along(App& app, const glm::vec3& direction); // at what is looked at now; a unit vector
void toggle_follow(App& app);                          // of the shown body by the camera
void follow_with_camera(App& app);                     // once a frame
// Begins a film of the last seconds, or gives up the one that is being made.
void film(App& app);

// follow_simulation.cpp. Passes on what the simulation has to say, notices the end of a replay, and drops handles of
// bodies that are gone. Once a frame.
void follow_simulation(App& app);

} // namespace cairn::ui
