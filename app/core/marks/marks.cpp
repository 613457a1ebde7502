#include "app/core/marks/marks.h"

#include <algorithm>
#include <variant>

namespace cairn::core {

using namespace cairn::physics;

namespace {

struct Changes {
    bool slept = false, woke = false;
};

Changes changes_of_sleep(const FrameState& before, const FrameState& after) {
    Changes changes;
    auto old = before.bodies.begin(); // both lists ascend by slot
    for (const BodyState& body : after.bodies) {
        while (old != before.bodies.end() && old->id.index < body.id.index) {
            ++old;
        }
        if (old != before.bodies.end() && old->id == body.id && old->sleeping != body.sleeping) {
            (body.sleeping ? changes.slept : changes.woke) = true;
        }
    }
    return changes;
}

} // namespace

void MarkFinder::find(const FrameState& before, const FrameState& after, const std::vector<Touch>& touches,
                      const History& history, std::vector<Mark>& marks) {
    const std::uint64_t step = after.step;
    if (step == 0 || step > history.steps()) {
        return;
    }
    const std::size_t branch = history.branch_of_step(step);
    if (seen_.size() <= branch) {
        seen_.resize(branch + 1);
    }
    std::vector<bool>& seen = seen_[branch];
    if (seen.size() <= step) {
        seen.resize(step + 1);
    }
    if (seen[step]) {
        return;
    }
    seen[step] = true;
    const Changes changes = changes_of_sleep(before, after);
    const CommandList& commands = history.step(step).commands;
    const bool commanded = std::any_of(commands.begin(), commands.end(), [](const Command& command) {
        return !std::holds_alternative<MoveGrab>(command);
    });
    const auto add = [&](bool there, MarkKind kind) {
        if (there) {
            marks.push_back({step, branch, kind});
        }
    };
    const bool struck = std::ranges::any_of(touches, [](const Touch& touch) { return !touch.is_break; });
    add(struck, MarkKind::strike);
    add(changes.slept, MarkKind::sleep);
    add(changes.woke, MarkKind::wake);
    add(commanded, MarkKind::command);
    add(!after.breaks.empty(), MarkKind::joint_break);
}

} // namespace cairn::core
