// The window in which every action's keys are changed: a press is taken as it comes, and where another action has it,
// that is asked about before it is taken away. The settings file keeps what is changed.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/input/actions.h"

#include <cstddef>
#include <string>
#include <vector>

namespace cairn::ui {

struct Context;

struct KeyEditor : Part {
    bool open = false, changed_only = false;
    std::string search;
    // The action that the next press is for, and which of its keys that replaces; its number of keys: one more.
    const Action* listening = nullptr;
    std::size_t place = 0;
    // Keys that others have, to be taken or left.
    const Action* wanted_by = nullptr;
    std::vector<std::string> wanted;
    std::vector<KeyConflict> conflicts;
};

void open_key_editor(Context& ctx); // closes it if it is open
void draw_key_editor(Context& ctx);
// True if it is open: it has all keys.
bool key_editor_key(Context& ctx, int key, int modifiers);

} // namespace cairn::ui
