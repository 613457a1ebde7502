// Narrowphase: from the poses of a pair to its contact.
#pragma once

#include "physics/narrowphase/contact.h"
#include "physics/narrowphase/material.h"
#include "physics/query/mesh/mesh_manifold.h"

#include <span>

namespace cairn::physics {

// What the narrowphase needs to know of one shape of a pair.
struct ContactSide {
    const Shape* shape = nullptr;
    Transform shape_pose;            // world
    const Transform* body = nullptr; // pose of the centre of mass, world
    float body_radius = 0.0f;        // m, of all shapes of the body about its centre of mass
    const Material* material = nullptr;
    const MeshMaterials* mesh_materials = nullptr; // of a mesh of several materials
    bool can_turn = true;                          // its body is not fixed
};

// A contact as it is found, with points that have no place in the pool yet.
struct FoundContact {
    Contact contact;
    std::array<ContactPoint, 4> points;
    float apart = 0.0f; // m: if there is no contact, the shapes are certainly this far apart
};

// The contact of the pair at these poses; false if the shapes are further apart than the speculative distance, m.
// `before` and its points are those of the last time, if there was a contact: the impulses of points whose feature was
// there go to the new ones. `dt`: seconds since then.
bool find_contact(const ContactSide& a, const ContactSide& b, float speculative_distance, float dt,
                  const Contact* before, std::span<const ContactPoint> points_before, CollideCache& cache,
                  FoundContact& out);

// The contact that has these points.
void make_contact(const ContactSide& a, const ContactSide& b, const Manifold& manifold, float speculative_distance,
                  float dt, const Contact* before, std::span<const ContactPoint> points_before, FoundContact& out);

// A contact of the last time, or none.
struct ContactBefore {
    const Contact* contact = nullptr;
    std::span<const ContactPoint> points;
};

// The contacts of a pair of which one is a mesh, each in a place of its own out of MeshManifolds::most; the number of
// points of a place without is 0. A face that was touched before stays in its place. Returns how many there are.
// `apart`, m: if there are none, the shapes are certainly this far apart. `motion`: of what is no mesh.
int find_mesh_contacts(const ContactSide& a, const ContactSide& b, float speculative_distance, float dt,
                       std::span<const ContactBefore> before, const ShapeMotion& motion, std::span<FoundContact> out,
                       float& apart);

// The direction, world, from A to B, that the cache of a pair apart has kept; zero: none. And keeps one.
Vec3 parting_axis(const CollideCache& cache, const ContactSide& a, const ContactSide& b);
void keep_parting_axis(CollideCache& cache, const ContactSide& a, const ContactSide& b, const Vec3& axis);

} // namespace cairn::physics
