// Distance and depth of two convex polygons in a plane: GJK on points, edges and triangles, and EPA on edges.
// Algorithms of their own, and not the engine's on thin prisms: these grow tetrahedra and faces, which cannot be drawn
// on paper, and find the way out through the thickness.
#pragma once

#include "app/lab/planar/polygon.h"

#include <cstdint>

namespace cairn::core::lab::planar {

enum class PlanarStatus : std::uint8_t {
    separated,
    touching, // nearer than 1e-9 of the polygons' size, outside or inside
    overlapping,
    failed, // not done within the rounds allowed
};

struct PlanarAnswer {
    PlanarStatus status = PlanarStatus::failed;
    double distance = 0.0;            // m; negative is depth
    DVec2 normal{0.0};                // unit, from A to B
    DVec2 point_a{0.0}, point_b{0.0}; // on the outlines, m; point_b - point_a == distance * normal up to rounding
    int gjk_rounds = 0;
    int epa_rounds = 0;
};

// A point of A minus B, with the two corners that make it. Less A's position, as all points in a trace.
struct PlanarVertex {
    DVec2 w{0.0};
    DVec2 on_a{0.0}, on_b{0.0};
    int number = 0; // 1, 2, 3 ... in the order in which they were found; the same corners keep their number
};

// What happened, for whoever wants to show it.
struct PlanarTrace {
    struct GjkRound {
        enum class End : std::uint8_t { goes_on, falls_short, no_progress, on_simplex, inside };
        std::vector<PlanarVertex> before; // the simplex: one or two points; none in the first round
        DVec2 direction{0.0};             // of the search, unit
        PlanarVertex found;
        std::vector<PlanarVertex> after; // the part of the simplex that is nearest to the origin
        DVec2 nearest{0.0};              // its point nearest to the origin
        double at_least = 0.0;           // the distance is no less, m
        End end = End::goes_on;
    };
    struct EpaRound {
        std::vector<PlanarVertex> polygon; // counter-clockwise
        std::size_t edge = 0;              // the nearest one, from this point to the next
        DVec2 normal{0.0};                 // its own, outwards, unit
        double offset = 0.0;               // of its line from the origin, m: the depth is no less
        PlanarVertex found;                // farthest along the normal
        double gain = 0.0;                 // how much farther than the edge, m
        bool ends = false;                 // no farther
    };
    std::vector<GjkRound> gjk;
    std::vector<EpaRound> epa;
};

struct PlanarSettings {
    int most_rounds = 0; // of GJK, and of EPA; 0: twice as many as the polygons have corners, far more than they take
};

PlanarAnswer planar_distance(const PlanarPair& pair, PlanarTrace* trace = nullptr, const PlanarSettings& settings = {});

// The corners of the Minkowski difference A - B, counter-clockwise, m.
std::vector<DVec2> difference_polygon(const PlanarPair& pair);

} // namespace cairn::core::lab::planar
