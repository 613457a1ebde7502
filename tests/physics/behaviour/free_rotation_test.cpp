// Free rotation against its closed form in Jacobi's elliptic functions.
#include "tests/physics/behaviour/elliptic.h"
#include "tests/physics/world/world_builder.h"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace cairn::physics::testing {
namespace {

using glm::dmat3;
using glm::dvec3;

struct Jacobi {
    double sn = 0.0, cn = 1.0, dn = 1.0;
};

// By the descending arithmetic-geometric mean (M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 16.4).
Jacobi jacobi(double u, double k) {
    std::array<double, 20> a{1.0}, c{k};
    double b = std::sqrt(1.0 - k * k);
    std::size_t n = 0;
    while (n + 1 < a.size() && std::abs(c[n]) > 1e-16) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = std::sqrt(a[n] * b);
        ++n;
    }
    double phi = std::ldexp(a[n] * u, static_cast<int>(n));
    for (; n > 0; --n) {
        phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
    }
    return {std::sin(phi), std::cos(phi), std::sqrt(1.0 - k * k * std::sin(phi) * std::sin(phi))};
}

TEST(FreeRotation, EllipticFunctionsHaveTheirKnownValues) {
    const double k = std::sqrt(0.5), quarter = elliptic_k(k);
    const Jacobi half = jacobi(0.5 * quarter, k), full = jacobi(quarter, k);
    EXPECT_NEAR(half.sn, 1.0 / std::sqrt(1.0 + std::sqrt(0.5)), 1e-13); // sn(K/2) = (1 + k')^-1/2
    EXPECT_NEAR(full.sn, 1.0, 1e-13);
    EXPECT_NEAR(full.dn, std::sqrt(0.5), 1e-13);
}

// A body with moments I1 < I2 < I3 about its axes x, y and z whose angular momentum M and energy E obey M^2 > 2 E I2
// (L. D. Landau, E. M. Lifshitz, "Mechanics", section 37). It starts either without spin about its middle axis or with
// all that it ever has.
class EulerTop {
  public:
    EulerTop(const dvec3& moments, const dvec3& spin) : moments_(moments) {
        const double twice_energy = glm::dot(moments * spin, spin);
        momentum_ = glm::length(moments * spin);
        const double m2 = momentum_ * momentum_;
        const auto [i1, i2, i3] = std::array{moments.x, moments.y, moments.z};
        largest_ = {std::sqrt((twice_energy * i3 - m2) / (i1 * (i3 - i1))),
                    std::sqrt((twice_energy * i3 - m2) / (i2 * (i3 - i2))),
                    std::sqrt((m2 - twice_energy * i1) / (i3 * (i3 - i1)))};
        rate_ = std::sqrt((i3 - i2) * (m2 - twice_energy * i1) / (i1 * i2 * i3));
        modulus_ = std::sqrt((i2 - i1) * (twice_energy * i3 - m2) / ((i3 - i2) * (m2 - twice_energy * i1)));
        start_ = std::abs(spin.y) > 0.0 ? elliptic_k(modulus_) : 0.0;
    }

    // rad/s, body axes.
    dvec3 spin(double time) const {
        const Jacobi f = jacobi(start_ + rate_ * time, modulus_);
        return largest_ * dvec3(f.cn, f.sn, f.dn);
    }
    // From body axes to those at the start. The Euler angles theta and psi follow from the direction of the momentum in
    // body axes; phi is the integral of M (I1 w1^2 + I2 w2^2) / (I1^2 w1^2 + I2^2 w2^2), by Simpson's rule.
    dmat3 orientation(double time) const {
        const int pieces = 2 * static_cast<int>(std::ceil(2000.0 * time) + 10.0);
        double phi = 0.0;
        for (int i = 0; i <= pieces; ++i) {
            const double weight = i == 0 || i == pieces ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
            phi += weight * turning(time * i / pieces);
        }
        phi *= time / pieces / 3.0;
        return glm::transpose(from_body(0.0, 0.0)) * from_body(time, phi);
    }

