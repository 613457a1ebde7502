#include "physics/solver/normal_block.h"

#include <cmath>

namespace cairn::physics {

RowMatrix factorise(const RowMatrix& matrix, const RowValues& diagonal, int count) {
    RowMatrix f{};
    for (int i = 0; i < count; ++i) {
        float pivot = matrix[row_start(i) + i] + diagonal[i];
        for (int j = 0; j < i; ++j) {
            float sum = matrix[row_start(i) + j];
            for (int k = 0; k < j; ++k) {
                sum -= f[row_start(i) + k] * f[row_start(j) + k] * f[row_start(k) + k];
            }
            // So far L times D; the pivot needs both, so it is divided only now.
            const float scaled = sum * f[row_start(j) + j];
            pivot -= sum * scaled;
            f[row_start(i) + j] = sum;
        }
        f[row_start(i) + i] = pivot > 0.0f ? 1.0f / pivot : 0.0f;
    }
    // The loop above kept L D below the diagonal: sums over k then need only one factor 1/D.
    for (int i = 1; i < count; ++i) {
        for (int j = 0; j < i; ++j) {
            f[row_start(i) + j] *= f[row_start(j) + j];
        }
    }
    return f;
}

RowValues solve(const RowMatrix& factors, const RowValues& right, int count) {
    RowValues x = right;
    for (int i = 1; i < count; ++i) {
        for (int j = 0; j < i; ++j) {
            x[i] -= factors[row_start(i) + j] * x[j];
        }
    }
    for (int i = 0; i < count; ++i) {
        x[i] *= factors[row_start(i) + i];
    }
    for (int i = count - 2; i >= 0; --i) {
        for (int j = i + 1; j < count; ++j) {
            x[i] -= factors[row_start(j) + i] * x[j];
        }
    }
    return x;
}

RowValues solve_bounded(const RowMatrix& matrix, const RowValues& diagonal, const RowValues& right,
                        const RowValues& least, const RowFlags& idle, int count) {
    constexpr int most_rounds = 8;
    const auto at = [&](int i, int j) { return matrix[i >= j ? row_start(i) + j : row_start(j) + i]; };
    RowValues x{};
    RowFlags bound = idle;
    for (int round = 0; round < most_rounds; ++round) {
        // The free rows, packed together; the bound ones move to the right-hand side.
        std::array<int, 4> row{};
        int free = 0;
        for (int i = 0; i < count; ++i) {
            if (bound[i]) {
                x[i] = least[i];
            } else {
                row[free++] = i;
            }
        }
        RowMatrix packed{};
        RowValues added{};
        RowValues wanted{};
        for (int r = 0; r < free; ++r) {
            const int i = row[r];
            wanted[r] = right[i];
            added[r] = diagonal[i];
            for (int j = 0; j < count; ++j) {
                if (bound[j]) {
                    wanted[r] -= at(i, j) * x[j];
                }
            }
            for (int s = 0; s <= r; ++s) {
                packed[row_start(r) + s] = at(i, row[s]);
            }
        }
        const RowValues solution = solve(factorise(packed, added, free), wanted, free);
        bool settled = true;
        for (int r = 0; r < free; ++r) {
            const int i = row[r];
            x[i] = solution[r];
            if (x[i] < least[i]) {
                bound[i] = true;
                x[i] = least[i];
                settled = false;
            }
        }
        if (!settled) {
            continue;
        }
        int asks = -1;
        float most = 0.0f;
        for (int i = 0; i < count; ++i) {
            if (!bound[i] || idle[i]) {
                continue;
            }
            float more = right[i] - diagonal[i] * x[i];
            for (int j = 0; j < count; ++j) {
                more -= at(i, j) * x[j];
            }
            // Rounding asks for a little where nothing is wanted.
            if (more > most + 1e-6f * std::abs(right[i])) {
                most = more;
                asks = i;
            }
        }
        if (asks < 0) {
            break;
        }
        bound[asks] = false;
    }
    return x;
}

} // namespace cairn::physics
