#include "physics/geometry/triangle_tree.h"

#include "physics/base/executor_loop.h"

#include <numeric>

namespace cairn::physics {

void TriangleTree::Node::set(std::size_t k, const Aabb& box, Part to) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        lower[axis][k] = box.lower[static_cast<int>(axis)];
        upper[axis][k] = box.upper[static_cast<int>(axis)];
    }
    part[k] = to;
}

namespace {

using Node = TriangleTree::Node;
using Part = TriangleTree::Part;

struct Item {
    Vec3 middle; // twice
    std::uint32_t box;
};

// Of the items.
struct Range {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t count() const { return end - begin; }
};

// The parts of a range, by number and not by place, so that no tree is deeper than the logarithm of its items and all
// but its upper nodes are nearly full.
struct Division {
    explicit Division(const Range& range) : range(range) {
        std::uint64_t room = TriangleTree::leaf_size; // in a part
        while (4 * room < range.count()) {
            room *= 4;
        }
        parts = static_cast<std::uint32_t>((range.count() + room - 1) / room);
    }
    // Where the parts [0, k) end.
    std::uint32_t cut(std::uint32_t k) const {
        return range.begin + static_cast<std::uint32_t>(std::uint64_t{range.count()} * k / parts);
    }
    Range part(std::uint32_t k) const { return {cut(k), cut(k + 1)}; }
    std::uint32_t middle() const { return parts / 2; }

    Range range;
    std::uint32_t parts = 1;
};

// Nodes with the items of a range, the first above all others, and numbered from 0.
struct Subtree {
    std::vector<Node> nodes;
    Aabb bounds;
};

class Builder {
  public:
    // `order`: empty, or that of an earlier run.
    Builder(std::span<const Aabb> boxes, Executor& executor, std::span<const std::uint32_t> order)
        : boxes_(boxes), executor_(executor), order_(order) {}

    std::vector<Item>& items() { return items_; }

