// The normal rows of one contact, solved together, for lanes.
//
// Rows that are solved one after the other answer for each other's errors: the corners of a box that lies flat take
// turns at carrying it, and the noise of that shakes tall stacks down. The rows of one contact couple the same two
// bodies, so that a matrix of at most 4 x 4 holds all of it.
#if defined(CAIRN_SOLVER_NORMAL_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_NORMAL_ROWS_INL
#undef CAIRN_SOLVER_NORMAL_ROWS_INL
#else
#define CAIRN_SOLVER_NORMAL_ROWS_INL
#endif

#include "physics/solver/rows/lanes-inl.h"

#include <array>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// Values for the rows of a contact; a symmetric matrix as its lower triangle, row by row.
template <class F, int N>
using RowValues = std::array<F, N>;
template <class F, int N>
using RowMatrix = std::array<F, N*(N + 1) / 2>;
template <class F, int N>
using RowFlags = std::array<Mask<F>, N>;

HWY_INLINE constexpr int row_start(int i) {
    return i * (i + 1) / 2;
}
HWY_INLINE constexpr int row_entry(int i, int j) {
    return i >= j ? row_start(i) + j : row_start(j) + i;
}

// Factors L D L^T of `matrix`, L in the lower triangle with a unit diagonal and 1/D on it. The matrix must be positive
// definite; a pivot that is not positive leaves its row out.
template <class F, int N>
HWY_INLINE RowMatrix<F, N> factorise(const RowMatrix<F, N>& matrix) {
    RowMatrix<F, N> f;
    for (int i = 0; i < N; ++i) {
        F pivot = matrix[row_start(i) + i];
        for (int j = 0; j < i; ++j) {
            F sum = matrix[row_start(i) + j];
            for (int k = 0; k < j; ++k) {
                sum = sum - f[row_start(i) + k] * f[row_start(j) + k] * f[row_start(k) + k];
            }
            // So far L times D; the pivot needs both, so it is divided only now.
            const F scaled = sum * f[row_start(j) + j];
            pivot = pivot - sum * scaled;
            f[row_start(i) + j] = sum;
        }
        f[row_start(i) + i] = select(pivot > zero<F>(), constant<F>(1.0f) / pivot, zero<F>());
    }
    // The loop above kept L D below the diagonal: sums over k then need only one factor 1/D.
    for (int i = 1; i < N; ++i) {
        for (int j = 0; j < i; ++j) {
            f[row_start(i) + j] = f[row_start(i) + j] * f[row_start(j) + j];
        }
    }
    return f;
}

// Solves for the vector x of the factored matrix times x = right.
template <class F, int N>
HWY_INLINE RowValues<F, N> solve(const RowMatrix<F, N>& factors, const RowValues<F, N>& right) {
    RowValues<F, N> x = right;
    for (int i = 1; i < N; ++i) {
        for (int j = 0; j < i; ++j) {
            x[i] = x[i] - factors[row_start(i) + j] * x[j];
        }
    }
    for (int i = 0; i < N; ++i) {
        x[i] = x[i] * factors[row_start(i) + i];
    }
    for (int i = N - 2; i >= 0; --i) {
        for (int j = i + 1; j < N; ++j) {
            x[i] = x[i] - factors[row_start(j) + i] * x[j];
        }
    }
    return x;
}

// The complementarity problem: x >= `least`; where x > least the row of (matrix + diag) x = right holds, where x ==
// least it asks for no more. Rows in `idle` stay at their bound. By pivoting: rows that would fall below their bound
// are set to it, then one that asks for more is freed, until neither occurs or eight rounds have passed; all x are
// within their bounds whatever ends it. Lanes outside `wanted` are not looked at.
template <class F, int N>
HWY_NOINLINE RowValues<F, N> solve_bounded(const RowMatrix<F, N>& matrix, const RowValues<F, N>& diagonal,
                                           const RowValues<F, N>& right, const RowValues<F, N>& least,
                                           const RowFlags<F, N>& idle, const Mask<F>& wanted) {
    constexpr int most_rounds = 8;
    const F none = zero<F>(), one = constant<F>(1.0f);
    RowValues<F, N> x = least;
    RowFlags<F, N> bound;
    for (int i = 0; i < N; ++i) { // a row that bears nothing and asks for nothing will hardly begin to
        bound[i] = either(idle[i], both(least[i] >= none, right[i] <= none));
    }
    Mask<F> open = wanted;
    for (int round = 0; round < most_rounds && any(open); ++round) {
        // Bound rows become rows of the identity; their share of the others moves to the right-hand side.
        RowMatrix<F, N> reduced;
        RowValues<F, N> goal;
        for (int i = 0; i < N; ++i) {
            F sum = right[i];
            for (int j = 0; j < N; ++j) {
                if (j != i) {
                    sum = sum - select(bound[j], matrix[row_entry(i, j)] * least[j], none);
                }
            }
            goal[i] = select(bound[i], least[i], sum);
            for (int j = 0; j < i; ++j) {
                reduced[row_start(i) + j] = select(either(bound[i], bound[j]), none, matrix[row_start(i) + j]);
            }
            reduced[row_start(i) + i] = select(bound[i], one, matrix[row_start(i) + i] + diagonal[i]);
        }
        const RowValues<F, N> solution = solve<F, N>(factorise<F, N>(reduced), goal);
        Mask<F> settled = open;
        RowFlags<F, N> next = bound;
        for (int i = 0; i < N; ++i) {
            const Mask<F> below = first_without(solution[i] < least[i], bound[i]);
            const F value = select(either(below, bound[i]), least[i], solution[i]);
            x[i] = select(open, value, x[i]);
            settled = first_without(settled, below);
            next[i] = either(bound[i], below);
        }
        if (any(settled)) {
            F most = none;
            RowFlags<F, N> asks;
            Mask<F> asked = Make<F>::mask(false);
            for (int i = 0; i < N; ++i) {
                F more = right[i] - diagonal[i] * x[i];
                for (int j = 0; j < N; ++j) {
                    more = more - matrix[row_entry(i, j)] * x[j];
                }
                // Rounding asks for a little where nothing is wanted.
                const F size = max_of(right[i], none - right[i]);
                const Mask<F> better = first_without(both(bound[i], more > most + constant<F>(1e-6f) * size), idle[i]);
                most = select(better, more, most);
                for (int j = 0; j < i; ++j) {
                    asks[j] = first_without(asks[j], better);
                }
                asks[i] = better;
                asked = either(asked, better);
            }
            for (int i = 0; i < N; ++i) {
                next[i] = first_without(next[i], both(settled, asks[i]));
            }
            open = first_without(open, first_without(settled, asked));
        }
        bound = next;
    }
    return x;
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
