#include "app/core/scene/scene_parser.h"

#include "app/core/base/random.h"
#include "app/core/base/text_file.h"
#include "app/core/base/user_folders.h"
#include "app/core/scene/decomposed_mesh.h"
#include "app/core/scene/height_image.h"
#include "app/core/scene/kept_decomposition.h"
#include "app/core/scene/mesh_points.h"
#include "app/core/scene/scene_expectations.h"
#include "app/core/scene/scene_joints.h"
#include "app/core/scene/scene_keys.h"
#include "app/core/scene/value_reader.h"
#include "physics/geometry/shape.h"
#include "physics/world/validation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace cairn::core {

namespace {

using physics::BodyDef;
using physics::BodyType;
using physics::Geometry;
using physics::PointSet;
using physics::Quat;
using physics::ShapeDef;
using physics::Vec3;

using Points = std::shared_ptr<const std::vector<Vec3>>;
using Surface = std::shared_ptr<const physics::MeshData>;
using Field = std::shared_ptr<const physics::HeightData>;

// What one reading shares between a file and the files that it includes.
struct Reading {
    // One copy of each mesh at each scale, however many bodies use it.
    std::map<std::pair<std::string, std::uint32_t>, Points> meshes;
    // Checked before: building a hull is the costly part of reading one.
    std::set<Points> good_hulls;
    std::map<std::tuple<std::string, std::uint32_t, bool>, Surface> surfaces; // of meshes: by file, scale and sides
    std::set<Surface> good_surfaces;
    std::map<std::tuple<std::string, float, float, float>, Field> fields; // by file, low, high and spacing
    std::set<Field> good_fields;
    // Of 1 kg/m^3, by mesh, concavity, most hulls and most vertices of each.
    std::map<std::tuple<Surface, double, std::size_t, std::size_t>, BodyDef> decomposed;
    std::unordered_set<float> good_diamonds;       // by scale
    std::vector<std::filesystem::path> open_files; // from the first file down to the present one
    std::size_t included_files = 0;
    std::vector<BodyDef> bodies;
    std::vector<physics::JointDef> joints;
    std::vector<std::filesystem::path>* files = nullptr; // that were named
    std::filesystem::path confined_to;                   // the folder that all files must lie in; empty: any
    bool expectations = true;

    bool may_read(const std::filesystem::path& canonical) const {
        return confined_to.empty() ||
               std::mismatch(confined_to.begin(), confined_to.end(), canonical.begin(), canonical.end()).first ==
                   confined_to.end();
    }
    void note_file(const std::filesystem::path& path) const {
        if (files != nullptr && std::find(files->begin(), files->end(), path) == files->end()) {
            files->push_back(path);
        }
    }
};

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

Quat turned_frame(const Quat& orientation, const Quat& turn) {
    return turn == physics::identity_orientation ? orientation : physics::normalized(orientation * turn);
}

class FileParser {
  public:
    FileParser(const Document& document, std::filesystem::path folder, Reading& reading)
        : document_(document), folder_(std::move(folder)), reading_(reading) {}

    // The header; bodies (of includes first) are appended to the reading's.
    Scene parse_scene();
    void parse_body(const Node& node, bool may_repeat);

  private:
    void parse_parameter(const Node& node, const physics::Parameter& p, physics::Settings& settings);
    void parse_parameter(const Node& node, const physics::BodyParameter& p, BodyDef& body);
    void parse_parameters(const ObjectReader& object, std::string_view section, physics::Settings& settings);
    void parse_point_sets(const Node& node);
    void parse_includes(const Node& node);
    void include(const Node& node);
    Expectation::Reference read_reference(const Node& node);
    void repeat(const Node& node, const BodyDef& first, const Quat& turn);
    void parse_filter(const ObjectReader& reader, physics::CollisionFilter& filter) const;
    std::uint8_t parse_locks(const Node& node) const;
    void make_room(std::size_t count, const Node& at) const;

    ShapeDef parse_placed_shape(const Node& node);
    Geometry parse_geometry(const Node& node);
    PointSet parse_hull(const Node& node);
    Points parse_points(const Node& node, float scale, std::string_view what = "points");
    Points load_mesh(const Node& node, float scale);
    physics::Mesh parse_mesh(const Node& node);
    physics::HeightField parse_heightfield(const Node& node);
    std::shared_ptr<physics::HeightData> parse_heights(const Node& node);
    Surface parse_surface(const ObjectReader& reader, float scale, bool two_sided);
    const Node* find_surface(const ObjectReader& reader, const Node& node) const;
    Surface load_surface(const Node& file, float scale, bool two_sided);
    const BodyDef& parse_decomposed(const Node& node);
    Quat take_decomposed(const Node& node, BodyDef& body);
    std::pair<std::filesystem::path, std::string> find_mesh(const Node& node, std::string_view key);
    std::pair<std::filesystem::path, std::string> find_file(const Node& node, std::string_view key,
                                                            std::string_view ending, std::string_view what);
    void check_shape(const Geometry& geometry, const Node& at) const;

