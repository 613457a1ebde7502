// The first half minute: a few steps that point at what one needs to begin.
#pragma once

#include "app/ui/context/parts.h"

#include <cstddef>

namespace cairn::ui {

struct Context;

struct Tour : Part {
    bool shown = false;
    std::size_t step = 0;
    bool begun = false; // in this run, by itself
};

// Begins by itself in the first run of a person: where settings are kept, and do not say that it has been seen.
void draw_tour(Context& ctx);
void begin_tour(Context& ctx);
// True if the tour has used this key: Enter goes on, Esc ends it for now.
bool tour_key(Context& ctx, int key);

} // namespace cairn::ui
