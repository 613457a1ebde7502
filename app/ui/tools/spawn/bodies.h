// Bodies that come and go by keys and buttons.
#pragma once

#include "app/ui/context/context.h"

#include <string>

namespace cairn::ui {

// Spawns by the panel's settings with the lowest point at `base`, or where the settings say.
void spawn_at(Context& ctx, const physics::Vec3& base);
void spawn_from_panel(Context& ctx);
void throw_ball(Context& ctx);
void delete_selected(Context& ctx, const std::string& what = {});
// Take back the last edit of this world, or do it again.
void undo(Context& ctx);
void redo(Context& ctx);

} // namespace cairn::ui
