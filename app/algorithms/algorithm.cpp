#include "app/algorithms/algorithm.h"

#include "app/algorithms/region_gjk.h"
#include "app/algorithms/sat.h"

namespace cairn::algorithms {

using namespace physics;

std::string_view name_of(QueryAlgorithm algorithm) {
    static constexpr std::array<std::string_view, all_query_algorithms.size()> names = {"gjk_epa", "sat", "region_gjk"};
    return names[static_cast<std::size_t>(algorithm)];
}

std::optional<QueryAlgorithm> query_algorithm(std::string_view name) {
    for (const QueryAlgorithm algorithm : all_query_algorithms) {
        if (name_of(algorithm) == name) {
            return algorithm;
        }
    }
    return std::nullopt;
}

std::string_view scope_of(QueryAlgorithm algorithm) {
    return algorithm == QueryAlgorithm::sat ? "two polytopes: boxes, hulls and diamonds" : "any two shapes";
}

bool answers(QueryAlgorithm algorithm, const Shape& shape) {
    return algorithm != QueryAlgorithm::sat || sat_answers(shape);
}

std::optional<QueryAnswer> query_pair(QueryAlgorithm algorithm, const Shape& a, const Transform& pose_a, const Shape& b,
                                      const Transform& pose_b) {
    if (!answers(algorithm, a, b)) {
        return std::nullopt;
    }
    QueryAnswer out;
    switch (algorithm) {
    case QueryAlgorithm::gjk_epa: {
        const DistanceResult r = signed_distance(a, pose_a, b, pose_b);
        out.status = r.status;
        out.separation = Separation{r.distance, r.normal, r.point_a, r.point_b};
        out.iterations = r.gjk_iterations + r.epa_iterations;
        break;
    }
    case QueryAlgorithm::sat: {
        const SatResult r = sat(a, pose_a, b, pose_b);
        out.status = r.status;
        out.separation = Separation{r.distance, r.normal, r.point_a, r.point_b};
        out.iterations = r.axes;
        break;
    }
    case QueryAlgorithm::region_gjk: {
        const RegionGjkResult r = region_gjk(a, pose_a, b, pose_b);
        out.status = r.status;
        out.iterations = r.iterations;
        break;
    }
    }
    return out;
}

} // namespace cairn::algorithms
