// Building meshes and height fields.
#include "physics/geometry/triangle_mesh.h"

#include "physics/base/executor_loop.h"
#include "physics/base/hash.h"

#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace cairn::physics {

namespace {

constexpr std::size_t mesh_block_size = 8192; // of loops over triangles
constexpr float mesh_extent = 1e4f;           // m

// The corner after this one.
std::size_t corner_after(std::size_t k) {
    return k == 2 ? 0 : k + 1;
}

// The places in `source`, ascending, of what `kept` lists. Empty if that is no permutation of `source`.
std::vector<std::uint32_t> order_from(const std::vector<std::uint32_t>& kept, const std::vector<std::uint32_t>& source,
                                      std::size_t triangles) {
    if (kept.size() != source.size()) {
        return {};
    }
    std::vector<std::uint32_t> place(triangles, TriangleMesh::none);
    for (std::uint32_t i = 0; i < source.size(); ++i) {
        place[source[i]] = i;
    }
    std::vector<std::uint32_t> order(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (kept[i] >= triangles || place[kept[i]] == TriangleMesh::none) {
            return {};
        }
        order[i] = std::exchange(place[kept[i]], TriangleMesh::none); // none is taken twice
    }
    return order;
}

// Puts the triangles in the order of the tree's leaves. `order`: that order, if it is known.
void build_tree(TriangleMesh& mesh, Executor& executor, std::vector<std::uint32_t> order) {
    const std::size_t count = mesh.triangles.size();
    const bool known = order.size() == count;
    std::vector<Aabb> boxes(count);
    parallel_for(executor, count, mesh_block_size, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            boxes[i] = mesh.bounds_of(static_cast<std::uint32_t>(i));
        }
    });
    mesh.tree.build(boxes, executor, order, known);
    std::vector<TriangleMesh::Triangle> sorted(count);
    parallel_for(executor, count, mesh_block_size, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            sorted[i] = mesh.triangles[order[i]];
        }
    });
    mesh.triangles.swap(sorted);
    for (std::uint32_t& place : order) {
        place = mesh.source[place];
    }
    mesh.source = std::move(order);
}

// Of the triangles in their present order.
std::vector<std::uint16_t> materials_of(const TriangleMesh& mesh, const MeshData& data) {
    std::vector<std::uint16_t> materials(data.materials.empty() ? 0 : mesh.source.size());
    for (std::size_t i = 0; i < materials.size(); ++i) {
        materials[i] = data.triangle_materials[mesh.source[i]];
    }
    return materials;
}

// For each vertex the first of those at the same place.
std::vector<std::uint32_t> welded(const std::vector<Vec3>& vertices) {
    std::vector<std::uint32_t> first(vertices.size());
    const std::size_t slots = std::bit_ceil(2 * std::max<std::size_t>(vertices.size(), 1));
    std::vector<std::uint32_t> table(slots, TriangleMesh::none);
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        const Vec3 place = vertices[v] + Vec3(0.0f); // -0 becomes 0
        std::uint64_t key = std::bit_cast<std::uint32_t>(place.x);
        key = mix_bits(key << 32 | std::bit_cast<std::uint32_t>(place.y));
        key = mix_bits(key ^ std::bit_cast<std::uint32_t>(place.z));
        std::size_t slot = key & (slots - 1);
        while (table[slot] != TriangleMesh::none && vertices[table[slot]] != vertices[v]) {
            slot = (slot + 1) & (slots - 1);
        }
        if (table[slot] == TriangleMesh::none) {
            table[slot] = v;
        }
        first[v] = table[slot];
    }
    return first;
}

// Two triangles that have an edge, from vertex `low` to vertex `high` or back.
void join_along(TriangleMesh& mesh, std::uint32_t one, std::uint32_t other, std::uint32_t low, std::uint32_t high) {
    TriangleMesh::Triangle &a = mesh.triangles[one], &b = mesh.triangles[other];
    const auto edge = [&](const TriangleMesh::Triangle& t) {
        std::size_t k = 0;
        while (std::minmax(t.vertex[k], t.vertex[corner_after(k)]) != std::minmax(low, high)) {
            ++k;
        }
        return k;
    };
    const std::size_t in_a = edge(a), in_b = edge(b);
    if (a.vertex[in_a] != b.vertex[in_b]) {
        a.beside[in_a] = other;
        b.beside[in_b] = one;
    }
}

