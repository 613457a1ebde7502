// Pairs of shapes at poses where their signed distance is known.
#pragma once

#include "physics/geometry/shape.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::bench {

struct PosedPair {
    physics::Transform a, b;
};

// `count` pairs, A at the origin, both turned at random, B moved from A along a random direction until the signed
// distance is `distance` (m, negative is depth; may not be deeper than with coincident centres). The same numbers for
// the same seed. Throws std::runtime_error when a pose cannot be found.
std::vector<PosedPair> make_poses(const physics::Shape& a, const physics::Shape& b, double distance, std::size_t count,
                                  std::uint64_t seed);

// Frames of a slow motion that starts at `poses`: from one to the next B moves by `step` (m) in a random direction and
// turns by `turn` (rad) about a random axis.
std::vector<std::vector<PosedPair>> make_motion(const std::vector<PosedPair>& poses, std::size_t frames, float step,
                                                float turn, std::uint64_t seed);

// How far B would have to move along the unit vector `normal` until a plane across it separates the shapes, m: the
// overlap of the two along it, negative where it separates already. In double precision from the vertices, with no
// query involved. No depth is larger than the width along any normal, no distance smaller than minus it.
double width(const physics::Shape& a, const physics::Shape& b, const PosedPair& pose, const glm::dvec3& normal);

} // namespace cairn::bench
