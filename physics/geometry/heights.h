// Heights in blocks that copies share: a copy costs a list of blocks, and a change the blocks that it touches.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

namespace cairn::physics {

// Like a vector of floats. Blocks are of consecutive heights, and not of squares: so a place is found by a shift and a
// mask, and 17 rows of 4096 samples are 17 blocks of 16 KB.
class Heights {
  public:
    static constexpr std::size_t block_size = 4096;
    using Block = std::array<float, block_size>;

    Heights() = default;
    Heights(std::initializer_list<float> heights) { append(heights); }
    Heights(const std::vector<float>& heights) { append(heights); } // NOLINT(google-explicit-constructor)

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    float operator[](std::size_t i) const { return (*blocks_[i / block_size])[i % block_size]; }
    float back() const { return (*this)[size_ - 1]; }
    std::span<const std::shared_ptr<Block>> blocks() const { return blocks_; }
    // The heights of a block; the last one may have fewer than the others.
    std::span<const float> block(std::size_t k) const {
        return std::span<const float>(*blocks_[k]).first(std::min(block_size, size_ - k * block_size));
    }

    void set(std::size_t i, float height) { own(i / block_size)[i % block_size] = height; }
    void push_back(float height) {
        if (size_ % block_size == 0) {
            blocks_.push_back(std::make_shared<Block>());
        }
        set(size_++, height);
    }
    void append(std::span<const float> heights) {
        for (const float height : heights) {
            push_back(height);
        }
    }
    void assign(std::size_t count, float height) {
        *this = Heights();
        for (std::size_t i = 0; i < count; ++i) {
            push_back(height);
        }
    }
    // Takes over consecutive heights.
    void put(std::size_t first, std::span<const float> heights) {
        for (std::size_t i = 0; i < heights.size();) {
            const std::size_t at = (first + i) % block_size, count = std::min(block_size - at, heights.size() - i);
            std::copy_n(heights.begin() + static_cast<std::ptrdiff_t>(i), count,
                        own((first + i) / block_size).begin() + static_cast<std::ptrdiff_t>(at));
            i += count;
        }
    }
    // A block that others may have as well.
    void push_block(std::shared_ptr<Block> block, std::size_t count) {
        blocks_.push_back(std::move(block));
        size_ += count;
    }

    class Iterator {
      public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = float;
        using difference_type = std::ptrdiff_t;
        using pointer = const float*;
        using reference = float;

        Iterator() = default;
        Iterator(const Heights& of, std::size_t at) : of_(&of), at_(static_cast<std::ptrdiff_t>(at)) {}
        float operator*() const { return (*of_)[static_cast<std::size_t>(at_)]; }
        float operator[](std::ptrdiff_t n) const { return *(*this + n); }
        Iterator& operator++() { return *this += 1; }
        Iterator& operator--() { return *this += -1; }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        Iterator operator--(int) {
            const Iterator before = *this;
            --*this;
            return before;
        }
        Iterator& operator+=(std::ptrdiff_t n) {
            at_ += n;
            return *this;
        }
        Iterator& operator-=(std::ptrdiff_t n) { return *this += -n; }
        friend Iterator operator+(Iterator a, std::ptrdiff_t n) { return a += n; }
        friend Iterator operator+(std::ptrdiff_t n, Iterator a) { return a += n; }
        friend Iterator operator-(Iterator a, std::ptrdiff_t n) { return a -= n; }
        friend std::ptrdiff_t operator-(const Iterator& a, const Iterator& b) { return a.at_ - b.at_; }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
        friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.at_ <=> b.at_; }

      private:
        const Heights* of_ = nullptr;
        std::ptrdiff_t at_ = 0;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size_}; }

    friend bool operator==(const Heights& a, const Heights& b) {
        if (a.size_ != b.size_) {
            return false;
        }
        for (std::size_t k = 0; k < a.blocks_.size(); ++k) {
            if (a.blocks_[k] != b.blocks_[k] && !std::ranges::equal(a.block(k), b.block(k))) {
                return false;
            }
        }
        return true;
    }

  private:
    // The block, which nobody else has from here on.
    Block& own(std::size_t k) {
        if (blocks_[k].use_count() > 1) {
            blocks_[k] = std::make_shared<Block>(*blocks_[k]);
        }
        return *blocks_[k];
    }

    std::vector<std::shared_ptr<Block>> blocks_;
    std::size_t size_ = 0;
};

} // namespace cairn::physics
