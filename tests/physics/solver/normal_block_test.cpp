// The complementarity problem of a contact's normal rows against an answer that tries every set of active rows.
#include "physics/solver/rows/normal_rows-inl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace cairn::physics {
namespace {

namespace lanes = HWY_NAMESPACE; // one at a time

using lanes::row_start;
using Values = std::array<float, 4>;

struct Problem {
    std::array<float, 10> matrix{};
    Values diagonal{}, right{}, least{};
    std::array<bool, 4> idle{};
    int count = 0;

    double at(int i, int j) const {
        return static_cast<double>(matrix[i >= j ? row_start(i) + j : row_start(j) + i]) +
               (i == j ? static_cast<double>(diagonal[i]) : 0.0);
    }
    // What row i asks for beyond x, in the unit of `right`.
    double asks(const Values& x, int i) const {
        double rest = static_cast<double>(right[i]);
        for (int j = 0; j < count; ++j) {
            rest -= at(i, j) * static_cast<double>(x[j]);
        }
        return rest;
    }

    Values solved() const {
        return run([](auto&& p) { return p.solved(); });
    }
    Values bounded() const {
        return run([](auto&& p) { return p.bounded(); });
    }

  private:
    // The first N rows, as contacts of N points have them.
    template <int N>
    struct Part {
        lanes::RowMatrix<float, N> matrix{};
        lanes::RowValues<float, N> diagonal{}, right{}, least{};
        lanes::RowFlags<float, N> idle{};

        explicit Part(const Problem& p) {
            std::copy_n(p.matrix.begin(), matrix.size(), matrix.begin());
            std::copy_n(p.diagonal.begin(), N, diagonal.begin());
            std::copy_n(p.right.begin(), N, right.begin());
            std::copy_n(p.least.begin(), N, least.begin());
            std::copy_n(p.idle.begin(), N, idle.begin());
        }
        static Values padded(const lanes::RowValues<float, N>& x) {
            Values out{};
            std::copy(x.begin(), x.end(), out.begin());
            return out;
        }
        Values solved() const {
            lanes::RowMatrix<float, N> sum = matrix;
            for (int i = 0; i < N; ++i) {
                sum[row_start(i) + i] += diagonal[i];
            }
            return padded(lanes::solve<float, N>(lanes::factorise<float, N>(sum), right));
        }
        Values bounded() const {
            return padded(lanes::solve_bounded<float, N>(matrix, diagonal, right, least, idle, true));
        }
    };
    template <class Task>
    Values run(Task&& task) const {
        switch (count) {
        case 1:
            return task(Part<1>(*this));
        case 2:
            return task(Part<2>(*this));
        case 3:
            return task(Part<3>(*this));
        default:
            return task(Part<4>(*this));
        }
    }
};

// Rows as contacts have them: a mean that all share, and two tilts, so that four rows have rank three.
class Problems {
  public:
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    float between(double low, double high) { return static_cast<float>(low + (high - low) * unit()); }

    Problem next() {
        Problem p;
        p.count = 1 + static_cast<int>(engine_() % 4u);
        const float mean = between(0.1, 2.0), tilt_x = between(0.0, 5.0), tilt_y = between(0.0, 5.0);
        std::array<float, 4> x{}, y{};
        for (int i = 0; i < p.count; ++i) {
            x[i] = between(-1.0, 1.0);
            y[i] = between(-1.0, 1.0);
            for (int j = 0; j <= i; ++j) {
                p.matrix[row_start(i) + j] = mean + tilt_x * x[i] * x[j] + tilt_y * y[i] * y[j];
            }
        }
        for (int i = 0; i < p.count; ++i) {
            p.diagonal[i] = 0.1f * p.matrix[row_start(i) + i];
            p.right[i] = between(-2.0, 2.0);
            p.least[i] = between(-1.0, 0.0);
            p.idle[i] = engine_() % 8u == 0;
        }
        return p;
    }

  private:
    std::mt19937_64 engine_{5};
};

TEST(NormalBlock, FactorsSolveTheirRows) {
    Problems problems;
    for (int i = 0; i < 5000; ++i) {
        const Problem p = problems.next();
        const Values x = p.solved();
        for (int row = 0; row < p.count; ++row) {
            ASSERT_NEAR(p.asks(x, row), 0.0, 2e-4) << i;
        }
    }
}

// A strictly convex problem has one answer: bounds are kept, free rows hold, bound rows ask for no more.
TEST(NormalBlock, FindsTheOneAnswer) {
    Problems problems;
    int bound = 0, free = 0, unsettled = 0;
    constexpr int problems_tried = 20000;
    for (int i = 0; i < problems_tried; ++i) {
        const Problem p = problems.next();
        const Values x = p.bounded();
        bool settled = true;
        for (int row = 0; row < p.count; ++row) {
            ASSERT_GE(x[row], p.least[row]) << i; // whatever ends the pivoting
            if (p.idle[row]) {
                ASSERT_EQ(x[row], p.least[row]) << i;
            } else if (x[row] > p.least[row]) {
                settled = settled && std::abs(p.asks(x, row)) < 5e-4;
                ++free;
            } else {
                settled = settled && p.asks(x, row) < 5e-4;
                ++bound;
            }
        }
        unsettled += settled ? 0 : 1;
    }
    EXPECT_GT(bound, 5000);
    EXPECT_GT(free, 5000);
    EXPECT_EQ(unsettled, 0);
}

// Three corners in the air and one that is hit: the wrong rows must be taken back in once others are out.
TEST(NormalBlock, TakesBackWhatItLetGo) {
    Problem p;
    p.count = 2;
    p.matrix = {1.0f, -0.9f, 1.0f}; // the second row's push lowers the first
    p.right = {-0.5f, 1.0f};
    const Values x = p.bounded();
    EXPECT_NEAR(p.asks(x, 0), 0.0, 1e-5);
    EXPECT_NEAR(p.asks(x, 1), 0.0, 1e-5);
    EXPECT_GT(x[0], 0.0f);
}

} // namespace
} // namespace cairn::physics
