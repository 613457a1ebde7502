#include "physics/solver/joint_system.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace cairn::physics {

namespace {

constexpr std::uint32_t none = 0xffffffffu;

// Every joint gives way by this share of its own compliance, at least, in the pass with bias. Of its compliance as a
// matrix: row by row, what a thin rod gives along its easiest axis would let it turn about the others. Joints that
// close a loop hold each other more often than needed: their matrix alone has no inverse, and errors of position that
// contradict each other would be answered by unbounded forces. The share decides how stiff that is; it costs a chain of
// thirty links with a weight of a hundred a millimetre (docs/joints.md).
constexpr double least_give = 2e-4;

// (h omega)^2 of the pulls on a body's arms from which on it is slowed.
constexpr float most_stiffness = 1.0f;
// Where that is not enough, since a link comes to be pulled with a thousand times its weight within one substep, joints
// also give way, by this share for each unit of stiffness beyond, and not more than so much.
constexpr double give_by_stiffness = 0.01, most_give = 0.1;

float slowing(float stiffness) {
    return 1.0f / (1.0f + std::max(stiffness - most_stiffness, 0.0f));
}

constexpr std::size_t at(std::size_t row, std::size_t column) {
    return 6 * row + column;
}

// Change of row `r` of one joint by a unit impulse in row `s` of another, through body `motion`.
float coupling(const JointRows& joint, const JointRow& r, const JointRows& other, const JointRow& s,
               std::uint32_t motion) {
    const bool is_a = joint.motion_a == motion;
    const bool other_is_a = other.motion_a == motion;
    const float inverse_mass = is_a ? joint.inverse_mass_a : joint.inverse_mass_b;
    const float sign = is_a == other_is_a ? 1.0f : -1.0f;
    return sign * inverse_mass * glm::dot(r.linear, s.linear) +
           glm::dot(is_a ? r.angular_a : r.angular_b, other_is_a ? s.turn_a : s.turn_b);
}

// L D L^T in place: L below a unit diagonal, 1/D on it.
void factorise_block(std::array<double, 36>& m, std::size_t n) {
    std::array<double, 6> scaled{};
    for (std::size_t i = 0; i < n; ++i) {
        double pivot = m[at(i, i)];
        for (std::size_t j = 0; j < i; ++j) {
            double value = m[at(i, j)];
            for (std::size_t k = 0; k < j; ++k) {
                value -= scaled[k] * m[at(j, k)];
            }
            scaled[j] = value;
            m[at(i, j)] = value * m[at(j, j)];
            pivot -= value * m[at(i, j)];
        }
        m[at(i, i)] = 1.0 / pivot;
    }
}

void solve_block(const std::array<double, 36>& m, double* x, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            x[i] -= m[at(i, k)] * x[k];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        x[i] *= m[at(i, i)];
        for (std::size_t k = i + 1; k < n; ++k) {
            x[i] -= m[at(k, i)] * x[k];
        }
    }
}

void insert_sorted(std::vector<std::uint32_t>& list, std::uint32_t value) {
    const auto place = std::lower_bound(list.begin(), list.end(), value);
    if (place == list.end() || *place != value) {
        list.insert(place, value);
    }
}

void erase_sorted(std::vector<std::uint32_t>& list, std::uint32_t value) {
    const auto place = std::lower_bound(list.begin(), list.end(), value);
    if (place != list.end() && *place == value) {
        list.erase(place);
    }
}

void clear_each(std::vector<std::vector<std::uint32_t>>& lists, std::size_t count) {
    if (lists.size() < count) {
        lists.resize(count);
    }
    for (std::vector<std::uint32_t>& list : lists) {
        list.clear();
    }
}

} // namespace

void JointSystem::plan(std::span<const JointRows> joints, std::size_t motion_count) {
    const auto tie_of = [](const JointRows& joint) {
        return Tie{joint.inverse_mass_a > 0.0f ? joint.motion_a : 0u, joint.inverse_mass_b > 0.0f ? joint.motion_b : 0u,
                   rigid_rows(joint)};
    };
    const bool same = ties_.size() == joints.size() &&
                      std::equal(joints.begin(), joints.end(), ties_.begin(),
                                 [&](const JointRows& joint, const Tie& tie) { return tie_of(joint) == tie; });
    if (same) {
        return;
    }
    ties_.clear();
    for (const JointRows& joint : joints) {
        ties_.push_back(tie_of(joint));
    }
    order(motion_count);
}