    Subtree run() {
        items_.resize(boxes_.size());
        parallel_for(executor_, items_.size(), block_size, [this](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint32_t box = order_.empty() ? static_cast<std::uint32_t>(i) : order_[i];
                items_[i] = {boxes_[box].lower + boxes_[box].upper, box};
            }
        });
        // The upper levels one after the other, each side by side; then what is below them.
        std::vector<std::vector<Range>> levels{{{0, static_cast<std::uint32_t>(items_.size())}}};
        while (levels.back().size() < most_subtrees && levels.back().front().count() > least_subtree) {
            levels.push_back(divide_all(levels.back()));
        }
        const std::vector<Range>& lowest = levels.back();
        std::vector<Subtree> below(lowest.size());
        parallel_for(executor_, lowest.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                below[i].bounds = build(lowest[i], below[i].nodes);
            }
        });
        return joined(levels, below);
    }

  private:
    static constexpr std::size_t most_subtrees = 64, block_size = 8192;
    static constexpr std::uint32_t least_subtree = 4096; // items

    // Brings those that are lower along the longest side of all to the front.
    void part_at(const Range& range, std::uint32_t cut) {
        if (cut == range.begin || cut == range.end || !order_.empty()) {
            return;
        }
        Vec3 lower = items_[range.begin].middle, upper = lower;
        for (std::uint32_t i = range.begin + 1; i < range.end; ++i) {
            lower = glm::min(lower, items_[i].middle);
            upper = glm::max(upper, items_[i].middle);
        }
        const Vec3 size = upper - lower;
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
        const auto at = [this](std::uint32_t i) { return items_.begin() + static_cast<std::ptrdiff_t>(i); };
        std::nth_element(at(range.begin), at(cut), at(range.end), [axis](const Item& a, const Item& b) {
            const float x = a.middle[axis], y = b.middle[axis];
            return x != y ? x < y : a.box < b.box;
        });
    }
    // In two rounds: the middle, and then what lies before it and after it.
    void part_in_middle(const Division& by) { part_at(by.range, by.cut(by.middle())); }
    void part_before(const Division& by) {
        const std::uint32_t k = by.middle();
        if (k == 2) {
            part_at({by.range.begin, by.cut(k)}, by.cut(1));
        }
    }
    void part_after(const Division& by) {
        const std::uint32_t k = by.middle();
        if (by.parts - k == 2) {
            part_at({by.cut(k), by.range.end}, by.cut(k + 1));
        }
    }

    std::vector<Range> divide_all(const std::vector<Range>& level) {
        const std::vector<Division> by(level.begin(), level.end());
        parallel_for(executor_, by.size(), 1, [&](std::size_t begin, std::size_t end) {
            std::for_each(&by[begin], &by[begin] + (end - begin), [this](const Division& d) { part_in_middle(d); });
        });
        parallel_for(executor_, 2 * by.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                i % 2 == 0 ? part_before(by[i / 2]) : part_after(by[i / 2]);
            }
        });
        std::vector<Range> parts;
        for (const Division& division : by) {
            for (std::uint32_t k = 0; k < division.parts; ++k) {
                parts.push_back(division.part(k));
            }
        }
        return parts;
    }

    Aabb build(const Range& range, std::vector<Node>& nodes) {
        const std::size_t index = nodes.size();
        nodes.emplace_back();
        const Division by(range);
        part_in_middle(by);
        part_before(by);
        part_after(by);
        Aabb all;
        for (std::uint32_t k = 0; k < by.parts; ++k) {
            const Range part = by.part(k);
            const auto next = static_cast<std::uint32_t>(nodes.size());
            const bool leaf = part.count() <= TriangleTree::leaf_size;
            const Aabb box = leaf ? bounds_of_leaf(part) : build(part, nodes);
            nodes[index].set(k, box, leaf ? Part::items(part.begin, part.count()) : Part::node(next));
            all = united(all, box);
        }
        return all;
    }

    Aabb bounds_of_leaf(const Range& leaf) {
        std::sort(items_.begin() + leaf.begin, items_.begin() + leaf.end,
                  [](const Item& a, const Item& b) { return a.box < b.box; }); // the order above is the library's
        Aabb box;
        for (std::uint32_t i = leaf.begin; i < leaf.end; ++i) {
            box = united(box, boxes_[items_[i].box]);
        }
        return box;
    }

    // The levels above the last as nodes, and behind them the subtrees of the last.
    Subtree joined(const std::vector<std::vector<Range>>& levels, const std::vector<Subtree>& below) {
        std::size_t upper = 0;
        for (std::size_t level = 0; level + 1 < levels.size(); ++level) {
            upper += levels[level].size();
        }
        std::vector<std::size_t> first(below.size() + 1, upper); // of the subtrees' nodes
        for (std::size_t i = 0; i < below.size(); ++i) {
            first[i + 1] = first[i] + below[i].nodes.size();
        }
        Subtree all;
        all.nodes.resize(first.back());
        parallel_for(executor_, below.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                for (std::size_t k = 0; k < below[i].nodes.size(); ++k) {
                    Node& node = all.nodes[first[i] + k];
                    node = below[i].nodes[k];
                    for (Part& part : node.part) {
                        part.bits += part.count() == 0 ? static_cast<std::uint32_t>(first[i]) : 0;
                    }
                }
            }
        });
        std::vector<Aabb> bounds(below.size()), of_level;
        std::vector<std::size_t> index(first.begin(), first.end() - 1); // of the nodes with these bounds
        std::size_t end = upper;
        for (std::size_t i = 0; i < below.size(); ++i) {
            bounds[i] = below[i].bounds;
        }
        for (std::size_t level = levels.size() - 1; level-- > 0;) {
            const std::size_t begin = end - levels[level].size();
            of_level.clear();
            std::size_t child = 0;
            for (std::size_t i = 0; i < levels[level].size(); ++i) {
                Aabb box;
                for (std::uint32_t k = 0; k < Division(levels[level][i]).parts; ++k, ++child) {
                    all.nodes[begin + i].set(k, bounds[child], Part::node(static_cast<std::uint32_t>(index[child])));
                    box = united(box, bounds[child]);
                }
                of_level.push_back(box);
            }
            bounds.swap(of_level);
            index.resize(bounds.size());
            std::iota(index.begin(), index.end(), begin);
            end = begin;
        }
        all.bounds = bounds.front();
        return all;
    }

    std::span<const Aabb> boxes_;
    Executor& executor_;
    std::span<const std::uint32_t> order_;
    std::vector<Item> items_;
};

} // namespace

void TriangleTree::build(std::span<const Aabb> boxes, Executor& executor, std::vector<std::uint32_t>& order,
                         bool known) {
    Builder builder(boxes, executor, known ? std::span<const std::uint32_t>(order) : std::span<const std::uint32_t>());
    Subtree all = builder.run();
    nodes_ = std::move(all.nodes);
    bounds_ = all.bounds;
    order.resize(boxes.size());
    std::ranges::transform(builder.items(), order.begin(), [](const Item& item) { return item.box; });
}

} // namespace cairn::physics
