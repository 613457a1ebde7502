// Bodies that are copied, pasted and duplicated. What is added so may hang together by joints, which need the handles
// of bodies that the world has yet to make: they follow once these are there.
#pragma once

#include "app/core/scene/scene.h"
#include "physics/world/joint_def.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::ui {

struct App;

struct Copies {
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
void add_bodies(App& app, core::Scene scene, const std::string& what, bool select_them,
                std::vector<physics::JointDef> ties = {});
// Once a frame: joins and selects what has come.
void follow_copies(App& app);

// To and from the clipboard, as scene text. What is no scene is said with line and column.
bool copy_selected(App& app);
void cut_selected(App& app);
void paste(App& app); // with its lowest point where the cursor meets the world
void duplicate_selected(App& app);

} // namespace cairn::ui
