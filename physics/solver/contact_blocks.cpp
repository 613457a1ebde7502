#include "physics/solver/contact_blocks.h"

#include "physics/base/executor_loop.h"

#include <algorithm>

namespace cairn::physics {

namespace {

constexpr std::size_t block_grain = 4; // blocks for one thread to take at a time
constexpr std::size_t contact_grain = 256;

// Calls deed(block) with the type of block that the kind has.
template <class Blocks, class Deed>
void with_block(Blocks& blocks, RowKind kind, std::size_t i, Deed&& deed) {
    switch (kind) {
    case RowKind::balls:
        deed(blocks.balls[i]);
        break;
    case RowKind::one:
        deed(blocks.one[i]);
        break;
    case RowKind::two:
        deed(blocks.two[i]);
        break;
    case RowKind::four:
        deed(blocks.four[i]);
        break;
    }
}

RowKind kind_of(const Contact& contact, const ContactPoint& first, const BodyMotion& a, const BodyMotion& b,
                const BodyDynamics& dynamics_a, const BodyDynamics& dynamics_b) {
    if (contact.count > 1) {
        return contact.count == 2 ? RowKind::two : RowKind::four;
    }
    // Unless one has swallowed the other's centre: then its line says nothing.
    const bool balls = a.inverse_mass > 0.0f && b.inverse_mass > 0.0f && !dynamics_a.spin_limited &&
                       !dynamics_b.spin_limited && glm::dot(contact.anchor_a(first), contact.normal) > 0.0f &&
                       glm::dot(contact.anchor_b(first), contact.normal) < 0.0f;
    return balls ? RowKind::balls : RowKind::one;
}

void put(LaneVec3& to, std::size_t lane, const Vec3& value) {
    to.x.x[lane] = value.x;
    to.y.x[lane] = value.y;
    to.z.x[lane] = value.z;
}

Vec3 taken(const LaneVec3& from, std::size_t lane) {
    return {from.x.x[lane], from.y.x[lane], from.z.x[lane]};
}

template <int P>
void clear_lane(RowBlock<P>& block, std::size_t lane) {
    block.contact[lane] = block.motion_a[lane] = block.motion_b[lane] = block.write_a[lane] = block.write_b[lane] = 0;
    block.count.x[lane] = 1.0f;
    put(block.normal, lane, Vec3(0.0f, 0.0f, 1.0f));
    put(block.rolling_impulse, lane, Vec3(0.0f));
    for (LaneFloats* values : {&block.round_a, &block.round_b, &block.free_acceleration, &block.friction,
                               &block.restitution, &block.rolling_arm}) {
        values->x[lane] = 0.0f;
    }
}

template <int P>
void clear_point(RowBlock<P>& block, std::size_t point, std::size_t lane) {
    RowPoint& p = block.points[point];
    put(p.start_arm_a, lane, Vec3(0.0f, 0.0f, 0.5f)); // so that the line between two centres is one
    put(p.start_arm_b, lane, Vec3(0.0f, 0.0f, -0.5f));
    for (LaneFloats* values : {&p.base_separation, &p.take_up, &p.normal_impulse, &p.step_normal_impulse,
                               &p.step_tangent_impulse_1, &p.step_tangent_impulse_2}) {
        values->x[lane] = 0.0f;
    }
}

// What prepare expects: the anchors for arms, the separation for its base, and the friction's impulse for the step's
// sums.
template <int P>
void fill_lane(RowBlock<P>& block, std::size_t lane, const Contact& contact, std::span<const ContactPoint> points,
               const TouchingContact& touching, const RowWork& work, std::span<const BodyDynamics> dynamics) {
    const std::uint32_t a = touching.bodies.a, b = touching.bodies.b;
    const bool moves_a = work.motions[a].inverse_mass > 0.0f, moves_b = work.motions[b].inverse_mass > 0.0f;
    block.contact[lane] = touching.slot;
    block.motion_a[lane] = a;
    block.motion_b[lane] = b;
    block.write_a[lane] = moves_a ? a : 0u;
    block.write_b[lane] = moves_b ? b : 0u;
    block.count.x[lane] = static_cast<float>(contact.count);
    put(block.normal, lane, contact.normal);
    block.round_a.x[lane] = contact.round_a;
    block.round_b.x[lane] = contact.round_b;
    const float pull_a = moves_a ? dynamics[a].gravity_scale : 0.0f;
    const float pull_b = moves_b ? dynamics[b].gravity_scale : 0.0f;
    block.free_acceleration.x[lane] = (pull_b - pull_a) * glm::dot(work.settings.gravity, contact.normal);
    block.friction.x[lane] = contact.friction;
    block.restitution.x[lane] = contact.restitution;
    block.rolling_arm.x[lane] = contact.rolling_arm;
    put(block.rolling_impulse, lane, contact.rolling_impulse);
    block.round = block.round || contact.round_a > 0.0f || contact.round_b > 0.0f;
    block.rolling = block.rolling || contact.rolling_arm > 0.0f;
    block.bouncy = block.bouncy || contact.restitution > 0.0f;
    for (std::size_t i = 0; i < P; ++i) {
        if (i >= points.size()) {
            clear_point(block, i, lane);
            continue;
        }
        const ContactPoint& from = points[i];
        RowPoint& point = block.points[i];
        put(point.start_arm_a, lane, contact.anchor_a(from));
        put(point.start_arm_b, lane, contact.anchor_b(from));
        point.base_separation.x[lane] = from.separation;
        point.take_up.x[lane] = from.take_up;
        point.normal_impulse.x[lane] = from.normal_impulse;
        point.step_normal_impulse.x[lane] = from.friction_impulse.x;
        point.step_tangent_impulse_1.x[lane] = from.friction_impulse.y;
        point.step_tangent_impulse_2.x[lane] = from.friction_impulse.z;
    }
}

template <int P>
void store_lane(const RowBlock<P>& block, std::size_t lane, Contact& contact, std::span<ContactPoint> points,
                std::span<StepImpulse> step_impulses, float to_plain) {
    const Vec3 t1 = taken(block.tangent_1, lane), t2 = taken(block.tangent_2, lane);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const RowPoint& from = block.points[i];
        ContactPoint& point = points[i];
        point.normal_impulse = to_plain * from.normal_impulse.x[lane];
        point.friction_impulse = to_plain * (from.tangent_impulse_1.x[lane] * t1 + from.tangent_impulse_2.x[lane] * t2);
        step_impulses[i].normal = from.step_normal_impulse.x[lane];
        step_impulses[i].friction = from.step_tangent_impulse_1.x[lane] * t1 + from.step_tangent_impulse_2.x[lane] * t2;
    }
    contact.rolling_impulse = block.rolling ? to_plain * taken(block.rolling_impulse, lane) : Vec3(0.0f);
}

} // namespace

