#include "physics/geometry/decomposition/parts/cut_search.h"

#include "physics/base/executor_loop.h"
#include "physics/geometry/decomposition/parts/part_hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace cairn::physics::detail {

namespace {

constexpr int most_positions = 12;      // evenly spaced along each direction
constexpr int most_later_positions = 6; // of the second cut
constexpr std::size_t most_faces = 12;  // flat faces whose planes are tried
constexpr std::size_t followed = 6;     // first cuts whose second cuts are tried
constexpr double least_excess = 0.05;   // of the cube of the allowed concavity: less is not worth a second cut
constexpr std::uint32_t no_number = std::numeric_limits<std::uint32_t>::max();

// Axes and diagonals: a bend is cut across within 30 degrees wherever it is.
constexpr double half_root = 0.70710678118654752;
constexpr std::array<std::array<double, 3>, 9> directions{{{1, 0, 0},
                                                           {0, 1, 0},
                                                           {0, 0, 1},
                                                           {half_root, half_root, 0},
                                                           {half_root, -half_root, 0},
                                                           {0, half_root, half_root},
                                                           {0, half_root, -half_root},
                                                           {half_root, 0, half_root},
                                                           {-half_root, 0, half_root}}};

double nearest_whole(double x) {
    return (x + 6755399441055744.0) - 6755399441055744.0;
}

// Where the part begins and ends along a direction.
std::pair<double, double> extent(const MeshPart& part, const glm::dvec3& direction) {
    double low = std::numeric_limits<double>::max(), high = -low;
    for (const glm::dvec3& p : part.points) {
        const double h = glm::dot(direction, p);
        low = std::min(low, h);
        high = std::max(high, h);
    }
    return {low, high};
}

// The planes of the largest flat faces: where a step or a slot ends.
std::vector<CutPlane> face_planes(const MeshPart& part, double allowed) {
    struct Face {
        CutPlane plane;
        double area;
    };
    std::vector<Face> faces;
    std::vector<std::pair<double, std::size_t>> by_area;
    for (std::size_t t = 0; t < part.surface_count; ++t) {
        const glm::dvec3 &a = part.points[part.triangles[t][0]], &b = part.points[part.triangles[t][1]],
                         &c = part.points[part.triangles[t][2]];
        const glm::dvec3 n = glm::cross(b - a, c - a);
        const double length = std::sqrt(glm::dot(n, n));
        if (length > 0.1 * allowed * allowed) {
            by_area.emplace_back(length, t);
        }
    }
    std::sort(by_area.begin(), by_area.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (const auto& [area, t] : by_area) {
        const glm::dvec3 &a = part.points[part.triangles[t][0]], &b = part.points[part.triangles[t][1]],
                         &c = part.points[part.triangles[t][2]];
        CutPlane plane{glm::cross(b - a, c - a) / area, 0.0};
        for (int axis = 0; axis < 3; ++axis) {
            if (a[axis] == b[axis] && b[axis] == c[axis]) { // exactly across the axis
                plane.normal = glm::dvec3(0.0);
                plane.normal[axis] = 1.0;
            }
        }
        plane.offset = glm::dot(plane.normal, a);
        const auto same = [&](const Face& face) {
            const double cosine = glm::dot(face.plane.normal, plane.normal);
            return std::abs(cosine) > 0.9999 &&
                   std::abs(face.plane.offset - (cosine > 0.0 ? plane.offset : -plane.offset)) < 0.05 * allowed;
        };
        const auto known = std::find_if(faces.begin(), faces.end(), same);
        if (known != faces.end()) {
            known->area += area;
        } else if (faces.size() < 200) {
            faces.push_back({plane, area});
        }
    }
    std::stable_sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.area > b.area; });
    std::vector<CutPlane> planes;
    for (const Face& face : faces) {
        const auto [low, high] = extent(part, face.plane.normal);
        if (planes.size() < most_faces && face.plane.offset > low + 0.25 * allowed &&
            face.plane.offset < high - 0.25 * allowed) {
            planes.push_back(face.plane);
        }
    }
    return planes;
}

