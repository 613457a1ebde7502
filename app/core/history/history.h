// What has happened in a running world since it was made: every command and hash, and now and then a snapshot, so that
// any step can be had again to the bit. Kept all the time, so that nobody has to know beforehand what will be worth
// seeing again.
#pragma once

#include "app/core/capture/capture.h"
#include "physics/world/world.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::core {

// A segment of a history that stays as it is while the world goes on: a snapshot, or the scene, and what followed.
struct Segment {
    std::shared_ptr<const Scene> scene;
    std::shared_ptr<const physics::Snapshot> snapshot; // none: the scene as it starts
    std::vector<CaptureStep> steps;                    // from the one after the snapshot on
};

// Goes through a segment in a world of its own. The only way in which this could go wrong is an engine that does not
// give the same bits twice; a hash that differs is reported.
class Retrace {
  public:
    // `executor` as the world's. Throws InputError when the world rejects the scene.
    explicit Retrace(Segment segment, physics::Executor* executor = nullptr);

    bool done() const { return next_ >= segment_.steps.size(); }
    std::uint64_t step() const { return world_.step_count(); } // that the world stands at
    std::uint64_t last_step() const { return step() + (segment_.steps.size() - next_); }
    void advance(); // one step; none when done
    const physics::World& world() const { return world_; }
    const std::optional<Divergence>& divergence() const { return divergence_; } // the first one

  private:
    Segment segment_;
    physics::World world_;
    std::size_t next_ = 0;
    std::optional<Divergence> divergence_;
};

// Time is a tree: a world that is taken back and goes on differently begins another branch, and what followed on the
// first is kept. There is one current branch, which everything here is about unless it says otherwise.
class History {
  public:
    static constexpr std::size_t usual_budget = std::size_t{256} << 20; // bytes
    // What snapshots may add to the time that steps take.
    static constexpr double share_of_time = 0.02;

    // `budget`: bytes that snapshots may hold together; 0 = none are made. Commands and hashes are kept whatever they
    // take: some 50 bytes a step where nothing is done.
    explicit History(std::size_t budget = usual_budget) : budget_(budget) {}

    // Forgets everything. The world is what `scene` makes, and its hash `initial_hash`, before any command.
    void begin(std::shared_ptr<const Scene> scene, std::uint64_t initial_hash);

    // After a step of the world that took `seconds`: what was applied before it, and the hash after it. If the current
    // branch has another step in this place, a new one begins here and is the current one.
    void add(CaptureStep step, const physics::World& world, double seconds);

    // The steps of a capture of the world that has just begun, as the first branch: all of them are known then, and its
    // keyframes are read from its file when they are wanted. After begin(), before any step.
    void adopt(std::shared_ptr<const Capture> capture);
    void forget_keyframes() { keyframes_are_there_ = false; } // their file cannot be read any more

    const Scene& scene() const { return *scene_; } // that began it
    std::uint64_t steps() const { return steps_of(current_); }
    const CaptureStep& step(std::uint64_t number) const { return step(current_, number); } // 1 .. steps()
    const CaptureStep& step(std::size_t branch, std::uint64_t number) const;               // of any branch
    // Those that apply on that branch after that step of it.
    physics::Settings settings_after(std::size_t branch, std::uint64_t step) const;
    std::size_t snapshots() const; // of all branches
    std::size_t snapshot_bytes() const { return bytes_; }

    // Branches in the order in which they began. A branch shares the steps up to `fork` with its parent; the first one
    // has none and is its own parent.
    struct Branch {
        std::size_t parent = 0;
        std::uint64_t fork = 0, end = 0; // steps
        std::string name;                // for people; may be empty
    };
    std::size_t branch_count() const { return branches_.size(); }
    Branch branch(std::size_t index) const;
    std::size_t current_branch() const { return current_; }
    // The branch that a step of the current one belongs to: itself, or one that it comes from.
    std::size_t branch_of_step(std::uint64_t step) const { return holder(current_, step); }
    void name_branch(std::size_t index, std::string name);
    // The last step that two branches have in common.
    static std::uint64_t shared_steps(std::span<const Branch> branches, std::size_t a, std::size_t b);
    // Calls visit(index, end) for a branch and then for each that it comes from, with the last step that lies on it.
    template <class Visit>
    static void visit_past(std::span<const Branch> branches, std::size_t index, Visit&& visit) {
        std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
        visit(index, end);
        while (index != 0 && index < branches.size()) {
            end = std::min(end, branches[index].fork);
            index = branches[index].parent;
            visit(index, end);
        }
    }
    // Makes another branch the current one. Returns the last step that both have in common: a world that stands there
    // or before is on either.
    std::uint64_t take_branch(std::size_t index);

