#include "physics/world/motion/fast_bodies.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/continuous/swept_path.h"
#include "physics/narrowphase/update/contact_update.h"
#include "physics/narrowphase/update/rim.h"
#include "physics/solver/motion/integrate.h"
#include "physics/world/contacts/reach.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::physics {

namespace {

SweptBody swept(const FastBodies::World& world, std::uint32_t slot) {
    const BodyRecord& body = world.bodies[slot];
    const ColdBody& cold = world.bodies.cold[slot];
    const BodyKind& kind = *cold.kind;
    SweptBody path;
    path.slot = slot;
    path.pose = path.end = body.pose;
    path.first_shape = cold.first_shape;
    path.shape_count = cold.shape_count;
    path.bounding_radius = kind.bounding_radius;
    path.dynamic = body.type == BodyType::dynamic;
    path.jointed = !world.joints.of(slot).empty();
    path.mechanism = world.islands.mechanism(world.partition.motion_of(slot));
    if (path.dynamic) {
        const int substeps = world.substeps.taken_by(world.partition.motion_of(slot), world.settings.substeps);
        path.max_turn = std::min(max_step_turn, max_substep_turn * static_cast<float>(substeps));
        path.locks = kind.def.locks;
        path.gravity = unlocked_linear(path, (world.settings.dt() * kind.def.gravity_scale) * world.settings.gravity);
        path.spin_limited = kind.spin_limited;
        path.inverse_mass = kind.inverse_mass;
        path.inertia = kind.inertia_local;
        path.principal = kind.gyroscopic && kind.def.locks >> 3u == 0 ? &kind.principal : nullptr;
        path.inverse_inertia = kind.inverse_inertia_local;
    }
    if (body.awake) {
        const Transform& start = world.motions.starts()[slot];
        path.pose = start;
        path.linear = body.pose.position - start.position;
        path.angular = angular_velocity_between(start.orientation, body.pose.orientation, 1.0f);
        path.velocity = body.linear_velocity;
        path.spin = body.angular_velocity;
    }
    return path;
}

// Of the i-th point of a contact along the normal of the start, m, as the solver's rows have it at the end of the step
// (solver/rows/arms/row_arms-inl.h).
float separation_after(const FastBodies::World& world, const Contact& contact, const ContactPoint& point,
                       std::size_t i) {
    const Vec3 half_gap = (0.5f * std::max(point.separation, 0.0f)) * contact.normal;
    const auto moved = [&world](std::uint32_t slot, const Vec3& arm, const Vec3& round) {
        const BodyRecord& body = world.bodies[slot];
        if (!body.awake) {
            return Vec3(0.0f);
        }
        const Transform& start = world.motions.starts()[slot];
        const Vec3 from = arm + round;
        return (body.pose.position - start.position) +
               (rotate(body.pose.orientation, inverse_rotate(start.orientation, from)) - from);
    };
    const Vec3 b = moved(contact.body_b, contact.anchor_b(point) + half_gap, contact.round_b_at(i) * contact.normal);
    const Vec3 a = moved(contact.body_a, contact.anchor_a(point) - half_gap, -contact.round_a_at(i) * contact.normal);
    const std::uint32_t on_rim = contact.rim_radius > 0.0f ? contact.body_a : contact.body_b;
    Vec3 rolled(0.0f); // towards the other
    if (contact.rim_radius != 0.0f && world.bodies[on_rim].awake) {
        rolled = rim_roll(contact, world.motions.starts()[on_rim].orientation, world.bodies[on_rim].pose.orientation);
    }
    const Vec3 towards_b = contact.rim_radius > 0.0f ? rolled : -rolled;
    return point.separation + glm::dot(contact.normal, b - a - towards_b);
}

// Of a contact with what does not yield: whether a point has sunk by more than a slop, and half as far as the middle of
// either shape.
bool is_pressed_in(const FastBodies::World& world, const Contact& contact) {
    const BodyStore& bodies = world.bodies;
    const float slop = world.settings.linear_slop;
    const auto displacement = [&](std::uint32_t slot) {
        return bodies[slot].awake ? bodies[slot].pose.position - world.motions.starts()[slot].position : Vec3(0.0f);
    };
    // Most lie still. No point moves by more than its body and what turning adds.
    const auto turn = [&](std::uint32_t slot) {
        return bodies[slot].awake ? world.settings.dt() * glm::length(bodies[slot].angular_velocity) *
                                        bodies.kind(slot).bounding_radius
                                  : 0.0f;
    };
    const float sunk = glm::dot(contact.normal, displacement(contact.body_a) - displacement(contact.body_b));
    if (sunk + turn(contact.body_a) + turn(contact.body_b) <= slop) {
        return false;
    }
    const ShapePair& pair = world.contacts.pair(contact.pair);
    const float middle = 0.5f * std::min(bodies.shapes[pair.shape_a()].shape->inner_radius,
                                         bodies.shapes[pair.shape_b()].shape->inner_radius);
    const std::span<const ContactPoint> points = world.contacts.points(contact);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const float after = separation_after(world, contact, points[i], i);
        if (after < -middle && after < points[i].separation - slop) {
            return true;
        }
    }
    return false;
}

