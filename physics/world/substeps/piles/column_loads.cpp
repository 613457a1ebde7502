#include "physics/world/substeps/piles/column_loads.h"

#include "physics/base/bytes.h"
#include "physics/solver/motion/substep_levels.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

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

bool by_slot(const ColumnContact& a, const ColumnContact& b) {
    return a.slot < b.slot;
}

} // namespace

struct ColumnLoads::World {
    const Settings& settings;
    const BodyStore& bodies;
    const AwakeBodies& awake;
    const Partition& partition;
    const Islands& islands;
    const ContactPool& contacts;
    std::span<const BodyMotion> motions;
    float gravity;               // m/s^2
    Vec3 down, level_x, level_y; // unit
    float omega;                 // rad/s of the springs
    float kept_for;              // s, of an impulse
};

void ColumnLoads::estimate(Scope scope, const Settings& settings, float kept_for, const BodyStore& bodies,
                           const AwakeBodies& awake, const Partition& partition, const Islands& islands,
                           const ContactPool& contacts, std::span<const BodyMotion> motions,
                           std::vector<ColumnContact>& columns) {
    const float gravity = glm::length(settings.gravity);
    if (gravity == 0.0f) {
        std::erase_if(columns, [&](const ColumnContact& column) { return contacts.pair(column.slot).active; });
        return;
    }
    const Vec3 down = settings.gravity / gravity;
    const Vec3 level_x = any_perpendicular(down);
    const float omega = plain_spring_omega(settings);
    const World world{settings,
                      bodies,
                      awake,
                      partition,
                      islands,
                      contacts,
                      motions,
                      gravity,
                      down,
                      level_x,
                      glm::cross(down, level_x),
                      omega,
                      kept_for};
    choose_islands(world, scope);
    old_columns_.swap(columns);
    columns.clear();
    for (const ColumnContact& column : old_columns_) { // what sleeps, or is not covered, goes on as it was
        const ShapePair& pair = contacts.pair(column.slot);
        if (!pair.active || !covers(root_of(contacts[pair.contact], bodies, partition, islands))) {
            columns.push_back(column);
        }
    }
    sort_by_depth(world);
    for (const auto& [depth, slot] : by_depth_) {
        hand_down(world, slot, depth, columns);
    }
    std::sort(columns.begin(), columns.end(), by_slot);
}

void ColumnLoads::choose_islands(const World& world, Scope scope) {
    islands_.assign(world.awake.size() + 1, IslandColumn());
    const auto cover = [&](std::uint32_t slot) {
        if (world.bodies[slot].awake && world.bodies.is_dynamic(slot)) {
            islands_[world.islands.root(world.partition.motion_of(slot))].covered = true;
        }
    };
    if (scope == Scope::all) {
        std::for_each(world.awake.begin(), world.awake.end(), cover);
        return;
    }
    for (const std::uint32_t slot : world.bodies.placed) {
        cover(slot);
        for (const std::uint32_t index : world.contacts.of_body(slot)) { // of a floor: what stands on it
            if (const ShapePair& pair = world.contacts.pair(index); pair.touching()) {
                cover(pair.body_a);
                cover(pair.body_b);
            }
        }
    }
}

void ColumnLoads::sort_by_depth(const World& world) {
    by_depth_.clear();
    by_depth_.reserve(world.awake.size());
    carried_.resize(world.bodies.size());
    moments_.resize(world.bodies.size());
    leans_from_.resize(world.bodies.size());
    stacked_.resize(world.bodies.size());
    for (const std::uint32_t slot : world.awake) {
        carried_[slot] = moments_[slot] = 0.0f;
        if (world.bodies.is_dynamic(slot) && covers(world.islands.root(world.partition.motion_of(slot)))) {
            const float depth = glm::dot(world.bodies[slot].pose.position, world.down);
            by_depth_.emplace_back(depth, slot);
            leans_from_[slot] = depth;
            stacked_[slot] = 1.0f;
        }
    }
    std::sort(by_depth_.begin(), by_depth_.end());
    for (const Solver::TouchingContact& pair : world.islands.touching()) {
        if (pair.bodies.a == 0 || pair.bodies.b == 0) {
            ++islands_[world.islands.root(std::max(pair.bodies.a, pair.bodies.b))].feet;
        }
    }
}

// What the body rests on takes its weight and what it carries; each of these contacts may ask for a substep level.
void ColumnLoads::hand_down(const World& world, std::uint32_t slot, float depth, std::vector<ColumnContact>& columns) {
    const BodyKind& kind = world.bodies.kind(slot);
    IslandColumn& island = islands_[world.islands.root(world.partition.motion_of(slot))];
    island.top = std::min(island.top, depth); // the first of an island is its highest
    const float own_weight = std::max(kind.def.gravity_scale, 0.0f) * world.gravity / kind.inverse_mass;
    const float weight = own_weight + carried_[slot], moment = own_weight * depth + moments_[slot];
    const Hold hold = find_supports(world, slot, depth, weight, island);
    const float top = hold == Hold::group ? island.top : leans_from_[slot];
    const auto shares = static_cast<float>(supports_.size());
    for (const std::uint32_t index : supports_) {
        const Contact& contact = world.contacts[world.contacts.pair(index).contact];
        const std::uint32_t below = contact.body_a == slot ? contact.body_b : contact.body_a;
        carried_[below] += weight / shares;
        moments_[below] += moment / shares;
        const float foot = glm::dot(contact.world(world.contacts.points(contact)[0]), world.down), above = foot - top;
        const float centre = weight > 0.0f && above > 0.0f ? (foot - moment / weight) / above : 0.5f;
        ask_for_level(world, index, slot, weight / shares,
                      {0.0f, stacked_[slot], std::max(above, 0.0f), std::max(centre, 0.0f), hold}, columns);
    }
}

