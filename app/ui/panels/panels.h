// The panels of the window: each reads the published state and emits commands.
#pragma once

#include "app/ui/context/context.h"

#include <optional>
#include <string>

namespace cairn::ui {

// Both columns, the notes and the pills at the edges, and the overlay of keys.
void draw_panels(Context& ctx);

void transport_panel(Context& ctx);   // scene name, pause, step, restart, speed
void performance_panel(Context& ctx); // heads the right column: how well the machine keeps up
void capture_panel(Context& ctx);
void edits_panel(Context& ctx); // steps of undo and redo
void stats_panel(Context& ctx);
void layers_panel(Context& ctx);

struct WorldPanelState {
    std::string filter;
    bool changed_only = false;
    // The last reset of all parameters, while it can be taken back: what was there, and what it was replaced by.
    std::optional<physics::Settings> before_reset;
    physics::Settings after_reset;
};

// The parameters of the world.
class WorldPanel {
  public:
    void operator()(Context& ctx);

  private:
    WorldPanelState state_;
};

void draw_help(Context& ctx);
// The pills at the top edge, and the notes above y = bottom; these between x = left and right if they have room there.
void draw_notes(Context& ctx, float left, float right, float bottom); // window units

} // namespace cairn::ui
