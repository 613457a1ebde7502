// The stages of a step over contacts: new pairs, contacts, hashes.
#include "physics/base/executor_loop.h"
#include "physics/base/growth.h"
#include "physics/narrowphase/carry.h"
#include "physics/narrowphase/contact_update.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace cairn::physics {

namespace {

constexpr std::size_t pair_block = 128;
constexpr std::size_t contact_block = 512;
constexpr std::size_t body_block = 256;

// Bounds are sums of a few floats as large as the coordinates.
constexpr float bounds_rounding = 5e-7f;

// Greatest coordinate, m.
float extent_of(const Aabb& box) {
    const Vec3 most = glm::max(glm::abs(box.lower), glm::abs(box.upper));
    return std::max({most.x, most.y, most.z});
}

} // namespace

// Pairs of shapes whose bounds came to overlap.
void World::Impl::find_pairs() {
    data.broadphase.find_new_pairs(run_on(), new_pairs);
    for (const PairKey key : new_pairs) {
        const std::uint32_t body_a = data.shapes[first_of(key)].body;
        const std::uint32_t body_b = data.shapes[second_of(key)].body;
        const bool dynamic =
            data.bodies[body_a].type == BodyType::dynamic || data.bodies[body_b].type == BodyType::dynamic;
        if (body_a == body_b || !dynamic || data.contacts.exists(key) || data.held_apart(body_a, body_b)) {
            continue;
        }
        const std::uint32_t slot = data.contacts.create(key, body_a, body_b);
        data.contacts.set_active(slot, data.bodies[body_a].awake || data.bodies[body_b].awake);
    }
    data.contacts.commit();
}

void World::Impl::PairBlock::clear() {
    touching.clear();
    clear_burst(found, 4);
    gone.clear();
    parted.clear();
    waking.clear();
    at_fixed.clear();
}

// What a body has done since the pairs were last looked at.
void World::Impl::trace_motion(std::uint32_t slot) {
    const BodyRecord& body = data.bodies[slot];
    const BodyKind& kind = data.kind(slot);
    const Transform& start = step_starts[slot];
    BodyTrace& trace = data.traces[slot];
    trace.epoch = data.trace_epoch;
    trace.way = body.pose.position - start.position;
    trace.lift = 0.0f;
    if (body.pose.orientation != start.orientation) {
        trace.lift =
            kind.surface_travel(start.orientation, Vec3(0.0f), turn_bound(start.orientation, body.pose.orientation)) +
            turn_rounding * kind.bounding_radius;
    }
}

// Nothing that was known of the body's pairs holds: it was put elsewhere.
void World::Impl::lose_track(std::uint32_t slot) {
    data.traces[slot].epoch = data.trace_epoch;
    data.traces[slot].lift = any_lift;
    data.traces[slot].rest = PositionRest();
}

// The contacts of the body are asked for anew: what it is made of has changed.
void World::Impl::refresh_contacts(std::uint32_t slot) {
    for (const std::uint32_t pair : data.contacts.of_body(slot)) {
        if (data.contacts.pair(pair).touching()) {
            data.contacts[data.contacts.pair(pair).contact].tolerance = 0.0f;
        }
    }
}

