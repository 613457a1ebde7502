// What is asked of the world: commands and edits wait here for the next step.
#include "app/core/edits/edit_commands.h"
#include "app/core/runner/runner_impl.h"
#include "app/core/scene/worlds/frame_bodies.h"

#include <utility>
#include <variant>

namespace cairn::core {

using namespace cairn::physics;

void Runner::Impl::reject_queue(const char* reason) {
    std::vector<Pending> rejected;
    rejected.swap(queue);
    for (Pending& pending : rejected) {
        if (pending.on_result) {
            pending.on_result(CommandResult{reason, {}});
        }
        if (pending.on_created) {
            pending.on_created({});
        }
    }
}

void Runner::Impl::apply_queue() {
    taken.clear();
    taken.swap(queue);
    for (Pending& pending : taken) {
        std::visit(Overloaded{
                       [&](Command& command) { apply(std::move(command), pending.mark, pending.result); },
                       [&](CreateBodies& many) { create(many, pending.mark, pending.created); },
                       [&](Unwind how) { unwind(how, pending.mark.gesture); },
                       [&](const auto& change) { apply_edit(change, pending.mark); },
                   },
                   pending.asked);
    }
}

bool Runner::Impl::apply(Command command, const EditMark& mark, CommandResult& result) {
    result = edits.apply(world, command, mark);
    if (!result.ok()) {
        say(result.error);
        return false;
    }
    applied(std::move(command));
    return true;
}

void Runner::Impl::create(CreateBodies& many, const EditMark& mark, std::vector<BodyId>& created) {
    CommandResult result;
    for (BodyDef& body : many.bodies) {
        apply(CreateBody{std::move(body)}, mark, result);
        created.push_back(result.created);
    }
    const auto body_at = [&](BodyId place) { return place.index < created.size() ? created[place.index] : BodyId{}; };
    for (JointDef& joint : many.joints) {
        const bool in_world = !joint.body_a;
        joint.body_b = body_at(joint.body_b);
        joint.body_a = in_world ? BodyId{} : body_at(joint.body_a);
        if (joint.body_b && (in_world || joint.body_a)) {
            apply(CreateJoint{std::move(joint)}, mark, result);
        }
    }
    for (JointDef& tie : many.ties) {
        tie.body_b = body_at(tie.body_b);
        if (tie.body_b) {
            apply(CreateJoint{std::move(tie)}, mark, result);
        }
    }
}

template <class Change>
void Runner::Impl::apply_edit(const Change& change, const EditMark& mark) {
    std::vector<Command> taken_by_world;
    const CommandResult result = edits.apply(world, change, mark, taken_by_world);
    for (Command& command : taken_by_world) {
        applied(std::move(command));
    }
    if (!result.ok()) {
        const auto model = world.model(change.body);
        say((model ? body_name(model->def, change.body) + ": " : std::string()) + result.error);
    }
}

void Runner::Impl::applied(Command command) {
    carry_to_previous(command);
    record.commands.push_back(std::move(command));
}

void Runner::Impl::unwind(Unwind how, std::uint64_t gesture) {
    EditHistory::Outcome outcome = how == Unwind::undo   ? edits.undo(world)
                                   : how == Unwind::redo ? edits.redo(world)
                                                         : edits.give_up(world, gesture);
    for (Command& command : outcome.applied) {
        applied(std::move(command));
    }
    constexpr std::size_t most = 100000; // kept until somebody takes them
    if (remade.size() + outcome.remade.size() > most) {
        remade.clear();
    }
    remade.insert(remade.end(), outcome.remade.begin(), outcome.remade.end());
    if (!outcome.problem.empty()) {
        say((how == Unwind::redo ? "redoing \"" : "undoing \"") + outcome.what + "\": " + outcome.problem);
    }
}

void Runner::Impl::answer() {
    // A callback may submit commands (they are for the next step) or even load another scene.
    std::vector<Pending> answered;
    answered.swap(taken);
    for (Pending& pending : answered) {
        if (pending.on_result) {
            pending.on_result(pending.result);
        }
        if (pending.on_created) {
            pending.on_created(pending.created);
        }
    }
    answered.clear();
    if (taken.empty()) {
        taken.swap(answered); // keeps the memory
    }
}

void Runner::submit(Command command, std::function<void(const CommandResult&)> on_result, EditMark mark) {
    if (impl_->replay) {
        if (on_result) {
            on_result(CommandResult{replay_rejection, {}});
        }
        return;
    }
    impl_->queue.push_back({std::move(command), std::move(mark), std::move(on_result)});
}

void Runner::submit(CreateBodies many, std::function<void(const std::vector<BodyId>&)> on_result, EditMark mark) {
    if (impl_->replay) {
        if (on_result) {
            on_result({});
        }
        return;
    }
    impl_->queue.push_back({std::move(many), std::move(mark), {}, {}, std::move(on_result)});
}

void Runner::submit(ReplaceShape change, EditMark mark) {
    impl_->ask(std::move(change), std::move(mark));
}

void Runner::submit(const BrushHeights& brush, EditMark mark) {
    impl_->ask(brush, std::move(mark));
}

void Runner::undo() {
    impl_->ask(Impl::Unwind::undo);
}

void Runner::redo() {
    impl_->ask(Impl::Unwind::redo);
}

void Runner::give_up(std::uint64_t gesture) {
    impl_->ask(Impl::Unwind::give_up, {{}, gesture});
}

void Runner::apply_pending() {
    if (impl_->replay) {
        impl_->reject_queue(replay_rejection);
        return;
    }
    if (impl_->queue.empty()) {
        return;
    }
    impl_->apply_queue();
    impl_->begin_frame();
    impl_->world.publish(*impl_->current);
    impl_->answer();
}

bool Runner::has_pending() const {
    return !impl_->queue.empty() || !impl_->record.commands.empty();
}

} // namespace cairn::core
