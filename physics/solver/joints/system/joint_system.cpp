#include "physics/solver/joints/system/joint_system.h"

#include "physics/base/bytes.h"
#include "physics/base/large_pages.h"
#include "physics/solver/joints/rows/joint_factors.h"
#include "physics/solver/joints/rows/passes/held_rows.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace cairn::physics {

namespace {

using glm::dvec3;

constexpr std::uint32_t unranked = 0xffffffffu;

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

// Multiplications that take n rows out of a matrix in which they meet f others.
std::size_t work_of(std::size_t n, std::size_t f) {
    return n * n * n / 3 + n * n * f + n * f * f;
}

} // namespace

void JointSystem::begin(std::size_t joints, std::size_t motions) {
    parts_.clear();
    order_.clear();
    rank_.assign(joints, unranked);
    fronts_.clear();
    met_.clear();
    met_blocks_.clear();
    updates_.clear();
    pairs_.clear();
    below_.clear();
    most_rows_.assign(joints, 0);
    rows_of_.assign(joints, 0);
    resize_large(diagonal_, joints);
    resize_large(soft_, joints);
    resize_large(unknown_, joints);
    resize_large(levers_, joints);
    resize_large(changes_, motions);
    gone_.assign(joints, 0);
    resize_large(neighbours_, joints);
    first_neighbours_.resize(joints);
    resize_large(column_, joints);
}

bool JointSystem::add(const JointGraph& graph, const JointGraph::Component& component) {
    const std::span<const std::uint32_t> joints = graph.joints_of(component);
    const std::array<std::size_t, 3> before{order_.size(), fronts_.size(), met_.size()};
    Part part;
    part.first_rank = static_cast<std::uint32_t>(order_.size());
    if (!eliminate(graph, joints, part)) {
        for (const std::uint32_t joint : joints) {
            rank_[joint] = unranked;
        }
        order_.resize(before[0]);
        fronts_.resize(before[1]);
        met_.resize(before[2]);
        return false;
    }
    part.end_rank = static_cast<std::uint32_t>(order_.size());
    place_blocks(joints, part);
    parts_.push_back(part);
    return true;
}

bool JointSystem::eliminate(const JointGraph& graph, std::span<const std::uint32_t> joints, Part& part) {
    const std::span<const JointTie> ties = graph.ties();
    const std::size_t most = std::max(most_work, joints.size() * most_work_each);
    for (const std::uint32_t joint : joints) {
        neighbours_[joint].clear();
        column_[joint].clear();
    }
    for (const std::uint32_t joint : joints) {
        for (const std::uint32_t motion : {ties[joint].a, ties[joint].b}) {
            if (motion == 0 || ties[joint].rows == 0) {
                continue;
            }
            const std::span<const std::uint32_t> others = graph.joints_at(motion);
            if (others.size() > 2 * widest_front) {
                return false;
            }
            for (const std::uint32_t other : others) {
                if (other != joint && ties[other].rows > 0) {
                    insert_sorted(neighbours_[joint], other);
                }
            }
        }
    }
    queue_.clear();
    const auto wait = [this](std::uint32_t joint) {
        queue_.emplace_back(neighbours_[joint].size(), joint);
        std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
    };
    for (const std::uint32_t joint : joints) {
        first_neighbours_[joint] = neighbours_[joint];
        most_rows_[joint] = static_cast<std::uint8_t>(ties[joint].rows);
        if (ties[joint].rows > 0) {
            wait(joint);
        }
    }
    while (!queue_.empty()) {
        std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
        const auto [degree, joint] = queue_.back();
        queue_.pop_back();
        if (gone_[joint] != 0 || degree != neighbours_[joint].size()) {
            continue; // an old entry
        }
        const std::vector<std::uint32_t>& met = neighbours_[joint];
        std::size_t rows_met = 0;
        for (const std::uint32_t other : met) {
            rows_met += static_cast<std::size_t>(ties[other].rows);
        }
        part.work += work_of(static_cast<std::size_t>(ties[joint].rows), rows_met);
        if (degree > widest_front || part.work > most) {
            return false;
        }
        gone_[joint] = 1;
        rank_[joint] = static_cast<std::uint32_t>(order_.size());
        order_.push_back(joint);
        fronts_.push_back({static_cast<std::uint32_t>(met_.size()), static_cast<std::uint32_t>(degree), 0});
        met_.insert(met_.end(), met.begin(), met.end());
        for (const std::uint32_t i : met) {
            erase_sorted(neighbours_[i], joint);
            for (const std::uint32_t k : met) {
                if (i != k) {
                    insert_sorted(neighbours_[i], k);
                }
            }
            wait(i);
        }
    }
    return true;
}