std::vector<CutPlane> candidates(const MeshPart& part, double allowed, int positions) {
    std::vector<CutPlane> planes = face_planes(part, allowed);
    for (const auto& d : directions) {
        const glm::dvec3 normal(d[0], d[1], d[2]);
        const auto [low, high] = extent(part, normal);
        const double side = high - low;
        if (side < allowed) {
            continue;
        }
        const int count = static_cast<int>(glm::clamp(side / (0.5 * allowed), 1.0, static_cast<double>(positions)));
        for (int i = 0; i < count; ++i) {
            planes.push_back({normal, nearest_whole(low + side * (i + 1) / (count + 1))});
        }
    }
    return planes;
}

// What the hull of the points holds beyond a piece: what is to be made small.
double excess(std::span<const glm::dvec3> points, double volume, double allowed) {
    return std::max(hull_volume(points, 0.02 * allowed) - volume, 0.0);
}

// The excess of all pieces that a plane leaves, without making them: what closes the cut adds nothing to the integral
// of the height above it, and no points.
double excess_after(const MeshPart& part, const CutPlane& plane, double allowed) {
    struct Shell {
        double volume = 0.0;
        GridBox box;
        std::vector<glm::dvec3> points;
    };
    double sum = 0.0;
    std::vector<double> heights;
    heights.reserve(part.points.size());
    for (const glm::dvec3& p : part.points) {
        heights.push_back(plane.height(p));
    }
    std::vector<std::uint32_t> parent(part.points.size()), number(part.points.size());
    const auto root = [&parent](std::uint32_t i) {
        while (parent[i] != i) {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        return i;
    };
    for (const double sign : {-1.0, 1.0}) {
        std::iota(parent.begin(), parent.end(), 0u);
        std::fill(number.begin(), number.end(), no_number);
        const auto above = [&](std::uint32_t i) { return sign * heights[i] > 0.0; };
        for (const IndexTriangle& t : part.triangles) {
            std::uint32_t first = no_number;
            for (const std::uint32_t i : t) {
                if (!above(i)) {
                    continue;
                }
                if (first == no_number) {
                    first = i;
                } else {
                    const std::uint32_t a = root(first), b = root(i);
                    parent[std::max(a, b)] = std::min(a, b);
                }
            }
        }
        std::vector<Shell> shells;
        const auto shell_of = [&](std::uint32_t i) -> Shell& {
            std::uint32_t& n = number[root(i)];
            if (n == no_number) {
                n = static_cast<std::uint32_t>(shells.size());
                shells.emplace_back();
            }
            return shells[n];
        };
        const auto add_point = [](Shell& shell, const glm::dvec3& p) {
            shell.points.push_back(p);
            shell.box.add(p);
        };
        for (std::uint32_t i = 0; i < part.points.size(); ++i) {
            if (above(i)) {
                add_point(shell_of(i), part.points[i]);
            }
        }
        for (const IndexTriangle& t : part.triangles) {
            const std::array<bool, 3> in{above(t[0]), above(t[1]), above(t[2])};
            if (!in[0] && !in[1] && !in[2]) {
                continue;
            }
            Shell& shell = shell_of(in[0] ? t[0] : (in[1] ? t[1] : t[2]));
            std::array<glm::dvec3, 4> corner;
            std::array<double, 4> height{};
            std::size_t count = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t next = k < 2 ? k + 1 : 0;
                const glm::dvec3 &a = part.points[t[k]], &b = part.points[t[next]];
                if (in[k]) {
                    corner[count] = a;
                    height[count++] = heights[t[k]];
                }
                if (in[k] != in[next]) {
                    const double ha = heights[t[k]], hb = heights[t[next]];
                    glm::dvec3 p = a + (b - a) * (ha / (ha - hb));
                    p = {nearest_whole(p.x), nearest_whole(p.y), nearest_whole(p.z)};
                    if (in[k]) { // the neighbour has the edge the other way round
                        add_point(shell, p);
                    }
                    corner[count] = p;
                    height[count++] = 0.0;
                }
            }
            for (std::size_t k = 1; k + 1 < count; ++k) {
                const double across =
                    glm::dot(plane.normal, glm::cross(corner[k] - corner[0], corner[k + 1] - corner[0]));
                shell.volume += across * (height[0] + height[k] + height[k + 1]) / 6.0;
            }
        }
        // As connected_parts() does it: what has a negative volume is a cavity of the smallest around it.
        for (const Shell& cavity : shells) {
            Shell* home = nullptr;
            for (Shell& shell : shells) {
                if (cavity.volume < 0.0 && shell.volume > 0.0 &&
                    !glm::any(glm::lessThan(cavity.box.lower, shell.box.lower)) &&
                    !glm::any(glm::lessThan(shell.box.upper, cavity.box.upper)) &&
                    (home == nullptr || shell.volume < home->volume)) {
                    home = &shell;
                }
            }
            if (home != nullptr) {
                home->volume += cavity.volume;
            }
        }
        for (const Shell& shell : shells) {
            if (shell.volume > 0.0) {
                sum += excess(shell.points, shell.volume, allowed);
            }
        }
    }
    return sum;
}

