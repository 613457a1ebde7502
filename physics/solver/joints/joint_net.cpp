#include "physics/solver/joints/joint_net.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"

#include <algorithm>
#include <array>
#include <bit>

namespace cairn::physics {

namespace {

// A joint finds a colour that neither of its bodies has yet. Bodies with more joints than that have the rest of them
// in one last colour, whose joints are solved in turn.
constexpr std::size_t most_colours = 63;

bool goes_in_lanes(const JointTie& tie) {
    return tie.kind == JointKind::ball && tie.rows == 3 && !tie.has_free_rows;
}

void set(LaneVec3& to, std::size_t lane, const Vec3& value) {
    to.x.x[lane] = value.x;
    to.y.x[lane] = value.y;
    to.z.x[lane] = value.z;
}

Vec3 get(const LaneVec3& from, std::size_t lane) {
    return {from.x.x[lane], from.y.x[lane], from.z.x[lane]};
}

} // namespace

void JointNet::plan(const JointGraph& graph, std::span<const std::uint32_t> components) {
    colours_.clear();
    blocks_.clear();
    others_.clear();
    joints_ = 0;
    if (components.empty()) {
        return;
    }
    const std::span<const JointTie> ties = graph.ties();
    std::vector<std::uint64_t> taken; // by motion: colours of its joints
    std::array<std::vector<std::uint32_t>, most_colours + 1> by_colour;
    for (const std::uint32_t number : components) {
        const JointGraph::Component& component = graph.components()[number];
        const std::span<const std::uint32_t> bodies = graph.bodies_of(component);
        taken.resize(std::max<std::size_t>(taken.size(), std::ranges::max(bodies) + std::size_t{1}), 0);
        for (const std::uint32_t joint : graph.joints_of(component)) {
            const std::uint32_t a = ties[joint].a, b = ties[joint].b;
            const std::uint64_t used = (a != 0 ? taken[a] : 0) | (b != 0 ? taken[b] : 0);
            const auto colour = std::min<std::size_t>(static_cast<std::size_t>(std::countr_one(used)), most_colours);
            by_colour[colour].push_back(joint);
            for (const std::uint32_t motion : {a, b}) {
                if (motion != 0 && colour < most_colours) {
                    taken[motion] |= std::uint64_t{1} << colour;
                }
            }
        }
        joints_ += component.joints;
    }
    for (std::size_t c = 0; c <= most_colours; ++c) {
        if (by_colour[c].empty()) {
            continue;
        }
        Colour& colour = colours_.emplace_back();
        colour.in_turn = c == most_colours;
        colour.first_block = static_cast<std::uint32_t>(blocks_.size());
        colour.first_other = static_cast<std::uint32_t>(others_.size());
        std::size_t in_lanes = 0;
        for (const std::uint32_t i : by_colour[c]) {
            if (colour.in_turn || !goes_in_lanes(ties[i])) {
                others_.push_back(i);
                continue;
            }
            const std::size_t lane = in_lanes++ % block_lanes;
            if (lane == 0) {
                blocks_.emplace_back();
            }
            BallBlock& block = blocks_.back();
            block.joint[lane] = i;
            block.used = static_cast<std::uint32_t>(lane + 1);
        }
        colour.end_block = static_cast<std::uint32_t>(blocks_.size());
        colour.end_other = static_cast<std::uint32_t>(others_.size());
    }
}

void JointNet::load(Executor& executor, std::span<const JointInput> joints) {
    for_all(
        executor,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                BallBlock& block = blocks_[i];
                for (std::size_t lane = 0; lane < block_lanes; ++lane) {
                    const bool used = lane < block.used;
                    const JointInput& joint = joints[block.joint[used ? lane : 0]];
                    block.motion_a[lane] = used ? joint.motion_a : 0u;
                    block.motion_b[lane] = used ? joint.motion_b : 0u;
                    block.write_a[lane] = joint.inverse_mass_a > 0.0f ? block.motion_a[lane] : 0u;
                    block.write_b[lane] = joint.inverse_mass_b > 0.0f ? block.motion_b[lane] : 0u;
                    block.inverse_mass_a.x[lane] = used ? joint.inverse_mass_a : 1.0f;
                    block.inverse_mass_b.x[lane] = used ? joint.inverse_mass_b : 1.0f;
                    set(block.start_arm_a, lane, joint.start_arm_a);
                    set(block.start_arm_b, lane, joint.start_arm_b);
                    set(block.start_offset, lane, joint.start_offset);
                    const std::array<float, 6>& rigid = joint.impulses.rigid;
                    set(block.impulse, lane, used ? Vec3(rigid[0], rigid[1], rigid[2]) : Vec3(0.0f));
                    set(block.sum, lane, Vec3(0.0f));
                }
            }
        },
        [](std::uint32_t) {});
}

