// A tree of bounding boxes from all of its leaves at once.
#include "physics/broadphase/dynamic_tree.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

namespace cairn::physics {

namespace {

struct Seed {
    Aabb bounds;
    std::uint32_t value = 0;
};

// Twice the centre.
Vec3 middle(const Seed& seed) {
    return seed.bounds.lower + seed.bounds.upper;
}

constexpr std::size_t bin_count = 12;

struct Bin {
    Aabb bounds;
    std::size_t count = 0;
};

// Puts the seeds of one side of the plane of least cost before those of the other, and tells how many they are: at
// least one and not all. Seeds are sorted into bins along the axis on which their centres lie furthest apart, and the
// planes between bins compared by the area heuristic (Wald 2007).
std::size_t divide(std::span<Seed> seeds) {
    Aabb centres;
    for (const Seed& seed : seeds) {
        const Vec3 centre = middle(seed);
        centres = united(centres, {centre, centre});
    }
    const Vec3 size = centres.upper - centres.lower;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    const std::size_t half = seeds.size() / 2;
    if (seeds.size() == 2 || !(size[axis] > 0.0f)) {
        return half;
    }
    const float low = centres.lower[axis];
    const float scale = static_cast<float>(bin_count) / size[axis];
    const auto bin_of = [&](const Seed& seed) {
        const auto bin = static_cast<std::size_t>((middle(seed)[axis] - low) * scale);
        return std::min(bin, bin_count - 1);
    };
    std::array<Bin, bin_count> bins;
    for (const Seed& seed : seeds) {
        Bin& bin = bins[bin_of(seed)];
        bin.bounds = united(bin.bounds, seed.bounds);
        ++bin.count;
    }
    // By how many bins go to the first side: what the other side costs, and then both.
    std::array<float, bin_count> upper_cost{};
    Aabb box;
    std::size_t count = 0;
    for (std::size_t i = bin_count - 1; i > 0; --i) {
        box = united(box, bins[i].bounds);
        count += bins[i].count;
        upper_cost[i] = count == 0 ? 0.0f : half_area(box) * static_cast<float>(count);
    }
    box = Aabb{};
    count = 0;
    float least = std::numeric_limits<float>::max();
    std::size_t best = 0;
    for (std::size_t i = 1; i < bin_count; ++i) {
        box = united(box, bins[i - 1].bounds);
        count += bins[i - 1].count;
        if (count == 0 || count == seeds.size()) {
            continue;
        }
        const float cost = half_area(box) * static_cast<float>(count) + upper_cost[i];
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    if (best == 0) { // the extent is so small beside the coordinates that its bins are all one
        return half;
    }
    std::size_t begin = 0;
    std::size_t end = seeds.size();
    while (begin < end) {
        if (bin_of(seeds[begin]) < best) {
            ++begin;
        } else {
            std::swap(seeds[begin], seeds[--end]);
        }
    }
    return begin;
}

} // namespace

// Siblings stand beside each other, the children of a node after it and all that is below the first before what is
// below the second, so that whoever goes down reads lines that lie close together.
void DynamicTree::build() {
    std::vector<Seed> seeds;
    seeds.reserve(leaf_count_);
    for (const Node& node : nodes_) {
        if (node.leaf()) {
            seeds.push_back({node.bounds, node.value()});
        }
    }
    nodes_.clear();
    free_ = none;
    root_ = none;
    cost_ = least_cost_ = 0.0;
    if (seeds.empty()) {
        return;
    }
    struct Task {
        NodeId node;
        std::size_t begin, end;
    };
    std::vector<Task> tasks;
    root_ = take_node();
    tasks.push_back({root_, 0, seeds.size()});
    while (!tasks.empty()) {
        const Task task = tasks.back();
        tasks.pop_back();
        if (task.end - task.begin == 1) {
            at(task.node).bounds = seeds[task.begin].bounds;
            at(task.node).child_b = static_cast<NodeId>(seeds[task.begin].value);
            continue;
        }
        const std::size_t split = task.begin + divide(std::span(seeds).subspan(task.begin, task.end - task.begin));
        const NodeId first = take_node();
        const NodeId second = take_node();
        at(task.node).child_a = first;
        at(task.node).child_b = second;
        at(first).parent = at(second).parent = task.node;
        tasks.push_back({second, split, task.end});
        tasks.push_back({first, task.begin, split});
    }
    // Children stand behind their parents.
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        Node& node = nodes_[i];
        if (!node.leaf()) {
            node.bounds = united(at(node.child_a).bounds, at(node.child_b).bounds);
            cost_ += static_cast<double>(half_area(node.bounds));
        }
    }
    least_cost_ = cost_;
}

} // namespace cairn::physics
