// A binary tree of bounding boxes that is updated leaf by leaf.
#pragma once

#include "physics/base/bytes.h"
#include "physics/geometry/aabb.h"
#include "physics/query/ray_cast.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cairn::physics {

// Leaves carry a user value (a shape index). Insertion descends by the surface area heuristic (Goldsmith and Salmon
// 1987) and rebalances on the way up by rotations that lower the area (Kensler 2008). Everything depends on the order
// of calls alone.
class DynamicTree {
  public:
    using NodeId = std::int32_t;
    static constexpr NodeId none = -1;

    NodeId insert(const Aabb& bounds, std::uint32_t value);
    void remove(NodeId leaf);
    // Moves a leaf to new bounds.
    void update(NodeId leaf, const Aabb& bounds);

    const Aabb& bounds(NodeId leaf) const { return nodes_[static_cast<std::size_t>(leaf)].bounds; }
    std::uint32_t value(NodeId leaf) const { return nodes_[static_cast<std::size_t>(leaf)].value; }
    std::size_t leaf_count() const { return leaf_count_; }
    std::size_t memory_bytes() const { return bytes_of(nodes_); }
    int height() const { return root_ == none ? 0 : nodes_[static_cast<std::size_t>(root_)].height; }

    // Calls visit(value) for every leaf whose bounds overlap `region`.
    template <typename Visit>
    void query(const Aabb& region, Visit&& visit) const {
        if (root_ != none) {
            query_below(root_, region, visit);
        }
    }

    // Calls visit(value) for every leaf whose bounds the ray meets within `limit` metres; visit returns the new limit.
    template <typename Visit>
    void ray_query(const Ray& ray, Visit&& visit) const {
        if (root_ == none) {
            return;
        }
        const Vec3 inverse(1.0f / ray.direction.x, 1.0f / ray.direction.y, 1.0f / ray.direction.z);
        float limit = ray.max_distance;
        ray_below(root_, ray, inverse, limit, visit);
    }

    // True if links, heights and bounds are all consistent; for tests.
    bool valid() const;

  private:
    struct Node {
        Aabb bounds;
        NodeId parent = none; // next free node while on the free list
        NodeId child_a = none, child_b = none;
        std::int32_t height = 0; // 0 = leaf, -1 = free
        std::uint32_t value = 0;
        bool leaf() const { return child_a == none; }
    };

    static constexpr std::size_t stack_size = 96;

    template <typename Visit>
    void query_below(NodeId start, const Aabb& region, Visit& visit) const {
        std::array<NodeId, stack_size> stack; // NOLINT: filled as used
        std::size_t count = 0;
        stack[count++] = start;
        while (count != 0) {
            const Node& node = nodes_[static_cast<std::size_t>(stack[--count])];
            if (!overlaps(node.bounds, region)) {
                continue;
            }
            if (node.leaf()) {
                visit(node.value);
            } else if (count + 2 <= stack_size) {
                stack[count++] = node.child_b;
                stack[count++] = node.child_a;
            } else { // deeper than any balanced tree: go on with a stack of its own
                query_below(node.child_a, region, visit);
                query_below(node.child_b, region, visit);
            }
        }
    }

    template <typename Visit>
    void ray_below(NodeId start, const Ray& ray, const Vec3& inverse, float& limit, Visit& visit) const {
        const Node& node = nodes_[static_cast<std::size_t>(start)];
        if (!ray_meets(node.bounds, ray, inverse, limit)) {
            return;
        }
        if (node.leaf()) {
            limit = visit(node.value);
            return;
        }
        ray_below(node.child_a, ray, inverse, limit, visit);
        ray_below(node.child_b, ray, inverse, limit, visit);
    }

    static bool ray_meets(const Aabb& box, const Ray& ray, const Vec3& inverse, float limit);

    Node& at(NodeId id) { return nodes_[static_cast<std::size_t>(id)]; }
    const Node& at(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
    NodeId take_node();
    void free_node(NodeId id);
    void insert_leaf(NodeId leaf);
    void remove_leaf(NodeId leaf);
    NodeId best_sibling(const Aabb& bounds) const;
    void refit_upwards(NodeId from);
    void rotate_for_area(NodeId id);

    std::vector<Node> nodes_;
    NodeId root_ = none;
    NodeId free_ = none;
    std::size_t leaf_count_ = 0;
};

} // namespace cairn::physics
