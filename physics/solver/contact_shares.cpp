// Who works on which blocks and bodies.
#include "physics/base/fetch.h"
#include "physics/solver/contact_blocks.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cairn::physics {

namespace {

// What a part must have at least, of the rows of each colour or of the bodies, so that threads gain more than they lose
// by looking at each other, which takes some 500 cycles.
constexpr std::size_t least_rows = 10;
constexpr std::size_t least_bodies = 256;

// Blocks of more bytes than this have left a core's own cache when the next pass comes to them. A block is longer than
// what processors fetch by themselves, in an order that they do not foresee; asked for ahead, 30,000 bricks take half
// of the time. What is in the cache loses a twentieth by asking.
constexpr std::size_t beyond_cache = 3u << 19;

// Where a row stands among those of its part: by colour, then kind, shared ones first, and of these and of the others
// first those that have borne something. Lanes that bear nothing cost little where all that stand together do.
constexpr std::size_t keys_of_kind = 4, keys_of_colour = keys_of_kind * row_kinds;
constexpr std::size_t key_count = Colouring::colour_count * keys_of_colour;

RowKind kind_of(const Contact& contact, const ContactPoint& first, BodyTraits a, BodyTraits b) {
    if (contact.count > 1) {
        return contact.count == 2 ? RowKind::two : RowKind::four;
    }
    // Unless one has swallowed the other's centre: then the line of centres says nothing.
    const bool balls = a.pushed && b.pushed && !a.spin_limited && !b.spin_limited &&
                       glm::dot(contact.anchor_a(first), contact.normal) > 0.0f &&
                       glm::dot(contact.anchor_b(first), contact.normal) < 0.0f;
    return balls ? RowKind::balls : RowKind::one;
}

bool has_borne(std::span<const ContactPoint> points) {
    return std::any_of(points.begin(), points.end(), [](const ContactPoint& at) { return at.normal_impulse != 0.0f; });
}

// The body that a row goes with.
std::uint32_t leader(const RowBodies& pushed) {
    return pushed.a != 0 ? pushed.a : pushed.b;
}

} // namespace

void ContactBlocks::share_out(const Regions& regions, bool backward) {
    const std::size_t colours = std::max<std::size_t>(used_colours(), 1);
    const std::size_t worth = std::max(row_bodies_.size() / (least_rows * colours), regions.size() / least_bodies);
    used_parts_ = std::clamp<std::size_t>(worth, 1, regions.count());
    if (parts_.size() < used_parts_) {
        parts_.resize(used_parts_);
        blocks_.resize(used_parts_);
    }
    stages_ = 0;
    for (std::size_t i = 0; i < Colouring::colour_count; ++i) {
        const std::size_t colour = backward ? Colouring::colour_count - 1 - i : i;
        if (colouring_.rows_of(colour) != 0) {
            colour_of_stage_[stages_++] = static_cast<std::uint8_t>(colour);
        }
    }
}

// Those of the part, and which bodies they touch. What must be solved in order is left to the first part.
void ContactBlocks::take_rows(std::size_t part, const Regions& regions) {
    Part& mine = parts_[part];
    mine.unsorted.clear();
    if (used_parts_ == 1) {
        mine.unsorted.resize(row_bodies_.size());
        std::iota(mine.unsorted.begin(), mine.unsorted.end(), 0u);
    } else {
        mine.touches.assign(regions.size() + 1, 0);
        for (std::uint32_t row = 0; row < row_bodies_.size(); ++row) {
            const RowBodies& pushed = row_bodies_[row];
            const bool in_turn = colouring_.colour_of(row) == Colouring::overflow;
            if ((in_turn ? 0 : part_of(regions, leader(pushed))) == part) {
                mine.unsorted.push_back(row);
                mine.touches[pushed.a] = mine.touches[pushed.b] = 1;
            }
        }
    }
}

// Whether other parts may touch the body, or move it while this one reads it.
bool ContactBlocks::is_shared(std::size_t part, std::uint32_t body, std::span<const BodyTraits> traits,
                              const Regions& regions) const {
    if (body == 0) {
        return false;
    }
    if (!traits[body].pushed || part_of(regions, body) != part) {
        return true;
    }
    for (std::size_t other = 0; other < used_parts_; ++other) {
        if (other != part && parts_[other].touches[body] != 0) {
            return true;
        }
    }
    return false;
}

