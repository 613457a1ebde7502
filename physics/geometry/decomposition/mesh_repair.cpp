#include "physics/geometry/decomposition/mesh_repair.h"

#include "physics/geometry/aabb.h"
#include "physics/geometry/decomposition/parts/mesh_tree.h"
#include "physics/geometry/hull/hull_triangulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

namespace cairn::physics::detail {

namespace {

constexpr float greatest_position = 1e6f;     // m
constexpr double least_side = 1e-3;           // m, of the longest: parts of it must be usable shapes
constexpr double greatest_side = 2e4;         // m
constexpr double weld_distance = 1e-6;        // of the longest side
constexpr double hole_size = 0.1;             // of the longest side: larger ones are openings
constexpr double shell_half_thickness = 5e-3; // of the longest side
constexpr double least_volume = 1e-9;         // of the cube over the longest side
constexpr double whole_number = 6755399441055744.0;

struct DirectedEdge {
    std::uint32_t low, high;
    bool rising; // runs from low to high
    std::uint32_t triangle;
};

std::vector<DirectedEdge> edges_of(std::span<const IndexTriangle> triangles) {
    std::vector<DirectedEdge> edges;
    edges.reserve(triangles.size() * 3);
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = triangles[t][i], b = triangles[t][i < 2 ? i + 1 : 0];
            edges.push_back({std::min(a, b), std::max(a, b), a < b, t});
        }
    }
    std::sort(edges.begin(), edges.end(), [](const DirectedEdge& a, const DirectedEdge& b) {
        return a.low != b.low ? a.low < b.low : (a.high != b.high ? a.high < b.high : a.triangle < b.triangle);
    });
    return edges;
}

// Calls action(edges) for the edges between each two points.
template <typename Action>
void for_each_edge(std::span<const DirectedEdge> edges, const Action& action) {
    for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
        while (end < edges.size() && edges[end].low == edges[begin].low && edges[end].high == edges[begin].high) {
            ++end;
        }
        action(edges.subspan(begin, end - begin));
    }
}

// The reverse of every directed edge that no other makes up for: the boundary that would close the triangles.
std::vector<PolygonEdge> missing_edges(std::span<const IndexTriangle> triangles) {
    std::vector<PolygonEdge> missing;
    for_each_edge(edges_of(triangles), [&](std::span<const DirectedEdge> same) {
        std::ptrdiff_t sum = 0;
        for (const DirectedEdge& e : same) {
            sum += e.rising ? 1 : -1;
        }
        for (; sum > 0; --sum) {
            missing.push_back({same[0].high, same[0].low});
        }
        for (; sum < 0; ++sum) {
            missing.push_back({same[0].low, same[0].high});
        }
    });
    return missing;
}

// Edges that hang together at points, each group by itself.
std::vector<std::vector<PolygonEdge>> separate(const std::vector<PolygonEdge>& edges) {
    std::unordered_map<std::uint32_t, std::uint32_t> parent;
    const auto root = [&parent](std::uint32_t i) {
        auto at = parent.try_emplace(i, i).first;
        while (at->second != at->first) {
            at = parent.find(at->second);
        }
        return at->first;
    };
    for (const PolygonEdge& e : edges) {
        const std::uint32_t a = root(e[0]), b = root(e[1]);
        parent[std::max(a, b)] = std::min(a, b);
    }
    std::unordered_map<std::uint32_t, std::size_t> number;
    std::vector<std::vector<PolygonEdge>> groups;
    for (const PolygonEdge& e : edges) {
        const auto [at, fresh] = number.try_emplace(root(e[0]), groups.size());
        if (fresh) {
            groups.emplace_back();
        }
        groups[at->second].push_back(e);
    }
    return groups;
}

class Repair {
  public:
    Repair(std::span<const Vec3> points, std::span<const IndexTriangle> triangles)
        : input_(points), input_triangles_(triangles) {}

