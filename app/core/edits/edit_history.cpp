#include "app/core/edits/edit_history.h"

#include "app/core/scene/frame_bodies.h"
#include "physics/world/parameters.h"

#include <algorithm>

namespace cairn::core {

namespace {

using namespace physics;

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// Hands every handle in the command to the callables, to be changed.
template <class OnBody, class OnJoint>
void for_each_handle(Command& command, const OnBody& on_body, const OnJoint& on_joint) {
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
                   [&](DestroyBody& c) { on_body(c.body); },
                   [&](SetBody& c) { on_body(c.body); },
                   [&](ApplyImpulse& c) { on_body(c.body); },
                   [&](ApplyForce& c) { on_body(c.body); },
                   [&](MoveKinematic& c) { on_body(c.body); },
                   [](Explode&) {},
                   [&](AddShape& c) { on_body(c.body); },
                   [&](RemoveShape& c) { on_body(c.body); },
                   [&](Grab& c) { on_body(c.body); },
                   [](MoveGrab&) {},
                   [](ReleaseGrab&) {},
                   [](SetSettings&) {},
                   [&](CreateJoint& c) { of_def(c.joint); },
                   [&](DestroyJoint& c) { on_joint(c.joint); },
                   [&](SetJoint& c) {
                       on_joint(c.joint);
                       of_def(c.def);
                   },
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

// Before the command is applied.
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

// Fails to compile when SetBody gains or loses a member: then restoring() and same_members() must know of it.
[[maybe_unused]] void members_are_all_restored(const SetBody& set) {
    [[maybe_unused]] const auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18] =
        set;
}

// What sets the members that `set` names to what they are. nullopt if no command can: a mass or tensor that follows
// from the shapes cannot be set to do so again.
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
    take(back.friction, set.friction, def.material.friction);
    take(back.restitution, set.restitution, def.material.restitution);
    take(back.rolling_resistance, set.rolling_resistance, def.material.rolling_resistance);
    take(back.linear_damping, set.linear_damping, def.linear_damping);
    take(back.angular_damping, set.angular_damping, def.angular_damping);
    take(back.gravity_scale, set.gravity_scale, def.gravity_scale);
    take(back.can_sleep, set.can_sleep, def.can_sleep);
    take(back.filter, set.filter, def.filter);
    take(back.locks, set.locks, def.locks);
    return back;
}

bool same_members(const SetBody& a, const SetBody& b) {
    return a.body == b.body && a.name.has_value() == b.name.has_value() && a.type.has_value() == b.type.has_value() &&
           a.position.has_value() == b.position.has_value() && a.orientation.has_value() == b.orientation.has_value() &&
           a.linear_velocity.has_value() == b.linear_velocity.has_value() &&
           a.angular_velocity.has_value() == b.angular_velocity.has_value() &&
           a.mass.has_value() == b.mass.has_value() && a.inertia.has_value() == b.inertia.has_value() &&
           a.friction.has_value() == b.friction.has_value() && a.restitution.has_value() == b.restitution.has_value() &&
           a.rolling_resistance.has_value() == b.rolling_resistance.has_value() &&
           a.linear_damping.has_value() == b.linear_damping.has_value() &&
           a.angular_damping.has_value() == b.angular_damping.has_value() &&
           a.gravity_scale.has_value() == b.gravity_scale.has_value() &&
           a.can_sleep.has_value() == b.can_sleep.has_value() && a.filter.has_value() == b.filter.has_value() &&
           a.locks.has_value() == b.locks.has_value();
}

// The later command undoes all that the earlier one did: taking back the earlier one takes back both.
bool replaces(const Command& later, const Command& earlier) {
    if (std::holds_alternative<SetSettings>(later) && std::holds_alternative<SetSettings>(earlier)) {
        return true;
    }
    if (const auto* a = std::get_if<SetBody>(&later)) {
        const auto* b = std::get_if<SetBody>(&earlier);
        return b != nullptr && same_members(*a, *b);
    }
    if (const auto* a = std::get_if<SetJoint>(&later)) {
        const auto* b = std::get_if<SetJoint>(&earlier);
        return b != nullptr && a->joint == b->joint;
    }
    return false;
}

// The body that a command pushes or sets.
std::optional<BodyId> body_changed_by(const Command& command) {
    if (const auto* set = std::get_if<SetBody>(&command)) {
        return set->body;
    }
    if (const auto* push = std::get_if<ApplyImpulse>(&command)) {
        return push->body;
    }
    if (const auto* push = std::get_if<ApplyForce>(&command)) {
        return push->body;
    }
    if (const auto* move = std::get_if<MoveKinematic>(&command)) {
        return move->body;
    }
    return std::nullopt;
}

// Moves what is there, and builds nothing.
bool pushes(const Command& command) {
    return std::holds_alternative<ApplyImpulse>(command) || std::holds_alternative<ApplyForce>(command) ||
           std::holds_alternative<MoveKinematic>(command) || std::holds_alternative<Explode>(command);
}

// Makes `earlier` stand for both, if one command can. What takes back `earlier` must take back both.
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
    return 0;
}

} // namespace

