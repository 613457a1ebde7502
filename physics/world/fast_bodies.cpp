// The stage of the step that follows fast bodies along their paths.
#include "physics/solver/integrate.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace cairn::physics {

namespace {

SweptBody swept(const WorldData& data, std::span<const Transform> step_starts, std::uint32_t slot, int substeps) {
    const BodyRecord& body = data.bodies[slot];
    const ColdBody& cold = data.cold[slot];
    const BodyKind& kind = *cold.kind;
    SweptBody path;
    path.slot = slot;
    path.pose = path.end = body.pose;
    path.first_shape = cold.first_shape;
    path.shape_count = cold.shape_count;
    path.bounding_radius = kind.bounding_radius;
    path.material = &kind.def.material;
    path.dynamic = body.type == BodyType::dynamic;
    if (path.dynamic) {
        path.velocity_lag = 0.5f / static_cast<float>(substeps);
        path.max_turn = std::min(max_step_turn, max_substep_turn * static_cast<float>(substeps));
        path.gravity = (data.settings.dt() * kind.def.gravity_scale) * data.settings.gravity;
        path.gyroscopic = kind.gyroscopic;
        path.spin_limited = kind.spin_limited;
        path.inverse_mass = kind.inverse_mass;
        path.inertia = kind.inertia_local;
        path.inverse_inertia = kind.inverse_inertia_local;
    }
    if (body.awake) {
        const Transform& start = step_starts[slot];
        path.pose = start;
        path.linear = body.pose.position - start.position;
        path.angular = angular_velocity_between(start.orientation, body.pose.orientation, 1.0f);
        path.velocity = body.linear_velocity;
        path.spin = body.angular_velocity;
    }
    return path;
}

class WorldView final : public ContinuousWorld {
  public:
    // `substeps_of` tells how many substeps a body by slot has taken.
    WorldView(const WorldData& data, std::span<const Transform> step_starts,
              const std::function<int(std::uint32_t)>& substeps_of)
        : data_(data), step_starts_(step_starts), substeps_of_(substeps_of) {}

    std::size_t shape_end() const override { return data_.shapes.size(); }
    std::size_t body_end() const override { return data_.bodies.size(); }
    Aabb reach(std::uint32_t index) const override { return data_.shapes[index].reach; }
    ShapeRef shape(std::uint32_t index) const override {
        const ShapeRecord& record = data_.shapes[index];
        return {record.shape, record.pose, record.body};
    }
    SweptBody body(std::uint32_t slot) const override { return swept(data_, step_starts_, slot, substeps_of_(slot)); }

    Touch touch(std::uint32_t slot) const override {
        Touch touch;
        for (const std::uint32_t index : data_.contacts.of_body(slot)) {
            data_.contacts.fetch_pair(index);
        }
        for (const std::uint32_t index : data_.contacts.of_body(slot)) {
            const ShapePair& pair = data_.contacts.pair(index);
            if (!pair.touching()) {
                continue;
            }
            const std::uint32_t other = pair.body_a == slot ? pair.body_b : pair.body_a;
            if (touch.anything && (other == touch.dynamic[0] || data_.bodies[other].type != BodyType::dynamic)) {
                continue; // known already
            }
            const auto& points = data_.contacts.points(data_.contacts[pair.contact]);
            if (std::none_of(points.begin(), points.end(),
                             [](const ContactPoint& point) { return point.normal_impulse > 0.0f; })) {
                continue;
            }
            touch.anything = true;
            if (data_.bodies[other].type == BodyType::dynamic) {
                touch.dynamic[touch.dynamic[0] == nobody ? 0 : 1] = other;
                if (touch.dynamic[1] != nobody) {
                    break;
                }
            }
        }
        return touch;
    }

