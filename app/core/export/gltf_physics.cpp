#include "app/core/export/gltf_physics.h"

#include "app/core/export/gltf_joints.h"
#include "app/core/look/colour_text.h"
#include "app/core/scene/values/scene_keys.h"
#include "app/core/scene/worlds/frame_bodies.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::core {

using namespace cairn::physics;

namespace {

constexpr const char* rigid_bodies_extension = "KHR_physics_rigid_bodies";
constexpr const char* shapes_extension = "KHR_implicit_shapes";

// In the frame of a body turned so; of double precision, so that it can be turned back.
Json turned_back(const Vec3& world, const Quat& orientation) {
    const glm::dvec3 v = glm::conjugate(glm::normalize(glm::dquat(orientation))) * glm::dvec3(world);
    return Json::array({v.x, v.y, v.z});
}

// A parameter of a body in its own number type.
void add_changed(Json& out, const BodyDef& def, const BodyParameter& parameter) {
    static const BodyDef usual;
    if (const auto* number = std::get_if<float BodyDef::*>(&parameter.member)) {
        if (def.**number != usual.**number) {
            out[std::string(parameter.key)] = json_of(def.**number);
        }
    } else if (const auto* flag = std::get_if<bool BodyDef::*>(&parameter.member)) {
        if (def.**flag != usual.**flag) {
            out[std::string(parameter.key)] = def.**flag;
        }
    }
}

Json group_names(std::uint32_t groups) {
    Json names = Json::array();
    for (int group = 0; group < CollisionFilter::groups; ++group) {
        if ((groups >> group & 1u) != 0) {
            names.push_back("group " + std::to_string(group));
        }
    }
    return names;
}

} // namespace

GltfPhysics::GltfPhysics(const FrameState& start) : start_(start) {
    filters_ =
        std::ranges::any_of(start.models, [](const auto& model) { return !(model->def.filter == CollisionFilter{}); });
}

const BodyState* GltfPhysics::find(BodyId body) const {
    const auto at = find_body(start_, body);
    return at ? &start_.bodies[*at] : nullptr;
}

std::size_t GltfPhysics::entry(Json& list, Json value) {
    const auto [known, fresh] = known_.try_emplace({&list, value.dump()}, list.size());
    if (fresh) {
        list.push_back(std::move(value));
    }
    return known->second;
}

Json GltfPhysics::motion(const BodyModel& model, const BodyState& body) const {
    if (model.def.type == BodyType::fixed) {
        return nullptr;
    }
    Json motion = Json::object();
    if (model.def.type == BodyType::kinematic) {
        motion["isKinematic"] = true;
    } else {
        motion["mass"] = json_of(model.mass);
        if (model.def.inertia) {
            motion["inertiaDiagonal"] = json_of(*model.def.inertia);
        }
    }
    if (body.linear_velocity != Vec3(0.0f)) {
        motion["linearVelocity"] = turned_back(body.linear_velocity, body.pose.orientation);
    }
    if (body.angular_velocity != Vec3(0.0f)) {
        motion["angularVelocity"] = turned_back(body.angular_velocity, body.pose.orientation);
    }
    if (model.def.gravity_scale != 1.0f) {
        motion["gravityFactor"] = json_of(model.def.gravity_scale);
    }
    return motion;
}

Json GltfPhysics::own_words(const BodyModel& model) const {
    const BodyDef& def = model.def;
    Json own = Json::object();
    if (def.name.empty()) {
        own["unnamed"] = true;
    }
    for (const char* key : {"linear_damping", "angular_damping", "can_sleep"}) {
        add_changed(own, def, *find_body_parameter(key));
    }
    if (!def.mass) { // the mass that follows from it is written with it, so that a reader sees which of the two holds
        own["density"] = json_of(def.density);
        if (def.type == BodyType::dynamic) {
            own["mass"] = json_of(model.mass);
        }
    }
    if (def.locks != 0) {
        Json& axes = own["lock"] = Json::array();
        for (std::size_t axis = 0; axis < axis_names.size(); ++axis) {
            if ((def.locks >> axis & 1u) != 0) {
                axes.push_back(std::string(axis_names[axis]));
            }
        }
    }
    return own;
}

