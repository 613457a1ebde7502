// The one door into the world.
#include "physics/base/default_floats.h"
#include "physics/world/contacts/reach.h"
#include "physics/world/engine/world_impl.h"
#include "physics/world/parameters/parameters.h"
#include "physics/world/parameters/validation.h"
#include "physics/world/state/load_changes.h"

#include <utility>

namespace cairn::physics {

namespace {

// After the type was changed: fixed and moving shapes are in different trees.
void refresh_shapes_type(WorldData& data, std::uint32_t slot) {
    const ColdBody& cold = data.bodies.cold[slot];
    const std::span<const std::uint32_t> listed = data.contacts.of_body(slot);
    const std::vector<std::uint32_t> pairs(listed.begin(), listed.end());
    for (const std::uint32_t pair : pairs) {
        data.contacts.destroy(pair);
    }
    for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
        data.broadphase.remove(i);
        data.broadphase.add(i, data.bodies.shapes[i].reach, data.bodies[slot].type != BodyType::fixed);
    }
}

// Such a command is how kinematic bodies are driven in every step: it leaves the prototype alone.
bool states_motion_alone(const SetBody& command) {
    SetBody motion;
    motion.body = command.body;
    motion.position = command.position;
    motion.orientation = command.orientation;
    motion.linear_velocity = command.linear_velocity;
    motion.angular_velocity = command.angular_velocity;
    return motion == command;
}

template <typename T>
void assign_if(T& to, const std::optional<T>& from) {
    if (from) {
        to = *from;
    }
}

} // namespace

CommandResult World::apply(const Command& command) {
    const DefaultFloats floats;
    return std::visit([this](const auto& one) { return impl_->apply(one); }, command);
}

CommandResult World::Impl::apply(const CreateBody& command) {
    return create(command.body);
}

// Everything is looked at before anything is made.
CommandResult World::Impl::apply(const CreateBodies& command) {
    const auto in_list = [](const char* what, std::size_t place, std::string problem) {
        return refused(std::string(what) + " " + std::to_string(place) + " of the list: " + std::move(problem));
    };
    for (std::size_t i = 0; i < command.bodies.size(); ++i) {
        std::string problem = problem_with(command.bodies[i]);
        if (problem.empty()) {
            auto found = kinds.get(command.bodies[i]);
            if (std::string* reason = std::get_if<std::string>(&found)) {
                problem = std::move(*reason);
            }
        }
        if (!problem.empty()) {
            return in_list("body", i, std::move(problem));
        }
    }
    const auto listed = [&](BodyId place) -> std::optional<BodyType> {
        return place.index < command.bodies.size() ? std::optional(command.bodies[place.index].type) : std::nullopt;
    };
    for (std::size_t i = 0; i < command.joints.size() + command.ties.size(); ++i) {
        const bool tie = i >= command.joints.size();
        const JointDef& def = tie ? command.ties[i - command.joints.size()] : command.joints[i];
        std::string problem;
        if (def.body_a && !tie && def.body_a == def.body_b) {
            problem = "a joint needs two bodies, not the same one twice";
        } else {
            problem = problem_joining(def, tie ? type_of(def.body_a) : listed(def.body_a), listed(def.body_b));
        }
        if (!problem.empty()) {
            return tie ? in_list("tie", i - command.joints.size(), std::move(problem))
                       : in_list("joint", i, std::move(problem));
        }
    }
    CommandResult result;
    for (const BodyDef& body : command.bodies) {
        result.bodies.push_back(create(body).created);
    }
    const auto join = [&](JointDef def, bool tie) {
        def.body_b = result.bodies[def.body_b.index];
        if (def.body_a && !tie) {
            def.body_a = result.bodies[def.body_a.index];
        }
        result.joints.push_back(join_bodies(def));
    };
    for (const JointDef& joint : command.joints) {
        join(joint, false);
    }
    for (const JointDef& tie : command.ties) {
        join(tie, true);
    }
    return result;
}

CommandResult World::Impl::apply(const DestroyBody& command) {
    if (data.bodies.find(command.body) == nullptr) {
        return no_such_body(command.body);
    }
    destroy(command.body.index);
    return {};
}

CommandResult World::Impl::apply(const SetBody& command) {
    BodyRecord* body = data.bodies.find(command.body);
    if (body == nullptr) {
        return no_such_body(command.body);
    }
    if (std::string problem = problem_with(command); !problem.empty()) {
        return refused(std::move(problem));
    }
    const std::uint32_t slot = command.body.index;
    std::shared_ptr<const BodyKind> prototype; // none: the body keeps its own
    if (!states_motion_alone(command)) {
        auto found = changed_prototype(command);
        if (std::string* problem = std::get_if<std::string>(&found)) {
            return refused(std::move(*problem));
        }
        prototype = std::get<std::shared_ptr<const BodyKind>>(std::move(found));
    }
    const bool meets_others = command.filter && *command.filter != data.bodies.kind(slot).def.filter;

    // Whatever rests on the body must notice that it changes, before and after.
    data.waking().wake_neighbours(slot);
    data.waking().wake(slot);
    const BodyType old_type = body->type;
    const bool elsewhere = command.position.value_or(body->pose.position) != body->pose.position ||
                           command.orientation.value_or(body->pose.orientation) != body->pose.orientation;
    if (body->type == BodyType::dynamic && elsewhere) {
        LoadChanges(data).release(slot);
    } else if (prototype) {
        LoadChanges(data).change_kind(slot, *prototype);
    }
    if (prototype) {
        const std::shared_ptr<const BodyModel> model = data.bodies.cold[slot].model;
        const std::string name = command.name.value_or(model->def.name);
        data.bodies.set_prototype(slot, prototype, kinds.named(prototype, name, model->def.colour));
        ++data.revision;
    }
    if (old_type != BodyType::dynamic &&
        (command.linear_velocity || command.angular_velocity || body->type != old_type)) {
        LoadChanges(data).change_motion(slot);
    }
    assign_if(body->linear_velocity, command.linear_velocity);
    assign_if(body->angular_velocity, command.angular_velocity);
    if (body->type == BodyType::fixed) {
        body->linear_velocity = body->angular_velocity = Vec3(0.0f);
    }
    refresh_contacts(slot);
    if (body->type != old_type) {
        body->sleeping = false;
        if (data.grab.active && data.grab.grab.body.index == slot && body->type != BodyType::dynamic) {
            data.grab = GrabRecord{};
        }
        refresh_shapes_type(data, slot);
        if (body->type == BodyType::dynamic) {
            data.bodies.place(slot);
        }
    }
    if (meets_others) {
        end_ignored_contacts(slot);
        reposition(data.settings, data.bodies, data.broadphase, slot);
    }
    if (command.position || command.orientation) {
        assign_if(body->pose.position, command.position);
        if (command.orientation) {
            body->pose.orientation = normalized(*command.orientation);
        }
        reposition(data.settings, data.bodies, data.broadphase, slot);
    }
    data.waking().refresh(slot);
    if ((command.position || command.orientation) && !body->awake) {
        data.waking().wake_around(slot, data.broadphase);
    }
    data.bodies.rehash(slot);
    data.bodies.resting_revision += body->awake ? 0 : 1;
    return {};
}

