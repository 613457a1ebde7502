#include "physics/geometry/decomposition/parts/mesh_part.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace cairn::physics::detail {

namespace {

constexpr std::uint32_t no_point = std::numeric_limits<std::uint32_t>::max();
constexpr double to_nearest_whole = 6755399441055744.0; // near 1.5 * 2^52 the spacing of doubles is one

// Collects the triangles of one side.
class Clipper {
  public:
    Clipper(const MeshPart& part, const CutPlane& plane, int side)
        : part_(part), sign_(side == 0 ? -1.0 : 1.0), kept_(part.points.size(), no_point) {
        const glm::dvec3 size = glm::abs(plane.normal);
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
        u_ = (axis + 1) % 3;
        v_ = (axis + 2) % 3;
        // Seen from where the triangles that close the cut face to, which is away from what is kept.
        mirror_ = plane.normal[axis] * sign_ < 0.0 ? 1.0 : -1.0;
        heights_.reserve(part.points.size());
        for (const glm::dvec3& p : part.points) {
            heights_.push_back(sign_ * plane.height(p));
        }
    }

    MeshPart run() {
        find_crossings();
        for (std::size_t t = 0; t < part_.triangles.size(); ++t) {
            if (t == part_.surface_count) {
                result_.surface_count = result_.triangles.size();
            }
            clip_triangle(part_.triangles[t]);
        }
        if (part_.surface_count == part_.triangles.size()) {
            result_.surface_count = result_.triangles.size();
        }
        close_cut();
        return std::move(result_);
    }

  private:
    struct Crossing {
        std::uint32_t low, high; // the edge
        glm::dvec3 position;
        std::uint32_t index; // in the result
        friend bool operator<(const Crossing& a, const Crossing& b) {
            return a.low != b.low ? a.low < b.low : a.high < b.high;
        }
    };

    // Positive on the side that is kept; what lies in the plane is not.
    double height(std::uint32_t i) const { return heights_[i]; }
    // The plane, seen along the axis that its normal is nearest to: whole numbers again.
    glm::dvec2 flat(const glm::dvec3& p) const { return {mirror_ * p[u_], p[v_]}; }

    // Crossings of edges and corners in the plane, those at one place as one point, so that the boundary of the cut has
    // no two points at the same place.
    void find_crossings() {
        for (const IndexTriangle& t : part_.triangles) {
            for (std::size_t i = 0; i < 3; ++i) {
                const std::uint32_t a = t[i], b = t[i < 2 ? i + 1 : 0];
                const double ha = height(a), hb = height(b);
                if ((ha > 0.0 && hb <= 0.0) || (hb > 0.0 && ha <= 0.0)) {
                    crossings_.push_back({std::min(a, b), std::max(a, b), glm::dvec3(0.0), no_point});
                }
            }
        }
        std::sort(crossings_.begin(), crossings_.end());
        crossings_.erase(std::unique(crossings_.begin(), crossings_.end(),
                                     [](const Crossing& a, const Crossing& b) { return !(a < b) && !(b < a); }),
                         crossings_.end());
        for (Crossing& c : crossings_) {
            const glm::dvec3 &a = part_.points[c.low], &b = part_.points[c.high];
            const double ha = height(c.low), hb = height(c.high);
            c.position = ha == 0.0 ? a : (hb == 0.0 ? b : a + (b - a) * (ha / (ha - hb)));
            c.position = (c.position + to_nearest_whole) - to_nearest_whole;
        }
        std::vector<std::uint32_t> order(crossings_.size());
        std::iota(order.begin(), order.end(), 0u);
        const auto key = [this](std::uint32_t i) {
            const glm::dvec2 p = flat(crossings_[i].position);
            return std::array<double, 2>{p.x, p.y};
        };
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto ka = key(a), kb = key(b);
            return ka != kb ? ka < kb : a < b;
        });
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i == 0 || key(order[i]) != key(order[i - 1])) {
                result_.points.push_back(crossings_[order[i]].position);
            }
            crossings_[order[i]].index = static_cast<std::uint32_t>(result_.points.size() - 1);
        }
        cut_points_ = result_.points.size();
    }

    std::uint32_t crossing(std::uint32_t a, std::uint32_t b) const {
        const Crossing edge{std::min(a, b), std::max(a, b), glm::dvec3(0.0), no_point};
        return std::lower_bound(crossings_.begin(), crossings_.end(), edge)->index;
    }

    std::uint32_t kept(std::uint32_t i) {
        if (kept_[i] == no_point) {
            kept_[i] = static_cast<std::uint32_t>(result_.points.size());
            result_.points.push_back(part_.points[i]);
        }
        return kept_[i];
    }

    void clip_triangle(const IndexTriangle& t) {
        std::array<std::uint32_t, 4> corners{};
        std::size_t count = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = t[i], b = t[i < 2 ? i + 1 : 0];
            const bool a_in = height(a) > 0.0, b_in = height(b) > 0.0;
            if (a_in) {
                corners[count++] = kept(a);
            }
            if (a_in != b_in) {
                corners[count++] = crossing(a, b);
            }
        }
        if (count < 3) {
            return;
        }
        const auto emit = [this](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            if (a != b && b != c && c != a) {
                result_.triangles.push_back({a, b, c});
            }
        };
        emit(corners[0], corners[1], corners[2]);
        if (count == 4) {
            emit(corners[0], corners[2], corners[3]);
        }
        // Of the corners in a row that lie in the plane there are two at most: the edge that the cut has here.
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
            if (a < cut_points_ && b < cut_points_ && a != b) {
                rim_.push_back({b, a});
            }
        }
    }

    void close_cut() {
        if (rim_.empty()) {
            return;
        }
        std::vector<glm::dvec2> points;
        points.reserve(cut_points_);
        for (std::size_t i = 0; i < cut_points_; ++i) {
            points.push_back(flat(result_.points[i]));
        }
        const std::vector<IndexTriangle> closing = fill_polygon(points, std::move(rim_));
        result_.triangles.insert(result_.triangles.end(), closing.begin(), closing.end());
    }

    const MeshPart& part_;
    double sign_, mirror_ = 1.0;
    int u_ = 0, v_ = 1;
    std::vector<double> heights_;
    std::vector<std::uint32_t> kept_; // index in the result
    std::vector<Crossing> crossings_;
    std::size_t cut_points_ = 0; // the first points of the result lie in the plane
    std::vector<PolygonEdge> rim_;
    MeshPart result_;
};

} // namespace

