// The sub-distance against its published vectors and against brute force over all sub-simplices.
#include "physics/query/gjk/simplex.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

namespace cairn::physics {
namespace {

using oracle::Random;

std::vector<DVec3> unit_tetrahedron(const DVec3& offset) {
    return {offset, offset + DVec3(1, 0, 0), offset + DVec3(0, 1, 0), offset + DVec3(0, 0, 1)};
}

std::array<double, 4> weights_by_vertex(const ClosestOnSimplex& c) {
    std::array<double, 4> w{};
    for (int i = 0; i < c.count; ++i) {
        w[c.index[i]] = c.weight[i];
    }
    return w;
}

void expect_point(const ClosestOnSimplex& c, const DVec3& expected) {
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(c.point[i], expected[i], 1e-12);
    }
}

// Distance from the origin to a simplex by minimising over every face's interior, with weights from the normal
// equations: slow, plain, independent of signed volumes.
double brute_force_distance(const std::vector<DVec3>& s) {
    double best = 1e300;
    for (unsigned mask = 1; mask < (1u << s.size()); ++mask) {
        std::vector<DVec3> f;
        for (std::size_t i = 0; i < s.size(); ++i) {
            if (mask & (1u << i)) {
                f.push_back(s[i]);
            }
        }
        // Minimise |f0 + sum t_k (f_k - f0)|^2 by Gauss elimination with pivoting.
        const int n = int(f.size()) - 1;
        long double m[3][4] = {};
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                m[i][j] = static_cast<long double>(glm::dot(f[i + 1] - f[0], f[j + 1] - f[0]));
            }
            m[i][n] = static_cast<long double>(-glm::dot(f[i + 1] - f[0], f[0]));
        }
        bool singular = false;
        for (int c = 0; c < n && !singular; ++c) {
            int pivot = c;
            for (int r = c + 1; r < n; ++r) {
                if (std::abs(m[r][c]) > std::abs(m[pivot][c])) {
                    pivot = r;
                }
            }
            for (int k = 0; k <= n; ++k) {
                std::swap(m[c][k], m[pivot][k]);
            }
            singular = std::abs(m[c][c]) < 1e-14L;
            for (int r = 0; r < n && !singular; ++r) {
                if (r != c) {
                    const long double factor = m[r][c] / m[c][c];
                    for (int k = c; k <= n; ++k) {
                        m[r][k] -= factor * m[c][k];
                    }
                }
            }
        }
        if (singular) {
            continue; // its boundary is tried as well
        }
        long double sum = 0.0L;
        bool inside = true;
        DVec3 x = f[0];
        for (int i = 0; i < n; ++i) {
            const long double t = m[i][n] / m[i][i];
            sum += t;
            inside = inside && t >= 0.0L;
            x += double(t) * (f[i + 1] - f[0]);
        }
        if (inside && sum <= 1.0L) {
            best = std::min(best, glm::length(x));
        }
    }
    return best;
}

TEST(Simplex, OriginNearAVertex) {
    const auto c = closest_on_simplex(unit_tetrahedron(DVec3(1, 1, 1)));
    EXPECT_EQ(weights_by_vertex(c), (std::array<double, 4>{1, 0, 0, 0}));
    expect_point(c, DVec3(1, 1, 1));
    EXPECT_FALSE(c.contains);
}

TEST(Simplex, OriginInside) {
    const auto c = closest_on_simplex(unit_tetrahedron(DVec3(-0.25)));
    EXPECT_TRUE(c.contains);
    for (const double w : weights_by_vertex(c)) {
        EXPECT_NEAR(w, 0.25, 1e-15);
    }
    expect_point(c, DVec3(0.0));
}

TEST(Simplex, OriginBeyondAFace) {
    const auto c = closest_on_simplex(unit_tetrahedron(DVec3(-1, -1, -1)));
    const auto w = weights_by_vertex(c);
    EXPECT_EQ(w[0], 0.0);
    for (int i = 1; i < 4; ++i) {
        EXPECT_NEAR(w[i], 1.0 / 3.0, 1e-15);
    }
    expect_point(c, DVec3(-2.0 / 3.0));
}

