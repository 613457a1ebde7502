#include "physics/geometry/triangle_mesh.h"

#include "physics/base/bytes.h"
#include "physics/base/hash.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace cairn::physics {

namespace {

constexpr std::uint32_t leaf_size = 4;
constexpr float greatest_coordinate = 1e4f; // m
// A plane bent by less than this sine is flat. (At 60 m/s a tilt of it is felt as 6 mm/s.)
constexpr double flat = 1e-4;

int next(int k) {
    return k == 2 ? 0 : k + 1;
}

class Builder {
  public:
    explicit Builder(TriangleMesh& mesh) : mesh_(mesh) {}

    void run() {
        bounds_.resize(mesh_.triangles.size());
        order_.resize(mesh_.triangles.size());
        std::iota(order_.begin(), order_.end(), 0u);
        for (std::uint32_t i = 0; i < order_.size(); ++i) {
            bounds_[i] = mesh_.bounds_of(i);
        }
        mesh_.nodes.reserve(order_.size());
        split(0, static_cast<std::uint32_t>(order_.size()));
        mesh_.nodes.shrink_to_fit();
        std::vector<TriangleMesh::Triangle> sorted;
        sorted.reserve(order_.size());
        for (const std::uint32_t i : order_) {
            sorted.push_back(mesh_.triangles[i]);
        }
        mesh_.triangles.swap(sorted);
    }

  private:
    // Halves by number, so that no tree is deeper than the logarithm of it.
    void split(std::uint32_t begin, std::uint32_t end) {
        Aabb box, middles;
        for (std::uint32_t i = begin; i < end; ++i) {
            const Aabb& one = bounds_[order_[i]];
            box = united(box, one);
            const Vec3 middle = one.lower + one.upper;
            middles = united(middles, {middle, middle});
        }
        const auto index = static_cast<std::uint32_t>(mesh_.nodes.size());
        mesh_.nodes.push_back({box.lower, begin, box.upper, end - begin});
        if (end - begin <= leaf_size) {
            std::sort(order_.begin() + begin, order_.begin() + end); // the order above is the library's
            return;
        }
        const Vec3 size = middles.upper - middles.lower;
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
        const std::uint32_t half = begin + (end - begin) / 2;
        const auto at = [this](std::uint32_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
        std::nth_element(at(begin), at(half), at(end), [&](std::uint32_t a, std::uint32_t b) {
            const float x = bounds_[a].lower[axis] + bounds_[a].upper[axis];
            const float y = bounds_[b].lower[axis] + bounds_[b].upper[axis];
            return x != y ? x < y : a < b;
        });
        mesh_.nodes[index].count = 0;
        split(begin, half);
        mesh_.nodes[index].first = static_cast<std::uint32_t>(mesh_.nodes.size());
        split(half, end);
    }

    TriangleMesh& mesh_;
    std::vector<Aabb> bounds_;
    std::vector<std::uint32_t> order_;
};

// For each vertex the first of those at the same place.
std::vector<std::uint32_t> welded(const std::vector<Vec3>& vertices) {
    std::vector<std::uint32_t> order(vertices.size()), first(vertices.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const Vec3 &p = vertices[a], &q = vertices[b];
        return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.z != q.z ? p.z < q.z : a < b;
    };
    std::sort(order.begin(), order.end(), before);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && vertices[order[i]] == vertices[order[i - 1]];
        first[order[i]] = same ? first[order[i - 1]] : order[i];
    }
    return first;
}

// Triangles are joined where an edge belongs to two of them that run along it in opposite directions.
void join(TriangleMesh& mesh) {
    struct Side {
        std::uint32_t low, high, triangle, edge;
    };
    std::vector<Side> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        for (int k = 0; k < 3; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const auto [low, high] =
                std::minmax(mesh.triangles[t].vertex[e], mesh.triangles[t].vertex[static_cast<std::size_t>(next(k))]);
            sides.push_back({low, high, t, static_cast<std::uint32_t>(k)});
            mesh.triangles[t].beside[e] = TriangleMesh::none;
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.triangle < b.triangle;
    });
    for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
        for (end = i; end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high;) {
            ++end;
        }
        if (end - i != 2) {
            continue;
        }
        TriangleMesh::Triangle &a = mesh.triangles[sides[i].triangle], &b = mesh.triangles[sides[i + 1].triangle];
        if (&a != &b && a.vertex[sides[i].edge] != b.vertex[sides[i + 1].edge]) {
            a.beside[sides[i].edge] = sides[i + 1].triangle;
            b.beside[sides[i + 1].edge] = sides[i].triangle;
        }
    }
}

