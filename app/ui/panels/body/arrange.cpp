#include "app/ui/panels/body/arrange.h"

#include <algorithm>
#include <numeric>

namespace cairn::ui {

using physics::Vec3;

namespace {

constexpr float hair = 0.001f; // m

Vec3 middle(const physics::Aabb& box) {
    return 0.5f * (box.lower + box.upper);
}

std::vector<Vec3> positions_of(std::span<const Arranged> bodies) {
    std::vector<Vec3> positions;
    for (const Arranged& body : bodies) {
        positions.push_back(body.position);
    }
    return positions;
}

// Places in `bodies`, by the coordinate of their middles; equal ones in their order.
std::vector<std::size_t> in_order(std::span<const Arranged> bodies, int axis) {
    std::vector<std::size_t> order(bodies.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return middle(bodies[a].bounds)[axis] < middle(bodies[b].bounds)[axis];
    });
    return order;
}

} // namespace

std::vector<Vec3> aligned(std::span<const Arranged> bodies, std::size_t leader, int axis) {
    std::vector<Vec3> positions = positions_of(bodies);
    const float wanted = middle(bodies[leader].bounds)[axis];
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (i != leader) {
            positions[i][axis] += wanted - middle(bodies[i].bounds)[axis];
        }
    }
    return positions;
}

std::vector<Vec3> distributed(std::span<const Arranged> bodies, int axis) {
    std::vector<Vec3> positions = positions_of(bodies);
    if (bodies.size() < 3) {
        return positions;
    }
    const std::vector<std::size_t> order = in_order(bodies, axis);
    float room = bodies[order.back()].bounds.upper[axis] - bodies[order.front()].bounds.lower[axis];
    for (const Arranged& body : bodies) {
        room -= body.bounds.upper[axis] - body.bounds.lower[axis];
    }
    const float gap = room / static_cast<float>(bodies.size() - 1); // negative where they must overlap
    float next = bodies[order.front()].bounds.upper[axis] + gap;
    for (std::size_t k = 1; k + 1 < order.size(); ++k) {
        const physics::Aabb& box = bodies[order[k]].bounds;
        positions[order[k]][axis] += next - box.lower[axis];
        next += box.upper[axis] - box.lower[axis] + gap;
    }
    return positions;
}

std::vector<Vec3> stacked(std::span<const Arranged> bodies, std::size_t leader) {
    std::vector<Vec3> positions = positions_of(bodies);
    const Vec3 over = middle(bodies[leader].bounds);
    float top = bodies[leader].bounds.upper.z;
    for (const std::size_t i : in_order(bodies, 2)) {
        if (i == leader) {
            continue;
        }
        const physics::Aabb& box = bodies[i].bounds;
        const Vec3 from = middle(box);
        positions[i] += Vec3(over.x - from.x, over.y - from.y, top + hair - box.lower.z);
        top += hair + box.upper.z - box.lower.z;
    }
    return positions;
}

} // namespace cairn::ui