TEST(Simplex, OriginBeyondAnEdge) {
    const auto c = closest_on_simplex(unit_tetrahedron(DVec3(1, 1, -0.5)));
    const auto w = weights_by_vertex(c);
    EXPECT_NEAR(w[0], 0.5, 1e-15);
    EXPECT_NEAR(w[3], 0.5, 1e-15);
    EXPECT_EQ(w[1], 0.0);
    EXPECT_EQ(w[2], 0.0);
    expect_point(c, DVec3(1, 1, 0));
}

// The vectors below are those published with the method. Their weights follow by hand; those of the sliver were
// computed in exact fractions from the decimals: the origin lies inside.
TEST(Simplex, Sliver) {
    const std::vector<DVec3> s{{51.1996613, 26.1989613, 1.91339576},
                               {-51.0567360, -26.0565681, -0.436143428},
                               {50.8978920, -24.1035538, -1.04042661},
                               {-49.1021080, 25.8964462, -1.04042661}};
    const auto c = closest_on_simplex(s);
    EXPECT_NEAR(std::sqrt(c.distance_squared), brute_force_distance(s), 1e-10);
    const auto w = weights_by_vertex(c);
    EXPECT_TRUE(c.contains);
    const std::array<double, 4> exact{0.29040139619074179, 0.30222993969167616, 0.20565081257437981,
                                      0.20171785154320221};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(w[i], exact[i], 1e-13) << i;
    }
    DVec3 sum(0.0);
    double total = 0.0;
    for (int i = 0; i < 4; ++i) {
        EXPECT_GE(w[i], 0.0);
        sum += w[i] * s[i];
        total += w[i];
    }
    EXPECT_NEAR(total, 1.0, 1e-14);
    EXPECT_LT(glm::length(sum - c.point), 1e-12);
}

TEST(Simplex, AgreesWithBruteForce) {
    Random random(1);
    int inside = 0;
    std::array<int, 5> carried{};
    for (int n = 0; n < oracle::count(20000); ++n) {
        const int size = 1 + random.below(4);
        const double offset = random.log_between(1e-3, 3.0);
        const DVec3 centre = random.direction() * offset;
        std::vector<DVec3> s;
        const DVec3 squash(1.0, random.below(4) == 0 ? 1e-7 : 1.0, random.below(4) == 0 ? 1e-5 : 1.0);
        for (int i = 0; i < size; ++i) {
            s.push_back(centre + random.direction() * squash);
        }
        if (size > 2 && random.below(10) == 0) {
            s[1] = s[0]; // a duplicate
        }
        if (size > 3 && random.below(10) == 0) {
            s[3] = s[0] + 0.3 * (s[1] - s[0]) + 0.4 * (s[2] - s[0]); // flat
        }
        const auto c = closest_on_simplex(s);
        inside += c.contains;
        ++carried[c.count];
        const double expected = brute_force_distance(s);
        if (c.contains) {
            EXPECT_LT(expected, 1e-7) << "a tetrahedron too thin for the normal equations";
        } else {
            ASSERT_NEAR(std::sqrt(c.distance_squared), expected, 2e-9) << n;
        }
        double total = 0.0;
        for (int i = 0; i < c.count; ++i) {
            EXPECT_GE(c.weight[i], 0.0);
            total += c.weight[i];
        }
        EXPECT_NEAR(total, 1.0, 1e-9);
    }
    EXPECT_GT(inside, 100);
    for (int k = 1; k <= 4; ++k) {
        EXPECT_GT(carried[k], 100) << k;
    }
}

// A support point at the origin is a vertex like any other (touching shapes).
TEST(Simplex, VertexAtTheOrigin) {
    const auto c = closest_on_simplex(unit_tetrahedron(DVec3(0.0)));
    EXPECT_EQ(c.distance_squared, 0.0);
    EXPECT_EQ(weights_by_vertex(c)[0], 1.0);
}

// Points on one line with the origin beside and on it: a zero cross product decides nothing.
TEST(Simplex, OriginOnTheLine) {
    const std::vector<DVec3> through{{-1, 0, 0}, {2, 0, 0}, {1, 0, 0}};
    EXPECT_EQ(closest_on_simplex(through).distance_squared, 0.0);
    const std::vector<DVec3> beyond{{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
    EXPECT_EQ(closest_on_simplex(beyond).distance_squared, 1.0);
}

} // namespace
} // namespace cairn::physics