class WorldView final : public ContinuousWorld {
  public:
    explicit WorldView(const FastBodies::World& world) : world_(world) {}

    std::size_t shape_end() const override { return world_.bodies.shapes.size(); }
    std::size_t body_end() const override { return world_.bodies.size(); }
    Aabb reach(std::uint32_t index) const override { return world_.bodies.shapes[index].reach; }
    ShapeRef shape(std::uint32_t index) const override {
        const ShapeRecord& record = world_.bodies.shapes[index];
        return {record.shape, record.pose, record.body};
    }
    const Material& material(std::uint32_t index, std::uint32_t triangle) const override {
        return world_.bodies.material_of(index, triangle);
    }
    SweptBody body(std::uint32_t slot) const override { return swept(world_, slot); }

    Touch touch(std::uint32_t slot) const override {
        Touch touch;
        for (const std::uint32_t index : world_.contacts.of_body(slot)) {
            world_.contacts.fetch_pair(index);
        }
        for (const std::uint32_t index : world_.contacts.of_body(slot)) {
            const ShapePair& pair = world_.contacts.pair(index);
            if (!pair.touching()) {
                continue;
            }
            const std::uint32_t other = pair.body_a == slot ? pair.body_b : pair.body_a;
            if (touch.anything && (other == touch.dynamic[0] || world_.bodies[other].type != BodyType::dynamic)) {
                continue; // known already
            }
            // What has only just met it does not lean on it.
            const Contact& contact = world_.contacts[pair.contact];
            const std::span<const ContactPoint> points = world_.contacts.points(contact);
            bool leans = false;
            for (std::size_t i = 0; i < points.size(); ++i) {
                leans = leans || (points[i].normal_impulse > 0.0f && contact.ages[i] > 0 &&
                                  points[i].separation <= world_.settings.linear_slop);
            }
            if (!leans) {
                continue;
            }
            touch.anything = true;
            if (world_.bodies[other].type == BodyType::dynamic) {
                touch.dynamic[touch.dynamic[0] == nobody ? 0 : 1] = other;
                if (touch.dynamic[1] != nobody) {
                    break;
                }
            }
        }
        return touch;
    }

    Stream stream(std::uint32_t slot, std::uint32_t met) const override {
        Stream stream;
        const BodyRecord& self = world_.bodies[slot];
        const Vec3 centre = (self.awake ? world_.motions.starts()[slot] : self.pose).position;
        const float own_inverse_mass = world_.bodies.kind(slot).inverse_mass;
        float mass = 0.0f; // kg
        const auto add = [&](std::uint32_t other) {
            const BodyRecord& body = world_.bodies[other];
            const float own = 1.0f / std::max(world_.bodies.kind(other).inverse_mass, 1e-12f); // it may be locked
            mass += own;
            if (body.awake) {
                const Transform& start = world_.motions.starts()[other];
                const Vec3 turn = angular_velocity_between(start.orientation, body.pose.orientation, 1.0f);
                stream.linear +=
                    own * (body.pose.position - start.position + glm::cross(turn, centre - start.position));
                stream.angular += own * turn;
            }
        };
        add(slot);
        add(met);
        for (const std::uint32_t index : world_.contacts.of_body(slot)) {
            const ShapePair& pair = world_.contacts.pair(index);
            if (!pair.touching()) {
                continue;
            }
            const std::span<const ContactPoint> points = world_.contacts.points(world_.contacts[pair.contact]);
            if (std::none_of(points.begin(), points.end(), [this](const ContactPoint& point) {
                    return point.separation <= world_.settings.linear_slop;
                })) {
                continue;
            }
            const std::uint32_t other = pair.body_a == slot ? pair.body_b : pair.body_a;
            if (other == met) {
                continue;
            }
            const float other_inverse_mass = world_.bodies.kind(other).inverse_mass;
            if (!world_.bodies[other].awake && world_.bodies[other].type != BodyType::dynamic) {
                return Stream{};
            }
            // What is moved by force comes before what is only heavy, which may stand.
            if (far_heavier * other_inverse_mass <= own_inverse_mass &&
                (stream.wall == nobody ||
                 std::pair(other_inverse_mass > 0.0f, other) <
                     std::pair(world_.bodies.kind(stream.wall).inverse_mass > 0.0f, stream.wall))) {
                stream.wall = other;
            }
            if (world_.bodies[other].type == BodyType::dynamic) {
                add(other);
            }
        }
        stream.linear /= mass;
        stream.angular /= mass;
        return stream;
    }