    float number(const Node& node, std::string_view what, const Range& range) const {
        return read_number(document_, node, what, range);
    }

    const Document& document_;
    std::filesystem::path folder_;
    Reading& reading_;
    struct PointList {
        const Node* node = nullptr;
        std::map<std::uint32_t, Points> by_scale;
    };
    std::map<std::string, PointList, std::less<>> point_sets_;
};

Scene FileParser::parse_scene() {
    const ObjectReader top(document_, document_.root(), "the scene", scene_keys);
    const std::size_t first_body = reading_.bodies.size(), first_joint = reading_.joints.size();
    const Node& version = top.require("cairn");
    if (version.kind != NodeKind::number || !version.is_integer || version.integer != scene_version) {
        document_.fail(version, "\"cairn\" is the version of the format; this program reads version " +
                                    std::to_string(scene_version));
    }
    Scene scene;
    if (const Node* node = top.find("$schema")) {
        read_string(document_, *node, "$schema");
    }
    if (const Node* node = top.find("name")) {
        scene.name = read_string(document_, *node, "name");
    }
    if (const Node* node = top.find("description")) {
        scene.description = read_string(document_, *node, "description");
    }
    parse_parameters(top, "", scene.settings);
    if (const Node* node = top.find("step")) {
        parse_parameters(ObjectReader(document_, *node, "\"step\"", step_keys), "step", scene.settings);
    }
    if (const Node* node = top.find("solver")) {
        parse_parameters(ObjectReader(document_, *node, "\"solver\"", solver_keys), "solver", scene.settings);
    }
    if (const Node* node = top.find("camera")) {
        const ObjectReader camera(document_, *node, "\"camera\"", camera_keys);
        if (const Node* eye = camera.find("eye")) {
            scene.camera.eye = read_vector(document_, *eye, "eye", coordinate_range);
        }
        if (const Node* target = camera.find("target")) {
            scene.camera.target = read_vector(document_, *target, "target", coordinate_range);
        }
        if (scene.camera.eye == scene.camera.target) {
            document_.fail(*node, "the camera's eye and target are the same point");
        }
    }
    if (const Node* node = top.find("point_sets")) {
        parse_point_sets(*node);
    }
    if (const Node* node = top.find("include")) {
        parse_includes(*node);
    }
    if (const Node* node = top.find("bodies")) {
        expect_list(document_, *node, "bodies", "bodies");
        for (const Node* body = document_.first(*node); body != nullptr; body = document_.next(*body)) {
            parse_body(*body, true);
        }
    }
    if (const Node* node = top.find("joints")) {
        expect_list(document_, *node, "joints", "joints");
        if (node->child_count > max_scene_joints - reading_.joints.size()) {
            document_.fail(*node, "more than " + std::to_string(max_scene_joints) + " joints in all, with includes");
        }
        JointReader reader(document_, reading_.bodies, first_body);
        for (const Node* joint = document_.first(*node); joint != nullptr; joint = document_.next(*joint)) {
            reading_.joints.push_back(reader.read(*joint));
        }
    }
    if (const Node* node = top.find("zones")) {
        read_zones(document_, *node, scene);
    }
    if (const Node* node = top.find("show")) {
        scene.show = read_show(document_, *node, reading_.bodies);
    }
    if (const Node* node = top.find("expect"); node != nullptr && reading_.expectations) {
        read_expectations(
            document_, *node, reading_.bodies, first_body, reading_.joints, first_joint,
            [this](const Node& file) { return read_reference(file); }, scene);
    }
    return scene;
}

void FileParser::parse_parameter(const Node& node, const physics::Parameter& p, physics::Settings& settings) {
    struct Read {
        const Document& document;
        const Node& node;
        const physics::Parameter& p;
        physics::Settings& settings;

        void operator()(bool physics::Settings::*member) const {
            settings.*member = read_boolean(document, node, p.key);
        }
        void operator()(int physics::Settings::*member) const {
            settings.*member = static_cast<int>(read_integer(document, node, p.key, static_cast<std::int64_t>(p.least),
                                                             static_cast<std::int64_t>(p.greatest)));
        }
        void operator()(float physics::Settings::*member) const {
            settings.*member = read_number(document, node, p.key, range_of(p));
        }
        void operator()(physics::Vec3 physics::Settings::*member) const {
            settings.*member = read_vector(document, node, p.key, range_of(p));
        }
    };
    std::visit(Read{document_, node, p, settings}, p.member);
}

void FileParser::parse_parameter(const Node& node, const physics::BodyParameter& p, BodyDef& body) {
    struct Read {
        const Document& document;
        const Node& node;
        const physics::BodyParameter& p;
        BodyDef& body;

        void operator()(bool BodyDef::*member) const { body.*member = read_boolean(document, node, p.key); }
        void operator()(float physics::Material::*member) const { body.material.*member = number(); }
        void operator()(float BodyDef::*member) const { body.*member = number(); }
        void operator()(std::optional<float> BodyDef::*member) const { body.*member = number(); }
        float number() const { return read_number(document, node, p.key, range_of(p)); }
    };
    std::visit(Read{document_, node, p, body}, p.member);
}

void FileParser::parse_parameters(const ObjectReader& object, std::string_view section, physics::Settings& settings) {
    for (const physics::Parameter& p : physics::parameters) {
        if (p.section != section) {
            continue;
        }
        if (const Node* value = object.find(p.key)) {
            parse_parameter(*value, p, settings);
        }
    }
}

void FileParser::parse_point_sets(const Node& node) {
    if (node.kind != NodeKind::object) {
        document_.fail(node, "\"point_sets\" must be an object of named lists of points, not " +
                                 std::string(kind_name(node.kind)));
    }
    for (const Node* set = document_.first(node); set != nullptr; set = document_.next(*set)) {
        expect_list(document_, *set, set->key, "points [x, y, z]");
        if (!point_sets_.try_emplace(std::string(set->key), PointList{set, {}}).second) {
            document_.fail_at_key(*set, "the point set " + in_quotes(set->key) + " is given twice");
        }
        if (set->kind == NodeKind::array && set->child_count < min_hull_points) {
            document_.fail(*set, "a hull needs at least " + std::to_string(min_hull_points) + " points, not " +
                                     std::to_string(set->child_count));
        }
        // Read even where no body uses it, so that a mistake shows where it is made.
        point_sets_[std::string(set->key)].by_scale[std::bit_cast<std::uint32_t>(1.0f)] = parse_points(*set, 1.0f);
    }
}

void FileParser::parse_includes(const Node& node) {
    expect_list(document_, node, "include", "file names");
    for (const Node* file = document_.first(node); file != nullptr; file = document_.next(*file)) {
        include(*file);
    }
}

void FileParser::include(const Node& node) {
    const std::string name = read_string(document_, node, "include");
    if (name.empty()) {
        document_.fail(node, "\"include\" takes file names, not an empty string");
    }
    const std::filesystem::path path = (folder_ / name).lexically_normal();
    reading_.note_file(path);
    std::error_code error;
    const std::filesystem::path canonical = std::filesystem::canonical(path, error);
    if (error) {
        document_.fail(node, "the included file " + in_quotes(path.string()) + " cannot be found: " + error.message());
    }
    if (!reading_.may_read(canonical)) {
        document_.fail(node, "the included file " + in_quotes(path.string()) +
                                 " lies outside the scene's folder, to which the reading is confined");
    }
    if (std::find(reading_.open_files.begin(), reading_.open_files.end(), canonical) != reading_.open_files.end()) {
        std::string chain;
        for (const std::filesystem::path& open : reading_.open_files) {
            chain += open.filename().string() + " -> ";
        }
        document_.fail(node, "the file includes itself: " + chain + canonical.filename().string());
    }
    if (reading_.open_files.size() >= max_include_depth) {
        document_.fail(node, "includes are nested more than " + std::to_string(max_include_depth) + " deep");
    }
    if (++reading_.included_files > max_included_files) {
        document_.fail(node, "more than " + std::to_string(max_included_files) + " files are included");
    }
    std::string text;
    try {
        text = read_whole_file(path);
    } catch (const InputError& problem) {
        document_.fail(node, "the included file " + in_quotes(path.string()) + " " + problem.message());
    }
    const Document included(text, path.string());
    reading_.open_files.push_back(canonical);
    FileParser(included, path.parent_path(), reading_).parse_scene();
    reading_.open_files.pop_back();
}

// What is expected of that scene is of no account here, and so two scenes may name each other.
Expectation::Reference FileParser::read_reference(const Node& node) {
    constexpr std::string_view builtin = "builtin:";
    Expectation::Reference reference{read_string(document_, node, "of")};
    std::error_code error;
    std::filesystem::path path = (folder_ / reference.file).lexically_normal();
    try {
        if (reference.file.starts_with(builtin)) {
            path = builtin_scene(reference.file.substr(builtin.size()));
        } else {
            reading_.note_file(path);
            const std::filesystem::path canonical = std::filesystem::canonical(path, error);
            if (!error && !reading_.may_read(canonical)) {
                throw InputError("lies outside the scene's folder, to which the reading is confined");
            }
        }
        reference.path = std::filesystem::absolute(path).string();
        reference.scene = std::make_shared<const Scene>(read_scene(path, {!reading_.confined_to.empty(), false}));
    } catch (const InputError& problem) {
        document_.fail(node, "the scene " + in_quotes(reference.file) + " cannot be compared with: " + problem.what());
    }
    return reference;
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
    if (const Node* value = reader.find("name")) {
        body.name = read_string(document_, *value, "name");
    }
    const Node* type = reader.find("type");
    if (type != nullptr) {
        const std::string word = read_string(document_, *type, "type");
        const auto found = std::find(body_types.begin(), body_types.end(), word);
        if (found == body_types.end()) {
            document_.fail(*type, "unknown type " + in_quotes(word) + ";" + suggestion(word, body_types));
        }
        body.type = static_cast<BodyType>(found - body_types.begin());
    }
    if (const Node* value = reader.find("position")) {
        body.pose.position = read_vector(document_, *value, "position", coordinate_range);
    }
    if (const Node* value = reader.find("orientation")) {
        body.pose.orientation = read_orientation(document_, *value, "orientation");
    }
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
        body.shapes.push_back({parse_geometry(*shape), {}});
    } else if (decomposed != nullptr) {
        turn = take_decomposed(*decomposed, body);
    } else {
        expect_list(document_, *shapes, "shapes", "shapes with their places");
        if (shapes->child_count == 0 || shapes->child_count > max_shapes_per_body) {
            document_.fail(*shapes, shapes->child_count == 0
                                        ? "\"shapes\" is empty; a body needs at least one"
                                        : "a body takes at most " + std::to_string(max_shapes_per_body) + " shapes");
        }
        for (const Node* part = document_.first(*shapes); part != nullptr; part = document_.next(*part)) {
            body.shapes.push_back(parse_placed_shape(*part));
        }
    }

