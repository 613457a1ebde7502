#include "app/core/edits/edit_history.h"

#include "app/core/edits/edit_commands.h"
#include "app/core/edits/height_edits.h"

namespace cairn::core {

using namespace physics;

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

std::size_t EditHistory::bytes_of(const Edit& edit) {
    std::size_t bytes = sizeof(Edit) + edit.what.size();
    for (const std::vector<Task>* tasks : {&edit.forward, &edit.backward}) {
        for (const Task& task : *tasks) {
            bytes += sizeof(Task) + core::bytes_of(task.command);
        }
    }
    return bytes;
}

void EditHistory::forget_oldest() {
    while (bytes_ > most_bytes_ && done_.size() > 1) {
        bytes_ -= done_.front().bytes;
        base_ = done_.front().version;
        done_.pop_front();
    }
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
    edit.bytes = bytes_of(edit);
    if (edit.gesture != 0 && !done_.empty() && done_.back().gesture == edit.gesture) {
        edit.bytes -= sizeof(Edit) + edit.what.size();
        join_last(std::move(edit));
    } else {
        bytes_ += edit.bytes;
        done_.push_back(std::move(edit));
    }
    forget_oldest();
}

// `later` puts another shape in a place of a body where `earlier` has done so. Other places and bodies may have got
// theirs in between.
bool EditHistory::join_shape(Edit& earlier, Edit& later) {
    if (later.forward.size() != 2) {
        return false;
    }
    auto* second = std::get_if<AddShape>(&later.forward.front().command);
    const auto* same = std::get_if<RemoveShape>(&later.forward.back().command);
    for (std::size_t i = earlier.forward.size(); second != nullptr && same != nullptr && i >= 2; i -= 2) {
        auto* first = std::get_if<AddShape>(&earlier.forward[i - 2].command);
        const auto* removal = std::get_if<RemoveShape>(&earlier.forward[i - 1].command);
        if (first == nullptr || removal == nullptr || first->body != removal->body || !first->place ||
            removal->shape != *first->place + 1) {
            return false;
        }
        if (first->body == second->body && first->place == second->place && *removal == *same) {
            *first = std::move(*second);
            return true;
        }
    }
    return false;
}

void EditHistory::join_last(Edit edit) {
    Edit& last = done_.back();
    last.version = edit.version;
    if (join_shape(last, edit)) {
        return;
    }
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

CommandResult EditHistory::carry_out(World& world, const Task& task, Outcome& outcome) {
    Command command = with_present_handles(task.command);
    const CommandResult result = world.apply(command);
    if (!result.ok()) {
        outcome.problem = result.error;
        return result;
    }
    if (result.created) {
        outcome.remade.push_back({bodies_.now(task.body), result.created});
        bodies_.rename(task.body, result.created);
    }
    if (result.joint) {
        joints_.rename(task.joint, result.joint);
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
    for (const Task& task : edit.backward) {
        carry_out(world, task, outcome);
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
    std::vector<Task> backward;
    for (Task& task : edit.forward) {
        std::vector<Task> back = inverse(world, with_present_handles(task.command));
        const CommandResult result = carry_out(world, task, outcome);
        if (!result.ok()) {
            continue;
        }
        if (result.created) {
            back = {{DestroyBody{task.body}, {}, {}}};
        } else if (result.joint) {
            back = {{DestroyJoint{task.joint}, {}, {}}};
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