// Triangles are joined where an edge belongs to two of them that run along it in opposite directions.
void join(TriangleMesh& mesh, Executor& executor) {
    struct Side {
        std::uint32_t high, triangle;
    };
    const auto ends_of = [&mesh](std::uint32_t t, std::size_t k) {
        const auto& corner = mesh.triangles[t].vertex;
        return std::minmax(corner[k], corner[corner_after(k)]);
    };
    // The sides by their lower vertex, those of each in the order of their triangles.
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
    std::vector<std::uint32_t> start(mesh.vertices.size() + 1, 0);
    for (std::uint32_t t = 0; t < count; ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            ++start[ends_of(t, k).first + 1];
            mesh.triangles[t].beside[k] = TriangleMesh::none;
        }
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<std::uint32_t> fill(start.begin(), start.end() - 1);
    std::vector<Side> sides(std::size_t{3} * count);
    for (std::uint32_t t = 0; t < count; ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [low, high] = ends_of(t, k);
            sides[fill[low]++] = {high, t};
        }
    }
    parallel_for(executor, mesh.vertices.size(), mesh_block_size, [&](std::size_t begin, std::size_t end) {
        for (std::size_t low = begin; low < end; ++low) {
            const auto first = sides.begin() + start[low], last = sides.begin() + start[low + 1];
            std::sort(first, last, [](const Side& a, const Side& b) {
                return a.high != b.high ? a.high < b.high : a.triangle < b.triangle;
            });
            for (auto side = first; side != last;) {
                const auto group = side;
                while (side != last && side->high == group->high) {
                    ++side;
                }
                if (side - group == 2 && group[0].triangle != group[1].triangle) {
                    join_along(mesh, group[0].triangle, group[1].triangle, static_cast<std::uint32_t>(low),
                               group->high);
                }
            }
        }
    });
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
        if (!(size.x <= mesh_extent && size.y <= mesh_extent && size.z <= mesh_extent)) {
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
    if (data.materials.size() > max_mesh_materials) {
        return "the mesh has more than " + std::to_string(max_mesh_materials) + " materials";
    }
    if (!data.triangle_materials.empty() && data.triangle_materials.size() != data.triangles.size()) {
        return "the mesh has " + std::to_string(data.triangles.size()) + " triangles and materials for " +
               std::to_string(data.triangle_materials.size());
    }
    if (data.triangle_materials.empty() != data.materials.empty()) {
        return "a mesh whose triangles have materials names them, and only such a one";
    }
    for (std::size_t i = 0; i < data.triangle_materials.size(); ++i) {
        if (data.triangle_materials[i] >= data.materials.size()) {
            return "triangle " + std::to_string(i) + " names material " + std::to_string(data.triangle_materials[i]) +
                   ", but there are only " + std::to_string(data.materials.size()) + " (the first is 0)";
        }
    }
    return {};
}

// The places of the triangles that are kept.
std::vector<std::uint32_t> kept_places(const std::vector<TriangleMesh::Triangle>& triangles) {
    std::vector<std::uint32_t> kept;
    kept.reserve(triangles.size());
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
        if (triangles[i].vertex[0] != TriangleMesh::none) {
            kept.push_back(i);
        }
    }
    return kept;
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
    if (!(data.spacing >= 1e-4f && longest <= mesh_extent)) {
        return "the height field does not lie within 10000 m of its origin, or its spacing is below 0.0001 m";
    }
    for (std::size_t i = 0; i < samples; ++i) {
        if (!(std::abs(data.heights[i]) <= max_height)) {
            return "height " + std::to_string(i) + " is not within 10000 m of the origin";
        }
    }
    return {};
}

