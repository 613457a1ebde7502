// The collision lab in the window: opening it, following what it looks at, and its panel.
#pragma once

#include "app/ui/lab/lab_state.h"

#include <filesystem>

namespace cairn::ui {

struct Context;

// On the two selected bodies; on the selected one and the body nearest to it; on the lessons where nothing is selected.
// Closes it if it is open.
void toggle_lab(Context& ctx);
void open_lab(Context& ctx, physics::BodyId a, physics::BodyId b);
// On a file of questions as `cairn query` takes them. Returns whether it holds any.
bool open_questions(Context& ctx, const std::filesystem::path& file);
std::filesystem::path lessons_file(); // the questions that come with the program
bool looks_like_questions(const std::filesystem::path& file);
void step_lab(Context& ctx, int by); // stops playing

inline constexpr float most_lab_pitch = 1.5533f; // rad, of the views: almost from above
// Of core::lab::all_choices(). Goes to the choice's own pair where it cannot run on the one that the lab is open on,
// and an algorithm of the engine back to that one.
void choose_in_lab(Context& ctx, int choice);
void put_on_preset(Context& ctx, bool preset); // or back on the pair that the lab is open on

// Once a frame: runs the algorithms again where the pair or the choice has changed, and plays.
void follow_lab(Context& ctx);

// The table of how long each algorithm takes: on all questions of the file, or on all near pairs of the world; and how
// that grows with the number of vertices. follow_comparison() measures some of it, once a frame.
void begin_comparison(Context& ctx);
void follow_comparison(Context& ctx);
void draw_comparison(Context& ctx);

// The panel, where the right column stands else. Its width, window units; 0 while it is closed.
float lab_width(const Context& ctx);
void draw_lab(Context& ctx);

} // namespace cairn::ui