Command EditHistory::with_first_handles(Command command) const {
    for_each_handle(
        command, [&](BodyId& id) { id = bodies_.first(id); }, [&](JointId& id) { id = joints_.first(id); });
    return command;
}

Command EditHistory::with_present_handles(Command command) const {
    for_each_handle(
        command, [&](BodyId& id) { id = bodies_.now(id); }, [&](JointId& id) { id = joints_.now(id); });
    return command;
}

// Makes the body again as it is now, and its joints.
void EditHistory::add_remake(const World& world, BodyId body, std::vector<Deed>& deeds) const {
    BodyDef def = world.model(body)->def;
    const BodyState state = *world.state(body);
    def.pose = state.pose;
    def.linear_velocity = state.linear_velocity;
    def.angular_velocity = state.angular_velocity;
    deeds.push_back({CreateBody{std::move(def)}, bodies_.first(body), {}});
    for (const JointId joint : world.joints_of(body)) {
        deeds.push_back({with_first_handles(CreateJoint{*world.joint(joint)}), {}, joints_.first(joint)});
    }
}

// What takes the command back, before it is applied; `command` with present handles. Empty where nothing does, and for
// what is made, which has no handle yet.
std::vector<EditHistory::Deed> EditHistory::inverse(const World& world, const Command& command) const {
    std::vector<Deed> back;
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

void EditHistory::note_breaks(std::span<const BreakState> breaks) {
    for (const BreakState& state : breaks) {
        Edit edit;
        edit.what = breaks.size() == 1 && !state.def->name.empty() ? "Break of " + state.def->name
                                                                   : std::string("Break of joints");
        edit.gesture = breaking;
        edit.forward = {{with_first_handles(DestroyJoint{state.joint}), {}, {}}};
        edit.backward = {{with_first_handles(CreateJoint{*state.def}), {}, joints_.first(state.joint)}};
        add(std::move(edit));
    }
}

// A drag is one edit, from where it began to where it ended.
void EditHistory::hold(const World& world, const Command& command, std::optional<Holding> next) {
    if (!std::holds_alternative<MoveGrab>(command)) {
        let_go(world);
        holding_ = std::move(next);
        ++revision_;
    }
}

void EditHistory::let_go(const World& world) {
    ++revision_;
    if (!holding_) {
        return;
    }
    const Holding held = std::move(*holding_);
    holding_.reset();
    const std::optional<BodyState> state = world.state(bodies_.now(held.body));
    if (!state) {
        return;
    }
    Edit edit;
    edit.what = held.what;
    edit.forward = {{motion_of(held.body, *state), {}, {}}};
    edit.backward = {{held.before, {}, {}}};
    add(std::move(edit));
}

EditNames EditHistory::names(std::size_t most) const {
    EditNames names;
    if (holding_) {
        names.undo.push_back(holding_->what);
    }
    for (auto edit = done_.rbegin(); edit != done_.rend() && names.undo.size() < most; ++edit) {
        names.undo.push_back(edit->what);
    }
    for (auto edit = undone_.rbegin(); edit != undone_.rend() && names.redo.size() < most; ++edit) {
        names.redo.push_back(edit->what);
    }
    return names;
}

void EditHistory::add(Edit edit) {
    ++revision_;
    forget_undone();
    edit.version = edit.builds ? ++newest_ : version();
    for (const std::vector<Deed>* deeds : {&edit.forward, &edit.backward}) {
        for (const Deed& deed : *deeds) {
            edit.bytes += sizeof(Deed) + bytes_of(deed.command);
        }
    }
    if (edit.gesture != 0 && !done_.empty() && done_.back().gesture == edit.gesture) {
        join_last(std::move(edit));
    } else {
        edit.bytes += sizeof(Edit) + edit.what.size();
        bytes_ += edit.bytes;
        done_.push_back(std::move(edit));
    }
    while (bytes_ > most_bytes_ && done_.size() > 1) {
        bytes_ -= done_.front().bytes;
        base_ = done_.front().version;
        done_.pop_front();
    }
}

void EditHistory::join_last(Edit edit) {
    Edit& last = done_.back();
    last.version = edit.version;
    // A slider that is dragged sets the same thing again and again; several bodies that are moved are set in turn. What
    // concerns other bodies may stand between.
    for (std::size_t i = last.forward.size(); edit.forward.size() == 1 && i-- > 0;) {
        const std::optional<BodyId> before = body_changed_by(last.forward[i].command);
        const std::optional<BodyId> now = body_changed_by(edit.forward.front().command);
        if (join(last.forward[i].command, edit.forward.front().command)) {
            return;
        }
        if (!before || !now || *before == *now) {
            break;
        }
    }
    last.bytes += edit.bytes;
    bytes_ += edit.bytes;
    last.forward.insert(last.forward.end(), std::make_move_iterator(edit.forward.begin()),
                        std::make_move_iterator(edit.forward.end()));
    last.backward.insert(last.backward.begin(), std::make_move_iterator(edit.backward.begin()),
                         std::make_move_iterator(edit.backward.end()));
}

void EditHistory::forget_undone() {
    ++revision_;
    for (const Edit& edit : undone_) {
        bytes_ -= edit.bytes;
    }
    undone_.clear();
}

const std::string& EditHistory::undo_what() const {
    static const std::string nothing;
    return holding_ ? holding_->what : (done_.empty() ? nothing : done_.back().what);
}

const std::string& EditHistory::redo_what() const {
    static const std::string nothing;
    return undone_.empty() ? nothing : undone_.back().what;
}

CommandResult EditHistory::carry_out(World& world, const Deed& deed, Outcome& outcome) {
    Command command = with_present_handles(deed.command);
    const CommandResult result = world.apply(command);
    if (!result.ok()) {
        outcome.problem = result.error;
        return result;
    }
    if (result.created) {
        bodies_.rename(deed.body, result.created);
    }
    if (result.joint) {
        joints_.rename(deed.joint, result.joint);
    }
    outcome.applied.push_back(std::move(command));
    return result;
}

EditHistory::Outcome EditHistory::undo(World& world) {
    ++revision_;
    Outcome outcome;
    if (holding_) {
        if (world.apply(ReleaseGrab{}).ok()) {
            outcome.applied.push_back(ReleaseGrab{});
        }
        let_go(world);
    }
    if (done_.empty()) {
        return outcome;
    }
    Edit edit = std::move(done_.back());
    done_.pop_back();
    outcome.what = edit.what;
    for (const Deed& deed : edit.backward) {
        carry_out(world, deed, outcome);
    }
    if (outcome.problem.empty()) {
        undone_.push_back(std::move(edit));
    } else {
        bytes_ -= edit.bytes;
    }
    return outcome;
}

EditHistory::Outcome EditHistory::give_up(World& world, std::uint64_t gesture) {
    if (gesture == 0 || holding_ || done_.empty() || done_.back().gesture != gesture) {
        return {};
    }
    Outcome outcome = undo(world);
    forget_undone(); // of which there was none but this: the edit itself had made an end of them
    return outcome;
}

EditHistory::Outcome EditHistory::redo(World& world) {
    ++revision_;
    Outcome outcome;
    if (undone_.empty()) {
        return outcome;
    }
    Edit edit = std::move(undone_.back());
    undone_.pop_back();
    outcome.what = edit.what;
    // The world has gone on: what is to be restored next time is what is there now.
    std::vector<Deed> backward;
    for (Deed& deed : edit.forward) {
        std::vector<Deed> back = inverse(world, with_present_handles(deed.command));
        const CommandResult result = carry_out(world, deed, outcome);
        if (!result.ok()) {
            continue;
        }
        if (result.created) {
            back = {{DestroyBody{deed.body}, {}, {}}};
        } else if (result.joint) {
            back = {{DestroyJoint{deed.joint}, {}, {}}};
        }
        backward.insert(backward.begin(), std::make_move_iterator(back.begin()), std::make_move_iterator(back.end()));
    }
    edit.backward = std::move(backward);
    if (outcome.problem.empty()) {
        done_.push_back(std::move(edit));
    } else {
        bytes_ -= edit.bytes;
    }
    return outcome;
}

void EditHistory::clear() {
    ++revision_;
    base_ = version();
    done_.clear();
    undone_.clear();
    holding_.reset();
    bodies_.clear();
    joints_.clear();
    bytes_ = 0;
}

void EditHistory::begin() {
    clear();
    base_ = 0;
}

} // namespace cairn::core