bool GltfPhysics::needs_turn(const Shape& shape) {
    return shape.kind == ShapeKind::capsule || shape.kind == ShapeKind::cylinder || shape.kind == ShapeKind::cone;
}

std::size_t GltfPhysics::shape(const Shape& shape) {
    const auto twice = [](float half) { return 2.0 * static_cast<double>(half); };
    const auto round = [&](const char* type, double height, float bottom, float top) {
        Json sizes{{"height", height}, {"radiusBottom", json_of(bottom)}, {"radiusTop", json_of(top)}};
        return Json{{"type", type}, {type, std::move(sizes)}};
    };
    switch (shape.kind) {
    case ShapeKind::sphere:
        return entry(shapes_, {{"type", "sphere"}, {"sphere", {{"radius", json_of(shape.radius)}}}});
    case ShapeKind::capsule:
        return entry(shapes_, round("capsule", twice(shape.half_extents.z), shape.radius, shape.radius));
    case ShapeKind::cylinder:
        return entry(shapes_, round("cylinder", twice(shape.half_extents.z), shape.radius, shape.radius));
    case ShapeKind::cone:
        return entry(shapes_, round("cylinder", twice(shape.half_extents.z), shape.radius, 0.0f));
    default: {
        const Vec3& half = shape.half_extents;
        return entry(shapes_, {{"type", "box"},
                               {"box", {{"size", Json::array({twice(half.x), twice(half.y), twice(half.z)})}}}});
    }
    }
}

// The sides of a mesh that stop bodies, and its materials, one for each triangle in the order of the file, which has
// both sides of two-sided meshes one after the other; null: there is nothing to say.
Json GltfPhysics::own_mesh(const ShapeDef& def, const TriangleMesh& mesh, GltfBuffer& buffer) {
    Json own;
    if (mesh.two_sided) {
        own["two_sided"] = true;
    }
    if (mesh.materials.empty()) {
        return own;
    }
    const auto [known, fresh] = triangle_materials_.try_emplace(&mesh);
    if (fresh) {
        std::vector<std::uint32_t> numbers;
        for (const std::uint16_t material : mesh.materials) {
            numbers.insert(numbers.end(), mesh.two_sided ? 2 : 1, material);
        }
        known->second = buffer.add_whole_numbers(numbers);
    }
    own["triangle_materials"] = known->second;
    Json& materials = own["materials"] = Json::array();
    const std::vector<std::string>& names = std::get<Mesh>(def.geometry).data->materials;
    for (std::size_t i = 0; i < names.size(); ++i) {
        Json& material = materials.emplace_back(Json::object());
        material["name"] = names[i];
        const ShapeMaterial stated = i < def.mesh_materials.size() ? def.mesh_materials[i] : ShapeMaterial();
        for (const MaterialParameter& p : material_parameters) {
            if (stated.of(p.number)) {
                material[std::string(p.key)] = json_of(*stated.of(p.number));
            }
        }
        if (stated.colour) {
            material["colour"] = colour_text(*stated.colour);
        }
    }
    return own;
}

// What a shape was made of, where the mesh alone does not say it.
Json GltfPhysics::own_shape(const ShapeDef& def, const Shape& shape, GltfBuffer& buffer) {
    if (const auto* diamond = std::get_if<Diamond>(&def.geometry)) {
        return {{"diamond", {{"scale", json_of(diamond->scale)}}}};
    }
    if (std::holds_alternative<Mesh>(def.geometry)) {
        return own_mesh(def, *shape.mesh, buffer);
    }
    const auto* field = std::get_if<HeightField>(&def.geometry);
    if (field == nullptr) {
        return nullptr;
    }
    const HeightData& data = *field->data;
    Json& known = fields_[&data];
    if (known.is_null()) {
        known = {{"columns", data.columns}, {"rows", data.rows}, {"spacing", json_of(data.spacing)}};
        known["heights"] =
            buffer.add_floats(std::vector<float>(data.heights.begin(), data.heights.end()), "SCALAR", false);
        std::vector<std::uint32_t> holes;
        for (std::size_t cell = 0; cell < 64 * data.holes.size(); ++cell) {
            if ((data.holes[cell / 64] >> cell % 64 & 1u) != 0) {
                holes.push_back(static_cast<std::uint32_t>(cell));
            }
        }
        if (!holes.empty()) {
            known["holes"] = buffer.add_whole_numbers(holes);
        }
    }
    return {{"heightfield", known}};
}

