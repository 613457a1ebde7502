// A list that opens over everything else: people look for a thing by typing, and choose with the arrow keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::ui {

struct SearchList {
    bool open = false;
    std::string typed;
    std::vector<std::size_t> found; // of the things, the best first
    std::size_t chosen = 0;         // in `found`
    bool moved = false;             // the chosen one must come into view

    void show() {
        open = true;
        typed.clear();
        looked_up_.reset();
    }
    // Where something else has been typed since. `score(i)`: how well thing i fits that; nullopt: not at all.
    template <class Score>
    void look_up(std::size_t count, const Score& score) {
        if (looked_up_ == typed) {
            return;
        }
        looked_up_ = typed;
        std::vector<std::pair<int, std::size_t>> scored;
        for (std::size_t i = 0; i < count; ++i) {
            if (const std::optional<int> fits = score(i)) {
                scored.emplace_back(*fits, i);
            }
        }
        std::ranges::stable_sort(scored, [](const auto& a, const auto& b) { return a.first > b.first; });
        found.clear();
        for (const auto& [fits, i] : scored) {
            found.push_back(i);
        }
        go(0);
    }
    void go(std::size_t to) {
        chosen = found.empty() ? 0 : std::min(to, found.size() - 1);
        moved = true;
    }

  private:
    std::optional<std::string> looked_up_; // what `found` is of
};

} // namespace cairn::ui