    // From a step of which there is a snapshot, or from the start, up to the last one; begins at `from` or before, as
    // near to it as there is a snapshot.
    Segment segment_of_branch(std::size_t branch, std::uint64_t from) const;
    // Of the current one, without the steps after `to`.
    Segment segment(std::uint64_t from, std::uint64_t to = std::numeric_limits<std::uint64_t>::max()) const;

    // Brings a world of this history to the state after the given step, 0 .. steps(). `at_hand`: the world stands at a
    // step of the current branch, and need not be set up anew to go forward. Asks `give_up` before each step, and if
    // that says so leaves the world at the step that it has come to. Returns the first step on the way whose hash is
    // another than is known: with steps that were computed here there is none. Throws InputError where a capture's
    // file is another by now; then the world is as it was.
    std::optional<Divergence> seek(physics::World& world, std::uint64_t to, bool at_hand,
                                   const std::function<bool()>& give_up = {}) const;

    // The current branch as a capture; the file is whole or as it was. Its last steps get digests, which costs doing
    // them again: as many as `digest_steps` and `digest_seconds` allow, the last ones first. `executor` as the world's.
    // Throws InputError naming the path.
    static constexpr std::uint64_t digest_steps = 3600;
    static constexpr double digest_seconds = 2.0;
    void save(const std::filesystem::path& path, physics::Executor* executor = nullptr) const;

    std::uint64_t initial_hash() const { return initial_hash_; }
    // What save() writes, without digests: each step of the current branch up to `last`, and after some of them the
    // whole state, whose bytes `add_keyframe` returns. For a recording that begins late.
    void write_until(std::uint64_t last, const std::function<void(const CaptureStep&)>& add,
                     const std::function<std::size_t(const physics::StateImage&)>& add_keyframe) const;

  private:
    struct Kept {
        std::uint64_t step = 0;
        std::size_t bytes = 0;
        std::shared_ptr<const physics::Snapshot> snapshot;
    };
    struct Stored {
        std::size_t parent = 0;
        std::uint64_t fork = 0;
        std::string name{};
        // From fork + 1 on; of the first branch, from the one after the capture's last.
        std::deque<CaptureStep> steps{};
        std::vector<Kept> snapshots{}; // by step, beyond the fork
    };
    // How many steps of the branch are the capture's own, which holds them.
    std::uint64_t recorded(std::size_t branch) const { return branch == 0 && capture_ ? capture_->steps.size() : 0; }
    std::uint64_t steps_of(std::size_t branch) const {
        return branches_[branch].fork + recorded(branch) + branches_[branch].steps.size();
    }
    std::size_t holder(std::size_t branch, std::uint64_t step) const; // of its ancestors and itself: whose step that is
    // The last one up to the step; nullptr: there is none.
    const Kept* nearest(std::size_t branch, std::uint64_t step) const;
    const KeyframePlace* nearest_keyframe(std::size_t branch, std::uint64_t step) const;
    // From where that step is had soonest: one of these or, with neither, the start.
    struct Base {
        std::uint64_t step = 0;
        const Kept* kept = nullptr;
        const KeyframePlace* keyframe = nullptr;
    };
    Base base(std::size_t branch, std::uint64_t step) const;
    void put_at(physics::World& world, const Base& base) const;
    void keep_if_due(const physics::World& world, double seconds); // that the step took
    void keep(const physics::World& world);
    void thin_out();
    using Digests = std::map<std::uint64_t, std::shared_ptr<const physics::StateDigest>>; // by step
    Digests digests_of_the_end(physics::Executor* executor) const;

    std::size_t budget_;
    std::shared_ptr<const Scene> scene_;
    std::shared_ptr<const Capture> capture_; // that the first branch begins with, or none
    bool keyframes_are_there_ = false;       // in its file
    std::uint64_t initial_hash_ = 0;
    std::vector<Stored> branches_{1};
    std::size_t current_ = 0;
    std::size_t bytes_ = 0; // of the snapshots
    double stepped_ = 0.0;  // s, spent in steps since the last snapshot
    double cost_ = 0.0;     // s, that the last snapshot took
};

} // namespace cairn::core