    std::variant<RepairedMesh, MeshError> run() {
        if (auto error = check_input()) {
            return *error;
        }
        place_on_grid();
        weld();
        collect_triangles();
        orient_pieces();
        for (std::vector<IndexTriangle>& piece : pieces_) {
            close(piece);
        }
        face_outwards();
        out_.repairs.flipped_triangles = std::accumulate(turned_.begin(), turned_.end(), std::size_t{0});
        for (const std::vector<IndexTriangle>& piece : pieces_) {
            out_.mesh.triangles.insert(out_.mesh.triangles.end(), piece.begin(), piece.end());
        }
        out_.mesh.surface_count = out_.mesh.triangles.size();
        const double side = 2.0 * out_.half_size;
        if (!(volume_of(out_.mesh) > least_volume * side * side * side)) {
            return MeshError{"the mesh encloses no volume", {}, {}};
        }
        return std::move(out_);
    }

  private:
    std::optional<MeshError> check_input() const {
        const auto coordinate_error = [this](std::size_t i) -> std::optional<MeshError> {
            if (!is_finite(input_[i])) {
                return MeshError{"a coordinate of point " + std::to_string(i) + " is not finite", i, {}};
            }
            const Vec3 a = glm::abs(input_[i]);
            if (std::max(a.x, std::max(a.y, a.z)) > greatest_position) {
                return MeshError{"point " + std::to_string(i) + " lies more than 1e6 m from the origin", i, {}};
            }
            return std::nullopt;
        };
        for (std::size_t i = 0; i < input_.size(); ++i) {
            if (auto error = coordinate_error(i)) {
                return error;
            }
        }
        if (input_triangles_.empty()) {
            return MeshError{"the mesh has no faces", {}, {}};
        }
        Aabb box;
        for (std::size_t t = 0; t < input_triangles_.size(); ++t) {
            for (const std::uint32_t i : input_triangles_[t]) {
                if (i >= input_.size()) {
                    return MeshError{"triangle " + std::to_string(t) + " names point " + std::to_string(i) +
                                         ", but there are " + std::to_string(input_.size()),
                                     {},
                                     t};
                }
                box.lower = glm::min(box.lower, input_[i]);
                box.upper = glm::max(box.upper, input_[i]);
            }
        }
        const glm::dvec3 sides = glm::dvec3(box.upper) - glm::dvec3(box.lower);
        const double longest = std::max(sides.x, std::max(sides.y, sides.z));
        if (!(longest >= least_side && longest <= greatest_side)) {
            return MeshError{"the longest side of the mesh must lie between 0.001 m and 20000 m", {}, {}};
        }
        return std::nullopt;
    }

    // As the hull builder does: scaled by a power of two and rounded to whole numbers, relative to the middle.
    void place_on_grid() {
        Aabb box;
        for (const IndexTriangle& t : input_triangles_) {
            for (const std::uint32_t i : t) {
                box.lower = glm::min(box.lower, input_[i]);
                box.upper = glm::max(box.upper, input_[i]);
            }
        }
        const glm::dvec3 sides = glm::dvec3(box.upper) - glm::dvec3(box.lower);
        const double longest = std::max(sides.x, std::max(sides.y, sides.z));
        int exponent = 0;
        std::frexp(0.5 * longest, &exponent);
        const double to_grid = std::ldexp(0.25 * grid_half, -exponent); // room for thickness and for sums
        out_.middle = glm::dvec3(box.lower) + 0.5 * sides;
        out_.scale = 1.0 / to_grid;
        out_.half_size = 0.5 * longest * to_grid;
        grid_.reserve(input_.size());
        for (const Vec3& p : input_) {
            const glm::dvec3 g = (glm::dvec3(p) - out_.middle) * to_grid;
            grid_.push_back((g + whole_number) - whole_number);
        }
    }