bool has_area(const Vec3& p, const Vec3& q, const Vec3& r) {
    const DVec3 a(p), b(q), c(r);
    const double longest2 = std::max({glm::dot(b - a, b - a), glm::dot(c - a, c - a), glm::dot(c - b, c - b)});
    constexpr double thinnest = 1e-6; // of a triangle's height, as a fraction of its longest side
    return glm::length(glm::cross(b - a, c - a)) > thinnest * longest2;
}

const MeshData& data_of(const Mesh& mesh) {
    static const MeshData nothing;
    return mesh.data ? *mesh.data : nothing;
}

constexpr const char* all_without_area = "all triangles of the mesh are without area";

void set_bounds(TriangleMesh& mesh, const Aabb& bounds) {
    mesh.bounds = bounds;
    const Vec3 size = bounds.upper - bounds.lower;
    constexpr float skin = 0.01f, share = 0.05f; // m; of the longest side
    mesh.skin = std::min(skin, share * std::max({size.x, size.y, size.z}));
}

} // namespace

std::variant<TriangleMesh, std::string> build_triangle_mesh(const Mesh& from, Executor* executor, MeshOrders* orders) {
    SerialExecutor serial;
    Executor& run_on = executor != nullptr ? *executor : serial;
    const MeshData& data = data_of(from);
    if (std::string problem = problem_with(data); !problem.empty()) {
        return problem;
    }
    TriangleMesh mesh;
    mesh.two_sided = data.two_sided;
    mesh.vertices = data.vertices;
    const std::vector<std::uint32_t> first = welded(mesh.vertices);
    mesh.triangles.resize(data.triangles.size());
    parallel_for(run_on, data.triangles.size(), mesh_block_size, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::array<std::uint32_t, 3>& corners = data.triangles[i];
            const TriangleMesh::Triangle triangle{{first[corners[0]], first[corners[1]], first[corners[2]]}, {}};
            const bool kept = has_area(mesh.vertices[triangle.vertex[0]], mesh.vertices[triangle.vertex[1]],
                                       mesh.vertices[triangle.vertex[2]]);
            mesh.triangles[i] = kept ? triangle : TriangleMesh::Triangle{{TriangleMesh::none, 0, 0}, {}};
        }
    });
    mesh.source = kept_places(mesh.triangles);
    std::erase_if(mesh.triangles, [](const TriangleMesh::Triangle& t) { return t.vertex[0] == TriangleMesh::none; });
    if (mesh.triangles.empty()) {
        return std::string(all_without_area);
    }
    std::vector<std::uint32_t> known;
    if (orders != nullptr) {
        known = order_from(orders->find(data), mesh.source, data.triangles.size());
    }
    const bool keep = orders != nullptr && known.empty();
    build_tree(mesh, run_on, std::move(known));
    if (keep) {
        orders->keep(data, mesh.source);
    }
    mesh.materials = materials_of(mesh, data);
    set_bounds(mesh, mesh.tree.bounds());
    join(mesh, run_on);
    mesh.ridges.resize(mesh.triangles.size());
    parallel_for(run_on, mesh.triangles.size(), mesh_block_size, [&mesh](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto t = static_cast<std::uint32_t>(i);
            mesh.ridges[i] = static_cast<std::uint8_t>(mesh.find_ridges(t, mesh.corners(t)));
        }
    });
    return mesh;
}

TriangleMesh with_materials(const TriangleMesh& before, const MeshData& data) {
    TriangleMesh mesh = before;
    mesh.materials = materials_of(mesh, data);
    return mesh;
}

std::variant<Aabb, std::string> check_triangle_mesh(const Mesh& mesh) {
    const MeshData& data = data_of(mesh);
    if (std::string problem = problem_with(data); !problem.empty()) {
        return problem;
    }
    Aabb bounds;
    bool any = false;
    for (const auto& corner : data.triangles) {
        const Vec3 &a = data.vertices[corner[0]], &b = data.vertices[corner[1]], &c = data.vertices[corner[2]];
        if (has_area(a, b, c)) {
            any = true;
            bounds = united(bounds, {glm::min(a, glm::min(b, c)), glm::max(a, glm::max(b, c))});
        }
    }
    if (!any) {
        return std::string(all_without_area);
    }
    return bounds;
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
