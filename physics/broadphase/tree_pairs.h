// All pairs of leaves that overlap, found by going down two trees, or one tree twice, at the same time.
#pragma once

#include "physics/broadphase/dynamic_tree.h"

#include <array>
#include <cstddef>
#include <vector>

namespace cairn::physics {

// Pairs of which at least one leaf is marked. Where many leaves look for partners, a box high up that misses another
// answers for all leaves below both at once, which single queries ask for one by one.
class TreePairs {
  public:
    using NodeId = DynamicTree::NodeId;

    // Pairs of a leaf of the first tree and one of the second, or of two leaves if both are the same tree.
    TreePairs(const DynamicTree& first, const DynamicTree& second)
        : first_(first), second_(second), same_(&first == &second) {}

    // What is below a with what is below b; of one tree, and a = b, the pairs within.
    struct Task {
        NodeId a = DynamicTree::none, b = DynamicTree::none;
    };

    // Appends to `tasks` at least `count` of them that together find everything, or as many as there are; pairs that
    // come up on the way are told to visit(value_a, value_b).
    template <typename Visit>
    void split(std::size_t count, std::vector<Task>& tasks, Visit&& visit) const {
        if (first_.root_ == DynamicTree::none || second_.root_ == DynamicTree::none) {
            return;
        }
        const std::size_t begin = tasks.size();
        const auto push = [&](NodeId a, NodeId b) {
            if (promising(a, b)) {
                tasks.push_back({a, b});
            }
        };
        push(first_.root_, second_.root_);
        std::size_t opened = begin;
        while (opened < tasks.size() && tasks.size() - opened < count) {
            const Task task = tasks[opened++];
            open(task, push, visit);
        }
        tasks.erase(tasks.begin() + static_cast<std::ptrdiff_t>(begin),
                    tasks.begin() + static_cast<std::ptrdiff_t>(opened));
    }

    // Calls visit(value_a, value_b) for every pair of the task.
    template <typename Visit>
    void run(Task start, Visit&& visit) const {
        std::array<Task, stack_size> stack; // NOLINT: filled as used
        std::size_t count = 0;
        stack[count++] = start;
        while (count != 0) {
            const Task task = stack[--count];
            const auto push = [&](NodeId a, NodeId b) {
                if (!promising(a, b)) {
                    return;
                }
                if (count < stack_size) {
                    stack[count++] = {a, b};
                } else { // deeper than any balanced tree: go on with a stack of its own
                    run({a, b}, visit);
                }
            };
            open(task, push, visit);
        }
    }

  private:
    using Node = DynamicTree::Node;
    static constexpr std::size_t stack_size = 192;

    bool within(NodeId a, NodeId b) const { return same_ && a == b; }

    bool promising(NodeId a, NodeId b) const {
        const Node& x = first_.at(a);
        if (within(a, b)) {
            return first_.marked(x) && !x.leaf();
        }
        const Node& y = second_.at(b);
        return overlaps(x.bounds, y.bounds) && (first_.marked(x) || second_.marked(y));
    }

    // Hands on what a promising task consists of.
    template <typename Push, typename Visit>
    void open(Task task, const Push& push, Visit& visit) const {
        const Node& a = first_.at(task.a);
        const Node& b = second_.at(task.b);
        if (within(task.a, task.b)) {
            push(a.child_a, a.child_b);
            push(a.child_b, a.child_b);
            push(a.child_a, a.child_a);
        } else if (a.leaf() && b.leaf()) {
            visit(a.value(), b.value());
        } else if (b.leaf() || (!a.leaf() && half_area(a.bounds) >= half_area(b.bounds))) {
            push(a.child_b, task.b);
            push(a.child_a, task.b);
        } else {
            push(task.a, b.child_b);
            push(task.a, b.child_a);
        }
    }

    const DynamicTree& first_;
    const DynamicTree& second_;
    bool same_;
};

} // namespace cairn::physics
