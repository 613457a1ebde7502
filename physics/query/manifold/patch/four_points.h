// The choice of the four points that carry a contact. Internal to queries.
#pragma once

#include "physics/query/manifold.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace cairn::physics {

struct PointInPlane {
    double u = 0.0, v = 0.0; // m, in the plane of the contact
    double height = 0.0;     // m, the separation there
    std::uint32_t feature = 0;
};

// Places in `points` of at most four of them: one of the deepest, the one farthest from it, and those that add most
// area on either side of the line between them. Ties go to the earlier point and a later one must win clearly, so that
// noise does not change the choice. Points within `band`, m, of the deepest count as equally deep. `turn`: the sign of
// the contact's normal along u x v. `Point` has the members of PointInPlane.
//
// What was chosen in the step before (`kept`) stays unless others are better by a quarter: a point that is new begins
// without the impulse of the one that it replaces, which rocks the body, and a rocking body changes what is best. (Two
// boxes in a heap exchanged two corners every other step for ever, at 9 mm/s.)
//
// `amid`: points may lie amid the others, as the corners of a mesh do below a box. Such a one is the first only if it
// is deeper than those about it: else it takes the place of a corner on which the body stands. Where two convex faces
// meet, all points are corners.
template <class Point>
int choose_four(const Point* points, int count, double band, double turn, KeptFeatures kept, std::array<int, 4>& chosen,
                bool amid = false) {
    if (count <= 4) {
        for (int i = 0; i < count; ++i) {
            chosen[static_cast<std::size_t>(i)] = i;
        }
        return count;
    }
    constexpr double clearly = 1.0 + 1e-3;
    constexpr double stays = 1.25;
    constexpr double band_of_kept = 4.0;
    const auto was_kept = [&](const Point& p) { return std::find(kept.begin(), kept.end(), p.feature) != kept.end(); };
    const auto favour = [&](const Point& p) { return was_kept(p) ? stays : 1.0; };

    double deepest = points[0].height;
    for (int i = 1; i < count; ++i) {
        deepest = std::min(deepest, points[i].height);
    }
    const auto is_deep = [&](const Point& p) {
        return p.height <= deepest + (was_kept(p) ? band_of_kept : 1.0) * band;
    };
    int first = -1;
    bool first_kept = false;
    for (int i = 0; i < count; ++i) {
        const bool old = was_kept(points[i]);
        if (is_deep(points[i]) &&
            (first < 0 || old > first_kept || (old == first_kept && points[i].feature < points[first].feature))) {
            first = i;
            first_kept = old;
        }
    }
    const auto farthest_from = [&](int from, bool deep) {
        int result = -1;
        double farthest = 0.0;
        for (int i = 0; i < count; ++i) {
            const double du = points[i].u - points[from].u;
            const double dv = points[i].v - points[from].v;
            const double worth = favour(points[i]);
            const double reach = (du * du + dv * dv) * (worth * worth);
            if (i != from && (!deep || is_deep(points[i])) && (result < 0 || reach > farthest * clearly)) {
                farthest = reach;
                result = i;
            }
        }
        return result;
    };
    const int second = farthest_from(first, false);
    if (amid) {
        first = farthest_from(second, true);
    }
    const Point p = points[first];
    const auto turned = [&](const Point& from, const Point& to, const Point& x) {
        return turn * ((to.u - from.u) * (x.v - from.v) - (to.v - from.v) * (x.u - from.u));
    };
    int left = -1;
    int right = -1;
    double most_left = 0.0;
    double most_right = 0.0;
    for (int i = 0; i < count; ++i) {
        if (i == first || i == second) {
            continue;
        }
        const double area = turned(p, points[second], points[i]) * favour(points[i]);
        if (area > most_left * clearly) {
            most_left = area;
            left = i;
        } else if (-area > most_right * clearly) {
            most_right = -area;
            right = i;
        }
    }
    std::array<int, 4> order{first, second, left, right};
    if ((left < 0) != (right < 0)) {
        // All points on one side: the fourth is the one that adds most to the triangle.
        const int third = left >= 0 ? left : right;
        const double side = left >= 0 ? 1.0 : -1.0;
        int fourth = -1;
        double most = 0.0;
        for (int i = 0; i < count; ++i) {
            if (i != first && i != second && i != third) {
                const double added = std::max(-side * turned(points[third], p, points[i]),
                                              -side * turned(points[second], points[third], points[i])) *
                                     favour(points[i]);
                if (added > most * clearly) {
                    most = added;
                    fourth = i;
                }
            }
        }
        order = {first, second, third, fourth};
    }
    int n = 0;
    for (const int k : order) {
        if (k >= 0) {
            chosen[static_cast<std::size_t>(n++)] = k;
        }
    }
    return n;
}

} // namespace cairn::physics
