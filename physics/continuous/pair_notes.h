// What a run of continuous collision remembers of pairs of shapes.
#pragma once

#include "physics/base/bytes.h"
#include "physics/base/hash.h"
#include "physics/base/math.h"
#include "physics/broadphase/broadphase.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cairn::physics {

struct PairNote {
    PairKey key = 0;
    bool in_touch = false; // now, or earlier in this run
    float floor = 0.0f;    // m, distance that the pair may sink to; of pairs in touch
    Vec3 axis{0.0f};       // world, from the first shape to the second: what separated them last; zero: not known
    bool whole = false;    // these paths of both bodies were examined to the end of the step; of meshes alone
    std::uint32_t version_a = 0, version_b = 0;
};

// Open addressing with linear probing into a list, which keeps its memory. Nothing depends on the order within.
class PairNotes {
  public:
    void clear() {
        if (!notes_.empty()) {
            std::fill(table_.begin(), table_.end(), 0);
            notes_.clear();
        }
    }

    // Null if nothing was noted.
    const PairNote* find(PairKey key) const {
        if (notes_.empty()) {
            return nullptr;
        }
        const std::uint32_t entry = table_[place(key)];
        return entry == 0 ? nullptr : &notes_[entry - 1];
    }

    // Valid until the next note is made.
    PairNote& of(PairKey key) {
        if (2 * (notes_.size() + 1) > table_.size()) {
            grow();
        }
        std::uint32_t& entry = table_[place(key)];
        if (entry == 0) {
            notes_.emplace_back();
            notes_.back().key = key;
            entry = static_cast<std::uint32_t>(notes_.size());
        }
        return notes_[entry - 1];
    }

    std::size_t memory_bytes() const { return bytes_of(notes_) + bytes_of(table_); } // of heap

  private:
    std::size_t place(PairKey key) const {
        std::size_t i = static_cast<std::size_t>(mix_bits(key)) & (table_.size() - 1);
        while (table_[i] != 0 && notes_[table_[i] - 1].key != key) {
            i = (i + 1) & (table_.size() - 1);
        }
        return i;
    }

    void grow() {
        table_.assign(table_.empty() ? 64 : 2 * table_.size(), 0);
        for (std::size_t k = 0; k < notes_.size(); ++k) {
            table_[place(notes_[k].key)] = static_cast<std::uint32_t>(k + 1);
        }
    }

    std::vector<PairNote> notes_;
    std::vector<std::uint32_t> table_; // a power of two long, at most half full: 1 + the index of the note, 0 is free
};

} // namespace cairn::physics
