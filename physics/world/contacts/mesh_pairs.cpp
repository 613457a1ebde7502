#include "physics/world/contacts/mesh_pairs.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/narrowphase/carry/carry.h"

#include <algorithm>

namespace cairn::physics {

namespace {

constexpr std::size_t mesh_block = 4; // pairs

// Bounds are sums of a few floats as large as the coordinates.
constexpr float bounds_rounding = 5e-7f;

// Greatest coordinate, m.
float extent_of(const Aabb& box) {
    const Vec3 most = glm::max(glm::abs(box.lower), glm::abs(box.upper));
    return std::max({most.x, most.y, most.z});
}

bool is_mesh(const ShapeRecord& shape) {
    return shape.shape->kind == ShapeKind::mesh;
}

// By its bodies: other shapes of such a body are no meshes.
bool may_be_mesh_pair(const BodyStore& bodies, const ActivePair& entry) {
    return bodies.kind(entry.body_a).has_mesh || bodies.kind(entry.body_b).has_mesh;
}

// How a shape of the body `slot` goes on in the coming step; meshes do not move. Without gravity, which what it touches
// takes off again.
ShapeMotion motion_ahead(const Settings& settings, const BodyRecord& body, const ContactSide& side) {
    if (!body.awake) {
        return {};
    }
    const Vec3 arm = side.shape_pose.position - body.pose.position;
    const float dt = settings.dt();
    return {dt * (body.linear_velocity + glm::cross(body.angular_velocity, arm)), dt * body.angular_velocity};
}

// Takes the contacts along with the bodies if all of them can be; else nothing is changed.
bool recycle_all(const BodyStore& bodies, const ActivePair& entry, float margin, float dt,
                 std::span<const ContactBefore> before, ContactPool& contacts, MeshPair& out) {
    const Vec3 residuals = bodies.traces[entry.body_b].rest.metres() - bodies.traces[entry.body_a].rest.metres();
    const Transform &pose_a = bodies[entry.body_a].pose, &pose_b = bodies[entry.body_b].pose;
    bool any = false, all = true;
    for (std::size_t face = 0; face < before.size(); ++face) {
        if (before[face].contact == nullptr) {
            continue;
        }
        any = true;
        FoundContact& copy = out.found[face];
        copy.contact = *before[face].contact;
        std::copy(before[face].points.begin(), before[face].points.end(), copy.points.begin());
        all = all && carry(copy.contact, std::span(copy.points).first(copy.contact.count), pose_a, pose_b, margin, dt,
                           residuals);
    }
    if (!any || !all) {
        return false;
    }
    for (std::size_t face = 0; face < before.size(); ++face) {
        if (before[face].contact != nullptr) {
            Contact& contact = contacts[contacts.pair(out.slots[face]).contact];
            const FoundContact& copy = out.found[face];
            std::copy_n(copy.points.begin(), contact.count, contacts.points(contact).begin());
            contact = copy.contact;
        }
    }
    return true;
}

} // namespace

float gap_by_reach(const ShapeRecord& a, const ShapeRecord& b, float margin) {
    return margin + distance(a.reach, b.reach) - bounds_rounding * (extent_of(a.reach) + extent_of(b.reach));
}

struct MeshPairs::World {
    const Settings& settings;
    const BodyStore& bodies;
    const ExpectedMotion& expected;
};

bool MeshPairs::find(Executor& executor, const Settings& settings, const BodyStore& bodies,
                     const ExpectedMotion& expected, std::span<const ActivePair> pairs, ContactPool& contacts) {
    index_.clear();
    if (!bodies.any_meshes) {
        return false;
    }
    index_.assign(contacts.pair_slots(), no_index);
    places_.clear();
    for (std::size_t place = 0; place < pairs.size(); ++place) {
        if (!may_be_mesh_pair(bodies, pairs[place])) {
            continue;
        }
        const ShapePair& pair = contacts.pair(pairs[place].slot);
        if (face_of(pair.key) == 0 &&
            (is_mesh(bodies.shapes[pair.shape_a()]) || is_mesh(bodies.shapes[pair.shape_b()]))) {
            places_.push_back(static_cast<std::uint32_t>(place));
        }
    }
    if (pairs_.size() < places_.size()) {
        pairs_.resize(places_.size());
    }
    const World world{settings, bodies, expected};
    parallel_for(executor, places_.size(), mesh_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            examine(world, pairs[places_[i]], contacts, pairs_[i]);
        }
    });
    bool added = false;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        MeshPair& found = pairs_[i];
        const ShapePair first = contacts.pair(found.slots[0]);
        for (std::uint32_t face = 0; face < found.slots.size(); ++face) {
            std::uint32_t& slot = found.slots[face];
            if (slot == no_index && found.found[face].contact.count > 0) {
                slot = contacts.create(face_of_pair(first.key, face), first.body_a, first.body_b);
                contacts.set_active(slot, true);
                index_.resize(contacts.pair_slots(), no_index);
                added = true;
            }
            if (slot != no_index) {
                index_[slot] = static_cast<std::uint32_t>(i);
            }
        }
    }
    return added;
}

