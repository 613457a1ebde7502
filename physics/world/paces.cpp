// How finely each island is stepped.
#include "physics/base/growth.h"
#include "physics/base/hash.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cairn::physics {

namespace {

constexpr int flat_points = 3; // fewer do not hold up a column: it turns about them

// Columns do not come and go in a quarter of a second.
constexpr std::uint64_t steps_between_estimates = 16;

// How many contacts times substeps a step of one island may take, and how many substeps any island may.
constexpr int fine_work = 20000, always_affordable = 16;
// The same for all islands together that are settling, or that turn fast: thousands of small ones would stop the world
// for half a second.
constexpr int shared_work = 160000;

// Bodies that are put down touching each other stand at once in nature; here their springs have yet to sink until they
// carry them, and what leans or arches is bent by that. So their island begins with more substeps and stiffer springs,
// which hardly sink, until all of it is calm, and a while longer, or until something stirs it. The springs are
// preloaded by then (preload.h), and carry the same when they become softer.
constexpr float settling_effort = 2.0f; // times as many substeps at least
constexpr std::uint8_t settling_steps = 240;
constexpr std::uint8_t settling_steps_least = 15;
constexpr std::uint8_t settling_steps_calm = 15;
constexpr float calm = 1e-3f, astir = 0.5f; // m/s, of any point

// How far a joint may turn within a substep, radians. The arcs of joints are stated for velocities that stay
// what they are; light links at the end of a long chain are thrown about by radians, and open their joints.
constexpr float joint_turn = 0.1f;
constexpr std::uint32_t joint_work = 16; // contacts that take as long as a joint
// How far a body between taut ropes may swing across them within a substep, radians of its oscillation, whose square is
// the tension by the mass and the length: ropes pull where they were, and from about two on the swing grows.
constexpr float rope_swing = 0.5f;

// Cosine between the normal and the vertical from which on a body stands on the other rather than leans on it.
constexpr float standing_slope = 0.5f;
// What presses from the side with this share of the load keeps a column from giving way there; boxes that stand side by
// side, flush, hold nothing.
constexpr float holding_share = 0.02f;
// Fewer contacts with what is fixed cannot hold a group in both directions: it leans as one.
constexpr std::uint32_t group_feet = 3;

// Which way neighbours lie: the sum of d d^T in the horizontal plane, d in widths of the two bodies.
struct Spread {
    float xx = 0.0f, xy = 0.0f, yy = 0.0f;

