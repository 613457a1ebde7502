// The normal rows of one contact, solved together.
//
// Rows that are solved one after the other answer for each other's errors: the corners of a box that lies flat take
// turns at carrying it, and the noise of that shakes tall stacks down. The rows of one contact couple the same two
// bodies, so that a matrix of at most 4 x 4 holds all of it.
#pragma once

#include <array>

namespace cairn::physics {

// Values for up to four rows; a symmetric matrix as its lower triangle, row by row.
using RowValues = std::array<float, 4>;
using RowMatrix = std::array<float, 10>;

inline constexpr int row_start(int i) {
    return i * (i + 1) / 2;
}

// Factors L D L^T of `matrix` + diag(`diagonal`), L in the lower triangle with a unit diagonal and 1/D on it. The sum
// must be positive definite.
RowMatrix factorise(const RowMatrix& matrix, const RowValues& diagonal, int count);

// Solves for the vector x of the factored matrix times x = right.
RowValues solve(const RowMatrix& factors, const RowValues& right, int count);

using RowFlags = std::array<bool, 4>;

// The complementarity problem: x >= `least`; where x > least the row of (matrix + diag) x = right holds, where x ==
// least it asks for no more. Rows in `idle` stay at their bound. By pivoting: rows that would fall below their bound
// are set to it, then one that asks for more is freed, until neither occurs or eight rounds have passed; all x are
// within their bounds whatever ends it.
RowValues solve_bounded(const RowMatrix& matrix, const RowValues& diagonal, const RowValues& right,
                        const RowValues& least, const RowFlags& idle, int count);

} // namespace cairn::physics