  private:
    double turning(double time) const {
        const dvec3 w = spin(time), l = moments_ * w;
        return momentum_ * (l.x * w.x + l.y * w.y) / (l.x * l.x + l.y * l.y);
    }
    static dmat3 about_z(double c, double s) { return dmat3(c, s, 0, -s, c, 0, 0, 0, 1); }
    static dmat3 about_x(double c, double s) { return dmat3(1, 0, 0, 0, c, s, 0, -s, c); }
    dmat3 from_body(double time, double phi) const { // z along the momentum
        const dvec3 u = moments_ * spin(time) / momentum_;
        const double sine = std::sqrt(u.x * u.x + u.y * u.y);
        return about_z(std::cos(phi), std::sin(phi)) * about_x(u.z, sine) * about_z(u.y / sine, u.x / sine);
    }

    dvec3 moments_, largest_;
    double momentum_ = 0.0, rate_ = 0.0, modulus_ = 0.0, start_ = 0.0;
};

// Degrees between where the body is and where it should be, the greatest of ten times.
double worst_angle(const Vec3& half_extents, const Vec3& spin, float hz, int substeps, double seconds) {
    Settings settings = weightless();
    settings.hz = hz;
    settings.substeps = substeps;
    World world(settings);
    BodyDef def = make_body(Box{half_extents}, Vec3(0));
    def.angular_velocity = spin;
    const BodyId body = add(world, def);
    const Mat3& inertia = world.model(body)->inertia;
    const EulerTop top(dvec3(inertia[0][0], inertia[1][1], inertia[2][2]), dvec3(spin));
    double worst = 0.0;
    const int steps = static_cast<int>(std::lround(seconds * static_cast<double>(hz)));
    for (int step = 1; step <= steps; ++step) {
        world.step();
        if (step % std::max(steps / 10, 1) != 0) {
            continue;
        }
        const Quat q = state_of(world, body).pose.orientation;
        const glm::dquat is(static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y),
                            static_cast<double>(q.z));
        const glm::dquat error = glm::conjugate(glm::quat_cast(top.orientation(step / static_cast<double>(hz)))) * is;
        const double sine = glm::length(dvec3(error.x, error.y, error.z));
        worst = std::max(worst, 2.0 * std::asin(std::min(sine, 1.0)) * 180.0 / std::numbers::pi);
    }
    return worst;
}

// Once a turn is one piece of the splitting (0.2 rad), and until single precision shows (some hundredths of a degree).
TEST(FreeRotation, ConvergesToTheClosedFormWithTheSecondOrderOfTheStep) {
    struct Case {
        Vec3 half_extents, spin;
    };
    for (const Case& of :
         {Case{Vec3(1.0f, 0.6f, 0.2f), Vec3(2.5f, 0.0f, 2.5f)}, Case{Vec3(1.0f, 0.3f, 0.2f), Vec3(1.5f, 0.0f, 3.0f)}}) {
        double last = worst_angle(of.half_extents, of.spin, 20.0f, 1, 12.0);
        EXPECT_GT(last, 0.1) << "too good to tell";
        for (const float hz : {40.0f, 80.0f}) {
            const double now = worst_angle(of.half_extents, of.spin, hz, 1, 12.0);
            EXPECT_NEAR(last / now, 4.0, 1.0) << hz << " Hz, " << now << " degrees";
            last = now;
        }
    }
}

// Each pass near the middle axis magnifies what single precision rounds, by the square of one over the disturbance.
TEST(FreeRotation, StaysWithinFiveDegreesForFiveTurnsAboutADisturbedMiddleAxis) {
    for (const float rate : {3.0f, 6.0f, 12.0f, 25.0f}) {
        for (const Vec3& half_extents : {Vec3(1.0f, 0.6f, 0.2f), Vec3(0.5f, 0.3f, 0.1f), Vec3(0.5f, 0.4f, 0.05f)}) {
            const double turns = 5.0 * 2.0 * std::numbers::pi / static_cast<double>(rate);
            const Vec3 spin(0.0f, rate, 0.02f * rate);
            EXPECT_LT(worst_angle(half_extents, spin, 60.0f, 4, turns), 5.0) << rate << " rad/s, " << half_extents.x;
        }
    }
}

} // namespace
} // namespace cairn::physics::testing