    Known known(PairKey key, std::uint32_t slot) const override {
        Known known;
        if (slot == unknown) {
            slot = slot_of(key);
        }
        if (slot == unknown) {
            return known;
        }
        const ShapePair& pair = world_.contacts.pair(slot);
        if (pair.touching()) {
            const Contact& contact = world_.contacts[pair.contact];
            known.contact = true;
            known.normal = contact.normal;
            known.separation = known.held = std::numeric_limits<float>::max();
            const std::span<const ContactPoint> points = world_.contacts.points(contact);
            for (std::size_t i = 0; i < points.size(); ++i) {
                known.separation = std::min(known.separation, points[i].separation);
                known.held = std::min(known.held, separation_after(world_, contact, points[i], i));
            }
            if (contact.meets_at > 0.0f) { // they were apart, and need not sink at all
                known.held = 0.0f;
            }
        } else if (pair.cache.axis != Vec3(0.0f)) {
            known.normal = parting(pair);
        }
        return known;
    }

    bool held_apart(std::uint32_t slot_a, std::uint32_t slot_b) const override {
        // Bodies that were spawned inside each other are separated by the solver, and may be fast at that.
        return physics::held_apart(world_.bodies, world_.joints, slot_a, slot_b) ||
               world_.bodies.both_entangled(slot_a, slot_b);
    }

  private:
    std::uint32_t slot_of(PairKey key) const {
        // A floor has a pair with everything that lies on it, and what lies there only with a few neighbours.
        const std::span<const std::uint32_t> of_a = world_.contacts.of_body(world_.bodies.shapes[first_of(key)].body);
        const std::span<const std::uint32_t> of_b = world_.contacts.of_body(world_.bodies.shapes[second_of(key)].body);
        const std::span<const std::uint32_t> pairs = of_a.size() <= of_b.size() ? of_a : of_b;
        for (const std::uint32_t index : pairs) {
            world_.contacts.fetch_pair(index);
        }
        const auto found = std::find_if(pairs.begin(), pairs.end(),
                                        [&](std::uint32_t index) { return world_.contacts.pair(index).key == key; });
        return found == pairs.end() ? unknown : *found;
    }

    // The direction that the narrowphase keeps of a pair apart, from where the step began.
    Vec3 parting(const ShapePair& pair) const {
        const auto side = [this](std::uint32_t index) {
            const ShapeRecord& record = world_.bodies.shapes[index];
            const BodyRecord& body = world_.bodies[record.body];
            ContactSide out;
            out.shape = record.shape;
            out.shape_pose.orientation =
                (body.awake ? world_.motions.starts()[record.body] : body.pose).orientation * record.pose.orientation;
            return out;
        };
        return parting_axis(pair.cache, side(pair.shape_a()), side(pair.shape_b()));
    }

    const FastBodies::World& world_;
};

void sort_by_time(std::vector<ImpactState>& impacts) {
    std::stable_sort(impacts.begin(), impacts.end(),
                     [](const ImpactState& a, const ImpactState& b) { return a.time < b.time; });
}

// The impacts that the narrowphase has foreseen and the solver answered.
void report_foreseen(const FastBodies::World& world, std::span<const std::uint32_t> foreseen, StepReport& report) {
    const float dt = world.settings.dt();
    for (const std::uint32_t slot : foreseen) {
        const ShapePair& pair = world.contacts.pair(slot);
        if (!pair.touching()) { // it was a seam
            continue;
        }
        const Contact& contact = world.contacts[pair.contact];
        Vec3 impulse(0.0f);
        for (const StepImpulse& point : world.contacts.step_impulses(contact)) {
            impulse += point.normal * contact.normal + point.friction;
        }
        if (impulse == Vec3(0.0f)) {
            continue;
        }
        report.impacts.push_back({world.bodies.id(contact.body_a), world.bodies.id(contact.body_b), contact.meets,
                                  contact.normal, impulse, report.begun + dt * contact.meets_at, contact.meets_centre_a,
                                  contact.meets_centre_b});
    }
    sort_by_time(report.impacts);
}

} // namespace

