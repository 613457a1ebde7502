// Which bodies are selected.
#pragma once

#include "app/ui/context/context.h"

namespace cairn::ui {

void select(Context& ctx, physics::BodyId body);                       // this alone, or nothing
void toggle_selected(Context& ctx, physics::BodyId body);              // one more, or one less
void select_bodies(Context& ctx, std::vector<physics::BodyId> bodies); // these alone; shows the last
void select_all(Context& ctx);                                         // that can move
bool is_selected(const Context& ctx, physics::BodyId body);
// For people: "the world" for none.
std::string name_of(const Context& ctx, physics::BodyId body);
// Of the selected bodies, in frame().bodies; ascending.
std::vector<std::size_t> selected_places(const Context& ctx);

} // namespace cairn::ui
