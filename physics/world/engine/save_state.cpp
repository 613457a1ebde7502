// The state of a world as columns, and its digest.
#include "physics/world/engine/world_impl.h"
#include "physics/world/state_image.h"

#include <algorithm>
#include <unordered_map>

namespace cairn::physics {

namespace {

void save_bodies(const WorldData& data, StateImage& image) {
    std::unordered_map<const BodyModel*, std::uint32_t> numbers;
    StateImage::Bodies& out = image.bodies;
    for (std::uint32_t slot = 0; slot < data.bodies.size(); ++slot) {
        const BodyRecord& body = data.bodies[slot];
        const ColdBody& cold = data.bodies.cold[slot];
        const BodyTrace& trace = data.bodies.traces[slot];
        std::uint32_t kind = StateImage::none;
        if (body.alive) {
            const auto [at, fresh] = numbers.emplace(cold.model.get(), static_cast<std::uint32_t>(image.kinds.size()));
            if (fresh) {
                image.kinds.push_back(cold.model->def);
            }
            kind = at->second;
        }
        const bool moved = trace.epoch == data.bodies.trace_epoch;
        out.kind.push_back(kind);
        out.generation.push_back(body.generation);
        out.first_shape.push_back(cold.first_shape);
        out.flags.push_back(static_cast<std::uint8_t>(
            (body.sleeping ? StateImage::body_sleeps : 0) | (body.touching ? StateImage::body_touches : 0) |
            (body.placed ? StateImage::body_was_placed : 0) | (moved ? StateImage::body_has_moved : 0) |
            (body.entangled ? StateImage::body_is_entangled : 0)));
        out.position.push_back(body.pose.position);
        out.rest.push_back(trace.rest.bits());
        out.orientation.push_back(body.pose.orientation);
        out.linear_velocity.push_back(body.linear_velocity);
        out.angular_velocity.push_back(body.angular_velocity);
        out.sleep_timer.push_back(body.sleep_timer);
        out.margin.push_back(cold.margin);
        out.fitted.push_back(cold.fitted);
        out.drift.push_back(cold.drift);
        out.way.push_back(moved ? trace.way : Vec3(0.0f));
        out.lift.push_back(moved ? trace.lift : 0.0f);
        out.trace_margin.push_back(trace.margin);
    }
    image.free_bodies = data.bodies.free;
    image.placed = data.bodies.placed;
}

void save_shapes(const WorldData& data, StateImage& image) {
    StateImage::Shapes& out = image.shapes;
    for (std::uint32_t i = 0; i < data.bodies.shapes.size(); ++i) {
        const ShapeRecord& shape = data.bodies.shapes[i];
        const bool used = shape.body != no_index;
        out.queued.push_back(used && data.broadphase.queued(i) ? 1 : 0);
        out.margin.push_back(shape.margin);
        out.reach.push_back(used ? shape.reach : Aabb{});
        out.fat.push_back(used ? data.broadphase.fat_bounds(i) : Aabb{});
    }
    for (const auto& [length, starts] : data.bodies.free_shape_runs) {
        image.free_run_lengths.insert(image.free_run_lengths.end(), starts.size(), length);
        image.free_run_starts.insert(image.free_run_starts.end(), starts.begin(), starts.end());
    }
}

void save_contact(const ContactPool& pool, const Contact& contact, StateImage& image) {
    StateImage::Contacts& out = image.contacts;
    out.normal.push_back(contact.normal);
    out.friction.push_back(contact.friction);
    out.restitution.push_back(contact.restitution);
    out.centre_a.push_back(contact.centre_a);
    out.centre_b.push_back(contact.centre_b);
    out.rolling_arm.push_back(contact.rolling_arm);
    out.rolling_impulse.push_back(contact.rolling_impulse);
    out.round_a.push_back(contact.round_a);
    out.round_b.push_back(contact.round_b);
    out.flags.push_back(static_cast<std::uint8_t>((contact.smaller_is_a ? StateImage::smaller_is_a : 0) |
                                                  (contact.normal_turns_with_a ? StateImage::normal_turns_with_a : 0) |
                                                  contact.solved_at << StateImage::solved_at_shift));
    out.loaded_inverse_mass.push_back(contact.loaded_inverse_mass);
    out.tolerance.push_back(contact.tolerance);
    out.asked.push_back(contact.asked);
    out.radius.push_back(contact.radius);
    out.found_position.push_back(contact.found_at.position);
    out.found_orientation.push_back(contact.found_at.orientation);
    out.local_normal.push_back(contact.local_normal);
    const std::span<const ContactPoint> points = pool.points(contact);
    const std::span<const StepImpulse> impulses = pool.step_impulses(contact);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const ContactPoint& point = points[i];
        StateImage::Points& to = image.points;
        to.feature.push_back(point.feature);
        to.age.push_back(contact.ages[i]);
        to.anchor.push_back(point.anchor_a);
        to.local_a.push_back(point.local_a);
        to.local_b.push_back(point.local_b);
        to.separation.push_back(point.separation);
        to.normal_impulse.push_back(point.normal_impulse);
        to.friction_impulse.push_back(point.friction_impulse);
        to.preload.push_back(point.preload);
        to.step_normal.push_back(impulses[i].normal);
        to.step_friction.push_back(impulses[i].friction);
    }
}

void save_pairs(const WorldData& data, StateImage& image) {
    const ContactPool& pool = data.contacts;
    std::vector<std::pair<PairKey, std::uint32_t>> in_order; // and slot
    for (std::uint32_t body = 0; body < data.bodies.size(); ++body) {
        for (const std::uint32_t slot : pool.of_body(body)) {
            if (pool.pair(slot).body_a == body) { // each once
                in_order.emplace_back(pool.pair(slot).key, slot);
            }
        }
    }
    std::sort(in_order.begin(), in_order.end());
    std::unordered_map<std::uint32_t, float> gaps; // by slot
    for (const ActivePair& entry : pool.active()) {
        if (pool.pair(entry.slot).active && entry.gap != 0.0f) {
            gaps.emplace(entry.slot, entry.gap);
        }
    }
    std::unordered_map<PairKey, std::uint32_t> places;
    StateImage::Pairs& out = image.pairs;
    for (const auto& [key, slot] : in_order) {
        const ShapePair& pair = pool.pair(slot);
        const auto gap = gaps.find(slot);
        places.emplace(key, static_cast<std::uint32_t>(places.size()));
        out.shape_a.push_back(static_cast<std::uint32_t>(pair.key >> 32)); // with the number of its face
        out.shape_b.push_back(pair.shape_b());
        out.place_a.push_back(pair.link_a);
        out.place_b.push_back(pair.link_b);
        out.gap.push_back(gap != gaps.end() ? gap->second : 0.0f);
        out.axis.push_back(pair.cache.axis);
        out.axis_in_b.push_back(pair.cache.axis_in_b);
        out.flags.push_back(pair.cache.contact ? StateImage::cache_is_contact : 0);
        out.points.push_back(pair.touching() ? pool[pair.contact].count : std::uint8_t{0});
        if (pair.touching()) {
            save_contact(pool, pool[pair.contact], image);
        }
    }
    // Those whose pair has gone are dropped by the next step before they are used.
    const auto save_load = [&](const auto& entries, std::vector<std::uint32_t>& pairs, const auto& add) {
        for (const auto& entry : entries) {
            const auto place = places.find(entry.key);
            if (place != places.end() && pool.pair(entry.slot).key == entry.key) {
                pairs.push_back(place->second);
                add(entry);
            }
        }
    };
    save_load(data.substeps.columns, image.column_pairs,
              [&](const ColumnContact& entry) { image.column_levels.push_back(entry.packed()); });
    save_load(data.substeps.recovering, image.settling_pairs,
              [&](const RecoveringContact& entry) { image.settling_steps.push_back(entry.steps); });
    for (const LoadedBody& one : data.substeps.loaded) {
        if (data.bodies.find({one.slot, one.generation}) != nullptr) { // as with pairs that have gone
            image.loaded_bodies.push_back(one.slot);
            image.loads.push_back(one.load);
        }
    }
}

void save_joints(const WorldData& data, StateImage& image) {
    StateImage::Joints& out = image.joints;
    const auto place_of = [&](std::uint32_t joint, BodyId body) {
        if (!body) {
            return StateImage::none;
        }
        const std::span<const std::uint32_t> list = data.joints.of(body.index);
        return static_cast<std::uint32_t>(std::find(list.begin(), list.end(), joint) - list.begin());
    };
    for (std::uint32_t slot = 0; slot < data.joints.size(); ++slot) {
        const JointRecord& joint = data.joints[slot];
        out.alive.push_back(joint.alive ? 1 : 0);
        out.generation.push_back(joint.generation);
        out.place_a.push_back(joint.alive ? place_of(slot, joint.def->body_a) : StateImage::none);
        out.place_b.push_back(joint.alive ? place_of(slot, joint.def->body_b) : StateImage::none);
        out.position.push_back(joint.position);
        out.rigid.push_back(joint.impulses.rigid);
        out.motor.push_back(joint.impulses.motor);
        out.spring.push_back(joint.impulses.spring);
        out.lower.push_back(joint.impulses.lower);
        out.upper.push_back(joint.impulses.upper);
        out.cone.push_back(joint.impulses.cone);
        out.soft_block.push_back(joint.impulses.soft_block);
        out.brake.push_back(joint.impulses.brake);
        out.force.push_back(joint.force);
        out.torque.push_back(joint.torque);
        if (joint.alive) {
            image.joint_defs.push_back(*joint.def);
        }
    }
    image.free_joints = data.joints.free_slots();
}

} // namespace