// The corner of `triangle` that is not on its edge with `other`.
std::uint32_t opposite(const TriangleMesh& mesh, std::uint32_t triangle, std::uint32_t other) {
    const TriangleMesh::Triangle t = mesh.triangle(triangle);
    const std::size_t k = t.beside[0] == other ? 2 : (t.beside[1] == other ? 0 : 1);
    return t.vertex[k];
}

std::string problem_with(const MeshData& data) {
    if (data.triangles.empty()) {
        return "a mesh needs at least one triangle";
    }
    if (data.triangles.size() > max_mesh_triangles) {
        return "the mesh has " + std::to_string(data.triangles.size()) + " triangles, more than " +
               std::to_string(max_mesh_triangles);
    }
    if (data.vertices.size() > 3 * max_mesh_triangles) {
        return "the mesh has " + std::to_string(data.vertices.size()) + " vertices, more than its triangles could use";
    }
    for (std::size_t i = 0; i < data.vertices.size(); ++i) {
        const Vec3 size = glm::abs(data.vertices[i]);
        if (!(size.x <= greatest_coordinate && size.y <= greatest_coordinate && size.z <= greatest_coordinate)) {
            return "vertex " + std::to_string(i) + " is not within 10000 m of the origin";
        }
    }
    for (std::size_t i = 0; i < data.triangles.size(); ++i) {
        for (const std::uint32_t v : data.triangles[i]) {
            if (v >= data.vertices.size()) {
                return "triangle " + std::to_string(i) + " names vertex " + std::to_string(v) +
                       ", but there are only " + std::to_string(data.vertices.size()) + " (the first is 0)";
            }
        }
    }
    return {};
}

std::string problem_with(const HeightData& data) {
    const std::size_t samples = std::size_t{data.columns} * data.rows;
    for (const std::uint32_t side : {data.columns, data.rows}) {
        if (side < 2 || side > max_height_samples) {
            return "a height field has 2 to " + std::to_string(max_height_samples) + " samples along each side, not " +
                   std::to_string(side);
        }
    }
    if (data.heights.size() != samples) {
        return "a height field of " + std::to_string(data.columns) + " x " + std::to_string(data.rows) +
               " samples has " + std::to_string(data.heights.size()) + " heights";
    }
    if (!data.holes.empty() && data.holes.size() != (samples + 63) / 64) {
        return "the list of holes does not fit the height field";
    }
    for (std::size_t bit = 0; bit < 64 * data.holes.size(); ++bit) {
        const bool cell = bit % data.columns + 1 < data.columns && bit / data.columns + 1 < data.rows;
        if (!cell && (data.holes[bit / 64] >> (bit % 64) & 1u) != 0) {
            return "hole " + std::to_string(bit) + " is no cell of the height field";
        }
    }
    const float longest = 0.5f * static_cast<float>(std::max(data.columns, data.rows) - 1) * data.spacing;
    if (!(data.spacing >= 1e-4f && longest <= greatest_coordinate)) {
        return "the height field does not lie within 10000 m of its origin, or its spacing is below 0.0001 m";
    }
    for (std::size_t i = 0; i < samples; ++i) {
        if (!(std::abs(data.heights[i]) <= max_height)) {
            return "height " + std::to_string(i) + " is not within 10000 m of the origin";
        }
    }
    return {};
}

void set_bounds(TriangleMesh& mesh, const Aabb& bounds) {
    mesh.bounds = bounds;
    const Vec3 size = bounds.upper - bounds.lower;
    constexpr float skin = 0.01f, share = 0.05f; // m; of the longest side
    mesh.skin = std::min(skin, share * std::max({size.x, size.y, size.z}));
}

} // namespace

