#include "app/ui/tools/build/extrude/outline.h"

#include "physics/geometry/mesh/polygon_fill.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {

namespace {

using Corners = std::span<const glm::vec2>;
using Loop = std::vector<std::size_t>; // of corners, counter-clockwise

constexpr double shortest_edge = 1e-3; // m
// What the sine of an angle has to reach to count as a bend: less is a straight line.
constexpr double straight = 1e-4;
constexpr std::size_t most_corners = 64; // of a piece: prisms with more cost more than two of them

double cross(const glm::dvec2& a, const glm::dvec2& b) {
    return a.x * b.y - a.y * b.x;
}

// Positive where c lies left of the line from a to b.
double side(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c) {
    return cross(glm::dvec2(b) - glm::dvec2(a), glm::dvec2(c) - glm::dvec2(a));
}

bool between(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c) { // c is on their line
    return std::min(a.x, b.x) <= c.x && c.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= c.y &&
           c.y <= std::max(a.y, b.y);
}

// Closed segments have a point in common.
bool meet(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c, const glm::vec2& d) {
    const double ca = side(c, d, a), cb = side(c, d, b), ac = side(a, b, c), ad = side(a, b, d);
    if (((ca > 0.0) != (cb > 0.0)) && ((ac > 0.0) != (ad > 0.0)) && ca != 0.0 && cb != 0.0 && ac != 0.0 && ad != 0.0) {
        return true;
    }
    return (ca == 0.0 && between(c, d, a)) || (cb == 0.0 && between(c, d, b)) || (ac == 0.0 && between(a, b, c)) ||
           (ad == 0.0 && between(a, b, d));
}

// The sine of the turn from one edge to the next.
double bend(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c) {
    const glm::dvec2 in = glm::dvec2(b) - glm::dvec2(a), out = glm::dvec2(c) - glm::dvec2(b);
    const double lengths = glm::length(in) * glm::length(out);
    return lengths > 0.0 ? cross(in, out) / lengths : 0.0;
}

// Counter-clockwise, without the corners that lie on a straight line.
Loop bends_of(Corners corners) {
    Loop loop(corners.size());
    for (std::size_t i = 0; i < loop.size(); ++i) {
        loop[i] = i;
    }
    if (doubled_area(corners) < 0.0) {
        std::ranges::reverse(loop);
    }
    for (std::size_t i = 0; i < loop.size() && loop.size() > 3;) {
        const std::size_t n = loop.size();
        const double turn = bend(corners[loop[(i + n - 1) % n]], corners[loop[i]], corners[loop[(i + 1) % n]]);
        if (std::abs(turn) < straight) {
            loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(i));
            i = 0; // what lies beside it may be straight now
        } else {
            ++i;
        }
    }
    return loop;
}

// Triangles that fill the loop.
std::vector<Loop> triangles_of(Corners corners, const Loop& loop) {
    const glm::dvec2 origin(corners[loop[0]]);
    double reach = 0.0;
    for (const std::size_t i : loop) {
        reach = std::max(reach, glm::length(glm::dvec2(corners[i]) - origin));
    }
    const double per_metre = std::ldexp(1.0, 38 - std::ilogb(reach)); // filling is exact for whole numbers below 2^39
    std::vector<glm::dvec2> points;
    std::vector<physics::PolygonEdge> edges;
    for (std::uint32_t i = 0; i < loop.size(); ++i) {
        points.push_back(glm::round(per_metre * (glm::dvec2(corners[loop[i]]) - origin)));
        edges.push_back({i, static_cast<std::uint32_t>((i + 1) % loop.size())});
    }
    std::vector<Loop> triangles;
    for (const physics::IndexTriangle& t : physics::fill_polygon(points, std::move(edges))) {
        triangles.push_back({loop[t[0]], loop[t[1]], loop[t[2]]});
    }
    return triangles;
}

