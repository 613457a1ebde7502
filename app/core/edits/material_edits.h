// Materials of the triangles of meshes: added, taken away, renamed and painted.
#pragma once

#include "physics/geometry/triangle_mesh.h"
#include "physics/world/world.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::core {

// The command that gives the mesh the materials that it has, and the triangles that `change` may change theirs. nullopt
// where there is no such mesh.
std::optional<physics::SetMeshMaterials> present_materials(const physics::World& world,
                                                           const physics::SetMeshMaterials& change);

// Commands for a shape that is a mesh, whose body and place are left to the caller.
// One more material at the end; of a mesh that has none it is that of all triangles, and looks and feels as before.
physics::SetMeshMaterials material_added(const physics::ShapeDef& shape, const std::string& name);
// Its triangles become of the first of those that are left; of a mesh that is left none, of none.
physics::SetMeshMaterials material_removed(const physics::ShapeDef& shape, std::uint16_t place);
physics::SetMeshMaterials material_renamed(const physics::ShapeDef& shape, std::uint16_t place,
                                           const std::string& name);
// `triangles`: places in MeshData::triangles, in any order.
physics::SetMeshMaterials triangles_painted(const physics::ShapeDef& shape, std::uint16_t place,
                                            std::vector<std::uint32_t> triangles);

// The triangles, as the mesh numbers them, that a brush about a point of the triangle `under` paints, ascending: that
// one, and those with their middle within the radius (m) that do not look away from it, as the back of a thin wall
// does. All in the frame of the mesh.
std::vector<std::uint32_t> triangles_under_brush(const physics::TriangleMesh& mesh, std::uint32_t under,
                                                 const physics::Vec3& point, float radius);

} // namespace cairn::core
