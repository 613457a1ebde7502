// Bodies that are copied, pasted and duplicated, with the joints between them.
#pragma once

#include "app/core/scene/scene.h"
#include "app/ui/context/parts.h"
#include "physics/world/joint_def.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::ui {

struct Context;

struct Copies : Part {
    std::vector<std::uint64_t> selected_when_there; // gestures
    void world_replaced(Context&, WorldChange) override { selected_when_there.clear(); }
};

// Adds the bodies and joints as one edit of this name. `ties` join new bodies, B, to others, A.
void add_bodies(Context& ctx, core::Scene scene, const std::string& what, bool select_them,
                std::vector<physics::JointDef> ties = {});
// Once a frame: selects what has come.
void follow_copies(Context& ctx);

// To and from the clipboard, as scene text. What is no scene is said with line and column.
bool copy_selected(Context& ctx);
void cut_selected(Context& ctx);
void paste(Context& ctx);              // with its lowest point where the cursor meets the world
void duplicate_selected(Context& ctx); // beside the original, with room and in view if there is such a place

} // namespace cairn::ui
