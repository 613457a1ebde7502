#include "physics/solver/joints/system/row_lanes.h"

#include "physics/solver/rows/row_targets.h"

// Highway compiles this file once for every vector width and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/solver/joints/system/row_lanes.cpp"
#include <hwy/foreach_target.h>
// After the line above.
#include "physics/solver/joints/rows/joint_factors.h"

#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A sum over four or eight lanes. Products are rounded before they are added, so that all widths have the same bits.
template <std::size_t Size>
class LaneSum {
  public:
    HWY_INLINE LaneSum() {
        for (auto& part : v_) {
            part = hn::Zero(D());
        }
    }
    HWY_INLINE explicit LaneSum(const double* from) {
        for (std::size_t i = 0; i < parts; ++i) {
            v_[i] = hn::LoadU(D(), from + i * width);
        }
    }
    HWY_INLINE void store(double* to) const {
        for (std::size_t i = 0; i < parts; ++i) {
            hn::StoreU(v_[i], D(), to + i * width);
        }
    }
    HWY_INLINE void add(double times, const double* of) {
        const auto by = hn::Set(D(), times);
        for (std::size_t i = 0; i < parts; ++i) {
            v_[i] = hn::Add(v_[i], hn::Mul(by, hn::LoadU(D(), of + i * width)));
        }
    }
    HWY_INLINE void subtract(double times, const double* of) {
        const auto by = hn::Set(D(), times);
        for (std::size_t i = 0; i < parts; ++i) {
            v_[i] = hn::Sub(v_[i], hn::Mul(by, hn::LoadU(D(), of + i * width)));
        }
    }
    HWY_INLINE void scale(double by) {
        for (auto& part : v_) {
            part = hn::Mul(hn::Set(D(), by), part);
        }
    }

  private:
    using D = hn::CappedTag<double, 4>;
    static constexpr std::size_t width = hn::MaxLanes(D()), parts = Size / width;
    hn::Vec<D> v_[parts];
};

constexpr std::size_t velocities = 6;

// What each row gives way by a unit impulse, and with it the joint's own block.
template <std::size_t Size>
HWY_INLINE void form_own(LaneJoint& joint) {
    for (std::size_t r = 0; r < joint.rows; ++r) {
        LaneSum<Size> give;
        for (std::size_t c = 0; c < velocities; ++c) {
            give.add(joint.give_a[c / 3] * joint.of_a[c][r], joint.of_a[c].data());
            give.add(joint.give_b[c / 3] * joint.of_b[c][r], joint.of_b[c].data());
        }
        if (joint.soft) {
            give.add(1.0, joint.springs[r].data());
        }
        give.store(joint.give[r].data());
        LaneSum<Size> own = give;
        for (std::size_t c = 0; c < velocities; ++c) {
            own.add(joint.change_a[r][c], joint.of_a[c].data());
        }
        for (std::size_t c = 0; c < velocities; ++c) {
            own.add(joint.change_b[r][c], joint.of_b[c].data());
        }
        own.store(joint.inverse[r].data());
    }
}

// How a unit impulse in each row of one joint changes the rows of the other, through a body that they share.
template <std::size_t Size>
HWY_INLINE void add_shared(const LaneJoint& row, bool row_is_a, const LaneJoint& column, bool column_is_a, bool first,
                           double* block) {
    const std::array<SixLanes, 6>& change = row_is_a ? row.change_a : row.change_b;
    const std::array<SixLanes, 6>& factors = column_is_a ? column.of_a : column.of_b;
    const std::size_t stride = lanes_for(column.most_rows);
    for (std::size_t r = 0; r < row.rows; ++r) {
        LaneSum<Size> sum = first ? LaneSum<Size>() : LaneSum<Size>(block + r * stride);
        for (std::size_t c = 0; c < velocities; ++c) {
            sum.add(change[r][c], factors[c].data());
        }
        sum.store(block + r * stride);
    }
}

HWY_INLINE void form_pair(const LaneJoint& row, const LaneJoint& column, double* block) {
    bool first = true;
    for (const bool row_is_a : {true, false}) {
        const std::uint32_t motion = row_is_a ? row.motion_a : row.motion_b;
        if (!(row_is_a ? row.pushed_a : row.pushed_b) || (motion != column.motion_a && motion != column.motion_b)) {
            continue;
        }
        const bool column_is_a = motion == column.motion_a;
        if (column.most_rows <= 4) {
            add_shared<4>(row, row_is_a, column, column_is_a, first, block);
        } else {
            add_shared<8>(row, row_is_a, column, column_is_a, first, block);
        }
        first = false;
    }
}

