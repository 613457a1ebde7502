#include "physics/solver/joints/system/joint_system.h"

#include "physics/base/bytes.h"
#include "physics/base/large_pages.h"
#include "physics/solver/joints/rows/passes/held_rows.h"

#include <algorithm>
#include <functional>
#include <iterator>
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

// Adds to the neighbours of a joint those of one that is taken out. Both lists are sorted.
void take_over(std::vector<std::uint32_t>& neighbours, std::uint32_t joint, std::uint32_t taken_out,
               std::span<const std::uint32_t> others, std::vector<std::uint32_t>& merged) {
    merged.clear();
    std::set_union(neighbours.begin(), neighbours.end(), others.begin(), others.end(), std::back_inserter(merged));
    std::erase_if(merged, [&](std::uint32_t other) { return other == joint || other == taken_out; });
    std::swap(neighbours, merged);
}

// Multiplications that take n rows out of a matrix in which they meet f others.
std::size_t work_of(std::size_t n, std::size_t f) {
    return n * n * n / 3 + n * n * f + n * f * f;
}

// Rows that hold points have the levers of their arms; those that hold directions have theirs in single precision, of
// which no pull can make a spin.
void state_rows(LaneJoint& lanes, JointRows& joint, std::span<const JointBody> bodies, double give) {
    const auto [end_a, end_b] = ends_of(joint);
    const JointBody &a = bodies[joint.motion_a], &b = bodies[joint.motion_b];
    const auto mass_a = static_cast<double>(joint.inverse_mass_a), mass_b = static_cast<double>(joint.inverse_mass_b);
    lanes.motion_a = joint.motion_a;
    lanes.motion_b = joint.motion_b;
    lanes.pushed_a = end_a != 0;
    lanes.pushed_b = end_b != 0;
    lanes.rows = static_cast<std::uint8_t>(rows_together(joint));
    lanes.give_a = {give * mass_a, give * a.slowest_turn};
    lanes.give_b = {give * mass_b, give * b.slowest_turn};
    dvec3 arm_a = a.orientation * dvec3(joint.local_arm_a);
    if (joint.kind == JointKind::slider || joint.kind == JointKind::six_dof) {
        arm_a += dvec3(joint.offset);
    }
    const dvec3 arm_b = b.orientation * dvec3(joint.local_arm_b);
    const bool point = joint.kind != JointKind::rack && joint.kind != JointKind::pulley;
    const auto set = [](std::array<SixLanes, 6>& factors, std::array<SixLanes, 6>& changes, std::size_t r,
                        const dvec3& linear, const dvec3& lever, double inverse_mass,
                        const glm::dmat3& inverse_inertia) {
        const dvec3 pushed = inverse_mass * linear, turned = inverse_inertia * lever;
        for (int c = 0; c < 3; ++c) {
            const auto i = static_cast<std::size_t>(c);
            factors[i][r] = linear[c];
            factors[i + 3][r] = lever[c];
            changes[r][i] = pushed[c];
            changes[r][i + 3] = turned[c];
        }
    };
    for (std::size_t r = 0; r < lanes.rows; ++r) {
        const JointRow& row = row_together(joint, r);
        const dvec3 linear(row.linear);
        const bool holds_point = point && row.linear != Vec3(0.0f);
        set(lanes.of_a, lanes.change_a, r, dvec3(row.linear_a) - linear,
            holds_point && lanes.pushed_a ? -glm::cross(arm_a, linear) : dvec3(row.angular_a), mass_a,
            a.inverse_inertia);
        set(lanes.of_b, lanes.change_b, r, linear,
            holds_point && lanes.pushed_b ? glm::cross(arm_b, linear) : dvec3(row.angular_b), mass_b,
            b.inverse_inertia);
    }
    lanes.soft = false;
    for (std::size_t r = static_cast<std::size_t>(joint.count); r < lanes.rows; ++r) {
        lanes.soft = lanes.soft || is_spring(joint, r);
    }
    if (lanes.soft) {
        lanes.springs = {};
        for (std::size_t r = static_cast<std::size_t>(joint.count); r < lanes.rows; ++r) {
            for (std::size_t c = static_cast<std::size_t>(joint.count); c < lanes.rows; ++c) {
                lanes.springs[r][c] = static_cast<double>(is_spring(joint, r) ? give_of_spring(joint, r, c) : 0.0f);
            }
        }
    }
    for (std::size_t c = 0; c < 6; ++c) { // what more rows have left
        std::fill(lanes.of_a[c].begin() + lanes.rows, lanes.of_a[c].end(), 0.0);
        std::fill(lanes.of_b[c].begin() + lanes.rows, lanes.of_b[c].end(), 0.0);
    }
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
    lanes_.clear();
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
    place_blocks(graph, joints, part);
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
            rows_met += static_cast<std::size_t>(ties[other].costly_rows);
        }
        part.work += work_of(static_cast<std::size_t>(ties[joint].costly_rows), rows_met);
        if (degree > widest_front || part.work > most) {
            return false;
        }
        gone_[joint] = 1;
        rank_[joint] = static_cast<std::uint32_t>(order_.size());
        order_.push_back(joint);
        fronts_.push_back({static_cast<std::uint32_t>(met_.size()), static_cast<std::uint32_t>(degree), 0});
        met_.insert(met_.end(), met.begin(), met.end());
        for (const std::uint32_t i : met) {
            take_over(neighbours_[i], i, joint, met, merged_);
            wait(i);
        }
    }
    return true;
}

