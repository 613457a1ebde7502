// A body of a scene file, and its repeats.
#include "app/core/base/random.h"
#include "app/core/scene/parser/file_parser.h"
#include "app/core/scene/values/scene_keys.h"
#include "physics/world/parameters/validation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace cairn::core {

using physics::BodyDef;
using physics::BodyType;
using physics::Quat;
using physics::ShapeDef;
using physics::Vec3;

namespace {

// Uniform over all rotations (Marsaglia 1972: two points in the unit disc make a point on the 3-sphere), with + - * /
// and sqrt only, so that it is the same on every machine.
Quat random_orientation(Random& random) {
    const auto in_disc = [&random] {
        for (;;) {
            const float x = random.signed_unit();
            const float y = random.signed_unit();
            const float s = x * x + y * y;
            if (s < 1.0f && s > 1e-6f) {
                return Vec3(x, y, s);
            }
        }
    };
    const Vec3 a = in_disc();
    const Vec3 b = in_disc();
    const float scale = std::sqrt((1.0f - a.z) / b.z);
    return physics::normalized(Quat(a.x, a.y, b.x * scale, b.y * scale));
}

} // namespace

void FileParser::parse_parameter(const Node& node, const physics::BodyParameter& p, BodyDef& body) {
    with_value(p, body, [&]<typename Value>(Value& value) {
        if constexpr (std::is_same_v<Value, bool>) {
            value = read_boolean(document_, node, p.key);
        } else {
            value = read_number(document_, node, p.key, range_of(p));
        }
    });
}

void FileParser::make_room(std::size_t count, const Node& at) const {
    if (count > max_scene_bodies - reading_.bodies.size()) {
        document_.fail(at,
                       "more than " + std::to_string(max_scene_bodies) + " bodies in all, with repeats and includes");
    }
}

