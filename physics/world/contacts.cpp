// The stages of a step over contacts: new pairs, contacts, hashes.
#include "physics/base/executor_loop.h"
#include "physics/narrowphase/contact_update.h"
#include "physics/world/world_state.h"

#include <algorithm>

namespace cairn::physics {

namespace {

constexpr std::size_t pair_block = 128;

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
    found.clear();
    gone.clear();
    parted.clear();
    waking.clear();
}

// What a pair has come to. Its own record may be written from here, and the contact that it has; no others are made or
// ended, because that moves what other threads read.
void World::Impl::update_pair(const ActivePair& entry, PairBlock& out) {
    ShapePair& pair = data.contacts.pair(entry.slot);
    const ShapeRecord& a = data.shapes[pair.shape_a()];
    const ShapeRecord& b = data.shapes[pair.shape_b()];
    if (!overlaps(a.reach, b.reach)) {
        if (!data.broadphase.fat_overlap(pair.shape_a(), pair.shape_b())) {
            out.gone.push_back(entry.slot);
        } else if (pair.touching()) {
            out.parted.push_back(entry.slot);
        }
        return;
    }
    const BodyRecord& body_a = data.bodies[entry.body_a];
    const BodyRecord& body_b = data.bodies[entry.body_b];
    Contact* before = pair.touching() ? &data.contacts[pair.contact] : nullptr;
    const std::span<ContactPoint> points =
        before != nullptr ? data.contacts.points(*before) : std::span<ContactPoint>();
    FoundContact found;
    const ContactSide side_a{a.shape, shape_pose(a), &body_a.pose, &data.kind(entry.body_a).def.material};
    const ContactSide side_b{b.shape, shape_pose(b), &body_b.pose, &data.kind(entry.body_b).def.material};
    if (!find_contact(side_a, side_b, a.margin + b.margin, data.settings.dt(), before, points, pair.cache, found)) {
        if (before != nullptr) {
            out.parted.push_back(entry.slot);
        }
        return;
    }
    if (body_a.sleeping || body_b.sleeping) {
        out.waking.push_back(entry.slot);
    }
    if (before != nullptr && before->count == found.contact.count) {
        *before = found.contact;
        std::copy_n(found.points.begin(), before->count, points.begin());
        out.touching.push_back(pair.contact);
    } else {
        found.contact.pair = entry.slot;
        out.touching.push_back(no_index);
        out.found.push_back(found);
    }
}

// Makes and ends the contacts that the blocks have found, in key order. The sleepers that are touched wake when all is
// in place.
void World::Impl::take_over(std::span<const PairBlock> blocks) {
    round_touching.clear();
    for (const PairBlock& block : blocks) {
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

// Contacts of all active pairs. A moving body that touches a sleeping one wakes it, which makes more pairs active:
// these are brought up to date in further rounds.
void World::Impl::update_contacts() {
    const auto update = [&](std::span<const ActivePair> pairs) {
        const std::size_t blocks = (pairs.size() + pair_block - 1) / pair_block;
        if (pair_blocks.size() < blocks) {
            pair_blocks.resize(blocks);
        }
        parallel_for(run_on(), pairs.size(), pair_block, [&](std::size_t begin, std::size_t end) {
            // The serial path hands over one range: fill the lists block by block all the same.
            for (std::size_t i = begin; i < end; ++i) {
                PairBlock& block = pair_blocks[i / pair_block];
                if (i % pair_block == 0) {
                    block.clear();
                }
                update_pair(pairs[i], block);
            }
        });
        take_over(std::span(pair_blocks).first(blocks));
        commit_awake();
    };
    update(data.contacts.active());
    while (!data.contacts.activated().empty()) {
        pending_pairs.assign(data.contacts.activated().begin(), data.contacts.activated().end());
        update(pending_pairs);
        data.contacts.list_touching();
    }
}

// Whose surfaces are within a slop of another's.
void World::Impl::mark_touching() {
    for (const std::uint32_t slot : data.awake) {
        data.bodies[slot].touching = false;
    }
    for (const std::uint32_t index : data.contacts.touching()) {
        const Contact& contact = data.contacts[index];
        if (!data.contacts.active(contact)) {
            continue;
        }
        for (const ContactPoint& point : data.contacts.points(contact)) {
            if (point.separation <= data.settings.linear_slop) {
                for (BodyRecord* body : {&data.bodies[contact.body_a], &data.bodies[contact.body_b]}) {
                    rest_revision += !body->awake && !body->touching ? 1 : 0;
                    body->touching = true;
                }
                break;
            }
        }
    }
    data.stats.pairs = static_cast<std::uint32_t>(data.contacts.size());
    data.stats.colours = static_cast<std::uint32_t>(solver.used_colours());
}

} // namespace cairn::physics
