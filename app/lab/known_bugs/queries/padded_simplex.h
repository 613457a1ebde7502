// Error 4: the tetrahedron for EPA is padded from GJK's last simplex, flat or not.
#pragma once

#include "app/lab/known_bugs/support/step_report.h"

namespace cairn::core::lab::known_bugs {

// Makes a tetrahedron for EPA of the one to four points that GJK ended with, by supports away from the point, across
// the line and along the normal, whether or not these lie in the same plane.
std::array<Vertex, 4> padded(const std::vector<Vertex>& simplex, Difference& difference);

// Stands in for shapes grown by a margin, m: moves all corners away from their centroid, which is no support of the
// grown shapes.
std::array<Vertex, 4> grown_from_centroid(std::array<Vertex, 4> corners, double margin);

LabRun run_padded_simplex(const LabPair& pair);

} // namespace cairn::core::lab::known_bugs