    // Points near another become that one: the first of them in the order of the input.
    void weld() {
        const double reach = weld_distance * 2.0 * out_.half_size;
        std::vector<bool> used(grid_.size(), false);
        for (const IndexTriangle& t : input_triangles_) {
            used[t[0]] = used[t[1]] = used[t[2]] = true;
        }
        const auto cell_of = [reach](const glm::dvec3& p) { return glm::floor(p / reach); };
        const auto key_of = [](const glm::dvec3& cell) { // 21 bits each hold +-1e6
            const auto part = [](double x) {
                return static_cast<std::uint64_t>(static_cast<std::int64_t>(x) + 1048576);
            };
            return (part(cell.x) << 42) | (part(cell.y) << 21) | part(cell.z);
        };
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells;
        welded_.assign(grid_.size(), 0);
        for (std::uint32_t i = 0; i < grid_.size(); ++i) {
            if (!used[i]) {
                continue;
            }
            const glm::dvec3 cell = cell_of(grid_[i]);
            std::optional<std::uint32_t> found;
            for (int n = 0; n < 27; ++n) {
                const auto at = cells.find(key_of(cell + glm::dvec3(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1)));
                if (at == cells.end()) {
                    continue;
                }
                for (const std::uint32_t j : at->second) {
                    const glm::dvec3 d = out_.mesh.points[j] - grid_[i];
                    if (glm::dot(d, d) <= reach * reach && (!found || j < *found)) {
                        found = j;
                    }
                }
            }
            if (found) {
                welded_[i] = *found;
                ++out_.repairs.merged_points;
                continue;
            }
            welded_[i] = static_cast<std::uint32_t>(out_.mesh.points.size());
            cells[key_of(cell)].push_back(welded_[i]);
            out_.mesh.points.push_back(grid_[i]);
        }
    }

    void collect_triangles() {
        std::set<IndexTriangle> known;
        for (const IndexTriangle& t : input_triangles_) {
            const IndexTriangle moved{welded_[t[0]], welded_[t[1]], welded_[t[2]]};
            if (moved[0] == moved[1] || moved[1] == moved[2] || moved[2] == moved[0]) {
                ++out_.repairs.degenerate_triangles;
                continue;
            }
            IndexTriangle sorted = moved;
            std::sort(sorted.begin(), sorted.end());
            if (!known.insert(sorted).second) {
                ++out_.repairs.duplicate_triangles;
                continue;
            }
            triangles_.push_back(moved);
        }
    }

    // Pieces hang together at edges that two triangles share, and their triangles are turned so that these run along
    // the edge in opposite directions: those that are fewer.
    void orient_pieces() {
        struct Neighbour {
            std::uint32_t triangle;
            bool same_side;
        };
        std::vector<std::vector<Neighbour>> neighbours(triangles_.size());
        for_each_edge(edges_of(triangles_), [&](std::span<const DirectedEdge> same) {
            if (same.size() == 2) {
                const bool consistent = same[0].rising != same[1].rising;
                neighbours[same[0].triangle].push_back({same[1].triangle, consistent});
                neighbours[same[1].triangle].push_back({same[0].triangle, consistent});
            }
        });
        std::vector<char> state(triangles_.size(), 0); // 1: as it is, 2: turned
        for (std::uint32_t first = 0; first < triangles_.size(); ++first) {
            if (state[first] != 0) {
                continue;
            }
            std::vector<std::uint32_t> piece{first};
            state[first] = 1;
            std::size_t turned = 0;
            for (std::size_t i = 0; i < piece.size(); ++i) {
                for (const Neighbour& n : neighbours[piece[i]]) {
                    if (state[n.triangle] == 0) {
                        state[n.triangle] = n.same_side ? state[piece[i]] : static_cast<char>(3 - state[piece[i]]);
                        turned += state[n.triangle] == 2 ? 1 : 0;
                        piece.push_back(n.triangle);
                    }
                }
            }
            std::sort(piece.begin(), piece.end());
            const bool turn_the_others = 2 * turned > piece.size();
            std::vector<IndexTriangle> oriented;
            for (const std::uint32_t i : piece) {
                IndexTriangle t = triangles_[i];
                if ((state[i] == 2) != turn_the_others) {
                    std::swap(t[1], t[2]);
                }
                oriented.push_back(t);
            }
            turned_.push_back(turn_the_others ? piece.size() - turned : turned);
            pieces_.push_back(std::move(oriented));
        }
    }

