#include "app/core/edits/material_edits.h"

#include <algorithm>
#include <utility>

namespace cairn::core {

using namespace physics;

namespace {

const MeshData& mesh_data(const ShapeDef& shape) {
    return *std::get<physics::Mesh>(shape.geometry).data;
}

SetMeshMaterials present(const ShapeDef& shape) {
    SetMeshMaterials set;
    set.materials = mesh_data(shape).materials;
    set.mesh_materials = shape.mesh_materials;
    return set;
}

void append(std::vector<TriangleRun>& runs, std::uint32_t triangle, std::uint16_t material) {
    if (!runs.empty() && runs.back().first + runs.back().count == triangle && runs.back().material == material) {
        ++runs.back().count;
    } else {
        runs.push_back({triangle, 1, material});
    }
}

} // namespace

std::optional<SetMeshMaterials> present_materials(const World& world, const SetMeshMaterials& change) {
    const auto model = world.model(change.body);
    if (!model || change.shape >= model->def.shapes.size()) {
        return std::nullopt;
    }
    const ShapeDef& shape = model->def.shapes[change.shape];
    const auto* mesh = std::get_if<physics::Mesh>(&shape.geometry);
    if (mesh == nullptr) {
        return std::nullopt;
    }
    SetMeshMaterials set = present(shape);
    set.body = change.body;
    set.shape = change.shape;
    const std::vector<std::uint16_t>& places = mesh->data->triangle_materials;
    if (places.empty()) {
        return set;
    }
    const auto add = [&](std::size_t first, std::size_t count) {
        for (std::size_t t = first; t < std::min(first + count, places.size()); ++t) {
            append(set.runs, static_cast<std::uint32_t>(t), places[t]);
        }
    };
    if (change.materials.empty()) { // all forget theirs
        add(0, places.size());
    }
    for (const TriangleRun& run : change.runs) {
        add(run.first, run.count);
    }
    return set;
}

SetMeshMaterials material_added(const ShapeDef& shape, const std::string& name) {
    SetMeshMaterials set = present(shape);
    set.materials.push_back(name);
    if (!set.mesh_materials.empty()) {
        set.mesh_materials.emplace_back();
    }
    return set;
}

SetMeshMaterials material_removed(const ShapeDef& shape, std::uint16_t place) {
    SetMeshMaterials set = present(shape);
    set.materials.erase(set.materials.begin() + place);
    if (!set.mesh_materials.empty()) {
        set.mesh_materials.erase(set.mesh_materials.begin() + place);
    }
    const std::vector<std::uint16_t>& places = mesh_data(shape).triangle_materials;
    for (std::uint32_t t = 0; t < places.size() && !set.materials.empty(); ++t) {
        if (places[t] >= place) {
            append(set.runs, t, places[t] == place ? std::uint16_t{0} : static_cast<std::uint16_t>(places[t] - 1));
        }
    }
    return set;
}

SetMeshMaterials material_renamed(const ShapeDef& shape, std::uint16_t place, const std::string& name) {
    SetMeshMaterials set = present(shape);
    set.materials[place] = name;
    return set;
}

SetMeshMaterials triangles_painted(const ShapeDef& shape, std::uint16_t place, std::vector<std::uint32_t> triangles) {
    SetMeshMaterials set = present(shape);
    std::ranges::sort(triangles);
    for (const std::uint32_t triangle : triangles) {
        append(set.runs, triangle, place);
    }
    return set;
}

std::vector<std::uint32_t> triangles_under_brush(const TriangleMesh& mesh, std::uint32_t under, const Vec3& point,
                                                 float radius) {
    constexpr double away = -0.5; // cosine of the angle between the fronts
    const DVec3 front = mesh.normal(under), centre(point);
    std::vector<std::uint32_t> found;
    mesh.query({point - Vec3(radius), point + Vec3(radius)}, [&](std::uint32_t t) {
        const std::array<DVec3, 3> corner = mesh.corners(t);
        const DVec3 offset = (corner[0] + corner[1] + corner[2]) / 3.0 - centre;
        const bool within = glm::dot(offset, offset) <= static_cast<double>(radius) * static_cast<double>(radius);
        if (t == under || (within && glm::dot(TriangleMesh::normal_of(corner), front) > away)) {
            found.push_back(t);
        }
    });
    if (!std::ranges::binary_search(found, under)) { // a radius so small that rounding puts the point beside it
        found.insert(std::ranges::lower_bound(found, under), under);
    }
    return found;
}

} // namespace cairn::core