// What a pair has come to. Its own record may be written from here, and the contact that it has; no others are made or
// ended, because that moves what other threads read.
void World::Impl::update_pair(ActivePair& entry, PairBlock& out) {
    ShapePair& pair = data.contacts.pair(entry.slot);
    const ShapeRecord& a = data.shapes[pair.shape_a()];
    const ShapeRecord& b = data.shapes[pair.shape_b()];
    const BodyRecord& body_a = data.bodies[entry.body_a];
    const BodyRecord& body_b = data.bodies[entry.body_b];
    const float margin = a.margin + b.margin;
    const float dt = data.settings.dt();
    const Vec3 rests = data.traces[entry.body_b].rest.metres() - data.traces[entry.body_a].rest.metres();
    const auto touches = [&] {
        if ((body_a.type != BodyType::dynamic) != (body_b.type != BodyType::dynamic)) {
            out.at_fixed.push_back(entry.slot);
        }
        if (body_a.sleeping || body_b.sleeping) {
            out.waking.push_back(entry.slot);
        }
    };
    Contact* before = nullptr;
    std::span<ContactPoint> points;
    if (pair.touching()) {
        before = &data.contacts[pair.contact];
        points = data.contacts.points(*before);
        if (carry(*before, points, body_a.pose, body_b.pose, margin, dt, rests)) {
            touches();
            out.touching.push_back(pair.contact);
            return;
        }
    }
    if (!overlaps(a.reach, b.reach)) {
        if (!data.broadphase.fat_overlap(pair.shape_a(), pair.shape_b())) {
            out.gone.push_back(entry.slot);
            return;
        }
        entry.gap = margin + distance(a.reach, b.reach) - bounds_rounding * (extent_of(a.reach) + extent_of(b.reach));
        if (before != nullptr) {
            out.parted.push_back(entry.slot);
        }
        return;
    }
    const BodyKind& kind_a = data.kind(entry.body_a);
    const BodyKind& kind_b = data.kind(entry.body_b);
    const ContactSide side_a{a.shape, shape_pose(a), &body_a.pose, kind_a.bounding_radius, &kind_a.def.material};
    const ContactSide side_b{b.shape, shape_pose(b), &body_b.pose, kind_b.bounding_radius, &kind_b.def.material};
    FoundContact& found = out.scratch;
    if (!find_contact(side_a, side_b, margin, dt, before, points, pair.cache, found)) {
        entry.gap = found.apart;
        if (before != nullptr) {
            out.parted.push_back(entry.slot);
        }
        return;
    }
    for (ContactPoint& point : std::span(found.points).first(found.contact.count)) {
        point.separation += glm::dot(found.contact.normal, rests);
    }
    entry.gap = 0.0f;
    touches();
    if (before != nullptr && before->count == found.contact.count) {
        *before = found.contact;
        std::copy_n(found.points.begin(), before->count, points.begin());
        out.touching.push_back(pair.contact);
        return;
    }
    found.contact.pair = entry.slot;
    out.touching.push_back(no_index);
    out.found.push_back(found);
}

// Makes and ends the contacts that the blocks have found, in key order. The sleepers that are touched wake when all is
// in place.
void World::Impl::take_over(std::span<const PairBlock> blocks) {
    round_touching.clear();
    for (const PairBlock& block : blocks) {
        pairs_at_fixed.insert(pairs_at_fixed.end(), block.at_fixed.begin(), block.at_fixed.end());
        for (const std::uint32_t slot : block.gone) {
            data.contacts.destroy(slot);
        }
        for (const std::uint32_t slot : block.parted) {
            data.contacts.part(slot);
        }
        auto found = block.found.begin();
        for (const std::uint32_t index : block.touching) {
            if (index != no_index) {
                round_touching.push_back(index);
                continue;
            }
            const std::uint32_t slot = found->contact.pair;
            data.contacts.touch(slot, found->contact, std::span(found->points).first(found->contact.count));
            round_touching.push_back(data.contacts.pair(slot).contact);
            ++found;
        }
    }
    data.contacts.set_touching(round_touching);
    for (const PairBlock& block : blocks) {
        for (const std::uint32_t slot : block.waking) {
            for (const std::uint32_t body : {data.contacts.pair(slot).body_a, data.contacts.pair(slot).body_b}) {
                if (data.bodies[body].sleeping) {
                    wake(body);
                }
            }
        }
    }
}

// The records of a pair lie anywhere in memory, and waiting for them took as long as the work: those of the pairs ahead
// are on their way meanwhile.
void World::Impl::fetch_sides(const ActivePair& entry) const {
    const ShapePair& pair = data.contacts.pair(entry.slot);
    fetch_lines(&data.shapes[pair.shape_a()], sizeof(ShapeRecord));
    fetch_lines(&data.shapes[pair.shape_b()], sizeof(ShapeRecord));
    fetch_lines(&data.bodies[entry.body_a], sizeof(BodyRecord));
    fetch_lines(&data.bodies[entry.body_b], sizeof(BodyRecord));
    data.contacts.fetch_contact(pair);
}

void World::Impl::update_block(std::span<ActivePair> pairs, PairBlock& out) {
    out.clear();
    std::array<std::uint8_t, pair_block> asked;
    static_assert(pair_block <= 256);
    std::size_t count = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        // Most pairs are apart, and by more than they can have come nearer: no more than this is read of them.
        ActivePair& pair = pairs[i];
        if (pair.gap > 0.0f) {
            const BodyTrace& a = data.traces[pair.body_a];
            const BodyTrace& b = data.traces[pair.body_b];
            pair.gap = gap_after(pair.gap, a, b, data.trace_epoch);
            if (pair.gap > a.margin + b.margin) {
                continue;
            }
        }
        data.contacts.fetch_pair(pair.slot);
        asked[count++] = static_cast<std::uint8_t>(i);
    }
    constexpr std::size_t sides_ahead = 8, points_ahead = 4;
    for (std::size_t k = 0; k < std::min(sides_ahead, count); ++k) {
        fetch_sides(pairs[asked[k]]);
    }
    for (std::size_t k = 0; k < count; ++k) {
        if (k + sides_ahead < count) {
            fetch_sides(pairs[asked[k + sides_ahead]]);
        }
        if (k + points_ahead < count) {
            data.contacts.fetch_points(data.contacts.pair(pairs[asked[k + points_ahead]].slot));
        }
        update_pair(pairs[asked[k]], out);
    }
}