// Where the blocks lie. A block belongs to the earlier of its two joints.
void JointSystem::place_blocks(std::span<const std::uint32_t> joints, Part& part) {
    part.first_block = static_cast<std::uint32_t>(below_.size());
    part.first_pair = static_cast<std::uint32_t>(pairs_.size());
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        for (std::uint32_t m = 0; m < fronts_[rank].count; ++m) {
            met_blocks_.push_back(block_of(met_[fronts_[rank].begin + m], order_[rank]));
        }
    }
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        Front& front = fronts_[rank];
        front.updates = static_cast<std::uint32_t>(updates_.size());
        for (std::uint32_t m = 0; m < front.count; ++m) {
            for (std::uint32_t n = 0; n < m; ++n) {
                updates_.push_back(block_of(met_[front.begin + m], met_[front.begin + n]));
            }
        }
    }
    // The pairs that have a block from the start.
    for (const std::uint32_t i : joints) {
        for (const std::uint32_t k : first_neighbours_[i]) {
            if (rank_[i] < rank_[k]) {
                pairs_.push_back({k, i, block_of(k, i)});
            }
        }
    }
    part.end_block = static_cast<std::uint32_t>(below_.size());
    part.end_pair = static_cast<std::uint32_t>(pairs_.size());
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
    below_.resize(below_.size() + std::size_t{most_rows_[row]} * most_rows_[column]);
    list.push_back(row);
    list.push_back(block);
    return block;
}

// Rows that hold points have the levers of their arms; those that hold directions have theirs in single precision, of
// which no pull can make a spin.
JointSystem::Levers JointSystem::levers_of(const JointRows& joint, const JointRow& row, const JointBody& a,
                                           const JointBody& b) {
    Levers levers{dvec3(row.angular_a), dvec3(row.angular_b), {}, {}};
    if (row.linear != Vec3(0.0f) && joint.kind != JointKind::rack && joint.kind != JointKind::pulley) {
        dvec3 arm_a = a.orientation * dvec3(joint.local_arm_a);
        if (joint.kind == JointKind::slider || joint.kind == JointKind::six_dof) {
            arm_a += dvec3(joint.offset);
        }
        levers.a = -glm::cross(arm_a, dvec3(row.linear));
        levers.b = glm::cross(b.orientation * dvec3(joint.local_arm_b), dvec3(row.linear));
    }
    levers.turn_a = a.inverse_inertia * levers.a;
    levers.turn_b = b.inverse_inertia * levers.b;
    return levers;
}

void JointSystem::factorise(std::size_t component, std::span<const JointRows> joints, std::span<const JointBody> bodies,
                            double give) {
    const Part& part = parts_[component];
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        const std::uint32_t i = order_[rank];
        const JointRows& joint = joints[i];
        const std::size_t count = rows_together(joint);
        rows_of_[i] = static_cast<std::uint8_t>(count);
        Block& m = diagonal_[i];
        const JointBody &a = bodies[joint.motion_a], &b = bodies[joint.motion_b];
        const auto masses = static_cast<double>(joint.inverse_mass_a) + static_cast<double>(joint.inverse_mass_b);
        for (std::size_t r = 0; r < count; ++r) {
            levers_[i][r] = levers_of(joint, row_together(joint, r), a, b);
            for (std::size_t s = 0; s <= r; ++s) {
                const Levers &mine = levers_[i][r], &other = levers_[i][s];
                const JointRow &row = row_together(joint, r), &column = row_together(joint, s);
                const double of_a = glm::dot(dvec3(row.linear_a), dvec3(column.linear_a - column.linear)) -
                                    glm::dot(dvec3(row.linear), dvec3(column.linear_a));
                const double linear = masses * glm::dot(dvec3(row.linear), dvec3(column.linear)) +
                                      static_cast<double>(joint.inverse_mass_a) * of_a;
                soft_[i][entry(r, s)] = soft_[i][entry(s, r)] =
                    give *
                    (linear + a.slowest_turn * glm::dot(mine.a, other.a) + b.slowest_turn * glm::dot(mine.b, other.b));
                m[entry(r, s)] =
                    linear + glm::dot(mine.a, other.turn_a) + glm::dot(mine.b, other.turn_b) + soft_[i][entry(r, s)];
            }
        }
    }
    std::fill(below_.begin() + part.first_block, below_.begin() + part.end_block, 0.0);
    for (std::uint32_t p = part.first_pair; p < part.end_pair; ++p) {
        const Pair& pair = pairs_[p];
        const JointRows& row = joints[pair.first];
        const JointRows& column = joints[pair.second];
        double* const m = &below_[pair.block];
        const std::size_t stride = most_rows_[pair.second];
        const auto [a, b] = ends_of(row);
        const auto [other_a, other_b] = ends_of(column);
        for (const std::uint32_t motion : {a, b}) {
            if (motion == 0 || (motion != other_a && motion != other_b)) {
                continue;
            }
            // Change of each row of one by a unit impulse in each row of the other, through this body.
            const bool is_a = a == motion, other_is_a = other_a == motion;
            const auto inverse_mass = static_cast<double>(is_a ? row.inverse_mass_a : row.inverse_mass_b);
            const auto along = [](const JointRow& of, bool at_a) {
                return dvec3(at_a ? of.linear_a - of.linear : of.linear);
            };
            for (std::size_t r = 0; r < rows_of_[pair.first]; ++r) {
                const JointRow& mine = row_together(row, r);
                const Levers& levers = levers_[pair.first][r];
                for (std::size_t s = 0; s < rows_of_[pair.second]; ++s) {
                    const Levers& others = levers_[pair.second][s];
                    const JointRow& other = row_together(column, s);
                    m[r * stride + s] +=
                        inverse_mass * glm::dot(along(mine, is_a), along(other, other_is_a)) +
                        glm::dot(is_a ? levers.a : levers.b, other_is_a ? others.turn_a : others.turn_b);
                }
            }
        }
    }
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        take_out(rank);
    }
}

