#include "physics/broadphase/dynamic_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::physics {

DynamicTree::NodeId DynamicTree::take_node() {
    if (free_ == none) {
        nodes_.emplace_back();
        return static_cast<NodeId>(nodes_.size() - 1);
    }
    const NodeId id = free_;
    free_ = at(id).parent;
    at(id) = Node{};
    return id;
}

void DynamicTree::free_node(NodeId id) {
    at(id) = Node{};
    at(id).child_a = freed;
    at(id).parent = free_;
    free_ = id;
}

DynamicTree::NodeId DynamicTree::insert(const Aabb& bounds, std::uint32_t value) {
    const NodeId leaf = take_node();
    at(leaf).bounds = bounds;
    at(leaf).child_b = static_cast<NodeId>(value);
    insert_leaf(leaf);
    ++leaf_count_;
    return leaf;
}

void DynamicTree::remove(NodeId leaf) {
    remove_leaf(leaf);
    free_node(leaf);
    --leaf_count_;
}

void DynamicTree::update(NodeId leaf, const Aabb& bounds) {
    remove_leaf(leaf);
    at(leaf).bounds = bounds;
    insert_leaf(leaf);
}

void DynamicTree::set_bounds(Node& node, const Aabb& bounds) {
    cost_ += static_cast<double>(half_area(bounds)) - static_cast<double>(half_area(node.bounds));
    node.bounds = bounds;
}

void DynamicTree::clear_marks() {
    if (++mark_ == 0) { // the marks of four thousand million searches ago would count again
        for (Node& node : nodes_) {
            node.mark = 0;
        }
        mark_ = 1;
    }
}

void DynamicTree::mark(NodeId leaf) {
    for (NodeId id = leaf; id != none && !marked(at(id)); id = at(id).parent) {
        at(id).mark = mark_;
    }
}

void DynamicTree::write(NodeId leaf, const Aabb& bounds) {
    if (!written_) {
        clear_marks();
        written_ = true;
    }
    at(leaf).bounds = bounds;
    mark(leaf);
}

void DynamicTree::refit() {
    if (!written_) {
        return;
    }
    written_ = false;
    order_.clear();
    if (!at(root_).leaf()) {
        order_.push_back(root_);
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const Node& node = at(order_[i]);
        for (const NodeId child : {node.child_a, node.child_b}) {
            if (!at(child).leaf() && marked(at(child))) {
                order_.push_back(child);
            }
        }
    }
    for (std::size_t i = order_.size(); i-- > 0;) {
        Node& node = at(order_[i]);
        set_bounds(node, united(at(node.child_a).bounds, at(node.child_b).bounds));
    }
    least_cost_ = std::min(least_cost_, cost_);
}

// Descends towards the child that grows least, and stops where pairing with the node itself is no dearer than the bound
// on anything below it.
DynamicTree::NodeId DynamicTree::best_sibling(const Aabb& bounds) const {
    NodeId id = root_;
    float inherited = 0.0f; // growth that the ancestors on the path suffer
    NodeId best = root_;
    float best_cost = half_area(united(at(root_).bounds, bounds));
    const float own_area = half_area(bounds);
    while (!at(id).leaf()) {
        const Node& node = at(id);
        const float growth = half_area(united(node.bounds, bounds)) - half_area(node.bounds);
        inherited += growth;
        float lowest = 0.0f;
        NodeId next = none;
        for (const NodeId child : {node.child_a, node.child_b}) {
            const float direct = half_area(united(at(child).bounds, bounds));
            const float cost = direct + inherited;
            if (cost < best_cost) {
                best_cost = cost;
                best = child;
            }
            const float below = at(child).leaf() ? cost : inherited + own_area + direct - half_area(at(child).bounds);
            if (next == none || below < lowest) {
                lowest = below;
                next = child;
            }
        }
        if (lowest >= best_cost) {
            break;
        }
        id = next;
    }
    return best;
}

void DynamicTree::insert_leaf(NodeId leaf) {
    if (root_ == none) {
        root_ = leaf;
        at(leaf).parent = none;
        return;
    }
    const Aabb& bounds = at(leaf).bounds;
    NodeId sibling = best_sibling(bounds);
    // Among boxes of these very bounds all places cost the same. At the topmost, coincident bodies would make a chain,
    // which searches walk leaf by leaf; the bits of a hash lead every leaf another way down.
    std::uint32_t bits = static_cast<std::uint32_t>(leaf) * 0x9e3779b9u;
    while (!at(sibling).leaf() && at(sibling).bounds == bounds) {
        const NodeId a = at(sibling).child_a, b = at(sibling).child_b;
        const bool a_is = at(a).bounds == bounds, b_is = at(b).bounds == bounds;
        if (!a_is && !b_is) {
            break;
        }
        sibling = a_is && (!b_is || bits >> 31 != 0) ? a : b;
        bits = bits << 1 | bits >> 31;
    }
    const NodeId old_parent = at(sibling).parent;
    const NodeId parent = take_node();
    Node& node = at(parent);
    node.parent = old_parent;
    node.child_a = sibling;
    node.child_b = leaf;
    node.bounds = united(at(sibling).bounds, at(leaf).bounds);
    cost_ += static_cast<double>(half_area(node.bounds));
    at(sibling).parent = parent;
    at(leaf).parent = parent;
    if (old_parent == none) {
        root_ = parent;
    } else if (at(old_parent).child_a == sibling) {
        at(old_parent).child_a = parent;
    } else {
        at(old_parent).child_b = parent;
    }
    refit_upwards(parent);
}

