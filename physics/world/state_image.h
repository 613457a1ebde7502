// The whole state of a world as plain columns of numbers, so that it can be written to a file and had again.
#pragma once

#include "physics/geometry/aabb.h"
#include "physics/world/body_def.h"
#include "physics/world/command.h"
#include "physics/world/joint_def.h"
#include "physics/world/settings.h"

#include <array>
#include <cstdint>
#include <vector>

namespace cairn::physics {

// Everything that the future of a world depends on. A world that is loaded from it goes on with the same bits.
//
// Columns of one group are equally long. Slots and what follows from the rest (who is awake, which pairs are looked at,
// mass and inertia, the trees of the broadphase) are not in it: they are made anew. Orders that show in results are:
// the free lists, and the places of pairs and joints in the lists of their bodies. What the last step told its readers
// (times, stopped bodies, impacts) is not state.
struct StateImage {
    static constexpr std::uint32_t none = 0xffffffffu;

    std::uint64_t step = 0;
    double time = 0.0; // s, sum of the steps taken
    Settings settings;

    // What bodies are made of, each once; poses and velocities are of no account in it.
    std::vector<BodyDef> kinds;

    struct Bodies {                      // by slot, with those that are free
        std::vector<std::uint32_t> kind; // none: the slot is free
        std::vector<std::uint32_t> generation;
        std::vector<std::uint32_t> first_shape; // of the free: 0
        std::vector<std::uint8_t> flags;
        std::vector<Vec3> position;      // m
        std::vector<std::uint64_t> rest; // of the position beyond its floats, see PositionRest::bits
        std::vector<Quat> orientation;
        std::vector<Vec3> linear_velocity, angular_velocity; // m/s, rad/s
        std::vector<float> sleep_timer;                      // s
        std::vector<float> margin, fitted, drift;            // m, as in ColdBody
        // As in BodyTrace; zero where the body has not moved since its pairs were last looked at.
        std::vector<Vec3> way;                 // m
        std::vector<float> lift, trace_margin; // m
    } bodies;
    static constexpr std::uint8_t body_sleeps = 1, body_touches = 2, body_was_placed = 4, body_has_moved = 8,
                                  body_is_entangled = 16;
    std::vector<std::uint32_t> free_bodies; // last in, first out
    std::vector<std::uint32_t> placed;      // slots, in order

    struct Shapes {                       // by index, with those that are free
        std::vector<std::uint8_t> queued; // to be checked for new pairs
        std::vector<float> margin;        // m
        std::vector<Aabb> reach, fat;     // m; of the free: empty
    } shapes;
    std::vector<std::uint32_t> free_run_lengths, free_run_starts; // by length, then last in, first out

    struct Pairs {                                   // by their two shapes, ascending
        std::vector<std::uint32_t> shape_a, shape_b; // of pairs with a mesh, the face's number in a's highest bits
        std::vector<std::uint32_t> place_a, place_b; // in the lists of their bodies
        std::vector<float> gap;                      // m; 0: nothing is known
        std::vector<Vec3> axis, axis_in_b;           // of the cache
        std::vector<std::uint8_t> flags;
        std::vector<std::uint8_t> points; // 0: no contact
    } pairs;
    static constexpr std::uint8_t cache_is_contact = 1;

    struct Contacts { // of the pairs that have points, in their order
        std::vector<Vec3> normal;
        std::vector<float> friction, restitution;
        std::vector<Vec3> centre_a, centre_b; // m
        std::vector<float> rolling_arm;       // m
        std::vector<Vec3> rolling_impulse;    // N m s
        std::vector<float> round_a, round_b;  // m
        std::vector<std::uint8_t> flags;
        std::vector<float> loaded_inverse_mass;      // 1/kg
        std::vector<float> tolerance, asked, radius; // m
        std::vector<Vec3> found_position;
        std::vector<Quat> found_orientation;
        std::vector<Vec3> local_normal;
    } contacts;
    static constexpr std::uint8_t smaller_is_a = 1, normal_turns_with_a = 2;
    static constexpr int solved_at_shift = 2; // the bits above are Contact::solved_at

    struct Points { // of all contacts, in their order
        std::vector<std::uint32_t> feature;
        std::vector<std::uint16_t> age; // steps
        std::vector<Vec3> anchor, local_a, local_b;
        std::vector<float> separation;      // m
        std::vector<float> normal_impulse;  // N s per plain substep
        std::vector<Vec3> friction_impulse; // N s per plain substep
        std::vector<float> preload;         // m
        std::vector<float> step_normal;     // N s, over the last step
        std::vector<Vec3> step_friction;    // N s, over the last step
    } points;

    // Contacts below columns, and those that have yet to find their impulses: places in `pairs`.
    std::vector<std::uint32_t> column_pairs, settling_pairs;
    std::vector<std::uint8_t> column_levels, settling_steps;
    // Bodies that have the inertia of what they carry, by slot.
    std::vector<std::uint32_t> loaded_bodies;
    std::vector<float> loads;              // kg
    std::vector<std::uint8_t> short_steps; // count and calm steps, see ShortSteps; empty: a step is not divided

    struct Joints { // by slot, with those that are free
        std::vector<std::uint8_t> alive;
        std::vector<std::uint32_t> generation;
        std::vector<std::uint32_t> place_a, place_b; // in the lists of their bodies; none: it has no such body
        std::vector<float> position;                 // rad or m
        std::vector<std::array<float, 6>> rigid;     // impulses per plain substep, as in JointImpulses
        std::vector<float> motor, spring, lower, upper, cone;
        std::vector<Vec3> soft_block, brake;
        std::vector<Vec3> force, torque; // N, N m
    } joints;
    std::vector<JointDef> joint_defs;       // of the live ones, by slot
    std::vector<std::uint32_t> free_joints; // last in, first out

