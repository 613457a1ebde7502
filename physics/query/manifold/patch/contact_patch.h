// The part of a shape that faces a contact: a face, an edge or a point, with names for its vertices and edges.
// Internal to queries.
#pragma once

#include "physics/query/gjk/minkowski.h"
#include "physics/query/gjk/room.h"

namespace cairn::physics {

inline constexpr int max_patch_vertices = 32;
inline constexpr int round_patch_vertices = 16; // corners of the polygon inscribed in a round cap

struct PatchVertex {
    DVec3 position{0.0};
    std::uint32_t vertex = 0; // which corner of the shape
    std::uint32_t edge = 0;   // which edge of the shape runs from here to the next vertex of the patch
};

struct Patch {
    int count = 0; // 1: a point, 2: a segment, more: a convex polygon, counter-clockwise seen from outside
    Room<PatchVertex, max_patch_vertices> vertices;
    DVec3 normal{0.0}; // of a face, unit, outwards
    bool face = false; // flat: its plane can carry a contact

    void add(const PatchVertex& v) { vertices.put(count++, v); }
};

// The patch of the core that best faces `direction` (unit), both in the shape's local frame. Faces of more than
// max_patch_vertices corners are represented by their corners extreme in that many directions, always the same ones.
void contact_patch(const Shape& shape, const DVec3& direction, Patch& out); // into one that is empty
inline Patch contact_patch(const Shape& shape, const DVec3& direction) {
    Patch out;
    contact_patch(shape, direction, out);
    return out;
}

// The same patch in another frame.
void transform(Patch& patch, const Frame& frame);

} // namespace cairn::physics
