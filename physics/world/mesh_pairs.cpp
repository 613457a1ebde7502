// The stage of the step that finds what is touched of meshes.
#include "physics/base/executor_loop.h"
#include "physics/narrowphase/carry.h"
#include "physics/world/world_state.h"

#include <algorithm>

namespace cairn::physics {

namespace {

constexpr std::size_t mesh_block = 4; // pairs

} // namespace

// What a pair touches of a mesh is found at once, and before all other pairs are looked at: each of its faces is a pair
// of its own, and only now it is known how many there are.
bool World::Impl::find_mesh_contacts(std::span<const ActivePair> pairs) {
    mesh_pair_of.clear();
    if (!data.bodies.any_meshes) {
        return false;
    }
    mesh_pair_of.assign(data.contacts.pair_slots(), no_index);
    mesh_places.clear();
    for (std::size_t place = 0; place < pairs.size(); ++place) {
        const ActivePair& entry = pairs[place];
        if (!is_mesh_pair(entry)) {
            continue;
        }
        const ShapePair& pair = data.contacts.pair(entry.slot);
        if (face_of(pair.key) != 0 || (data.bodies.shapes[pair.shape_a()].shape->kind != ShapeKind::mesh &&
                                       data.bodies.shapes[pair.shape_b()].shape->kind != ShapeKind::mesh)) {
            continue;
        }
        mesh_places.push_back(static_cast<std::uint32_t>(place));
    }
    if (mesh_pairs.size() < mesh_places.size()) {
        mesh_pairs.resize(mesh_places.size());
    }
    parallel_for(run_on(), mesh_places.size(), mesh_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            look_at_mesh(pairs[mesh_places[i]], mesh_pairs[i]);
        }
    });
    bool added = false;
    for (std::size_t i = 0; i < mesh_places.size(); ++i) {
        MeshPair& found = mesh_pairs[i];
        const ShapePair first = data.contacts.pair(found.slots[0]);
        for (std::uint32_t face = 0; face < found.slots.size(); ++face) {
            std::uint32_t& slot = found.slots[face];
            if (slot == no_index && found.found[face].contact.count > 0) {
                slot = data.contacts.create(face_of_pair(first.key, face), first.body_a, first.body_b);
                data.contacts.set_active(slot, true);
                mesh_pair_of.resize(data.contacts.pair_slots(), no_index);
                added = true;
            }
            if (slot != no_index) {
                mesh_pair_of[slot] = static_cast<std::uint32_t>(i);
            }
        }
    }
    return added;
}