// Where the blocks lie: first those of pairs that have one from the start, then those that elimination fills in.
void JointSystem::place_blocks(const JointGraph& graph, std::span<const std::uint32_t> joints, Part& part) {
    lanes_.resize(order_.size());
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        lanes_[rank].most_rows = static_cast<std::uint8_t>(graph.ties()[order_[rank]].rows);
    }
    part.first_pair = static_cast<std::uint32_t>(pairs_.size());
    for (const std::uint32_t i : joints) {
        for (const std::uint32_t k : first_neighbours_[i]) {
            if (rank_[i] < rank_[k]) {
                pairs_.push_back({rank_[k], rank_[i], block_of(k, i)});
            }
        }
    }
    part.end_pair = static_cast<std::uint32_t>(pairs_.size());
    part.first_fill = static_cast<std::uint32_t>(below_.size());
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        for (std::uint32_t m = 0; m < fronts_[rank].count; ++m) {
            met_blocks_.push_back(block_of(met_[fronts_[rank].begin + m], order_[rank]));
        }
    }
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        JointFront& front = fronts_[rank];
        front.updates = static_cast<std::uint32_t>(updates_.size());
        for (std::uint32_t m = 0; m < front.count; ++m) {
            for (std::uint32_t n = 0; n < m; ++n) {
                updates_.push_back(block_of(met_[front.begin + m], met_[front.begin + n]));
            }
        }
    }
    part.end_fill = static_cast<std::uint32_t>(below_.size());
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        for (std::uint32_t m = 0; m < fronts_[rank].count; ++m) {
            std::uint32_t& met = met_[fronts_[rank].begin + m];
            met = rank_[met];
        }
    }
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
    below_.resize(below_.size() + block_size(lanes_[rank_[row]].most_rows, lanes_[rank_[column]].most_rows));
    list.push_back(row);
    list.push_back(block);
    return block;
}

JointMatrix JointSystem::matrix_of(const Part& part) {
    JointMatrix matrix;
    matrix.joints = lanes_;
    matrix.fronts = fronts_;
    matrix.met = met_;
    matrix.blocks = met_blocks_;
    matrix.updates = updates_;
    matrix.pairs = std::span(pairs_).subspan(part.first_pair, part.end_pair - part.first_pair);
    matrix.below = below_;
    matrix.first_rank = part.first_rank;
    matrix.end_rank = part.end_rank;
    matrix.first_fill = part.first_fill;
    matrix.end_fill = part.end_fill;
    return matrix;
}

void JointSystem::factorise(std::size_t component, std::span<JointRows> joints, std::span<const JointBody> bodies,
                            double give) {
    const Part& part = parts_[component];
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        state_rows(lanes_[rank], joints[order_[rank]], bodies, give);
    }
    factorise_rows(matrix_of(part));
}

std::size_t JointSystem::memory_bytes() const {
    return bytes_of(parts_) + bytes_of(order_) + bytes_of(rank_) + bytes_of(lanes_) + bytes_of(fronts_) +
           bytes_of(met_) + bytes_of(met_blocks_) + bytes_of(updates_) + bytes_of(pairs_) + bytes_of(below_) +
           bytes_of(changes_);
}

} // namespace cairn::physics