StateImage World::image() const {
    const WorldData& data = impl_->data;
    StateImage image;
    image.step = data.step;
    image.time = data.time;
    if (data.short_steps != ShortSteps{}) {
        image.short_steps = {data.short_steps.count, data.short_steps.calm_steps};
    }
    image.settings = data.settings;
    save_bodies(data, image);
    save_shapes(data, image);
    save_pairs(data, image);
    save_joints(data, image);
    image.grabbed = data.grab.active;
    if (data.grab.active) {
        image.grab = data.grab.grab;
        image.grab_impulse = data.grab.impulse;
    }
    return image;
}

StateDigest World::digest() const {
    const WorldData& data = impl_->data;
    StateDigest digest;
    const auto add_body = [&](std::uint32_t slot) {
        std::uint16_t& sum = digest.bodies[StateDigest::body_bucket(data.step, slot)];
        sum = static_cast<std::uint16_t>(sum + impl_->data.bodies.hash_of(slot));
    };
    const auto add_contact = [&](const Contact& contact) {
        if (data.contacts.active(contact)) {
            std::uint16_t& sum = digest.contacts[StateDigest::contact_bucket(contact.body_a, contact.body_b)];
            sum = static_cast<std::uint16_t>(sum + data.contacts.hash_of(contact));
        }
    };
    if (data.awake.listed()) {
        std::for_each(data.awake.begin(), data.awake.end(), add_body);
        for (const std::uint32_t index : data.contacts.touching()) {
            add_contact(data.contacts[index]);
        }
    } else { // the lists are not up to date
        for (std::uint32_t slot = 0; slot < data.bodies.size(); ++slot) {
            if (data.bodies[slot].awake) {
                add_body(slot);
            }
        }
        data.contacts.for_each(add_contact);
    }
    digest.joints = static_cast<std::uint32_t>(data.joints.hash_sum());
    digest.resting = static_cast<std::uint32_t>(data.bodies.resting_hash);
    return digest;
}

} // namespace cairn::physics
