// Going to other steps of the past, along other branches, and what-if.
#pragma once

#include "app/ui/context/context.h"

namespace cairn::ui {

// Brings the world to the state after a known step, and pauses there.
void go_to_step(Context& ctx, std::uint64_t step);
void step_back(Context& ctx);
// Takes up another branch of the past, see core::History.
void take_branch(Context& ctx, std::size_t branch);
// Replays the later commands in a world that the person changes, see core::Runner, with ghosts of how it was; or ends
// that.
void what_if(Context& ctx);
// Goes back to the start and lets the scene run with these settings, with ghosts of how it was without them.
void compare_from_start(Context& ctx, const physics::Settings& settings);
void follow_compared(Context& ctx); // once a frame
void hurry(Context& ctx);           // through it as fast as it is computed, or at the usual pace again

} // namespace cairn::ui