unsigned TriangleMesh::find_ridges(std::uint32_t t, const std::array<DVec3, 3>& corner) const {
    const DVec3 n = normal_of(corner);
    unsigned bits = 0;
    const auto look_across = [&](unsigned k, const DVec3& over) {
        const DVec3 edge = glm::normalize(corner[static_cast<std::size_t>(next(static_cast<int>(k)))] - corner[k]);
        const DVec3 arm = over - corner[k];
        const double height = glm::dot(n, arm);
        const double length = glm::length(arm - edge * glm::dot(arm, edge));
        // Folded back on itself, it is as sharp as can be.
        const bool folded = glm::dot(glm::cross(n, edge), arm) > 0.0 && std::abs(height) <= flat * length;
        bits |= (height < -flat * length || folded ? 1u : 0u) << k;
        bits |= (height > flat * length || folded ? 8u : 0u) << k;
    };
    if (grid) {
        for (unsigned k = 0; k < 3; ++k) {
            const std::optional<Vec3> over = grid->opposite(t, static_cast<int>(k));
            if (!over) {
                bits |= 9u << k;
            } else if (const DVec3 there(*over); glm::dot(n, there - corner[k]) != 0.0) { // no field is folded
                look_across(k, there);
            }
        }
        return bits;
    }
    const Triangle sides = triangle(t);
    for (unsigned k = 0; k < 3; ++k) {
        const std::uint32_t beside = sides.beside[k];
        if (beside == none) {
            bits |= 9u << k;
        } else {
            look_across(k, DVec3(vertex(opposite(*this, beside, t))));
        }
    }
    return bits;
}

Aabb TriangleMesh::bounds_of(std::uint32_t triangle) const {
    const auto v = this->triangle(triangle).vertex;
    const Vec3 a = vertex(v[0]), b = vertex(v[1]), c = vertex(v[2]);
    return {glm::min(a, glm::min(b, c)), glm::max(a, glm::max(b, c))};
}

TriangleMesh::Hit TriangleMesh::cast(const DVec3& origin, const DVec3& direction, double reach, int& tested) const {
    Hit best;
    best.distance = reach;
    const auto meet = [&](std::uint32_t t) {
        // The volumes of the ray with the three edges: all of one sign where it passes through (Plücker).
        ++tested;
        const std::array<DVec3, 3> c = corners(t);
        const std::array<DVec3, 3> r{c[0] - origin, c[1] - origin, c[2] - origin};
        const double u = glm::dot(direction, glm::cross(r[0], r[1]));
        const double v = glm::dot(direction, glm::cross(r[1], r[2]));
        const double w = glm::dot(direction, glm::cross(r[2], r[0]));
        // Seen against the front all are negative.
        const bool front = u <= 0.0 && v <= 0.0 && w <= 0.0;
        const bool back = u >= 0.0 && v >= 0.0 && w >= 0.0;
        if (!(front || (back && two_sided)) || u + v + w == 0.0) {
            return;
        }
        const DVec3 n = glm::cross(c[1] - c[0], c[2] - c[0]);
        const double distance = glm::dot(n, r[0]) / glm::dot(n, direction);
        if (distance >= 0.0 && (distance < best.distance || (distance == best.distance && t < best.triangle))) {
            best = {t, distance};
        }
    };
    if (grid) {
        grid->along_ray(origin, direction, best.distance, meet);
        return best;
    }
    const DVec3 inverse(1.0 / direction.x, 1.0 / direction.y, 1.0 / direction.z);
    const auto enters = [&](const Node& node) {
        double from = 0.0, to = best.distance;
        for (int axis = 0; axis < 3; ++axis) {
            if (direction[axis] == 0.0) {
                if (origin[axis] < double(node.lower[axis]) || origin[axis] > double(node.upper[axis])) {
                    return -1.0;
                }
                continue;
            }
            const double low = (double(node.lower[axis]) - origin[axis]) * inverse[axis];
            const double high = (double(node.upper[axis]) - origin[axis]) * inverse[axis];
            from = std::max(from, std::min(low, high) * (1.0 - 1e-12));
            to = std::min(to, std::max(low, high) * (1.0 + 1e-12));
        }
        return from <= to ? from : -1.0;
    };
    std::array<std::pair<std::uint32_t, double>, 64> stack; // NOLINT: filled as used
    std::size_t depth = 0;
    if (const double from = enters(nodes[0]); from >= 0.0) {
        stack[depth++] = {0, from};
    }
    while (depth > 0) {
        const auto [index, from] = stack[--depth];
        if (from > best.distance) {
            continue;
        }
        const Node& node = nodes[index];
        if (node.count == 0) {
            std::pair<std::uint32_t, double> left{index + 1, enters(nodes[index + 1])};
            std::pair<std::uint32_t, double> right{node.first, enters(nodes[node.first])};
            if (left.second > right.second) {
                std::swap(left, right);
            }
            for (const auto& child : {right, left}) { // the nearer one comes first
                if (child.second >= 0.0) {
                    stack[depth++] = child;
                }
            }
            continue;
        }
        for (std::uint32_t t = node.first; t < node.first + node.count; ++t) {
            meet(t);
        }
    }
    return best;
}

