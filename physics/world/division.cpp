#include "physics/world/division.h"

#include "physics/world/world_state.h"

#include <algorithm>
#include <limits>

namespace cairn::physics {

namespace {

// What it costs, in neighbours of the list that are separated, if a contact reaches across: its bodies go to and fro in
// every pass.
constexpr std::size_t contact_cost = 2;

// Bodies keep their neighbours for a while, and a division that is a little off costs no more than some traffic.
constexpr std::uint64_t most_age = 32; // steps

// What a contact takes to be found and solved, in bodies.
constexpr std::uint32_t contact_weight = 2;

} // namespace

void Division::divide(std::size_t regions) {
    for (Body& body : bodies) {
        body.region = 0;
    }
    upper_.resize(bodies.size());
    divide(0, regions);
}

void Division::divide(std::size_t first, std::size_t count) {
    if (count < 2) {
        return;
    }
    listed_.clear();
    whole_ = 0;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].region == first) {
            listed_.push_back(i);
            whole_ += bodies[i].weight;
        }
    }
    const std::size_t lower_count = count / 2;
    const double share = static_cast<double>(lower_count) / static_cast<double>(count);
    cut_list(share);
    std::size_t least = cost(first);
    best_ = upper_;
    for (int axis = 0; axis < 3; ++axis) {
        cut_across(axis, share);
        const std::size_t price = cost(first);
        if (price < least) {
            least = price;
            best_.swap(upper_);
        }
    }
    for (const std::uint32_t i : listed_) {
        bodies[i].region = static_cast<std::uint8_t>(best_[i] != 0 ? first + lower_count : first);
    }
    divide(first, lower_count);
    divide(first + lower_count, count - lower_count);
}

void Division::cut_list(double share) {
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(whole_));
    std::uint64_t before = 0;
    for (const std::uint32_t i : listed_) {
        upper_[i] = before >= wanted ? 1 : 0;
        before += bodies[i].weight;
    }
}

// Those of the cell in which the share ends are given out in their order.
void Division::cut_across(int axis, double share) {
    float lower = std::numeric_limits<float>::max(), upper = std::numeric_limits<float>::lowest();
    for (const std::uint32_t i : listed_) {
        lower = std::min(lower, bodies[i].position[axis]);
        upper = std::max(upper, bodies[i].position[axis]);
    }
    const float scale = upper > lower ? static_cast<float>(cells - 1) / (upper - lower) : 0.0f;
    const auto cell_of = [&](std::uint32_t i) {
        return std::min(static_cast<std::size_t>((bodies[i].position[axis] - lower) * scale), cells - 1);
    };
    weight_of_cell_.fill(0);
    for (const std::uint32_t i : listed_) {
        weight_of_cell_[cell_of(i)] += bodies[i].weight;
    }
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(whole_));
    std::uint64_t before = 0;
    std::size_t middle = 0;
    while (middle + 1 < cells && before + weight_of_cell_[middle] <= wanted) {
        before += weight_of_cell_[middle++];
    }
    for (const std::uint32_t i : listed_) {
        const std::size_t cell = cell_of(i);
        upper_[i] = cell > middle || (cell == middle && before >= wanted) ? 1 : 0;
        before += cell == middle ? bodies[i].weight : 0;
    }
}

std::size_t Division::cost(std::size_t region) const {
    std::size_t separated = 0, across = 0;
    for (std::size_t i = 1; i < listed_.size(); ++i) {
        separated += upper_[listed_[i]] != upper_[listed_[i - 1]] ? 1 : 0;
    }
    for (const Contact& contact : contacts) {
        const bool here = bodies[contact.a].region == region && bodies[contact.b].region == region;
        across += here && upper_[contact.a] != upper_[contact.b] ? 1 : 0;
    }
    return separated + contact_cost * across;
}

// Motion indices of awake bodies, and which thread has them. Scratch: nothing of it shows in a result.
void World::Impl::divide_bodies() {
    const auto threads =
        std::min(static_cast<std::size_t>(run_on().thread_count()), std::max<std::size_t>(data.awake.size(), 1));
    const std::size_t wanted = std::min(threads, Regions::most);
    const bool changed =
        numbered_awake != awake_version || motion_of_body.size() != data.bodies.size() || regions.count() != wanted;
    const std::size_t contacts = touching_sides.size();
    const bool others = contacts > divided_contacts + divided_contacts / 4 || divided_contacts > 2 * contacts;
    const bool anew = wanted > 1 && (++division_age >= most_age || others);
    if (!changed && !anew) {
        return;
    }
    motion_of_body.resize(data.bodies.size(), 0);
    region_of_body.resize(data.bodies.size(), no_region);
    if (anew || regions.count() != wanted) {
        cut_bodies(wanted);
    }
    // Who has just woken goes to the first region, until the next time.
    region_sizes.assign(wanted, 0);
    const auto region_of_slot = [&](std::uint32_t slot) {
        return region_of_body[slot] < wanted ? region_of_body[slot] : std::uint8_t{0};
    };
    for (const std::uint32_t slot : data.awake) {
        ++region_sizes[region_of_slot(slot)];
    }
    regions.set(region_sizes);
    for (std::size_t region = 0; region < wanted; ++region) {
        region_sizes[region] = regions.begin(region);
    }
    slot_of_motion.resize(data.awake.size() + 1);
    for (const std::uint32_t slot : data.awake) {
        const std::uint32_t motion = region_sizes[region_of_slot(slot)]++;
        motion_of_body[slot] = motion;
        slot_of_motion[motion] = slot;
    }
    for (const std::uint32_t slot : data.awake) {
        // What drives others has contacts everywhere, and they go with the others.
        const bool drives = data.bodies[slot].type == BodyType::kinematic;
        region_of_body[slot] = drives ? no_region : static_cast<std::uint8_t>(regions.of(motion_of_body[slot]));
    }
    numbered_awake = awake_version;
}

void World::Impl::cut_bodies(std::size_t count) {
    division_age = 0;
    divided_contacts = touching_sides.size();
    place_of_body.resize(data.bodies.size());
    division.bodies.resize(data.awake.size());
    for (std::size_t i = 0; i < data.awake.size(); ++i) {
        const std::uint32_t slot = data.awake[i];
        division.bodies[i] = {data.bodies[slot].pose.position, 1, 0};
        place_of_body[slot] = static_cast<std::uint32_t>(i);
    }
    division.contacts.clear();
    const auto pushed = [this](std::uint32_t slot) {
        return data.bodies[slot].awake && data.bodies[slot].type == BodyType::dynamic;
    };
    for (const Sides& sides : touching_sides) { // of the step before
        const bool a = sides.body_a < data.bodies.size() && pushed(sides.body_a);
        const bool b = sides.body_b < data.bodies.size() && pushed(sides.body_b);
        if (a || b) {
            division.bodies[place_of_body[a ? sides.body_a : sides.body_b]].weight += contact_weight;
        }
        if (a && b) {
            division.contacts.push_back({place_of_body[sides.body_a], place_of_body[sides.body_b]});
        }
    }
    division.divide(count);
    for (std::size_t i = 0; i < data.awake.size(); ++i) {
        region_of_body[data.awake[i]] = division.bodies[i].region;
    }
}

} // namespace cairn::physics
