#include "physics/geometry/hull/hull_support.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace cairn::physics::detail {

namespace {

using DVec3 = glm::dvec3;

// Refinement stops when a cell holds this many vertices on average. A cell's own share is small then; the rest are
// neighbours that win in one of its corners.
constexpr std::size_t wanted_per_cell = 3;
constexpr std::uint32_t most_cells = 16;

// Cells overlap by this much in cube map coordinates (-1..1), so that rounding in the look-up cannot put a direction
// into a cell which does not know its support.
constexpr double overlap = 1e-5;

using Corners = std::array<DVec3, 4>;

Corners corners_of(std::uint32_t face, std::uint32_t u, std::uint32_t v, std::uint32_t cells) {
    const int axis = static_cast<int>(face / 2);
    const double size = 2.0 / cells;
    Corners corners;
    for (std::uint32_t k = 0; k < 4; ++k) {
        DVec3 d(0.0);
        d[axis] = face % 2 == 0 ? 1.0 : -1.0;
        d[(axis + 1) % 3] = k % 2 == 0 ? u * size - 1.0 - overlap : (u + 1) * size - 1.0 + overlap;
        d[(axis + 2) % 3] = k / 2 == 0 ? v * size - 1.0 - overlap : (v + 1) * size - 1.0 + overlap;
        corners[k] = d;
    }
    return corners;
}

// Four heights at once, in the vector types that both compilers have.
using Four __attribute__((vector_size(4 * sizeof(double)))) = double;

// The vertices of `among` that may be farthest along a direction of the cell. Every direction of the cell is a sum of
// its corners with factors >= 0, so a vertex that another one matches or beats along all four is beaten in the whole
// cell. Only the winners at the corners and in the middle are tried as the other one; a few losers stay in the list.
class ContenderSearch {
  public:
    explicit ContenderSearch(const ConvexHull& hull) : hull_(hull) {}

    std::vector<std::uint16_t> operator()(std::span<const std::uint16_t> among, const Corners& c) {
        const Four x{c[0].x, c[1].x, c[2].x, c[3].x};
        const Four y{c[0].y, c[1].y, c[2].y, c[3].y};
        const Four z{c[0].z, c[1].z, c[2].z, c[3].z};
        heights_.clear();
        std::array<std::size_t, 5> winner{}; // in the middle, then at the corners
        std::array<double, 5> best;
        best.fill(-std::numeric_limits<double>::infinity());
        for (std::size_t i = 0; i < among.size(); ++i) {
            const DVec3 p(hull_.vertices[among[i]]);
            const Four h = x * p.x + y * p.y + z * p.z;
            heights_.push_back(h);
            const std::array<double, 5> along{h[0] + h[1] + h[2] + h[3], h[0], h[1], h[2], h[3]};
            for (std::size_t k = 0; k < 5; ++k) {
                winner[k] = along[k] > best[k] ? i : winner[k];
                best[k] = along[k] > best[k] ? along[k] : best[k];
            }
        }
        std::size_t winners = 0; // without repetition
        for (const std::size_t w : winner) {
            if (std::find(winner.begin(), winner.begin() + winners, w) == winner.begin() + winners) {
                winner[winners++] = w;
            }
        }
        std::vector<std::uint16_t> result;
        for (std::size_t i = 0; i < heights_.size(); ++i) {
            bool beaten = false;
            for (std::size_t k = 0; k < winners && !beaten; ++k) {
                const auto matched = heights_[winner[k]] >= heights_[i];
                beaten = winner[k] != i && (matched[0] & matched[1] & matched[2] & matched[3]) != 0;
            }
            if (!beaten) {
                result.push_back(among[i]);
            }
        }
        return result;
    }

