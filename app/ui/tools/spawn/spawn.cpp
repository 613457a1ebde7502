#include "app/ui/tools/spawn/spawn.h"

#include "app/core/base/random.h"
#include "app/core/look/colour_text.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/text/frame_text.h"
#include "physics/geometry/mass_properties.h"
#include "physics/geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace cairn::ui {

using physics::Vec3;

namespace {

Vec3 random_direction(core::Random& random) {
    for (;;) {
        Vec3 v;
        for (int axis = 0; axis < 3; ++axis) {
            v[axis] = random.signed_unit();
        }
        const float length = glm::length(v);
        if (length > 0.1f && length <= 1.0f) {
            return v / length;
        }
    }
}

physics::ShapeDef placed(physics::Geometry geometry, const Vec3& position) {
    return {std::move(geometry), {position, physics::identity_orientation}};
}

physics::ShapeDef box(const Vec3& half, const Vec3& position = Vec3(0.0f)) {
    return placed(physics::Box{half}, position);
}

physics::ShapeDef pebble(const Vec3& size, std::uint32_t seed) {
    core::Random random(seed);
    Vec3 stretch(0.35f, 0.3f, 0.25f);
    for (const Vec3 range(0.15f, 0.2f, 0.15f); int axis : {0, 1, 2}) {
        stretch[axis] += range[axis] * random.unit();
    }
    auto points = std::make_shared<std::vector<Vec3>>();
    for (int i = 0; i < 18; ++i) {
        points->push_back(size * stretch * random_direction(random));
    }
    return placed(physics::PointSet{points}, Vec3(0.0f));
}

// Greatest distance of a point of the body from its centre of mass, m.
float reach_of(const std::vector<physics::ShapeDef>& shapes) {
    std::vector<physics::Shape> built;
    std::vector<physics::PlacedShape> parts;
    for (const physics::ShapeDef& def : shapes) {
        auto shape = physics::build_shape(def.geometry);
        if (auto* good = std::get_if<physics::Shape>(&shape)) {
            built.push_back(std::move(*good));
        }
    }
    if (built.size() != shapes.size()) {
        return 1.0f; // the world will reject the body and say why
    }
    for (std::size_t i = 0; i < built.size(); ++i) {
        parts.push_back({&built[i], shapes[i].pose});
    }
    const Vec3 centre = physics::mass_properties(parts, 1.0f).centre;
    float reach = 0.0f;
    for (const physics::PlacedShape& part : parts) {
        reach = std::max(reach, glm::length(part.pose.position - centre) + part.shape->bounding_radius);
    }
    return reach;
}

const SpawnShapeInfo& info(SpawnShape shape) {
    return spawn_shapes()[static_cast<std::size_t>(shape)];
}

} // namespace

const std::vector<SpawnShapeInfo>& spawn_shapes() {
    static const std::vector<SpawnShapeInfo> table = {
        {SpawnShape::sphere, "Sphere", "sphere", "diameter", {"Diameter", nullptr, nullptr}},
        {SpawnShape::box, "Box", "box", "length of an edge", {"Size X", "Size Y", "Size Z"}},
        {SpawnShape::beam, "Beam", "beam", "length; a twelfth as thick", {"Length", "Width", "Height"}},
        {SpawnShape::plate, "Plate", "plate", "width; a twelfth as thick", {"Size X", "Size Y", "Thickness"}},
        {SpawnShape::capsule, "Capsule", "capsule", "length; half as thick", {"Diameter", nullptr, "Length"}},
        {SpawnShape::cylinder, "Cylinder", "cylinder", "length and diameter", {"Diameter", nullptr, "Height"}},
        {SpawnShape::cone, "Cone", "cone", "height and diameter", {"Diameter", nullptr, "Height"}},
        {SpawnShape::diamond, "Diamond", "diamond", "width", {"Width", nullptr, nullptr}},
        {SpawnShape::pebble,
         "Pebble",
         "pebble",
         "about the diameter; each one differs",
         {"Size X", "Size Y", "Size Z"}},
        {SpawnShape::hammer, "Hammer", "hammer", "length", {"Length", "Head", "Thickness"}},
        {SpawnShape::table, "Table", "table", "width", {"Size X", "Size Y", "Height"}},
    };
    return table;
}

const std::vector<const char*>& spawn_shape_names() {
    static const std::vector<const char*> names = [] {
        std::vector<const char*> out;
        for (const SpawnShapeInfo& info : spawn_shapes()) {
            out.push_back(info.name);
        }
        return out;
    }();
    return names;
}

Vec3 spawn_extents(SpawnShape shape, float size) {
    switch (shape) {
    case SpawnShape::beam:
        return {size, size / 12.0f, size / 12.0f};
    case SpawnShape::plate:
        return {size, size, size / 12.0f};
    case SpawnShape::capsule:
        return {0.5f * size, 0.5f * size, size};
    case SpawnShape::diamond:
        return {size, size, 0.7f * size};
    case SpawnShape::hammer:
        return {size, 0.6f * size, 0.26f * size};
    case SpawnShape::table:
        return {size, size, 0.6f * size};
    default:
        return Vec3(size);
    }
}