TriangleMesh::Feature TriangleMesh::feature_at(std::uint32_t triangle, const DVec3& point) const {
    const std::array<DVec3, 3> c = corners(triangle);
    const DVec3 n = normal(triangle);
    std::array<double, 3> length{}, over{}; // of the edges; how far within each the nearest place of the triangle lies
    std::array<DVec3, 3> along;
    for (std::size_t k = 0; k < 3; ++k) {
        const DVec3 edge = c[static_cast<std::size_t>(next(static_cast<int>(k)))] - c[k];
        length[k] = glm::length(edge);
        along[k] = edge / length[k];
    }
    DVec3 nearest = point - n * glm::dot(n, point - c[0]);
    double least = -1.0;
    for (std::size_t k = 0; k < 3; ++k) { // beyond an edge, the nearest place is on one of those that it is beyond
        if (glm::dot(glm::cross(along[k], n), point - c[k]) > 0.0) {
            const DVec3 on = c[k] + along[k] * std::clamp(glm::dot(along[k], point - c[k]), 0.0, length[k]);
            const double distance = glm::length(point - on);
            if (least < 0.0 || distance < least) {
                least = distance;
                nearest = on;
            }
        }
    }
    const double near = 1e-4 * std::max({length[0], length[1], length[2]});
    std::array<bool, 3> on{};
    for (std::size_t k = 0; k < 3; ++k) {
        over[k] = glm::dot(glm::cross(n, along[k]), nearest - c[k]);
        on[k] = over[k] <= near;
    }
    for (std::size_t k = 0; k < 3; ++k) { // two edges meet in a corner; near all three, the triangle is tiny
        if (on[k] && on[(k + 2) % 3] && glm::length(nearest - c[k]) <= 2.0 * near) {
            return {Feature::Kind::corner, static_cast<int>(k)};
        }
    }
    for (std::size_t k = 0; k < 3; ++k) {
        if (glm::length(nearest - c[k]) <= near) {
            return {Feature::Kind::corner, static_cast<int>(k)};
        }
    }
    Feature best;
    for (std::size_t k = 0; k < 3; ++k) {
        if (on[k] && (best.kind == Feature::Kind::face || over[k] < over[static_cast<std::size_t>(best.index)])) {
            best = {Feature::Kind::edge, static_cast<int>(k)};
        }
    }
    return best;
}

bool TriangleMesh::admits(std::uint32_t triangle, const Feature& feature, const DVec3& direction) const {
    const Triangle t = this->triangle(triangle);
    const auto k = static_cast<std::size_t>(feature.index);
    if (feature.kind == Feature::Kind::face) {
        return std::abs(glm::dot(direction, normal(triangle))) > 1.0 - 0.5 * flat * flat;
    }
    const DVec3 at(vertex(t.vertex[k]));
    const auto below = [&](std::uint32_t other) {
        const DVec3 d = DVec3(vertex(other)) - at;
        return glm::dot(direction, d) <= flat * glm::length(d);
    };
    if (feature.kind == Feature::Kind::edge) {
        return below(t.vertex[static_cast<std::size_t>(next(next(feature.index)))]) &&
               (t.beside[k] == none || below(opposite(*this, t.beside[k], triangle)));
    }
    // Round the corner, one way until it is closed or ends at a border, then the other.
    const Vec3 place = vertex(t.vertex[k]);
    for (const bool forward : {true, false}) {
        std::uint32_t at_triangle = triangle;
        do {
            const Triangle one = this->triangle(at_triangle);
            const int corner = vertex(one.vertex[0]) == place ? 0 : (vertex(one.vertex[1]) == place ? 1 : 2);
            const int after = next(corner), last = next(after);
            if (!below(one.vertex[static_cast<std::size_t>(after)]) ||
                !below(one.vertex[static_cast<std::size_t>(last)])) {
                return false;
            }
            at_triangle = one.beside[static_cast<std::size_t>(forward ? corner : last)];
        } while (at_triangle != none && at_triangle != triangle);
        if (at_triangle == triangle) {
            break;
        }
    }
    return true;
}

