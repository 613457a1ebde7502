// Who works on which blocks and bodies.
#include "physics/solver/contact_blocks.h"

#include <algorithm>
#include <tuple>

namespace cairn::physics {

namespace {

// What a pass over a block costs, in hundreds of cycles with the widest registers, by kind. And what a part of a stage
// must cost at least, so that threads gain more than they lose by looking at each other, which takes some 500 cycles.
constexpr std::array<std::size_t, row_kinds> block_weight{7, 7, 13, 30};
constexpr std::size_t least_part = 10;
constexpr std::size_t least_bodies = 256;

constexpr std::uint8_t nobody = 255, several = 254;
constexpr std::size_t most_parts = 254;

std::size_t weight_of(RowKind kind) {
    return block_weight[static_cast<std::size_t>(kind)];
}

} // namespace

void ContactBlocks::share_out(std::size_t threads, std::size_t members, bool backward) {
    const auto runs_of = [this](std::size_t colour) {
        return std::span<const Run>(runs_).subspan(first_run_[colour], first_run_[colour + 1] - first_run_[colour]);
    };
    std::array<std::size_t, Colouring::colour_count> weights{};
    std::size_t whole = 0;
    for (std::size_t colour = 0; colour < Colouring::colour_count; ++colour) {
        for (const Run& run : runs_of(colour)) {
            weights[colour] += run.blocks * weight_of(run.kind);
        }
        whole += weights[colour];
    }
    const std::size_t worth =
        std::max(whole / (least_part * std::max<std::size_t>(used_colours(), 1)), members / least_bodies);
    used_parts_ = std::clamp<std::size_t>(worth, 1, std::min(threads, most_parts));
    if (parts_.size() < used_parts_) {
        parts_.resize(used_parts_);
    }
    for (Part& part : used()) {
        part.all.clear();
        part.first_of_all.clear();
    }
    several_colours_.clear();
    bool alone = false; // the last stage has one part so far, and may hold more colours
    for (std::size_t i = 0; i < Colouring::colour_count; ++i) {
        const std::size_t colour = backward ? Colouring::colour_count - 1 - i : i;
        if (weights[colour] == 0) {
            continue;
        }
        const std::size_t parts =
            colour == Colouring::overflow ? 1 : std::clamp<std::size_t>(weights[colour] / least_part, 1, used_parts_);
        if (parts > 1) {
            begin_stage();
            share_out_colour(runs_of(colour), weights[colour], parts);
            alone = false;
            continue;
        }
        if (!alone) {
            begin_stage();
            alone = true;
        } else {
            several_colours_.back() = true;
        }
        for (const Run& run : runs_of(colour)) {
            add_stretch(parts_[0], run, run.first_block, run.first_block + run.blocks);
        }
    }
    stages_ = several_colours_.size();
    for (Part& part : used()) {
        part.first_of_all.push_back(static_cast<std::uint32_t>(part.all.size()));
    }
}

void ContactBlocks::begin_stage() {
    several_colours_.push_back(false);
    for (Part& part : used()) {
        part.first_of_all.push_back(static_cast<std::uint32_t>(part.all.size()));
    }
}

void ContactBlocks::add_stretch(Part& part, const Run& run, std::uint32_t begin, std::uint32_t end) const {
    const auto row = static_cast<std::uint32_t>(run.first_row + (begin - run.first_block) * block_lanes);
    part.all.push_back({run.kind, run.in_turn, begin, end, row, run.first_row + run.rows});
}

// Neighbours in the list of bodies to the same part, about as much of a colour to each.
void ContactBlocks::share_out_colour(std::span<const Run> runs, std::size_t weight, std::size_t parts) {
    placed_.clear();
    for (std::uint32_t r = 0; r < runs.size(); ++r) {
        for (std::uint32_t i = 0; i < runs[r].blocks; ++i) {
            // What touches the floor stands first in key order, so not every run is in the order of bodies.
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
        auto to = from;
        while (to != placed_.end()) {
            const std::size_t next = weight_of(runs[to->run].kind);
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
            add_stretch(parts_[part], runs[from->run], from->block, (next - 1)->block + 1);
            from = next;
        }
    }
}

void ContactBlocks::mark_bodies(std::size_t part) {
    if (used_parts_ == 1) {
        return;
    }
    std::vector<std::uint8_t>& touches = parts_[part].touches;
    touches.assign(owners_.size(), 0);
    for (const Stretch& stretch : parts_[part].all) {
        const std::size_t rows = (stretch.end - stretch.begin) * block_lanes;
        const std::size_t end = std::min<std::size_t>(stretch.first_row + rows, stretch.end_row);
        for (std::size_t row = stretch.first_row; row < end; ++row) {
            const RowBodies& bodies = row_bodies_[order_[row]];
            touches[bodies.a] = touches[bodies.b] = 1;
        }
    }
}

namespace {

struct Range {
    std::size_t begin, end;
};
Range range_of(std::size_t part, std::size_t parts, std::size_t count) {
    return {count * part / parts, count * (part + 1) / parts};
}

} // namespace

// Of a stretch of the members. What nothing pushes moves all the same, and any block may read it.
void ContactBlocks::find_owners(std::size_t part, std::span<const std::uint32_t> members, const BodyMotion* motions) {
    if (used_parts_ == 1) {
        return;
    }
    std::vector<std::size_t>& owned = parts_[part].owned;
    owned.assign(used_parts_ + 1, 0);
    const Range range = range_of(part, used_parts_, members.size());
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const std::uint32_t body = members[i];
        std::uint8_t owner = nobody;
        for (std::size_t p = 0; p < used_parts_; ++p) {
            if (parts_[p].touches[body] != 0) {
                owner = owner == nobody ? static_cast<std::uint8_t>(p) : several;
            }
        }
        owner = motions[body].inverse_mass > 0.0f ? owner : several;
        owners_[body] = owner;
        if (owner != several) {
            ++owned[owner == nobody ? used_parts_ : owner];
        }
    }
}

bool ContactBlocks::is_shared(std::size_t part, RowKind kind, std::uint32_t i) const {
    bool shared = false;
    with_block(blocks_, kind, i, [&](const auto& block) {
        for (std::size_t lane = 0; lane < block.used && !shared; ++lane) {
            for (const std::uint32_t body : {block.motion_a[lane], block.motion_b[lane]}) {
                shared = shared || (body != 0 && owners_[body] != part);
            }
        }
    });
    return shared;
}

// Shared blocks of each stage before its own ones. Where a stage holds several colours, which one thread goes through
// in their order, all count as shared.
void ContactBlocks::split(std::size_t part) {
    Part& mine = parts_[part];
    mine.stretches.clear();
    mine.first.clear();
    for (std::size_t stage = 0; stage < stages_; ++stage) {
        for (const bool shared : {true, false}) {
            mine.first.push_back(static_cast<std::uint32_t>(mine.stretches.size()));
            for (std::size_t s = mine.first_of_all[stage]; s < mine.first_of_all[stage + 1]; ++s) {
                const Stretch& all = mine.all[s];
                const bool whole = used_parts_ == 1 || several_colours_[stage] || all.in_turn;
                if (whole) {
                    if (shared) {
                        mine.stretches.push_back(all);
                    }
                    continue;
                }
                for (std::uint32_t block = all.begin; block < all.end; ++block) {
                    if (is_shared(part, all.kind, block) != shared) {
                        continue;
                    }
                    if (mine.stretches.size() > mine.first.back() && mine.stretches.back().kind == all.kind &&
                        mine.stretches.back().end == block) {
                        ++mine.stretches.back().end;
                    } else {
                        mine.stretches.push_back({all.kind, all.in_turn, block, block + 1, 0, 0});
                    }
                }
            }
        }
    }
    mine.first.push_back(static_cast<std::uint32_t>(mine.stretches.size()));
}

// Those that the part alone touches, and of those that nobody touches as many as make all parts equal.
void ContactBlocks::list_bodies(std::size_t part, std::span<const std::uint32_t> members) {
    Part& mine = parts_[part];
    const std::size_t parts = used_parts_;
    mine.shared_bodies.clear();
    mine.own_bodies.clear();
    if (parts == 1) {
        mine.own_bodies.assign(members.begin(), members.end());
        return;
    }
    const auto owned = [&](std::size_t by) {
        std::size_t count = 0;
        for (const Part& stretch : used()) {
            count += stretch.owned[by];
        }
        return count;
    };
    std::size_t whole = 0;
    for (std::size_t p = 0; p <= parts; ++p) {
        whole += owned(p);
    }
    std::size_t free = owned(parts), first = 0, end = 0; // of the bodies that nobody touches, mine
    for (std::size_t p = 0; p <= part; ++p) {
        const std::size_t wanted = whole / parts + 1, has = owned(p);
        const std::size_t more = p + 1 == parts ? free : std::min(free, wanted > has ? wanted - has : 0);
        first = end;
        end += more;
        free -= more;
    }
    std::size_t seen = 0;
    const Range range = range_of(part, parts, members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::uint32_t body = members[i];
        const std::uint8_t owner = owners_[body];
        const bool unclaimed = owner == nobody && seen >= first && seen < end;
        seen += owner == nobody ? 1 : 0;
        if (owner == part || unclaimed) {
            mine.own_bodies.push_back(body);
        } else if (owner == several && i >= range.begin && i < range.end) {
            mine.shared_bodies.push_back(body);
        }
    }
}

} // namespace cairn::physics