// The pairs of fast bodies that may have met within the step, by what the bodies have done since the narrowphase looked
// at them: most of a crowd falls side by side.
void FastBodies::list_pairs(const World& world) {
    constexpr std::size_t block = 1024; // pairs
    const float slop = world.settings.linear_slop;
    const std::span<const ActivePair> active = world.contacts.active();
    const std::size_t blocks = (active.size() + block - 1) / block;
    if (blocks_.size() < blocks) {
        blocks_.resize(blocks);
    }
    const auto fast = [&world](std::uint32_t slot) { return world.motions.is_fast(world.partition.motion_of(slot)); };
    parallel_for(world.executor, blocks, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::vector<KnownPair>& out = blocks_[i];
            out.clear();
            for (const ActivePair& entry : active.subspan(i * block, std::min(block, active.size() - i * block))) {
                if ((!fast(entry.body_a) && !fast(entry.body_b)) ||
                    world.bodies.both_entangled(entry.body_a, entry.body_b)) {
                    continue;
                }
                if (world.bodies.any_meshes && face_of(world.contacts.pair(entry.slot).key) != 0) {
                    continue; // the pair's first face stands for all
                }
                const float gap = gap_after(entry.gap, world.bodies.traces[entry.body_a],
                                            world.bodies.traces[entry.body_b], world.bodies.trace_epoch);
                if (gap <= slop) {
                    out.push_back({world.contacts.pair(entry.slot).key, entry.slot});
                }
            }
        }
    });
    pairs_.clear();
    for (const std::vector<KnownPair>& found : std::span(blocks_).first(blocks)) {
        pairs_.insert(pairs_.end(), found.begin(), found.end());
    }
}

// A body that slowly moves may still be pressed into what does not yield, by a crowd whose momentum the solver cannot
// turn round within one step. It counts as fast if that leads it half as far as its middle.
void FastBodies::add_pressed(const World& world, std::span<const std::uint32_t> at_slopes) {
    constexpr std::size_t block = 512; // contacts
    const std::span<const Solver::TouchingContact> touching = world.islands.touching();
    const std::size_t blocks = (touching.size() + block - 1) / block;
    if (pressed_blocks_.size() < blocks + 1) {
        pressed_blocks_.resize(blocks + 1);
    }
    const auto is_fixed = [&world](std::uint32_t motion) { return motion == 0 || world.islands.is_driver(motion); };
    parallel_for(world.executor, blocks, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::vector<std::uint32_t>& out = pressed_blocks_[i];
            out.clear();
            for (const Solver::TouchingContact& entry :
                 touching.subspan(i * block, std::min(block, touching.size() - i * block))) {
                const auto [a, b] = entry.bodies;
                const bool fixed_a = is_fixed(a);
                if (fixed_a == is_fixed(b)) {
                    continue;
                }
                const std::uint32_t motion = fixed_a ? b : a;
                if (!world.motions.is_fast(motion) && is_pressed_in(world, world.contacts[entry.slot])) {
                    out.push_back(motion);
                }
            }
        }
    });
    pressed_blocks_[blocks].clear();
    for (const std::uint32_t slot : at_slopes) {
        pressed_blocks_[blocks].push_back(world.partition.motion_of(slot));
    }
    world.motions.add_fast(world.partition, std::span(pressed_blocks_).first(blocks + 1));
}

// What stops one body on its path stops all that joints connect to it, at the same time: there they hang together as
// the solver has moved them, and none has met anything sooner. How they go on is the next step's matter, whose solver
// knows both the joints and the contact. Before any pose is changed.
void FastBodies::hold_mechanisms(const World& world, const ContinuousWorld& view, StepReport& report) {
    held_.clear();
    const std::span<const SweptBody> changed = continuous_.changed();
    const auto holds = [](const SweptBody& path) { return path.jointed && path.stopped && !path.driven; };
    if (std::none_of(changed.begin(), changed.end(), holds)) {
        return;
    }
    held_at_.assign(world.awake.size() + 1, 1.0f);
    for (const SweptBody& path : changed) {
        if (holds(path)) {
            float& time = held_at_[world.islands.mechanism(world.partition.motion_of(path.slot))];
            time = std::min(time, path.stopped_at);
        }
    }
    auto path = changed.begin(); // by slot, as world.awake
    for (const std::uint32_t slot : world.awake) {
        path = std::find_if(path, changed.end(), [slot](const SweptBody& one) { return one.slot >= slot; });
        const bool is_changed = path != changed.end() && path->slot == slot;
        const float time = held_at_[world.islands.mechanism(world.partition.motion_of(slot))];
        if (time == 1.0f || (is_changed && path->driven)) { // what a kinematic body takes along goes on
            continue;
        }
        const SweptBody whole = view.body(slot);
        if (!whole.dynamic) {
            continue;
        }
        BodyRecord& body = world.bodies[slot];
        const Quat end = body.pose.orientation;
        body.pose = pose_at(whole, time);
        body.angular_velocity = carried_spin(whole, body.angular_velocity, end, body.pose.orientation);
        world.bodies.traces[slot].rest = PositionRest();
        held_.push_back(slot);
        const float given_up = (is_changed ? path->stopped_at : 1.0f) - time; // beside what is counted already
        report.stats.time_given_up += static_cast<double>(world.settings.dt() * given_up);
    }
}

