#include "physics/solver/contact_blocks.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"

#include <algorithm>
#include <limits>

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

template <int P>
void fill_lane(RowBlock<P>& block, std::size_t lane, const Contact& contact, const TouchingContact& touching,
               const RowBodies& pushed) {
    block.contact[lane] = touching.slot;
    block.first_point[lane] = contact.first_point;
    block.motion_a[lane] = touching.bodies.a;
    block.motion_b[lane] = touching.bodies.b;
    block.write_a[lane] = pushed.a;
    block.write_b[lane] = pushed.b;
    block.count.x[lane] = static_cast<float>(contact.count);
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

void ContactBlocks::build(Executor& executor, std::span<const TouchingContact> touching, ContactPool& contacts,
                          std::span<const BodyDynamics> dynamics, RowWork& work) {
    work.blocks = &blocks_;
    if (!touching.empty()) {
        Contact& any = contacts[touching[0].slot];
        work.contacts = &any - touching[0].slot;
        work.points = contacts.points(any).data() - any.first_point;
        work.step_impulses = contacts.step_impulses(any).data() - any.first_point;
    }
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
        std::array<std::uint32_t, row_kinds> counts{}, place{};
        for (const std::uint32_t row : rows) {
            ++counts[static_cast<std::size_t>(kinds_[row])];
        }
        for (std::size_t kind = 0; kind < row_kinds; ++kind) {
            place[kind] = next;
            if (counts[kind] != 0) {
                const auto wanted = static_cast<std::uint32_t>((counts[kind] + block_lanes - 1) / block_lanes);
                runs_.push_back({static_cast<RowKind>(kind), blocks[kind], wanted, next, counts[kind],
                                 colour == Colouring::overflow});
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
                block.in_turn = run.in_turn;
                for (std::size_t lane = 0; lane < block_lanes; ++lane) {
                    const std::uint32_t row = order_[first + (lane < block.used ? lane : 0)];
                    TouchingContact from = touching[row];
                    if (lane >= block.used) {
                        from.bodies = RowBodies{};
                    }
                    fill_lane(block, lane, contacts[from.slot], from,
                              lane < block.used ? row_bodies_[row] : RowBodies{});
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
        const bool in_turn = colour == Colouring::overflow;
        const std::size_t grain = in_turn ? std::numeric_limits<std::size_t>::max() : block_grain;
        for_each_block(executor, runs, grain, [&](const Run& run, std::size_t begin, std::size_t end) {
            run_rows(pass, run.kind, run.first_block + begin, run.first_block + end, work);
        });
    }
}

void ContactBlocks::store(Executor& executor, const RowWork& work) const {
    for_each_block(executor, runs_, block_grain, [&](const Run& run, std::size_t begin, std::size_t end) {
        run_rows(RowPass::store, run.kind, run.first_block + begin, run.first_block + end, work);
    });
}

std::size_t ContactBlocks::memory_bytes() const {
    return bytes_of(blocks_.balls) + bytes_of(blocks_.one) + bytes_of(blocks_.two) + bytes_of(blocks_.four) +
           colouring_.memory_bytes() + bytes_of(row_bodies_) + bytes_of(kinds_) + bytes_of(order_) + bytes_of(runs_) +
           bytes_of(bouncy_);
}

} // namespace cairn::physics
