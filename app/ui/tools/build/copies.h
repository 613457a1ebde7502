// Bodies that are copied, pasted and duplicated. What is added so may hang together by joints, which need the handles
// of bodies that the world has yet to make: they follow once these are there.
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
    struct Coming { // on its way into the world
        std::uint64_t gesture = 0, world = 0;
        std::size_t expected = 0;
        std::vector<physics::BodyId> made;     // in order; none for one that was refused
        std::vector<physics::JointDef> joints; // bodies by place in `made`
        std::vector<physics::JointDef> ties;   // of B, by place, to a body that was there before or to the world
        std::string what;
        bool select = false; // once all are there
    };
    std::vector<Coming> coming;
};

// Adds the bodies and joints as one edit of this name. `ties` join new bodies, B, to others, A.
void add_bodies(Context& ctx, core::Scene scene, const std::string& what, bool select_them,
                std::vector<physics::JointDef> ties = {});
// Once a frame: joins and selects what has come.
void follow_copies(Context& ctx);

// To and from the clipboard, as scene text. What is no scene is said with line and column.
bool copy_selected(Context& ctx);
void cut_selected(Context& ctx);
void paste(Context& ctx); // with its lowest point where the cursor meets the world
void duplicate_selected(Context& ctx);

} // namespace cairn::ui
