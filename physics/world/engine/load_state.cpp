// A world from columns that may come from anywhere: everything is checked before it is used.
#include "physics/base/default_floats.h"
#include "physics/world/engine/state_checks.h"
#include "physics/world/engine/world_impl.h"
#include "physics/world/limits.h"
#include "physics/world/parameters/validation.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace cairn::physics {

namespace {

class Loader {
  public:
    Loader(const StateImage& image, BodyKindLibrary& library) : image_(image), library_(library) {}

    WorldData load() {
        check_columns(image_);
        if (std::string problem = problem_with(image_.settings); !problem.empty()) {
            throw Problem{problem};
        }
        data_.settings = image_.settings;
        data_.step = image_.step;
        data_.time = image_.time;
        require(data_.time >= 0.0 && data_.time <= 1e15, "the time is out of range");
        kinds();
        bodies();
        shapes();
        joints();
        pairs();
        loads();
        short_steps();
        grab();
        return std::move(data_);
    }

  private:
    bool alive(BodyId id) const {
        return id.index < data_.bodies.size() && data_.bodies[id.index].alive &&
               data_.bodies[id.index].generation == id.generation;
    }

    void kinds() {
        for (const BodyDef& def : image_.kinds) {
            if (std::string problem = problem_with(def); !problem.empty()) {
                throw Problem{std::move(problem)};
            }
            auto found = library_.get(def);
            if (std::string* problem = std::get_if<std::string>(&found)) {
                throw Problem{std::move(*problem)};
            }
            kinds_.push_back(std::get<std::shared_ptr<const BodyKind>>(std::move(found)));
            models_.push_back(library_.named(kinds_.back(), def.name, def.colour));
        }
    }

    void bodies() {
        const StateImage::Bodies& from = image_.bodies;
        data_.bodies.records.resize(from.kind.size());
        data_.bodies.cold.resize(from.kind.size());
        data_.bodies.traces.resize(from.kind.size());
        for (std::uint32_t slot = 0; slot < from.kind.size(); ++slot) {
            BodyRecord& body = data_.bodies[slot];
            BodyTrace& trace = data_.bodies.traces[slot];
            const auto flag = [&](std::uint8_t which) { return (from.flags[slot] & which) != 0; };
            body.generation = from.generation[slot];
            trace.margin = from.trace_margin[slot];
            trace.rest = PositionRest::from_bits(from.rest[slot]);
            if (flag(StateImage::body_has_moved)) {
                trace.way = from.way[slot];
                trace.lift = from.lift[slot];
                trace.epoch = data_.bodies.trace_epoch;
            }
            if (from.kind[slot] == StateImage::none) {
                continue;
            }
            require(from.kind[slot] < kinds_.size(), "a body refers to a prototype that does not exist");
            ColdBody& cold = data_.bodies.cold[slot];
            cold.kind = kinds_[from.kind[slot]];
            cold.model = models_[from.kind[slot]];
            data_.bodies.any_meshes = data_.bodies.any_meshes || cold.kind->has_mesh;
            data_.bodies.any_locks = data_.bodies.any_locks || cold.kind->def.locks != 0;
            cold.first_shape = from.first_shape[slot];
            cold.shape_count = cold.kind->collider_count();
            if (!cold.kind->sensors.empty()) {
                data_.bodies.with_sensors.push_back(slot);
            }
            cold.margin = from.margin[slot];
            cold.fitted = from.fitted[slot];
            cold.drift = from.drift[slot];
            body.alive = true;
            body.type = cold.kind->def.type;
            body.pose = {from.position[slot], from.orientation[slot]};
            body.linear_velocity = from.linear_velocity[slot];
            body.angular_velocity = from.angular_velocity[slot];
            body.sleep_timer = from.sleep_timer[slot];
            body.sleeping = flag(StateImage::body_sleeps);
            body.touching = flag(StateImage::body_touches);
            body.placed = flag(StateImage::body_was_placed);
            body.entangled = flag(StateImage::body_is_entangled);
            data_.bodies.entangled += body.entangled ? 1 : 0;
            const Vec3 far = glm::abs(body.pose.position);
            const float length2 = glm::dot(body.pose.orientation, body.pose.orientation);
            require(std::max({far.x, far.y, far.z}) <= 10.0f * limits::position, "a body is out of the world");
            require(std::abs(length2 - 1.0f) < 1e-3f, "an orientation is not a unit quaternion");
            require(body.type == BodyType::dynamic || !body.sleeping, "only dynamic bodies sleep");
        }
        check_free(
            image_.free_bodies, data_.bodies.size(), [&](std::uint32_t slot) { return !data_.bodies[slot].alive; },
            "the list of free bodies is wrong");
        data_.bodies.free = image_.free_bodies;
        for (const std::uint32_t slot : image_.placed) {
            require(slot < data_.bodies.size(), "a body that was positioned is not there");
        }
        data_.bodies.placed = image_.placed;
    }