void FileParser::parse_body(const Node& node, bool may_repeat) {
    const ObjectReader reader(document_, node, "a body", body_keys);
    BodyDef body;
    reader.take("name", body.name, read_string);
    const Node* type = reader.find("type");
    if (type != nullptr) {
        const std::string word = read_string(document_, *type, "type");
        const auto found = std::ranges::find(body_types, word);
        if (found == body_types.end()) {
            document_.fail(*type, "unknown type " + in_quotes(word) + ";" + suggestion(word, body_types));
        }
        body.type = static_cast<BodyType>(found - body_types.begin());
    }
    reader.take("position", body.pose.position, read_vector, coordinate_range);
    reader.take("orientation", body.pose.orientation, read_orientation);
    const auto velocity = [&](std::string_view key, const Range& range, Vec3& target) {
        if (const Node* value = reader.find(key)) {
            target = read_vector(document_, *value, key, range);
            if (!(glm::length(target) <= range.max)) {
                document_.fail(*value, in_quotes(key) + " must be no longer than " + float_text(range.max) + " " +
                                           std::string(range.unit));
            }
            if (body.type == BodyType::fixed && target != Vec3(0.0f)) {
                document_.fail(*value,
                               "a static body has no velocity; make it kinematic or leave " + in_quotes(key) + " out");
            }
        }
    };
    velocity("linear_velocity", speed_range, body.linear_velocity);
    velocity("angular_velocity", spin_range, body.angular_velocity);

    const Node* mass = reader.find("mass");
    const Node* density = reader.find("density");
    if (mass != nullptr && density != nullptr) {
        document_.fail_at_key(mass->begin > density->begin ? *mass : *density,
                              "a body takes \"mass\" or \"density\", not both");
    }
    for (const physics::BodyParameter& p : physics::body_parameters) {
        if (const Node* value = reader.find(p.key)) {
            parse_parameter(*value, p, body);
        }
    }
    if (const Node* value = reader.find("inertia")) {
        body.inertia = read_vector(document_, *value, "inertia", inertia_range);
        if (const std::string problem = physics::problem_with_inertia(*body.inertia); !problem.empty()) {
            document_.fail(*value, problem);
        }
    }

    parse_filter(reader, body.filter);
    if (const Node* value = reader.find("lock")) {
        body.locks = parse_locks(*value);
    }
    reader.take("colour", body.colour, read_colour);

    const Node* shape = reader.find("shape");
    const Node* shapes = reader.find("shapes");
    const Node* decomposed = reader.find("decomposed");
    if (decomposed != nullptr && (shape != nullptr || shapes != nullptr)) {
        document_.fail_at_key(*decomposed, "a body takes \"decomposed\", or \"shape\" or \"shapes\", not both");
    }
    if (shape != nullptr && shapes != nullptr) {
        document_.fail_at_key(shape->begin > shapes->begin ? *shape : *shapes,
                              "a body takes \"shape\" or \"shapes\", not both");
    }
    if (shape == nullptr && shapes == nullptr && decomposed == nullptr) {
        document_.fail(node, "a body needs \"shape\", \"shapes\" or \"decomposed\"");
    }
    Quat turn = physics::identity_orientation;
    if (shape != nullptr) {
        shapes_.parse_shape(*shape, body.shapes.emplace_back());
    } else if (decomposed != nullptr) {
        turn = shapes_.take_decomposed(*decomposed, body);
    } else {
        expect_list(document_, *shapes, "shapes", "shapes with their places");
        if (shapes->child_count == 0 || shapes->child_count > max_shapes_per_body) {
            document_.fail(*shapes, shapes->child_count == 0
                                        ? "\"shapes\" is empty; a body needs at least one"
                                        : "a body takes at most " + std::to_string(max_shapes_per_body) + " shapes");
        }
        for (const Node* part : document_.children(*shapes)) {
            body.shapes.push_back(shapes_.parse_placed_shape(*part));
        }
    }

    const auto surface = std::ranges::find_if(body.shapes, [](const ShapeDef& part) {
        return std::holds_alternative<physics::Mesh>(part.geometry) ||
               std::holds_alternative<physics::HeightField>(part.geometry);
    });
    if (surface != body.shapes.end() && body.type != BodyType::fixed) {
        const bool field = std::holds_alternative<physics::HeightField>(surface->geometry);
        document_.fail(type != nullptr    ? *type
                       : shape != nullptr ? *shape
                                          : *shapes,
                       std::string(field ? "a height field" : "a mesh") +
                           " is a surface without a mass, for static bodies only; give the body "
                           "\"type\": \"static\", or a hull");
    }

    const bool only_sensors = std::ranges::all_of(body.shapes, &ShapeDef::sensor);
    if (only_sensors && body.type == BodyType::dynamic && mass == nullptr) {
        document_.fail(*shapes, "a dynamic body all of whose shapes are sensors has no mass of its own; give it "
                                "\"mass\", or another type");
    }

    if (const Node* value = reader.find("repeat")) {
        if (!may_repeat) {
            document_.fail_at_key(*value, "\"repeat\" makes more bodies and has no place here");
        }
        repeat(*value, body, turn);
    } else {
        make_room(1, node);
        reading_.bodies.push_back(std::move(body));
    }
}

void FileParser::parse_filter(const ObjectReader& reader, physics::CollisionFilter& filter) const {
    constexpr std::int64_t last = physics::CollisionFilter::groups - 1;
    if (const Node* value = reader.find("group")) {
        filter.group = static_cast<std::uint8_t>(read_integer(document_, *value, "group", 0, last));
    }
    if (const Node* value = reader.find("mask")) {
        expect_list(document_, *value, "mask", "the groups that the body collides with");
        filter.mask = 0;
        for (const Node* group : document_.children(*value)) {
            filter.mask |= 1u << read_integer(document_, *group, "mask", 0, last);
        }
    }
}

