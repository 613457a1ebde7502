// Which bodies are selected, and which are out of sight.
#pragma once

#include "app/ui/context/context.h"
#include "app/ui/context/parts.h"

#include <vector>

namespace cairn::ui {

struct HiddenBodies : Part {
    std::vector<physics::BodyId> bodies; // by slot

    bool has(physics::BodyId body) const;
    void set(physics::BodyId body, bool hide);
    void world_replaced(Context&, WorldChange) override { bodies.clear(); }
};

void select(Context& ctx, physics::BodyId body);                       // this alone, or nothing
void toggle_selected(Context& ctx, physics::BodyId body);              // one more, or one less
void select_bodies(Context& ctx, std::vector<physics::BodyId> bodies); // these alone; shows the last
void select_all(Context& ctx);                                         // that can move, and are not hidden
bool is_selected(const Context& ctx, physics::BodyId body);
// For people: "the world" for none.
std::string name_of(const Context& ctx, physics::BodyId body);
// Of the selected bodies, in frame().bodies; ascending.
std::vector<std::size_t> selected_places(const Context& ctx);

} // namespace cairn::ui
