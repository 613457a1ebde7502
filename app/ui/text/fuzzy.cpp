#include "app/ui/text/fuzzy.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace cairn::ui {

namespace {

constexpr std::size_t most_letters = 160; // of a text; what comes later does not count
constexpr int at_word_start = 10, side_by_side = 12, per_letter = 1, none = -1'000'000;

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool letter(char c) {
    const auto u = static_cast<unsigned char>(c);
    return std::isalnum(u) != 0 || u >= 0x80;
}

// The best way to find the word's letters in order. best[i] is that of the letters so far with the last one at text[i].
std::optional<int> word_score(std::string_view word, std::string_view text) {
    std::array<int, most_letters> best{}, next{};
    for (std::size_t k = 0; k < word.size(); ++k) {
        int before = k == 0 ? 0 : none; // the best end of the letters before, anywhere to the left
        for (std::size_t i = 0; i < text.size(); ++i) {
            next[i] = none;
            if (lower(text[i]) == lower(word[k])) {
                const bool start = i == 0 || (letter(text[i]) && !letter(text[i - 1]));
                int score = before;
                if (k > 0 && i > 0 && best[i - 1] > none) {
                    score = std::max(score, best[i - 1] + side_by_side);
                }
                if (score > none) {
                    next[i] = score + per_letter + (start ? at_word_start : 0);
                }
            }
            if (k > 0) {
                before = std::max(before, best[i]);
            }
        }
        best = next;
    }
    const int found = *std::max_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(text.size()));
    return found > none ? std::optional(found) : std::nullopt;
}

// Takes the first word off what was typed.
std::string_view next_word(std::string_view& typed) {
    const std::size_t end = std::min(typed.find(' '), typed.size());
    const std::string_view word = typed.substr(0, end);
    typed.remove_prefix(std::min(end + 1, typed.size()));
    return word;
}

} // namespace

std::optional<int> fuzzy_score(std::string_view typed, std::string_view text) {
    text = text.substr(0, most_letters);
    int total = 0;
    bool any = false;
    while (!typed.empty()) {
        const std::string_view word = next_word(typed);
        if (word.empty()) {
            continue;
        }
        any = true;
        const auto score = text.empty() ? std::nullopt : word_score(word, text);
        if (!score) {
            return std::nullopt;
        }
        total += *score;
    }
    return any ? 16 * total - static_cast<int>(text.size()) : 0;
}

bool has_words(std::string_view typed, std::string_view text) {
    while (!typed.empty()) {
        const std::string_view word = next_word(typed);
        const auto at = std::search(text.begin(), text.end(), word.begin(), word.end(),
                                    [](char a, char b) { return lower(a) == lower(b); });
        if (at == text.end() && !word.empty()) {
            return false;
        }
    }
    return true;
}

std::optional<int> found_score(std::string_view typed, std::string_view name, std::string_view words) {
    const bool whole = has_words(typed, words); // of the name, too, or side by side in it
    const auto score = fuzzy_score(typed, name);
    if (score && (!whole || has_words(typed, name))) {
        return whole ? *score + 1'000 : *score - 100'000;
    }
    return whole ? std::optional(-static_cast<int>(name.size())) : std::nullopt;
}

std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), lower);
    return text;
}

} // namespace cairn::ui