// Both without the edge that they share, if that is convex.
std::optional<Loop> joined_loops(Corners corners, const Loop& a, const Loop& b) {
    if (a.size() + b.size() - 2 > most_corners) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::size_t from = a[i], to = a[(i + 1) % a.size()];
        const auto found = std::ranges::find(b, to);
        if (found == b.end()) {
            continue;
        }
        const auto j = static_cast<std::size_t>(found - b.begin());
        if (b[(j + 1) % b.size()] != from) {
            continue;
        }
        Loop loop; // a from `to` round to `from`, then b from behind `from` to before `to`
        for (std::size_t k = 0; k < a.size(); ++k) {
            loop.push_back(a[(i + 1 + k) % a.size()]);
        }
        for (std::size_t k = 2; k < b.size(); ++k) {
            loop.push_back(b[(j + k) % b.size()]);
        }
        const std::size_t n = loop.size();
        for (std::size_t k = 0; k < n; ++k) {
            if (bend(corners[loop[k]], corners[loop[(k + 1) % n]], corners[loop[(k + 2) % n]]) < 0.0) {
                return std::nullopt;
            }
        }
        return loop;
    }
    return std::nullopt;
}

void join_pieces(Corners corners, std::vector<Loop>& pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        for (std::size_t j = i + 1; j < pieces.size();) {
            if (auto both = joined_loops(corners, pieces[i], pieces[j])) {
                pieces[i] = std::move(*both);
                pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(j));
                j = i + 1; // it has other neighbours now
            } else {
                ++j;
            }
        }
    }
}

} // namespace

double doubled_area(Corners corners) {
    double sum = 0.0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        sum += cross(glm::dvec2(corners[i]) - glm::dvec2(corners[0]),
                     glm::dvec2(corners[(i + 1) % corners.size()]) - glm::dvec2(corners[0]));
    }
    return sum;
}

glm::dvec2 centroid_of(Corners corners) {
    const glm::dvec2 origin(corners[0]);
    glm::dvec2 moment(0.0);
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const glm::dvec2 a = glm::dvec2(corners[i]) - origin, b = glm::dvec2(corners[i + 1]) - origin;
        moment += cross(a, b) * (a + b) / 3.0;
    }
    return origin + moment / doubled_area(corners);
}

std::optional<OutlineFault> outline_fault(Corners corners) {
    const std::size_t n = corners.size();
    if (n < 3) {
        return OutlineFault{"an outline has three corners at least", {}, {}};
    }
    const auto corner = [&](std::size_t i) { return corners[i % n]; };
    for (std::size_t i = 0; i < n; ++i) {
        if (glm::length(glm::dvec2(corner(i + 1)) - glm::dvec2(corner(i))) < shortest_edge) {
            return OutlineFault{"two corners lie on each other", i, {}};
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        const glm::dvec2 in = glm::dvec2(corner(i + 1)) - glm::dvec2(corner(i));
        const glm::dvec2 out = glm::dvec2(corner(i + 2)) - glm::dvec2(corner(i + 1));
        if (glm::dot(in, out) < 0.0 && std::abs(bend(corner(i), corner(i + 1), corner(i + 2))) < straight) {
            return OutlineFault{"the outline runs back on itself", i, (i + 1) % n};
        }
        for (std::size_t j = i + 2; j < n; ++j) {
            if ((j + 1) % n != i && meet(corner(i), corner(i + 1), corner(j), corner(j + 1))) {
                return OutlineFault{"the outline crosses itself", i, j};
            }
        }
    }
    if (std::abs(doubled_area(corners)) < shortest_edge * shortest_edge) {
        return OutlineFault{"the outline encloses nothing", {}, {}};
    }
    return std::nullopt;
}

bool crosses_open(Corners corners, const glm::vec2& next) {
    const std::size_t n = corners.size();
    for (std::size_t i = 0; i + 2 < n; ++i) {
        if (next != corners[0] && meet(corners[n - 1], next, corners[i], corners[i + 1])) {
            return true;
        }
    }
    return n >= 2 && bend(corners[n - 2], corners[n - 1], next) == 0.0 &&
           glm::dot(corners[n - 1] - corners[n - 2], next - corners[n - 1]) < 0.0f;
}

std::vector<Outline> convex_pieces(Corners corners) {
    std::vector<Loop> pieces = triangles_of(corners, bends_of(corners));
    join_pieces(corners, pieces);
    std::vector<Outline> outlines;
    for (const Loop& piece : pieces) {
        Outline& outline = outlines.emplace_back();
        for (const std::size_t i : piece) {
            outline.push_back(corners[i]);
        }
    }
    return outlines;
}

} // namespace cairn::ui