void JointNet::store(Executor& executor, std::span<JointInput> joints) const {
    for_all(
        executor,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const BallBlock& block = blocks_[i];
                for (std::size_t lane = 0; lane < block.used; ++lane) {
                    JointInput& joint = joints[block.joint[lane]];
                    const Vec3 impulse = get(block.impulse, lane);
                    joint.impulses.rigid = {impulse.x, impulse.y, impulse.z, 0.0f, 0.0f, 0.0f};
                    joint.step_force = get(block.sum, lane);
                }
            }
        },
        [](std::uint32_t) {});
}

void JointNet::refresh(Executor& executor, std::span<JointRows> joints, std::span<BodyMotion> motions,
                       std::span<const BodyInertia> inertias) {
    BallWork work;
    work.blocks = blocks_;
    work.motions = motions.data();
    work.inertias = inertias.data();
    for_all(
        executor, [&](std::size_t begin, std::size_t end) { run_balls(BallPass::refresh, begin, end, work); },
        [&](std::uint32_t i) { cairn::physics::refresh(joints[i], motions, inertias); });
}

void JointNet::warm_start(Executor& executor, std::span<JointRows> joints, std::span<BodyMotion> motions) {
    BallWork work;
    work.blocks = blocks_;
    work.motions = motions.data();
    by_colours(
        executor, 1, [&](std::size_t begin, std::size_t end) { run_balls(BallPass::warm_start, begin, end, work); },
        [&](std::uint32_t i) {
            warm_start_rigid_rows(joints[i], motions);
            warm_start_free_rows(joints.subspan(i, 1), motions);
        });
}

void JointNet::solve(Executor& executor, std::span<JointRows> joints, std::span<BodyMotion> motions,
                     const JointSolverSettings& settings, bool use_bias) {
    BallWork work;
    work.blocks = blocks_;
    work.motions = motions.data();
    work.bias_rate = settings.softness.bias_rate;
    work.mass_scale = settings.softness.mass_scale;
    work.impulse_scale = settings.softness.impulse_scale;
    work.most_taken_back = most_taken_back;
    by_colours(
        executor, sweeps,
        [&](std::size_t begin, std::size_t end) {
            run_balls(use_bias ? BallPass::push : BallPass::relax, begin, end, work);
        },
        [&](std::uint32_t i) {
            if (has_free_rows(joints[i])) {
                solve_free_rows(joints[i], motions, settings, use_bias, true);
            }
            solve_rigid_rows(joints[i], motions, settings, use_bias);
        });
}

void JointNet::accumulate(Executor& executor, std::span<JointRows> joints) {
    BallWork work;
    work.blocks = blocks_;
    for_all(
        executor, [&](std::size_t begin, std::size_t end) { run_balls(BallPass::add_up, begin, end, work); },
        [&](std::uint32_t i) { cairn::physics::accumulate(joints.subspan(i, 1)); });
}

// Blocks and joints in any order.
template <class Blocks, class Others>
void JointNet::for_all(Executor& executor, const Blocks& on_blocks, const Others& on_others) const {
    parallel_for(executor, blocks_.size(), 32, on_blocks);
    parallel_for(executor, others_.size(), 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            on_others(others_[i]);
        }
    });
}

// Colour after colour, in sweeps that run there and back in turns.
template <class Blocks, class Others>
void JointNet::by_colours(Executor& executor, int sweep_count, const Blocks& on_blocks, const Others& on_others) {
    constexpr std::size_t worth_while = 400; // joints for each thread
    const std::size_t parts =
        std::min(static_cast<std::size_t>(executor.thread_count()), std::max<std::size_t>(joints_ / worth_while, 1));
    const std::size_t count = colours_.size();
    needs_.clear();
    for (std::uint32_t stage = 0; stage < count * static_cast<std::size_t>(sweep_count); ++stage) {
        needs_.push_back(stage);
    }
    run_stages(executor, needs_, parts, [&](std::size_t stage, std::size_t part) {
        const std::size_t sweep = stage / count, place = stage % count;
        const Colour& colour = colours_[sweep % 2 == 0 ? place : count - 1 - place];
        const auto slice = [&](std::size_t begin, std::size_t end, std::size_t of) {
            return begin + (end - begin) * of / parts;
        };
        const std::size_t begin = slice(colour.first_block, colour.end_block, part);
        const std::size_t end = slice(colour.first_block, colour.end_block, part + 1);
        if (begin < end) {
            on_blocks(begin, end);
        }
        if (colour.in_turn && part > 0) {
            return;
        }
        const std::size_t others =
            colour.in_turn ? colour.end_other : slice(colour.first_other, colour.end_other, part + 1);
        for (std::size_t i = slice(colour.first_other, colour.end_other, part); i < others; ++i) {
            on_others(others_[i]);
        }
    });
}

std::size_t JointNet::memory_bytes() const {
    return bytes_of(colours_) + bytes_of(blocks_) + bytes_of(others_) + bytes_of(needs_);
}

} // namespace cairn::physics