// Notes what leans together with the body, which bears `weight` N with its own. What it rests on comes into supports_.
Hold ColumnLoads::find_supports(const World& world, std::uint32_t slot, float depth, float weight,
                                const IslandColumn& island) {
    const auto& [settings, bodies, awake, partition, all_islands, contacts, motions, gravity, down, level_x, level_y,
                 omega, kept_for] = world;
    const BodyRecord& body = bodies[slot];
    const BodyKind& kind = bodies.kind(slot);
    supports_.clear();
    int bearing = 0;
    Spread around, leaning;
    float top = depth, stacked = 1.0f; // of what leans with this body
    for (const std::uint32_t index : contacts.of_body(slot)) {
        if (!contacts.pair(index).touching()) {
            continue;
        }
        const Contact& contact = contacts[contacts.pair(index).contact];
        // Rows are also made ahead of touching: bodies that fall close above each other carry nothing.
        float separation = settings.linear_slop;
        float press = 0.0f; // N
        for (const ContactPoint& point : contacts.points(contact)) {
            separation = std::min(separation, point.separation);
            press += point.normal_impulse / kept_for;
        }
        if (separation >= settings.linear_slop) {
            continue;
        }
        const bool is_a = contact.body_a == slot;
        const Vec3 away = is_a ? contact.normal : -contact.normal;
        const float slope = glm::dot(away, down);
        const std::uint32_t partner = is_a ? contact.body_b : contact.body_a;
        const BodyRecord& other = bodies[partner];
        Vec3 offset = away;
        if (std::abs(slope) < standing_slope) {
            if (press < holding_share * weight) {
                continue;
            }
        } else if (other.type == BodyType::dynamic) {
            offset =
                (other.pose.position - body.pose.position) / (kind.inner_radius + bodies.kind(partner).inner_radius);
            if (slope < 0.0f) {
                top = std::min(top, leans_from_[partner]);
                stacked = std::max(stacked, stacked_[partner] + 1.0f);
            }
        }
        ++bearing;
        around.add(glm::dot(offset, level_x), glm::dot(offset, level_y));
        if (slope > -standing_slope) {
            leaning.add(glm::dot(offset, level_x), glm::dot(offset, level_y));
        }
        if (slope > standing_slope) {
            supports_.push_back(index);
        }
    }
    Hold hold = Hold::none;
    if (bearing > 2 && around.in_one_direction()) {
        hold = island.feet >= group_feet && leaning.in_both() ? Hold::group : Hold::row;
    }
    leans_from_[slot] = hold == Hold::group ? depth : top;
    stacked_[slot] = hold == Hold::group ? 1.0f : stacked;
    return hold;
}

// `load`: its height in m, and without its weights, which are `weight` N on the contact; `above`: the body above it.
void ColumnLoads::ask_for_level(const World& world, std::uint32_t index, std::uint32_t above, float weight,
                                ColumnLoad load, std::vector<ColumnContact>& columns) const {
    const ShapePair& pair = world.contacts.pair(index);
    const std::uint32_t below = pair.body_a == above ? pair.body_b : pair.body_a;
    const bool lighter = world.bodies.kind(above).inverse_mass > world.bodies.kind(below).inverse_mass;
    const BodyKind& light = world.bodies.kind(lighter ? above : below);
    const float half_width = light.inner_radius;
    const float inverse_mass = world.motions[world.partition.motion_of(lighter ? above : below)].inverse_mass;
    load.weights = weight * inverse_mass / world.gravity;
    load.height = std::max(load.height / (2.0f * half_width), 1.0f);
    // Light bodies under heavy ones have more inertia (mass_scaling.h), which resists a load and not leaning: as long
    // as the column stands, it is to have all that its loads ask for.
    ColumnLoad unscaled = load;
    unscaled.weights = weight * light.inverse_mass / world.gravity;

    ColumnContact column{index, 0, 0, pair.key};
    const auto before = std::lower_bound(old_columns_.begin(), old_columns_.end(), column, by_slot);
    const bool known = before != old_columns_.end() && before->slot == index && before->key == pair.key;
    const std::uint8_t level_before = known ? before->level : std::uint8_t(0);
    const auto level_for = [&](const ColumnLoad& asked) {
        return substep_level_for(asked, half_width, world.gravity, world.omega, level_before);
    };
    column.level = level_for(load);
    if (column.level > 0 || (unscaled.weights > load.weights && level_for(unscaled) > 0)) {
        const std::uint8_t standing_before = known ? before->standing : std::uint8_t(0);
        column.standing = standing_level_for(load, half_width, world.gravity, world.omega, standing_before);
        columns.push_back(column);
    }
}

std::size_t ColumnLoads::memory_bytes() const {
    return bytes_of(by_depth_) + bytes_of(islands_) + bytes_of(leans_from_) + bytes_of(stacked_) + bytes_of(carried_) +
           bytes_of(moments_) + bytes_of(supports_) + bytes_of(old_columns_);
}

} // namespace cairn::physics
