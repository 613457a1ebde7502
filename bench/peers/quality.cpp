#include "bench/peers/quality.h"

#include "physics/world/world.h"

#include <cmath>

namespace cairn::bench {
namespace {

using physics::Vec3;

bool finite(const BodyMotionState& body) {
    return physics::is_finite(body.pose.position) && physics::is_finite(body.pose.orientation) &&
           physics::is_finite(body.linear_velocity) && physics::is_finite(body.angular_velocity);
}

// What the narrowphase finds at these poses in the first of a world's steps.
std::optional<double> deepest_overlap(const physics::FrameState& start, const std::vector<BodyMotionState>& bodies) {
    physics::Settings settings = start.settings;
    settings.continuous = false;
    settings.substeps = 1;
    physics::World world(settings);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        physics::BodyDef def = start.models[i]->def;
        def.pose = bodies[i].pose;
        def.linear_velocity = def.angular_velocity = Vec3(0.0f);
        if (!world.apply(physics::CreateBody{std::move(def)}).ok()) {
            return std::nullopt;
        }
    }
    world.step();
    physics::FrameState frame;
    world.publish(frame);
    return static_cast<double>(frame.stats.max_penetration);
}

} // namespace

double kinetic_energy(const physics::BodyModel& model, const BodyMotionState& body) {
    const glm::dvec3 v(body.linear_velocity);
    const glm::dvec3 w(physics::inverse_rotate(body.pose.orientation, body.angular_velocity));
    return 0.5 * (static_cast<double>(model.mass) * glm::dot(v, v) + glm::dot(w, glm::dmat3(model.inertia) * w));
}

Quality quality_of(const physics::FrameState& start, const std::vector<BodyMotionState>& bodies) {
    Vec3 lower(std::numeric_limits<float>::max()), upper(std::numeric_limits<float>::lowest());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const physics::BodyModel& model = *start.models[i];
        if (model.mass > 0.0f) {
            continue;
        }
        const physics::Transform& pose = start.bodies[i].pose;
        for (const physics::BodyModel::Part& part : model.parts) {
            const physics::Aabb box =
                physics::bounds(*part.shape, {pose.position + physics::rotate(pose.orientation, part.pose.position),
                                              pose.orientation * part.pose.orientation});
            lower = glm::min(lower, box.lower);
            upper = glm::max(upper, box.upper);
        }
    }
    Quality out;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const physics::BodyModel& model = *start.models[i];
        if (!(model.mass > 0.0f)) {
            continue;
        }
        const BodyMotionState& body = bodies[i];
        const Vec3& p = body.pose.position;
        if (!finite(body) || p.x < lower.x || p.x > upper.x || p.y < lower.y || p.y > upper.y || p.z < lower.z) {
            ++out.lost;
            continue;
        }
        out.kinetic_energy += kinetic_energy(model, body);
        const Vec3 way = p - start.bodies[i].pose.position;
        out.drift = std::max(out.drift, std::hypot(static_cast<double>(way.x), static_cast<double>(way.y)));
    }
    out.depth = deepest_overlap(start, bodies);
    return out;
}

} // namespace cairn::bench
