// The algorithms that answer a pair of shapes, behind one interface: to compare them, to choose one by name, and to
// show them at work. The step itself calls what it needs directly.
#pragma once

#include "physics/query/distance.h"

#include <array>
#include <optional>
#include <string_view>

namespace cairn::algorithms {

using physics::QueryStatus;
using physics::Shape;
using physics::Transform;
using physics::Vec3;

enum class QueryAlgorithm : std::uint8_t {
    gjk_epa,    // signed_distance(): any shapes
    sat,        // the separating axis test: polytopes
    region_gjk, // the region-based simplex: any shapes, but only whether they overlap
};

inline constexpr std::array<QueryAlgorithm, 3> all_query_algorithms{QueryAlgorithm::gjk_epa, QueryAlgorithm::sat,
                                                                    QueryAlgorithm::region_gjk};

// The name in files and on the command line; the same word as the enumerator.
std::string_view name_of(QueryAlgorithm algorithm);
std::optional<QueryAlgorithm> query_algorithm(std::string_view name); // nothing if no algorithm has that name

// Which pairs it answers, in words: "any two shapes".
std::string_view scope_of(QueryAlgorithm algorithm);

// Does it answer pairs of which this is one shape? It answers a pair if it answers both.
bool answers(QueryAlgorithm algorithm, const Shape& shape);
inline bool answers(QueryAlgorithm algorithm, const Shape& a, const Shape& b) {
    return answers(algorithm, a) && answers(algorithm, b);
}

// Distance along the normal and the two points that it joins, in the conventions of DistanceResult.
struct Separation {
    float distance = 0.0f; // m; negative is penetration depth
    Vec3 normal{0.0f};     // unit, world, from A to B
    Vec3 point_a{0.0f};    // world, on the surface of A
    Vec3 point_b{0.0f};    // world, on the surface of B
};

struct QueryAnswer {
    // Of region-based GJK, which only tests for overlap, no other than separated, overlapping (which then includes
    // touching) and failed.
    QueryStatus status = QueryStatus::failed;
    std::optional<Separation> separation; // none of region-based GJK
    // Rounds of support points of GJK and EPA, axes measured by the separating axis test.
    int iterations = 0;
};

// Answers the pair from nothing, without what the last step may have left. Nothing if !answers(algorithm, a, b).
std::optional<QueryAnswer> query_pair(QueryAlgorithm algorithm, const Shape& a, const Transform& pose_a, const Shape& b,
                                      const Transform& pose_b);

} // namespace cairn::algorithms
