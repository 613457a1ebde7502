// The panels of the window: each reads the published state and emits commands.
#pragma once

#include "app/ui/app.h"

namespace cairn::ui {

// Both columns, the notes and the pills at the edges, and the overlay of keys.
void draw_panels(App& app);

void transport_panel(App& app); // scene name, pause, step, restart, speed
void spawn_panel(App& app);
void world_panel(App& app);
void scenes_panel(App& app);
void body_panel(App& app);
void joints_panel(App& app); // marks: joint.N of the one at place N, joint.limits and so on of the one that is open
void expectations_panel(App& app);
void capture_panel(App& app);
void stats_panel(App& app);
void layers_panel(App& app);
void sound_panel(App& app);
void film_panel(App& app);

// Lists the scenes if that has not been done, or app.scenes.listed was taken back.
void list_scenes_once(App& app);

// The strip above `bottom` between x = left and right, window units: what is known of the past, to go to any step.
// Returns where it begins; without room there is none.
float timeline(App& app, float left, float right, float bottom);

void draw_help(App& app);
// The pills at the top edge, and the notes above y = bottom; these between x = left and right if they have room there.
void draw_notes(App& app, float left, float right, float bottom); // window units

} // namespace cairn::ui