void World::Impl::update_pairs(std::span<ActivePair> pairs) {
    const std::size_t blocks = (pairs.size() + pair_block - 1) / pair_block;
    if (pair_blocks.size() < blocks) {
        pair_blocks.resize(blocks);
    }
    parallel_for(run_on(), pairs.size(), pair_block, [&](std::size_t begin, std::size_t end) {
        // The serial path hands over one range: fill the lists block by block all the same.
        for (std::size_t i = begin; i < end; i += pair_block) {
            update_block(pairs.subspan(i, std::min(pair_block, end - i)), pair_blocks[i / pair_block]);
        }
    });
    take_over(std::span(pair_blocks).first(blocks));
}

// Contacts of all active pairs. A moving body that touches a sleeping one wakes it, which makes more pairs active:
// these are brought up to date in further rounds.
void World::Impl::update_contacts() {
    pairs_at_fixed.clear();
    update_pairs(data.contacts.active());
    ++data.trace_epoch;
    commit_awake();
    while (!data.contacts.activated().empty()) {
        pending_pairs.assign(data.contacts.activated().begin(), data.contacts.activated().end());
        update_pairs(pending_pairs);
        commit_awake();
        data.contacts.list_touching();
    }
}

// Whose surfaces are within a slop of another's.
void World::Impl::mark_touching() {
    touched.resize(data.bodies.size());
    for (const std::uint32_t slot : data.awake) {
        touched[slot] = 0;
    }
    const std::span<const std::uint32_t> contacts = data.contacts.touching();
    const auto touches = [&](const Contact& contact) {
        const auto& points = data.contacts.points(contact);
        return data.contacts.active(contact) &&
               std::any_of(points.begin(), points.end(),
                           [&](const ContactPoint& point) { return point.separation <= data.settings.linear_slop; });
    };
    // Several threads may mark the same body, all with the same value.
    std::atomic<bool> resting = false; // what is at rest was not known to touch: rare
    parallel_for(run_on(), contacts.size(), contact_block, [&](std::size_t begin, std::size_t end) {
        constexpr std::size_t records_ahead = 12, points_ahead = 6;
        for (std::size_t i = begin; i < end; ++i) {
            if (i + records_ahead < end) {
                fetch_lines(&data.contacts[contacts[i + records_ahead]], sizeof(Contact));
            }
            if (i + points_ahead < end) {
                const Contact& ahead = data.contacts[contacts[i + points_ahead]];
                if (ahead.count != 0) { // the first point nearly always tells
                    fetch_lines(data.contacts.points(ahead).data(), sizeof(ContactPoint));
                }
            }
            const Contact& contact = data.contacts[contacts[i]];
            if (!touches(contact)) {
                continue;
            }
            for (const std::uint32_t slot : {contact.body_a, contact.body_b}) {
                const BodyRecord& body = data.bodies[slot];
                if (body.awake) {
                    std::atomic_ref<std::uint8_t>(touched[slot]).store(1, std::memory_order_relaxed);
                } else if (!body.touching) {
                    resting.store(true, std::memory_order_relaxed);
                }
            }
        }
    });
    parallel_for(run_on(), data.awake.size(), body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            data.bodies[data.awake[i]].touching = touched[data.awake[i]] != 0;
        }
    });
    for (std::size_t i = 0; resting && i < contacts.size(); ++i) {
        const Contact& contact = data.contacts[contacts[i]];
        for (BodyRecord* body : {&data.bodies[contact.body_a], &data.bodies[contact.body_b]}) {
            if (!body->awake && !body->touching && touches(contact)) {
                ++rest_revision;
                body->touching = true;
            }
        }
    }
    data.stats.pairs = static_cast<std::uint32_t>(data.contacts.size());
    data.stats.colours = static_cast<std::uint32_t>(solver.used_colours());
}

} // namespace cairn::physics
