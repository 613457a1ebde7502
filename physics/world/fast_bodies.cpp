// The stage of the step that follows fast bodies along their paths.
#include "physics/base/executor_loop.h"
#include "physics/continuous/swept_path.h"
#include "physics/solver/integrate.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace cairn::physics {

namespace {

SweptBody swept(const WorldData& data, std::span<const Transform> step_starts, std::uint32_t slot, int substeps) {
    const BodyRecord& body = data.bodies[slot];
    const ColdBody& cold = data.bodies.cold[slot];
    const BodyKind& kind = *cold.kind;
    SweptBody path;
    path.slot = slot;
    path.pose = path.end = body.pose;
    path.first_shape = cold.first_shape;
    path.shape_count = cold.shape_count;
    path.bounding_radius = kind.bounding_radius;
    path.material = &kind.def.material;
    path.dynamic = body.type == BodyType::dynamic;
    path.jointed = !data.joints.of(slot).empty() || kind.def.locks != 0;
    if (path.dynamic) {
        path.max_turn = std::min(max_step_turn, max_substep_turn * static_cast<float>(substeps));
        path.gravity = (data.settings.dt() * kind.def.gravity_scale) * data.settings.gravity;
        path.spin_limited = kind.spin_limited;
        path.inverse_mass = kind.inverse_mass;
        path.inertia = kind.inertia_local;
        path.principal = kind.gyroscopic ? &kind.principal : nullptr;
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

// Of a point of a contact, m, as the solver's rows have it at the end of the step (solver/row_math-inl.h).
float separation_after(const WorldData& data, std::span<const Transform> step_starts, const Contact& contact,
                       const ContactPoint& point) {
    const Vec3 half_gap = (0.5f * std::max(point.separation, 0.0f)) * contact.normal;
    const auto moved = [&](std::uint32_t slot, const Vec3& arm, const Vec3& round) {
        const BodyRecord& body = data.bodies[slot];
        if (!body.awake) {
            return Vec3(0.0f);
        }
        const Transform& start = step_starts[slot];
        const Vec3 from = arm + round;
        return (body.pose.position - start.position) +
               (rotate(body.pose.orientation, inverse_rotate(start.orientation, from)) - from);
    };
    const Vec3 b = moved(contact.body_b, contact.anchor_b(point) + half_gap, contact.round_b * contact.normal);
    const Vec3 a = moved(contact.body_a, contact.anchor_a(point) - half_gap, -contact.round_a * contact.normal);
    return point.separation + glm::dot(contact.normal, b - a);
}

class WorldView final : public ContinuousWorld {
  public:
    // `substeps_of` tells how many substeps a body by slot has taken, `in_one_mechanism` whether joints connect two.
    WorldView(const WorldData& data, std::span<const Transform> step_starts,
              const std::function<int(std::uint32_t)>& substeps_of,
              const std::function<bool(std::uint32_t, std::uint32_t)>& in_one_mechanism)
        : data_(data), step_starts_(step_starts), substeps_of_(substeps_of), in_one_mechanism_(in_one_mechanism) {}

    std::size_t shape_end() const override { return data_.bodies.shapes.size(); }
    std::size_t body_end() const override { return data_.bodies.size(); }
    Aabb reach(std::uint32_t index) const override { return data_.bodies.shapes[index].reach; }
    ShapeRef shape(std::uint32_t index) const override {
        const ShapeRecord& record = data_.bodies.shapes[index];
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
            // What has only just met it does not lean on it.
            const Contact& contact = data_.contacts[pair.contact];
            const std::span<const ContactPoint> points = data_.contacts.points(contact);
            bool leans = false;
            for (std::size_t i = 0; i < points.size(); ++i) {
                leans = leans || (points[i].normal_impulse > 0.0f && contact.ages[i] > 0 &&
                                  points[i].separation <= data_.settings.linear_slop);
            }
            if (!leans) {
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

    Known known(PairKey key, std::uint32_t slot) const override {
        Known known;
        if (slot == unknown) {
            slot = slot_of(key);
        }
        if (slot == unknown) {
            return known;
        }
        const ShapePair& pair = data_.contacts.pair(slot);
        if (pair.touching()) {
            const Contact& contact = data_.contacts[pair.contact];
            known.contact = true;
            known.normal = contact.normal;
            known.separation = known.held = std::numeric_limits<float>::max();
            for (const ContactPoint& point : data_.contacts.points(contact)) {
                known.separation = std::min(known.separation, point.separation);
                known.held = std::min(known.held, separation_after(data_, step_starts_, contact, point));
            }
            if (contact.meets_at > 0.0f) { // they were apart, and need not sink at all
                known.held = 0.0f;
            }
        } else if (pair.cache.axis != Vec3(0.0f)) {
            known.normal = parting(pair);
        }
        return known;
    }

    std::span<const std::uint32_t> pairs_of(std::uint32_t slot) const override { return data_.contacts.of_body(slot); }
    PairKey key_of(std::uint32_t pair) const override { return data_.contacts.pair(pair).key; }

    bool held_apart(std::uint32_t slot_a, std::uint32_t slot_b) const override {
        // Bodies that were put into each other are parted by the solver, and may be fast at that. Parts of a mechanism
        // meet by the contacts that are foreseen for them: to hold one on its path would tear it from its joints.
        return physics::held_apart(data_.bodies, data_.joints, slot_a, slot_b) ||
               (data_.bodies[slot_a].entangled && data_.bodies[slot_b].entangled) || in_one_mechanism_(slot_a, slot_b);
    }

  private:
    std::uint32_t slot_of(PairKey key) const {
        // A floor has a pair with everything that lies on it, and what lies there only with a few neighbours.
        const std::span<const std::uint32_t> of_a = data_.contacts.of_body(data_.bodies.shapes[first_of(key)].body);
        const std::span<const std::uint32_t> of_b = data_.contacts.of_body(data_.bodies.shapes[second_of(key)].body);
        const std::span<const std::uint32_t> pairs = of_a.size() <= of_b.size() ? of_a : of_b;
        for (const std::uint32_t index : pairs) {
            data_.contacts.fetch_pair(index);
        }
        const auto found = std::find_if(pairs.begin(), pairs.end(),
                                        [&](std::uint32_t index) { return data_.contacts.pair(index).key == key; });
        return found == pairs.end() ? unknown : *found;
    }

    // The direction that the narrowphase keeps of a pair apart, from where the step began.
    Vec3 parting(const ShapePair& pair) const {
        const auto side = [this](std::uint32_t index) {
            const ShapeRecord& record = data_.bodies.shapes[index];
            const BodyRecord& body = data_.bodies[record.body];
            ContactSide out;
            out.shape = record.shape;
            out.shape_pose.orientation =
                (body.awake ? step_starts_[record.body] : body.pose).orientation * record.pose.orientation;
            return out;
        };
        return parting_axis(pair.cache, side(pair.shape_a()), side(pair.shape_b()));
    }

    const WorldData& data_;
    std::span<const Transform> step_starts_;
    const std::function<int(std::uint32_t)>& substeps_of_;
    const std::function<bool(std::uint32_t, std::uint32_t)>& in_one_mechanism_;
};

} // namespace

// The pairs of fast bodies that may have met within the step, by what the bodies have done since the narrowphase looked
// at them: most of a crowd falls side by side.
void World::Impl::list_fast_pairs() {
    constexpr std::size_t block = 1024; // pairs
    const float slop = data.settings.linear_slop;
    const std::span<const ActivePair> active = data.contacts.active();
    const std::size_t blocks = (active.size() + block - 1) / block;
    if (fast_pair_blocks.size() < blocks) {
        fast_pair_blocks.resize(blocks);
    }
    const auto fast = [this](std::uint32_t slot) { return (move_marks[partition.motion_of(slot)] & mark_fast) != 0; };
    parallel_for(run_on(), blocks, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::vector<KnownPair>& out = fast_pair_blocks[i];
            out.clear();
            for (const ActivePair& entry : active.subspan(i * block, std::min(block, active.size() - i * block))) {
                if ((!fast(entry.body_a) && !fast(entry.body_b)) ||
                    (data.bodies[entry.body_a].entangled && data.bodies[entry.body_b].entangled)) {
                    continue;
                }
                if (data.bodies.any_meshes && face_of(data.contacts.pair(entry.slot).key) != 0) {
                    continue; // the pair's first face stands for all
                }
                const float gap = gap_after(entry.gap, data.bodies.traces[entry.body_a],
                                            data.bodies.traces[entry.body_b], data.bodies.trace_epoch);
                if (gap <= slop) {
                    out.push_back({data.contacts.pair(entry.slot).key, entry.slot});
                }
            }
        }
    });
    fast_pairs.clear();
    for (const std::vector<KnownPair>& found : std::span(fast_pair_blocks).first(blocks)) {
        fast_pairs.insert(fast_pairs.end(), found.begin(), found.end());
    }
}

// A body that slowly moves may still be pressed into what does not yield, by a crowd whose momentum the solver cannot
// turn round within one step. It counts as fast if that leads it deeper than any path may.
void World::Impl::add_pressed_bodies() {
    constexpr std::size_t block = 512; // contacts
    const float slop = data.settings.linear_slop;
    const std::size_t blocks = (islands.touching().size() + block - 1) / block;
    if (pressed_blocks.size() < blocks) {
        pressed_blocks.resize(blocks);
    }
    parallel_for(run_on(), blocks, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::vector<std::uint32_t>& out = pressed_blocks[i];
            out.clear();
            const std::span<const Solver::TouchingContact> all = islands.touching();
            for (const Solver::TouchingContact& entry :
                 all.subspan(i * block, std::min(block, all.size() - i * block))) {
                const auto [a, b] = entry.bodies;
                const bool fixed_a = a == 0 || islands.is_driver(a);
                if (fixed_a == (b == 0 || islands.is_driver(b))) {
                    continue;
                }
                const std::uint32_t motion = fixed_a ? b : a;
                if ((move_marks[motion] & mark_fast) == 0 && is_pressed_in(data.contacts[entry.slot], slop)) {
                    out.push_back(motion);
                }
            }
        }
    });
    const std::size_t before = fast_bodies.size();
    for (const std::vector<std::uint32_t>& found : std::span(pressed_blocks).first(blocks)) {
        for (const std::uint32_t motion : found) {
            if ((move_marks[motion] & mark_fast) == 0) { // else by another contact
                move_marks[motion] |= mark_fast;
                fast_bodies.push_back(partition.slot_of(motion));
            }
        }
    }
    if (fast_bodies.size() != before) {
        std::sort(fast_bodies.begin(), fast_bodies.end());
    }
}