    void add(float x, float y) {
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    bool in_one_direction() const { return xx + yy > least; }
    bool in_both() const { // by the least eigenvalue
        const float half = 0.5f * (xx - yy);
        return 0.5f * (xx + yy) - std::sqrt(half * half + xy * xy) > least;
    }

    // One neighbour that is off by a third of a width.
    static constexpr float least = 0.1f;
};

} // namespace

// Bodies hand their weight, and what they carry, in equal parts to what they stand on, from the top down. Weights and
// not the impulses of the last step: these ring after every blow, and what has jammed between walls presses with many
// times its weight without being a column. Impulses only tell what holds a body from the side.
void World::Impl::estimate_loads() {
    const float gravity = glm::length(data.settings.gravity);
    const auto earlier = [](const ColumnContact& a, const ColumnContact& b) { return a.slot < b.slot; };
    old_columns.swap(data.columns);
    data.columns.clear();
    for (const ColumnContact& column : old_columns) { // what sleeps goes on as it was
        if (!data.contacts.pair(column.slot).active) {
            data.columns.push_back(column);
        }
    }
    if (gravity == 0.0f) {
        return;
    }
    const Vec3 down = data.settings.gravity / gravity;
    const Vec3 level_x = any_perpendicular(down), level_y = glm::cross(down, level_x);
    const float omega = 6.28318531f * stiffest_share * data.settings.hz * static_cast<float>(data.settings.substeps);
    const float substep = data.settings.dt() / static_cast<float>(data.settings.substeps);
    by_depth.clear();
    by_depth.reserve(data.awake.size());
    carried.resize(data.bodies.size());
    leans_from.resize(data.bodies.size());
    for (const std::uint32_t slot : data.awake) {
        carried[slot] = 0.0f;
        if (data.bodies[slot].type == BodyType::dynamic) {
            const float depth = glm::dot(data.bodies[slot].pose.position, down);
            by_depth.emplace_back(depth, slot);
            leans_from[slot] = depth;
        }
    }
    std::sort(by_depth.begin(), by_depth.end());
    island_columns.assign(data.awake.size() + 1, IslandColumn{});
    for (const Solver::TouchingContact& pair : touching) {
        if (pair.bodies.a == 0 || pair.bodies.b == 0) {
            ++island_columns[islands.root(std::max(pair.bodies.a, pair.bodies.b))].feet;
        }
    }
    for (const auto& [depth, slot] : by_depth) {
        const BodyRecord& body = data.bodies[slot];
        const BodyKind& kind = data.kind(slot);
        IslandColumn& island = island_columns[islands.root(motion_of_body[slot])];
        island.top = std::min(island.top, depth); // the first of an island is its highest
        const float weight = std::max(kind.def.gravity_scale, 0.0f) * gravity / kind.inverse_mass + carried[slot];
        supports.clear();
        int bearing = 0;
        Spread around, leaning;
        float top = depth; // of what leans with this body
        for (const std::uint32_t index : data.contacts.of_body(slot)) {
            if (!data.contacts.pair(index).touching()) {
                continue;
            }
            const Contact& contact = data.contacts[data.contacts.pair(index).contact];
            // Rows are also made ahead of touching: bodies that fall close above each other carry nothing.
            float separation = data.settings.linear_slop;
            float press = 0.0f; // N
            for (const ContactPoint& point : data.contacts.points(contact)) {
                separation = std::min(separation, point.separation);
                press += point.normal_impulse / substep;
            }
            if (separation >= data.settings.linear_slop) {
                continue;
            }
            const bool is_a = contact.body_a == slot;
            const Vec3 away = is_a ? contact.normal : -contact.normal;
            const float slope = glm::dot(away, down);
            const std::uint32_t partner = is_a ? contact.body_b : contact.body_a;
            const BodyRecord& other = data.bodies[partner];
            Vec3 offset = away;
            if (std::abs(slope) < standing_slope) {
                if (press < holding_share * weight) {
                    continue;
                }
            } else if (other.type == BodyType::dynamic) {
                offset =
                    (other.pose.position - body.pose.position) / (kind.inner_radius + data.kind(partner).inner_radius);
                if (slope < 0.0f) {
                    top = std::min(top, leans_from[partner]);
                }
            }
            ++bearing;
            around.add(glm::dot(offset, level_x), glm::dot(offset, level_y));
            if (slope > -standing_slope) {
                leaning.add(glm::dot(offset, level_x), glm::dot(offset, level_y));
            }
            if (slope > standing_slope) {
                supports.push_back(index);
            }
        }
        Hold hold = Hold::none;
        if (bearing > 2 && around.in_one_direction()) {
            hold = island.feet >= group_feet && leaning.in_both() ? Hold::group : Hold::row;
        }
        leans_from[slot] = hold == Hold::group ? depth : top;
        const float share = weight / static_cast<float>(std::max<std::size_t>(supports.size(), 1));
        for (const std::uint32_t index : supports) {
            const ShapePair& pair = data.contacts.pair(index);
            const Contact& contact = data.contacts[pair.contact];
            const std::uint32_t below = contact.body_a == slot ? contact.body_b : contact.body_a;
            carried[below] += share;
            const BodyKind& other = data.kind(below);
            const BodyKind& light = kind.inverse_mass > other.inverse_mass ? kind : other;
            const float width = 2.0f * light.inner_radius;
            const float top_of_load = hold == Hold::group ? island.top : leans_from[slot];
            const float above = glm::dot(contact.world(data.contacts.points(contact)[0]), down) - top_of_load;
            const float cubed = column_cubed(share * light.inverse_mass / gravity, std::max(above / width, 1.0f), hold);
            const ColumnContact wanted{index, 0, pair.key};
            const auto before = std::lower_bound(old_columns.begin(), old_columns.end(), wanted, earlier);
            const bool known = before != old_columns.end() && before->slot == index && before->key == pair.key;
            const std::uint8_t rung = fineness_for(cubed, share * light.inverse_mass / gravity, light.inner_radius,
                                                   gravity, omega, known ? before->fineness : std::uint8_t(0));
            if (rung > 0) {
                data.columns.push_back({index, rung, pair.key});
            }
        }
    }
    std::sort(data.columns.begin(), data.columns.end(), earlier);
}

// Contacts between bodies that were put down touching since the last step.
void World::Impl::begin_settling() {
    for (const std::uint32_t slot : data.placed) {
        if (!data.bodies[slot].placed) {
            continue;
        }
        for (const std::uint32_t index : data.contacts.of_body(slot)) {
            const ShapePair& pair = data.contacts.pair(index);
            if (!pair.touching()) {
                continue;
            }
            const Contact& contact = data.contacts[pair.contact];
            const bool first = slot == contact.body_a || !data.bodies[contact.body_a].placed; // each but once
            const BodyRecord& other = data.bodies[contact.body_a == slot ? contact.body_b : contact.body_a];
            if (first && (other.placed || other.type != BodyType::dynamic) &&
                !(data.bodies[contact.body_a].entangled && data.bodies[contact.body_b].entangled)) {
                data.settling.push_back({index, std::uint8_t(settling_steps + 1), pair.key});
            }
        }
    }
    if (!data.placed.empty()) { // one that is put down again begins anew
        const auto order = [](const SettlingContact& one) { return std::tuple(one.slot, one.key, -int(one.steps)); };
        std::sort(data.settling.begin(), data.settling.end(),
                  [&](const SettlingContact& a, const SettlingContact& b) { return order(a) < order(b); });
        const auto same = [](const SettlingContact& a, const SettlingContact& b) {
            return a.slot == b.slot && a.key == b.key;
        };
        data.settling.erase(std::unique(data.settling.begin(), data.settling.end(), same), data.settling.end());
    }
    forget_placed();
}

void World::Impl::forget_placed() {
    for (const std::uint32_t slot : data.placed) {
        data.bodies[slot].placed = false;
    }
    data.placed.clear();
}

float World::Impl::surface_speed(std::uint32_t slot) const {
    const BodyRecord& body = data.bodies[slot];
    return glm::length(body.linear_velocity) + glm::length(body.angular_velocity) * data.kind(slot).bounding_radius;
}

std::uint32_t World::Impl::motion_that_yields(const Contact& contact) const {
    const BodyRecord& a = data.bodies[contact.body_a];
    return motion_of_body[a.type == BodyType::dynamic ? contact.body_a : contact.body_b];
}

// How fast what the joint holds together turns, rad/s: its arms, and its axis if it has one to keep. A wheel turns
// about an axis through its own pivot, and moves neither.
float World::Impl::turning_speed(const JointDef& def) const {
    float most = 0.0f;
    for (const auto& [id, frame] : {std::pair(def.body_a, &def.frame_a), std::pair(def.body_b, &def.frame_b)}) {
        if (!id || data.bodies[id.index].type != BodyType::dynamic) {
            continue;
        }
        const BodyRecord& body = data.bodies[id.index];
        const Vec3& spin = body.angular_velocity;
        const Vec3 arm = rotate(body.pose.orientation, frame->position);
        const Vec3 moves = glm::cross(spin, arm);
        const float own = data.kind(id.index).inner_radius;
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
float World::Impl::swinging_speed(const JointRecord& joint) const {
    float inverse_mass = 0.0f; // of the lighter body
    for (const auto& id : {joint.def->body_a, joint.def->body_b}) {
        if (id && data.bodies[id.index].type == BodyType::dynamic) {
            inverse_mass = std::max(inverse_mass, data.kind(id.index).inverse_mass);
        }
    }
    return std::sqrt(glm::length(joint.force) * inverse_mass / std::max(joint.position, data.settings.linear_slop));
}

// Adds what mechanisms ask for to the loads of their islands. True if any asks for finer steps.
bool World::Impl::add_mechanisms() {
    const float plain_substep = data.settings.dt() / static_cast<float>(data.settings.substeps);
    const auto asked_by = [&](std::uint32_t slot) {
        const JointRecord& joint = data.joints[slot];
        const float turns = plain_substep / joint_turn * turning_speed(*joint.def);
        return joint.def->kind == JointKind::distance
                   ? std::max(turns, plain_substep / rope_swing * swinging_speed(joint))
                   : turns;
    };
    if (std::none_of(acting_joints.begin(), acting_joints.end(), [&](auto slot) { return asked_by(slot) > 1.0f; })) {
        return false;
    }
    if (island_loads.empty()) {
        island_loads.assign(data.awake.size() + 1, IslandLoad{});
    }
    for (const std::uint32_t slot : acting_joints) {
        const JointDef& def = *data.joints[slot].def;
        const bool by_a = def.body_a && data.bodies[def.body_a.index].type == BodyType::dynamic;
        IslandLoad& island = island_loads[islands.root(motion_of_body[(by_a ? def.body_a : def.body_b).index])];
        ++island.joints;
        island.turning = std::max(island.turning, asked_by(slot));
    }
    return true;
}

void World::Impl::choose_paces() {
    const Settings& settings = data.settings;
    paces.clear();
    if (settings.max_substeps <= settings.substeps) {
        forget_placed();
        data.columns.clear();
        data.settling.clear();
        return;
    }
    const auto is_over = [&](const auto& entry) {
        const ShapePair& pair = data.contacts.pair(entry.slot);
        return pair.key != entry.key || !pair.touching();
    };
    std::erase_if(data.columns, is_over);
    if (!data.placed.empty() || data.step % steps_between_estimates == 0) {
        estimate_loads();
    }
    begin_settling();
    std::erase_if(data.settling, [&](SettlingContact& one) { return is_over(one) || --one.steps == 0; });
    if (data.settling.empty()) {
        clear_burst(data.settling, 0);
    }
    island_loads.clear();
    bool plain = !add_mechanisms();
    if (data.columns.empty() && data.settling.empty() && plain) {
        return;
    }
    island_loads.resize(data.awake.size() + 1);
    if (!data.settling.empty()) {
        for (const std::uint32_t slot : data.awake) {
            IslandLoad& island = island_loads[islands.root(motion_of_body[slot])];
            island.fastest = std::max(island.fastest, surface_speed(slot));
        }
    }
    for (const ColumnContact& column : data.columns) {
        const ShapePair& pair = data.contacts.pair(column.slot);
        if (pair.active && data.contacts[pair.contact].count >= flat_points) {
            IslandLoad& island = island_loads[islands.root(motion_that_yields(data.contacts[pair.contact]))];
            island.fineness = std::max(island.fineness, column.fineness);
            plain = false;
        }
    }
    if (!data.settling.empty()) {
        for (SettlingContact& one : data.settling) {
            const ShapePair& pair = data.contacts.pair(one.slot);
            if (pair.active) {
                IslandLoad& island = island_loads[islands.root(motion_that_yields(data.contacts[pair.contact]))];
                if (island.fastest > astir) {
                    one.steps = 1; // it ends with this step
                    continue;
                }
                ++island.settling;
                if (island.fastest < calm && one.steps < settling_steps - settling_steps_least) {
                    one.steps = std::min(one.steps, settling_steps_calm);
                }
                plain = false;
            }
        }
    }
    if (plain) {
        return;
    }
    for (const Solver::TouchingContact& pair : touching) {
        ++island_loads[islands.root(motion_that_yields(data.contacts[pair.slot]))].contacts;
    }
    const auto settles = [](const IslandLoad& island) { return 2 * island.settling > island.contacts; };
    const auto work_of = [](const IslandLoad& island) { return island.contacts + joint_work * island.joints; };
    std::uint32_t settling = 1, turning = 1; // contacts, and what takes as long
    for (const IslandLoad& island : island_loads) {
        settling += settles(island) ? island.contacts : 0;
        turning += island.turning > 1.0f ? work_of(island) : 0;
    }
    const int settling_share = shared_work / static_cast<int>(settling);
    const float turning_share = std::max(
        static_cast<float>(shared_work) / static_cast<float>(turning) / static_cast<float>(settings.substeps), 1.0f);
    const auto pace_of = [&](const IslandLoad& island) {
        const int affordable = fine_work / static_cast<int>(std::max(work_of(island), 1u));
        const int most = std::min(std::max(affordable, always_affordable), settings.max_substeps);
        const float wanted = std::max(fineness_ladder[island.fineness] * (settles(island) ? settling_effort : 1.0f),
                                      std::min(island.turning, turning_share));
        std::uint8_t rung = island.fineness;
        while (rung + 1u < fineness_ladder.size() &&
               (fineness_ladder[rung] < wanted || (settles(island) && pace_at(rung, settings.substeps).substeps <
                                                                          std::min(affordable, settling_share)))) {
            ++rung;
        }
        while (rung > 0 && pace_at(rung, settings.substeps).substeps > most) {
            --rung;
        }
        return pace_at(rung, settings.substeps);
    };
    pace_of_motion.assign(data.awake.size() + 1, 0);
    for (const std::uint32_t slot : data.awake) { // in an order that does not depend on the regions
        const std::uint32_t i = motion_of_body[slot];
        const Pace pace = pace_of(island_loads[islands.root(i)]);
        const auto found = std::find(paces.begin(), paces.end(), pace);
        pace_of_motion[i] = static_cast<std::uint8_t>(found - paces.begin());
        if (found == paces.end()) {
            paces.push_back(pace);
        }
    }
}

// By key, so that neither slots nor the order of entries show.
std::uint64_t World::Impl::hash_of_paces() const {
    std::uint64_t sum = 0;
    for (const ColumnContact& column : data.columns) {
        sum += Hasher(column.key).add(std::uint32_t(column.fineness), 0u).value();
    }
    for (const SettlingContact& one : data.settling) {
        sum += Hasher(one.key).add(0u, std::uint32_t(one.steps)).value();
    }
    return sum;
}

} // namespace cairn::physics
