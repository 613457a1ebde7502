// The bodies that the Spawn panel and the ball thrown from the camera stand for. Pure.
#pragma once

#include "app/ui/context/parts.h"
#include "physics/query/ray_cast.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::ui {

enum class SpawnShape { sphere, box, beam, plate, capsule, cylinder, cone, diamond, pebble, hammer, table };

struct SpawnShapeInfo {
    SpawnShape shape;
    const char* name;        // on the panel
    const char* body_name;   // in the scene
    const char* description; // what "size" measures
    const char* sizes[3];    // names of its extents along X, Y and Z; none: the same as along X
};
const std::vector<SpawnShapeInfo>& spawn_shapes();
const std::vector<const char*>& spawn_shape_names(); // for people, in the same order

struct SpawnSettings {
    SpawnShape shape = SpawnShape::box;
    float size = 1.0f;         // m, see SpawnShapeInfo::description
    bool by_axis = false;      // `sizes` instead
    physics::Vec3 sizes{1.0f}; // m, extents along X, Y and Z
    std::string prototype;     // what is kept under that name instead of a shape; empty: the shape
    float density = 1000.0f;   // kg/m^3
    float restitution = 0.3f;  // 0..1
    float friction = 0.5f;
    std::optional<physics::Colour> colour; // none: automatic
    int count = 1;                         // 1..1000, of the shape or of what is kept
    physics::Vec3 velocity{0.0f};          // m/s
    bool tumbled = false;                  // turn each one at random
    bool at_cursor = false;                // else from above the point that the camera looks at
    float height = 6.0f;                   // m above that point
    float throw_speed = 30.0f;             // m/s, of the ball
    float ball_radius = 0.5f;              // m
    std::uint32_t seed = 1;                // changes with every use, so that pebbles differ

    void give_to(physics::BodyDef& body) const; // what it is made of

    friend bool operator==(const SpawnSettings&, const SpawnSettings&) = default;
};

class Widgets;

struct Spawning : Part {
    SpawnSettings settings;
    void remember(Context& ctx, SettingsArchive& archive) override;
};

// Extents of a shape of that size, m.
physics::Vec3 spawn_extents(SpawnShape shape, float size);
// Shapes of one body of the given extents; those that SpawnShapeInfo::sizes does not name are left alone.
std::vector<physics::ShapeDef> spawn_geometry(SpawnShape shape, const physics::Vec3& extents, std::uint32_t seed);
// Rows of a panel for the size, or the sizes. Their marks begin with `id`.
void spawn_size_rows(Widgets& w, SpawnSettings& settings, const char* id);

// Of `count` things in square layers, upwards and about the middle of the first: where the i-th is, in units of their
// distance.
physics::Vec3 place_in_heap(int i, int count);

// `settings.count` bodies that do not overlap each other, stacked in square layers upwards from `base`, their lowest
// points at base.z or above.
std::vector<physics::BodyDef> spawn_bodies(const SpawnSettings& settings, const physics::Vec3& base);

// A ball that leaves along `ray`, half a metre in front of the eye.
physics::BodyDef thrown_ball(const SpawnSettings& settings, const physics::Ray& ray);

// The choice of the shape or of what is kept; true if it is the latter.
bool shape_row(Context& ctx, const char* id, const char* help);
void spawn_panel(Context& ctx);

} // namespace cairn::ui
