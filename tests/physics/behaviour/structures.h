// Piles that a builder would expect to stand: where every body is put, and nothing else.
#pragma once

#include "physics/world/body_def.h"
#include "physics/world/world.h"

#include <vector>

namespace cairn::physics::testing {

// All stand on the plane z = 0 and are dynamic, friction 0.6, density 1000 kg/m^3 unless said otherwise.
std::vector<BodyDef> tower(int boxes, float width = 1.0f); // boxes in one column along z
std::vector<BodyDef> flat_pyramid(int base);               // unit boxes, one less in every row, joints halved
std::vector<BodyDef> plain_wall(int columns, int rows);    // unit boxes, every other row shifted by a quarter
std::vector<BodyDef> crossed_beams(int layers);            // two beams of 6 m a layer, turned by a quarter each time

// Semicircular arch of wedges between the radii 4 m and 5 m, 1 m deep. A third thicker than what the line of thrust
// needs (thickness 0.1075 of the mean radius; M. Milankovitch, "Theorie der Druckkurven", 1907, is half of this one).
std::vector<BodyDef> arch(int wedges);

// Semicircular arch of wedges on a mean radius of 10 m, 2 m deep, `thickness` as a share of the radius.
std::vector<BodyDef> thin_arch(int wedges, float thickness, float friction);

// The tower of the "Kapla" test of SimBenchmark (leggedrobotics): storeys of eight upright planks, on whose ends nine
// planks stand crosswise, every one half on an end. Planks of 0.24 x 0.04 x 0.1 m and 0.2 x 0.04 x 0.1 m.
std::vector<BodyDef> plank_tower(int storeys, float friction);

// Bricks of 1 x 0.5 x 0.25 m on the edge of a table 2 m high at x = 0, each `share` of as far out as the harmonic
// series allows. The table comes first and is static.
std::vector<BodyDef> overhang(int bricks, float share);

// Unit boxes of 100 kg one above the other, the last one `ratio` times as heavy.
std::vector<BodyDef> loaded_tower(int boxes, float ratio);

// Cards of 1.8 m x 1.2 m x 0.04 m leaning on each other 15 degrees from upright, `storeys` pairs in the lowest row.
std::vector<BodyDef> house_of_cards(int storeys);

// Diamonds of scale 0.6 (1.2 m wide) on a loose grid, turned every way, to be dropped into a walled pen 10 m wide.
std::vector<BodyDef> loose_diamonds(int count);
std::vector<BodyDef> pen();

struct Stand {
    float drift = 0.0f;       // m, greatest horizontal distance of a body from where it was put, now
    float sag = 0.0f;         // m, greatest vertical distance, now
    float penetration = 0.0f; // m, now
    float speed = 0.0f;       // m/s, fastest body now
};

// How far the bodies of `world`, named in the order of `placed`, are from where they were put.
Stand stand_of(const World& world, const std::vector<BodyId>& ids, const std::vector<BodyDef>& placed);

} // namespace cairn::physics::testing