// Of a contact with what does not yield: whether a point has sunk by more than a slop, and to where no path may lead.
bool World::Impl::is_pressed_in(const Contact& contact, float slop) const {
    const auto displacement = [this](std::uint32_t slot) {
        return data.bodies[slot].awake ? data.bodies[slot].pose.position - step_starts[slot].position : Vec3(0.0f);
    };
    // Most lie still. No point moves by more than its body and what turning adds.
    const auto turn = [this](std::uint32_t slot) {
        return data.bodies[slot].awake ? data.settings.dt() * glm::length(data.bodies[slot].angular_velocity) *
                                             data.bodies.kind(slot).bounding_radius
                                       : 0.0f;
    };
    const float sunk = glm::dot(contact.normal, displacement(contact.body_a) - displacement(contact.body_b));
    if (sunk + turn(contact.body_a) + turn(contact.body_b) <= slop) {
        return false;
    }
    const ShapePair& pair = data.contacts.pair(contact.pair);
    const float deepest =
        deepest_path(*data.bodies.shapes[pair.shape_a()].shape, *data.bodies.shapes[pair.shape_b()].shape, slop);
    const std::span<const ContactPoint> points = data.contacts.points(contact);
    return std::any_of(points.begin(), points.end(), [&](const ContactPoint& point) {
        const float after = separation_after(data, step_starts, contact, point);
        return after < deepest && after < point.separation - slop;
    });
}