constexpr std::size_t entry(std::size_t row, std::size_t column) {
    return 6 * row + column;
}

template <std::size_t Size>
HWY_INLINE void invert_own(LaneJoint& joint) {
    const std::size_t n = joint.rows;
    std::array<double, 36> factors; // NOLINT: filled as used
    for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t c = 0; c <= r; ++c) {
            factors[entry(r, c)] = joint.inverse[r][c];
        }
    }
    factorise_ldlt<entry>(factors, n);
    // L D L^T X = 1, all columns at once.
    std::array<SixLanes, 6>& x = joint.inverse;
    for (std::size_t i = 0; i < n; ++i) {
        x[i].fill(0.0);
        x[i][i] = 1.0;
    }
    for (std::size_t i = 1; i < n; ++i) {
        LaneSum<Size> sum(x[i].data());
        for (std::size_t q = 0; q < i; ++q) {
            sum.subtract(factors[entry(i, q)], x[q].data());
        }
        sum.store(x[i].data());
    }
    for (std::size_t i = n; i-- > 0;) {
        LaneSum<Size> sum(x[i].data());
        sum.scale(factors[entry(i, i)]);
        for (std::size_t q = i + 1; q < n; ++q) {
            sum.subtract(factors[entry(q, i)], x[q].data());
        }
        sum.store(x[i].data());
    }
}

// to[r] -= l[r] of the columns of `turned`, for all rows: A_ij loses L_ik A_jk^T.
template <std::size_t Size>
HWY_INLINE void take_product(double* to, std::size_t to_stride, const double* l, std::size_t l_stride, std::size_t rows,
                             const SixLanes* turned, std::size_t columns) {
    for (std::size_t r = 0; r < rows; ++r) {
        LaneSum<Size> sum(to + r * to_stride);
        for (std::size_t q = 0; q < columns; ++q) {
            sum.subtract(l[r * l_stride + q], turned[q].data());
        }
        sum.store(to + r * to_stride);
    }
}

// A_ik, turned, and from it L_ik = A_ik D^-1, both ways.
template <std::size_t Columns, std::size_t Rows>
HWY_INLINE void divide(const LaneJoint& k, const LaneJoint& i, double* block, SixLanes* turned) {
    constexpr std::size_t stride = Columns;
    const std::size_t n = k.rows, rows = i.rows;
    for (std::size_t q = 0; q < n; ++q) {
        turned[q].fill(0.0);
        for (std::size_t r = 0; r < rows; ++r) {
            turned[q][r] = block[r * stride + q];
        }
    }
    for (std::size_t r = 0; r < rows; ++r) {
        LaneSum<Columns> l;
        for (std::size_t p = 0; p < n; ++p) {
            l.add(block[r * stride + p], k.inverse[p].data());
        }
        l.store(block + r * stride);
    }
    double* const other_way = block + i.most_rows * stride;
    for (std::size_t q = 0; q < n; ++q) {
        LaneSum<Rows> l;
        for (std::size_t p = 0; p < n; ++p) {
            l.add(k.inverse[p][q], turned[p].data());
        }
        l.store(other_way + q * Rows);
    }
}

// Takes the joint k of this rank out of the matrix: for each later joint i, A_ik becomes L_ik = A_ik D^-1, and A_ij
// loses L_ik A_jk^T.
void take_out(const JointMatrix& matrix, std::uint32_t rank) {
    LaneJoint& k = matrix.joints[rank];
    const std::size_t n = k.rows, stride = lanes_for(k.most_rows);
    if (n == 0) {
        return;
    }
    if (k.most_rows <= 4) {
        invert_own<4>(k);
    } else {
        invert_own<8>(k);
    }
    const JointFront& front = matrix.fronts[rank];
    std::array<std::array<SixLanes, 6>, widest_front> turned; // NOLINT: filled as used
    std::uint32_t update = front.updates;
    for (std::uint32_t m = 0; m < front.count; ++m, update += m - 1) {
        const std::uint32_t rank_i = matrix.met[front.begin + m];
        LaneJoint& i = matrix.joints[rank_i];
        double* const l = &matrix.below[matrix.blocks[front.begin + m]];
        SixLanes* const turned_i = turned[m].data();
        const bool four_k = k.most_rows <= 4, four_i = i.most_rows <= 4;
        if (four_k) {
            four_i ? divide<4, 4>(k, i, l, turned_i) : divide<4, 8>(k, i, l, turned_i);
        } else {
            four_i ? divide<8, 4>(k, i, l, turned_i) : divide<8, 8>(k, i, l, turned_i);
        }
        double* const own = i.inverse[0].data();
        constexpr std::size_t own_stride = sizeof(SixLanes) / sizeof(double);
        if (four_i) {
            take_product<4>(own, own_stride, l, stride, i.rows, turned_i, n);
        } else {
            take_product<8>(own, own_stride, l, stride, i.rows, turned_i, n);
        }
        for (std::uint32_t o = 0; o < m; ++o) {
            const std::uint32_t rank_j = matrix.met[front.begin + o];
            // The block is that of the earlier one, which has the columns.
            const bool later = rank_i > rank_j;
            const LaneJoint& row = later ? i : matrix.joints[rank_j];
            const LaneJoint& column = later ? matrix.joints[rank_j] : i;
            const double* const l_of_row = later ? l : &matrix.below[matrix.blocks[front.begin + o]];
            const SixLanes* const turned_column = later ? turned[o].data() : turned_i;
            double* const to = &matrix.below[matrix.updates[update + o]];
            if (column.most_rows <= 4) {
                take_product<4>(to, 4, l_of_row, stride, row.rows, turned_column, n);
            } else {
                take_product<8>(to, 8, l_of_row, stride, row.rows, turned_column, n);
            }
        }
    }
}

