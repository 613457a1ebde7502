#include "physics/world/contacts/reach.h"

#include "physics/continuous/continuous.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

// By so much the reach is larger than it must be, m, so that a body that creeps keeps it for a while. It costs looks
// at pairs that are no contacts; a millimetre is a tenth of the gap within which contacts are made anyway.
float slack(const BodyKind& kind) {
    return std::min(0.001f, 0.1f * kind.inner_radius);
}

// A contact may be made ahead of touching by as much as the shape can move within a step, so that the solver stops it
// at the surface and not a part of its path inside. The share of the inner radius bounds the gap, because the normal of
// a distant contact is a guess about where the bodies will touch, and a coin is not to have contacts with the third
// above it. What moves further is left to conservative advancement, which knows when it arrives: a contact made ahead
// would hold it at the surface for the rest of the step.
float margin_for(const Settings& settings, const BodyKind& kind, float inner_radius, float travel) {
    const float most = fast_share * inner_radius;
    return travel > most && settings.continuous && kind.def.type == BodyType::dynamic
               ? 0.5f * settings.linear_slop
               : std::min(0.5f * settings.speculative_distance, most) + std::min(travel, most);
}

} // namespace

Sweep expected_path(const Settings& settings, const BodyStore& bodies, std::uint32_t slot) {
    const BodyRecord& body = bodies[slot];
    Sweep path;
    path.start = body.pose;
    if (!body.awake) {
        return path;
    }
    const float dt = settings.dt();
    path.linear_velocity = dt * body.linear_velocity;
    path.angular_velocity = dt * body.angular_velocity;
    if (body.type == BodyType::dynamic) {
        path.linear_velocity += (0.5f * dt * dt * bodies.kind(slot).def.gravity_scale) * settings.gravity;
    }
    return path;
}

void fit_reach(const Settings& settings, BodyStore& bodies, std::uint32_t slot) {
    const BodyRecord& body = bodies[slot];
    const float dt = settings.dt();
    fit_reach(settings, bodies, slot,
              body.awake ? bodies.kind(slot).surface_travel(body.pose.orientation, dt * body.linear_velocity,
                                                            dt * body.angular_velocity)
                         : 0.0f);
}

void fit_reach(const Settings& settings, BodyStore& bodies, std::uint32_t slot, float travel) {
    ColdBody& cold = bodies.cold[slot];
    const BodyKind& kind = *cold.kind;
    const float ahead = slack(kind);
    cold.margin = margin_for(settings, kind, kind.inner_radius, travel);
    // The margin of a fast body is no guide to the one that it will have.
    cold.fitted = travel <= fast_share * kind.inner_radius ? travel : -1.0f;
    cold.drift = 0.0f;
    // What is fast may meet something all along its path.
    Sweep path;
    float lift = 0.0f;
    const bool fast = cold.fitted < 0.0f && settings.continuous;
    if (fast) {
        path = expected_path(settings, bodies, slot);
        lift = std::min(kind.bounding_radius * glm::length(path.angular_velocity), 2.0f * kind.bounding_radius);
    }
    float greatest = 0.0f;
    for (ShapeRecord& shape : bodies.shapes_of(slot)) {
        shape.margin = margin_for(settings, kind, shape.shape->inner_radius, travel);
        shape.reach = grown(bounds(*shape.shape, bodies.shape_pose(shape)), shape.margin + ahead);
        if (fast) {
            const Aabb end{shape.reach.lower + path.linear_velocity, shape.reach.upper + path.linear_velocity};
            shape.reach = grown(united(shape.reach, end), lift);
        }
        greatest = std::max(greatest, shape.margin);
    }
    bodies.traces[slot].margin = fast ? greatest + glm::length(path.linear_velocity) + lift : greatest;
}

bool keep_reach(const Settings& settings, const Broadphase& broadphase, BodyStore& bodies, std::uint32_t slot,
                float drift, float travel) {
    ColdBody& cold = bodies.cold[slot];
    const BodyKind& kind = *cold.kind;
    cold.drift += drift;
    if (cold.fitted >= 0.0f && cold.drift + std::abs(travel - cold.fitted) <= slack(kind)) {
        cold.margin = margin_for(settings, kind, kind.inner_radius, travel);
        float greatest = 0.0f;
        for (ShapeRecord& shape : bodies.shapes_of(slot)) {
            shape.margin = margin_for(settings, kind, shape.shape->inner_radius, travel);
            greatest = std::max(greatest, shape.margin);
        }
        bodies.traces[slot].margin = greatest;
        return true;
    }
    fit_reach(settings, bodies, slot, travel);
    bool held = true;
    for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
        held = held && broadphase.holds(i, bodies.shapes[i].reach);
    }
    return held;
}

void refit(const Settings& settings, BodyStore& bodies, Broadphase& broadphase, std::uint32_t slot) {
    const ColdBody& cold = bodies.cold[slot];
    fit_reach(settings, bodies, slot);
    for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
        broadphase.move(i, bodies.shapes[i].reach);
    }
}

void refit_leaves(const BodyStore& bodies, Broadphase& broadphase, std::span<const std::uint32_t> slots) {
    broadphase.move_many(slots.size(), [&](const auto& move) {
        for (const std::uint32_t slot : slots) {
            const ColdBody& cold = bodies.cold[slot];
            for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
                move(i, bodies.shapes[i].reach);
            }
        }
    });
}

void look_for_pairs(const BodyStore& bodies, Broadphase& broadphase, std::uint32_t slot) {
    const ColdBody& cold = bodies.cold[slot];
    for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
        broadphase.touch(i);
    }
}

void reposition(const Settings& settings, BodyStore& bodies, Broadphase& broadphase, std::uint32_t slot) {
    refit(settings, bodies, broadphase, slot);
    bodies.lose_track(slot);
    look_for_pairs(bodies, broadphase, slot);
}

} // namespace cairn::physics