std::vector<physics::ShapeDef> spawn_geometry(SpawnShape shape, const Vec3& extents, std::uint32_t seed) {
    const Vec3 half = 0.5f * extents;
    switch (shape) {
    case SpawnShape::sphere:
        return {placed(physics::Sphere{half.x}, Vec3(0.0f))};
    case SpawnShape::box:
    case SpawnShape::beam:
    case SpawnShape::plate:
        return {box(half)};
    case SpawnShape::capsule: // at the shortest nearly a ball
        return {placed(physics::Capsule{half.x, std::max(half.z - half.x, 0.001f * half.x)}, Vec3(0.0f))};
    case SpawnShape::cylinder:
        return {placed(physics::Cylinder{half.x, half.z}, Vec3(0.0f))};
    case SpawnShape::cone:
        return {placed(physics::Cone{half.x, extents.z}, Vec3(0.0f))};
    case SpawnShape::diamond: // scale 1 is 2 m wide
        return {placed(physics::Diamond{half.x}, Vec3(0.0f))};
    case SpawnShape::pebble:
        return {pebble(extents, seed)};
    case SpawnShape::hammer: {                              // a handle along X and a head across its end
        const Vec3 thin(0.0f, 0.14f / 0.6f, 0.14f / 0.26f); // the handle beside the head
        return {box({half.x, thin.y * half.y, thin.z * half.z}),
                box({0.13f * extents.x, half.y, half.z}, Vec3(0.37f * extents.x, 0.0f, 0.0f))};
    }
    case SpawnShape::table: { // the top takes a sixth of the height
        std::vector<physics::ShapeDef> parts = {
            box(Vec3(half.x, half.y, extents.z / 12.0f), Vec3(0.0f, 0.0f, 0.5f * extents.z))};
        for (const float x : {-0.43f, 0.43f}) {
            for (const float y : {-0.43f, 0.43f}) {
                parts.push_back(box(Vec3(0.05f * extents.x, 0.05f * extents.y, 5.0f / 12.0f * extents.z),
                                    extents * Vec3(x, y, 0.0f)));
            }
        }
        return parts;
    }
    }
    return {};
}

Vec3 place_in_heap(int i, int count) {
    const int side = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(count))));
    const int layer = i / (side * side), in_layer = i % (side * side);
    const int columns = std::min(side, count - layer * side * side);
    const int rows = (std::min(side * side, count - layer * side * side) + side - 1) / side;
    return {static_cast<float>(in_layer % side) - 0.5f * static_cast<float>(columns - 1),
            static_cast<float>(in_layer / side) - 0.5f * static_cast<float>(rows - 1), static_cast<float>(layer)};
}

void SpawnSettings::give_to(physics::BodyDef& body) const {
    body.density = density;
    body.material.restitution = restitution;
    body.material.friction = friction;
    body.colour = colour;
}

std::vector<physics::BodyDef> spawn_bodies(const SpawnSettings& settings, const Vec3& base) {
    std::vector<physics::BodyDef> bodies;
    const int count = std::max(settings.count, 1);
    core::Random random(settings.seed + 77u);
    float reach = 0.0f;
    const Vec3 extents = settings.by_axis ? settings.sizes : spawn_extents(settings.shape, settings.size);
    std::vector<std::vector<physics::ShapeDef>> shapes;
    for (int i = 0; i < count; ++i) {
        shapes.push_back(spawn_geometry(settings.shape, extents, settings.seed + static_cast<std::uint32_t>(i)));
        if (i == 0 || settings.shape == SpawnShape::pebble) { // the others are all alike
            reach = std::max(reach, reach_of(shapes.back()));
        }
    }
    const float spacing = 2.05f * reach;
    for (int i = 0; i < count; ++i) {
        physics::BodyDef body;
        body.name = info(settings.shape).body_name;
        body.shapes = std::move(shapes[static_cast<std::size_t>(i)]);
        body.pose.position = base + Vec3(0.0f, 0.0f, 1.02f * reach) + spacing * place_in_heap(i, count);
        if (settings.tumbled) {
            const float angle = 3.0f * random.unit();
            body.pose.orientation = physics::normalized(glm::angleAxis(angle, random_direction(random)));
        }
        body.linear_velocity = settings.velocity;
        settings.give_to(body);
        bodies.push_back(std::move(body));
    }
    return bodies;
}

physics::BodyDef thrown_ball(const SpawnSettings& settings, const physics::Ray& ray) {
    physics::BodyDef body;
    body.name = "ball";
    body.shapes = {placed(physics::Sphere{settings.ball_radius}, Vec3(0.0f))};
    body.pose.position = ray.origin + (0.5f + settings.ball_radius) * ray.direction;
    body.linear_velocity = settings.throw_speed * ray.direction;
    settings.give_to(body);
    return body;
}

void Spawning::remember(Context&, SettingsArchive& a) {
    SpawnSettings& s = settings;
    FrameList<std::string_view> shapes;
    int shape = 0;
    for (const SpawnShapeInfo& info : spawn_shapes()) {
        if (info.shape == s.shape) {
            shape = static_cast<int>(shapes.size());
        }
        shapes.emplace_back(info.body_name);
    }
    a.enter("spawn");
    a.word("shape", shape, shapes);
    s.shape = spawn_shapes()[static_cast<std::size_t>(shape)].shape;
    a.value("size", s.size, 0.01f, 100.0f);
    a.value("by_axis", s.by_axis);
    a.value("sizes", s.sizes, 0.01f, 100.0f);
    a.value("prototype", s.prototype);
    a.value("density", s.density, 0.1f, 1e5f);
    a.value("restitution", s.restitution, 0.0f, 1.0f);
    a.value("friction", s.friction, 0.0f, 100.0f);
    std::string colour = s.colour ? core::colour_text(*s.colour) : std::string(core::automatic_colour);
    a.value("colour", colour);
    s.colour = core::colour_of(colour); // any other text is automatic
    a.value("velocity", s.velocity, -1000.0f, 1000.0f);
    a.value("count", s.count, 1, 1000);
    a.value("tumbled", s.tumbled);
    a.value("at_cursor", s.at_cursor);
    a.value("height", s.height, 0.0f, 1000.0f);
    a.value("throw_speed", s.throw_speed, 0.1f, 1000.0f);
    a.leave();
}

} // namespace cairn::ui
