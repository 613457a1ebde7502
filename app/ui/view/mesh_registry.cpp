#include "app/ui/view/mesh_registry.h"

#include <set>

namespace cairn::ui {

render::MeshId MeshRegistry::mesh(const std::shared_ptr<const physics::Shape>& hull) {
    const auto found = known_.find(hull.get());
    if (found != known_.end() && found->second.shape.lock() == hull) {
        return found->second.mesh;
    }
    std::vector<float> key;
    if (hull->hull) {
        key.reserve(3 * hull->hull->vertices.size());
        for (const physics::Vec3& v : hull->hull->vertices) {
            key.insert(key.end(), {v.x, v.y, v.z});
        }
    }
    if (hull->mesh) {
        const physics::TriangleMesh& from = *hull->mesh;
        key.reserve(1 + 3 * (from.vertices.size() + from.triangles.size()));
        key.push_back(from.two_sided ? 2.0f : 1.0f);
        for (const physics::Vec3& v : from.vertices) {
            key.insert(key.end(), {v.x, v.y, v.z});
        }
        for (const physics::TriangleMesh::Triangle& t : from.triangles) {
            for (const std::uint32_t v : t.vertex) {
                key.push_back(static_cast<float>(v)); // exact for as many as there may be
            }
        }
    }
    if (hull->mesh && hull->mesh->grid) {
        const physics::HeightData& from = hull->mesh->grid->data();
        key = {3.0f, static_cast<float>(from.columns), static_cast<float>(from.rows), from.spacing};
        key.insert(key.end(), from.heights.begin(), from.heights.end());
        for (const std::uint64_t word : from.holes) {
            for (unsigned shift = 0; shift < 64; shift += 16) { // exact
                key.push_back(static_cast<float>(word >> shift & 0xffffu));
            }
        }
    }
    auto entry = meshes_.find(key);
    if (entry == meshes_.end()) {
        const physics::ShapeMesh shape = physics::tessellate(*hull);
        render::Mesh mesh;
        mesh.positions = shape.positions;
        mesh.normals = shape.normals;
        mesh.triangles = shape.triangles;
        entry = meshes_.emplace(std::move(key), renderer_.add_mesh(mesh)).first;
    }
    known_[hull.get()] = {hull, entry->second};
    return entry->second;
}

void MeshRegistry::collect() {
    std::set<render::MeshId> used;
    for (auto it = known_.begin(); it != known_.end();) {
        if (it->second.shape.expired()) {
            it = known_.erase(it);
        } else {
            used.insert(it->second.mesh);
            ++it;
        }
    }
    for (auto it = meshes_.begin(); it != meshes_.end();) {
        if (used.count(it->second) == 0) {
            renderer_.remove_mesh(it->second);
            it = meshes_.erase(it);
        } else {
            ++it;
        }
    }
}

} // namespace cairn::ui
