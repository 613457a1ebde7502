// The stages of a step over contacts: new pairs, manifolds, hashes.
#include "physics/base/executor_loop.h"
#include "physics/base/hash.h"
#include "physics/narrowphase/contact_update.h"
#include "physics/world/world_state.h"

namespace cairn::physics {

namespace {

constexpr std::size_t contact_block = 32;

} // namespace

// Pairs of shapes whose bounds came to overlap become contacts.
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

// Manifolds of all active contacts. A moving body that touches a sleeping one wakes it, which makes more contacts
// active: these are brought up to date in further rounds.
void World::Impl::update_contacts() {
    const float dt = data.settings.dt();
    const std::span<const std::uint32_t> active = data.contacts.active();
    pending_contacts.assign(active.begin(), active.end());
    while (!pending_contacts.empty()) {
        apart.assign(pending_contacts.size(), 0);
        parallel_for(run_on(), pending_contacts.size(), contact_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                Contact& contact = data.contacts[pending_contacts[i]];
                const ShapeRecord& a = data.shapes[contact.shape_a];
                const ShapeRecord& b = data.shapes[contact.shape_b];
                if (!overlaps(a.reach, b.reach)) {
                    clear_manifold(contact);
                    apart[i] = data.broadphase.fat_overlap(contact.shape_a, contact.shape_b) ? 0 : 1;
                    continue;
                }
                const auto side = [&](const ShapeRecord& shape) {
                    return ContactSide{shape.shape, shape_pose(shape), data.bodies[shape.body].pose.position,
                                       &data.kind(shape.body).def.material};
                };
                update_contact(contact, side(a), side(b), a.margin + b.margin, dt);
            }
        });
        for (std::size_t i = 0; i < pending_contacts.size(); ++i) {
            const std::uint32_t slot = pending_contacts[i];
            const Contact& contact = data.contacts[slot];
            if (apart[i] != 0) {
                data.contact_hash_sum -= contact.hash;
                data.contacts.destroy(slot);
            } else if (contact.touching()) {
                for (const std::uint32_t body : {contact.body_a, contact.body_b}) {
                    if (data.bodies[body].sleeping) {
                        wake(body);
                    }
                }
            }
        }
        commit_awake();
        pending_contacts.assign(data.contacts.activated().begin(), data.contacts.activated().end());
    }
}

void World::Impl::rehash_contact(std::uint32_t slot) {
    Contact& contact = data.contacts[slot];
    data.contact_hash_sum -= contact.hash;
    contact.hash = 0;
    if (contact.touching()) {
        Hasher hasher(contact.key);
        for (int i = 0; i < contact.count; ++i) {
            const ContactPoint& point = contact.points[static_cast<std::size_t>(i)];
            hasher.add(point.feature, static_cast<std::uint32_t>(i)).add(point.separation, point.normal_impulse);
            hasher.add(point.friction_impulse).add(point.take_up, 0.0f);
        }
        hasher.add(contact.rolling_impulse).add(contact.column, 0.0f);
        hasher.add(std::uint32_t(contact.fineness), std::uint32_t(contact.settling));
        contact.hash = hasher.value();
    }
    data.contact_hash_sum += contact.hash;
}

void World::Impl::hash_contacts() {
    for (const std::uint32_t slot : data.awake) {
        data.bodies[slot].touching = false;
    }
    for (const std::uint32_t slot : data.contacts.active()) {
        rehash_contact(slot);
        const Contact& contact = data.contacts[slot];
        for (int i = 0; i < contact.count; ++i) {
            if (contact.points[static_cast<std::size_t>(i)].separation <= data.settings.linear_slop) {
                for (BodyRecord* body : {&data.bodies[contact.body_a], &data.bodies[contact.body_b]}) {
                    rest_revision += !body->awake && !body->touching ? 1 : 0;
                    body->touching = true;
                }
            }
        }
    }
    data.stats.pairs = static_cast<std::uint32_t>(data.contacts.size());
    data.stats.colours = static_cast<std::uint32_t>(solver.used_colours());
}

} // namespace cairn::physics