void FastBodies::follow(const World& world, std::span<const std::uint32_t> foreseen,
                        std::span<const std::uint32_t> at_slopes, StepReport& report) {
    report_foreseen(world, foreseen, report);
    hit_sleepers_.clear();
    if (world.settings.continuous) {
        add_pressed(world, at_slopes);
    }
    followed_ = world.settings.continuous && !world.motions.fast().empty();
    if (!followed_) {
        continuous_.rest();
        return;
    }
    const WorldView view(world);
    // The bounds that the trees come to hold of them are too large when the step is over.
    std::vector<std::uint32_t>& escaped = world.motions.escaped();
    escaped.insert(escaped.end(), world.motions.strayed().begin(), world.motions.strayed().end());

    const float dt = world.settings.dt();
    const ContinuousSettings settings{dt, world.settings.linear_slop, world.settings.restitution_threshold};
    list_pairs(world);
    const ContinuousStats stats = continuous_.run(world.executor, view, settings, world.motions.fast(),
                                                  world.motions.strayed(), pairs_, world.broadphase);
    if (stats.sliced) {
        escaped.insert(escaped.end(), world.motions.fast().begin(), world.motions.fast().end());
    }
    report.stats.continuous_hits += stats.impacts + stats.held;
    report.stats.held += stats.held;
    report.stats.time_given_up += stats.given_up * static_cast<double>(dt);
    report.stats.spin_limited += stats.spin_limited;
    for (const SweptImpact& impact : continuous_.impacts()) {
        report.impacts.push_back({world.bodies.id(impact.body_a), world.bodies.id(impact.body_b), impact.point,
                                  impact.normal, impact.impulse, report.begun + dt * impact.time, impact.centre_a,
                                  impact.centre_b});
    }
    sort_by_time(report.impacts);
    hold_mechanisms(world, view, report);
    adopt(world);
}

// Poses and velocities of what met something on its path.
void FastBodies::adopt(const World& world) {
    BodyStore& bodies = world.bodies;
    const auto finish = [&](std::uint32_t slot) {
        const Transform& start = world.motions.starts()[slot];
        const float moved = glm::length(bodies[slot].pose.position - start.position);
        if (!below_sleep_threshold(world.settings, bodies, world.grab, slot, moved)) {
            bodies[slot].sleep_timer = 0.0f;
        }
        fit_reach(world.settings, bodies, slot);
        bodies.trace_motion(slot, start);
        world.motions.escaped().push_back(slot);
    };
    for (const SweptBody& path : continuous_.changed()) {
        if (std::binary_search(held_.begin(), held_.end(), path.slot)) {
            continue;
        }
        BodyRecord& body = bodies[path.slot];
        body.pose = path.pose;
        bodies.traces[path.slot].rest = PositionRest();
        body.linear_velocity = path.velocity;
        body.angular_velocity = path.spin;
        if (body.sleeping) {
            hit_sleepers_.push_back(path.slot);
        } else if (body.awake) {
            finish(path.slot);
        }
    }
    std::for_each(held_.begin(), held_.end(), finish);
}

void FastBodies::list_sweeps(const BodyStore& bodies, const BodyMotions& motions, std::vector<SweepState>& out) const {
    for (const std::uint32_t slot : followed_ ? motions.fast() : std::span<const std::uint32_t>()) {
        out.push_back({bodies.id(slot), motions.starts()[slot]});
    }
}

std::size_t FastBodies::memory_bytes() const {
    std::size_t bytes = continuous_.memory_bytes() + bytes_of(pairs_) + bytes_of(hit_sleepers_) + bytes_of(held_) +
                        bytes_of(held_at_) + bytes_of(blocks_) + bytes_of(pressed_blocks_);
    for (const std::vector<std::uint32_t>& block : pressed_blocks_) {
        bytes += bytes_of(block);
    }
    for (const std::vector<KnownPair>& block : blocks_) {
        bytes += bytes_of(block);
    }
    return bytes;
}

} // namespace cairn::physics
