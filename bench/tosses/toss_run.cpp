#include "bench/tosses/toss_run.h"

#include "physics/world/world.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cairn::bench {

namespace {

using namespace physics;

BodyId create(World& world, BodyDef def) {
    const CommandResult result = world.apply(CreateBody{std::move(def)});
    if (!result.ok()) {
        throw std::runtime_error(result.error);
    }
    return result.created;
}

BodyDef board(const TossSetup& setup) {
    constexpr float reach = 50.0f; // m
    BodyDef def;
    def.name = "board";
    def.type = BodyType::fixed;
    def.shapes = {{Box{Vec3(reach, reach, 0.5f)}, {}}};
    def.pose.position = Vec3(0.0f, 0.0f, -0.5f);
    def.material.friction = setup.friction;
    def.material.restitution = setup.restitution;
    return def;
}

BodyDef cube(const TossSetup& setup, const TossRow& release) {
    BodyDef def;
    def.name = "cube";
    def.shapes = {{Box{Vec3(0.5f * setup.side)}, {}}};
    def.mass = setup.mass;
    def.inertia = Vec3(setup.inertia);
    def.material.friction = setup.friction;
    def.material.restitution = setup.restitution;
    def.pose = release.pose;
    def.linear_velocity = release.linear_velocity;
    def.angular_velocity = release.angular_velocity;
    return def;
}

} // namespace

std::vector<Toss> windows_of(const Toss& toss) {
    constexpr float rest = 0.15f; // m/s
    std::vector<Toss> windows;
    for (std::size_t first = 0; first + window_rows < toss.rows.size(); first += window_spacing) {
        if (glm::length(toss.rows[first].linear_velocity) < rest) {
            break;
        }
        const auto begin = toss.rows.begin() + static_cast<std::ptrdiff_t>(first);
        windows.push_back({toss.number, {begin, begin + static_cast<std::ptrdiff_t>(window_rows + 1)}});
    }
    return windows;
}

std::vector<TossRow> simulate(const Toss& toss, const TossSetup& setup) {
    World world(setup.settings);
    create(world, board(setup));
    const BodyId id = create(world, cube(setup, toss.rows.front()));
    std::vector<TossRow> rows;
    rows.reserve(toss.rows.size());
    rows.push_back(toss.rows.front());
    while (rows.size() < toss.rows.size()) {
        world.step();
        const BodyState state = *world.state(id);
        rows.push_back({state.pose, state.linear_velocity, state.angular_velocity});
    }
    return rows;
}

TossError error_between(const TossRow& recorded, const TossRow& simulated, double side) {
    TossError error;
    error.position = static_cast<double>(glm::length(simulated.pose.position - recorded.pose.position)) / side;
    // The vector part of the turn between both is sin(angle/2) long: exact for small angles, where the cosine is not.
    const glm::dquat turn =
        glm::dquat(simulated.pose.orientation) * glm::conjugate(glm::dquat(recorded.pose.orientation));
    const double sine = std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    error.rotation = glm::degrees(2.0 * std::atan2(sine, std::abs(turn.w)));
    return error;
}

TossError mean_error(std::span<const TossRow> recorded, std::span<const TossRow> simulated, double side) {
    TossError sum;
    for (std::size_t i = 1; i < recorded.size(); ++i) {
        const TossError error = error_between(recorded[i], simulated[i], side);
        sum.position += error.position;
        sum.rotation += error.rotation;
    }
    const double count = static_cast<double>(recorded.size() - 1);
    return {sum.position / count, sum.rotation / count};
}

Quartiles quartiles(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        const double place = share * static_cast<double>(values.size() - 1);
        const std::size_t below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
    };
    return {at(0.25), at(0.5), at(0.75)};
}

} // namespace cairn::bench
