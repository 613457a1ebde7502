#include "physics/world/substeps/island_substeps.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/base/growth.h"
#include "physics/base/hash.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>
#include <utility>

namespace cairn::physics {

namespace {

// Columns do not come and go in a quarter of a second.
constexpr std::uint64_t steps_between_estimates = 16;

// How many contacts times substeps a step of one island may take, and how many substeps any island may.
constexpr int fine_work = 20000, always_affordable = 16;
// The same for all islands together that recover, or that turn fast: thousands of small ones would stop the world
// for half a second.
constexpr int shared_work = 160000;

// Bodies that are spawned touching each other stand at once in nature; here their springs have yet to sink until they
// carry them, and what leans or arches is bent by that. So their island begins with more substeps and stiffer springs,
// which hardly sink, until all of it is calm, and a while longer, or until something disturbs it. The springs are
// preloaded by then (preload.h), and carry the same when they become softer.
constexpr float recovering_effort = 2.0f; // times as many substeps at least
constexpr std::uint8_t recovering_steps = 240;
constexpr std::uint8_t recovering_steps_least = 15;
constexpr std::uint8_t recovering_steps_calm = 15;
// How much sooner it is over for each calm step: after so many of them. What sways is calm where it turns back, and
// springs that carry what bends it there and become softer let it sway further, as many times as they are softer. More
// relaxing passes end that, as where a stack lands, within so many contacts times substeps times passes.
constexpr int calm_steps_count = (recovering_steps - recovering_steps_least) / recovering_steps_calm - 1;
constexpr std::uint32_t swaying_work = 20000;
constexpr std::uint8_t parting_steps = 10;      // the first ones, in which what was spawned in each other parts
constexpr float calm = 1e-3f, disturbed = 0.5f; // m/s, of any point

// How far a joint may turn within a substep, radians. The arcs of joints are stated for velocities that stay
// what they are; light links at the end of a long chain are thrown about by radians, and open their joints.
constexpr float joint_turn = 0.1f;
constexpr std::uint32_t joint_work = 16; // contacts that take as long as a joint
// How far a body between taut ropes may swing across them within a substep, radians of its oscillation, whose square is
// the tension by the mass and the length: ropes pull where they were, and from about two on the swing grows.
constexpr float rope_swing = 0.5f;
// How far a link that is pulled at by its joints may turn to and fro within a substep while it presses on something,
// radians of its oscillation, whose square is the pull times its arm by the moment of inertia. Contacts and joints are
// solved in turns, each without the other's stiffness, and from about 0.8 on a loaded chain that lies on a bar hops, or
// stands still, since its joints seem to gain energy.
constexpr float pressed_swing = 0.6f;

// What moves may stand on what moves, but what spins alone does not stand.
bool may_stand_on(const BodyRecord& body, const BodyRecord& other) {
    constexpr float hardly = 0.1f; // rad/s
    const Vec3 difference = body.angular_velocity - other.angular_velocity;
    return glm::dot(difference, difference) < hardly * hardly ||
           (body.angular_velocity == Vec3(0.0f) && other.type != BodyType::dynamic);
}

// Contacts between bodies that were spawned touching since the last step.
void begin_recovery(const BodyStore& bodies, const ContactPool& contacts, std::vector<RecoveringContact>& recovering) {
    for (const std::uint32_t slot : bodies.placed) {
        if (!bodies[slot].placed) {
            continue;
        }
        for (const std::uint32_t index : contacts.of_body(slot)) {
            const ShapePair& pair = contacts.pair(index);
            if (!pair.touching()) {
                continue;
            }
            const Contact& contact = contacts[pair.contact];
            const bool first = slot == contact.body_a || !bodies[contact.body_a].placed; // each but once
            const BodyRecord& other = bodies[contact.body_a == slot ? contact.body_b : contact.body_a];
            if (first && (other.placed || other.type != BodyType::dynamic) && may_stand_on(bodies[slot], other) &&
                !(bodies[contact.body_a].entangled && bodies[contact.body_b].entangled)) {
                recovering.push_back({index, std::uint8_t(recovering_steps + 1), pair.key});
            }
        }
    }
}

// Contacts of piles that have lost what held them up, and with it the inertia of their loads: softer springs that carry
// as much would throw the bodies apart.
void begin_fall(const PileInertia& piles, const Partition& partition, const Islands& islands, const BodyStore& bodies,
                const ContactPool& contacts, std::vector<RecoveringContact>& recovering) {
    for (const Solver::TouchingContact& touching : islands.touching()) {
        const Contact& contact = contacts[touching.slot];
        if (piles.falls(root_of(contact, bodies, partition, islands))) {
            recovering.push_back(
                {contact.pair, std::uint8_t(recovering_steps_calm + 1), contacts.pair(contact.pair).key});
        }
    }
}

// By slot, and each but once, with the most steps: one that begins again begins anew.
void put_in_order(std::vector<RecoveringContact>& recovering) {
    const auto order = [](const RecoveringContact& one) { return std::tuple(one.slot, one.key, -int(one.steps)); };
    std::sort(recovering.begin(), recovering.end(),
              [&](const RecoveringContact& a, const RecoveringContact& b) { return order(a) < order(b); });
    const auto same = [](const RecoveringContact& a, const RecoveringContact& b) {
        return a.slot == b.slot && a.key == b.key;
    };
    recovering.erase(std::unique(recovering.begin(), recovering.end(), same), recovering.end());
}

// Springs that are softer than the plain number of substeps allows may become stiffer without more of them.
TimeStepClass at_level(const Settings& settings, std::uint8_t level) {
    const float plain = static_cast<float>(settings.substeps), substep = settings.dt() / plain;
    const float needed = plain * (plain_spring_hertz(settings.contact_hertz, substep) / (stiffest_share / substep));
    return time_step_class(level, settings.substeps, needed);
}

constexpr std::size_t mechanism_block = 256; // joints worth a thread's while

// How fast what the joint holds together turns, rad/s: its arms, and its axis if it has one to keep. A wheel turns
// about an axis through its own pivot, and moves neither.
float turning_speed(const BodyStore& bodies, const JointDef& def) {
    float most = 0.0f;
    for (const auto& [id, frame] : {std::pair(def.body_a, &def.frame_a), std::pair(def.body_b, &def.frame_b)}) {
        if (!id || bodies[id.index].type != BodyType::dynamic) {
            continue;
        }
        const BodyRecord& body = bodies[id.index];
        const Vec3& spin = body.angular_velocity;
        const Vec3 arm = rotate(body.pose.orientation, frame->position);
        const Vec3 moves = glm::cross(spin, arm);
        const float own = bodies.kind(id.index).inner_radius;
        float square = glm::dot(moves, moves) / std::max(glm::dot(arm, arm), own * own);
        if (def.kind == JointKind::weld) {
            square = glm::dot(spin, spin);
        } else if (def.kind != JointKind::ball && def.kind != JointKind::distance) {
            const Vec3 axis = rotate(body.pose.orientation * frame->orientation, Vec3(0, 0, 1));
            const Vec3 tilts = glm::cross(spin, axis);
            square = std::max(square, glm::dot(tilts, tilts));
        }
        most = std::max(most, square);
    }
    return std::sqrt(most);
}

// rad/s, of the body across the rope.
float swinging_speed(const BodyStore& bodies, const JointRecord& joint, float linear_slop) {
    float inverse_mass = 0.0f; // of the lighter body
    for (const auto& id : {joint.def->body_a, joint.def->body_b}) {
        if (id && bodies[id.index].type == BodyType::dynamic) {
            inverse_mass = std::max(inverse_mass, bodies.kind(id.index).inverse_mass);
        }
    }
    return std::sqrt(glm::length(joint.force) * inverse_mass / std::max(joint.position, linear_slop));
}

// Whether a body that is pulled at by such a joint turns to and fro about its anchor.
bool lets_turn(JointKind kind) {
    return kind == JointKind::ball || kind == JointKind::hinge || kind == JointKind::universal ||
           kind == JointKind::six_dof;
}

// kg m^2, the least moment of inertia about an axis at right angles to `along` (unit).
float least_inertia_across(const Mat3& inertia, const Vec3& along) {
    const Vec3 one = any_perpendicular(along), other = glm::cross(along, one);
    const float a = glm::dot(one, inertia * one), b = glm::dot(other, inertia * other);
    const float ab = glm::dot(one, inertia * other), half = 0.5f * (a - b);
    return 0.5f * (a + b) - std::sqrt(half * half + ab * ab);
}

// rad/s, of a body that touches something and is pulled at.
float pulled_speed(const BodyStore& bodies, const JointRecord& joint) {
    float most = 0.0f;
    const auto look_at = [&](BodyId id, const Vec3& place, const Vec3& pull) {
        if (!id || !bodies[id.index].touching || bodies[id.index].type != BodyType::dynamic) {
            return;
        }
        const float turns = glm::dot(rotate(bodies[id.index].pose.orientation, place), pull); // N m
        if (turns > 0.0f) {
            most = std::max(most, turns / least_inertia_across(bodies.kind(id.index).inertia, glm::normalize(place)));
        }
    };
    look_at(joint.def->body_a, joint.def->frame_a.position, -joint.force);
    look_at(joint.def->body_b, joint.def->frame_b.position, joint.force);
    return std::sqrt(most);
}

} // namespace

std::uint64_t SubstepState::hash() const {
    std::uint64_t sum = 0;
    for (const ColumnContact& column : columns) {
        sum += Hasher(column.key).add(std::uint32_t(column.level), std::uint32_t(column.standing)).value();
    }
    for (const RecoveringContact& one : recovering) {
        sum += Hasher(one.key).add(0u, std::uint32_t(one.steps)).value();
    }
    for (const LoadedBody& one : loaded) {
        sum += Hasher(one.slot).add(one.load, 0.0f).value();
    }
    return sum;
}

std::uint32_t IslandSubsteps::IslandLoad::work() const {
    return contacts + joint_work * joints;
}

void IslandSubsteps::choose(const Input& in, SubstepState& state) {
    classes_.clear();
    const float kept_for = in.settings.dt() / in.short_step.plain_substeps;
    if (in.settings.max_substeps <= in.settings.substeps && in.settings.contact_hertz >= stiffest_share / kept_for) {
        state = SubstepState{};
        return;
    }
    const auto is_over = [&in](const auto& entry) {
        const ShapePair& pair = in.contacts.pair(entry.slot);
        return pair.key != entry.key || !pair.touching();
    };
    std::erase_if(state.columns, is_over);
    const bool is_time = in.step % steps_between_estimates == 0 && in.short_step.first();
    const bool estimates = is_time || !in.bodies.placed.empty();
    if (estimates) {
        column_loads_.estimate(is_time ? ColumnLoads::Scope::all : ColumnLoads::Scope::placed, in.settings, kept_for,
                               in.bodies, in.awake, in.partition, in.islands, in.contacts, in.motions, state.columns);
    }
    if (estimates || !state.loaded.empty() || !state.recovering.empty()) {
        ground_.find({in.settings, in.bodies, in.awake, in.partition, in.islands, in.contacts, in.joints, in.motions,
                      in.changed_grounds});
    }
    pile_inertia_.update({in.settings, in.bodies, in.awake, in.partition, in.islands, ground_, in.contacts, in.joints,
                          in.grab, in.dynamics},
                         state.columns, estimates ? &column_loads_ : nullptr, state.loaded);
    const std::size_t before = state.recovering.size();
    begin_recovery(in.bodies, in.contacts, state.recovering);
    if (pile_inertia_.any_falls()) {
        begin_fall(pile_inertia_, in.partition, in.islands, in.bodies, in.contacts, state.recovering);
    }
    if (state.recovering.size() > before) {
        put_in_order(state.recovering);
    }
    const std::uint8_t passed = in.short_step.first() ? 1 : 0; // steps
    std::erase_if(state.recovering, [&](RecoveringContact& one) { return is_over(one) || (one.steps -= passed) == 0; });
    if (state.recovering.empty()) {
        clear_burst(state.recovering, 0);
    }
    loads_.clear();
    const bool turning = add_mechanisms(in);
    const bool landing = landings_.find({in.settings.gravity, in.settings.dt(), kept_for, in.settings.substeps,
                                         in.awake, in.partition, in.islands, in.contacts, in.motions, in.dynamics});
    if (state.columns.empty() && state.recovering.empty() && !turning && !landing) {
        return;
    }
    loads_.resize(in.awake.size() + 1);
    const bool leaning = add_columns(in, state.columns);
    const bool recovering = add_recovering(in, state.recovering);
    if (turning || leaning || recovering || landing) {
        share_out(in);
    }
}

IslandSubsteps::IslandLoad& IslandSubsteps::load_below(const Input& in, const Contact& contact) {
    return loads_[root_of(contact, in.bodies, in.partition, in.islands)];
}

IslandSubsteps::IslandLoad& IslandSubsteps::load_of_joint(const Input& in, std::uint32_t slot) {
    const JointEnds& ends = in.joints.ends(slot);
    const bool by_a = ends.body_a != no_index && in.bodies.is_dynamic(ends.body_a);
    return loads_[in.islands.root(in.partition.motion_of(by_a ? ends.body_a : ends.body_b))];
}

bool IslandSubsteps::stands(const Input& in, const Contact& contact) const {
    return pile_inertia_.stands(root_of(contact, in.bodies, in.partition, in.islands));
}

// True if any mechanism asks for more substeps.
bool IslandSubsteps::add_mechanisms(const Input& in) {
    const float plain_substep = in.settings.dt() / static_cast<float>(in.settings.substeps);
    // No arm turns faster than its body.
    const auto slow = [&](std::uint32_t body) {
        const Vec3 spin = body == no_index ? Vec3(0.0f) : plain_substep / joint_turn * in.bodies[body].angular_velocity;
        return glm::dot(spin, spin) < 0.99f;
    };
    const auto touches = [&](std::uint32_t body) { return body != no_index && in.bodies[body].touching; };
    const auto asked_by = [&](std::uint32_t slot) {
        const JointEnds& ends = in.joints.ends(slot);
        const bool rope = ends.kind == JointKind::distance;
        const bool presses = lets_turn(ends.kind) && (touches(ends.body_a) || touches(ends.body_b));
        if (!rope && !presses && slow(ends.body_a) && slow(ends.body_b)) {
            return 0.0f;
        }
        const JointRecord& joint = in.joints[slot];
        const float turns = plain_substep / joint_turn * turning_speed(in.bodies, *joint.def);
        const float swings =
            rope      ? plain_substep / rope_swing * swinging_speed(in.bodies, joint, in.settings.linear_slop)
            : presses ? plain_substep / pressed_swing * pulled_speed(in.bodies, joint)
                      : 0.0f;
        return std::max(turns, swings);
    };
    const std::span<const std::uint32_t> slots = in.acting.slots;
    asked_.resize(slots.size());
    std::atomic<bool> any = false;
    parallel_for(in.executor, slots.size(), mechanism_block, [&](std::size_t begin, std::size_t end) {
        bool more = false;
        for (std::size_t i = begin; i < end; ++i) {
            asked_[i] = asked_by(slots[i]);
            more = more || asked_[i] > 1.0f;
        }
        if (more) {
            any.store(true, std::memory_order_relaxed);
        }
    });
    if (!any) {
        return false;
    }
    loads_.assign(in.awake.size() + 1, IslandLoad{});
    for (std::size_t i = 0; i < slots.size(); ++i) {
        IslandLoad& island = load_of_joint(in, slots[i]);
        island.turning = std::max(island.turning, asked_[i]);
    }
    return true;
}

// True if any island has a column that asks for more substeps.
bool IslandSubsteps::add_columns(const Input& in, const std::vector<ColumnContact>& columns) {
    bool any = false;
    for (const ColumnContact& column : columns) {
        const Contact* contact = column.holding(in.contacts);
        if (contact == nullptr) {
            continue;
        }
        const std::uint8_t level = stands(in, *contact) ? column.standing : column.level;
        if (level > 0) {
            IslandLoad& island = load_below(in, *contact);
            island.level = std::max(island.level, level);
            any = true;
        }
    }
    return any;
}

// True if any island recovers. Islands that are disturbed stop doing so.
bool IslandSubsteps::add_recovering(const Input& in, std::vector<RecoveringContact>& recovering) {
    if (recovering.empty()) {
        return false;
    }
    const float plain_substep = in.settings.dt() / static_cast<float>(in.settings.substeps);
    for (const std::uint32_t slot : in.awake) {
        const std::uint32_t root = in.islands.root(in.partition.motion_of(slot));
        IslandLoad& island = loads_[root];
        const BodyRecord& body = in.bodies[slot];
        const GroundMotion& ground = ground_.motion(root);
        const Vec3 velocity = ground.relative(body.pose.position, body.linear_velocity, plain_substep);
        island.fastest =
            std::max(island.fastest, in.bodies.surface_speed(slot, velocity, body.angular_velocity - ground.spin));
    }
    bool any = false;
    for (RecoveringContact& one : recovering) {
        const ShapePair& pair = in.contacts.pair(one.slot);
        if (!pair.active) {
            continue;
        }
        IslandLoad& island = load_below(in, in.contacts[pair.contact]);
        if (island.fastest > disturbed) {
            one.steps = 1; // it ends with this step
            continue;
        }
        ++island.recovering;
        if (one.steps > recovering_steps - parting_steps) {
            const auto is_deep = [&](const ContactPoint& point) {
                return point.separation < -0.1f * in.settings.linear_slop;
            };
            island.parts = island.parts || std::ranges::any_of(in.contacts.points(in.contacts[pair.contact]), is_deep);
        }
        if (one.steps < recovering_steps - recovering_steps_least) {
            island.settles = island.settles || one.steps > recovering_steps_calm; // what falls does not
            if (island.fastest < calm && in.short_step.first()) {
                // Of what falls as well: held on to, it sways more.
                one.steps = static_cast<std::uint8_t>(std::max(one.steps - calm_steps_count, 1));
            }
        }
        any = true;
    }
    return any;
}

// From what islands ask for and what that costs to the classes of substep counts.
void IslandSubsteps::share_out(const Input& in) {
    const Settings& settings = in.settings;
    for (const Solver::TouchingContact& pair : in.islands.touching()) {
        ++load_below(in, in.contacts[pair.slot]).contacts;
    }
    for (const std::uint32_t slot : in.acting.slots) {
        ++load_of_joint(in, slot).joints;
    }
    std::uint32_t recovering = 1, turning = 1; // contacts, and what takes as long
    for (const IslandLoad& island : loads_) {
        recovering += island.recovers() ? island.work() : 0;
        turning += island.turning > 1.0f ? island.work() : 0;
    }
    // All that may be done in a step is shared by the short ones that it is taken as.
    const auto substeps_for = [&](int work, std::uint32_t each) {
        return work / in.short_step.count / static_cast<int>(std::max(each, 1u));
    };
    const float plain = static_cast<float>(settings.substeps);
    const float turning_share = std::max(static_cast<float>(substeps_for(shared_work, turning)) / plain, 1.0f);
    const auto class_of = [&](const IslandLoad& island) {
        const int affordable = substeps_for(fine_work, island.work());
        const int most =
            std::max(std::min(std::max(affordable, always_affordable / in.short_step.count), settings.max_substeps),
                     settings.substeps);
        const int recovers_with = island.recovers() ? std::min(affordable, substeps_for(shared_work, recovering)) : 0;
        const float stiffening = substep_multiples[island.level] * (island.recovers() ? recovering_effort : 1.0f);
        const float turns_with = plain * std::min(island.turning, turning_share); // substeps
        const auto suffices = [&](const TimeStepClass& one) {
            return one.stiffening() >= stiffening && static_cast<float>(one.substeps) >= turns_with &&
                   one.substeps >= recovers_with;
        };
        std::uint8_t level = island.level;
        while (level + 1u < substep_multiples.size() && !suffices(at_level(settings, level))) {
            ++level;
        }
        while (level > 0 && at_level(settings, level).substeps > most) {
            --level;
        }
        return at_level(settings, level);
    };
    class_of_motion_.assign(in.awake.size() + 1, 0);
    for (const std::uint32_t slot : in.awake) { // in an order that does not depend on the regions
        const std::uint32_t motion = in.partition.motion_of(slot);
        IslandLoad& island = loads_[in.islands.root(motion)];
        if (island.step_class == no_class) {
            TimeStepClass own = class_of(island);
            if (island.joints == 0) {
                own.relaxations = landings_.relaxations(in.islands.root(motion));
                if (island.parts) {
                    own.relaxations = Landings::most_relaxations;
                } else if (island.settles && island.recovers() &&
                           island.fastest * static_cast<float>(own.substeps) > calm * plain) {
                    const std::uint32_t passes = swaying_work / static_cast<std::uint32_t>(in.short_step.count) /
                                                 (island.contacts * static_cast<std::uint32_t>(own.substeps));
                    own.relaxations = static_cast<int>(std::clamp(passes, static_cast<std::uint32_t>(own.relaxations),
                                                                  std::uint32_t{Landings::most_relaxations}));
                }
            }
            const auto found = std::find(classes_.begin(), classes_.end(), own);
            island.step_class = static_cast<std::uint8_t>(found - classes_.begin());
            if (found == classes_.end()) {
                classes_.push_back(own);
            }
        }
        class_of_motion_[motion] = island.step_class;
    }
}

int IslandSubsteps::finest(int plain) const {
    int most = plain;
    for (const TimeStepClass& each : classes_) {
        most = std::max(most, each.substeps);
    }
    return most;
}

std::size_t IslandSubsteps::memory_bytes() const {
    return column_loads_.memory_bytes() + ground_.memory_bytes() + pile_inertia_.memory_bytes() +
           landings_.memory_bytes() + bytes_of(loads_) + bytes_of(asked_) + bytes_of(class_of_motion_) +
           bytes_of(classes_);
}

} // namespace cairn::physics