// The impacts that the narrowphase has foreseen and the solver answered.
void World::Impl::tell_foreseen_impacts() {
    const float dt = data.settings.dt();
    for (const std::uint32_t slot : foreseen) {
        const ShapePair& pair = data.contacts.pair(slot);
        if (!pair.touching()) { // it was a seam
            continue;
        }
        const Contact& contact = data.contacts[pair.contact];
        Vec3 impulse(0.0f);
        for (const StepImpulse& point : data.contacts.step_impulses(contact)) {
            impulse += point.normal * contact.normal + point.friction;
        }
        if (impulse == Vec3(0.0f)) {
            continue;
        }
        const auto id = [this](std::uint32_t body) { return BodyId{body, data.bodies[body].generation}; };
        data.impacts.push_back({id(contact.body_a), id(contact.body_b), contact.meets, contact.normal, impulse,
                                dt * contact.meets_at, contact.meets_centre_a, contact.meets_centre_b});
    }
    sort_impacts();
}

void World::Impl::sort_impacts() {
    std::stable_sort(data.impacts.begin(), data.impacts.end(),
                     [](const ImpactState& a, const ImpactState& b) { return a.time < b.time; });
}

// What stops one body on its path stops all that joints connect to it, at the same time: there they hang together as
// the solver has moved them, and none has met anything sooner. How they go on is the next step's matter, whose solver
// knows both the joints and the contact. Before any pose is changed.
void World::Impl::hold_mechanisms(const ContinuousWorld& view) {
    held_back.clear();
    const std::span<const SweptBody> changed = continuous.changed();
    const auto holds = [](const SweptBody& path) { return path.jointed && path.stopped && !path.driven; };
    if (std::none_of(changed.begin(), changed.end(), holds)) {
        return;
    }
    held_at.assign(data.awake.size() + 1, 1.0f);
    for (const SweptBody& path : changed) {
        if (holds(path)) {
            float& time = held_at[islands.mechanisms()[partition.motion_of(path.slot)]];
            time = std::min(time, path.stopped_at);
        }
    }
    auto path = changed.begin(); // by slot, as data.awake
    for (const std::uint32_t slot : data.awake) {
        path = std::find_if(path, changed.end(), [slot](const SweptBody& one) { return one.slot >= slot; });
        const bool is_changed = path != changed.end() && path->slot == slot;
        const float time = held_at[islands.mechanisms()[partition.motion_of(slot)]];
        if (time == 1.0f || (is_changed && path->driven)) { // what a kinematic body takes along goes on
            continue;
        }
        const SweptBody whole = view.body(slot);
        if (!whole.dynamic) {
            continue;
        }
        BodyRecord& body = data.bodies[slot];
        const Quat end = body.pose.orientation;
        body.pose = pose_at(whole, time);
        body.angular_velocity = carried_spin(whole, body.angular_velocity, end, body.pose.orientation);
        data.bodies.traces[slot].rest = PositionRest();
        held_back.push_back(slot);
        const float given_up = (is_changed ? path->stopped_at : 1.0f) - time; // beside what is counted already
        data.stats.time_given_up += static_cast<double>(data.settings.dt() * given_up);
    }
}

