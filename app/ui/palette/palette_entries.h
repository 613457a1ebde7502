// What the palette lists, and the words by which it is found beside its title.
#pragma once

#include <span>
#include <string_view>

namespace cairn::ui {

struct Context;
struct CommandPalette;

void fill_palette(Context& ctx);

// What people call an action or a parameter elsewhere, by its id or key.
struct OtherWords {
    std::string_view id, words;
};
std::span<const OtherWords> other_words();

// Opens a section of a column, and the column, and brings it into view.
void show_section(Context& ctx, std::string_view id);

} // namespace cairn::ui
