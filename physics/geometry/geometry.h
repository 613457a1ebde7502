// What an author writes down for a shape: plain values, before anything is built from them.
// Axes of revolution run along local Z. Lengths in metres.
#pragma once

#include "physics/base/math.h"
#include "physics/geometry/heights.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace cairn::physics {

struct Sphere {
    float radius = 0.5f;
    friend bool operator==(const Sphere&, const Sphere&) = default;
};

struct Box {
    Vec3 half_extents{0.5f};
    friend bool operator==(const Box&, const Box&) = default;
};

// A segment of length 2 * half_height along Z, grown by radius: total length 2 * (half_height + radius).
struct Capsule {
    float radius = 0.5f;
    float half_height = 0.5f;
    friend bool operator==(const Capsule&, const Capsule&) = default;
};

struct Cylinder {
    float radius = 0.5f;
    float half_height = 0.5f;
    friend bool operator==(const Cylinder&, const Cylinder&) = default;
};

// Apex towards +Z. The centroid is the origin: the base lies at z = -height/4, the apex at z = 3/4 height.
struct Cone {
    float radius = 0.5f;
    float height = 1.0f;
    friend bool operator==(const Cone&, const Cone&) = default;
};

// The faceted gem of 56 points (7 per facet, 8 facets); scale 1 is 2 m wide, from z = -1 m to z = 0.4 m.
struct Diamond {
    float scale = 1.0f;
    friend bool operator==(const Diamond&, const Diamond&) = default;
};

// The convex hull of any points. Shared, because a scene repeats the same hull many times; equal if the points are.
struct PointSet {
    std::shared_ptr<const std::vector<Vec3>> points;
    friend bool operator==(const PointSet& a, const PointSet& b) {
        return a.points == b.points || (a.points && b.points && *a.points == *b.points);
    }
};

// Triangles, each three places in the list of vertices, counter-clockwise seen from its front.
struct MeshData {
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    bool two_sided = false; // what comes from behind is stopped as well; else it passes
    // Names of what the triangles are made of, and of each triangle its place among them; both empty where they are not
    // told apart. What a material is like to touch is the shape's to say: ShapeDef::mesh_materials.
    std::vector<std::string> materials{};
    std::vector<std::uint16_t> triangle_materials{};
    friend bool operator==(const MeshData&, const MeshData&) = default;
};

// A surface, for static bodies only. Its own origin is the body's: a surface has no centroid to be shifted to.
struct Mesh {
    std::shared_ptr<const MeshData> data;
    friend bool operator==(const Mesh& a, const Mesh& b) {
        return a.data == b.data || (a.data && b.data && *a.data == *b.data);
    }
};

// Heights over a level grid whose middle is the origin: sample (i, j) stands at ((i - (columns - 1) / 2) * spacing,
// (j - (rows - 1) / 2) * spacing, heights[j * columns + i]). Each cell between four samples is two triangles, cut from
// its first corner to the opposite one.
struct HeightData {
    std::uint32_t columns = 0, rows = 0; // of samples, along X and Y
    float spacing = 1.0f;                // m
    Heights heights;                     // m, row by row
    // One bit for each sample, row by row, 64 to a word; set: the cell that begins there is a hole. Empty: there is
    // none.
    std::vector<std::uint64_t> holes;
    friend bool operator==(const HeightData&, const HeightData&) = default;
};

// Ground, for static bodies only, solid from above. Its own origin is the body's.
struct HeightField {
    std::shared_ptr<const HeightData> data;
    friend bool operator==(const HeightField& a, const HeightField& b) {
        return a.data == b.data || (a.data && b.data && *a.data == *b.data);
    }
};

using Geometry = std::variant<Sphere, Box, Capsule, Cylinder, Cone, Diamond, PointSet, Mesh, HeightField>;

// The 56 points of the diamond at scale 1, in the author's coordinates (not centred).
const std::vector<Vec3>& diamond_points();

} // namespace cairn::physics
