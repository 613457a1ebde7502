// The contacts of the selected body.
#pragma once

#include "app/ui/context/parts.h"
#include "physics/world/frame_state.h"
#include "render/draw_list.h"

#include <optional>
#include <vector>

namespace cairn::ui {

struct Context;

struct ContactsPanel : Part {
    std::vector<std::size_t> listed; // in frame().contacts
    // Of the row under the cursor: the contact as of this frame, and the other body.
    std::optional<physics::ContactState> pointed;
    physics::BodyId other;
};

void contacts_panel(Context& ctx);
// Shows in the world the contact whose row is under the cursor: its point, its normal, and the other body's.
void mark_pointed_contact(const Context& ctx, render::DrawList& list);

} // namespace cairn::ui