    Known known(PairKey key) const override {
        Known known;
        // A floor has a pair with everything that lies on it, and what lies there only with a few neighbours.
        const std::span<const std::uint32_t> of_a = data_.contacts.of_body(data_.shapes[first_of(key)].body);
        const std::span<const std::uint32_t> of_b = data_.contacts.of_body(data_.shapes[second_of(key)].body);
        const std::span<const std::uint32_t> pairs = of_a.size() <= of_b.size() ? of_a : of_b;
        for (const std::uint32_t index : pairs) {
            data_.contacts.fetch_pair(index);
        }
        for (const std::uint32_t index : pairs) {
            const ShapePair& pair = data_.contacts.pair(index);
            if (pair.key == key) {
                if (pair.touching()) {
                    const Contact& contact = data_.contacts[pair.contact];
                    known.contact = true;
                    known.normal = contact.normal;
                    known.separation = std::numeric_limits<float>::max();
                    for (const ContactPoint& point : data_.contacts.points(contact)) {
                        known.separation = std::min(known.separation, point.separation);
                    }
                } else if (pair.cache.axis != Vec3(0.0f)) {
                    known.normal = parting(pair);
                }
                break;
            }
        }
        return known;
    }

    bool held_apart(std::uint32_t slot_a, std::uint32_t slot_b) const override {
        return data_.held_apart(slot_a, slot_b);
    }

  private:
    // The direction that the narrowphase keeps of a pair apart, which it keeps in the frame of the shape that it takes
    // first.
    Vec3 parting(const ShapePair& pair) const {
        const ShapeRecord& a = data_.shapes[pair.shape_a()];
        const ShapeRecord& b = data_.shapes[pair.shape_b()];
        const bool a_first = takes_first(*a.shape, *b.shape);
        const ShapeRecord& first = a_first ? a : b;
        const Quat& body =
            (data_.bodies[first.body].awake ? step_starts_[first.body] : data_.bodies[first.body].pose).orientation;
        const Vec3 axis = rotate(body, rotate(first.pose.orientation, pair.cache.axis));
        return a_first ? axis : -axis;
    }

    const WorldData& data_;
    std::span<const Transform> step_starts_;
    const std::function<int(std::uint32_t)>& substeps_of_;
};

} // namespace

// Bodies whose points moved further than their discrete contacts can be trusted with are followed along their path.
void World::Impl::stop_fast_bodies() {
    data.impacts.clear();
    sweeps.clear();
    if (!data.settings.continuous || fast_bodies.empty()) {
        continuous.rest();
        return;
    }
    const float dt = data.settings.dt();
    const std::function<int(std::uint32_t)> substeps_of = [this](std::uint32_t slot) { return substeps_taken(slot); };
    const WorldView view(data, step_starts, substeps_of);

    // The bounds that the trees come to hold of them are too large when the step is over.
    escaped.insert(escaped.end(), strayed.begin(), strayed.end());

    ContinuousSettings settings;
    settings.step = dt;
    settings.linear_slop = data.settings.linear_slop;
    settings.restitution_threshold = data.settings.restitution_threshold;
    const ContinuousStats stats = continuous.run(run_on(), view, settings, fast_bodies, strayed, data.broadphase);
    data.stats.continuous_hits = stats.impacts + stats.stopped;
    data.stats.spin_limited += stats.spin_limited;

    const auto id = [this](std::uint32_t slot) { return BodyId{slot, data.bodies[slot].generation}; };
    for (const SweptImpact& impact : continuous.impacts()) {
        data.impacts.push_back({id(impact.body_a), id(impact.body_b), impact.point, impact.normal, impact.impulse,
                                dt * impact.time, impact.centre_a, impact.centre_b});
    }
    if (watched.sweeps) {
        for (const std::uint32_t slot : fast_bodies) {
            sweeps.push_back({id(slot), step_starts[slot]});
        }
    }

    // Sleepers that were hit join the awake bodies when this step is over.
    hit_sleepers.clear();
    for (const SweptBody& path : continuous.changed()) {
        BodyRecord& body = data.bodies[path.slot];
        body.pose = path.pose;
        data.traces[path.slot].rest = PositionRest();
        body.linear_velocity = path.velocity;
        body.angular_velocity = path.spin;
        if (body.sleeping) {
            hit_sleepers.push_back(path.slot);
        } else if (body.awake) {
            if (!quiet(path.slot, glm::length(body.pose.position - step_starts[path.slot].position))) {
                body.quiet_time = 0.0f;
            }
            refresh_reach(path.slot);
            trace_motion(path.slot);
            escaped.push_back(path.slot);
        }
    }
    for (const std::uint32_t slot : hit_sleepers) {
        wake(slot);
        place(slot);
        rehash(slot);
    }
}

} // namespace cairn::physics