std::uint8_t FileParser::parse_locks(const Node& node) const {
    expect_list(document_, node, "lock", "the axes along or about which the body does not move");
    std::uint8_t locks = 0;
    for (const Node* axis : document_.children(node)) {
        const std::string name = read_string(document_, *axis, "lock");
        const auto found = std::ranges::find(axis_names, name);
        if (found == axis_names.end()) {
            document_.fail(*axis, "unknown axis " + in_quotes(name) + ";" + suggestion(name, axis_names));
        }
        locks = static_cast<std::uint8_t>(locks | 1u << (found - axis_names.begin()));
    }
    return locks;
}

// `turn`: from the frame that the file means to the body's.
void FileParser::repeat(const Node& node, const BodyDef& first, const Quat& turn) {
    const ObjectReader reader(document_, node, "\"repeat\"", repeat_keys);
    const Node& count = reader.require("count");
    const bool three = count.kind == NodeKind::array && count.child_count == 3;
    if (!three) {
        document_.fail(count, "\"count\" must be a list [nx, ny, nz] of three whole numbers, not " +
                                  (count.kind == NodeKind::array ? "one of " + std::to_string(count.child_count)
                                                                 : std::string(kind_name(count.kind))));
    }
    std::array<std::size_t, 3> n{};
    std::size_t total = 1;
    const Node* child = document_.first(count);
    for (std::size_t& along : n) {
        // Three numbers up to a million: the product fits 64 bits.
        along = static_cast<std::size_t>(
            read_integer(document_, *child, "count", 1, static_cast<std::int64_t>(max_scene_bodies)));
        total *= along;
        child = document_.next(*child);
    }
    make_room(total, count);

    Vec3 spacing(0.0f);
    if (const Node* value = reader.find("spacing")) {
        spacing = read_vector(document_, *value, "spacing", coordinate_range);
        for (int axis = 0; axis < 3; ++axis) {
            const float last =
                first.pose.position[axis] + static_cast<float>(n[static_cast<std::size_t>(axis)] - 1) * spacing[axis];
            if (!(std::abs(last) <= coordinate_range.max)) {
                document_.fail(*value, "the last repeated body would be farther than 1e6 m from the origin");
            }
        }
    } else if (total > 1) {
        reader.require("spacing");
    }
    Vec3 jitter(0.0f);
    if (const Node* value = reader.find("jitter")) {
        jitter = value->kind == NodeKind::array ? read_vector(document_, *value, "jitter", jitter_range)
                                                : Vec3(read_number(document_, *value, "jitter", jitter_range));
    }
    const Node* seed = reader.find("seed");
    const Node* spin_node = reader.find("spin");
    const bool spin = spin_node != nullptr && read_boolean(document_, *spin_node, "spin");
    Random random(seed == nullptr ? 0
                                  : static_cast<std::uint64_t>(read_integer(document_, *seed, "seed", 0, max_seed)));

    if (const std::size_t needed = reading_.bodies.size() + total; needed > reading_.bodies.capacity()) {
        reading_.bodies.reserve(std::max(needed, 2 * reading_.bodies.capacity()));
    }
    std::size_t index = 0;
    for (std::size_t z = 0; z < n[2]; ++z) {
        for (std::size_t y = 0; y < n[1]; ++y) {
            for (std::size_t x = 0; x < n[0]; ++x) {
                BodyDef& body = reading_.bodies.emplace_back(first);
                if (!body.name.empty()) {
                    body.name += '[' + std::to_string(index) + ']';
                }
                ++index;
                // Drawn one after the other: the order of evaluation inside an expression is the compiler's choice.
                Vec3 offset;
                for (int axis = 0; axis < 3; ++axis) {
                    offset[axis] = random.signed_unit() * jitter[axis];
                }
                const Vec3 cell(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
                body.pose.position = first.pose.position + cell * spacing + offset;
                if (spin) {
                    body.pose.orientation = turned_frame(random_orientation(random), turn);
                }
            }
        }
    }
}

} // namespace cairn::core