    void shapes() {
        const StateImage::Shapes& from = image_.shapes;
        data_.bodies.shapes.resize(from.queued.size());
        std::vector<bool> taken(from.queued.size(), false);
        const auto take = [&](std::size_t first, std::size_t count) {
            require(count <= taken.size() && first <= taken.size() - count, "a shape is not there");
            for (std::size_t i = first; i < first + count; ++i) {
                require(!taken[i], "two bodies have the same shape");
                taken[i] = true;
            }
        };
        for (std::uint32_t slot = 0; slot < data_.bodies.size(); ++slot) {
            if (!data_.bodies[slot].alive) {
                continue;
            }
            const ColdBody& cold = data_.bodies.cold[slot];
            take(cold.first_shape, cold.shape_count);
            for (std::uint32_t i = 0; i < cold.shape_count; ++i) {
                const std::uint32_t index = cold.first_shape + i;
                const BodyModel::Part& part = cold.kind->parts[cold.kind->place_of(i)];
                require(overlaps(from.fat[index], from.fat[index]) && overlaps(from.reach[index], from.reach[index]),
                        "the bounds of a shape are wrong");
                data_.bodies.shapes[index] = {part.shape.get(),   part.pose,         slot,
                                              from.margin[index], from.reach[index], part.pose == Transform{}};
            }
        }
        for (std::size_t i = 0; i < image_.free_run_starts.size(); ++i) {
            require(image_.free_run_lengths[i] > 0, "the list of free shapes is wrong");
            take(image_.free_run_starts[i], image_.free_run_lengths[i]);
            data_.bodies.free_shape_runs[image_.free_run_lengths[i]].push_back(image_.free_run_starts[i]);
        }
        require(std::ranges::all_of(taken, [](bool one) { return one; }), "a shape belongs to nobody");
        for (std::uint32_t i = 0; i < data_.bodies.shapes.size(); ++i) {
            if (data_.bodies.shapes[i].body != no_index) {
                data_.broadphase.restore(i, from.fat[i],
                                         data_.bodies[data_.bodies.shapes[i].body].type != BodyType::fixed,
                                         from.queued[i] != 0);
            }
        }
    }

    void joints() {
        const StateImage::Joints& from = image_.joints;
        std::vector<JointRecord> records(from.alive.size());
        Lists lists(data_.bodies.size());
        std::size_t next = 0;
        for (std::uint32_t slot = 0; slot < from.alive.size(); ++slot) {
            JointRecord& joint = records[slot];
            joint.generation = from.generation[slot];
            if (from.alive[slot] == 0) {
                continue;
            }
            require(next < image_.joint_defs.size(), "a joint is not described");
            const JointDef& def = image_.joint_defs[next++];
            if (std::string problem = problem_with(def); !problem.empty()) {
                throw Problem{std::move(problem)};
            }
            require((!def.body_a || alive(def.body_a)) && alive(def.body_b) && def.body_a != def.body_b,
                    "a joint ties bodies that are not there");
            for (const BodyId id : {def.body_a, def.body_b}) {
                if (id) {
                    lists.count(id.index);
                }
            }
            joint.alive = true;
            joint.def = std::make_shared<const JointDef>(def);
            joint.impulses.rigid = from.rigid[slot];
            joint.impulses.motor = from.motor[slot];
            joint.impulses.spring = from.spring[slot];
            joint.impulses.lower = from.lower[slot];
            joint.impulses.upper = from.upper[slot];
            joint.impulses.cone = from.cone[slot];
            joint.impulses.soft_block = from.soft_block[slot];
            joint.impulses.brake = from.brake[slot];
            joint.position = from.position[slot];
            joint.force = from.force[slot];
            joint.torque = from.torque[slot];
        }
        require(next == image_.joint_defs.size(), "more joints are described than there are");
        for (std::uint32_t slot = 0; slot < records.size(); ++slot) {
            if (!records[slot].alive) {
                continue;
            }
            const JointDef& def = *records[slot].def;
            for (const auto& [id, place] :
                 {std::pair(def.body_a, from.place_a[slot]), {def.body_b, from.place_b[slot]}}) {
                if (id) {
                    lists.put(id.index, place, slot, "the joints of a body are out of order");
                }
            }
        }
        std::vector<std::vector<std::uint32_t>> of_body;
        for (std::uint32_t body = 0; body < data_.bodies.size(); ++body) {
            if (!lists.of(body).empty()) {
                of_body.resize(body + std::size_t{1});
                of_body[body] = lists.of(body);
            }
        }
        check_free(
            image_.free_joints, records.size(), [&](std::uint32_t slot) { return !records[slot].alive; },
            "the list of free joints is wrong");
        data_.joints.restore(std::move(records), image_.free_joints, std::move(of_body));
    }