void factorise_rows(const JointMatrix& matrix) {
    for (std::uint32_t rank = matrix.first_rank; rank < matrix.end_rank; ++rank) {
        LaneJoint& joint = matrix.joints[rank];
        if (joint.most_rows <= 4) {
            form_own<4>(joint);
        } else {
            form_own<8>(joint);
        }
    }
    for (const JointPair& pair : matrix.pairs) {
        form_pair(matrix.joints[pair.row], matrix.joints[pair.column], &matrix.below[pair.block]);
    }
    std::fill(matrix.below.begin() + matrix.first_fill, matrix.below.begin() + matrix.end_fill, 0.0);
    for (std::uint32_t rank = matrix.first_rank; rank < matrix.end_rank; ++rank) {
        take_out(matrix, rank);
    }
}

template <std::size_t Size>
HWY_INLINE void take_speeds(LaneJoint& joint, const BodyMotion& a, const BodyMotion& b) {
    LaneSum<Size> sum(joint.unknown.data());
    for (int c = 0; c < 3; ++c) {
        const auto i = static_cast<std::size_t>(c);
        sum.subtract(static_cast<double>(a.linear_velocity[c]), joint.of_a[i].data());
        sum.subtract(static_cast<double>(a.angular_velocity[c]), joint.of_a[i + 3].data());
        sum.subtract(static_cast<double>(b.linear_velocity[c]), joint.of_b[i].data());
        sum.subtract(static_cast<double>(b.angular_velocity[c]), joint.of_b[i + 3].data());
    }
    sum.store(joint.unknown.data());
}

// Of n columns, side by side in lanes.
template <std::size_t Size>
HWY_INLINE void take_columns(SixLanes& from, const double* columns, const SixLanes& times, std::size_t n) {
    LaneSum<Size> sum(from.data());
    for (std::size_t q = 0; q < n; ++q) {
        sum.subtract(times[q], columns + q * Size);
    }
    sum.store(from.data());
}

// Takes out of the unknowns of the later joints what this one has.
HWY_INLINE void eliminate(const JointMatrix& matrix, std::uint32_t rank) {
    const LaneJoint& k = matrix.joints[rank];
    const JointFront& front = matrix.fronts[rank];
    for (std::uint32_t m = front.begin; m < front.begin + front.count; ++m) {
        LaneJoint& i = matrix.joints[matrix.met[m]];
        const double* const columns = &matrix.below[matrix.blocks[m]] + i.most_rows * lanes_for(k.most_rows);
        if (i.most_rows <= 4) {
            take_columns<4>(i.unknown, columns, k.unknown, k.rows);
        } else {
            take_columns<8>(i.unknown, columns, k.unknown, k.rows);
        }
    }
}

template <std::size_t Size>
HWY_INLINE SixLanes divided(const LaneJoint& joint) {
    LaneSum<Size> sum;
    for (std::size_t r = 0; r < joint.rows; ++r) {
        sum.add(joint.unknown[r], joint.inverse[r].data());
    }
    SixLanes result{};
    sum.store(result.data());
    return result;
}

HWY_INLINE SixLanes divided(const LaneJoint& joint) {
    return joint.most_rows <= 4 ? divided<4>(joint) : divided<8>(joint);
}

