// Everything that can be done or set, found by a few letters: actions, parameters, scenes, layers and switches.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/input/actions.h"
#include "app/ui/widgets/search_list.h"
#include "physics/world/parameters/parameters.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::ui {

struct Context;

struct PaletteEntry {
    std::string title;
    std::string kind;     // "Action", "Parameter", ...: found too
    std::string keys;     // that do the same
    std::string searched; // all that is looked through
    // One of these.
    const Action* action = nullptr;
    const physics::Parameter* parameter = nullptr;
    std::filesystem::path scene;
    bool* shown = nullptr;         // a switch
    std::string_view section = {}; // of a column
};

struct CommandPalette : Part, SearchList {
    // Of the parameter that is being set: its number as text, and why the last one was rejected.
    const physics::Parameter* editing = nullptr;
    std::string value, problem;

    std::vector<PaletteEntry> entries; // made when it opens
};

void open_palette(Context& ctx); // closes it if it is open
void draw_palette(Context& ctx);
// True if the palette has used this key press.
bool palette_key(Context& ctx, int key);

// What a scene file would say for the parameter: "4", "true", "[0, 0, -9.81]".
std::string parameter_text(const physics::Settings& settings, const physics::Parameter& parameter);
// Sets a parameter from what a person has typed: a number, three of them, on or off. Returns why not; empty: done.
std::string set_parameter(physics::Settings& settings, const physics::Parameter& parameter, const std::string& typed);

} // namespace cairn::ui
