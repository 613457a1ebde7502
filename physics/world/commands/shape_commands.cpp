// Commands that change of which shapes a body is made.
#include "physics/world/contacts/reach.h"
#include "physics/world/engine/world_impl.h"
#include "physics/world/parameters/validation.h"
#include "physics/world/state/load_changes.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace cairn::physics {

namespace {

struct TakenContact {
    Contact contact;
    std::array<ContactPoint, 4> points;
    std::array<StepImpulse, 4> impulses;
};

// The same contact with the bodies named the other way round.
void swap_sides(TakenContact& taken) {
    Contact& c = taken.contact;
    for (std::size_t i = 0; i < c.count; ++i) {
        ContactPoint& point = taken.points[i];
        point.anchor_a = c.anchor_b(point);
        std::swap(point.local_a, point.local_b);
        point.friction_impulse = -point.friction_impulse;
        taken.impulses[i].friction = -taken.impulses[i].friction;
    }
    c.normal = -c.normal;
    std::swap(c.centre_a, c.centre_b);
    std::swap(c.round_a, c.round_b);
    std::swap(c.wider_a, c.wider_b);
    c.rim_radius = -c.rim_radius;
    std::swap(c.meets_centre_a, c.meets_centre_b);
    c.rolling_impulse = -c.rolling_impulse;
}

// The centre of mass of body A or B has moved by `local` in its own frame, by `world` in the world's, m.
void shift_centre(TakenContact& taken, bool of_a, const Vec3& local, const Vec3& world) {
    Contact& c = taken.contact;
    (of_a ? c.centre_a : c.centre_b) += world;
    (of_a ? c.meets_centre_a : c.meets_centre_b) += world;
    for (std::size_t i = 0; i < c.count; ++i) {
        (of_a ? taken.points[i].local_a : taken.points[i].local_b) -= local;
        taken.points[i].anchor_a -= of_a ? world : Vec3(0.0f);
    }
}

struct Renumbering {
    std::uint32_t slot = 0;
    std::vector<std::uint32_t> shapes; // the new index of each old one, from `first` on; no_index: it is gone
    std::uint32_t first = 0;           // old index
    Vec3 local{0.0f}, world{0.0f};     // m, by which the centre of mass has moved

    std::uint32_t operator()(std::uint32_t shape) const {
        return shape >= first && shape - first < shapes.size() ? shapes[shape - first] : shape;
    }
};

// The body's pairs are made again by the new indices of its shapes; those of shapes that are gone end.
void renumber_pairs(const Renumbering& renumbering, ContactPool& pool) {
    const std::span<const std::uint32_t> listed = pool.of_body(renumbering.slot);
    const std::vector<std::uint32_t> slots(listed.begin(), listed.end());
    for (const std::uint32_t slot : slots) {
        const ShapePair pair = pool.pair(slot);
        TakenContact taken;
        if (pair.touching()) {
            taken.contact = pool[pair.contact];
            std::ranges::copy(pool.points(taken.contact), taken.points.begin());
            std::ranges::copy(pool.step_impulses(taken.contact), taken.impulses.begin());
        }
        pool.destroy(slot);
        const std::uint32_t a = renumbering(pair.shape_a()), b = renumbering(pair.shape_b());
        if (a == no_index || b == no_index) {
            continue;
        }
        const bool swapped = a > b;
        const PairKey key = face_of_pair(make_pair_key(a, b), face_of(pair.key));
        const std::uint32_t fresh =
            swapped ? pool.create(key, pair.body_b, pair.body_a) : pool.create(key, pair.body_a, pair.body_b);
        if (!swapped) {
            pool.pair(fresh).cache = pair.cache;
        }
        pool.set_active(fresh, true); // contacts of what rests are counted into the hash when it ceases to be active
        if (!pair.touching()) {
            pool.set_active(fresh, pair.active);
            continue;
        }
        shift_centre(taken, pair.body_a == renumbering.slot, renumbering.local, renumbering.world);
        if (swapped) {
            swap_sides(taken);
        }
        taken.contact.tolerance = 0.0f; // examined anew, from these impulses
        pool.touch(fresh, taken.contact, std::span(taken.points).first(taken.contact.count));
        std::copy_n(taken.impulses.begin(), taken.contact.count,
                    pool.step_impulses(pool[pool.pair(fresh).contact]).begin());
        pool.set_active(fresh, pair.active);
    }
}

} // namespace

CommandResult World::Impl::apply(const AddShape& command) {
    if (data.bodies.find(command.body) == nullptr) {
        return no_such_body(command.body);
    }
    BodyDef def = data.bodies.kind(command.body.index).def;
    const auto count = static_cast<std::uint32_t>(def.shapes.size());
    const std::uint32_t place = command.place.value_or(count);
    if (place > count) {
        return refused("there is no place " + std::to_string(place) + " among the " + std::to_string(count) +
                       " shapes of the body");
    }
    def.shapes.insert(def.shapes.begin() + place, command.shape);
    std::vector<std::optional<std::uint32_t>> before;
    for (std::uint32_t i = 0; i <= count; ++i) {
        before.push_back(i == place ? std::nullopt : std::optional(i < place ? i : i - 1));
    }
    return change_shapes(command.body, std::move(def), before);
}

