// How finely each island is stepped.
#include "physics/world/world_state.h"

#include "physics/base/executor_loop.h"

#include <algorithm>
#include <limits>

namespace cairn::physics {

namespace {

constexpr std::size_t contact_block = 256;
constexpr int flat_points = 3; // fewer do not hold up a column: it turns about them

// Columns do not come and go in a quarter of a second.
constexpr std::uint64_t steps_between_estimates = 16;

// Bodies that are put down touching each other stand at once in nature; here their rows have yet to find the impulses
// that carry them. For so many steps their island takes so many times as many substeps, at the springs of its load.
constexpr std::uint8_t settling_steps = 30;
constexpr int settling_effort = 2;

} // namespace

// Bodies hand their weight, and what they carry, in equal parts to what they stand on, from the top down. Weights and
// not the impulses of the last step: these ring after every blow, and what has jammed between walls presses with many
// times its weight without being a column.
void World::Impl::estimate_loads() {
    for (const Solver::TouchingContact& pair : touching) {
        data.contacts[pair.slot].column = 0.0f;
    }
    const float gravity = glm::length(data.settings.gravity);
    if (gravity == 0.0f) {
        return;
    }
    const Vec3 down = data.settings.gravity / gravity;
    by_depth.clear();
    carried.resize(data.bodies.size());
    for (const std::uint32_t slot : data.awake) {
        carried[slot] = 0.0f;
        if (data.bodies[slot].type == BodyType::dynamic) {
            by_depth.emplace_back(glm::dot(data.bodies[slot].pose.position, down), slot);
        }
    }
    std::sort(by_depth.begin(), by_depth.end());
    island_tops.assign(data.awake.size() + 1, std::numeric_limits<float>::max());
    for (const auto& [depth, slot] : by_depth) {
        const std::uint32_t root = islands.root(motion_of_body[slot]);
        island_tops[root] = std::min(island_tops[root], depth); // the first of an island is its highest
        supports.clear();
        int touched = 0;
        for (const std::uint32_t pair : data.contacts.of_body(slot)) {
            const std::uint32_t index = data.contacts.pair(pair).contact;
            if (index == no_index) {
                continue;
            }
            const Contact& contact = data.contacts[index];
            // Rows are also made ahead of touching: bodies that fall close above each other carry nothing.
            float separation = data.settings.linear_slop;
            for (const ContactPoint& point : data.contacts.points(contact)) {
                separation = std::min(separation, point.separation);
            }
            if (separation >= data.settings.linear_slop) {
                continue;
            }
            ++touched;
            const float slope = glm::dot(contact.normal, down); // the normal points to B
            if ((contact.body_a == slot ? slope : -slope) > 0.5f) {
                supports.push_back(index);
            }
        }
        const BodyKind& kind = data.kind(slot);
        const float weight = std::max(kind.def.gravity_scale, 0.0f) * gravity / kind.inverse_mass + carried[slot];
        const float share = weight / static_cast<float>(std::max<std::size_t>(supports.size(), 1));
        for (const std::uint32_t index : supports) {
            Contact& contact = data.contacts[index];
            const std::uint32_t below = contact.body_a == slot ? contact.body_b : contact.body_a;
            const BodyKind& other = data.kind(below);
            const BodyKind& light = kind.inverse_mass > other.inverse_mass ? kind : other;
            const float above = glm::dot(contact.world(data.contacts.points(contact)[0]), down) - island_tops[root];
            contact.column = column_cubed(share * light.inverse_mass / gravity,
                                          std::max(above / (2.0f * light.inner_radius), 1.0f), touched > 2);
            carried[below] += share;
        }
    }
}

// Contacts between bodies that were put down touching since the last step.
void World::Impl::begin_settling() {
    for (const std::uint32_t slot : data.placed) {
        if (!data.bodies[slot].placed) {
            continue;
        }
        for (const std::uint32_t pair : data.contacts.of_body(slot)) {
            if (!data.contacts.pair(pair).touching()) {
                continue;
            }
            Contact& contact = data.contacts[data.contacts.pair(pair).contact];
            const BodyRecord& other = data.bodies[contact.body_a == slot ? contact.body_b : contact.body_a];
            if (other.placed || other.type != BodyType::dynamic) {
                contact.settling = settling_steps + 1;
            }
        }
    }
    forget_placed();
}

void World::Impl::forget_placed() {
    for (const std::uint32_t slot : data.placed) {
        data.bodies[slot].placed = false;
    }
    data.placed.clear();
}

void World::Impl::choose_paces() {
    const Settings& settings = data.settings;
    paces.clear();
    if (settings.max_substeps <= settings.substeps) {
        forget_placed();
        return;
    }
    if (!data.placed.empty() || data.step % steps_between_estimates == 0) {
        estimate_loads();
    }
    begin_settling();
    const float omega = 6.28318531f * stiffest_share * settings.hz * static_cast<float>(settings.substeps);
    const float gravity = glm::length(settings.gravity);
    parallel_for(run_on(), touching.size(), contact_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Contact& contact = data.contacts[touching[i].slot];
            if (contact.settling > 0) {
                --contact.settling;
            }
            if (contact.count < flat_points) {
                contact.fineness = 0;
                continue;
            }
            const BodyKind& a = data.kind(contact.body_a);
            const BodyKind& b = data.kind(contact.body_b);
            const BodyKind& light = a.inverse_mass > b.inverse_mass ? a : b;
            contact.fineness = fineness_for(contact.column, light.inner_radius, gravity, omega, contact.fineness);
        }
    });

    island_loads.assign(data.awake.size() + 1, IslandLoad{});
    bool plain = true;
    for (const Solver::TouchingContact& pair : touching) {
        const Contact& contact = data.contacts[pair.slot];
        const bool a_moves = pair.bodies.a != 0 && data.bodies[contact.body_a].type == BodyType::dynamic;
        IslandLoad& island = island_loads[islands.root(a_moves ? pair.bodies.a : pair.bodies.b)];
        ++island.contacts;
        island.settling += contact.settling > 0 ? 1 : 0;
        island.fineness = std::max(island.fineness, contact.fineness);
        plain = plain && contact.settling == 0 && contact.fineness == 0;
    }
    if (plain) {
        return;
    }
    const auto pace_of = [&](const IslandLoad& island) {
        const int finer = static_cast<int>(fineness_ladder[island.fineness] * static_cast<float>(settings.substeps));
        const int stiff = std::min(finer, settings.max_substeps);
        const bool settles = 2 * island.settling > island.contacts;
        return Pace{settles ? std::min(settling_effort * stiff, settings.max_substeps) : stiff,
                    static_cast<float>(stiff) / static_cast<float>(settings.substeps)};
    };
    pace_of_motion.assign(data.awake.size() + 1, 0);
    for (std::uint32_t i = 1; i < pace_of_motion.size(); ++i) {
        const Pace pace = pace_of(island_loads[islands.root(i)]);
        const auto found = std::find(paces.begin(), paces.end(), pace);
        pace_of_motion[i] = static_cast<std::uint8_t>(found - paces.begin());
        if (found == paces.end()) {
            paces.push_back(pace);
        }
    }
}

} // namespace cairn::physics