// The contacts of the pair's faces may be written from here.
void MeshPairs::examine(const World& world, const ActivePair& entry, ContactPool& contacts, MeshPair& out) {
    const BodyStore& bodies = world.bodies;
    const ShapePair& pair = contacts.pair(entry.slot);
    const ShapeRecord& a = bodies.shapes[pair.shape_a()];
    const ShapeRecord& b = bodies.shapes[pair.shape_b()];
    const auto forget_found = [&out] {
        for (FoundContact& found : out.found) {
            found.contact.count = 0;
        }
    };
    out.slots.fill(no_index);
    out.slots[0] = entry.slot;
    out.recycled = false;
    out.apart = 0.0f;
    forget_found();
    ActivePair now = entry;
    if (entry.gap > 0.0f) {
        const BodyTrace &trace_a = bodies.traces[entry.body_a], &trace_b = bodies.traces[entry.body_b];
        now.gap = gap_after(entry.gap, trace_a, trace_b, bodies.trace_epoch);
        if (now.gap > trace_a.margin + trace_b.margin || world.expected.stays_apart(world.settings, bodies, now)) {
            out.apart = entry.gap; // as Narrowphase sees it, too
            return;
        }
    }
    float margin = a.margin + b.margin;
    if (world.expected.any_fast(entry)) {
        const PairMotion motion = world.expected.of_pair(world.settings, bodies, a, b);
        margin = motion.margin;
        if (now.gap > std::max(margin, motion.margin + motion.travel)) {
            out.apart = now.gap;
            return;
        }
    }
    for (const std::uint32_t slot : contacts.of_body(is_mesh(a) ? entry.body_b : entry.body_a)) {
        const PairKey key = contacts.pair(slot).key;
        if (face_of_pair(pair.key, face_of(key)) == key) {
            out.slots[face_of(key)] = slot;
        }
    }
    std::array<ContactBefore, MeshManifolds::most> before;
    for (std::size_t face = 0; face < before.size(); ++face) {
        if (out.slots[face] != no_index && contacts.pair(out.slots[face]).touching()) {
            const Contact& contact = contacts[contacts.pair(out.slots[face]).contact];
            before[face] = {&contact, contacts.points(contact)};
        }
    }
    const float dt = world.settings.dt();
    out.recycled = recycle_all(bodies, entry, margin, dt, before, contacts, out);
    if (out.recycled) {
        return;
    }
    forget_found();
    if (!overlaps(a.reach, b.reach)) {
        out.apart = gap_by_reach(a, b, margin);
        return;
    }
    const ContactSide side_a = contact_side(bodies, pair.shape_a()), side_b = contact_side(bodies, pair.shape_b());
    const ShapeMotion motion = is_mesh(a) ? motion_ahead(world.settings, bodies[b.body], side_b)
                                          : motion_ahead(world.settings, bodies[a.body], side_a);
    find_mesh_contacts(side_a, side_b, margin, dt, before, motion, out.found, out.apart);
}

bool MeshPairs::is_face(const BodyStore& bodies, const ContactPool& contacts, const ActivePair& entry) const {
    return may_be_mesh_pair(bodies, entry) &&
           (index_[entry.slot] != no_index || face_of(contacts.pair(entry.slot).key) != 0);
}

std::size_t MeshPairs::memory_bytes() const {
    return bytes_of(pairs_) + bytes_of(places_) + bytes_of(index_);
}

} // namespace cairn::physics
