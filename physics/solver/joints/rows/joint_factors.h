// The rigid rows of one joint as a system of equations. Their number is known only at run time; systems of a fixed
// number, of contacts and ball joints, fill vector lanes and are written for these (normal_rows-inl.h,
// joint_blocks.cpp), where sums are taken in another order.
#pragma once

#include "physics/solver/joints/rows/joint_rows.h"

#include <array>
#include <cstddef>

namespace cairn::physics {

// Factors L D L^T of a positive definite matrix of n rows, in place: its lower triangle becomes L below a unit
// diagonal, with 1/D on it. `Entry` says where an entry lies, by its row and column.
template <auto Entry, typename Number, std::size_t Size>
void factorise_ldlt(std::array<Number, Size>& m, std::size_t n) {
    std::array<Number, 6> scaled{}; // row i of L D
    for (std::size_t i = 0; i < n; ++i) {
        Number pivot = m[Entry(i, i)];
        for (std::size_t j = 0; j < i; ++j) {
            Number value = m[Entry(i, j)];
            for (std::size_t k = 0; k < j; ++k) {
                value -= scaled[k] * m[Entry(j, k)];
            }
            scaled[j] = value;
            m[Entry(i, j)] = value * m[Entry(j, j)];
            pivot -= value * m[Entry(i, j)];
        }
        m[Entry(i, i)] = Number(1) / pivot;
    }
}

// Replaces the right-hand side x by the solution.
template <auto Entry, typename Number, std::size_t Size>
void solve_ldlt(const std::array<Number, Size>& m, Number* x, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            x[i] -= m[Entry(i, k)] * x[k];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        x[i] *= m[Entry(i, i)];
        for (std::size_t k = i + 1; k < n; ++k) {
            x[i] -= m[Entry(k, i)] * x[k];
        }
    }
}

// The impulses that change the joint's rigid rows by `x`, m/s or rad/s, if no other joint acts. Their compliance is
// positive definite as long as one of the bodies can be pushed.
std::array<float, 6> solve_alone(JointRows& joint, std::array<float, 6> x);

// What a row of motor, spring or limit moves, kg or kg m^2: the bodies as they are while the joint's rigid rows hold.
float axis_mass(JointRows& joint);
// What a spring along the axis is as stiff as its frequency says for, kg or kg m^2. Where it holds two points together
// these are the bodies pulled straight through their centres: with what they have where they are now, a spring that
// turns would be now stiffer and now softer, and drive what swings on it.
float spring_mass(JointRows& joint);
// The same of one that replaces three rows.
Mat3 block_mass(const JointRows& joint);
float cone_mass(JointRows& joint);
float row_mass(JointRows& joint, std::size_t row); // of six_dof, behind the rigid ones

} // namespace cairn::physics
