// What a user has done to a world, so that it can be undone and done again.
//
// An edit is taken back by commands, like every other change: they are recorded, and a capture replays them. The world
// is not wound back; it runs on, and what was pushed, moved, made or deleted is put as it was. What cannot be had again
// is a handle: a body that is made anew has another. So an edit names bodies and joints by the handles that they had at
// first, and the history knows what these stand for now.
#pragma once

#include "physics/world/world.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::core {

struct EditMark {
    std::string what;          // for people, "Spawn 8 boxes"; empty: made from the command
    std::uint64_t gesture = 0; // edits in a row with the same number other than 0 are taken back as one
    bool play = false;         // moves what is there, builds nothing: no work that is to be saved
};

// The present handle of each that was made anew, by its first one.
template <class Id>
class Renamed {
  public:
    Id now(Id first) const { return look_up(now_, first); }
    Id first(Id now) const { return look_up(first_, now); }
    void rename(Id first, Id now) {
        first_.erase(key(this->now(first)));
        if (first == now) {
            now_.erase(key(first));
            return;
        }
        now_[key(first)] = now;
        first_[key(now)] = first;
    }
    void clear() {
        now_.clear();
        first_.clear();
    }

  private:
    static std::uint64_t key(Id id) { return std::uint64_t(id.index) << 32 | id.generation; }
    static Id look_up(const std::map<std::uint64_t, Id>& in, Id id) {
        const auto at = in.find(key(id));
        return at == in.end() ? id : at->second;
    }
    std::map<std::uint64_t, Id> now_, first_;
};

// A body that an undo or a redo has made anew: its last handle, and the one that it has now.
struct RemadeBody {
    physics::BodyId before, now;
};

// For people; the next to be undone or done again first.
struct EditNames {
    std::vector<std::string> undo, redo;
    bool operator==(const EditNames&) const = default;
};

// Another shape in the place of one of a body's.
struct ReplaceShape {
    physics::BodyId body;
    std::uint32_t place = 0; // in BodyDef::shapes
    physics::ShapeDef shape;
};

// What a brush does to a height field: most in its middle, evenly less towards its rim.
struct BrushHeights {
    enum class Action : std::uint8_t { raise, smooth, flatten };

    physics::BodyId body;
    std::uint32_t place = 0;  // in BodyDef::shapes
    float x = 0.0f, y = 0.0f; // m, of its middle, in the frame of the field
    float radius = 1.0f;      // m
    Action action = Action::raise;
    float amount = 0.0f; // raise: m, downwards if negative; else the share of what there is to even out, 0..1
    float level = 0.0f;  // m: flatten, to this height
};

class EditHistory {
  public:
    // The oldest edits are forgotten when all take more than `most_bytes`.
    explicit EditHistory(std::size_t most_bytes = std::size_t(256) << 20) : most_bytes_(most_bytes) {}

    // Applies a user's command to the world and remembers how it is taken back.
    physics::CommandResult apply(physics::World& world, const physics::Command& command, const EditMark& mark);

    // The same by AddShape of the new one and RemoveShape of the old one, as one edit. The body stays as it is where
    // the world rejects either. `applied`: what the world took, in order.
    physics::CommandResult apply(physics::World& world, const ReplaceShape& change, const EditMark& mark,
                                 std::vector<physics::Command>& applied);

    // The same by SetHeights. Those of one gesture are one edit of one command.
    physics::CommandResult apply(physics::World& world, const BrushHeights& brush, const EditMark& mark,
                                 std::vector<physics::Command>& applied);

    // Joints that broke in a step are taken back like what a user has done: they are made anew, and pull together what
    // they hold. Those of steps between which nothing is done are one edit.
    void note_breaks(std::span<const physics::BreakState> breaks);

    bool can_undo() const { return !done_.empty() || holding_.has_value(); }
    bool can_redo() const { return !undone_.empty(); }
    const std::string& undo_what() const; // for people; empty if there is nothing
    const std::string& redo_what() const;
    EditNames names(std::size_t most) const;             // of each kind
    std::uint64_t revision() const { return revision_; } // grows whenever names() may have changed
    std::size_t bytes() const { return bytes_; }
    // Another number after each edit that builds something, and the earlier one again where it is undone: whoever has
    // saved the world at a version knows whether there is anything to save. Pushes, drags and breaks are no such edits.
    std::uint64_t version() const { return done_.empty() ? base_ : done_.back().version; }

    // Takes back the last edit, or does it again: applies its commands and hands over those that the world took, in
    // order. Where the world rejects one, `problem` says why; the others are carried out, and the edit is forgotten.
    struct Outcome {
        std::string what; // empty: there was nothing to do
        std::string problem;
        std::vector<physics::Command> applied;
        std::vector<RemadeBody> remade;
    };
    Outcome undo(physics::World& world);
    Outcome redo(physics::World& world);
    // As undo(), if the last edit is of this gesture, and leaves nothing behind: what was broken off was no edit.
    Outcome give_up(physics::World& world, std::uint64_t gesture);

    void clear(); // what was built stays built: the version is as before
    void begin(); // of another world, as it was loaded: version 0

  private:
    // A command with first handles, and the one that what it makes is known by.
    struct Task {
        physics::Command command;
        physics::BodyId body{};
        physics::JointId joint{};
    };
    struct Edit {
        std::string what;
        std::uint64_t gesture = 0;
        std::uint64_t version = 0; // after it; 0: not known yet
        bool builds = false;
        std::vector<Task> forward;  // in order
        std::vector<Task> backward; // in the order in which they take it back
        std::size_t bytes = 0;
    };
    static constexpr std::uint64_t breaking = ~std::uint64_t{0}; // the gesture of note_breaks

    struct Holding { // of a body that is being dragged
        physics::BodyId body;
        std::string what;
        physics::SetBody before;
    };

    std::vector<Task> inverse(const physics::World& world, const physics::Command& command) const;
    void add_remake(const physics::World& world, physics::BodyId body, std::vector<Task>& tasks) const;
    void hold(const physics::World& world, const physics::Command& command, std::optional<Holding> next);
    void let_go(const physics::World& world);
    void add(Edit edit);
    void join_last(Edit edit);
    static bool join_shape(Edit& earlier, Edit& later);
    bool unite_heights(const physics::World& world, Edit& earlier, const Edit& later) const;
    static std::size_t bytes_of(const Edit& edit);
    void forget_oldest();
    void forget_undone();
    physics::CommandResult carry_out(physics::World& world, const Task& task, Outcome& outcome);
    physics::Command with_first_handles(physics::Command command) const;
    physics::Command with_present_handles(physics::Command command) const;

    std::size_t most_bytes_, bytes_ = 0;
    std::uint64_t revision_ = 1;
    std::uint64_t base_ = 0, newest_ = 0; // versions: before the first edit of done_, and the last one given
    std::deque<Edit> done_, undone_;      // the last ones at the back
    std::optional<Holding> holding_;
    Renamed<physics::BodyId> bodies_;
    Renamed<physics::JointId> joints_;
};

} // namespace cairn::core