    const auto surface = std::find_if(body.shapes.begin(), body.shapes.end(), [](const ShapeDef& part) {
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
        for (const Node* group = document_.first(*value); group != nullptr; group = document_.next(*group)) {
            filter.mask |= 1u << read_integer(document_, *group, "mask", 0, last);
        }
    }
}

std::uint8_t FileParser::parse_locks(const Node& node) const {
    expect_list(document_, node, "lock", "the axes along or about which the body does not move");
    std::uint8_t locks = 0;
    for (const Node* axis = document_.first(node); axis != nullptr; axis = document_.next(*axis)) {
        const std::string name = read_string(document_, *axis, "lock");
        const auto found = std::find(axis_names.begin(), axis_names.end(), name);
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
                                                : Vec3(number(*value, "jitter", jitter_range));
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

ShapeDef FileParser::parse_placed_shape(const Node& node) {
    const ObjectReader reader(document_, node, "an entry of \"shapes\"", placed_shape_keys);
    ShapeDef shape;
    shape.geometry = parse_geometry(reader.require("shape"));
    if (const Node* value = reader.find("position")) {
        shape.pose.position = read_vector(document_, *value, "position", coordinate_range);
    }
    if (const Node* value = reader.find("orientation")) {
        shape.pose.orientation = read_orientation(document_, *value, "orientation");
    }
    return shape;
}

Geometry FileParser::parse_geometry(const Node& node) {
    if (node.kind != NodeKind::object) {
        document_.fail(node, "\"shape\" must be an object like {\"sphere\": {\"radius\": 0.5}}, not " +
                                 std::string(kind_name(node.kind)));
    }
    const Node* kind = document_.first(node);
    if (kind == nullptr) {
        document_.fail(node, "\"shape\" is empty;" + suggestion("", shape_kinds));
    }
    if (std::find(shape_kinds.begin(), shape_kinds.end(), kind->key) == shape_kinds.end()) {
        document_.fail_at_key(*kind,
                              "unknown shape " + in_quotes(kind->key) + ";" + suggestion(kind->key, shape_kinds));
    }
    if (const Node* second = document_.next(*kind)) {
        document_.fail_at_key(*second, "a shape is of one kind; use \"shapes\" for a body made of several");
    }
    const std::string what = in_quotes(kind->key);
    const auto size = [&](const ObjectReader& reader, std::string_view key) {
        return number(reader.require(key), key, size_range);
    };
    Geometry geometry;
    if (kind->key == "sphere") {
        const ObjectReader reader(document_, *kind, what, sphere_keys);
        geometry = physics::Sphere{size(reader, "radius")};
    } else if (kind->key == "box") {
        const ObjectReader reader(document_, *kind, what, box_keys);
        geometry = physics::Box{read_vector(document_, reader.require("half_extents"), "half_extents", size_range)};
    } else if (kind->key == "capsule") {
        const ObjectReader reader(document_, *kind, what, capsule_keys);
        geometry = physics::Capsule{size(reader, "radius"), size(reader, "half_height")};
    } else if (kind->key == "cylinder") {
        const ObjectReader reader(document_, *kind, what, cylinder_keys);
        geometry = physics::Cylinder{size(reader, "radius"), size(reader, "half_height")};
    } else if (kind->key == "cone") {
        const ObjectReader reader(document_, *kind, what, cone_keys);
        geometry = physics::Cone{size(reader, "radius"), size(reader, "height")};
    } else if (kind->key == "diamond") {
        const ObjectReader reader(document_, *kind, what, diamond_keys);
        const Node* scale = reader.find("scale");
        geometry = physics::Diamond{scale == nullptr ? 1.0f : number(*scale, "scale", size_range)};
    } else if (kind->key == "mesh") {
        geometry = parse_mesh(*kind);
    } else if (kind->key == "heightfield") {
        geometry = parse_heightfield(*kind);
    } else {
        geometry = parse_hull(*kind);
    }
    check_shape(geometry, *kind);
    return geometry;
}

PointSet FileParser::parse_hull(const Node& node) {
    const ObjectReader reader(document_, node, "\"hull\"", hull_keys);
    const Node* points = reader.find("points");
    const Node* mesh = reader.find("mesh");
    if ((points == nullptr) == (mesh == nullptr)) {
        document_.fail(node, points == nullptr ? "\"hull\" needs \"points\" or \"mesh\""
                                               : "\"hull\" takes \"points\" or \"mesh\", not both");
    }
    const Node* scale_node = reader.find("scale");
    const float scale = scale_node == nullptr ? 1.0f : number(*scale_node, "scale", mesh_scale_range);
    if (mesh != nullptr) {
        return {load_mesh(*mesh, scale)};
    }
    if (points->kind != NodeKind::string) {
        return {parse_points(*points, scale)};
    }
    const auto found = point_sets_.find(points->string);
    if (found == point_sets_.end()) {
        document_.fail(*points, "there is no point set " + in_quotes(points->string) + " in \"point_sets\"");
    }
    Points& shared = found->second.by_scale[std::bit_cast<std::uint32_t>(scale)];
    if (shared == nullptr) {
        shared = parse_points(*found->second.node, scale);
    }
    return {shared};
}

Points FileParser::parse_points(const Node& node, float scale, std::string_view what) {
    expect_list(document_, node, what, "points [x, y, z]");
    if (node.child_count > max_hull_points) {
        document_.fail(node, "more than " + std::to_string(max_hull_points) + " points");
    }
    auto points = std::make_shared<std::vector<Vec3>>();
    points->reserve(node.child_count);
    for (const Node* point = document_.first(node); point != nullptr; point = document_.next(*point)) {
        points->push_back(read_vector(document_, *point, what, coordinate_range) * scale);
    }
    return points;
}

// The file that is named, and its name for all that name it differently.
std::pair<std::filesystem::path, std::string> FileParser::find_mesh(const Node& node, std::string_view key) {
    return find_file(node, key, ".obj", "mesh");
}

std::pair<std::filesystem::path, std::string> FileParser::find_file(const Node& node, std::string_view key,
                                                                    std::string_view ending, std::string_view what) {
    const std::string name = read_string(document_, node, key), kind(what);
    const std::filesystem::path path = (folder_ / name).lexically_normal();
    std::string upper(ending);
    std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return c >= 'a' ? char(c - 32) : c; });
    if (path.extension() != ending && path.extension() != upper) {
        document_.fail(node, "a " + kind + " is " + (ending == ".obj" ? "an " : "a ") + std::string(ending) +
                                 " file, not " + in_quotes(name));
    }
    reading_.note_file(path);
    std::error_code error;
    const std::filesystem::path canonical = std::filesystem::canonical(path, error);
    if (error) {
        document_.fail(node, "the " + kind + ' ' + in_quotes(path.string()) + " cannot be found: " + error.message());
    }
    if (!reading_.may_read(canonical)) {
        document_.fail(node, "the " + kind + ' ' + in_quotes(path.string()) +
                                 " lies outside the scene's folder, to which the reading is confined");
    }
    return {path, canonical.string()};
}

Points FileParser::load_mesh(const Node& node, float scale) {
    const auto [path, canonical] = find_mesh(node, "mesh");
    Points& shared = reading_.meshes[{canonical, std::bit_cast<std::uint32_t>(scale)}];
    if (shared == nullptr) {
        std::vector<Vec3> points = read_mesh_points(path);
        for (Vec3& point : points) {
            point *= scale;
        }
        shared = std::make_shared<const std::vector<Vec3>>(std::move(points));
    }
    return shared;
}

physics::Mesh FileParser::parse_mesh(const Node& node) {
    const ObjectReader reader(document_, node, "\"mesh\"", mesh_keys);
    const Node* sides = reader.find("two_sided");
    const bool two_sided = sides != nullptr && read_boolean(document_, *sides, "two_sided");
    const Node* scale_node = reader.find("scale");
    const float scale = scale_node == nullptr ? 1.0f : number(*scale_node, "scale", mesh_scale_range);
    const Node* file = find_surface(reader, node);
    return {file == nullptr ? parse_surface(reader, scale, two_sided) : load_surface(*file, scale, two_sided)};
}

// Of what the surface is: the file, or none for lists.
const Node* FileParser::find_surface(const ObjectReader& reader, const Node& node) const {
    const Node* file = reader.find("file");
    const bool listed = reader.find("vertices") != nullptr || reader.find("triangles") != nullptr;
    if ((file != nullptr) == listed) {
        document_.fail(node,
                       in_quotes(node.key) + (listed ? " takes a \"file\" or \"vertices\" and \"triangles\", not both"
                                                     : " needs a \"file\" or \"vertices\" and \"triangles\""));
    }
    return file;
}

Surface FileParser::load_surface(const Node& file, float scale, bool two_sided) {
    const auto [path, canonical] = find_mesh(file, "file");
    Surface& shared = reading_.surfaces[{canonical, std::bit_cast<std::uint32_t>(scale), two_sided}];
    if (shared == nullptr) {
        physics::MeshData data = read_mesh(path);
        for (Vec3& vertex : data.vertices) {
            vertex *= scale;
        }
        data.two_sided = two_sided;
        shared = std::make_shared<const physics::MeshData>(std::move(data));
    }
    return shared;
}

// The hulls of a mesh as a body of 1 kg/m^3.
const BodyDef& FileParser::parse_decomposed(const Node& node) {
    const ObjectReader reader(document_, node, "\"decomposed\"", decomposed_keys);
    const Node* scale_node = reader.find("scale");
    const float scale = scale_node == nullptr ? 1.0f : number(*scale_node, "scale", mesh_scale_range);
    physics::DecompositionSettings settings;
    if (const Node* value = reader.find("concavity")) {
        settings.concavity = static_cast<double>(number(*value, "concavity", concavity_range));
    }
    settings.max_hulls = static_cast<std::size_t>(max_decomposed_hulls);
    if (const Node* value = reader.find("max_hulls")) {
        settings.max_hulls =
            static_cast<std::size_t>(read_integer(document_, *value, "max_hulls", 1, max_decomposed_hulls));
    }
    if (const Node* value = reader.find("max_vertices")) {
        settings.max_vertices = static_cast<std::size_t>(
            read_integer(document_, *value, "max_vertices", min_decomposed_vertices, max_decomposed_vertices));
    }
    const Node* file = find_surface(reader, node);
    const Surface mesh = file == nullptr ? parse_surface(reader, scale, false) : load_surface(*file, scale, false);
    BodyDef& body = reading_.decomposed[{mesh, settings.concavity, *settings.max_hulls, settings.max_vertices}];
    if (!body.shapes.empty()) {
        return body;
    }
    if (mesh->triangles.size() > max_decomposed_triangles) {
        document_.fail(node, "a mesh of " + std::to_string(mesh->triangles.size()) + " triangles, of which at most " +
                                 std::to_string(max_decomposed_triangles) +
                                 " are decomposed when a scene is read; simplify it, or use `cairn decompose`");
    }
    const auto answer = kept_decomposition(*mesh, settings, cache_folder());
    if (const auto* error = std::get_if<physics::MeshError>(&answer)) {
        document_.fail(node, "\"decomposed\" is not a usable mesh: " + error->reason);
    }
    BodyDef made = core::body_of(std::get<physics::Decomposition>(answer), 1.0f);
    for (const ShapeDef& hull : made.shapes) {
        check_shape(hull.geometry, node);
    }
    return body = std::move(made);
}

// Gives the body the hulls, and of a closed mesh mass and inertia where the file states none. Returns what turns the
// axes that the file means into the body's own, which are the mesh's principal axes then.
Quat FileParser::take_decomposed(const Node& node, BodyDef& body) {
    const BodyDef& from = parse_decomposed(node);
    body.shapes = from.shapes;
    if (from.mass && body.type == BodyType::dynamic) {
        const float scale = body.mass ? *body.mass / *from.mass : body.density;
        if (!body.mass) {
            body.mass = body.density * *from.mass;
            body.density = BodyDef().density;
        }
        const physics::BodyParameter* range = physics::find_body_parameter("mass");
        if (!(*body.mass >= range->least && *body.mass <= range->greatest)) {
            document_.fail(node, "the mesh has a mass of " + float_text(*body.mass) +
                                     " kg, which no body can have; give the body \"mass\" or another \"density\"");
        }
        if (!body.inertia && from.inertia && physics::problem_with_inertia(scale * *from.inertia).empty()) {
            body.inertia = scale * *from.inertia;
            body.pose.orientation = turned_frame(body.pose.orientation, from.pose.orientation);
            return from.pose.orientation;
        }
    }
    for (ShapeDef& shape : body.shapes) {
        shape.pose.orientation = physics::identity_orientation;
    }
    return physics::identity_orientation;
}

Surface FileParser::parse_surface(const ObjectReader& reader, float scale, bool two_sided) {
    auto data = std::make_shared<physics::MeshData>();
    data->two_sided = two_sided;
    data->vertices = *parse_points(reader.require("vertices"), scale, "vertices");
    const Node& triangles = reader.require("triangles");
    expect_list(document_, triangles, "triangles", "triangles [a, b, c]");
    if (triangles.child_count > physics::max_mesh_triangles) {
        document_.fail(triangles, "more than " + std::to_string(physics::max_mesh_triangles) + " triangles");
    }
    data->triangles.reserve(triangles.child_count);
    for (const Node* triangle = document_.first(triangles); triangle != nullptr; triangle = document_.next(*triangle)) {
        expect_list(document_, *triangle, "triangles", "three places in \"vertices\"");
        if (triangle->child_count != 3) {
            document_.fail(*triangle, "a triangle has three corners, not " + std::to_string(triangle->child_count));
        }
        auto& corners = data->triangles.emplace_back();
        std::size_t k = 0;
        for (const Node* corner = document_.first(*triangle); corner != nullptr; corner = document_.next(*corner)) {
            const auto place = static_cast<std::size_t>(
                read_integer(document_, *corner, "triangles", 0, static_cast<std::int64_t>(max_hull_points)));
            if (place >= data->vertices.size()) {
                document_.fail(*corner, "there is no vertex " + std::to_string(place) + "; \"vertices\" has " +
                                            std::to_string(data->vertices.size()) + ", and the first is 0");
            }
            corners[k++] = static_cast<std::uint32_t>(place);
        }
    }
    return data;
}

physics::HeightField FileParser::parse_heightfield(const Node& node) {
    const ObjectReader reader(document_, node, "\"heightfield\"", heightfield_keys);
    const Node *file = reader.find("file"), *heights = reader.find("heights"), *holes = reader.find("holes");
    const Node *low = reader.find("low"), *high = reader.find("high"), *spacing_node = reader.find("spacing");
    if ((file != nullptr) == (heights != nullptr)) {
        document_.fail(node, file == nullptr ? "\"heightfield\" needs a \"file\" or \"heights\""
                                             : "\"heightfield\" takes a \"file\" or \"heights\", not both");
    }
    const float spacing = spacing_node == nullptr ? 1.0f : number(*spacing_node, "spacing", size_range);
    std::shared_ptr<physics::HeightData> data;
    const float from = low == nullptr ? 0.0f : number(*low, "low", height_range);
    const float to = high == nullptr ? 0.0f : number(*high, "high", height_range);
    if (heights != nullptr) {
        for (const Node* end : {low, high}) {
            if (end != nullptr) {
                document_.fail_at_key(*end, in_quotes(end->key) + " is for pictures; \"heights\" are in metres");
            }
        }
        data = parse_heights(*heights);
    } else {
        reader.require("low");
        reader.require("high");
        const auto [path, canonical] = find_file(*file, "file", ".png", "height field");
        Field& shared = reading_.fields[{canonical, from, to, spacing}];
        if (shared == nullptr) {
            data = std::make_shared<physics::HeightData>(read_height_image(path, from, to));
            data->spacing = spacing;
            shared = data;
        }
        if (holes == nullptr) {
            return {shared};
        }
        data = std::make_shared<physics::HeightData>(*shared);
    }
    data->spacing = spacing;
    if (holes != nullptr) {
        expect_list(document_, *holes, "holes", "cells [i, j]");
        for (const Node* cell = document_.first(*holes); cell != nullptr; cell = document_.next(*cell)) {
            expect_list(document_, *cell, "holes", "two places");
            if (cell->child_count != 2) {
                document_.fail(*cell,
                               "a cell is a list of two places [i, j], not of " + std::to_string(cell->child_count));
            }
            const Node& first = *document_.first(*cell);
            const auto i = read_integer(document_, first, "holes", 0, std::int64_t{data->columns} - 2);
            const auto j = read_integer(document_, *document_.next(first), "holes", 0, std::int64_t{data->rows} - 2);
            physics::add_hole(*data, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
        }
    }
    return {data};
}

std::shared_ptr<physics::HeightData> FileParser::parse_heights(const Node& node) {
    expect_list(document_, node, "heights", "rows of heights");
    auto data = std::make_shared<physics::HeightData>();
    const auto check_side = [&](const Node& at, std::size_t count) {
        if (count < 2 || count > physics::max_height_samples) {
            document_.fail(at, "a height field has 2 to " + std::to_string(physics::max_height_samples) +
                                   " samples along each side, not " + std::to_string(count));
        }
    };
    check_side(node, node.child_count);
    for (const Node* row = document_.first(node); row != nullptr; row = document_.next(*row)) {
        expect_list(document_, *row, "heights", "heights, m");
        check_side(*row, row->child_count);
        if (data->rows > 0 && row->child_count != data->columns) {
            document_.fail(*row, "this row has " + std::to_string(row->child_count) + " heights, the first one " +
                                     std::to_string(data->columns));
        }
        data->columns = static_cast<std::uint32_t>(row->child_count);
        ++data->rows;
        for (const Node* height = document_.first(*row); height != nullptr; height = document_.next(*height)) {
            data->heights.push_back(number(*height, "heights", height_range));
        }
    }
    return data;
}

void FileParser::check_shape(const Geometry& geometry, const Node& at) const {
    const auto* mesh = std::get_if<physics::Mesh>(&geometry);
    if (mesh != nullptr && !reading_.good_surfaces.insert(mesh->data).second) {
        return;
    }
    const auto* field = std::get_if<physics::HeightField>(&geometry);
    if (field != nullptr && !reading_.good_fields.insert(field->data).second) {
        return;
    }
    const auto* hull = std::get_if<PointSet>(&geometry);
    if (hull != nullptr && !reading_.good_hulls.insert(hull->points).second) {
        return;
    }
    const auto* diamond = std::get_if<physics::Diamond>(&geometry);
    if (diamond != nullptr && !reading_.good_diamonds.insert(diamond->scale).second) {
        return;
    }
    const auto built = physics::build_shape(geometry);
    if (const auto* error = std::get_if<physics::ShapeError>(&built)) {
        document_.fail(at, in_quotes(at.key) + " is not a usable shape: " + error->reason);
    }
}

} // namespace

Scene scene_from_document(const Document& document, const std::filesystem::path& folder,
                          const std::filesystem::path& file, std::vector<std::filesystem::path>* files,
                          const SceneReading& how) {
    Reading reading;
    reading.files = files;
    reading.expectations = how.expectations;
    if (how.confined) {
        std::error_code error;
        reading.confined_to = std::filesystem::canonical(folder.empty() ? "." : folder, error);
        if (error) {
            throw InputError({folder.string(), 0, 0}, "cannot be looked at: " + error.message());
        }
    }
    if (!file.empty()) {
        reading.open_files.push_back(file);
    }
    Scene scene = FileParser(document, folder, reading).parse_scene();
    scene.bodies = std::move(reading.bodies);
    scene.joints = std::move(reading.joints);
    return scene;
}

BodyDef body_from_document(const Document& document, const std::filesystem::path& folder) {
    Reading reading;
    FileParser(document, folder, reading).parse_body(document.root(), false);
    return std::move(reading.bodies.front());
}

Scene excerpt_from_document(const Document& document, const std::filesystem::path& folder) {
    const Node& root = document.root();
    const bool one_body = root.kind == NodeKind::object && document.member(root, "cairn") == nullptr &&
                          (document.member(root, "shape") != nullptr || document.member(root, "shapes") != nullptr);
    if (!one_body && root.kind != NodeKind::array) {
        return scene_from_document(document, folder, {});
    }
    Reading reading;
    FileParser parser(document, folder, reading);
    if (one_body) {
        parser.parse_body(root, true);
    }
    for (const Node* node = one_body ? nullptr : document.first(root); node != nullptr; node = document.next(*node)) {
        parser.parse_body(*node, true);
    }
    Scene scene;
    scene.bodies = std::move(reading.bodies);
    return scene;
}

physics::JointDef joint_from_document(const Document& document, const Scene& scene) {
    return JointReader(document, scene.bodies, 0).read(document.root());
}

SceneTitle title_from_document(const Document& document) {
    SceneTitle title;
    if (const Node* node = document.member(document.root(), "name"); node != nullptr) {
        title.name = node->string;
    }
    if (const Node* node = document.member(document.root(), "description"); node != nullptr) {
        title.description = node->string;
    }
    return title;
}

} // namespace cairn::core
