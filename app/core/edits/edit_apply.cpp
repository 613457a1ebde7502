// Applies edits, and finds what takes them back.
#include "app/core/edits/edit_commands.h"
#include "app/core/edits/edit_history.h"
#include "app/core/edits/height_edits.h"
#include "app/core/edits/material_edits.h"

namespace cairn::core {

using namespace physics;

// Makes the body again as it is now, and its joints.
void EditHistory::add_remake(const World& world, BodyId body, std::vector<Task>& tasks) const {
    BodyDef def = world.model(body)->def;
    const BodyState state = *world.state(body);
    def.pose = state.pose;
    def.linear_velocity = state.linear_velocity;
    def.angular_velocity = state.angular_velocity;
    tasks.push_back({CreateBody{std::move(def)}, bodies_.first(body), {}});
    for (const JointId joint : world.joints_of(body)) {
        tasks.push_back({with_first_handles(CreateJoint{*world.joint(joint)}), {}, joints_.first(joint)});
    }
}

// What takes the command back, before it is applied; `command` with present handles. Empty where nothing does, and for
// what is made, which has no handle yet.
std::vector<EditHistory::Task> EditHistory::inverse(const World& world, const Command& command) const {
    std::vector<Task> back;
    const auto add = [&](Command c) { back.push_back({with_first_handles(std::move(c)), {}, {}}); };
    const auto put_back = [&](BodyId body) {
        if (const std::optional<BodyState> state = world.state(body)) {
            add(motion_of(body, *state));
        }
    };
    std::visit(
        Overloaded{
            [](const CreateBody&) {},
            [](const CreateBodies&) {},
            [&](const DestroyBody& c) {
                if (world.state(c.body)) {
                    add_remake(world, c.body, back);
                }
            },
            [&](const SetBody& c) {
                const std::optional<BodyState> state = world.state(c.body);
                if (!state) {
                    return;
                }
                if (std::optional<SetBody> set = restoring(*world.model(c.body), *state, c)) {
                    add(std::move(*set));
                } else {
                    add(DestroyBody{c.body});
                    add_remake(world, c.body, back);
                }
            },
            [&](const ApplyImpulse& c) { put_back(c.body); },
            [&](const ApplyForce& c) { put_back(c.body); },
            [&](const MoveKinematic& c) { put_back(c.body); },
            [&](const Explode& c) {
                const auto ball = build_shape(Sphere{c.radius});
                if (const Shape* reach = std::get_if<Shape>(&ball)) {
                    QueryFilter filter;
                    filter.groups = c.groups;
                    filter.fixed = filter.kinematic = false;
                    BodyId last;
                    for (const WorldShape& one : world.overlaps(*reach, {c.centre, identity_orientation}, filter)) {
                        if (one.body != last) { // its shapes follow each other
                            put_back(one.body);
                        }
                        last = one.body;
                    }
                }
            },
            [&](const AddShape& c) {
                if (const auto model = world.model(c.body)) {
                    add(RemoveShape{c.body, c.place.value_or(static_cast<std::uint32_t>(model->def.shapes.size()))});
                }
            },
            [&](const RemoveShape& c) {
                if (const auto model = world.model(c.body); model && c.shape < model->def.shapes.size()) {
                    add(AddShape{c.body, model->def.shapes[c.shape], c.shape});
                }
            },
            [&](const SetColour& c) {
                if (const auto model = world.model(c.body)) {
                    add(SetColour{c.body, model->def.colour});
                }
            },
            [&](const SetShapeMaterial& c) {
                if (const auto model = world.model(c.body); model && c.shape < model->def.shapes.size()) {
                    const ShapeDef& shape = model->def.shapes[c.shape];
                    add(SetShapeMaterial{c.body, c.shape, shape.material, shape.mesh_materials});
                }
            },
            [&](const SetMeshMaterials& c) {
                if (std::optional<SetMeshMaterials> before = present_materials(world, c)) {
                    add(std::move(*before));
                }
            },
            [&](const SetHeights& c) {
                if (std::optional<SetHeights> before = present_heights(world, c.body, c.shape, c.region)) {
                    add(std::move(*before));
                }
            },
            [](const Grab&) {},
            [](const MoveGrab&) {},
            [](const ReleaseGrab&) {},
            [&](const SetSettings&) { add(SetSettings{world.settings()}); },
            [](const CreateJoint&) {},
            [&](const DestroyJoint& c) {
                if (const auto def = world.joint(c.joint)) {
                    back.push_back({with_first_handles(CreateJoint{*def}), {}, joints_.first(c.joint)});
                }
            },
            [&](const SetJoint& c) {
                if (const auto def = world.joint(c.joint)) {
                    add(SetJoint{c.joint, *def});
                }
            },
        },
        command);
    return back;
}

CommandResult EditHistory::apply(World& world, const Command& command, const EditMark& mark) {
    std::optional<Holding> next;
    if (const auto* grab = std::get_if<Grab>(&command)) {
        if (const std::optional<BodyState> state = world.state(grab->body)) {
            const BodyId body = bodies_.first(grab->body);
            next = Holding{body, mark.what.empty() ? description(world, command) : mark.what, motion_of(body, *state)};
        }
    }
    const bool drags =
        next || std::holds_alternative<MoveGrab>(command) || std::holds_alternative<ReleaseGrab>(command);
    Edit edit;
    if (!drags) {
        edit.what = mark.what.empty() ? description(world, command) : mark.what;
        edit.gesture = mark.gesture;
        edit.builds = !mark.play && !pushes(command);
        edit.backward = inverse(world, command);
    }
    CommandResult result = world.apply(command);
    if (!result.ok()) {
        return result;
    }
    if (drags) {
        hold(world, command, std::move(next));
        return result;
    }
    if (result.created) {
        edit.backward = {{DestroyBody{result.created}, {}, {}}};
    } else if (result.joint) {
        edit.backward = {{DestroyJoint{result.joint}, {}, {}}};
    }
    if (const auto* many = std::get_if<CreateBodies>(&command)) { // done again and taken back one by one; joints go
                                                                  // with their bodies
        for (std::size_t i = 0; i < many->bodies.size(); ++i) {
            edit.forward.push_back({CreateBody{many->bodies[i]}, result.bodies[i], {}});
            edit.backward.insert(edit.backward.begin(), {DestroyBody{result.bodies[i]}, {}, {}});
        }
        for (const JointId joint : result.joints) {
            edit.forward.push_back({with_first_handles(CreateJoint{*world.joint(joint)}), {}, joint});
        }
    } else {
        edit.forward.push_back({with_first_handles(command), result.created, result.joint});
    }
    add(std::move(edit));
    return result;
}

CommandResult EditHistory::apply(World& world, const ReplaceShape& change, const EditMark& mark,
                                 std::vector<Command>& applied) {
    // The new one first: a body always has a shape. Its place is that of the old one, which moves up.
    const Command add_new = AddShape{change.body, change.shape, change.place};
    const Command remove_old = RemoveShape{change.body, change.place + 1};
    Edit edit;
    edit.what = mark.what.empty() ? "Change a shape of " + name_of(world, change.body) : mark.what;
    edit.gesture = mark.gesture;
    edit.builds = !mark.play;
    if (const auto model = world.model(change.body); model && change.place >= model->def.shapes.size()) {
        CommandResult result;
        result.error = "there is no shape " + std::to_string(change.place) + " of the body";
        return result;
    }
    std::vector<Task> add_inverse = inverse(world, add_new);
    CommandResult result = world.apply(add_new);
    if (!result.ok()) {
        return result;
    }
    applied.push_back(add_new);
    edit.backward = inverse(world, remove_old);
    result = world.apply(remove_old);
    if (!result.ok()) { // as of the last solid shape of a body that is to be a sensor
        const Command remove_new = RemoveShape{change.body, change.place};
        if (world.apply(remove_new).ok()) {
            applied.push_back(remove_new);
        }
        return result;
    }
    applied.push_back(remove_old);
    edit.backward.insert(edit.backward.end(), std::make_move_iterator(add_inverse.begin()),
                         std::make_move_iterator(add_inverse.end()));
    edit.forward = {{with_first_handles(add_new), {}, {}}, {with_first_handles(remove_old), {}, {}}};
    add(std::move(edit));
    return result;
}

CommandResult EditHistory::apply(World& world, const BrushHeights& brush, const EditMark& mark,
                                 std::vector<Command>& applied) {
    std::optional<SetHeights> set = brushed(world, brush);
    if (!set) { // nothing of the field is under the brush
        return {};
    }
    const std::optional<SetHeights> before = present_heights(world, set->body, set->shape, set->region);
    CommandResult result = world.apply(*set);
    if (!result.ok()) {
        return result;
    }
    applied.push_back(*set);
    Edit edit;
    edit.what = mark.what.empty() ? description(world, *set) : mark.what;
    edit.gesture = mark.gesture;
    edit.builds = !mark.play;
    edit.forward = {{with_first_handles(std::move(*set)), {}, {}}};
    edit.backward = {{with_first_handles(*before), {}, {}}};
    if (edit.gesture != 0 && !done_.empty() && done_.back().gesture == edit.gesture) {
        // A stroke is taken back by one command, however long it was.
        Edit& last = done_.back();
        const std::size_t bytes = bytes_of(last);
        if (unite_heights(world, last, edit)) {
            ++revision_;
            forget_undone();
            last.version = edit.builds ? ++newest_ : version();
            last.bytes = bytes_of(last);
            bytes_ += last.bytes - bytes;
            forget_oldest();
            return result;
        }
    }
    add(std::move(edit));
    return result;
}

// Both change the same field, and nothing has done so since.
bool EditHistory::unite_heights(const World& world, Edit& earlier, const Edit& later) const {
    if (earlier.forward.size() != 1 || earlier.backward.size() != 1) {
        return false;
    }
    auto* forward = std::get_if<SetHeights>(&earlier.forward[0].command);
    auto* backward = std::get_if<SetHeights>(&earlier.backward[0].command);
    const auto* now = std::get_if<SetHeights>(&later.forward[0].command);
    const auto* before = std::get_if<SetHeights>(&later.backward[0].command);
    if (forward == nullptr || backward == nullptr || forward->body != now->body || forward->shape != now->shape) {
        return false;
    }
    const BodyId body = bodies_.now(now->body);
    std::optional<SetHeights> all = present_heights(world, body, now->shape, united(forward->region, now->region));
    if (!all) {
        return false;
    }
    all->body = now->body;
    SetHeights back = *all; // what neither of them has changed is as it was
    lay_over(back, *before);
    lay_over(back, *backward);
    *forward = std::move(*all);
    *backward = std::move(back);
    return true;
}

} // namespace cairn::core
