// Substep levels of columns against the differential equation of a column that leans.
#include "physics/solver/motion/substep_levels.h"

#include <gtest/gtest.h>

namespace cairn::physics {
namespace {

// Whether a column of n bodies under a load of `top` of them, whose springs are stiffer by `stiffer`, stands: (K
// theta')' + c K0 w theta = 0 from the free top, w = top + z being the load at the depth z, with c = 3.41 g / (omega^2
// a) so that K = K0 gives Greenhill's 7.84 at N^3 g / (omega^2 a) = 2.3. The stiffness K is K0 throughout, or K0 w with
// the inertia of the loads, and so are moments of the same bodies.
bool stands(double n, double top, double unit, double stiffer, bool loaded) {
    const double c = 7.84 / 2.3 * unit / (stiffer * stiffer);
    const int parts = 4000;
    const double h = n / parts;
    double theta = 1.0, moment = 0.0; // K theta' / K0
    for (int i = 0; i < parts; ++i) { // the sign of theta at the foot tells: it has buckled once it has passed zero
        const double load = top + (i + 0.5) * h;
        moment -= h * c * load * theta;
        theta += h * moment / (loaded ? load : 1.0);
        if (theta <= 0.0) {
            return false;
        }
    }
    return true;
}

// Of a column of n under that load.
ColumnLoad load_of(double n, double top) {
    const double centre = (n * n / 2.0 + top * n) / (n + top);
    const auto bodies = static_cast<float>(n);
    return {static_cast<float>(n + top), bodies, bodies, static_cast<float>(centre / n), Hold::none};
}

struct Found {
    int saved = 0;   // levels that are lower with the inertia of the loads
    int divided = 0; // levels above none with it
};

// Columns of 4 to 80 boxes of half a metre half width, springs of 1 rad/s: no level may be too low.
void expect_held_up(double top_by_n, Found& found) {
    for (const double unit : {1e-4, 3e-4, 1e-3, 3e-3, 1.5e-2}) {
        for (double n = 4.0; n < 80.0; n *= 1.1) {
            const double top = top_by_n * n;
            const ColumnLoad load = load_of(n, top);
            const float gravity = static_cast<float>(0.5 * unit);
            const std::uint8_t own = substep_level_for(load, 0.5f, gravity, 1.0f, 0);
            if (own + 1u == substep_multiples.size()) {
                break; // there is no finer one
            }
            EXPECT_TRUE(stands(n, top, unit, static_cast<double>(substep_multiples[own]), false))
                << n << ' ' << top << ' ' << unit;
            const std::uint8_t loaded = standing_level_for(load, 0.5f, gravity, 1.0f, 0);
            EXPECT_TRUE(stands(n, top, unit, static_cast<double>(substep_multiples[loaded]), true))
                << n << ' ' << top << ' ' << unit;
            EXPECT_LE(loaded, own);
            found.saved += loaded < own ? 1 : 0;
            found.divided += loaded > 0 ? 1 : 0;
        }
    }
}

TEST(SubstepLevels, HoldUpColumnsWithTheirOwnInertiaAndWithThatOfTheirLoads) {
    Found found;
    expect_held_up(0.0, found);
    EXPECT_GT(found.saved, 20);
    EXPECT_GT(found.divided, 10);
}

TEST(SubstepLevels, HoldUpColumnsUnderALoadAtTheTop) {
    Found found;
    for (const double top_by_n : {0.1, 0.5, 2.0, 10.0}) {
        expect_held_up(top_by_n, found);
    }
    EXPECT_GT(found.saved, 80);
    EXPECT_GT(found.divided, 10);
}

TEST(SubstepLevels, NeedNoMoreSubstepsWhereSpringsAreSofterThanThoseAllow) {
    EXPECT_EQ(time_step_class(0, 4, 4.0f), (TimeStepClass{0, 4}));
    EXPECT_EQ(time_step_class(1, 4, 4.0f), (TimeStepClass{1, 5}));
    EXPECT_EQ(time_step_class(7, 4, 4.0f), (TimeStepClass{7, 16}));
    EXPECT_EQ(time_step_class(7, 4, 1.0f), (TimeStepClass{7, 4}));
    EXPECT_EQ(time_step_class(11, 4, 1.0f), (TimeStepClass{11, 16}));
    EXPECT_EQ(time_step_class(0, 4, 0.5f), (TimeStepClass{0, 4}));
}

} // namespace
} // namespace cairn::physics
