#include "tests/physics/behaviour/structures.h"

#include "physics/geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn::physics::testing {

namespace {

constexpr float pi = std::numbers::pi_v<float>;

BodyDef solid(Geometry geometry, const Vec3& position) {
    BodyDef def;
    def.shapes.push_back({std::move(geometry), {}});
    def.pose.position = position;
    def.material.friction = 0.6f;
    return def;
}

// A fixed sequence of orientations that repeats for no count in use.
Quat scattered_turn(int i) {
    const auto wave = [i](float rate, float phase) { return std::sin(rate * static_cast<float>(i) + phase); };
    return normalized(Quat(wave(5.1f, 1.9f), wave(1.1f, 0.1f), wave(2.3f, 0.7f), wave(3.7f, 1.3f)));
}

} // namespace

std::vector<BodyDef> tower(int boxes) {
    std::vector<BodyDef> bodies;
    for (int i = 0; i < boxes; ++i) {
        bodies.push_back(solid(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f + static_cast<float>(i))));
    }
    return bodies;
}

std::vector<BodyDef> flat_pyramid(int base) {
    std::vector<BodyDef> bodies;
    for (int row = 0; row < base; ++row) {
        for (int i = row; i < base; ++i) {
            const float x = 0.5f * static_cast<float>(row + 1 - base) + static_cast<float>(i - row);
            bodies.push_back(solid(Box{Vec3(0.5f)}, Vec3(x, 0, 0.5f + static_cast<float>(row))));
        }
    }
    return bodies;
}

std::vector<BodyDef> plain_wall(int columns, int rows) {
    std::vector<BodyDef> bodies;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const float x =
                static_cast<float>(column) - 0.5f * static_cast<float>(columns - 1) + (row % 2 == 1 ? 0.25f : 0.0f);
            bodies.push_back(solid(Box{Vec3(0.5f)}, Vec3(x, 0, 0.5f + static_cast<float>(row))));
        }
    }
    return bodies;
}

std::vector<BodyDef> crossed_beams(int layers) {
    std::vector<BodyDef> bodies;
    for (int layer = 0; layer < layers; ++layer) {
        for (const float side : {-2.0f, 2.0f}) {
            const bool along_x = layer % 2 == 0;
            const float z = 0.25f + 0.5f * static_cast<float>(layer);
            bodies.push_back(solid(Box{along_x ? Vec3(3, 0.25f, 0.25f) : Vec3(0.25f, 3, 0.25f)},
                                   along_x ? Vec3(0, side, z) : Vec3(side, 0, z)));
        }
    }
    return bodies;
}

std::vector<BodyDef> arch(int wedges) {
    constexpr float inner = 4.0f, outer = 5.0f, half_depth = 0.5f;
    const float span = pi / static_cast<float>(wedges);
    std::vector<BodyDef> bodies;
    for (int i = 0; i < wedges; ++i) {
        auto points = std::make_shared<std::vector<Vec3>>();
        Vec3 middle(0.0f);
        for (const float radius : {inner, outer}) {
            for (const int end : {i, i + 1}) {
                const float angle = span * static_cast<float>(end);
                for (const float y : {-half_depth, half_depth}) {
                    points->emplace_back(-radius * std::cos(angle), y, radius * std::sin(angle));
                    middle += points->back() / 8.0f;
                }
            }
        }
        // Authored about its middle, because build_shape says where the centroid lies in the author's coordinates.
        for (Vec3& p : *points) {
            p -= middle;
        }
        BodyDef def = solid(PointSet{points}, middle);
        const auto built = build_shape(def.shapes.front().geometry);
        def.pose.position += std::get<Shape>(built).author_offset;
        bodies.push_back(std::move(def));
    }
    return bodies;
}

std::vector<BodyDef> house_of_cards(int storeys) {
    constexpr float half_length = 0.9f, half_width = 0.6f, half_thickness = 0.02f, lean = 15.0f * pi / 180.0f;
    const float half_height = half_length * std::cos(lean) + half_thickness * std::sin(lean);
    const float offset = half_length * std::sin(lean) + half_thickness * std::cos(lean);
    const float pitch = 2.0f * half_length + 0.01f; // lying cards do not touch each other
    const Box upright{Vec3(half_thickness, half_width, half_length)};
    const Box lying{Vec3(half_length, half_width, half_thickness)};
    std::vector<BodyDef> bodies;
    float floor = 0.0f;
    for (int storey = 0; storey < storeys; ++storey) {
        const int pairs = storeys - storey;
        const float first = -0.5f * pitch * static_cast<float>(pairs - 1);
        for (int i = 0; i < pairs; ++i) {
            for (const float side : {-1.0f, 1.0f}) {
                BodyDef card =
                    solid(upright, Vec3(first + pitch * static_cast<float>(i) + side * offset, 0, floor + half_height));
                card.pose.orientation = glm::angleAxis(-side * lean, Vec3(0, 1, 0));
                bodies.push_back(std::move(card));
            }
        }
        floor += 2.0f * half_height;
        for (int i = 0; i + 1 < pairs; ++i) {
            bodies.push_back(
                solid(lying, Vec3(first + pitch * (static_cast<float>(i) + 0.5f), 0, floor + half_thickness)));
        }
        floor += 2.0f * half_thickness;
    }
    return bodies;
}

std::vector<BodyDef> loose_diamonds(int count) {
    std::vector<BodyDef> bodies;
    for (int i = 0; i < count; ++i) {
        const auto at = [](int cell) { return 1.6f * (static_cast<float>(cell) - 2.0f); };
        BodyDef gem = solid(Diamond{0.6f}, Vec3(at(i % 5), at(i / 5 % 5), 1.0f + 1.5f * static_cast<float>(i / 25)));
        gem.pose.orientation = scattered_turn(i);
        bodies.push_back(std::move(gem));
    }
    return bodies;
}

std::vector<BodyDef> pen() {
    std::vector<BodyDef> walls;
    for (const float side : {-5.5f, 5.5f}) {
        walls.push_back(solid(Box{Vec3(0.5f, 6, 2)}, Vec3(side, 0, 2)));
        walls.push_back(solid(Box{Vec3(5, 0.5f, 2)}, Vec3(0, side, 2)));
    }
    for (BodyDef& wall : walls) {
        wall.type = BodyType::fixed;
    }
    return walls;
}

Stand stand_of(const World& world, const std::vector<BodyId>& ids, const std::vector<BodyDef>& placed) {
    FrameState frame;
    world.publish(frame);
    Stand stand;
    stand.penetration = frame.stats.max_penetration;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const BodyState state = world.state(ids[i]).value_or(BodyState{});
        const Vec3 moved = state.pose.position - placed[i].pose.position;
        stand.drift = std::max(stand.drift, glm::length(Vec3(moved.x, moved.y, 0)));
        stand.sag = std::max(stand.sag, std::abs(moved.z));
        stand.speed = std::max(stand.speed, glm::length(state.linear_velocity));
    }
    return stand;
}

} // namespace cairn::physics::testing
