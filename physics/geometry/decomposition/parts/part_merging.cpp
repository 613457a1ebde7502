#include "physics/geometry/decomposition/parts/part_merging.h"

#include "physics/base/executor_loop.h"
#include "physics/geometry/shape.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace cairn::physics::detail {

namespace {

constexpr double forced_spacing = 0.05; // of samples, where a pair is merged in any case; of its longest side
constexpr double unknown = std::numeric_limits<double>::max();

HulledPart together(const HulledPart& a, const HulledPart& b, double spacing) {
    HulledPart both;
    both.part.points = a.part.points;
    both.part.points.insert(both.part.points.end(), b.part.points.begin(), b.part.points.end());
    const auto offset = static_cast<std::uint32_t>(a.part.points.size());
    const auto add = [&both](const MeshPart& part, std::size_t begin, std::size_t end, std::uint32_t by) {
        for (std::size_t i = begin; i < end; ++i) {
            const IndexTriangle& t = part.triangles[i];
            both.part.triangles.push_back({t[0] + by, t[1] + by, t[2] + by});
        }
    };
    add(a.part, 0, a.part.surface_count, 0);
    add(b.part, 0, b.part.surface_count, offset);
    both.part.surface_count = both.part.triangles.size();
    add(a.part, a.part.surface_count, a.part.triangles.size(), 0);
    add(b.part, b.part.surface_count, b.part.triangles.size(), offset);
    std::vector<glm::dvec3> corners = a.hull.points;
    corners.insert(corners.end(), b.hull.points.begin(), b.hull.points.end());
    if (a.hull.flat() || b.hull.flat()) {
        corners = both.part.points;
    }
    both.hull = hull_of(corners, 1e-3 * spacing);
    return both;
}

struct Pair {
    std::size_t a = 0, b = 0;
    double concavity = unknown; // or a lower bound beyond `seen`
    double seen = 0.0;          // up to which limit it was measured
};

} // namespace

bool is_usable(const PartHull& hull, double scale) {
    if (hull.flat()) {
        return false;
    }
    auto points = std::make_shared<std::vector<Vec3>>();
    for (const glm::dvec3& p : hull.points) {
        points->emplace_back(p * scale);
    }
    return std::holds_alternative<Shape>(build_shape(PointSet{points}));
}

void merge_parts(std::vector<HulledPart>& parts, const MergeSettings& settings, double scale, Executor& executor) {
    std::vector<bool> alive(parts.size(), true);
    std::vector<GridBox> boxes;
    for (HulledPart& part : parts) {
        boxes.push_back(bounds_of(part.part));
    }
    const auto gap = [&boxes](std::size_t a, std::size_t b) {
        const glm::dvec3 d =
            glm::max(glm::max(boxes[a].lower - boxes[b].upper, boxes[b].lower - boxes[a].upper), glm::dvec3(0.0));
        return std::sqrt(glm::dot(d, d));
    };
    const auto measure = [&](Pair& pair, double limit) {
        if (pair.seen >= limit || pair.concavity < pair.seen) {
            return; // known
        }
        // Halfway between them the common hull is as far from both as half the gap.
        const double least = 0.5 * gap(pair.a, pair.b);
        if (least > limit) {
            pair.concavity = least;
        } else {
            const HulledPart both = together(parts[pair.a], parts[pair.b], settings.spacing);
            double spacing = settings.spacing;
            if (limit == unknown) { // no question of a limit but of which pair is best: the size decides how fine
                GridBox box = boxes[pair.a];
                box.add(boxes[pair.b]);
                const glm::dvec3 sides = box.upper - box.lower;
                spacing = std::max(spacing, forced_spacing * std::max(sides.x, std::max(sides.y, sides.z)));
            }
            pair.concavity = concavity(both.part, MeshTree(both.part), both.hull, spacing, limit);
        }
        pair.seen = limit;
    };
    std::vector<Pair> pairs;
    for (std::size_t a = 0; a < parts.size(); ++a) {
        for (std::size_t b = a + 1; b < parts.size(); ++b) {
            pairs.push_back({a, b});
        }
    }
    std::size_t count = parts.size();
    std::size_t fresh = 0; // pairs from here on are not measured up to what is allowed
    while (count > 1) {
        parallel_for(executor, pairs.size() - fresh, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                measure(pairs[fresh + i], settings.allowed);
            }
        });
        const bool in_any_case =
            count > settings.most_hulls || std::any_of(parts.begin(), parts.end(), [&](const HulledPart& part) {
                return alive[static_cast<std::size_t>(&part - parts.data())] && !part.usable;
            });
        const auto eligible = [&](const Pair& pair) {
            return count > settings.most_hulls || pair.concavity <= settings.allowed || !parts[pair.a].usable ||
                   !parts[pair.b].usable;
        };
        if (in_any_case && std::none_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
                return pair.concavity <= settings.allowed && eligible(pair);
            })) {
            parallel_for(executor, pairs.size(), 1, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    if (eligible(pairs[i])) {
                        measure(pairs[i], unknown);
                    }
                }
            });
        }
        const Pair* best = nullptr;
        for (const Pair& pair : pairs) {
            if (eligible(pair) && (best == nullptr || pair.concavity < best->concavity)) {
                best = &pair;
            }
        }
        if (best == nullptr) {
            break;
        }
        const std::size_t a = best->a, b = best->b;
        parts[a] = together(parts[a], parts[b], settings.spacing);
        parts[a].usable = is_usable(parts[a].hull, scale);
        boxes[a].add(boxes[b]);
        parts[b] = {};
        alive[b] = false;
        --count;
        std::erase_if(pairs, [a, b](const Pair& p) { return p.a == a || p.b == a || p.a == b || p.b == b; });
        fresh = pairs.size();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (alive[i] && i != a) {
                pairs.push_back({std::min(i, a), std::max(i, a)});
            }
        }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (alive[i]) {
            if (kept != i) {
                parts[kept] = std::move(parts[i]);
            }
            ++kept;
        }
    }
    parts.resize(kept);
}

} // namespace cairn::physics::detail
