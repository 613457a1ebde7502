// Who collides with whom in a glTF file: its filters name systems, a scene has groups (KHR_physics_rigid_bodies).
#pragma once

#include "app/core/scene/gltf/file/gltf_file.h"
#include "physics/world/body_def.h"

#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

inline constexpr std::string_view rigid_bodies = "KHR_physics_rigid_bodies";

class GltfFilters {
  public:
    explicit GltfFilters(const GltfFile& file);
    physics::CollisionFilter of(const Node& collider) const;

  private:
    bool accepts(const Node& filter, const std::vector<std::string>& systems) const;
    std::vector<std::string> systems_of(const Node& filter) const;

    const GltfFile& file_;
    std::vector<const Node*> filters_;
    std::vector<physics::CollisionFilter> known_filters_;
    physics::CollisionFilter no_filter_;
};

} // namespace cairn::core
