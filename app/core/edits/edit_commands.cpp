#include "app/core/edits/edit_commands.h"

#include "app/core/scene/worlds/frame_bodies.h"
#include "physics/world/parameters/parameters.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace cairn::core {

using namespace physics;

void for_each_handle(Command& command, const std::function<void(BodyId&)>& on_body,
                     const std::function<void(JointId&)>& on_joint) {
    const auto of_def = [&](JointDef& def) {
        if (def.body_a) {
            on_body(def.body_a);
        }
        on_body(def.body_b);
    };
    std::visit(Overloaded{
                   [](CreateBody&) {},
                   [&](CreateBodies& c) {
                       for (JointDef& tie : c.ties) {
                           if (tie.body_a) {
                               on_body(tie.body_a);
                           }
                       }
                   },
                   [](Explode&) {}, [](MoveGrab&) {}, [](ReleaseGrab&) {}, [](SetSettings&) {},
                   [&](CreateJoint& c) { of_def(c.joint); }, [&](DestroyJoint& c) { on_joint(c.joint); },
                   [&](SetJoint& c) {
                       on_joint(c.joint);
                       of_def(c.def);
                   },
                   [&](auto& c) { on_body(c.body); }, // all others are about one body
               },
               command);
}

std::string name_of(const World& world, BodyId body) {
    const auto model = world.model(body);
    return model ? body_name(model->def, body) : "body " + std::to_string(body.index);
}

std::string name_of(const World& world, JointId joint) {
    const auto def = world.joint(joint);
    return def && !def->name.empty() ? def->name : "joint " + std::to_string(joint.index);
}

namespace {

// Of the one parameter that differs; of the world if there are more.
std::string changed_parameter(const Settings& before, const Settings& after) {
    std::string name;
    for (const Parameter& parameter : parameters) {
        if (differs(before, after, parameter)) {
            if (!name.empty()) {
                return "the world";
            }
            name = parameter.label;
        }
    }
    return name.empty() ? "the world" : name;
}

} // namespace

std::string description(const World& world, const Command& command) {
    return std::visit(
        Overloaded{
            [](const CreateBody& c) { return "Create " + (c.body.name.empty() ? std::string("a body") : c.body.name); },
            [](const CreateBodies& c) { return "Create " + std::to_string(c.bodies.size()) + " bodies"; },
            [&](const DestroyBody& c) { return "Delete " + name_of(world, c.body); },
            [&](const SetBody& c) { return "Change " + name_of(world, c.body); },
            [&](const ApplyImpulse& c) { return "Push " + name_of(world, c.body); },
            [&](const ApplyForce& c) { return "Push " + name_of(world, c.body); },
            [&](const MoveKinematic& c) { return "Move " + name_of(world, c.body); },
            [](const Explode&) { return std::string("Explosion"); },
            [&](const AddShape& c) { return "Add a shape to " + name_of(world, c.body); },
            [&](const RemoveShape& c) { return "Remove a shape of " + name_of(world, c.body); },
            [&](const SetColour& c) { return "Colour " + name_of(world, c.body); },
            [&](const SetHeights& c) { return "Shape " + name_of(world, c.body); },
            [&](const SetShapeMaterial& c) { return "Change the material of " + name_of(world, c.body); },
            [&](const SetMeshMaterials& c) { return "Change the materials of " + name_of(world, c.body); },
            [&](const Grab& c) { return "Drag " + name_of(world, c.body); },
            [](const MoveGrab&) { return std::string("Drag"); },
            [](const ReleaseGrab&) { return std::string("Let go"); },
            [&](const SetSettings& c) { return "Change " + changed_parameter(world.settings(), c.settings); },
            [](const CreateJoint& c) {
                return "Create " + (c.joint.name.empty() ? std::string("a joint") : c.joint.name);
            },
            [&](const DestroyJoint& c) { return "Delete " + name_of(world, c.joint); },
            [&](const SetJoint& c) { return "Change " + name_of(world, c.joint); },
        },
        command);
}

SetBody motion_of(BodyId body, const BodyState& state) {
    SetBody set;
    set.body = body;
    set.position = state.pose.position;
    set.orientation = state.pose.orientation;
    set.linear_velocity = state.linear_velocity;
    set.angular_velocity = state.angular_velocity;
    return set;
}

namespace {

// Fails to compile when SetBody gains or loses a member: then restoring() and same_members() must know of it.
[[maybe_unused]] void members_are_all_restored(const SetBody& set) {
    [[maybe_unused]] const auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18] =
        set;
}

} // namespace

std::optional<SetBody> restoring(const BodyModel& model, const BodyState& state, const SetBody& set) {
    const BodyDef& def = model.def;
    if ((set.inertia && !def.inertia) || (set.mass && !def.mass && !(model.mass > 0.0f))) {
        return std::nullopt;
    }
    SetBody back;
    back.body = set.body;
    const auto take = [](auto& to, const auto& named, const auto& value) {
        if (named) {
            to = value;
        }
    };
    take(back.name, set.name, def.name);
    take(back.type, set.type, def.type);
    take(back.position, set.position, state.pose.position);
    take(back.orientation, set.orientation, state.pose.orientation);
    take(back.linear_velocity, set.linear_velocity, state.linear_velocity);
    take(back.angular_velocity, set.angular_velocity, state.angular_velocity);
    if (set.type) { // what becomes static loses its velocity
        back.linear_velocity = state.linear_velocity;
        back.angular_velocity = state.angular_velocity;
    }
    take(back.mass, set.mass, def.mass ? *def.mass : model.mass);
    if (set.inertia || (set.mass && def.inertia)) {
        back.inertia = def.inertia;
    }
    for (const physics::BodyParameter& p : physics::plain_body_parameters) {
        if (changes(set, p)) {
            with_both(p, def, back, [](const auto& value, auto& changed) { changed = value; });
        }
    }
    take(back.filter, set.filter, def.filter);
    take(back.locks, set.locks, def.locks);
    return back;
}

