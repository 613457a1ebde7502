#include "physics/solver/contact_blocks.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"

#include <algorithm>
#include <tuple>

namespace cairn::physics {

namespace {

constexpr std::size_t contact_grain = 256;

// What a pass over a block costs, in hundreds of cycles with the widest registers, by kind. And what a part of a stage
// must cost at least, so that threads gain more than they lose by meeting, which takes some 500 cycles.
constexpr std::array<std::size_t, row_kinds> block_weight{7, 7, 13, 30};
constexpr std::size_t least_part = 10;

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

void ContactBlocks::build(Executor& executor, std::span<const TouchingContact> touching, ContactPool& contacts,
                          std::span<const BodyDynamics> dynamics, RowWork& work, bool backward) {
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
    share_out(static_cast<std::size_t>(executor.thread_count()), backward);
    run_stages(executor, 1, parts_, [&](std::size_t, std::size_t part) {
        for (std::size_t stage = 0; stage < stages(); ++stage) {
            for (const Stretch& stretch : stretches_of(stage, part)) {
                fill(stretch, touching, contacts);
            }
            run(RowPass::prepare, stage, part, work);
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
    const auto size_to = [](auto& list, std::size_t size) {
        if (list.size() < size) {
            list.resize(size);
        }
    };
    size_to(blocks_.balls, blocks[static_cast<std::size_t>(RowKind::balls)]);
    size_to(blocks_.one, blocks[static_cast<std::size_t>(RowKind::one)]);
    size_to(blocks_.two, blocks[static_cast<std::size_t>(RowKind::two)]);
    size_to(blocks_.four, blocks[static_cast<std::size_t>(RowKind::four)]);
}

// Gives each thread the blocks that lie near each other in the list of bodies, the same part of it in each colour, so
// that most of what it reads it has written itself: what another core has written takes a quarter of a microsecond a
// line to come over.
void ContactBlocks::share_out(std::size_t threads, bool backward) {
    const auto runs_of = [this](std::size_t colour) {
        return std::span<const Run>(runs_).subspan(first_run_[colour], first_run_[colour + 1] - first_run_[colour]);
    };
    std::array<std::size_t, Colouring::colour_count> weights{};
    std::size_t whole = 0, heaviest = 0;
    for (std::size_t colour = 0; colour < Colouring::colour_count; ++colour) {
        for (const Run& run : runs_of(colour)) {
            weights[colour] += run.blocks * block_weight[static_cast<std::size_t>(run.kind)];
        }
        whole += weights[colour];
        if (colour != Colouring::overflow && weights[colour] > weights[heaviest]) {
            heaviest = colour;
        }
    }
    parts_ = std::clamp<std::size_t>(whole / (least_part * std::max<std::size_t>(used_colours(), 1)), 1, threads);
    stretches_.clear();
    first_stretch_.clear();
    first_body_.assign(parts_, 0);
    const auto end_stage = [this] { // what parts are left have nothing to do
        first_stretch_.resize((first_stretch_.size() + parts_ - 1) / parts_ * parts_,
                              static_cast<std::uint32_t>(stretches_.size()));
    };
    bool alone = false; // the stage has one part so far, and may hold more colours
    for (std::size_t i = 0; i < Colouring::colour_count; ++i) {
        const std::size_t colour = backward ? Colouring::colour_count - 1 - i : i;
        if (weights[colour] == 0) {
            continue;
        }
        const std::size_t parts =
            colour == Colouring::overflow ? 1 : std::clamp<std::size_t>(weights[colour] / least_part, 1, parts_);
        if (parts > 1) {
            end_stage();
            share_out_colour(runs_of(colour), weights[colour], parts, colour == heaviest);
            alone = false;
            continue;
        }
        if (!alone) {
            end_stage();
            first_stretch_.push_back(static_cast<std::uint32_t>(stretches_.size()));
            alone = true;
        }
        for (const Run& run : runs_of(colour)) {
            add_stretch(run, run.first_block, run.first_block + run.blocks);
        }
    }
    end_stage();
    first_stretch_.push_back(static_cast<std::uint32_t>(stretches_.size()));
}

void ContactBlocks::add_stretch(const Run& run, std::uint32_t begin, std::uint32_t end) {
    const auto row = static_cast<std::uint32_t>(run.first_row + (begin - run.first_block) * block_lanes);
    stretches_.push_back({run.kind, run.in_turn, begin, end, row, run.first_row + run.rows});
}

void ContactBlocks::share_out_colour(std::span<const Run> runs, std::size_t weight, std::size_t parts, bool heaviest) {
    placed_.clear();
    for (std::uint32_t r = 0; r < runs.size(); ++r) {
        for (std::uint32_t i = 0; i < runs[r].blocks; ++i) {
            // What it touches of the floor stands first in key order, so not every run is in the order of bodies.
            const std::size_t first = i * block_lanes, middle = first + std::min(block_lanes, runs[r].rows - first) / 2;
            const RowBodies& bodies = row_bodies_[order_[runs[r].first_row + middle]];
            placed_.push_back({bodies.a != 0 ? bodies.a : bodies.b, r, runs[r].first_block + i});
        }
    }
    std::sort(placed_.begin(), placed_.end(), [](const Placed& a, const Placed& b) {
        return std::tie(a.body, a.run, a.block) < std::tie(b.body, b.run, b.block);
    });
    auto from = placed_.begin();
    std::size_t given = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        first_stretch_.push_back(static_cast<std::uint32_t>(stretches_.size()));
        if (heaviest && parts == parts_ && from != placed_.end()) {
            first_body_[part] = part == 0 ? 0 : from->body;
        }
        auto to = from;
        while (to != placed_.end()) {
            const std::size_t next = block_weight[static_cast<std::size_t>(runs[to->run].kind)];
            if (part + 1 < parts && parts * (2 * given + next) > 2 * weight * (part + 1)) {
                break; // more than half of it would be beyond the part's end
            }
            given += next;
            ++to;
        }
        std::sort(from, to,
                  [](const Placed& a, const Placed& b) { return std::tie(a.run, a.block) < std::tie(b.run, b.block); });
        while (from != to) {
            auto next = from + 1;
            while (next != to && next->run == from->run && next->block == (next - 1)->block + 1) {
                ++next;
            }
            add_stretch(runs[from->run], from->block, (next - 1)->block + 1);
            from = next;
        }
    }
}

std::span<const ContactBlocks::Stretch> ContactBlocks::stretches_of(std::size_t stage, std::size_t part) const {
    const std::size_t i = stage * parts_ + part;
    return std::span(stretches_).subspan(first_stretch_[i], first_stretch_[i + 1] - first_stretch_[i]);
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

void ContactBlocks::run(RowPass pass, std::size_t stage, std::size_t part, const RowWork& work) const {
    if (part >= parts_) {
        return;
    }
    for (const Stretch& stretch : stretches_of(stage, part)) {
        run_rows(pass, stretch.kind, stretch.begin, stretch.end, work);
    }
}

void ContactBlocks::run_all(RowPass pass, std::size_t part, const RowWork& work) const {
    for (std::size_t stage = 0; stage < stages(); ++stage) {
        run(pass, stage, part, work);
    }
}

std::size_t ContactBlocks::memory_bytes() const {
    return bytes_of(blocks_.balls) + bytes_of(blocks_.one) + bytes_of(blocks_.two) + bytes_of(blocks_.four) +
           colouring_.memory_bytes() + bytes_of(row_bodies_) + bytes_of(kinds_) + bytes_of(order_) + bytes_of(runs_) +
           bytes_of(bouncy_) + bytes_of(stretches_) + bytes_of(first_stretch_) + bytes_of(first_body_) +
           bytes_of(placed_);
}

} // namespace cairn::physics
