#include "physics/solver/sliding.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

constexpr float at_bound = 0.98f;     // of friction, that counts as all of it
constexpr float same_plane = 0.9999f; // cosine
constexpr float least_press = 0.1f;   // change of speed along the normal, of that along the plane, that is an impact

} // namespace

void SlidingBodies::begin(std::span<const BodyMotion> motions, std::span<const JointInput> joints) {
    bodies_.resize(motions.size());
    for (std::size_t i = 0; i < motions.size(); ++i) {
        bodies_[i] = {motions[i].linear_velocity, Vec3(0.0f), motions[i].inverse_mass > 0.0f};
    }
    for (const JointInput& joint : joints) {
        bodies_[joint.motion_a].slides = bodies_[joint.motion_b].slides = false;
    }
}

void SlidingBodies::look_at(const Input& in, const TouchingContact& touching, Body& body) {
    const Contact& contact = in.contacts[touching.slot];
    Vec3 friction(0.0f); // N s
    float normal = 0.0f; // N s
    for (const StepImpulse& point : in.contacts.step_impulses(contact)) {
        friction += point.friction;
        normal += point.normal;
    }
    if (normal == 0.0f) {
        return;
    }
    const bool is_first = body.normal == Vec3(0.0f);
    body.slides = glm::length(friction) >= at_bound * contact.friction * normal &&
                  (is_first || std::abs(glm::dot(body.normal, contact.normal)) > same_plane);
    if (is_first) {
        body.normal = contact.normal;
    }
}

void SlidingBodies::end(const Input& in, std::span<BodyMotion> motions) {
    for (const TouchingContact& touching : in.touching) {
        const auto [a, b] = touching.bodies;
        if (motions[a].inverse_mass > 0.0f && motions[b].inverse_mass > 0.0f) {
            bodies_[a].slides = bodies_[b].slides = false;
        }
    }
    for (const TouchingContact& touching : in.touching) {
        for (const std::uint32_t i : {touching.bodies.a, touching.bodies.b}) {
            if (bodies_[i].slides) {
                look_at(in, touching, bodies_[i]);
            }
        }
    }
    const float gravity = glm::length(in.gravity);
    for (std::uint32_t i = 1; i < motions.size(); ++i) {
        const Body& body = bodies_[i];
        if (!body.slides || body.normal == Vec3(0.0f) || in.dynamics[i].parting || in.dynamics[i].locks != 0) {
            continue;
        }
        const Vec3 change = motions[i].linear_velocity - body.start;
        const float pressed = glm::dot(change, body.normal);
        const Vec3 along = change - pressed * body.normal;
        const Vec3 velocity =
            motions[i].linear_velocity - glm::dot(motions[i].linear_velocity, body.normal) * body.normal;
        const float substep = in.substep(i), changed = glm::length(along);
        // What stops within the step does so at once, and what has just landed has no path behind it.
        if (glm::dot(velocity, velocity - along) > 0.0f && glm::length(velocity) > changed &&
            std::abs(pressed) <= std::max(gravity * substep, least_press * changed)) {
            motions[i].delta_position -= (0.5f * substep) * along;
        }
    }
}

} // namespace cairn::physics