template <std::size_t Size>
HWY_INLINE void substitute(const JointMatrix& matrix, std::uint32_t rank) {
    LaneJoint& k = matrix.joints[rank];
    const JointFront& front = matrix.fronts[rank];
    LaneSum<Size> sum(k.unknown.data());
    for (std::uint32_t m = front.begin; m < front.begin + front.count; ++m) {
        const LaneJoint& i = matrix.joints[matrix.met[m]];
        const double* const l = &matrix.below[matrix.blocks[m]];
        for (std::size_t r = 0; r < i.rows; ++r) {
            sum.subtract(i.unknown[r], l + r * Size);
        }
    }
    sum.store(k.unknown.data());
}

void find_impulses(const JointMatrix& matrix, const BodyMotion* motions) {
    for (std::uint32_t rank = matrix.first_rank; rank < matrix.end_rank; ++rank) {
        LaneJoint& joint = matrix.joints[rank];
        if (joint.most_rows <= 4) {
            take_speeds<4>(joint, motions[joint.motion_a], motions[joint.motion_b]);
        } else {
            take_speeds<8>(joint, motions[joint.motion_a], motions[joint.motion_b]);
        }
    }
    for (std::uint32_t rank = matrix.first_rank; rank < matrix.end_rank; ++rank) {
        eliminate(matrix, rank);
        matrix.joints[rank].unknown = divided(matrix.joints[rank]);
    }
    for (std::uint32_t rank = matrix.end_rank; rank-- > matrix.first_rank;) {
        if (matrix.joints[rank].most_rows <= 4) {
            substitute<4>(matrix, rank);
        } else {
            substitute<8>(matrix, rank);
        }
    }
}

// Impulses of a taut chain are far greater than what they leave of each other: they are summed up before they are
// rounded.
void apply_impulses(const JointMatrix& matrix, std::span<const std::uint32_t> bodies, SixLanes* changes,
                    BodyMotion* motions) {
    for (const std::uint32_t motion : bodies) {
        changes[motion].fill(0.0);
    }
    for (std::uint32_t rank = matrix.first_rank; rank < matrix.end_rank; ++rank) {
        const LaneJoint& joint = matrix.joints[rank];
        for (const bool of_a : {true, false}) {
            if (!(of_a ? joint.pushed_a : joint.pushed_b)) {
                continue;
            }
            SixLanes& change = changes[of_a ? joint.motion_a : joint.motion_b];
            const std::array<SixLanes, 6>& by_row = of_a ? joint.change_a : joint.change_b;
            LaneSum<8> sum(change.data());
            for (std::size_t r = 0; r < joint.rows; ++r) {
                sum.add(joint.unknown[r], by_row[r].data());
            }
            sum.store(change.data());
        }
    }
    for (const std::uint32_t motion : bodies) {
        BodyMotion& body = motions[motion];
        const SixLanes& change = changes[motion];
        for (int c = 0; c < 3; ++c) {
            const auto i = static_cast<std::size_t>(c);
            body.linear_velocity[c] = static_cast<float>(static_cast<double>(body.linear_velocity[c]) + change[i]);
            body.angular_velocity[c] =
                static_cast<float>(static_cast<double>(body.angular_velocity[c]) + change[i + 3]);
        }
    }
}

double square_of_unknowns(const JointMatrix& matrix) {
    double sum = 0.0;
    for (std::uint32_t rank = matrix.first_rank; rank < matrix.end_rank; ++rank) {
        eliminate(matrix, rank);
        const LaneJoint& joint = matrix.joints[rank];
        const SixLanes quotient = divided(joint);
        for (std::size_t q = 0; q < joint.rows; ++q) {
            sum += joint.unknown[q] * quotient[q];
        }
    }
    return sum;
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::physics {

HWY_EXPORT(factorise_rows);
HWY_EXPORT(find_impulses);
HWY_EXPORT(apply_impulses);
HWY_EXPORT(square_of_unknowns);

void factorise_rows(const JointMatrix& matrix) {
    HWY_DYNAMIC_DISPATCH(factorise_rows)(matrix);
}

void find_impulses(const JointMatrix& matrix, std::span<const BodyMotion> motions) {
    HWY_DYNAMIC_DISPATCH(find_impulses)(matrix, motions.data());
}

void apply_impulses(const JointMatrix& matrix, std::span<const std::uint32_t> bodies, std::span<SixLanes> changes,
                    std::span<BodyMotion> motions) {
    HWY_DYNAMIC_DISPATCH(apply_impulses)(matrix, bodies, changes.data(), motions.data());
}

double square_of_unknowns(const JointMatrix& matrix) {
    return HWY_DYNAMIC_DISPATCH(square_of_unknowns)(matrix);
}

} // namespace cairn::physics
#endif
