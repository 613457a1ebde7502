#include "physics/solver/contact_blocks.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"

#include <algorithm>

namespace cairn::physics {

namespace {

constexpr std::size_t contact_grain = 256;

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

void ContactBlocks::build(Executor& executor, std::span<const TouchingContact> touching, ContactPool& contacts,
                          std::span<const BodyDynamics> dynamics, std::span<const std::uint32_t> members, RowWork& work,
                          bool backward) {
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
    sort_into_runs();
    share_out(static_cast<std::size_t>(executor.thread_count()), members.size(), backward);
    owners_.resize(dynamics.size());
    constexpr std::array<std::uint32_t, 3> each_after_the_other{0, 1, 2};
    run_stages(executor, each_after_the_other, used_parts_, [&](std::size_t stage, std::size_t part) {
        switch (stage) {
        case 0:
            for (const Stretch& stretch : parts_[part].all) {
                fill(stretch, touching, contacts);
                run_rows(RowPass::prepare, stretch.kind, stretch.begin, stretch.end, work);
            }
            mark_bodies(part);
            break;
        case 1:
            find_owners(part, members, work.motions);
            break;
        default:
            split(part);
            list_bodies(part, members);
        }
    });
    list_bouncy();
}

// By kind within each colour.
void ContactBlocks::sort_into_runs() {
    order_.resize(row_bodies_.size());
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
    make_room_for(blocks);
}

// Blocks are most of what the solver holds. They are made anew in every step, so nothing is kept when they move; what
// is far more than the last steps have needed is given back.
void ContactBlocks::make_room_for(const std::array<std::uint32_t, row_kinds>& blocks) {
    constexpr int steps_between_looks = 64;
    const bool look = ++builds_ >= steps_between_looks;
    const auto fit = [&](auto& list, RowKind kind) {
        const auto k = static_cast<std::size_t>(kind);
        const std::size_t size = blocks[k];
        peaks_[k] = std::max(peaks_[k], size);
        constexpr std::size_t least = 4;
        const bool too_many = look && 2 * list.size() > 3 * peaks_[k] + 2 * least;
        if (list.size() < size || too_many) {
            list = {};
            list.reserve(peaks_[k] + peaks_[k] / 16 + 1);
            list.resize(list.capacity());
        }
        peaks_[k] = look ? 0 : peaks_[k];
    };
    fit(blocks_.balls, RowKind::balls);
    fit(blocks_.one, RowKind::one);
    fit(blocks_.two, RowKind::two);
    fit(blocks_.four, RowKind::four);
    builds_ = look ? 0 : builds_;
}

void ContactBlocks::fill(const Stretch& stretch, std::span<const TouchingContact> touching,
                         const ContactPool& contacts) {
    for (std::uint32_t i = stretch.begin; i < stretch.end; ++i) {
        with_block(blocks_, stretch.kind, i, [&](auto& block) {
            const std::size_t first = stretch.first_row + (i - stretch.begin) * block_lanes;
            block.used = static_cast<std::uint32_t>(std::min<std::size_t>(block_lanes, stretch.end_row - first));
            block.turned = block.round = block.rolling = block.bouncy = false;
            block.in_turn = stretch.in_turn;
            for (std::size_t lane = 0; lane < block_lanes; ++lane) {
                const std::uint32_t row = order_[first + (lane < block.used ? lane : 0)];
                TouchingContact from = touching[row];
                if (lane >= block.used) {
                    from.bodies = RowBodies{};
                }
                fill_lane(block, lane, contacts[from.slot], from, lane < block.used ? row_bodies_[row] : RowBodies{});
            }
        });
    }
}

void ContactBlocks::list_bouncy() {
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

void ContactBlocks::run(RowPass pass, const Part& part, std::size_t i, const RowWork& work) const {
    for (std::size_t s = part.first[i]; s < part.first[i + 1]; ++s) {
        const Stretch& stretch = part.stretches[s];
        run_rows(pass, stretch.kind, stretch.begin, stretch.end, work);
    }
}

void ContactBlocks::run_all(RowPass pass, std::size_t part, const RowWork& work) const {
    for (const Stretch& stretch : parts_[part].stretches) {
        run_rows(pass, stretch.kind, stretch.begin, stretch.end, work);
    }
}

std::size_t ContactBlocks::memory_bytes() const {
    std::size_t bytes = bytes_of(blocks_.balls) + bytes_of(blocks_.one) + bytes_of(blocks_.two) +
                        bytes_of(blocks_.four) + colouring_.memory_bytes() + bytes_of(row_bodies_) + bytes_of(kinds_) +
                        bytes_of(order_) + bytes_of(runs_) + bytes_of(bouncy_) + bytes_of(parts_) + bytes_of(owners_) +
                        bytes_of(placed_) + several_colours_.capacity() / 8;
    for (const Part& part : parts_) {
        bytes += bytes_of(part.stretches) + bytes_of(part.first) + bytes_of(part.touches) + bytes_of(part.owned) +
                 bytes_of(part.shared_bodies) + bytes_of(part.own_bodies) + bytes_of(part.all) +
                 bytes_of(part.first_of_all);
    }
    return bytes;
}

} // namespace cairn::physics
