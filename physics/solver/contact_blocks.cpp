#include "physics/solver/contact_blocks.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/base/large_pages.h"

#include <algorithm>
#include <tuple>

namespace cairn::physics {

namespace {

constexpr std::size_t contact_grain = 1024;

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

void set_rim(RimRows& rim, std::size_t lane, const Contact& contact) {
    const Vec3& axis = contact.rim_axis;
    const bool there = contact.rim_radius != 0.0f;
    rim.radius.x[lane] = contact.rim_radius;
    rim.reach.x[lane] = contact.rim_reach;
    rim.axis.x.x[lane] = there ? axis.x : 0.0f;
    rim.axis.y.x[lane] = there ? axis.y : 0.0f;
    rim.axis.z.x[lane] = there ? axis.z : 0.0f;
}

void put(LaneVec3& to, std::size_t lane, const Vec3& value) {
    to.x.x[lane] = value.x;
    to.y.x[lane] = value.y;
    to.z.x[lane] = value.z;
}

void set_cone(ConeRows& cone, std::size_t lane, const Contact& contact) {
    cone.wider_a.x[lane] = contact.wider_a;
    cone.wider_b.x[lane] = contact.wider_b;
}

void set_curved(CurvedRows& curved, std::size_t lane, const Contact& contact) {
    const bool there = contact.normal_turns != 0;
    put(curved.flat_1, lane, there ? contact.flat_1 : Vec3(0.0f));
    put(curved.flat_2, lane, there ? contact.flat_2 : Vec3(0.0f));
    curved.of_a_1.x[lane] = contact.flat_1_of_a != 0 ? 1.0f : 0.0f;
    curved.of_a_2.x[lane] = contact.flat_2_of_a != 0 ? 1.0f : 0.0f;
    curved.turns.x[lane] = there ? 1.0f : 0.0f;
    curved.reach.x[lane] = there ? contact.flat_reach : 0.0f;
}

} // namespace

void ContactBlocks::build(Executor& executor, std::span<const TouchingContact> touching, ContactPool& contacts,
                          std::span<const BodyTraits> traits, const Regions& regions, RowWork work, bool backward,
                          std::span<std::uint8_t> colour_of_contact) {
    if (!touching.empty()) {
        Contact& any = contacts[touching[0].slot];
        work.contacts = &any - touching[0].slot;
        work.points = contacts.points(any).data() - any.first_point;
        work.step_impulses = contacts.step_impulses(any).data() - any.first_point;
    }
    row_bodies_.resize(touching.size());
    parallel_for(executor, touching.size(), contact_grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            // A body without mass is never written, so rows may share it.
            const RowBodies& bodies = touching[i].bodies;
            row_bodies_[i] = {traits[bodies.a].pushed ? bodies.a : 0u, traits[bodies.b].pushed ? bodies.b : 0u};
        }
    });
    colouring_.assign(row_bodies_, traits.size());
    for (std::size_t row = 0; row < touching.size() && !colour_of_contact.empty(); ++row) {
        colour_of_contact[touching[row].slot] = colouring_.colour_of(row);
    }
    share_out(regions, backward);
    for (std::size_t part = 0; part < used_parts_; ++part) {
        parts_[part].work = work;
        parts_[part].work.blocks = &blocks_[part];
    }
    constexpr std::array<std::uint32_t, 2> one_after_the_other{0, 1};
    run_stages(executor, one_after_the_other, used_parts_, [&](std::size_t stage, std::size_t part) {
        if (stage == 0) {
            take_rows(part, regions);
            return;
        }
        sort_rows(part, touching, contacts, traits, regions);
        list_stages(part);
        for (const Run& run : parts_[part].runs) {
            fill(part, run, touching, contacts);
            run_rows(RowPass::prepare, run.kind, run.first_block, run.first_block + run.blocks, parts_[part].work);
        }
        list_bodies(part, traits, regions);
    });
    list_impacts(traits, contacts);
}

// Blocks are most of what the solver holds. They are made anew in every step, so nothing is kept when they move; what
// is far more than the last steps have needed is given back.
void ContactBlocks::make_room(std::size_t part, const std::array<std::uint32_t, row_kinds>& wanted) {
    Part& mine = parts_[part];
    const auto fit = [&](auto& list, RowKind kind) {
        const std::size_t size = wanted[static_cast<std::size_t>(kind)];
        RecentPeak& recent = mine.peaks[static_cast<std::size_t>(kind)];
        recent.note(size);
        const std::size_t peak = recent.peak();
        constexpr std::size_t least = 4;
        const bool too_many = recent.look() && 2 * list.size() > 3 * peak + 2 * least;
        if (list.size() < size || too_many) {
            list = {};
            reserve_large(list, peak + peak / 16 + 1);
            list.resize(list.capacity());
        }
    };
    RowBlocks& blocks = blocks_[part];
    blocks.turned_1.refill();
    blocks.turned_2.refill();
    blocks.turned_4.refill();
    blocks.rolling.refill();
    blocks.rims.refill();
    blocks.curved.refill();
    blocks.cones.refill();
    fit(blocks.balls, RowKind::balls);
    fit(blocks.one, RowKind::one);
    fit(blocks.two, RowKind::two);
    fit(blocks.four, RowKind::four);
}

