#include "physics/solver/joints/system/joint_graph.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/solver/joints/rows/passes/held_rows.h"

#include <algorithm>
#include <atomic>

namespace cairn::physics {

namespace {} // namespace

JointTie tie_of(const JointInput& joint) {
    const auto [a, b] = ends_of(joint);
    // The matrix of springs is formed and factored once more in every substep, for blocks as small as theirs in vain.
    constexpr int least_rows_of_spring = 4;
    const int rows = rigid_rows(joint) + most_held_rows(joint);
    const int costly = joint.has_spring ? std::max(rows, least_rows_of_spring) : rows;
    return {a, b, rows, costly, joint.kind, has_free_rows(joint)};
}

bool JointGraph::same(Executor& executor, std::span<const JointInput> joints) const {
    if (ties_.size() != joints.size()) {
        return false;
    }
    std::atomic<bool> same = true;
    parallel_for(executor, joints.size(), 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (tie_of(joints[i]) != ties_[i]) {
                same.store(false, std::memory_order_relaxed);
                return;
            }
        }
    });
    return same;
}

bool JointGraph::update(Executor& executor, std::span<const JointInput> joints, std::size_t motion_count) {
    if (same(executor, joints)) {
        first_incident_.resize(motion_count + 1, static_cast<std::uint32_t>(incident_.size()));
        return false;
    }
    ties_.clear();
    for (const JointInput& joint : joints) {
        ties_.push_back(tie_of(joint));
    }
    const auto count = static_cast<std::uint32_t>(ties_.size());
    first_incident_.assign(motion_count + 1, 0);
    const auto for_ends = [this](std::uint32_t joint, const auto& task) {
        for (const std::uint32_t motion : {ties_[joint].a, ties_[joint].b}) {
            if (motion != 0) {
                task(motion);
            }
        }
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        for_ends(i, [this](std::uint32_t motion) { ++first_incident_[motion + 1]; });
    }
    for (std::size_t m = 1; m <= motion_count; ++m) {
        first_incident_[m] += first_incident_[m - 1];
    }
    incident_.resize(first_incident_.back());
    std::vector<std::uint32_t> next(first_incident_.begin(), first_incident_.end() - 1);
    for (std::uint32_t i = 0; i < count; ++i) {
        for_ends(i, [&](std::uint32_t motion) { incident_[next[motion]++] = i; });
    }
    components_.clear();
    joints_.clear();
    bodies_.clear();
    std::vector<std::uint32_t> reached;
    std::vector<std::uint8_t> listed(count, 0), met(motion_count, 0), placed(motion_count, 0);
    for (std::uint32_t first = 0; first < count; ++first) {
        if (listed[first] != 0) {
            continue;
        }
        Component component;
        component.first_joint = static_cast<std::uint32_t>(joints_.size());
        component.first_body = static_cast<std::uint32_t>(bodies_.size());
        listed[first] = 1;
        reached.assign(1, first);
        while (!reached.empty()) {
            const std::uint32_t joint = reached.back();
            reached.pop_back();
            joints_.push_back(joint);
            for_ends(joint, [&](std::uint32_t motion) {
                if (met[motion] != 0) {
                    return;
                }
                met[motion] = 1;
                for (const std::uint32_t other : joints_at(motion)) {
                    if (listed[other] == 0) {
                        listed[other] = 1;
                        reached.push_back(other);
                    }
                }
            });
        }
        component.joints = static_cast<std::uint32_t>(joints_.size()) - component.first_joint;
        std::sort(joints_.begin() + component.first_joint, joints_.end());
        for (const std::uint32_t joint : joints_of(component)) {
            for_ends(joint, [&](std::uint32_t motion) {
                if (placed[motion] == 0) {
                    placed[motion] = 1;
                    bodies_.push_back(motion);
                }
            });
        }
        component.bodies = static_cast<std::uint32_t>(bodies_.size()) - component.first_body;
        components_.push_back(component);
    }
    return true;
}

std::size_t JointGraph::memory_bytes() const {
    return bytes_of(ties_) + bytes_of(components_) + bytes_of(joints_) + bytes_of(bodies_) + bytes_of(first_incident_) +
           bytes_of(incident_);
}

} // namespace cairn::physics
