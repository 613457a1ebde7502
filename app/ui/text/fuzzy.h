// Finding a thing by a few of its letters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cairn::ui {

// How well `text` fits what was typed; nullopt if it does not. Every word of `typed` must be found in it, its letters
// in order but not necessarily side by side, in any case. Letters side by side and at the beginning of words count
// most, and of equal finds the shorter text is the better. Nothing typed fits everything equally.
std::optional<int> fuzzy_score(std::string_view typed, std::string_view text);

// Whether every word of `typed` stands in `text` as it is, in any case: for sentences, in which scattered letters are
// always found.
bool has_words(std::string_view typed, std::string_view text);

// The score of a thing with a name and more words about it: the name is looked through by letters, all by words. Who
// has typed a part of the name finds it before what merely has to do with it, and that before names in which the
// letters are scattered. `words` holds the name too.
std::optional<int> found_score(std::string_view typed, std::string_view name, std::string_view words);

// The letters of ASCII as small ones.
std::string lower_case(std::string text);

} // namespace cairn::ui