    void pairs() {
        const StateImage::Pairs& from = image_.pairs;
        Lists lists(data_.bodies.size());
        PairKey last = 0;
        for (std::size_t i = 0; i < from.shape_a.size(); ++i) {
            const PairKey key = (PairKey{from.shape_a[i]} << 32) | from.shape_b[i];
            const std::uint32_t a = first_of(key), b = second_of(key);
            require(a < b && b < data_.bodies.shapes.size() && key > last, "pairs are out of order");
            last = key;
            const std::uint32_t body_a = data_.bodies.shapes[a].body, body_b = data_.bodies.shapes[b].body;
            require(
                body_a != no_index && body_b != no_index && body_a != body_b &&
                    (data_.bodies[body_a].type == BodyType::dynamic || data_.bodies[body_b].type == BodyType::dynamic),
                "a pair is of shapes that cannot meet");
            const auto is_mesh = [this](std::uint32_t shape) {
                return data_.bodies.shapes[shape].shape->kind == ShapeKind::mesh;
            };
            require(face_of(key) == 0 || (face_of(key) < MeshManifolds::most && (is_mesh(a) || is_mesh(b))),
                    "only pairs with a mesh have several faces");
            slots_.push_back(data_.contacts.create(last, body_a, body_b));
            lists.count(body_a);
            lists.count(body_b);
        }
        std::size_t contact = 0, point = 0;
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            const ShapePair& pair = data_.contacts.pair(slots_[i]);
            lists.put(pair.body_a, from.place_a[i], slots_[i], "the pairs of a body are out of order");
            lists.put(pair.body_b, from.place_b[i], slots_[i], "the pairs of a body are out of order");
        }
        for (std::uint32_t body = 0; body < data_.bodies.size(); ++body) {
            data_.contacts.set_order(body, lists.of(body));
        }
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            ShapePair& pair = data_.contacts.pair(slots_[i]);
            pair.cache = {from.axis[i], from.axis_in_b[i], (from.flags[i] & StateImage::cache_is_contact) != 0};
            // Contacts of what rests are counted into the hash when their pair ceases to be active.
            data_.contacts.set_active(slots_[i], true);
            if (from.points[i] > 0) {
                touch(slots_[i], contact++, point, from.points[i]);
                point += from.points[i];
            }
        }
    }

    void touch(std::uint32_t slot, std::size_t i, std::size_t first, std::uint8_t count) {
        const StateImage::Contacts& from = image_.contacts;
        const StateImage::Points& points_from = image_.points;
        Contact contact;
        contact.normal = from.normal[i];
        contact.friction = from.friction[i];
        contact.restitution = from.restitution[i];
        contact.centre_a = from.centre_a[i];
        contact.centre_b = from.centre_b[i];
        contact.rolling_arm = from.rolling_arm[i];
        contact.rolling_impulse = from.rolling_impulse[i];
        contact.round_a = from.round_a[i];
        contact.round_b = from.round_b[i];
        contact.smaller_is_a = (from.flags[i] & StateImage::smaller_is_a) != 0;
        contact.normal_turns_with_a = (from.flags[i] & StateImage::normal_turns_with_a) != 0;
        contact.solved_at = static_cast<std::uint8_t>(from.flags[i] >> StateImage::solved_at_shift);
        require(contact.solved_at <= substep_multiples.size(),
                "a contact was solved at a substep level that does not exist");
        contact.loaded_inverse_mass = from.loaded_inverse_mass[i];
        require(contact.loaded_inverse_mass >= 0.0f && is_finite(contact.loaded_inverse_mass),
                "an inverse mass of a contact is out of range");
        contact.tolerance = from.tolerance[i];
        contact.asked = from.asked[i];
        contact.radius = from.radius[i];
        contact.found_at = {from.found_position[i], from.found_orientation[i]};
        contact.local_normal = from.local_normal[i];
        std::array<ContactPoint, 4> points;
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t at = first + k;
            contact.ages[k] = points_from.age[at];
            ContactPoint& point = points[k];
            point.feature = points_from.feature[at];
            point.anchor_a = points_from.anchor[at];
            point.local_a = points_from.local_a[at];
            point.local_b = points_from.local_b[at];
            point.separation = points_from.separation[at];
            point.normal_impulse = points_from.normal_impulse[at];
            point.friction_impulse = points_from.friction_impulse[at];
            point.preload = points_from.preload[at];
        }
        data_.contacts.touch(slot, contact, std::span(points).first(count));
        const std::span<StepImpulse> impulses =
            data_.contacts.step_impulses(data_.contacts[data_.contacts.pair(slot).contact]);
        for (std::size_t k = 0; k < count; ++k) {
            impulses[k] = {points_from.step_friction[first + k], points_from.step_normal[first + k]};
        }
    }

    void loads() {
        const auto load = [&](std::size_t place) {
            require(place < slots_.size() && image_.pairs.points[place] > 0, "a load is on a pair that does not touch");
            const std::uint32_t slot = slots_[place];
            return std::pair(slot, data_.contacts.pair(slot).key);
        };
        for (std::size_t i = 0; i < image_.column_pairs.size(); ++i) {
            const auto [slot, key] = load(image_.column_pairs[i]);
            const auto level = static_cast<std::uint8_t>(image_.column_levels[i] % 16u);
            const auto standing = static_cast<std::uint8_t>(image_.column_levels[i] / 16u);
            require(std::max(level, standing) < substep_multiples.size(), "a substep level is out of range");
            data_.substeps.columns.push_back({slot, level, standing, key});
        }
        for (std::size_t i = 0; i < image_.settling_pairs.size(); ++i) {
            const auto [slot, key] = load(image_.settling_pairs[i]);
            require(image_.settling_steps[i] > 0, "a contact recovers from penetration for no step");
            data_.substeps.recovering.push_back({slot, image_.settling_steps[i], key});
        }
        for (std::size_t i = 0; i < image_.loaded_bodies.size(); ++i) {
            const std::uint32_t slot = image_.loaded_bodies[i];
            require(slot < data_.bodies.size() && data_.bodies[slot].alive && data_.bodies.is_dynamic(slot) &&
                        (i == 0 || image_.loaded_bodies[i - 1] < slot),
                    "a load is on a body that there is not");
            require(image_.loads[i] > 0.0f && is_finite(image_.loads[i]), "a load is no number");
            data_.substeps.loaded.push_back({slot, data_.bodies[slot].generation, image_.loads[i]});
        }
        const auto by_slot = [](const auto& a, const auto& b) { return a.slot < b.slot; };
        std::ranges::sort(data_.substeps.columns, by_slot);
        std::ranges::sort(data_.substeps.recovering, by_slot);
    }

    void short_steps() {
        const std::vector<std::uint8_t>& from = image_.short_steps;
        if (!from.empty()) {
            require(from.size() == 2 && std::has_single_bit(from[0]) && from[0] <= ShortSteps::most,
                    "a step is taken as no such number of short ones");
            data_.short_steps = {from[0], from[1]};
        }
    }

    void grab() {
        if (!image_.grabbed) {
            return;
        }
        require(alive(image_.grab.body) && data_.bodies[image_.grab.body.index].type == BodyType::dynamic,
                "the dragged body is not there");
        if (std::string problem = problem_with(image_.grab); !problem.empty()) {
            throw Problem{std::move(problem)};
        }
        require(is_finite(image_.grab_impulse), "the impulse of the drag is not finite");
        data_.grab = {true, image_.grab, image_.grab_impulse};
    }

    const StateImage& image_;
    BodyKindLibrary& library_;
    WorldData data_;
    std::vector<std::shared_ptr<const BodyKind>> kinds_;
    std::vector<std::shared_ptr<const BodyModel>> models_; // with names
    std::vector<std::uint32_t> slots_;                     // of the pairs, by place in the image
};

} // namespace

