#include "physics/geometry/mesh/polygon_fill.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace cairn::physics {

namespace {

__extension__ using WideInteger = __int128;

using Points = std::span<const glm::dvec2>;
using Loop = std::vector<std::uint32_t>;

double twice_area(Points points, const Loop& loop) {
    double sum = 0.0;
    const glm::dvec2 first = points[loop[0]]; // relative to a corner, so that little cancels
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
        const glm::dvec2 u = points[loop[i]] - first, v = points[loop[i + 1]] - first;
        sum += u.x * v.y - u.y * v.x;
    }
    return sum;
}

// Around which the loop runs counter-clockwise; a point on it counts as inside.
bool encloses(Points points, const Loop& loop, const glm::dvec2& p) {
    int winding = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const glm::dvec2& a = points[loop[i]];
        const glm::dvec2& b = points[loop[i + 1 < loop.size() ? i + 1 : 0]];
        if (a.y <= p.y && b.y > p.y) {
            winding += exact_turn(a, b, p) >= 0 ? 1 : 0;
        } else if (b.y <= p.y && a.y > p.y) {
            winding -= exact_turn(a, b, p) < 0 ? 1 : 0;
        }
    }
    return winding != 0;
}

// Splits the edges into closed loops. Where several edges leave a point, the one that turns most to the left is
// followed, so that loops which touch at a point come apart instead of crossing there.
std::vector<Loop> closed_loops(Points points, std::vector<PolygonEdge> edges) {
    std::sort(edges.begin(), edges.end());
    std::vector<bool> used(edges.size(), false);
    // What runs to and fro bounds nothing.
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (used[i]) {
            continue;
        }
        const PolygonEdge reverse{edges[i][1], edges[i][0]};
        for (auto at = std::lower_bound(edges.begin(), edges.end(), reverse); at != edges.end() && *at == reverse;
             ++at) {
            const auto other = static_cast<std::size_t>(at - edges.begin());
            if (!used[other]) {
                used[i] = used[other] = true;
                break;
            }
        }
    }
    std::vector<Loop> loops;
    for (std::size_t start = 0; start < edges.size(); ++start) {
        if (used[start]) {
            continue;
        }
        Loop loop;
        std::size_t edge = start;
        while (true) {
            used[edge] = true;
            loop.push_back(edges[edge][0]);
            const std::uint32_t at = edges[edge][1];
            if (at == edges[start][0]) {
                break;
            }
            const glm::dvec2 arriving = points[at] - points[edges[edge][0]];
            std::size_t next = edges.size();
            double best = 0.0;
            for (auto candidate = std::lower_bound(edges.begin(), edges.end(), PolygonEdge{at, 0});
                 candidate != edges.end() && (*candidate)[0] == at; ++candidate) {
                const auto index = static_cast<std::size_t>(candidate - edges.begin());
                if (used[index]) {
                    continue;
                }
                // Falls from 2 to -2 as the direction goes from a full turn left to a full turn right.
                const glm::dvec2 leaving = points[(*candidate)[1]] - points[at];
                const double length = std::sqrt(glm::dot(arriving, arriving) * glm::dot(leaving, leaving));
                const double sine = (arriving.x * leaving.y - arriving.y * leaving.x) / length;
                const double cosine = glm::dot(arriving, leaving) / length;
                const double turn = sine >= 0.0 ? 1.0 - cosine : cosine - 1.0;
                if (next == edges.size() || turn > best) {
                    next = index;
                    best = turn;
                }
            }
            if (next == edges.size()) {
                break; // not balanced; what is there is closed by the triangles
            }
            edge = next;
        }
        if (loop.size() >= 3) {
            loops.push_back(std::move(loop));
        }
    }
    return loops;
}

// Whether the open segments a b and c d have a point in common, or an end of c d lies within a b.
bool meet(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c, const glm::dvec2& d) {
    if (std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x) ||
        std::max(a.y, b.y) < std::min(c.y, d.y) || std::max(c.y, d.y) < std::min(a.y, b.y)) {
        return false;
    }
    const int c_side = exact_turn(a, b, c), d_side = exact_turn(a, b, d);
    if (c_side * d_side > 0) {
        return false;
    }
    return exact_turn(c, d, a) * exact_turn(c, d, b) <= 0;
}