// Least degree first, ties by index: leaves of trees go before what they hang on.
void JointSystem::order(std::size_t motion_count) {
    const auto count = static_cast<std::uint32_t>(ties_.size());
    clear_each(tied_, motion_count);
    clear_each(neighbours_, count);
    clear_each(column_, count);
    pairs_.clear();
    order_.clear();
    fronts_.clear();
    met_.clear();
    met_blocks_.clear();
    updates_.clear();
    below_.clear();
    queue_.clear();
    alone_ = 0;
    rank_.assign(count, none);
    for (std::uint32_t i = 0; i < count; ++i) {
        for (const std::uint32_t motion : {ties_[i].a, ties_[i].b}) {
            if (motion != 0 && ties_[i].count > 0) {
                tied_[motion].push_back(i);
            }
        }
    }
    for (const std::vector<std::uint32_t>& list : tied_) {
        for (const std::uint32_t i : list) {
            for (const std::uint32_t k : list) {
                if (i != k && list.size() <= widest_front + 1) {
                    insert_sorted(neighbours_[i], k);
                }
            }
        }
    }
    // Bodies with more joints than a front may hold: the last of them stay out.
    std::vector<std::uint32_t> out;
    for (const std::vector<std::uint32_t>& list : tied_) {
        if (list.size() <= widest_front + 1) {
            continue;
        }
        out.insert(out.end(), list.begin() + widest_front + 1, list.end());
        for (std::size_t i = 0; i <= widest_front; ++i) {
            for (std::size_t k = 0; k <= widest_front; ++k) {
                if (i != k) {
                    insert_sorted(neighbours_[list[i]], list[k]);
                }
            }
        }
    }
    std::vector<std::uint8_t> gone(count, 0);
    const auto take_out = [&](std::uint32_t joint) {
        if (gone[joint] != 0) {
            return;
        }
        gone[joint] = 1;
        ++alone_;
        for (const std::uint32_t other : neighbours_[joint]) {
            erase_sorted(neighbours_[other], joint);
            queue_.emplace_back(neighbours_[other].size(), other);
            std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
        }
        neighbours_[joint].clear();
    };
    for (const std::uint32_t joint : out) {
        take_out(joint);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        if (ties_[i].count > 0 && gone[i] == 0) {
            queue_.emplace_back(neighbours_[i].size(), i);
            std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
        }
    }
    // The pairs that have a block from the start.
    std::vector<std::vector<std::uint32_t>> first_neighbours = neighbours_;
    while (!queue_.empty()) {
        std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
        const auto [degree, joint] = queue_.back();
        queue_.pop_back();
        if (gone[joint] != 0 || degree != neighbours_[joint].size()) {
            continue; // an old entry
        }
        if (degree > widest_front) {
            take_out(joint);
            continue;
        }
        gone[joint] = 1;
        rank_[joint] = static_cast<std::uint32_t>(order_.size());
        order_.push_back(joint);
        Front front;
        front.begin = static_cast<std::uint32_t>(met_.size());
        front.count = static_cast<std::uint32_t>(degree);
        fronts_.push_back(front);
        const std::vector<std::uint32_t> met = neighbours_[joint];
        met_.insert(met_.end(), met.begin(), met.end());
        for (const std::uint32_t i : met) {
            erase_sorted(neighbours_[i], joint);
            for (const std::uint32_t k : met) {
                if (i != k) {
                    insert_sorted(neighbours_[i], k);
                }
            }
            queue_.emplace_back(neighbours_[i].size(), i);
            std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
        }
    }
    // Where the blocks lie. A block belongs to the earlier of its two joints.
    for (Front& front : fronts_) {
        const std::uint32_t joint = order_[static_cast<std::size_t>(&front - fronts_.data())];
        for (std::uint32_t m = 0; m < front.count; ++m) {
            met_blocks_.push_back(block_of(met_[front.begin + m], joint));
        }
    }
    for (Front& front : fronts_) {
        front.updates = static_cast<std::uint32_t>(updates_.size());
        for (std::uint32_t m = 0; m < front.count; ++m) {
            for (std::uint32_t n = 0; n < m; ++n) {
                updates_.push_back(block_of(met_[front.begin + m], met_[front.begin + n]));
            }
        }
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        for (const std::uint32_t k : first_neighbours[i]) {
            if (rank_[i] != none && rank_[k] != none && rank_[i] < rank_[k]) {
                pairs_.push_back({k, i, block_of(k, i)});
            }
        }
    }
    diagonal_.resize(count);
    unknown_.resize(count);
}

// The block of two joints, made if there is none.
std::uint32_t JointSystem::block_of(std::uint32_t row, std::uint32_t column) {
    if (rank_[row] < rank_[column]) {
        std::swap(row, column);
    }
    std::vector<std::uint32_t>& list = column_[column];
    for (std::size_t i = 0; i < list.size(); i += 2) {
        if (list[i] == row) {
            return list[i + 1];
        }
    }
    const auto block = static_cast<std::uint32_t>(below_.size());
    below_.emplace_back();
    list.push_back(row);
    list.push_back(block);
    return block;
}