  private:
    const ConvexHull& hull_;
    std::vector<Four> heights_;
};

// Which cell a direction belongs to; its largest component must not be zero. Random directions leave nothing to
// predict, so that selections are written where branches would be. Single precision is enough: the cells overlap.
std::uint32_t cell_of(const Vec3& direction, std::uint32_t cells) {
    const std::array<float, 5> d{direction.x, direction.y, direction.z, direction.x, direction.y};
    const Vec3 a(std::abs(direction.x), std::abs(direction.y), std::abs(direction.z));
    std::uint32_t axis = a.y > a.x ? 1 : 0;
    const float larger = a.y > a.x ? a.y : a.x;
    axis = a.z > larger ? 2 : axis;
    const float major = a.z > larger ? a.z : larger;
    const float half = 0.5f * static_cast<float>(cells);
    const float scale = half / major;
    const std::uint32_t face = 2 * axis + (std::bit_cast<std::uint32_t>(d[axis]) >> 31);
    const auto u = static_cast<std::uint32_t>(static_cast<std::int32_t>(d[axis + 1] * scale + half));
    const auto v = static_cast<std::uint32_t>(static_cast<std::int32_t>(d[axis + 2] * scale + half));
    return (face * cells + std::min(u, cells - 1)) * cells + std::min(v, cells - 1);
}

std::uint32_t find_in_cells(const ConvexHull& hull, const DVec3& direction) {
    Vec3 single(direction);
    const float size = std::abs(single.x) + std::abs(single.y) + std::abs(single.z);
    if (!(size > 1e-30f && size < 1e30f)) {
        // Too small or too large for a float: the same direction at another length, or none at all.
        const double largest = std::max(std::abs(direction.x), std::max(std::abs(direction.y), std::abs(direction.z)));
        if (!(largest > 0.0)) {
            return 0;
        }
        single = Vec3(direction * (1.0 / largest));
    }
    const std::uint32_t cell = cell_of(single, hull.support_cells);
    const std::uint32_t* start = hull.cell_start.data() + cell;
    const std::uint16_t* slot = hull.cell_vertices.data() + start[0];
    const std::uint16_t* const end = hull.cell_vertices.data() + start[1];
    const Vec3* vertices = hull.vertices.data();
    std::uint32_t best = *slot;
    double best_height = glm::dot(DVec3(vertices[best]), direction);
    for (++slot; slot != end; ++slot) {
        const std::uint32_t i = *slot;
        const double height = glm::dot(DVec3(vertices[i]), direction);
        best = height > best_height ? i : best;
        best_height = height > best_height ? height : best_height;
    }
    return best;
}

} // namespace

void prepare_support(ConvexHull& hull) {
    std::vector<Vec3> normals;
    std::vector<float> offsets;
    normals.reserve(hull.planes.size());
    offsets.reserve(hull.planes.size());
    for (const Plane& plane : hull.planes) {
        normals.push_back(plane.normal);
        offsets.push_back(plane.offset);
    }
    hull.plane_lanes.assign(normals, offsets);
    if (hull.vertices.size() <= scan_limit) {
        hull.vertex_lanes.assign(hull.vertices);
        return;
    }
    std::vector<std::uint16_t> everything(hull.vertices.size());
    for (std::size_t i = 0; i < everything.size(); ++i) {
        everything[i] = static_cast<std::uint16_t>(i);
    }
    ContenderSearch contenders(hull);
    std::vector<std::vector<std::uint16_t>> lists; // of the current level
    std::uint32_t cells = 1;
    std::size_t total = 0;
    for (std::uint32_t face = 0; face < 6; ++face) {
        lists.push_back(contenders(everything, corners_of(face, 0, 0, 1)));
        total += lists.back().size();
    }
    while (cells < most_cells && total > wanted_per_cell * lists.size()) { // split every cell into four
        std::vector<std::vector<std::uint16_t>> finer;
        finer.reserve(lists.size() * 4);
        total = 0;
        for (std::uint32_t face = 0; face < 6; ++face) {
            for (std::uint32_t u = 0; u < 2 * cells; ++u) {
                for (std::uint32_t v = 0; v < 2 * cells; ++v) {
                    const auto& parent = lists[(face * cells + u / 2) * cells + v / 2];
                    finer.push_back(contenders(parent, corners_of(face, u, v, 2 * cells)));
                    total += finer.back().size();
                }
            }
        }
        lists = std::move(finer);
        cells *= 2;
    }
    hull.support_cells = cells;
    hull.cell_start.assign(1, 0);
    hull.cell_vertices.reserve(total);
    for (const auto& list : lists) {
        hull.cell_vertices.insert(hull.cell_vertices.end(), list.begin(), list.end());
        hull.cell_start.push_back(static_cast<std::uint32_t>(hull.cell_vertices.size()));
    }
}

std::uint32_t support_vertex(const ConvexHull& hull, const Vec3& direction) {
    return support_vertex(hull, DVec3(direction));
}

std::uint32_t support_vertex(const ConvexHull& hull, const DVec3& direction) {
    return hull.support_cells == 0 ? highest(hull.vertex_lanes, direction) : find_in_cells(hull, direction);
}

std::uint32_t facing_face(const ConvexHull& hull, const DVec3& direction) {
    return highest(hull.plane_lanes, direction);
}

} // namespace cairn::physics::detail