std::uint32_t TriangleMesh::name_of(std::uint32_t triangle, const Feature& feature) const {
    const Triangle t = this->triangle(triangle);
    const auto k = static_cast<std::size_t>(feature.index);
    std::uint64_t name = 0;
    switch (feature.kind) {
    case Feature::Kind::face: // a contact slides from face to face of a plane and stays the same
        return 0;
    case Feature::Kind::edge: {
        const auto [low, high] = std::minmax(t.vertex[k], t.vertex[static_cast<std::size_t>(next(feature.index))]);
        name = (std::uint64_t{high} << 32) | low;
        break;
    }
    case Feature::Kind::corner:
        name = (std::uint64_t{none} << 32) | t.vertex[k];
        break;
    }
    return static_cast<std::uint32_t>(1 + mix_bits(name) % 0x7fffu);
}

std::size_t TriangleMesh::memory_bytes() const {
    return sizeof(TriangleMesh) + bytes_of(vertices) + bytes_of(triangles) + bytes_of(ridges) + bytes_of(nodes) +
           (grid ? grid->memory_bytes() : 0);
}

std::variant<TriangleMesh, std::string> build_triangle_mesh(const Mesh& from) {
    static const MeshData nothing;
    const MeshData& data = from.data ? *from.data : nothing;
    if (std::string problem = problem_with(data); !problem.empty()) {
        return problem;
    }
    TriangleMesh mesh;
    mesh.two_sided = data.two_sided;
    mesh.vertices = data.vertices;
    const std::vector<std::uint32_t> first = welded(mesh.vertices);
    mesh.triangles.reserve(data.triangles.size());
    for (const std::array<std::uint32_t, 3>& corners : data.triangles) {
        const TriangleMesh::Triangle triangle{{first[corners[0]], first[corners[1]], first[corners[2]]}, {}};
        const DVec3 a(mesh.vertices[triangle.vertex[0]]), b(mesh.vertices[triangle.vertex[1]]),
            c(mesh.vertices[triangle.vertex[2]]);
        const double longest2 = std::max({glm::dot(b - a, b - a), glm::dot(c - a, c - a), glm::dot(c - b, c - b)});
        constexpr double thinnest = 1e-6; // of a triangle's height, as a fraction of its longest side
        if (glm::length(glm::cross(b - a, c - a)) > thinnest * longest2) {
            mesh.triangles.push_back(triangle);
        }
    }
    if (mesh.triangles.empty()) {
        return std::string("all triangles of the mesh are without area");
    }
    Builder(mesh).run();
    set_bounds(mesh, {mesh.nodes[0].lower, mesh.nodes[0].upper});
    join(mesh);
    mesh.ridges.resize(mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        mesh.ridges[t] = static_cast<std::uint8_t>(mesh.find_ridges(t, mesh.corners(t)));
    }
    return mesh;
}

std::variant<TriangleMesh, std::string> build_height_field(const HeightField& field) {
    static const HeightData nothing;
    if (std::string problem = problem_with(field.data ? *field.data : nothing); !problem.empty()) {
        return problem;
    }
    TriangleMesh mesh;
    mesh.grid.emplace(field.data);
    const Aabb& bounds = mesh.grid->bounds();
    if (!(bounds.lower.x < bounds.upper.x)) {
        return std::string("all cells of the height field are holes");
    }
    set_bounds(mesh, bounds);
    return mesh;
}

TriangleMesh with_heights(const TriangleMesh& before, std::shared_ptr<const HeightData> data,
                          const HeightRegion& changed) {
    TriangleMesh mesh;
    mesh.grid.emplace(*before.grid, std::move(data), changed);
    set_bounds(mesh, mesh.grid->bounds());
    return mesh;
}

} // namespace cairn::physics
