// The first half minute: a few steps that point at what one needs to begin.
#pragma once

#include <cstddef>

namespace cairn::ui {

struct App;

struct Tour {
    bool shown = false;
    std::size_t step = 0;
    bool begun = false; // in this run, by itself
};

// Begins by itself in the first run of a person: where settings are kept, and do not say that it has been seen.
void draw_tour(App& app);
void begin_tour(App& app);
// True if the tour has used this key: Enter goes on, Esc ends it for now.
bool tour_key(App& app, int key);

} // namespace cairn::ui