void JointSystem::refresh(std::span<JointRows> joints, std::span<const BodyMotion> motions,
                          std::span<const BodyDynamics> dynamics, float h) {
    slow_ = false;
    if (joints.empty()) {
        return;
    }
    slow_down(joints, dynamics, h);
    for (JointRows& joint : joints) {
        cairn::physics::refresh(joint, motions, dynamics);
    }
    factorise(joints);
}

void JointSystem::begin_substep(std::span<BodyMotion> motions) const {
    if (!slow_) {
        return;
    }
    for (std::size_t i = 1; i < stiffness_.size(); ++i) {
        if (stiffness_[i] > most_stiffness) {
            motions[i].angular_velocity *= slowing(stiffness_[i]);
        }
    }
}

// A pull on an arm turns a body back like a spring: the stiffness is force times arm, and the impulses of a substep
// hold still while it acts. Beyond h omega of about one that swings up instead of back. Links that are light for what
// they pull get so much more inertia against the joints as keeps them below (after S. Andrews, M. Teichmann and P. Kry,
// "Geometric Stiffness for Real-time Constrained Multibody Dynamics", 2017).
void JointSystem::slow_down(std::span<JointRows> joints, std::span<const BodyDynamics> dynamics, float h) {
    const auto add = [&](std::uint32_t motion, const Vec3& arm, float impulse) {
        const float length2 = glm::dot(arm, arm);
        if (motion == 0 || length2 == 0.0f) {
            return;
        }
        const Vec3 along = arm * (1.0f / std::sqrt(length2));
        const Vec3 first = any_perpendicular(along);
        const Vec3 second = glm::cross(along, first);
        const SymmetricMat3& inverse = dynamics[motion].inverse_inertia;
        const float turns = std::max(glm::dot(first, inverse * first), glm::dot(second, inverse * second));
        stiffness_[motion] += h * impulse * std::sqrt(length2) * turns;
    };
    stiffness_.assign(dynamics.size(), 0.0f);
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const JointRows& joint = joints[i];
        const float impulse = glm::length(linear_impulse(joint));
        add(ties_[i].a, joint.start_arm_a, impulse);
        add(ties_[i].b, joint.start_arm_b, impulse);
    }
    const auto slowed = [&](std::uint32_t motion) { return slowing(stiffness_[motion]); };
    slow_ = std::any_of(stiffness_.begin(), stiffness_.end(), [](float s) { return s > most_stiffness; });
    give_.resize(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        joints[i].slowed_a = slowed(ties_[i].a);
        joints[i].slowed_b = slowed(ties_[i].b);
        const double beyond =
            static_cast<double>(std::max(stiffness_[ties_[i].a], stiffness_[ties_[i].b]) - most_stiffness);
        give_[i] = least_give + std::clamp(give_by_stiffness * beyond, 0.0, most_give);
    }
}

void JointSystem::factorise(std::span<const JointRows> joints) {
    const auto rows_of = [&](std::uint32_t joint) { return static_cast<std::size_t>(joints[joint].count); };
    for (const std::uint32_t i : order_) {
        const JointRows& joint = joints[i];
        Block& m = diagonal_[i];
        for (std::size_t r = 0; r < rows_of(i); ++r) {
            for (std::size_t s = 0; s <= r; ++s) {
                m[at(r, s)] = (1.0 + give_[i]) * static_cast<double>(compliance(joint, joint.rows[r], joint.rows[s]));
            }
        }
    }
    for (Block& block : below_) {
        block.fill(0.0);
    }
    for (const Pair& pair : pairs_) {
        const JointRows& row = joints[pair.first];
        const JointRows& column = joints[pair.second];
        Block& m = below_[pair.block];
        for (const std::uint32_t motion : {ties_[pair.first].a, ties_[pair.first].b}) {
            if (motion == 0 || (motion != ties_[pair.second].a && motion != ties_[pair.second].b)) {
                continue;
            }
            for (std::size_t r = 0; r < rows_of(pair.first); ++r) {
                for (std::size_t s = 0; s < rows_of(pair.second); ++s) {
                    m[at(r, s)] += static_cast<double>(coupling(row, row.rows[r], column, column.rows[s], motion));
                }
            }
        }
    }
    for (std::size_t rank = 0; rank < order_.size(); ++rank) {
        const std::uint32_t k = order_[rank];
        const Front& front = fronts_[rank];
        const std::size_t n = rows_of(k);
        factorise_block(diagonal_[k], n);
        // For each later joint i: A_ik becomes L_ik = A_ik D^-1, and A_ij loses L_ik A_jk^T.
        std::uint32_t update = front.updates;
        std::array<Block, widest_front> before;
        for (std::uint32_t m = 0; m < front.count; ++m) {
            const std::uint32_t i = met_[front.begin + m];
            Block& a = below_[met_blocks_[front.begin + m]];
            before[m] = a;
            for (std::size_t r = 0; r < rows_of(i); ++r) {
                solve_block(diagonal_[k], &a[at(r, 0)], n);
            }
            const auto subtract = [&](Block& target, const Block& left, std::size_t rows, const Block& right,
                                      std::size_t columns, bool transposed) {
                for (std::size_t r = 0; r < rows; ++r) {
                    for (std::size_t s = 0; s < columns; ++s) {
                        double sum = 0.0;
                        for (std::size_t q = 0; q < n; ++q) {
                            sum += left[at(r, q)] * right[at(s, q)];
                        }
                        target[transposed ? at(s, r) : at(r, s)] -= sum;
                    }
                }
            };
            for (std::uint32_t o = 0; o < m; ++o) {
                const std::uint32_t j = met_[front.begin + o];
                subtract(below_[updates_[update++]], a, rows_of(i), before[o], rows_of(j), rank_[i] < rank_[j]);
            }
            subtract(diagonal_[i], a, rows_of(i), before[m], rows_of(i), false);
        }
    }
}

