// What the triangles of a mesh file are made of, by name, as they are read one after the other.
#pragma once

#include "physics/geometry/geometry.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace cairn::core {

class MaterialNames {
  public:
    explicit MaterialNames(physics::MeshData& mesh) : mesh_(mesh) {}

    // All triangles that have come since the last call are of this material; empty: of none. False: there are more than
    // a mesh can have.
    [[nodiscard]] bool name_triangles(const std::string& material);

  private:
    physics::MeshData& mesh_;
    std::size_t named_ = 0; // triangles
    std::unordered_map<std::string, std::uint16_t> places_;
};

// Of a mesh whose triangles are numbered 0 (of none) or one more than the material: keeps the materials that there are,
// by number, and asks `name` for each of them.
template <typename Name>
void name_materials(physics::MeshData& mesh, Name&& name) {
    std::unordered_map<std::uint16_t, std::uint16_t> places;
    for (std::uint16_t& material : mesh.triangle_materials) {
        const auto [at, fresh] = places.try_emplace(material, static_cast<std::uint16_t>(places.size()));
        if (fresh) {
            mesh.materials.push_back(material == 0 ? std::string() : name(std::size_t{material} - 1));
        }
        material = at->second;
    }
    if (mesh.materials.size() == 1 && mesh.materials[0].empty()) {
        mesh.materials.clear();
        mesh.triangle_materials.clear();
    }
}

} // namespace cairn::core