std::string World::load(const StateImage& image) {
    const DefaultFloats floats;
    WorldData fresh;
    try {
        fresh = Loader(image, impl_->kinds).load();
    } catch (Problem& problem) {
        return std::move(problem.what);
    }
    const std::uint64_t revision = impl_->data.revision;
    fresh.bodies.contact_filter = std::move(impl_->data.bodies.contact_filter);
    impl_->data = std::move(fresh);
    impl_->data.revision = revision + 1;
    impl_->forget_scratch();
    // Who is awake, which pairs are looked at, and the sums of hashes follow from the rest.
    WorldData& data = impl_->data;
    for (std::uint32_t slot = 0; slot < data.bodies.size(); ++slot) {
        BodyRecord& body = data.bodies[slot];
        body.awake = body.alive && body.moves();
        if (body.awake) {
            data.awake.woke(slot);
        }
    }
    for (std::uint32_t slot = 0; slot < data.contacts.size(); ++slot) {
        const ShapePair& pair = data.contacts.pair(slot);
        data.contacts.set_active(slot, data.bodies[pair.body_a].awake || data.bodies[pair.body_b].awake);
    }
    data.waking().commit();
    data.contacts.list_touching();
    for (ActivePair& entry : data.contacts.active()) { // slots are places in the image
        entry.gap = image.pairs.gap[entry.slot];
    }
    for (std::uint32_t slot = 0; slot < data.bodies.size(); ++slot) {
        if (data.bodies[slot].alive) {
            impl_->data.bodies.rehash(slot);
        }
    }
    return {};
}

} // namespace cairn::physics