// Calls deed(run, begin, end) for stretches of blocks of one kind.
template <class Deed>
void ContactBlocks::for_each_block(Executor& executor, std::span<const Run> runs, std::size_t grain,
                                   Deed&& deed) const {
    std::size_t count = 0;
    for (const Run& run : runs) {
        count += run.blocks;
    }
    parallel_for(executor, count, grain, [&](std::size_t begin, std::size_t end) {
        std::size_t first = 0; // of the run, among the blocks of all runs
        for (const Run& run : runs) {
            const std::size_t from = std::max(begin, first), to = std::min(end, first + run.blocks);
            if (from < to) {
                deed(run, from - first, to - first);
            }
            first += run.blocks;
        }
    });
}

void ContactBlocks::build(Executor& executor, std::span<const TouchingContact> touching, const ContactPool& contacts,
                          std::span<const BodyDynamics> dynamics, RowWork& work) {
    work.blocks = &blocks_;
    row_bodies_.resize(touching.size());
    kinds_.resize(touching.size());
    parallel_for(executor, touching.size(), contact_grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const RowBodies& bodies = touching[i].bodies;
            const BodyMotion &a = work.motions[bodies.a], &b = work.motions[bodies.b];
            // A body without mass is never written, so rows may share it.
            row_bodies_[i] = {a.inverse_mass > 0.0f ? bodies.a : 0u, b.inverse_mass > 0.0f ? bodies.b : 0u};
            const Contact& contact = contacts[touching[i].slot];
            kinds_[i] = kind_of(contact, contacts.points(contact)[0], a, b, dynamics[bodies.a], dynamics[bodies.b]);
        }
    });
    colouring_.assign(row_bodies_, dynamics.size());

    // By kind within each colour.
    order_.resize(touching.size());
    runs_.clear();
    std::array<std::uint32_t, row_kinds> blocks{};
    const std::span<const std::uint32_t> by_colour = colouring_.order();
    std::uint32_t next = 0;
    for (std::size_t colour = 0; colour < Colouring::colour_count; ++colour) {
        first_run_[colour] = static_cast<std::uint32_t>(runs_.size());
        const std::span<const std::uint32_t> rows =
            by_colour.subspan(colouring_.begin(colour), colouring_.end(colour) - colouring_.begin(colour));
        if (colour == Colouring::overflow) { // one after the other, each in a block of its own
            for (const std::uint32_t row : rows) {
                const RowKind kind = kinds_[row];
                runs_.push_back({kind, blocks[static_cast<std::size_t>(kind)]++, 1, next, 1});
                order_[next++] = row;
            }
            continue;
        }
        std::array<std::uint32_t, row_kinds> counts{}, place{};
        for (const std::uint32_t row : rows) {
            ++counts[static_cast<std::size_t>(kinds_[row])];
        }
        for (std::size_t kind = 0; kind < row_kinds; ++kind) {
            place[kind] = next;
            if (counts[kind] != 0) {
                const auto wanted = static_cast<std::uint32_t>((counts[kind] + block_lanes - 1) / block_lanes);
                runs_.push_back({static_cast<RowKind>(kind), blocks[kind], wanted, next, counts[kind]});
                blocks[kind] += wanted;
                next += counts[kind];
            }
        }
        for (const std::uint32_t row : rows) {
            order_[place[static_cast<std::size_t>(kinds_[row])]++] = row;
        }
    }
    first_run_[Colouring::colour_count] = static_cast<std::uint32_t>(runs_.size());
    const auto size_to = [](auto& list, std::size_t size) {
        if (list.size() < size) {
            list.resize(size);
        }
    };
    size_to(blocks_.balls, blocks[static_cast<std::size_t>(RowKind::balls)]);
    size_to(blocks_.one, blocks[static_cast<std::size_t>(RowKind::one)]);
    size_to(blocks_.two, blocks[static_cast<std::size_t>(RowKind::two)]);
    size_to(blocks_.four, blocks[static_cast<std::size_t>(RowKind::four)]);

    for_each_block(executor, runs_, block_grain, [&](const Run& run, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            with_block(blocks_, run.kind, run.first_block + i, [&](auto& block) {
                const std::size_t first = run.first_row + i * block_lanes;
                block.used =
                    static_cast<std::uint32_t>(std::min<std::size_t>(block_lanes, run.first_row + run.rows - first));
                block.turned = block.round = block.rolling = block.bouncy = false;
                for (std::size_t lane = 0; lane < block.used; ++lane) {
                    const TouchingContact& from = touching[order_[first + lane]];
                    const Contact& contact = contacts[from.slot];
                    fill_lane(block, lane, contact, contacts.points(contact), from, work, dynamics);
                }
                for (std::size_t lane = block.used; lane < block_lanes; ++lane) {
                    clear_lane(block, lane);
                    for (std::size_t point = 0; point < block.points.size(); ++point) {
                        clear_point(block, point, lane);
                    }
                }
            });
        }
        run_rows(RowPass::prepare, run.kind, run.first_block + begin, run.first_block + end, work);
    });

    bouncy_.clear();
    for (const Run& run : runs_) {
        for (std::uint32_t i = 0; i < run.blocks; ++i) {
            with_block(blocks_, run.kind, run.first_block + i, [&](const auto& block) {
                for (std::uint8_t lane = 0; block.bouncy && lane < block.used; ++lane) {
                    if (block.restitution.x[lane] > 0.0f) {
                        bouncy_.push_back(
                            {run.kind, lane, run.first_block + i, block.motion_a[lane], block.motion_b[lane]});
                    }
                }
            });
        }
    }
}

