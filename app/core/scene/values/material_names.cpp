#include "app/core/scene/values/material_names.h"

#include "physics/geometry/triangle_mesh.h"

namespace cairn::core {

bool MaterialNames::name_triangles(const std::string& material) {
    const std::size_t first = named_, count = mesh_.triangles.size();
    named_ = count;
    if (first == count || (material.empty() && mesh_.materials.empty())) {
        return true; // a mesh without materials has no list of them
    }
    if (mesh_.materials.empty() && first > 0) {
        places_.emplace(std::string(), std::uint16_t{0});
        mesh_.materials.emplace_back();
        mesh_.triangle_materials.resize(first, 0);
    }
    const auto [at, fresh] = places_.try_emplace(material, static_cast<std::uint16_t>(mesh_.materials.size()));
    if (fresh) {
        if (mesh_.materials.size() == physics::max_mesh_materials) {
            return false;
        }
        mesh_.materials.push_back(material);
    }
    mesh_.triangle_materials.resize(count, at->second);
    return true;
}

} // namespace cairn::core
