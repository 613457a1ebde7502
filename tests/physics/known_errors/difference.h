// Mistakes that published implementations of these algorithms make. Each file of this folder writes some of them out as
// they are made (namespace as_in_the_source), shows on a pinned input what goes wrong, and that ours gets it right. The
// numbers are those of the list of errors that the project keeps of its sources; those not in this list can be run in
// the collision lab, and are tested there (tests/core/lab/articles):
//
//      1  box inertia with an offset term of the wrong sign      mass_test.cpp
//      4  GJK that ends flat, and what comes of it               gjk_test.cpp
//      7  hull seeds and merging that depend on place and size   hull_seed_test.cpp
//      8  mass sampled on a grid                                 mass_test.cpp
//     11  the polytope of flush boxes                            epa_test.cpp
#pragma once

#include "tests/physics/query/oracle.h"

namespace cairn::physics::known_errors {

using DVec3 = glm::dvec3;

// Support points of A minus B.
struct Difference {
    const Shape& a;
    Transform pose_a;
    const Shape& b;
    Transform pose_b;

    DVec3 operator()(const DVec3& direction) const {
        const DVec3 on_a = DVec3(pose_a.position) + oracle::farthest(a, pose_a.orientation, direction);
        const DVec3 on_b = DVec3(pose_b.position) + oracle::farthest(b, pose_b.orientation, -direction);
        return on_a - on_b;
    }
};

} // namespace cairn::physics::known_errors
