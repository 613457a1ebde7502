// Convex decomposition: a triangle mesh in, convex hulls out that cover it and little else.
//
// The way of CoACD (Wei, Liu, Ling and Su 2022): parts that are too concave are cut by planes, which a search over
// cuts in sequence chooses; then parts are merged again where their common hull is not too concave. The mesh itself is
// cut, not a grid of voxels, so that flat faces stay flat and corners stay sharp.
#pragma once

#include "physics/base/executor.h"
#include "physics/base/math.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cairn::physics {

// Grows with each change after which some mesh gives other hulls, so that what was kept of an earlier one is made anew.
inline constexpr std::uint64_t decomposition_version = 1;

struct DecompositionSettings {
    // How far a hull may be from the part of the mesh that it stands for, as a share of half the longest side of the
    // mesh's bounds: 0.001 to 1.
    double concavity = 0.05;
    // Parts are merged down to this number, whatever concavity that costs.
    std::optional<std::size_t> max_hulls;
    std::size_t max_vertices = 64; // of each hull, at least 4
};

// What was mended.
struct MeshRepairs {
    std::size_t merged_points = 0;        // no farther than 1e-6 of the longest side from another
    std::size_t degenerate_triangles = 0; // with a corner twice: left out
    std::size_t duplicate_triangles = 0;  // left out
    std::size_t flipped_triangles = 0;    // turned so that all face outwards
    std::size_t closed_holes = 0;         // of at most a tenth of the longest side
    // Pieces of the surface with larger openings. They are given a thickness of a hundredth of the longest side, half
    // of it on either side.
    std::size_t open_surfaces = 0;

    friend bool operator==(const MeshRepairs&, const MeshRepairs&) = default;
};

struct Decomposition {
    std::vector<std::vector<Vec3>> hulls; // the vertices of each, in the coordinates of the mesh
    double concavity = 0.0;               // the greatest that a hull has, measured as the setting is
    double hull_volume = 0.0;             // sum over the hulls, m^3; where two overlap, that counts twice
    MeshRepairs repairs;

    // Of the mesh as it was mended.
    double volume = 0.0;          // m^3
    glm::dvec3 centroid{0.0};     // m
    glm::dmat3 unit_inertia{0.0}; // about the centroid, for 1 kg/m^3, kg m^2
};

struct MeshError {
    std::string reason;
    std::optional<std::size_t> point, triangle; // where, if at one
};

// Results depend on the mesh and the settings alone, not on the executor. Work stops where the executor throws.
// `progress` is called on the calling thread, now and then, with the share that is done.
std::variant<Decomposition, MeshError> decompose(std::span<const Vec3> points,
                                                 std::span<const std::array<std::uint32_t, 3>> triangles,
                                                 const DecompositionSettings& settings, Executor& executor,
                                                 const std::function<void(double)>& progress = {});

} // namespace cairn::physics