void ContactBlocks::fill(std::size_t part, const Run& run, std::span<const TouchingContact> touching,
                         const ContactPool& contacts) {
    const std::span<const std::uint32_t> rows = std::span(parts_[part].rows).subspan(run.first_row, run.rows);
    for (std::uint32_t i = 0; i < run.blocks; ++i) {
        with_block(blocks_[part], run.kind, run.first_block + i, [&](auto& block) {
            const std::size_t first = i * block_lanes;
            block.used = static_cast<std::uint32_t>(std::min(block_lanes, rows.size() - first));
            block.round = block.impacts = false;
            block.turned = block.rolling = block.rim = block.curved = block.cone = block.none;
            block.in_turn = run.colour == Colouring::overflow;
            for (std::size_t lane = 0; lane < block_lanes; ++lane) {
                const std::uint32_t row = rows[first + (lane < block.used ? lane : 0)];
                TouchingContact from = touching[row];
                const Contact& contact = contacts[from.slot];
                if (contact.rolling_arm > 0.0f && block.rolling == block.none) {
                    block.rolling = blocks_[part].rolling.add();
                }
                if (contact.rim_radius != 0.0f && block.rim == block.none) {
                    block.rim = blocks_[part].rims.add();
                    blocks_[part].rims[block.rim] = RimRows{};
                }
                if (block.rim != block.none) {
                    set_rim(blocks_[part].rims[block.rim], lane, contact);
                }
                if (contact.normal_turns != 0 && run.kind != RowKind::balls && block.curved == block.none) {
                    block.curved = blocks_[part].curved.add();
                    blocks_[part].curved[block.curved] = CurvedRows{};
                }
                if (block.curved != block.none) {
                    set_curved(blocks_[part].curved[block.curved], lane, contact);
                }
                if ((contact.wider_a != 0.0f || contact.wider_b != 0.0f) && block.cone == block.none) {
                    block.cone = blocks_[part].cones.add();
                    blocks_[part].cones[block.cone] = ConeRows{};
                }
                if (block.cone != block.none) {
                    set_cone(blocks_[part].cones[block.cone], lane, contact);
                }
                if (lane >= block.used) {
                    from.bodies = RowBodies{};
                }
                block.impacts = block.impacts || contact.meets_at > 0.0f;
                fill_lane(block, lane, contact, from, lane < block.used ? row_bodies_[row] : RowBodies{});
            }
        });
    }
}

// By colour, kind, and as the contacts came: impacts are answered one after the other.
void ContactBlocks::list_impacts(std::span<const BodyTraits> traits, const ContactPool& contacts) {
    found_impacts_.clear();
    const bool any_jointed = std::any_of(traits.begin(), traits.end(), [](const BodyTraits& of) { return of.jointed; });
    for (std::size_t part = 0; part < used_parts_; ++part) {
        const Part& from = parts_[part];
        for (const Run& run : from.runs) {
            for (std::uint32_t i = 0; i < run.blocks; ++i) {
                with_block(blocks_[part], run.kind, run.first_block + i, [&](const auto& block) {
                    for (std::uint8_t lane = 0; (block.impacts || any_jointed) && lane < block.used; ++lane) {
                        if (block.restitution.x[lane] > 0.0f || contacts[block.contact[lane]].meets_at > 0.0f ||
                            traits[block.motion_a[lane]].jointed || traits[block.motion_b[lane]].jointed) {
                            const RowPlace place{run.kind,
                                                 lane,
                                                 static_cast<std::uint8_t>(part),
                                                 run.first_block + i,
                                                 block.motion_a[lane],
                                                 block.motion_b[lane]};
                            found_impacts_.push_back(
                                {run.colour * std::uint32_t{row_kinds} + static_cast<std::uint32_t>(run.kind),
                                 from.rows[run.first_row + i * block_lanes + lane], place});
                        }
                    }
                });
            }
        }
    }
    std::sort(found_impacts_.begin(), found_impacts_.end(), [](const PossibleImpact& a, const PossibleImpact& b) {
        return std::tie(a.order, a.row) < std::tie(b.order, b.row);
    });
    impacts_.clear();
    for (const PossibleImpact& one : found_impacts_) {
        impacts_.push_back(one.place);
    }
}

void ContactBlocks::run(RowPass pass, std::size_t part, std::size_t i) const {
    const Part& mine = parts_[part];
    for (std::size_t s = mine.first[i]; s < mine.first[i + 1]; ++s) {
        run_rows(pass, mine.stretches[s].kind, mine.stretches[s].begin, mine.stretches[s].end, mine.work);
    }
}

void ContactBlocks::run_all(RowPass pass, std::size_t part) const {
    for (const Run& run : parts_[part].runs) {
        run_rows(pass, run.kind, run.first_block, run.first_block + run.blocks, parts_[part].work);
    }
}

std::size_t ContactBlocks::memory_bytes() const {
    std::size_t bytes = colouring_.memory_bytes() + bytes_of(row_bodies_) + bytes_of(blocks_) + bytes_of(parts_) +
                        bytes_of(found_impacts_) + bytes_of(impacts_);
    for (const RowBlocks& blocks : blocks_) {
        bytes += bytes_of(blocks.balls) + bytes_of(blocks.one) + bytes_of(blocks.two) + bytes_of(blocks.four) +
                 bytes_of(blocks.turned_1) + bytes_of(blocks.turned_2) + bytes_of(blocks.turned_4) +
                 bytes_of(blocks.rolling) + bytes_of(blocks.rims) + bytes_of(blocks.curved) + bytes_of(blocks.cones);
    }
    for (const Part& part : parts_) {
        bytes += bytes_of(part.rows) + bytes_of(part.touches) + bytes_of(part.runs) + bytes_of(part.stretches) +
                 bytes_of(part.first) + bytes_of(part.shared_bodies) + bytes_of(part.own_bodies) +
                 bytes_of(part.unsorted) + bytes_of(part.keys) + bytes_of(part.starts);
    }
    return bytes;
}

} // namespace cairn::physics