// Whether the direction from corner i of the loop to p begins inside of it.
bool opens_towards(Points points, const Loop& loop, std::size_t i, const glm::dvec2& p) {
    const glm::dvec2& before = points[loop[i > 0 ? i - 1 : loop.size() - 1]];
    const glm::dvec2& corner = points[loop[i]];
    const glm::dvec2& after = points[loop[i + 1 < loop.size() ? i + 1 : 0]];
    const bool left_of_first = exact_turn(before, corner, p) > 0;
    const bool left_of_second = exact_turn(corner, after, p) > 0;
    return exact_turn(before, corner, after) >= 0 ? left_of_first && left_of_second : left_of_first || left_of_second;
}

bool segment_is_free(Points points, const Loop& loop, std::uint32_t from, std::uint32_t to) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const std::uint32_t a = loop[i], b = loop[i + 1 < loop.size() ? i + 1 : 0];
        if (a == from || a == to || b == from || b == to) {
            continue;
        }
        if (meet(points[from], points[to], points[a], points[b])) {
            return false;
        }
    }
    return true;
}

// Joins a hole to the loop around it by an edge that is run along to and fro. `holes`: those that are not joined yet,
// this one among them.
void join_hole(Points points, Loop& outer, const Loop& hole, std::span<const Loop* const> holes) {
    std::size_t tip = 0; // nothing of this hole or of those to come lies farther along x
    for (std::size_t i = 1; i < hole.size(); ++i) {
        const glm::dvec2 &a = points[hole[i]], &b = points[hole[tip]];
        if (a.x > b.x || (a.x == b.x && a.y > b.y)) {
            tip = i;
        }
    }
    const glm::dvec2 from = points[hole[tip]];
    std::vector<std::size_t> nearest(outer.size());
    std::iota(nearest.begin(), nearest.end(), std::size_t{0});
    const auto distance = [&](std::size_t i) {
        const glm::dvec2 d = points[outer[i]] - from;
        return glm::dot(d, d);
    };
    std::sort(nearest.begin(), nearest.end(), [&](std::size_t a, std::size_t b) {
        const double da = distance(a), db = distance(b);
        return da != db ? da < db : a < b;
    });
    std::size_t bridge = nearest.front(); // where none is free, the boundary crosses itself
    for (const std::size_t i : nearest) {
        if (outer[i] == hole[tip] ||
            (opens_towards(points, outer, i, from) && segment_is_free(points, outer, hole[tip], outer[i]) &&
             std::all_of(holes.begin(), holes.end(),
                         [&](const Loop* other) { return segment_is_free(points, *other, hole[tip], outer[i]); }))) {
            bridge = i;
            break;
        }
    }
    Loop joined(outer.begin(), outer.begin() + static_cast<std::ptrdiff_t>(bridge) + 1);
    for (std::size_t i = 0; i <= hole.size(); ++i) {
        joined.push_back(hole[(tip + i) % hole.size()]);
    }
    joined.insert(joined.end(), outer.begin() + static_cast<std::ptrdiff_t>(bridge), outer.end());
    outer = std::move(joined);
}

class EarClipper {
  public:
    EarClipper(Points points, const Loop& loop, std::vector<IndexTriangle>& out)
        : points_(points), loop_(loop), next_(loop.size()), previous_(loop.size()), out_(out) {
        for (std::size_t i = 0; i < loop.size(); ++i) {
            next_[i] = i + 1 < loop.size() ? i + 1 : 0;
            previous_[i] = i > 0 ? i - 1 : loop.size() - 1;
        }
        for (std::size_t i = 0; i < loop.size(); ++i) {
            if (turn(i) <= 0) {
                blunt_.push_back(i);
            }
        }
    }

    void run() {
        std::size_t left = loop_.size(), at = 0, failed = 0;
        while (left > 3) {
            // Where the boundary crosses itself there may be no ear: then corners are cut off in any case, the flat
            // and convex ones first, so that the sum of the triangles is right.
            const int least = failed < left ? 2 : (failed < 2 * left ? 1 : (failed < 3 * left ? 0 : -1));
            const int sharpness = turn(at);
            const bool ear = least == 2 ? sharpness > 0 && is_free(at) : sharpness >= least;
            if (!ear) {
                at = next_[at];
                ++failed;
                continue;
            }
            cut(at);
            --left;
            failed = 0;
            at = next_[next_[at]]; // not the neighbour, which would make a fan of slivers
        }
        emit(at);
    }

  private:
    int turn(std::size_t i) const {
        return exact_turn(points_[loop_[previous_[i]]], points_[loop_[i]], points_[loop_[next_[i]]]);
    }