    void close(std::vector<IndexTriangle>& piece) {
        const std::vector<PolygonEdge> missing = missing_edges(piece);
        if (missing.empty()) {
            return;
        }
        std::vector<std::vector<PolygonEdge>> holes = separate(missing);
        const bool small = std::all_of(holes.begin(), holes.end(), [this](const std::vector<PolygonEdge>& hole) {
            GridBox box;
            for (const PolygonEdge& e : hole) {
                box.add(out_.mesh.points[e[0]]);
            }
            const glm::dvec3 sides = box.upper - box.lower;
            return std::max(sides.x, std::max(sides.y, sides.z)) <= hole_size * 2.0 * out_.half_size;
        });
        if (!small) {
            thicken(piece, missing);
            ++out_.repairs.open_surfaces;
            return;
        }
        for (std::vector<PolygonEdge>& hole : holes) {
            fill(piece, std::move(hole));
        }
        out_.repairs.closed_holes += holes.size();
    }

    // Seen along the axis that its normal is nearest to.
    void fill(std::vector<IndexTriangle>& piece, std::vector<PolygonEdge> hole) {
        glm::dvec3 normal(0.0);
        const glm::dvec3 origin = out_.mesh.points[hole[0][0]];
        for (const PolygonEdge& e : hole) {
            normal += glm::cross(out_.mesh.points[e[0]] - origin, out_.mesh.points[e[1]] - origin);
        }
        const glm::dvec3 size = glm::abs(normal);
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
        std::vector<std::uint32_t> points;
        for (const PolygonEdge& e : hole) {
            points.insert(points.end(), e.begin(), e.end());
        }
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
        std::vector<glm::dvec2> flat;
        for (const std::uint32_t i : points) {
            const glm::dvec3& p = out_.mesh.points[i];
            flat.emplace_back(normal[axis] >= 0.0 ? p[(axis + 1) % 3] : -p[(axis + 1) % 3], p[(axis + 2) % 3]);
        }
        for (PolygonEdge& e : hole) {
            for (std::uint32_t& i : e) {
                i = static_cast<std::uint32_t>(std::lower_bound(points.begin(), points.end(), i) - points.begin());
            }
        }
        for (const IndexTriangle& t : fill_polygon(flat, std::move(hole))) {
            piece.push_back({points[t[0]], points[t[1]], points[t[2]]});
        }
    }