std::size_t GltfPhysics::filter(const CollisionFilter& filter) {
    Json out{{"collisionSystems", group_names(1u << filter.group)}};
    if (filter.mask != 0xffffffffu) {
        out[filter.mask == 0 ? "notCollideWithSystems" : "collideWithSystems"] =
            group_names(filter.mask == 0 ? 0xffffffffu : filter.mask);
    }
    return entry(filter_list_, std::move(out));
}

GltfPhysics::Collider GltfPhysics::collider(const BodyModel& model, std::size_t part, GltfBuffer& buffer,
                                            const std::function<std::size_t()>& mesh_node) {
    const Shape& of = *model.parts[part].shape;
    const ShapeDef& def = model.def.shapes[part];
    Collider out;
    Json geometry;
    if (of.kind == ShapeKind::hull || of.kind == ShapeKind::mesh) {
        geometry = {{"node", mesh_node()}};
        if (of.kind == ShapeKind::hull) {
            geometry["convexHull"] = true;
        }
        if (Json own = own_shape(def, of, buffer); !own.is_null()) {
            out.own_words = {{"shape", std::move(own)}};
        }
    } else {
        geometry = {{"shape", shape(of)}};
    }
    if (needs_turn(of)) {
        out.rotation = Json::array({std::sqrt(0.5), 0.0, 0.0, std::sqrt(0.5)});   // Y to Z
        out.shift = of.kind == ShapeKind::cone ? 0.5f * of.half_extents.z : 0.0f; // its centroid is nearer to its base
    }
    Json about{{"geometry", std::move(geometry)}};
    if (!def.sensor) {
        const Material surface = def.material.over(model.def.material);
        Json material{{"staticFriction", json_of(surface.friction)},
                      {"dynamicFriction", json_of(surface.friction)},
                      {"restitution", json_of(surface.restitution)},
                      {"frictionCombine", "average"}, // the geometric mean, of which this is the nearest there is
                      {"restitutionCombine", "maximum"}};
        if (surface.rolling_resistance != 0.0f) {
            material["extras"] = {{"cairn", {{"rolling_resistance", json_of(surface.rolling_resistance)}}}};
        }
        about["physicsMaterial"] = entry(materials_, std::move(material));
    }
    if (filters_) {
        about["collisionFilter"] = filter(model.def.filter);
    }
    out.extension = {{rigid_bodies_extension, {{def.sensor ? "trigger" : "collider", std::move(about)}}}};
    return out;
}

Json GltfPhysics::joint(const JointDef& def, std::size_t connected_node) {
    Json joint{{"connectedNode", connected_node}, {"joint", entry(joints_, limits_and_drives(def))}};
    if (def.collide) {
        joint["enableCollision"] = true;
    }
    joint["extras"] = {{"cairn", scene_words(def)}};
    return {{rigid_bodies_extension, {{"joint", std::move(joint)}}}};
}

void GltfPhysics::add_to(Json& document, const std::string& name, const SceneCamera& camera) const {
    if (!any()) {
        return;
    }
    Scene header;
    header.name = name;
    header.camera = camera;
    header.settings = start_.settings;
    Json words = Json::parse(write_scene(header));
    words.erase("bodies");
    document["scenes"][0]["extras"] = {{"cairn", std::move(words)}};
    Json used = Json::array({rigid_bodies_extension}), of_file = Json::object(), of_bodies = Json::object();
    const auto add = [&of_bodies](const char* key, const Json& list) {
        if (!list.empty()) { // the format has no empty lists
            of_bodies[key] = list;
        }
    };
    add("physicsMaterials", materials_);
    add("collisionFilters", filter_list_);
    add("physicsJoints", joints_);
    if (!of_bodies.empty()) {
        of_file[rigid_bodies_extension] = std::move(of_bodies);
    }
    if (!shapes_.empty()) {
        used.push_back(shapes_extension);
        of_file[shapes_extension] = {{"shapes", shapes_}};
    }
    document["extensionsUsed"] = std::move(used);
    if (!of_file.empty()) {
        document["extensions"] = std::move(of_file);
    }
}

} // namespace cairn::core
