// A set of shape pairs that keeps its memory.
#pragma once

#include "physics/base/bytes.h"
#include "physics/base/hash.h"
#include "physics/broadphase/broadphase.h"

#include <cstddef>
#include <vector>

namespace cairn::physics {

// Open addressing with linear probing (Knuth, TAOCP 6.4, algorithm L) and removal without tombstones (algorithm R):
// what jitters in and out of reach of its neighbours costs no allocation, and a snapshot copies one block. Nothing
// depends on the order within, so there is none to ask for.
class PairSet {
  public:
    bool contains(PairKey key) const { return !table_.empty() && table_[find(key)] == key; }
    std::size_t size() const { return size_; }
    std::size_t memory_bytes() const { return bytes_of(table_); }

    // The pair must not be in the set.
    void insert(PairKey key) {
        if (2 * (size_ + 1) > table_.size()) {
            grow();
        }
        table_[find(key)] = key;
        ++size_;
    }

    // The pair must be in the set.
    void erase(PairKey key) {
        std::size_t hole = find(key);
        for (std::size_t next = following(hole); table_[next] != none; next = following(next)) {
            // An entry may fill the hole unless its own place lies after the hole on the way to it.
            if (distance(home(table_[next]), next) >= distance(hole, next)) {
                table_[hole] = table_[next];
                hole = next;
            }
        }
        table_[hole] = none;
        --size_;
    }

  private:
    static constexpr PairKey none = 0; // the second shape of a pair is never number 0

    std::size_t home(PairKey key) const { return static_cast<std::size_t>(mix_bits(key)) & (table_.size() - 1); }
    std::size_t following(std::size_t i) const { return (i + 1) & (table_.size() - 1); }
    std::size_t distance(std::size_t from, std::size_t to) const { return (to - from) & (table_.size() - 1); }

    // Where the key is, or where it would be put.
    std::size_t find(PairKey key) const {
        std::size_t i = home(key);
        while (table_[i] != none && table_[i] != key) {
            i = following(i);
        }
        return i;
    }

    void grow() {
        std::vector<PairKey> old(table_.empty() ? 16 : 2 * table_.size(), none);
        old.swap(table_);
        for (const PairKey key : old) {
            if (key != none) {
                table_[find(key)] = key;
            }
        }
    }

    std::vector<PairKey> table_; // a power of two long, at most half full
    std::size_t size_ = 0;
};

} // namespace cairn::physics
