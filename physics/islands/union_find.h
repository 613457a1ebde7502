// Disjoint sets over small integers, for islands.
#pragma once

#include "physics/base/bytes.h"

#include <cassert>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cairn::physics {

// Union to the smaller root, path halving: the root of a set is its smallest member, whatever the order of the unions.
class UnionFind {
  public:
    void reset(std::size_t count) {
        parent_.resize(count);
        std::iota(parent_.begin(), parent_.end(), 0u);
        sets_ = count;
    }
    std::uint32_t root(std::uint32_t i) {
        assert(i < parent_.size());
        while (parent_[i] != i) {
            parent_[i] = parent_[parent_[i]];
            i = parent_[i];
        }
        return i;
    }
    void unite(std::uint32_t a, std::uint32_t b) {
        a = root(a);
        b = root(b);
        if (a < b) {
            parent_[b] = a;
        } else {
            parent_[a] = b;
        }
        sets_ -= a != b ? 1 : 0;
    }
    std::size_t size() const { return parent_.size(); }
    std::size_t sets() const { return sets_; }

    std::size_t memory_bytes() const { return bytes_of(parent_); }

  private:
    std::vector<std::uint32_t> parent_;
    std::size_t sets_ = 0;
};

} // namespace cairn::physics