void ContactBlocks::pass(Executor& executor, RowPass pass, const RowWork& work, bool backward) const {
    for (std::size_t i = 0; i < Colouring::colour_count; ++i) {
        const std::size_t colour = backward ? Colouring::colour_count - 1 - i : i;
        const std::span<const Run> runs =
            std::span(runs_).subspan(first_run_[colour], first_run_[colour + 1] - first_run_[colour]);
        const std::size_t grain = colour == Colouring::overflow ? std::max<std::size_t>(runs.size(), 1) : block_grain;
        for_each_block(executor, runs, grain, [&](const Run& run, std::size_t begin, std::size_t end) {
            run_rows(pass, run.kind, run.first_block + begin, run.first_block + end, work);
        });
    }
}

void ContactBlocks::store(Executor& executor, ContactPool& contacts, const ContactSolverSettings& settings) const {
    const float to_plain = 1.0f / settings.plain_substeps;
    for_each_block(executor, runs_, block_grain, [&](const Run& run, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            with_block(blocks_, run.kind, run.first_block + i, [&](const auto& block) {
                for (std::size_t lane = 0; lane < block.used; ++lane) {
                    Contact& contact = contacts[block.contact[lane]];
                    store_lane(block, lane, contact, contacts.points(contact), contacts.step_impulses(contact),
                               to_plain);
                }
            });
        }
    });
}

} // namespace cairn::physics
