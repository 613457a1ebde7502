#include "app/core/scene/json/document.h"

#include <algorithm>
#include <cassert>

namespace cairn::core {

ObjectReader::ObjectReader(const Document& document, const Node& object, std::string what,
                           std::span<const std::string_view> keys)
    : document_(document), object_(object), what_(std::move(what)), keys_(keys) {
    assert(keys.size() <= max_keys);
    if (object.kind != NodeKind::object) {
        document.fail(object, what_ + " must be an object { ... }, not " + std::string(kind_name(object.kind)));
    }
    for (const Node* node : document.children(object)) {
        const auto found = std::ranges::find(keys, node->key);
        if (found == keys.end()) {
            document.fail_at_key(*node, "unknown key " + in_quotes(node->key) + " in " + what_ + ";" +
                                            suggestion(node->key, keys));
        }
        const Node*& slot = members_[found - keys.begin()];
        if (slot != nullptr) {
            document.fail_at_key(*node, "the key " + in_quotes(node->key) + " is given twice in " + what_ +
                                            "; it was first given in line " +
                                            std::to_string(document.locate(slot->key_begin).line));
        }
        slot = node;
    }
}

const Node* ObjectReader::find(std::string_view key) const {
    const auto found = std::ranges::find(keys_, key);
    assert(found != keys_.end());
    return members_[found - keys_.begin()];
}

const Node& ObjectReader::require(std::string_view key) const {
    const Node* node = find(key);
    if (node == nullptr) {
        document_.fail(object_, what_ + " needs the key " + in_quotes(key));
    }
    return *node;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
    // Edits (insert, delete, replace, swap of neighbours) between two words: the optimal string alignment distance.
    const auto edits = [](std::string_view a, std::string_view b) {
        std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
        for (std::size_t i = 0; i <= a.size(); ++i) {
            for (std::size_t j = 0; j <= b.size(); ++j) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                d[i][j] =
                    std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                    d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.size()][b.size()];
    };
    constexpr std::size_t longest = 64;
    std::string_view best;
    std::size_t best_edits = std::string_view::npos;
    if (word.size() <= longest) {
        for (const std::string_view candidate : known) {
            const std::size_t n = edits(word, candidate);
            if (n < best_edits && n <= std::max<std::size_t>(1, candidate.size() / 3)) {
                best = candidate;
                best_edits = n;
            }
        }
    }
    if (!best.empty()) {
        return " did you mean " + in_quotes(best) + "?";
    }
    std::string list = " it can be ";
    for (std::size_t i = 0; i < known.size(); ++i) {
        list += (i == 0 ? "" : i + 1 == known.size() ? " or " : ", ") + std::string(known[i]);
    }
    return list;
}

} // namespace cairn::core