// Bodies whose points moved further than their discrete contacts can be trusted with are followed along their path.
void World::Impl::stop_fast_bodies() {
    data.impacts.clear();
    sweeps.clear();
    tell_foreseen_impacts();
    if (data.settings.continuous) {
        add_pressed_bodies();
    }
    if (!data.settings.continuous || fast_bodies.empty()) {
        continuous.rest();
        return;
    }
    const float dt = data.settings.dt();
    const std::function<int(std::uint32_t)> substeps_of = [this](std::uint32_t slot) {
        return substeps.taken_by(partition.motion_of(slot), data.settings.substeps);
    };
    const std::function<bool(std::uint32_t, std::uint32_t)> together = [this](std::uint32_t a, std::uint32_t b) {
        return islands.in_one_mechanism(partition.motion_of(a), partition.motion_of(b));
    };
    const WorldView view(data, step_starts, substeps_of, together);

    // The bounds that the trees come to hold of them are too large when the step is over.
    escaped.insert(escaped.end(), strayed.begin(), strayed.end());

    ContinuousSettings settings;
    settings.step = dt;
    settings.linear_slop = data.settings.linear_slop;
    settings.restitution_threshold = data.settings.restitution_threshold;
    list_fast_pairs();
    const ContinuousStats stats =
        continuous.run(run_on(), view, settings, fast_bodies, strayed, fast_pairs, data.broadphase);
    data.stats.continuous_hits = stats.impacts + stats.held;
    data.stats.held = stats.held;
    data.stats.time_given_up = stats.given_up * static_cast<double>(dt);
    data.stats.spin_limited += stats.spin_limited;

    const auto id = [this](std::uint32_t slot) { return BodyId{slot, data.bodies[slot].generation}; };
    for (const SweptImpact& impact : continuous.impacts()) {
        data.impacts.push_back({id(impact.body_a), id(impact.body_b), impact.point, impact.normal, impact.impulse,
                                dt * impact.time, impact.centre_a, impact.centre_b});
    }
    sort_impacts();
    if (watched.sweeps) {
        for (const std::uint32_t slot : fast_bodies) {
            sweeps.push_back({id(slot), step_starts[slot]});
        }
    }

    // Sleepers that were hit join the awake bodies when this step is over.
    hit_sleepers.clear();
    hold_mechanisms(view);
    const auto settle = [this](std::uint32_t slot) {
        BodyRecord& body = data.bodies[slot];
        if (!quiet(slot, glm::length(body.pose.position - step_starts[slot].position))) {
            body.quiet_time = 0.0f;
        }
        refresh_reach(slot);
        data.bodies.trace_motion(slot, step_starts[slot]);
        escaped.push_back(slot);
    };
    const auto is_held_back = [this](std::uint32_t slot) {
        return std::binary_search(held_back.begin(), held_back.end(), slot);
    };
    for (const SweptBody& path : continuous.changed()) {
        if (is_held_back(path.slot)) {
            continue;
        }
        BodyRecord& body = data.bodies[path.slot];
        body.pose = path.pose;
        data.bodies.traces[path.slot].rest = PositionRest();
        body.linear_velocity = path.velocity;
        body.angular_velocity = path.spin;
        if (body.sleeping) {
            hit_sleepers.push_back(path.slot);
        } else if (body.awake) {
            settle(path.slot);
        }
    }
    std::for_each(held_back.begin(), held_back.end(), settle);
    for (const std::uint32_t slot : hit_sleepers) {
        data.waking().wake(slot);
        place(slot);
        data.bodies.rehash(slot);
    }
}

} // namespace cairn::physics