GridBox bounds_of(const MeshPart& part) {
    GridBox box;
    for (const glm::dvec3& p : part.points) {
        box.add(p);
    }
    return box;
}

double volume_of(std::span<const glm::dvec3> points, std::span<const IndexTriangle> triangles) {
    double sum = 0.0;
    for (const IndexTriangle& t : triangles) {
        const glm::dvec3& origin = points[triangles[0][0]];
        const glm::dvec3 a = points[t[0]] - origin, b = points[t[1]] - origin, c = points[t[2]] - origin;
        sum += glm::dot(a, glm::cross(b, c));
    }
    return sum / 6.0;
}

MeshPart clip(const MeshPart& part, const CutPlane& plane, int side) {
    return Clipper(part, plane, side).run();
}

std::vector<MeshPart> connected_parts(MeshPart part) {
    std::vector<std::uint32_t> parent(part.points.size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&parent](std::uint32_t i) {
        while (parent[i] != i) {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        return i;
    };
    for (const IndexTriangle& t : part.triangles) {
        for (std::size_t i = 1; i < 3; ++i) {
            const std::uint32_t a = root(t[0]), b = root(t[i]);
            parent[std::max(a, b)] = std::min(a, b);
        }
    }
    std::vector<std::uint32_t> number(part.points.size(), no_point); // of the shell, at its root
    std::vector<MeshPart> shells;
    std::vector<std::uint32_t> local(part.points.size(), no_point);
    for (std::size_t i = 0; i < part.triangles.size(); ++i) {
        const IndexTriangle& t = part.triangles[i];
        std::uint32_t& shell = number[root(t[0])];
        if (shell == no_point) {
            shell = static_cast<std::uint32_t>(shells.size());
            shells.emplace_back();
        }
        MeshPart& out = shells[shell];
        IndexTriangle moved{};
        for (std::size_t k = 0; k < 3; ++k) {
            if (local[t[k]] == no_point) {
                local[t[k]] = static_cast<std::uint32_t>(out.points.size());
                out.points.push_back(part.points[t[k]]);
            }
            moved[k] = local[t[k]];
        }
        out.triangles.push_back(moved);
        out.surface_count += i < part.surface_count ? 1 : 0;
    }
    std::vector<MeshPart> solids, cavities;
    for (MeshPart& shell : shells) {
        const double volume = volume_of(shell);
        if (volume > 0.0) {
            solids.push_back(std::move(shell));
        } else if (volume < 0.0) {
            cavities.push_back(std::move(shell));
        }
    }
    std::vector<GridBox> boxes;
    for (const MeshPart& solid : solids) {
        boxes.push_back(bounds_of(solid));
    }
    for (const MeshPart& cavity : cavities) {
        const GridBox inner = bounds_of(cavity);
        std::size_t home = solids.size();
        double least = 0.0;
        for (std::size_t i = 0; i < solids.size(); ++i) {
            const GridBox& box = boxes[i];
            if (glm::any(glm::lessThan(inner.lower, box.lower)) || glm::any(glm::lessThan(box.upper, inner.upper))) {
                continue;
            }
            const glm::dvec3 sides = box.upper - box.lower;
            const double size = sides.x * sides.y * sides.z;
            if (home == solids.size() || size < least) {
                home = i;
                least = size;
            }
        }
        if (home == solids.size()) {
            continue;
        }
        MeshPart& solid = solids[home];
        const auto offset = static_cast<std::uint32_t>(solid.points.size());
        solid.points.insert(solid.points.end(), cavity.points.begin(), cavity.points.end());
        std::vector<IndexTriangle> moved = cavity.triangles;
        for (IndexTriangle& t : moved) {
            t = {t[0] + offset, t[1] + offset, t[2] + offset};
        }
        const auto split = moved.begin() + static_cast<std::ptrdiff_t>(cavity.surface_count);
        solid.triangles.insert(solid.triangles.begin() + static_cast<std::ptrdiff_t>(solid.surface_count),
                               moved.begin(), split);
        solid.triangles.insert(solid.triangles.end(), split, moved.end());
        solid.surface_count += cavity.surface_count;
    }
    return solids;
}

} // namespace cairn::physics::detail