// A first cut whose consequences are looked at.
struct Branch {
    std::size_t part = 0;
    CutPlane plane;
    struct Piece {
        MeshPart part;
        double excess = 0.0; // as it is
        std::vector<CutPlane> planes;
        std::vector<double> after; // the excess with each of them
    };
    std::vector<Piece> pieces;
};

} // namespace

std::vector<MeshPart> cut(const MeshPart& part, const CutPlane& plane) {
    std::vector<MeshPart> pieces;
    for (const int side : {0, 1}) {
        for (MeshPart& piece : connected_parts(clip(part, plane, side))) {
            pieces.push_back(std::move(piece));
        }
    }
    return pieces;
}

std::vector<std::optional<CutPlane>> best_cuts(std::span<const MeshPart> parts, double allowed, Executor& executor) {
    struct Task {
        std::size_t part;
        CutPlane plane;
        double excess = 0.0;
    };
    std::vector<Task> tasks;
    std::vector<std::size_t> first(parts.size() + 1, 0);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (const CutPlane& plane : candidates(parts[p], allowed, most_positions)) {
            tasks.push_back({p, plane});
        }
        first[p + 1] = tasks.size();
    }
    parallel_for(executor, tasks.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            tasks[i].excess = excess_after(parts[tasks[i].part], tasks[i].plane, allowed);
        }
    });
    std::vector<Branch> branches;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const auto begin = tasks.begin() + static_cast<std::ptrdiff_t>(first[p]);
        const auto end = tasks.begin() + static_cast<std::ptrdiff_t>(first[p + 1]);
        std::stable_sort(begin, end, [](const Task& a, const Task& b) { return a.excess < b.excess; });
        for (std::size_t i = first[p]; i < std::min(first[p] + followed, first[p + 1]); ++i) {
            branches.push_back({p, tasks[i].plane, {}});
        }
    }
    parallel_for(executor, branches.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            for (MeshPart& piece : cut(parts[branches[b].part], branches[b].plane)) {
                Branch::Piece next;
                next.excess = excess(piece.points, volume_of(piece), allowed);
                if (next.excess > least_excess * allowed * allowed * allowed) {
                    next.planes = candidates(piece, allowed, most_later_positions);
                    next.after.resize(next.planes.size());
                }
                next.part = std::move(piece);
                branches[b].pieces.push_back(std::move(next));
            }
        }
    });
    struct LaterTask {
        Branch::Piece* piece;
        std::size_t plane;
    };
    std::vector<LaterTask> later;
    for (Branch& branch : branches) {
        for (Branch::Piece& piece : branch.pieces) {
            for (std::size_t i = 0; i < piece.planes.size(); ++i) {
                later.push_back({&piece, i});
            }
        }
    }
    parallel_for(executor, later.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Branch::Piece& piece = *later[i].piece;
            piece.after[later[i].plane] = excess_after(piece.part, piece.planes[later[i].plane], allowed);
        }
    });
    std::vector<std::optional<CutPlane>> best(parts.size());
    std::vector<double> least(parts.size(), 0.0);
    for (const Branch& branch : branches) {
        double sum = 0.0;
        for (const Branch::Piece& piece : branch.pieces) {
            double value = piece.excess;
            for (const double after : piece.after) {
                value = std::min(value, after);
            }
            sum += value;
        }
        if (!best[branch.part] || sum < least[branch.part]) {
            best[branch.part] = branch.plane;
            least[branch.part] = sum;
        }
    }
    return best;
}

} // namespace cairn::physics::detail
