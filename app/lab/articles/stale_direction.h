// Error 12: boolean GJK that searches along an old direction and takes every tetrahedron for a hit.
#pragma once

#include "app/lab/articles/regions.h"

namespace cairn::core::lab::articles {

// The set-up does not look whether its second point lies short of the origin. The test of the simplex has the direction
// by value, so that the search goes on along the first one; after the faces of a tetrahedron it answers true, whatever
// they told.
Answer overlap_with_stale_direction(Difference& difference, Telling& telling);

LabRun run_stale_direction(const LabPair& pair);

} // namespace cairn::core::lab::articles
