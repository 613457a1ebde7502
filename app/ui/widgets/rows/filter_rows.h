// Which bodies a body collides with and which of its axes are locked, as rows of a panel: of one body, or of several
// that may differ.
#pragma once

#include "app/ui/widgets/widgets.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <optional>

namespace cairn::ui {

// Which bits of a word become what; the others stay as each body has them.
template <class Word>
struct BitChange {
    Word bits = 0, to = 0;

    Word of(Word own) const { return static_cast<Word>((own & ~bits) | (to & bits)); }
};

struct FilterChange {
    std::optional<std::uint8_t> group;
    BitChange<std::uint32_t> mask;

    physics::CollisionFilter of(const physics::CollisionFilter& own) const {
        return {group.value_or(own.group), mask.of(own.mask)};
    }
};

// In what several bodies differ: the group, and bits of the mask.
struct FilterMix {
    bool group = false;
    std::uint32_t mask = 0;
};

// A button that says what it is and opens a field with the group and the mask. What was changed of it, if anything was.
// Marks: body.filter, and while the field is open body.group, and body.mask.0 and so on.
std::optional<FilterChange> filter_rows(Widgets& w, const physics::CollisionFilter& filter, const FilterMix& mix = {});

// The same with switches for the axes along and about which a body may not move; `mix`: of several that differ there.
// Marks: body.locks, and while the field is open body.lock.x and so on.
std::optional<BitChange<std::uint8_t>> lock_rows(Widgets& w, std::uint8_t locks, std::uint8_t mix = 0);

} // namespace cairn::ui
