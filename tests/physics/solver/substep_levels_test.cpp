// Substep levels of columns against the differential equation of a column that leans.
#include "physics/solver/motion/substep_levels.h"

#include <gtest/gtest.h>

namespace cairn::physics {
namespace {

// Whether a column of n bodies, whose springs are stiffer by `stiffer`, stands: (K theta')' + c z theta K0 / K0 = 0
// from the free top, with c = 3.41 g / (omega^2 a) so that K = K0 gives Greenhill's 7.84 at N^3 g / (omega^2 a) = 2.3.
// The stiffness K is K0 throughout, or K0 z with the inertia of the loads, and so are moments of the same bodies.
bool stands(double n, double unit, double stiffer, bool loaded) {
    const double c = 7.84 / 2.3 * unit / (stiffer * stiffer);
    const int parts = 4000;
    const double h = n / parts;
    double theta = 1.0, moment = 0.0; // K theta' / K0
    for (int i = 0; i < parts; ++i) { // the sign of theta at the foot tells: it has buckled once it has passed zero
        const double z = (i + 0.5) * h;
        moment -= h * c * z * theta;
        theta += h * moment / (loaded ? z : 1.0);
        if (theta <= 0.0) {
            return false;
        }
    }
    return true;
}

// Of boxes: half_width 0.5 m, omega 1/s.
float cubed_of(double n) {
    return column_cubed(static_cast<float>(n), static_cast<float>(n), Hold::none);
}

std::uint8_t own_level(double n, double unit) {
    return substep_level_for(cubed_of(n), static_cast<float>(n), 0.5f, static_cast<float>(0.5 * unit), 1.0f, 0);
}

TEST(SubstepLevels, HoldUpColumnsWithTheirOwnInertiaAndWithThatOfTheirLoads) {
    int saved = 0, divided = 0;
    for (const double unit : {3e-4, 1e-3, 3e-3, 1.5e-2}) {
        for (double n = 4.0; n < 80.0; n *= 1.1) {
            const std::uint8_t own = own_level(n, unit);
            if (own + 1u == substep_multiples.size()) {
                break; // there is no finer one
            }
            EXPECT_TRUE(stands(n, unit, static_cast<double>(substep_multiples[own]), false)) << n << ' ' << unit;
            const std::uint8_t loaded = standing_level_for(cubed_of(n), 0.5f, static_cast<float>(0.5 * unit), 1.0f, 0);
            EXPECT_TRUE(stands(n, unit, static_cast<double>(substep_multiples[loaded]), true)) << n << ' ' << unit;
            EXPECT_LE(loaded, own);
            saved += loaded < own ? 1 : 0;
            divided += loaded > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(saved, 20);
    EXPECT_GT(divided, 10);
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
