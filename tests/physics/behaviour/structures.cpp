#include "tests/physics/behaviour/structures.h"

#include "physics/geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn::physics::testing {

namespace {

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

std::vector<BodyDef> tower(int boxes, float width) {
    std::vector<BodyDef> bodies;
    for (int i = 0; i < boxes; ++i) {
        bodies.push_back(solid(Box{Vec3(0.5f * width)}, Vec3(0, 0, width * (0.5f + static_cast<float>(i)))));
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

namespace {

std::vector<BodyDef> round_arch(int wedges, float inner, float outer, float half_depth) {
    const float span = std::numbers::pi_v<float> / static_cast<float>(wedges);
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

} // namespace

std::vector<BodyDef> arch(int wedges) {
    return round_arch(wedges, 4.0f, 5.0f, 0.5f);
}

std::vector<BodyDef> thin_arch(int wedges, float thickness, float friction) {
    constexpr float radius = 10.0f;
    std::vector<BodyDef> bodies =
        round_arch(wedges, radius * (1.0f - 0.5f * thickness), radius * (1.0f + 0.5f * thickness), 1.0f);
    for (BodyDef& def : bodies) {
        def.material.friction = friction;
    }
    return bodies;
}

std::vector<BodyDef> plank_tower(int storeys, float friction) {
    constexpr float width = 0.04f, length = 0.2f, height = 0.1f;
    std::vector<BodyDef> bodies;
    const auto plank = [&](const Vec3& half_extents, float x, float y, float z) {
        bodies.push_back(solid(Box{half_extents}, Vec3(x, y, z)));
        bodies.back().material.friction = friction;
    };
    for (int storey = 0; storey < storeys; ++storey) {
        const float floor = 2.0f * height * static_cast<float>(storey);
        for (int i = 0; i < 8; ++i) {
            plank(Vec3(0.5f * width, 0.6f * length, 0.5f * height), length * static_cast<float>(i), 0.0f,
                  floor + 0.5f * height);
        }
        const auto across = [&](float x, float side) { // from one upright plank to the next
            plank(Vec3(0.5f * length, 0.5f * width, 0.5f * height), length * (x + 0.5f), side * 0.5f * length,
                  floor + 1.5f * height);
        };
        for (const float x : {0.0f, 2.0f, 4.0f, 6.0f}) {
            across(x, -1.0f);
        }
        for (const float x : {0.0f, 1.0f, 3.0f, 5.0f, 6.0f}) {
            across(x, 1.0f);
        }
    }
    return bodies;
}

std::vector<BodyDef> overhang(int bricks, float share) {
    std::vector<BodyDef> bodies{solid(Box{Vec3(2, 1, 1)}, Vec3(-2, 0, 1))};
    bodies[0].type = BodyType::fixed;
    float end = 0.0f;
    for (int i = 0; i < bricks; ++i) {
        end += 0.5f * share / static_cast<float>(bricks - i);
        bodies.push_back(
            solid(Box{Vec3(0.5f, 0.25f, 0.125f)}, Vec3(end - 0.5f, 0, 2.125f + 0.25f * static_cast<float>(i))));
    }
    return bodies;
}

std::vector<BodyDef> loaded_tower(int boxes, float ratio) {
    std::vector<BodyDef> bodies = tower(boxes + 1);
    for (BodyDef& body : bodies) {
        body.density = 100.0f;
    }
    bodies.back().density *= ratio;
    return bodies;
}

std::vector<BodyDef> house_of_cards(int storeys) {
    constexpr float half_length = 0.9f, half_width = 0.6f, half_thickness = 0.02f,
                    lean = 15.0f * std::numbers::pi_v<float> / 180.0f;
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