    // No other corner in the triangle that is cut off there. Only corners that are not convex can be the first.
    bool is_free(std::size_t i) {
        const glm::dvec2 a = points_[loop_[previous_[i]]], b = points_[loop_[i]], c = points_[loop_[next_[i]]];
        const glm::dvec2 low = glm::min(a, glm::min(b, c)), high = glm::max(a, glm::max(b, c));
        std::size_t kept = 0;
        bool free = true;
        for (std::size_t k = 0; k < blunt_.size(); ++k) {
            const std::size_t j = blunt_[k];
            if (removed(j) || turn(j) > 0) {
                continue; // and forgotten
            }
            blunt_[kept++] = j;
            const glm::dvec2& p = points_[loop_[j]];
            if (!free || p.x < low.x || p.y < low.y || p.x > high.x || p.y > high.y || p == a || p == b || p == c) {
                continue;
            }
            free = exact_turn(a, b, p) < 0 || exact_turn(b, c, p) < 0 || exact_turn(c, a, p) < 0;
        }
        blunt_.resize(kept);
        return free;
    }

    bool removed(std::size_t i) const { return next_[previous_[i]] != i; }

    void emit(std::size_t i) {
        const IndexTriangle t{loop_[previous_[i]], loop_[i], loop_[next_[i]]};
        if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) {
            out_.push_back(t);
        }
    }

    void cut(std::size_t i) {
        emit(i);
        const std::size_t before = previous_[i], after = next_[i];
        const bool before_was_convex = turn(before) > 0, after_was_convex = turn(after) > 0;
        next_[before] = after;
        previous_[after] = before;
        // On crossing boundaries a corner may lose its convexity.
        if (before_was_convex && turn(before) <= 0) {
            blunt_.push_back(before);
        }
        if (after_was_convex && turn(after) <= 0) {
            blunt_.push_back(after);
        }
    }

    Points points_;
    const Loop& loop_;
    std::vector<std::size_t> next_, previous_, blunt_;
    std::vector<IndexTriangle>& out_;
};

} // namespace

int exact_turn(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c) {
    const glm::dvec2 u = b - a, v = c - a; // exact
    const double left = u.x * v.y, right = u.y * v.x;
    const double difference = left - right;
    if (std::abs(difference) > 4.0 * std::numeric_limits<double>::epsilon() * (std::abs(left) + std::abs(right))) {
        return difference > 0.0 ? 1 : -1;
    }
    const auto wide = [](double x) { return static_cast<WideInteger>(static_cast<std::int64_t>(x)); };
    const WideInteger exact = wide(u.x) * wide(v.y) - wide(u.y) * wide(v.x);
    return exact > 0 ? 1 : (exact < 0 ? -1 : 0);
}

std::vector<IndexTriangle> fill_polygon(Points points, std::vector<PolygonEdge> edges) {
    struct Region {
        Loop outer;
        double area = 0.0;
        std::vector<const Loop*> holes;
    };
    std::vector<Loop> loops = closed_loops(points, std::move(edges));
    std::vector<Region> regions;
    std::vector<const Loop*> holes;
    for (const Loop& loop : loops) {
        if (const double area = twice_area(points, loop); area >= 0.0) {
            regions.push_back({loop, area, {}});
        } else {
            holes.push_back(&loop);
        }
    }
    const auto farthest = [&](const Loop* loop) {
        glm::dvec2 best = points[loop->front()];
        for (const std::uint32_t i : *loop) {
            const glm::dvec2& p = points[i];
            best = p.x > best.x || (p.x == best.x && p.y > best.y) ? p : best;
        }
        return best;
    };
    std::vector<IndexTriangle> triangles;
    for (const Loop* hole : holes) {
        const glm::dvec2 tip = farthest(hole);
        Region* home = nullptr;
        for (Region& region : regions) {
            if ((home == nullptr || region.area < home->area) && encloses(points, region.outer, tip)) {
                home = &region;
            }
        }
        if (home != nullptr) {
            home->holes.push_back(hole);
        } else {
            EarClipper(points, *hole, triangles).run(); // a hole in nothing: its triangles are turned over
        }
    }
    for (Region& region : regions) {
        std::sort(region.holes.begin(), region.holes.end(), [&](const Loop* a, const Loop* b) {
            const glm::dvec2 p = farthest(a), q = farthest(b);
            return p.x != q.x ? p.x > q.x : (p.y != q.y ? p.y > q.y : a < b);
        });
        for (std::size_t i = 0; i < region.holes.size(); ++i) {
            join_hole(points, region.outer, *region.holes[i], std::span(region.holes).subspan(i));
        }
        EarClipper(points, region.outer, triangles).run();
    }
    return triangles;
}

} // namespace cairn::physics