    // Two copies, moved along the normals of the points, the lower one turned over, and a wall along the boundary.
    void thicken(std::vector<IndexTriangle>& piece, const std::vector<PolygonEdge>& missing) {
        std::vector<glm::dvec3>& points = out_.mesh.points;
        const auto normal_of = [&points](const IndexTriangle& t) {
            const glm::dvec3 n = glm::cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]);
            const double length = std::sqrt(glm::dot(n, n));
            return length > 0.0 ? n / length : glm::dvec3(0.0);
        };
        std::unordered_map<std::uint32_t, std::vector<glm::dvec3>> normals;
        for (const IndexTriangle& t : piece) {
            for (const std::uint32_t i : t) {
                std::vector<glm::dvec3>& known = normals[i];
                const glm::dvec3 n = normal_of(t);
                if (std::none_of(known.begin(), known.end(),
                                 [&n](const glm::dvec3& other) { return glm::dot(n, other) > 0.999; })) {
                    known.push_back(n);
                }
            }
        }
        // So far along the mean of the faces' normals that each face moves by half the thickness; at sharp folds less.
        const auto offset_of = [&normals](std::uint32_t i) {
            glm::dvec3 sum(0.0);
            for (const glm::dvec3& n : normals[i]) {
                sum += n;
            }
            const double length = std::sqrt(glm::dot(sum, sum));
            if (!(length > 0.0)) {
                return glm::dvec3(0.0, 0.0, 1.0);
            }
            double least = 1.0;
            for (const glm::dvec3& n : normals[i]) {
                least = std::min(least, glm::dot(n, sum) / length);
            }
            return sum / (length * std::max(least, 0.5));
        };
        std::unordered_map<std::uint32_t, std::array<std::uint32_t, 2>> copies; // above, below
        const double half = shell_half_thickness * 2.0 * out_.half_size;
        const auto copy_of = [&](std::uint32_t i) {
            const auto [at, fresh] = copies.try_emplace(i);
            if (fresh) {
                const glm::dvec3 p = points[i], offset = half * offset_of(i);
                for (std::size_t k = 0; k < 2; ++k) {
                    const glm::dvec3 moved = k == 0 ? p + offset : p - offset;
                    at->second[k] = static_cast<std::uint32_t>(points.size());
                    points.push_back((moved + whole_number) - whole_number);
                }
            }
            return at->second;
        };
        std::vector<IndexTriangle> shell;
        for (const IndexTriangle& t : piece) {
            const auto a = copy_of(t[0]), b = copy_of(t[1]), c = copy_of(t[2]);
            shell.push_back({a[0], b[0], c[0]});
            shell.push_back({a[1], c[1], b[1]});
        }
        for (const PolygonEdge& e : missing) { // the upper copy lacks it as it is, the lower one its reverse
            const auto a = copy_of(e[0]), b = copy_of(e[1]);
            shell.push_back({a[0], b[0], b[1]});
            shell.push_back({a[0], b[1], a[1]});
        }
        piece = std::move(shell);
    }

    // A piece inside out is turned over, unless it is a cavity in another.
    void face_outwards() {
        std::vector<double> volumes;
        for (const auto& piece : pieces_) {
            volumes.push_back(volume_of(out_.mesh.points, piece));
        }
        const auto turn = [this, &volumes](std::size_t i) {
            for (IndexTriangle& t : pieces_[i]) {
                std::swap(t[1], t[2]);
            }
            volumes[i] = -volumes[i];
            turned_[i] = pieces_[i].size() - std::min(turned_[i], pieces_[i].size());
        };
        if (std::accumulate(volumes.begin(), volumes.end(), 0.0) < 0.0) { // a file with all faces inwards
            for (std::size_t i = 0; i < pieces_.size(); ++i) {
                turn(i);
            }
        }
        std::vector<std::optional<MeshTree>> trees(pieces_.size());
        const auto surrounds = [&](std::size_t outer, const glm::dvec3& p) {
            if (!trees[outer]) {
                trees[outer].emplace(out_.mesh.points, pieces_[outer]);
            }
            return trees[outer]->winding(p) > 0;
        };
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (volumes[i] >= 0.0) {
                continue;
            }
            bool cavity = false;
            for (std::size_t j = 0; j < pieces_.size() && !cavity; ++j) {
                cavity = volumes[j] > -volumes[i] && surrounds(j, out_.mesh.points[pieces_[i][0][0]]);
            }
            if (!cavity) {
                turn(i);
            }
        }
    }

    std::span<const Vec3> input_;
    std::span<const IndexTriangle> input_triangles_;
    std::vector<glm::dvec3> grid_;      // of the input's points
    std::vector<std::uint32_t> welded_; // index among the mesh's points
    std::vector<IndexTriangle> triangles_;
    std::vector<std::vector<IndexTriangle>> pieces_;
    std::vector<std::size_t> turned_; // triangles of each piece
    RepairedMesh out_;
};

} // namespace

std::variant<RepairedMesh, MeshError> repair_mesh(std::span<const Vec3> points,
                                                  std::span<const IndexTriangle> triangles) {
    return Repair(points, triangles).run();
}

} // namespace cairn::physics::detail