void DynamicTree::remove_leaf(NodeId leaf) {
    if (leaf == root_) {
        root_ = none;
        return;
    }
    const NodeId parent = at(leaf).parent;
    cost_ -= static_cast<double>(half_area(at(parent).bounds));
    const NodeId grandparent = at(parent).parent;
    const NodeId sibling = at(parent).child_a == leaf ? at(parent).child_b : at(parent).child_a;
    at(sibling).parent = grandparent;
    if (grandparent == none) {
        root_ = sibling;
    } else {
        if (at(grandparent).child_a == parent) {
            at(grandparent).child_a = sibling;
        } else {
            at(grandparent).child_b = sibling;
        }
        refit_upwards(grandparent);
    }
    free_node(parent);
}

void DynamicTree::refit_upwards(NodeId from) {
    for (NodeId id = from; id != none; id = at(id).parent) {
        rotate_for_area(id);
        Node& node = at(id);
        set_bounds(node, united(at(node.child_a).bounds, at(node.child_b).bounds));
    }
}

// Swaps a child with a grandchild on the other side where that shrinks the box between them.
void DynamicTree::rotate_for_area(NodeId id) {
    Node& node = at(id);
    if (at(node.child_a).leaf() && at(node.child_b).leaf()) {
        return;
    }
    struct Swap {
        NodeId child = none, grandchild = none;
        float gain = 0.0f;
    } best;
    const auto consider = [&](NodeId inner, NodeId outer) {
        if (at(inner).leaf()) {
            return;
        }
        const float area = half_area(united(at(at(inner).child_a).bounds, at(at(inner).child_b).bounds));
        const auto swap_with = [&](NodeId grandchild, NodeId stays) {
            const float gain = area - half_area(united(at(outer).bounds, at(stays).bounds));
            if (gain > best.gain) {
                best = {outer, grandchild, gain};
            }
        };
        swap_with(at(inner).child_a, at(inner).child_b);
        swap_with(at(inner).child_b, at(inner).child_a);
    };
    consider(node.child_a, node.child_b);
    consider(node.child_b, node.child_a);
    if (best.child == none) {
        return;
    }
    const NodeId inner = at(best.grandchild).parent;
    NodeId& slot = at(inner).child_a == best.grandchild ? at(inner).child_a : at(inner).child_b;
    (node.child_a == best.child ? node.child_a : node.child_b) = best.grandchild;
    slot = best.child;
    at(best.grandchild).parent = id;
    at(best.child).parent = inner;
    Node& changed = at(inner);
    set_bounds(changed, united(at(changed.child_a).bounds, at(changed.child_b).bounds));
}

bool DynamicTree::ray_meets(const Aabb& box, const Ray& ray, const Vec3& inverse, float limit) {
    float enter = 0.0f;
    float leave = limit;
    for (int axis = 0; axis < 3; ++axis) {
        if (ray.direction[axis] == 0.0f) {
            if (ray.origin[axis] < box.lower[axis] || ray.origin[axis] > box.upper[axis]) {
                return false;
            }
            continue;
        }
        float near_side = (box.lower[axis] - ray.origin[axis]) * inverse[axis];
        float far_side = (box.upper[axis] - ray.origin[axis]) * inverse[axis];
        if (near_side > far_side) {
            std::swap(near_side, far_side);
        }
        enter = std::max(enter, near_side);
        leave = std::min(leave, far_side);
    }
    return enter <= leave;
}

int DynamicTree::height() const {
    std::vector<NodeId> level, below;
    if (root_ != none) {
        level.push_back(root_);
    }
    int height = -1;
    while (!level.empty()) {
        ++height;
        below.clear();
        for (const NodeId id : level) {
            if (!at(id).leaf()) {
                below.push_back(at(id).child_a);
                below.push_back(at(id).child_b);
            }
        }
        level.swap(below);
    }
    return std::max(height, 0);
}

bool DynamicTree::valid() const {
    std::size_t leaves = 0;
    double cost = 0.0;
    bool good = root_ == none || at(root_).parent == none;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        if (node.free()) {
            continue;
        }
        const NodeId id = static_cast<NodeId>(i);
        if (node.leaf()) {
            ++leaves;
        } else {
            const Node& a = at(node.child_a);
            const Node& b = at(node.child_b);
            good = good && a.parent == id && b.parent == id && node.bounds == united(a.bounds, b.bounds);
            cost += static_cast<double>(half_area(node.bounds));
        }
        good = good && (id == root_ || node.parent != none);
    }
    return good && leaves == leaf_count_ && std::abs(cost - cost_) <= 1e-6 * cost + 1e-6;
}

} // namespace cairn::physics
