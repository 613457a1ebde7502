#include "physics/world/islands/division.h"

#include <algorithm>
#include <limits>

namespace cairn::physics {

namespace {

// What it costs, in neighbours of the list that are separated, if a contact reaches across: its bodies go to and fro in
// every pass.
constexpr std::size_t contact_cost = 2;

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
        // The scale is infinite where all lie within less than a float tells from zero.
        const float cell = (bodies[i].position[axis] - lower) * scale;
        return cell < static_cast<float>(cells - 1) ? static_cast<std::size_t>(cell) : cells - 1;
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

} // namespace cairn::physics
