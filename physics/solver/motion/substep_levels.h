// How finely an island must be stepped for its columns not to buckle.
//
// A spring that is solved once a substep of h seconds can be as stiff as about 2 m/h^2 (docs/how/solver.md), m being
// the mass of the lighter body, and no stiffer, however it is solved. So joints of a column turn with the stiffness m
// omega^2 a^2, with omega a fixed share of the substep rate and a the body's half width, and under the load P a column
// gives way when P has come to some m g r with r^3 g = 2.3 omega^2 a. The only way to carry more is a finer substep.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace cairn::physics {

// The stiffest springs, as a share of the substep rate. Rows are solved one after the other, each as if it were alone,
// so that springs which take back most of an error within one substep overshoot together: beyond this small stacks
// begin to chatter (docs/how/solver.md).
inline constexpr float stiffest_share = 0.17f;

// Hz of the contact springs of islands that take the plain number of substeps, `substep` s long.
inline float plain_spring_hertz(float contact_hertz, float substep) {
    return std::min(contact_hertz, stiffest_share / substep);
}

// Multiples of the springs' frequency, and of the substeps that this takes.
inline constexpr std::array<float, 12> substep_multiples{1.0f, 1.25f, 1.5f, 1.75f, 2.0f,  2.5f,
                                                         3.0f, 4.0f,  6.0f, 8.0f,  12.0f, 16.0f};

// How what a body carries and stands on keeps it from leaning.
enum class Hold : std::uint8_t {
    none,  // one above the other: a lone column
    row,   // bonded with neighbours in one direction, like the bricks of a wall, which lean across it together
    group, // it leans on others in both directions
};

// What rests on the lowest body of a column.
struct ColumnLoad {
    float weights = 0.0f; // of the lowest body
    float bodies = 1.0f;  // one above the other, up to the top of what leans with it
    float height = 1.0f;  // > 0, up to there, in widths of the lowest one
    float centre = 0.5f;  // of that height: where the centre of the load is; 0.5 if it is spread evenly, 1 at the top
    Hold hold = Hold::none;

    // Of the height, where an even load with this centre ends; and how much of the load sits at the top beside it.
    float spread() const { return std::min(2.0f * centre, 1.0f); }
    float at_top() const { return std::clamp(2.0f * centre - 1.0f, 0.0f, 1.0f); }
};

// Cube of the number of cubes of the lone column that leans as readily as this one. Bodies that are higher than wide
// lean further by fewer joints. What sits at the top counts 3.2
// times as much as what is spread (7.84 / 2.47, by Greenhill's and Euler's columns; together by Dunkerley's sum). One
// that is held by its neighbours carries more: a pyramid of base 40, with 35 boxes above the middle one of its lowest
// row, leans no sooner than a lone column of 22. In a group the width counts with its square, and it is three bodies
// wide at least where loads come from all sides.
float column_cubed(const ColumnLoad& load);

// The level that a column asks for, so that it does not lean and what it carries sinks by no more than a fiftieth of
// the width of its lowest body. Its bodies have the half width `half_width` (m), under gravity of `gravity` m/s^2 (>=
// 0) and springs of `omega` rad/s at the plain substep; `current` is held unless the column is clearly below it.
std::uint8_t substep_level_for(const ColumnLoad& load, float half_width, float gravity, float omega,
                               std::uint8_t current);

// The same where the bodies have the inertia of their loads (pile_inertia.h) and sink no deeper than under their own
// weight. Springs as stiff as the load w at the depth z hold up a column that obeys (w theta')' + c w theta = 0: with w
// = z it buckles at N^2 c = 2.405^2, the first zero of J0, where Greenhill's, of the same bodies, does at N^3 c = 7.84;
// with all of w at the top at N^2 c = (pi / 2)^2, however heavy it is.
std::uint8_t standing_level_for(const ColumnLoad& load, float half_width, float gravity, float omega,
                                std::uint8_t current);

// How an island is stepped.
struct TimeStepClass {
    std::uint8_t level = 0; // index of substep_multiples
    int substeps = 1;
    int relaxations = 1; // relaxing passes in a substep

    float stiffening() const { return substep_multiples[level]; } // of the springs' frequency

    friend bool operator==(const TimeStepClass&, const TimeStepClass&) = default;
};

// `plain`: substeps that any island takes; `needed`: at how many its springs would be the stiffest, <= plain.
TimeStepClass time_step_class(std::uint8_t level, int plain, float needed);

} // namespace cairn::physics