    bool grabbed = false;
    Grab grab;
    Vec3 grab_impulse{0.0f}; // N s per substep
};

// Calls visit(name, column) for every column of numbers. It is the one list that writing, reading and comparing go by.
template <typename Image, typename Visit>
void for_each_column(Image& image, Visit&& visit) {
    auto& b = image.bodies;
    visit("body_kind", b.kind);
    visit("body_generation", b.generation);
    visit("body_first_shape", b.first_shape);
    visit("body_flags", b.flags);
    visit("body_position", b.position);
    visit("body_rest", b.rest);
    visit("body_orientation", b.orientation);
    visit("body_linear_velocity", b.linear_velocity);
    visit("body_angular_velocity", b.angular_velocity);
    visit("body_quiet_time", b.sleep_timer);
    visit("body_margin", b.margin);
    visit("body_fitted", b.fitted);
    visit("body_drift", b.drift);
    visit("body_way", b.way);
    visit("body_lift", b.lift);
    visit("body_trace_margin", b.trace_margin);
    visit("free_bodies", image.free_bodies);
    visit("placed", image.placed);
    auto& s = image.shapes;
    visit("shape_queued", s.queued);
    visit("shape_margin", s.margin);
    visit("shape_reach", s.reach);
    visit("shape_fat", s.fat);
    visit("free_run_lengths", image.free_run_lengths);
    visit("free_run_starts", image.free_run_starts);
    auto& p = image.pairs;
    visit("pair_shape_a", p.shape_a);
    visit("pair_shape_b", p.shape_b);
    visit("pair_place_a", p.place_a);
    visit("pair_place_b", p.place_b);
    visit("pair_gap", p.gap);
    visit("pair_axis", p.axis);
    visit("pair_axis_in_b", p.axis_in_b);
    visit("pair_flags", p.flags);
    visit("pair_points", p.points);
    auto& c = image.contacts;
    visit("contact_normal", c.normal);
    visit("contact_friction", c.friction);
    visit("contact_restitution", c.restitution);
    visit("contact_centre_a", c.centre_a);
    visit("contact_centre_b", c.centre_b);
    visit("contact_rolling_arm", c.rolling_arm);
    visit("contact_rolling_impulse", c.rolling_impulse);
    visit("contact_round_a", c.round_a);
    visit("contact_round_b", c.round_b);
    visit("contact_flags", c.flags);
    visit("contact_tolerance", c.tolerance);
    visit("contact_asked", c.asked);
    visit("contact_radius", c.radius);
    visit("contact_found_position", c.found_position);
    visit("contact_found_orientation", c.found_orientation);
    visit("contact_local_normal", c.local_normal);
    auto& q = image.points;
    visit("point_feature", q.feature);
    visit("point_age", q.age);
    visit("point_anchor", q.anchor);
    visit("point_local_a", q.local_a);
    visit("point_local_b", q.local_b);
    visit("point_separation", q.separation);
    visit("point_normal_impulse", q.normal_impulse);
    visit("point_friction_impulse", q.friction_impulse);
    visit("point_take_up", q.preload);
    visit("point_step_normal", q.step_normal);
    visit("point_step_friction", q.step_friction);
    visit("column_pairs", image.column_pairs);
    visit("column_fineness", image.column_levels);
    visit("settling_pairs", image.settling_pairs);
    visit("settling_steps", image.settling_steps);
    auto& j = image.joints;
    visit("joint_alive", j.alive);
    visit("joint_generation", j.generation);
    visit("joint_place_a", j.place_a);
    visit("joint_place_b", j.place_b);
    visit("joint_position", j.position);
    visit("joint_rigid", j.rigid);
    visit("joint_motor", j.motor);
    visit("joint_spring", j.spring);
    visit("joint_lower", j.lower);
    visit("joint_upper", j.upper);
    visit("joint_cone", j.cone);
    visit("joint_soft_block", j.soft_block);
    visit("joint_brake", j.brake);
    visit("joint_force", j.force);
    visit("joint_torque", j.torque);
    visit("free_joints", image.free_joints);
    visit("contact_loaded_inverse_mass", c.loaded_inverse_mass); // since here: not in every capture of version 4
    visit("loaded_bodies", image.loaded_bodies);
    visit("loads", image.loads);
    visit("short_steps", image.short_steps);
}

// Sums of the hashes of what is awake, so that two states that differ tell where without being at hand: bodies by their
// slots, contacts by the slots of their bodies, each in one bucket.
struct StateDigest {
    static constexpr std::size_t body_buckets = 32, contact_buckets = 16;
    std::array<std::uint16_t, body_buckets> bodies{};
    std::array<std::uint16_t, contact_buckets> contacts{};
    std::uint32_t joints = 0;
    std::uint32_t resting = 0; // bodies
    friend bool operator==(const StateDigest&, const StateDigest&) = default;

    // Odd steps part the bodies otherwise than even ones, so that two steps in a row tell a thousand apart.
    static constexpr std::size_t body_bucket(std::uint64_t step, std::uint32_t slot) {
        return (step % 2 == 0 ? slot : slot / body_buckets) % body_buckets;
    }
    static constexpr std::size_t contact_bucket(std::uint32_t body_a, std::uint32_t body_b) {
        return (body_a * 5u + body_b * 3u) % contact_buckets;
    }
};

} // namespace cairn::physics
