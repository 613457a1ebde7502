// A binary tree of bounding boxes whose leaves come, go and move one by one or many at a time.
#pragma once

#include "physics/base/bytes.h"
#include "physics/geometry/aabb.h"
#include "physics/query/ray_cast.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cairn::physics {

// Leaves carry a user value (a shape index). A leaf that comes alone descends by the surface area heuristic (Goldsmith
// and Salmon 1987), and the boxes above it rotate where that lowers their area (Kensler 2008). When a good part of the
// leaves moves, their bounds are written where they are and the boxes above brought up to date in one pass, which costs
// a thirtieth; what that does to the tree shows in the sum of its areas, and once it has grown too much the tree is
// built anew (tree_build.cpp). Everything depends on the order of calls alone.
class DynamicTree {
  public:
    using NodeId = std::int32_t;
    static constexpr NodeId none = -1;

    NodeId insert(const Aabb& bounds, std::uint32_t value);
    void remove(NodeId leaf);
    // Moves a leaf to new bounds.
    void update(NodeId leaf, const Aabb& bounds);

    // Writes a leaf's bounds and nothing else: from the first call of write until refit() is called, nothing but write,
    // bounds and value may be.
    void write(NodeId leaf, const Aabb& bounds);
    // Brings up to date the boxes above all leaves that were written.
    void refit();
    // Whether the boxes have grown so much since the tree was built that building it anew pays.
    bool worn() const { return cost_ > wear_limit * least_cost_; }
    // Builds the tree anew from its leaves and calls renamed(value, leaf) for each, since all get new ids.
    template <typename Renamed>
    void rebuild(Renamed&& renamed) {
        build();
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (nodes_[i].leaf()) {
                renamed(nodes_[i].value(), static_cast<NodeId>(i));
            }
        }
    }

    const Aabb& bounds(NodeId leaf) const { return at(leaf).bounds; }
    std::uint32_t value(NodeId leaf) const { return at(leaf).value(); }
    std::size_t leaf_count() const { return leaf_count_; }
    std::size_t memory_bytes() const { return bytes_of(nodes_) + bytes_of(order_); }
    int height() const; // edges on the longest way down; looks at every node
    // Half of the areas of all boxes but the leaves, m^2: the greater, the more boxes a query meets.
    double cost() const { return cost_; }

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

    // Calls visit(value) for leaves whose bounds are less than `limit` metres from `from`, near ones first; visit
    // returns the new limit. Returns the last one.
    template <typename Visit>
    float near_query(const Aabb& from, float limit, Visit&& visit) const {
        if (root_ != none) {
            near_below(root_, from, limit, visit);
        }
        return limit;
    }

    // Calls visit(bounds, depth, is_leaf) for every box, those above before those below.
    template <typename Visit>
    void for_each_box(Visit&& visit) const {
        if (root_ != none) {
            boxes_below(root_, 0, visit);
        }
    }

    // Marks are set on leaves and whatever is above them, for a search of pairs (tree_pairs.h).
    void clear_marks();
    void mark(NodeId leaf);

    // True if links, bounds and cost are all consistent; for tests.
    bool valid() const;

  private:
    friend class TreePairs;

    struct Node {
        Aabb bounds;
        NodeId parent = none; // next free node while on the free list
        NodeId child_a = none;
        NodeId child_b = none;  // of a leaf: its value
        std::uint32_t mark = 0; // set if it is the tree's present one
        bool leaf() const { return child_a == none; }
        bool free() const { return child_a == freed; }
        std::uint32_t value() const { return static_cast<std::uint32_t>(child_b); }
    };
    static constexpr NodeId freed = -2; // as first child

    // Boxes a third larger are met by about a third more queries. Building the tree takes as long as nine rounds of
    // writing and refitting all of its leaves; between 1.05 and 2 the limit makes no difference to a crowd that falls.
    static constexpr double wear_limit = 1.3;

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
                visit(node.value());
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
    void boxes_below(NodeId start, std::uint16_t depth, Visit& visit) const {
        const Node& node = at(start);
        visit(node.bounds, depth, node.leaf());
        if (!node.leaf()) {
            boxes_below(node.child_a, static_cast<std::uint16_t>(depth + 1), visit);
            boxes_below(node.child_b, static_cast<std::uint16_t>(depth + 1), visit);
        }
    }

    template <typename Visit>
    void ray_below(NodeId start, const Ray& ray, const Vec3& inverse, float& limit, Visit& visit) const {
        const Node& node = nodes_[static_cast<std::size_t>(start)];
        if (!ray_meets(node.bounds, ray, inverse, limit)) {
            return;
        }
        if (node.leaf()) {
            limit = visit(node.value());
            return;
        }
        ray_below(node.child_a, ray, inverse, limit, visit);
        ray_below(node.child_b, ray, inverse, limit, visit);
    }

    template <typename Visit>
    void near_below(NodeId start, const Aabb& from, float& limit, Visit& visit) const {
        const Node& node = at(start);
        if (node.leaf()) {
            limit = visit(node.value());
            return;
        }
        NodeId first = node.child_a, second = node.child_b;
        float near = distance(at(first).bounds, from), far = distance(at(second).bounds, from);
        if (far < near) {
            std::swap(first, second);
            std::swap(near, far);
        }
        if (near < limit) {
            near_below(first, from, limit, visit);
        }
        if (far < limit) {
            near_below(second, from, limit, visit);
        }
    }

    static bool ray_meets(const Aabb& box, const Ray& ray, const Vec3& inverse, float limit);

    Node& at(NodeId id) { return nodes_[static_cast<std::size_t>(id)]; }
    const Node& at(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
    bool marked(const Node& node) const { return node.mark == mark_; }
    NodeId take_node();
    void free_node(NodeId id);
    void insert_leaf(NodeId leaf);
    void remove_leaf(NodeId leaf);
    NodeId best_sibling(const Aabb& bounds) const;
    void set_bounds(Node& node, const Aabb& bounds); // of a node that is no leaf
    void refit_upwards(NodeId from);
    void rotate_for_area(NodeId id);
    void build();

    std::vector<Node> nodes_;
    NodeId root_ = none;
    NodeId free_ = none;
    std::size_t leaf_count_ = 0;
    std::uint32_t mark_ = 1;
    bool written_ = false; // leaves, since the last refit
    double cost_ = 0.0;
    double least_cost_ = 0.0;   // since the tree was built; 0 if it never was
    std::vector<NodeId> order_; // scratch of refit: marked nodes, parents first
};

} // namespace cairn::physics
