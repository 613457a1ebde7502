// A tree over boxes, those of a surface's triangles: each node has the bounds of up to four parts, since what looks for
// a place waits for memory more than it computes, and four boxes side by side are looked at as soon as one.
#pragma once

#include "physics/base/executor.h"
#include "physics/base/fetch.h"
#include "physics/geometry/aabb.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace cairn::physics {

using DVec3 = glm::dvec3;

// Immutable after building. Items are numbered in the order of the leaves.
class TriangleTree {
  public:
    static constexpr std::uint32_t leaf_size = 4, most_items = 1u << 24;

    // A node, or up to `leaf_size` items in a row.
    struct Part {
        std::uint32_t bits = 0;
        static Part node(std::uint32_t index) { return {index}; }
        static Part items(std::uint32_t first, std::uint32_t count) { return {count * most_items + first}; }
        std::uint32_t count() const { return bits / most_items; } // of items; 0: a node
        std::uint32_t first() const { return bits % most_items; } // of the items, or the node
    };
    struct alignas(cache_line) Node {
        Node() {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                lower[axis].fill(std::numeric_limits<float>::infinity());
                upper[axis].fill(-std::numeric_limits<float>::infinity());
            }
        }
        std::array<std::array<float, 4>, 3> lower, upper; // by axis, of the parts, m; of those that are not there empty
        std::array<Part, 4> part;
        void set(std::size_t k, const Aabb& box, Part to);
    };

    // Gives the items their order: `order[i]` is the box of item i. The same on any number of threads. There is at
    // least one box, and at most as many as `most_items`. `known`: the order, a permutation, is given, and only what is
    // above the items is built; a tree as fast as the order is good, and after any order right.
    void build(std::span<const Aabb> boxes, Executor& executor, std::vector<std::uint32_t>& order, bool known = false);

    std::span<const Node> nodes() const { return nodes_; }
    const Aabb& bounds() const { return bounds_; }
    std::size_t memory_bytes() const { return nodes_.capacity() * sizeof(Node); }

    // Calls visit(item), in ascending order, for all in leaves whose bounds overlap the region.
    template <typename Visit>
    void query(const Aabb& region, Visit&& visit) const {
        std::array<Part, stack_size> stack; // NOLINT: filled as used
        std::size_t depth = 0;
        stack[depth++] = Part::node(0);
        while (depth > 0) {
            const Part part = stack[--depth];
            for (std::uint32_t i = part.first(); i < part.first() + part.count(); ++i) {
                visit(i);
            }
            if (part.count() == 0) {
                const Node& node = nodes_[part.first()];
                const std::array<int, 4> met = overlapping(node, region);
                for (std::size_t k = met.size(); k-- > 0;) {
                    stack[depth] = node.part[k];
                    depth += static_cast<std::size_t>(met[k]);
                }
            }
        }
    }

    // Calls meet(item) for those whose boxes the ray meets within `reach` times its direction, which is not zero;
    // meet() may reduce `reach`. What is nearer comes first as far as the boxes tell.
    template <typename Meet>
    void along_ray(const DVec3& origin, const DVec3& direction, const double& reach, Meet&& meet) const {
        const RayToBoxes ray(origin, direction, bounds_);
        struct Open {
            Part part;
            float from;
        };
        std::array<Open, stack_size> stack; // NOLINT: filled as used
        std::size_t depth = 0;
        stack[depth++] = {Part::node(0), 0.0f};
        while (depth > 0) {
            const Open open = stack[--depth];
            const float within = RayToBoxes::at_least(reach);
            if (open.from > within) {
                continue;
            }
            for (std::uint32_t i = open.part.first(); i < open.part.first() + open.part.count(); ++i) {
                meet(i);
            }
            if (open.part.count() != 0) {
                continue;
            }
            const Node& node = nodes_[open.part.first()];
            std::array<float, 4> from; // NOLINT: filled below
            const std::array<bool, 4> met = ray.meets(node, within, from);
            const std::size_t bottom = depth;
            for (std::size_t k = 0; k < met.size(); ++k) {
                if (!met[k]) {
                    continue;
                }
                if (node.part[k].count() == 0) {
                    fetch_lines(&nodes_[node.part[k].first()], sizeof(Node));
                }
                std::size_t place = depth++;
                for (; place > bottom && stack[place - 1].from < from[k]; --place) {
                    stack[place] = stack[place - 1];
                }
                stack[place] = {node.part[k], from[k]};
            }
        }
    }

  private:
    static constexpr std::size_t stack_size = 64; // three more a level, of which there are 11

    // In floats, and so that rounding makes boxes larger: those that the ray meets are among those that are said to be.
    class RayToBoxes {
      public:
        RayToBoxes(const DVec3& origin, const DVec3& direction, const Aabb& bounds) {
            for (int axis = 0; axis < 3; ++axis) {
                const auto i = static_cast<std::size_t>(axis);
                const auto from = static_cast<float>(origin[axis]), along = static_cast<float>(direction[axis]);
                const float size =
                    std::max({std::abs(from), std::abs(bounds.lower[axis]), std::abs(bounds.upper[axis])});
                constexpr float slowest = 1e-30f; // square to the axis within all that a float holds
                inverse_[i] = 1.0f / (std::abs(along) > slowest ? along : std::copysign(slowest, along));
                backwards_[i] = inverse_[i] < 0.0f;
                const float wider = std::copysign(4.0f * std::numeric_limits<float>::epsilon() * size, inverse_[i]);
                near_[i] = from + wider;
                far_[i] = from - wider;
            }
        }

        static float at_least(double reach) { return static_cast<float>(reach) * (1.0f + relative); }

        // `from`: not after the ray enters each, in multiples of its direction.
        std::array<bool, 4> meets(const Node& node, float within, std::array<float, 4>& from) const {
            std::array<float, 4> to; // NOLINT: filled below
            from.fill(0.0f);
            to.fill(within);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::array<float, 4>&lower = node.lower[axis], &upper = node.upper[axis];
                const std::array<float, 4>&first = backwards_[axis] ? upper : lower,
                                        &second = backwards_[axis] ? lower : upper;
                for (std::size_t k = 0; k < 4; ++k) {
                    from[k] = std::max(from[k], (first[k] - near_[axis]) * inverse_[axis] * (1.0f - relative));
                    to[k] = std::min(to[k], (second[k] - far_[axis]) * inverse_[axis] * (1.0f + relative));
                }
            }
            return {from[0] <= to[0], from[1] <= to[1], from[2] <= to[2], from[3] <= to[3]};
        }

      private:
        static constexpr float relative = 1e-6f;
        std::array<float, 3> near_{}, far_{}, inverse_{};
        std::array<bool, 3> backwards_{};
    };

    // 1 for each part that does.
    static std::array<int, 4> overlapping(const Node& node, const Aabb& region) {
        std::array<int, 4> met{1, 1, 1, 1};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const float lower = region.lower[static_cast<int>(axis)], upper = region.upper[static_cast<int>(axis)];
            for (std::size_t k = 0; k < 4; ++k) {
                met[k] &=
                    static_cast<int>(node.lower[axis][k] <= upper) & static_cast<int>(node.upper[axis][k] >= lower);
            }
        }
        return met;
    }

    std::vector<Node> nodes_;
    Aabb bounds_;
};

} // namespace cairn::physics
