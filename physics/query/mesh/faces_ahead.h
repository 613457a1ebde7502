// Faces of a mesh that a shape comes to lie over within the step. Internal to queries.
#pragma once

#include "physics/query/mesh/shape_over_mesh.h"

#include <cstdint>
#include <vector>

namespace cairn::physics {

// What rolls or slides along ground that curves upwards meets other faces within the step. Held by those alone that it
// touches now, it would sink into them, and be lifted out at no cost: a marble in a bowl climbed higher with each
// swing. So faces count that its points, moving on, come to lie over and behind.
//
// Only faces within 45 degrees of the one that bears it: walls are left to continuous collision. And only where the
// plane is passed over the triangle itself, or behind a face that counts already: the path may lead round an edge to
// what lies behind it. What turns by more than half a radian a step has no faces ahead.
class FacesAhead {
  public:
    struct Face {
        std::uint32_t triangle = 0;
        double separation = 0.0; // m, of the shape from its plane
        DVec3 normal{0.0};       // as that of a touch
        DVec3 lowest{0.0};       // m, the point of the core that lies lowest over it
        double passed = 0.0;     // when the point passes the plane, as a share of the step
    };

    // `motion`: in the axes of the world, `mesh_pose`: in that frame.
    void begin(const ShapeOverMesh& over, const Transform& mesh_pose, const ShapeMotion& motion);
    // Adds touches ahead to what is touched now. `faces` holds all that are nearer than `travel`, as far as they lie
    // within `looked_at`, m.
    void find(ShapeOverMesh& over, double looked_at, MeshTouches& found);

    double travel = 0.0; // m, no point of the core moves further; negative: there is nothing to find
    std::vector<Face> faces;

  private:
    void keep_to(const MeshTouches& found, const ShapeOverMesh& over);
    void list_path(ShapeOverMesh& over);
    void choose(const ShapeOverMesh& over, const DVec3& normal, const DVec3& point);
    bool meet(ShapeOverMesh& over, const Face& face, bool beyond_another, MeshTouches& found) const;
    // How far a point of the shape moves in a share of the step, m.
    DVec3 displacement_of(const DVec3& point, double share = 1.0) const {
        return share * (shift_ + glm::cross(turn_, point));
    }
    DVec3 moved_back(const DVec3& point) const;

    DVec3 shift_{0.0}, turn_{0.0};  // m and rad, axes of the mesh
    double least_separation_ = 0.0; // m, there is now, not above zero
    double rounding_ = 0.0;         // m, of separations
};

} // namespace cairn::physics