CommandResult World::Impl::apply(const SetColour& command) {
    if (data.bodies.find(command.body) == nullptr) {
        return no_such_body(command.body);
    }
    ColdBody& cold = data.bodies.cold[command.body.index];
    if (cold.model->def.colour != command.colour) {
        cold.model = kinds.named(cold.kind, cold.model->def.name, command.colour);
        ++data.revision;
    }
    return {};
}

void World::Impl::refresh_contacts(std::uint32_t slot) {
    for (const std::uint32_t pair : data.contacts.of_body(slot)) {
        if (data.contacts.pair(pair).touching()) {
            data.contacts[data.contacts.pair(pair).contact].tolerance = 0.0f;
        }
    }
}

// The definition with the changes, as a prototype; or what is wrong with them.
std::variant<std::shared_ptr<const BodyKind>, std::string> World::Impl::changed_prototype(const SetBody& command) {
    const BodyKind& old = data.bodies.kind(command.body.index);
    BodyDef def = old.def;
    assign_if(def.type, command.type);
    for (const BodyParameter& p : plain_body_parameters) {
        with_both(p, def, command, [](auto& value, const auto& changed) { value = changed.value_or(value); });
    }
    assign_if(def.filter, command.filter);
    assign_if(def.locks, command.locks);
    if (command.mass) {
        if (def.inertia) { // stated for the old mass, which a body that was not dynamic does not know
            BodyDef before = def;
            before.type = BodyType::dynamic;
            const auto found = kinds.get(before);
            if (const auto* kind = std::get_if<std::shared_ptr<const BodyKind>>(&found)) {
                def.inertia = *def.inertia * (*command.mass / (*kind)->mass);
            }
        }
        def.mass = command.mass;
    }
    if (command.inertia) {
        def.inertia = command.inertia;
    }
    if (def.inertia) {
        if (const std::string problem = problem_with_inertia(*def.inertia); !problem.empty()) {
            return "with that mass the " + problem;
        }
    }
    auto found = kinds.get(def);
    if (std::string* problem = std::get_if<std::string>(&found)) { // the shapes are what they were
        return old.has_mesh || old.collider_count() == 0 ? std::move(*problem)
                                                         : std::string("mass or inertia is out of range");
    }
    return found;
}

CommandResult World::Impl::apply(const Grab& command) {
    if (std::string why = reason_not_to_push(command.body, problem_with(command), "grabbed"); !why.empty()) {
        return refused(std::move(why));
    }
    data.grab = {true, command, Vec3(0.0f)};
    data.waking().wake(command.body.index);
    data.bodies.rehash(command.body.index);
    return {};
}

CommandResult World::Impl::apply(const MoveGrab& command) {
    if (std::string problem = problem_with_position(command.target); !problem.empty()) {
        return refused(std::move(problem));
    }
    if (!data.grab.active) {
        return refused("nothing is grabbed");
    }
    data.grab.grab.target = command.target;
    return {};
}

CommandResult World::Impl::apply(const ReleaseGrab&) {
    data.grab = GrabRecord{};
    return {};
}

CommandResult World::Impl::apply(const SetSettings& command) {
    if (std::string problem = problem_with(command.settings); !problem.empty()) {
        return refused(std::move(problem));
    }
    // Whoever changes how contacts carry wants to see it in the heap that lies there. When to sleep concerns those who
    // are awake.
    Settings but_for_sleep = data.settings;
    but_for_sleep.sleep_speed = command.settings.sleep_speed;
    but_for_sleep.sleep_time = command.settings.sleep_time;
    const bool wake_all = but_for_sleep != command.settings;
    if (command.settings != data.settings) {
        LoadChanges(data).change_settings();
    }
    data.settings = command.settings;
    ++data.bodies.resting_revision; // gravity is in the energy of those at rest
    if (wake_all) {
        for (std::uint32_t slot = 0; slot < data.bodies.size(); ++slot) {
            if (data.bodies[slot].alive) {
                data.waking().wake(slot);
                refit(data.settings, data.bodies, data.broadphase,
                      slot); // how far ahead contacts are made is one of the settings
            }
        }
    }
    return {};
}

} // namespace cairn::physics