// The records of its faces may be written from here.
void World::Impl::look_at_mesh(const ActivePair& entry, MeshPair& out) {
    const ShapePair& pair = data.contacts.pair(entry.slot);
    const ShapeRecord& a = data.bodies.shapes[pair.shape_a()];
    const ShapeRecord& b = data.bodies.shapes[pair.shape_b()];
    out.slots.fill(no_index);
    out.slots[0] = entry.slot;
    out.carried = false;
    out.apart = 0.0f;
    for (FoundContact& found : out.found) {
        found.contact.count = 0;
    }
    ActivePair now = entry;
    if (entry.gap > 0.0f) {
        const BodyTrace &trace_a = data.bodies.traces[entry.body_a], &trace_b = data.bodies.traces[entry.body_b];
        now.gap = gap_after(entry.gap, trace_a, trace_b, data.bodies.trace_epoch);
        if (now.gap > trace_a.margin + trace_b.margin || stays_apart(now)) {
            out.apart = entry.gap; // as update_stretch() sees it, too
            return;
        }
    }
    float margin = a.margin + b.margin;
    if (outlook(entry.body_a) != nullptr || outlook(entry.body_b) != nullptr) {
        const PairMotion motion = pair_motion(a, b);
        margin = motion.margin;
        if (now.gap > std::max(margin, motion.margin + motion.travel)) {
            out.apart = now.gap;
            return;
        }
    }
    const bool mesh_is_a = a.shape->kind == ShapeKind::mesh;
    for (const std::uint32_t slot : data.contacts.of_body(mesh_is_a ? entry.body_b : entry.body_a)) {
        const PairKey key = data.contacts.pair(slot).key;
        if (face_of_pair(pair.key, face_of(key)) == key) {
            out.slots[face_of(key)] = slot;
        }
    }
    const Transform &pose_a = data.bodies[entry.body_a].pose, &pose_b = data.bodies[entry.body_b].pose;
    const float dt = data.settings.dt();
    std::array<ContactBefore, MeshManifolds::most> before;
    bool touching = false, carried = true;
    const Vec3 rests = data.bodies.traces[entry.body_b].rest.metres() - data.bodies.traces[entry.body_a].rest.metres();
    for (std::size_t face = 0; face < before.size(); ++face) {
        if (out.slots[face] == no_index || !data.contacts.pair(out.slots[face]).touching()) {
            continue;
        }
        const Contact& contact = data.contacts[data.contacts.pair(out.slots[face]).contact];
        before[face] = {&contact, data.contacts.points(contact)};
        touching = true;
        FoundContact& copy = out.found[face]; // all are taken along, or none
        copy.contact = contact;
        std::copy(before[face].points.begin(), before[face].points.end(), copy.points.begin());
        carried = carried &&
                  carry(copy.contact, std::span(copy.points).first(contact.count), pose_a, pose_b, margin, dt, rests);
    }
    if (touching && carried) {
        out.carried = true;
        for (std::size_t face = 0; face < before.size(); ++face) {
            if (before[face].contact != nullptr) {
                Contact& contact = data.contacts[data.contacts.pair(out.slots[face]).contact];
                const FoundContact& copy = out.found[face];
                std::copy_n(copy.points.begin(), contact.count, data.contacts.points(contact).begin());
                contact = copy.contact;
            }
        }
        return;
    }
    for (FoundContact& found : out.found) {
        found.contact.count = 0;
    }
    if (!overlaps(a.reach, b.reach)) {
        out.apart = gap_by_reach(a, b, margin);
        return;
    }
    const BodyKind &kind_a = data.bodies.kind(entry.body_a), &kind_b = data.bodies.kind(entry.body_b);
    const ContactSide side_a{a.shape, data.bodies.shape_pose(a), &pose_a, kind_a.bounding_radius, &kind_a.def.material};
    const ContactSide side_b{b.shape, data.bodies.shape_pose(b), &pose_b, kind_b.bounding_radius, &kind_b.def.material};
    cairn::physics::find_mesh_contacts(side_a, side_b, margin, dt, before, out.found, out.apart);
}

// False if the pair is not one with a mesh: a body may have other shapes as well.
bool World::Impl::update_mesh_pair(ActivePair& entry, std::uint32_t place, PairBlock& out) {
    const ShapePair& pair = data.contacts.pair(entry.slot);
    const std::uint32_t face = face_of(pair.key);
    if (mesh_pair_of[entry.slot] == no_index && face == 0) {
        return false;
    }
    if (mesh_pair_of[entry.slot] != no_index) {
        const MeshPair& found = mesh_pairs[mesh_pair_of[entry.slot]];
        entry.gap = face == 0 ? found.apart : 0.0f;
        if (found.carried) {
            if (pair.touching()) {
                note_touch(entry, place, pair.contact, data.contacts.points(data.contacts[pair.contact]), out);
            }
            return true;
        }
        if (found.found[face].contact.count > 0) {
            out.scratch = found.found[face];
            keep_found(entry, place, out);
            return true;
        }
    }
    if (!data.broadphase.fat_overlap(pair.shape_a(), pair.shape_b())) {
        out.gone.push_back(place);
    } else if (pair.touching()) {
        out.parted.push_back(place);
    }
    return true;
}

} // namespace cairn::physics