CommandResult World::Impl::apply(const RemoveShape& command) {
    if (data.bodies.find(command.body) == nullptr) {
        return no_such_body(command.body);
    }
    BodyDef def = data.bodies.kind(command.body.index).def;
    if (command.shape >= def.shapes.size()) {
        return refused("there is no shape " + std::to_string(command.shape) + " of the body");
    }
    if (def.shapes.size() == 1) {
        return refused("a body has at least one shape; destroy the body instead");
    }
    std::vector<std::optional<std::uint32_t>> before;
    for (std::uint32_t i = 0; i < def.shapes.size(); ++i) {
        if (i != command.shape) {
            before.emplace_back(i);
        }
    }
    def.shapes.erase(def.shapes.begin() + command.shape);
    return change_shapes(command.body, std::move(def), before);
}

CommandResult World::Impl::change_shapes(BodyId id, BodyDef def, std::span<const std::optional<std::uint32_t>> before) {
    if (std::string problem = problem_with(def); !problem.empty()) {
        return refused(std::move(problem));
    }
    auto found = kinds.get(def);
    if (std::string* problem = std::get_if<std::string>(&found)) {
        return refused(std::move(*problem));
    }
    const std::shared_ptr<const BodyKind> kind = std::get<std::shared_ptr<const BodyKind>>(std::move(found));
    const std::uint32_t slot = id.index;
    BodyRecord& body = data.bodies[slot];
    const std::shared_ptr<const BodyKind> old = data.bodies.cold[slot].kind;
    const Vec3 local = kind->centre - old->centre, world = rotate(body.pose.orientation, local);
    if (std::string problem = problem_with_position(body.pose.position + world); !problem.empty()) {
        return refused(std::move(problem));
    }

    // Whatever rests on the body must notice that it changes.
    data.waking().wake_neighbours(slot);
    data.waking().wake(slot);
    LoadChanges(data).change_kind(slot, *kind);
    const std::shared_ptr<const BodyModel> model = data.bodies.cold[slot].model; // of name and colour
    for (std::uint32_t i = 0; i < data.bodies.cold[slot].shape_count; ++i) {
        data.broadphase.remove(data.bodies.cold[slot].first_shape + i);
    }
    const auto [first, count] =
        data.bodies.set_shapes(slot, kind, kinds.named(kind, model->def.name, model->def.colour));
    Renumbering renumbering{slot, std::vector<std::uint32_t>(count, no_index), first, local, world};
    std::vector<std::uint32_t> places(old->parts.size(), no_index); // of old ones, among the new ones
    for (std::uint32_t place = 0; place < before.size(); ++place) {
        if (before[place]) {
            places[*before[place]] = place;
        }
    }
    for (std::uint32_t i = 0; i < kind->collider_count(); ++i) {
        if (const std::optional<std::uint32_t> place = before[kind->place_of(i)]) {
            for (std::uint32_t k = 0; k < count; ++k) {
                if (old->place_of(k) == *place) {
                    renumbering.shapes[k] = data.bodies.cold[slot].first_shape + i;
                }
            }
        }
    }
    contact_watcher.renumber(id, places, renumbering.shapes, first);
    sensor_watcher.renumber(id, places);
    renumber_pairs(renumbering, data.contacts);
    data.bodies.free_shapes(first, count);

    body.pose.position += world;
    body.linear_velocity += glm::cross(body.angular_velocity, world);
    for (const std::uint32_t joint : data.joints.of(slot)) {
        JointDef moved = *data.joints[joint].def;
        (moved.body_a == id ? moved.frame_a : moved.frame_b).position -= local;
        data.joints.change(joint, moved);
    }
    if (data.grab.active && data.grab.grab.body == id) {
        data.grab.grab.local_point -= local;
    }
    for (PendingForce& force : data.forces) {
        if (force.slot == slot) {
            force.torque -= glm::cross(world, force.force);
        }
    }
    fit_reach(data.settings, data.bodies, slot);
    for (std::uint32_t i = 0; i < data.bodies.cold[slot].shape_count; ++i) {
        const std::uint32_t shape = data.bodies.cold[slot].first_shape + i;
        data.broadphase.add(shape, data.bodies.shapes[shape].reach, body.type != BodyType::fixed);
    }
    data.bodies.lose_track(slot);
    data.waking().refresh(slot);
    if (!body.awake) {
        data.waking().wake_around(slot, data.broadphase);
    }
    data.bodies.rehash(slot);
    data.bodies.resting_revision += body.awake ? 0 : 1;
    ++data.revision;
    return {};
}

} // namespace cairn::physics