namespace {

bool same_members(const SetBody& a, const SetBody& b) {
    return a.body == b.body && a.name.has_value() == b.name.has_value() && a.type.has_value() == b.type.has_value() &&
           a.position.has_value() == b.position.has_value() && a.orientation.has_value() == b.orientation.has_value() &&
           a.linear_velocity.has_value() == b.linear_velocity.has_value() &&
           a.angular_velocity.has_value() == b.angular_velocity.has_value() &&
           a.inertia.has_value() == b.inertia.has_value() && a.filter.has_value() == b.filter.has_value() &&
           a.locks.has_value() == b.locks.has_value() &&
           std::ranges::all_of(physics::body_parameters,
                               [&](const physics::BodyParameter& p) { return changes(a, p) == changes(b, p); });
}

// The later command undoes all that the earlier one did: taking back the earlier one takes back both.
bool replaces(const Command& later, const Command& earlier) {
    return std::visit(
        Overloaded{
            [](const SetSettings&, const SetSettings&) { return true; },
            [](const SetBody& a, const SetBody& b) { return same_members(a, b); },
            [](const SetColour& a, const SetColour& b) { return a.body == b.body; },
            [](const SetShapeMaterial& a, const SetShapeMaterial& b) { return a.body == b.body && a.shape == b.shape; },
            [](const SetJoint& a, const SetJoint& b) { return a.joint == b.joint; },
            [](const auto&, const auto&) { return false; },
        },
        later, earlier);
}

} // namespace

std::optional<BodyId> body_changed_by(const Command& command) {
    using Body = std::optional<BodyId>;
    return std::visit(Overloaded{
                          [](const SetBody& c) -> Body { return c.body; },
                          [](const ApplyImpulse& c) -> Body { return c.body; },
                          [](const ApplyForce& c) -> Body { return c.body; },
                          [](const MoveKinematic& c) -> Body { return c.body; },
                          [](const SetColour& c) -> Body { return c.body; },
                          [](const SetShapeMaterial& c) -> Body { return c.body; },
                          [](const SetMeshMaterials& c) -> Body { return c.body; },
                          [](const auto&) -> Body { return std::nullopt; },
                      },
                      command);
}

bool pushes(const Command& command) {
    return std::holds_alternative<ApplyImpulse>(command) || std::holds_alternative<ApplyForce>(command) ||
           std::holds_alternative<MoveKinematic>(command) || std::holds_alternative<Explode>(command);
}

bool join(Command& earlier, Command& later) {
    if (replaces(later, earlier)) {
        earlier = std::move(later);
        return true;
    }
    auto* first = std::get_if<ApplyImpulse>(&earlier);
    const auto* second = std::get_if<ApplyImpulse>(&later);
    if (first == nullptr || second == nullptr || first->body != second->body || first->point || second->point) {
        return false;
    }
    first->impulse += second->impulse;
    return true;
}

namespace {

std::size_t bytes_of(const ShapeDef& shape) {
    if (const auto* points = std::get_if<PointSet>(&shape.geometry); points != nullptr && points->points) {
        return points->points->size() * sizeof(Vec3);
    }
    if (const auto* mesh = std::get_if<physics::Mesh>(&shape.geometry); mesh != nullptr && mesh->data) {
        return mesh->data->vertices.size() * sizeof(Vec3) +
               mesh->data->triangles.size() * sizeof(mesh->data->triangles[0]);
    }
    if (const auto* field = std::get_if<physics::HeightField>(&shape.geometry); field != nullptr && field->data) {
        return field->data->heights.size() * sizeof(float) + field->data->holes.size() * sizeof(std::uint64_t);
    }
    return 0;
}

} // namespace

std::size_t bytes_of(const Command& command) {
    if (const auto* create = std::get_if<CreateBody>(&command)) {
        std::size_t bytes = create->body.name.size() + create->body.shapes.size() * sizeof(ShapeDef);
        for (const ShapeDef& shape : create->body.shapes) {
            bytes += bytes_of(shape);
        }
        return bytes;
    }
    if (const auto* add = std::get_if<AddShape>(&command)) {
        return bytes_of(add->shape);
    }
    if (const auto* set = std::get_if<SetHeights>(&command)) {
        return set->heights.size() * sizeof(float);
    }
    if (const auto* set = std::get_if<SetShapeMaterial>(&command)) {
        return set->mesh_materials.size() * sizeof(ShapeMaterial);
    }
    if (const auto* set = std::get_if<SetMeshMaterials>(&command)) {
        std::size_t bytes = set->mesh_materials.size() * sizeof(ShapeMaterial) + set->runs.size() * sizeof(TriangleRun);
        for (const std::string& name : set->materials) {
            bytes += sizeof(std::string) + name.size();
        }
        return bytes;
    }
    return 0;
}

} // namespace cairn::core