// Takes the joint k of this rank out of the matrix: for each later joint i, A_ik becomes L_ik = A_ik D^-1, and A_ij
// loses L_ik A_jk^T. The rows that it meets lie side by side meanwhile, in vector registers.
void JointSystem::take_out(std::uint32_t rank) {
    const std::uint32_t k = order_[rank];
    const Front& front = fronts_[rank];
    const std::size_t n = rows_of_[k], stride = most_rows_[k];
    if (n == 0) {
        return;
    }
    factorise_ldlt<entry>(diagonal_[k], n);
    constexpr std::size_t lanes = 4;
    using Side = std::array<double, 6 * widest_front>;
    std::array<Side, 6> before, solved; // A_ik and L_ik, transposed
    std::array<std::size_t, widest_front + 1> begin;
    std::size_t width = 0;
    for (std::uint32_t m = 0; m < front.count; ++m) {
        begin[m] = width;
        const double* const a = &below_[met_blocks_[front.begin + m]];
        const std::size_t rows = rows_of_[met_[front.begin + m]];
        for (std::size_t r = 0; r < rows; ++r, ++width) {
            for (std::size_t q = 0; q < n; ++q) {
                before[q][width] = a[r * stride + q];
            }
        }
    }
    begin[front.count] = width;
    const std::size_t padded = (width + lanes - 1) / lanes * lanes;
    for (std::size_t q = 0; q < n; ++q) {
        std::fill(before[q].begin() + static_cast<std::ptrdiff_t>(width),
                  before[q].begin() + static_cast<std::ptrdiff_t>(padded), 0.0);
        std::copy(before[q].begin(), before[q].begin() + static_cast<std::ptrdiff_t>(padded), solved[q].begin());
    }
    const auto for_lanes = [](std::size_t end, const auto& visit) {
        for (std::size_t first = 0; first < end; first += lanes) {
            for (std::size_t lane = first; lane < first + lanes; ++lane) {
                visit(lane);
            }
        }
    };
    const Block& factors = diagonal_[k]; // as solve_ldlt, for all columns at once
    const auto subtract = [&](std::size_t from, double times, std::size_t row) {
        for_lanes(padded, [&](std::size_t c) { solved[from][c] -= times * solved[row][c]; });
    };
    for (std::size_t i = 1; i < n; ++i) {
        for (std::size_t q = 0; q < i; ++q) {
            subtract(i, factors[entry(i, q)], q);
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for_lanes(padded, [&](std::size_t c) { solved[i][c] *= factors[entry(i, i)]; });
        for (std::size_t q = i + 1; q < n; ++q) {
            subtract(i, factors[entry(q, i)], q);
        }
    }
    std::uint32_t update = front.updates;
    for (std::uint32_t m = 0; m < front.count; ++m, update += m - 1) {
        const std::uint32_t i = met_[front.begin + m];
        double* const l = &below_[met_blocks_[front.begin + m]];
        for (std::size_t c = begin[m]; c < begin[m + 1]; ++c) {
            const std::size_t r = c - begin[m];
            Side sum;
            for_lanes(begin[m + 1], [&](std::size_t s) { sum[s] = 0.0; });
            for (std::size_t q = 0; q < n; ++q) {
                l[r * stride + q] = solved[q][c];
                for_lanes(begin[m + 1], [&](std::size_t s) { sum[s] += solved[q][c] * before[q][s]; });
            }
            for (std::uint32_t o = 0; o < m; ++o) {
                const std::uint32_t j = met_[front.begin + o];
                const bool later = rank_[i] > rank_[j]; // the block is that of the earlier, which has the columns
                double* const target = &below_[updates_[update + o]] + (later ? r * most_rows_[j] : r);
                const std::size_t next = later ? 1 : most_rows_[i];
                for (std::size_t s = 0; s < begin[o + 1] - begin[o]; ++s) {
                    target[s * next] -= sum[begin[o] + s];
                }
            }
            for (std::size_t s = 0; s < begin[m + 1] - begin[m]; ++s) {
                diagonal_[i][entry(r, s)] -= sum[begin[m] + s];
            }
        }
    }
}

std::size_t JointSystem::memory_bytes() const {
    return bytes_of(parts_) + bytes_of(order_) + bytes_of(rank_) + bytes_of(fronts_) + bytes_of(met_) +
           bytes_of(met_blocks_) + bytes_of(updates_) + bytes_of(pairs_) + bytes_of(diagonal_) + bytes_of(soft_) +
           bytes_of(below_) + bytes_of(most_rows_) + bytes_of(rows_of_) + bytes_of(unknown_) + bytes_of(levers_) +
           bytes_of(changes_);
}

} // namespace cairn::physics