void JointSystem::solve(std::span<JointRows> joints, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                        bool use_bias) {
    // Arcs and free rows are stated for joints whose rigid rows hold: these come before and after.
    const bool any_free = std::any_of(joints.begin(), joints.end(), has_free_rows);
    if (any_free || use_bias) {
        solve_rigid(joints, motions, settings, false);
    }
    if (use_bias) {
        note_arcs(joints, motions, settings.h);
    }
    if (any_free) {
        for (JointRows& joint : joints) {
            if (has_free_rows(joint)) {
                solve_free_rows(joint, motions, settings, use_bias);
            }
        }
    }
    solve_rigid(joints, motions, settings, use_bias);
    if (use_bias) { // the arcs of the velocities that they lead to
        note_arcs(joints, motions, settings.h);
        solve_rigid(joints, motions, settings, true);
    }
}

void JointSystem::solve_rigid(std::span<JointRows> joints, std::span<BodyMotion> motions,
                              const JointSolverSettings& settings, bool use_bias) {
    if (alone_ > 0) {
        for (std::size_t i = 0; i < joints.size(); ++i) {
            if (rank_[i] == none && joints[i].count > 0) {
                solve_rigid_rows(joints[i], motions, settings, use_bias);
            }
        }
    }
    for (const std::uint32_t i : order_) {
        const JointRows& joint = joints[i];
        const std::array<float, 6> wanted = wanted_change(joint, motions, settings, use_bias);
        std::copy(wanted.begin(), wanted.end(), unknown_[i].begin());
        if (use_bias) { // speeds always agree with each other, errors of position in a loop need not
            const std::array<float, 6> own = own_change(joint);
            for (std::size_t r = 0; r < static_cast<std::size_t>(joint.count); ++r) {
                unknown_[i][r] -= give_[i] * static_cast<double>(own[r]);
            }
        }
    }
    for (std::size_t rank = 0; rank < order_.size(); ++rank) {
        const std::uint32_t k = order_[rank];
        const Front& front = fronts_[rank];
        const auto n = static_cast<std::size_t>(joints[k].count);
        for (std::uint32_t m = 0; m < front.count; ++m) {
            const std::uint32_t i = met_[front.begin + m];
            const Block& l = below_[met_blocks_[front.begin + m]];
            for (std::size_t r = 0; r < static_cast<std::size_t>(joints[i].count); ++r) {
                for (std::size_t q = 0; q < n; ++q) {
                    unknown_[i][r] -= l[at(r, q)] * unknown_[k][q];
                }
            }
        }
        solve_block(diagonal_[k], unknown_[k].data(), n);
    }
    for (std::size_t rank = order_.size(); rank-- > 0;) {
        const std::uint32_t k = order_[rank];
        const Front& front = fronts_[rank];
        const auto n = static_cast<std::size_t>(joints[k].count);
        for (std::uint32_t m = 0; m < front.count; ++m) {
            const std::uint32_t i = met_[front.begin + m];
            const Block& l = below_[met_blocks_[front.begin + m]];
            for (std::size_t r = 0; r < static_cast<std::size_t>(joints[i].count); ++r) {
                for (std::size_t q = 0; q < n; ++q) {
                    unknown_[k][q] -= l[at(r, q)] * unknown_[i][r];
                }
            }
        }
    }
    for (const std::uint32_t i : order_) {
        std::array<float, 6> impulse{};
        std::transform(unknown_[i].begin(), unknown_[i].end(), impulse.begin(),
                       [](double x) { return static_cast<float>(x); });
        apply_rigid_rows(joints[i], motions, impulse);
    }
}

} // namespace cairn::physics