void ContactBlocks::sort_rows(std::size_t part, std::span<const TouchingContact> touching, const ContactPool& contacts,
                              std::span<const BodyTraits> traits, const Regions& regions) {
    Part& mine = parts_[part];
    mine.keys.resize(mine.unsorted.size());
    mine.starts.assign(key_count + 1, 0);
    constexpr std::size_t records_ahead = 12, points_ahead = 6;
    const auto contact_at = [&](std::size_t i) -> const Contact& { return contacts[touching[mine.unsorted[i]].slot]; };
    for (std::size_t i = 0; i < mine.unsorted.size(); ++i) {
        if (i + records_ahead < mine.unsorted.size()) {
            fetch_lines(&contact_at(i + records_ahead), sizeof(Contact));
        }
        if (i + points_ahead < mine.unsorted.size()) {
            fetch_lines(contacts.points(contact_at(i + points_ahead)).data(), sizeof(ContactPoint));
        }
        const std::uint32_t row = mine.unsorted[i];
        const RowBodies& bodies = touching[row].bodies;
        const Contact& contact = contacts[touching[row].slot];
        const std::span<const ContactPoint> points = contacts.points(contact);
        const RowKind kind = kind_of(contact, points[0], traits[bodies.a], traits[bodies.b]);
        const std::size_t colour = colouring_.colour_of(row);
        const bool shared =
            used_parts_ > 1 && (colour == Colouring::overflow || is_shared(part, bodies.a, traits, regions) ||
                                is_shared(part, bodies.b, traits, regions));
        const std::size_t key = colour * keys_of_colour + keys_of_kind * static_cast<std::size_t>(kind) +
                                (shared ? 0 : 2) + (has_borne(points) ? 0 : 1);
        mine.keys[i] = static_cast<std::uint16_t>(key);
        ++mine.starts[key];
    }
    std::uint32_t next = 0;
    for (std::uint32_t& start : mine.starts) {
        next += std::exchange(start, next);
    }
    mine.rows.resize(mine.unsorted.size());
    for (std::size_t i = 0; i < mine.unsorted.size(); ++i) {
        mine.rows[mine.starts[mine.keys[i]]++] = mine.unsorted[i];
    }
    list_runs(part); // `starts` tell by now where the rows of each key end
}

void ContactBlocks::list_runs(std::size_t part) {
    Part& mine = parts_[part];
    mine.runs.clear();
    std::array<std::uint32_t, row_kinds> blocks{};
    const auto blocks_for = [](std::size_t rows) {
        return static_cast<std::uint32_t>((rows + block_lanes - 1) / block_lanes);
    };
    std::uint32_t begin = 0;
    for (std::size_t key = 0; key < key_count; key += keys_of_kind) {
        const std::uint32_t shared_end = mine.starts[key + 1], end = mine.starts[key + 3];
        if (end == begin) {
            continue;
        }
        const std::size_t colour = key / keys_of_colour, kind = key % keys_of_colour / keys_of_kind;
        Run run;
        run.colour = static_cast<std::uint8_t>(colour);
        run.kind = static_cast<RowKind>(kind);
        run.first_block = blocks[kind];
        run.blocks = blocks_for(end - begin);
        run.shared_blocks = blocks_for(shared_end - begin);
        run.first_row = begin;
        run.rows = end - begin;
        blocks[kind] += run.blocks;
        if (colour == Colouring::overflow) { // solved in the order of the rows
            std::sort(mine.rows.begin() + begin, mine.rows.begin() + end);
        }
        mine.runs.push_back(run);
        begin = end;
    }
    make_room(part, blocks);
    const auto [balls, one, two, four] = blocks;
    mine.work.fetch_ahead =
        (balls + one) * sizeof(RowBlock<1>) + two * sizeof(RowBlock<2>) + four * sizeof(RowBlock<4>) > beyond_cache;
}

// Shared blocks of each stage before its own ones.
void ContactBlocks::list_stages(std::size_t part) {
    Part& mine = parts_[part];
    mine.stretches.clear();
    mine.first.clear();
    for (std::size_t stage = 0; stage < stages_; ++stage) {
        const std::uint8_t colour = colour_of_stage_[stage];
        const auto begin = std::lower_bound(mine.runs.begin(), mine.runs.end(), colour,
                                            [](const Run& run, std::uint8_t wanted) { return run.colour < wanted; });
        for (const bool shared : {true, false}) {
            mine.first.push_back(static_cast<std::uint32_t>(mine.stretches.size()));
            for (auto run = begin; run != mine.runs.end() && run->colour == colour; ++run) {
                const std::uint32_t middle = run->first_block + run->shared_blocks;
                const std::uint32_t from = shared ? run->first_block : middle;
                const std::uint32_t to = shared ? middle : run->first_block + run->blocks;
                if (from != to) {
                    mine.stretches.push_back({run->kind, colour == Colouring::overflow, from, to});
                }
            }
        }
    }
    mine.first.push_back(static_cast<std::uint32_t>(mine.stretches.size()));
}

void ContactBlocks::list_bodies(std::size_t part, std::span<const BodyTraits> traits, const Regions& regions) {
    Part& mine = parts_[part];
    mine.shared_bodies.clear();
    mine.own_bodies.clear();
    for (std::size_t region = 0; regions.size() != 0 && region < regions.count(); ++region) {
        if (region * used_parts_ / regions.count() != part) {
            continue;
        }
        for (std::uint32_t body = regions.begin(region); body < regions.end(region); ++body) {
            if (traits[body].member) {
                const bool shared = used_parts_ > 1 && is_shared(part, body, traits, regions);
                (shared ? mine.shared_bodies : mine.own_bodies).push_back(body);
            }
        }
    }
}

bool ContactBlocks::has_shared(std::size_t stage) const {
    return std::any_of(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(used_parts_),
                       [&](const Part& part) { return part.first[2 * stage] != part.first[2 * stage + 1]; });
}

} // namespace cairn::physics
