#include "app/core/history/history.h"

#include "app/core/base/error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

namespace cairn::core {

using namespace cairn::physics;

namespace {

// What a snapshot takes until one has been made: about so many bytes a body in a heap, and s per byte. Asking the
// world for its own count goes through all of its bodies, which is too much for every step.
constexpr double bytes_per_body = 5000.0;
constexpr double seconds_per_byte = 1.0 / 1.5e9;

// As in a recording: for each step, before compression.
constexpr std::size_t most_keyframe_bytes = 20'000;

std::size_t bytes_of_snapshot(const World& world) {
    const MemoryUse use = world.memory_use();
    return use.bodies + use.trees + use.contacts + use.joints;
}

} // namespace

Retrace::Retrace(Segment segment, Executor* executor)
    : segment_(std::move(segment)), world_(make_world(*segment_.scene, executor)) {
    if (segment_.snapshot) {
        world_.restore(*segment_.snapshot);
    }
}

void Retrace::advance() {
    if (done()) {
        return;
    }
    const CaptureStep& step = segment_.steps[next_++];
    replay_step(world_, step);
    if (world_.hash() != step.hash && !divergence_) {
        divergence_ = divergence_at(step.step, step.hash, world_.hash(), {});
    }
}

void History::begin(std::shared_ptr<const Scene> scene, std::uint64_t initial_hash) {
    scene_ = std::move(scene);
    initial_hash_ = initial_hash;
    capture_.reset();
    branches_.assign(1, {});
    current_ = 0;
    bytes_ = 0;
    stepped_ = cost_ = 0.0;
}

std::size_t History::holder(std::size_t branch, std::uint64_t step) const {
    while (step <= branches_[branch].fork && branch != 0) {
        branch = branches_[branch].parent;
    }
    return branch;
}

const CaptureStep& History::step(std::size_t branch, std::uint64_t number) const {
    const std::size_t of = holder(branch, number);
    const auto place = static_cast<std::size_t>(number - branches_[of].fork - 1);
    const auto shared = static_cast<std::size_t>(recorded(of));
    return place < shared ? capture_->steps[place] : branches_[of].steps[place - shared];
}

std::size_t History::snapshots() const {
    std::size_t count = 0;
    for (const Stored& stored : branches_) {
        count += stored.snapshots.size();
    }
    return count;
}

History::Branch History::branch(std::size_t index) const {
    return {branches_[index].parent, branches_[index].fork, steps_of(index), branches_[index].name};
}

void History::name_branch(std::size_t index, std::string name) {
    branches_[index].name = std::move(name);
}

Settings History::settings_after(std::size_t branch, std::uint64_t step) const {
    for (std::uint64_t number = std::min(step, steps_of(branch)); number > 0; --number) {
        std::optional<Settings> last;
        for (const Command& command : this->step(branch, number).commands) {
            if (const auto* set = std::get_if<SetSettings>(&command)) {
                last = set->settings;
            }
        }
        if (last) {
            return *last;
        }
    }
    return scene_->settings;
}

std::uint64_t History::shared_steps(std::span<const Branch> branches, std::size_t a, std::size_t b) {
    std::uint64_t on_a = branches[a].end, on_b = branches[b].end;
    while (a != b) { // a branch begins after its parent
        std::size_t& later = a > b ? a : b;
        (a > b ? on_a : on_b) = branches[later].fork;
        later = branches[later].parent;
    }
    return std::min(on_a, on_b);
}

std::uint64_t History::take_branch(std::size_t index) {
    std::vector<Branch> branches;
    for (std::size_t i = 0; i < branches_.size(); ++i) {
        branches.push_back(branch(i));
    }
    return shared_steps(branches, std::exchange(current_, index), index);
}

void History::add(CaptureStep step, const World& world, double seconds) {
    step.step = world.step_count();
    if (step.step <= steps()) {
        const CaptureStep& known = this->step(step.step);
        if (known.hash == step.hash && known.commands == step.commands) {
            keep_if_due(world, seconds); // the world goes the way that it went
            return;
        }
        const std::uint64_t fork = step.step - 1;
        Stored stored;
        stored.parent = holder(current_, fork);
        stored.fork = fork;
        branches_.push_back(std::move(stored));
        current_ = branches_.size() - 1;
    }
    branches_[current_].steps.push_back(std::move(step));
    keep_if_due(world, seconds);
}

void History::keep_if_due(const World& world, double seconds) {
    if (budget_ == 0) {
        return;
    }
    stepped_ += seconds;
    const double cost =
        cost_ > 0.0 ? cost_ : static_cast<double>(world.body_count()) * bytes_per_body * seconds_per_byte;
    if (stepped_ * share_of_time >= cost) {
        keep(world);
    }
}

void History::adopt(std::shared_ptr<const Capture> capture) {
    capture_ = std::move(capture);
    keyframes_are_there_ = true;
}

void History::keep(const World& world) {
    const std::size_t bytes = bytes_of_snapshot(world);
    stepped_ = 0.0;
    if (2 * bytes > budget_) {
        cost_ = static_cast<double>(bytes) * seconds_per_byte; // asked again when it may have shrunk
        return;                                                // of such a world only the start is known
    }
    const std::uint64_t step = world.step_count();
    std::vector<Kept>& kept = branches_[holder(current_, step)].snapshots;
    const auto at = std::ranges::lower_bound(kept, step, {}, &Kept::step);
    if (at != kept.end() && at->step == step) {
        return;
    }
    const auto start = std::chrono::steady_clock::now();
    kept.insert(at, {step, bytes, world.snapshot()});
    cost_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    bytes_ += bytes;
    thin_out();
}

// Lets those go that are missed least: whose neighbours are near to each other, compared with how far they lie from the
// newest step. So the recent past is had at once, and the distance between snapshots grows with age. The newest
// snapshot of the current branch stays.
void History::thin_out() {
    const double now = static_cast<double>(steps());
    while (bytes_ > budget_) {
        Stored* from = nullptr;
        std::size_t least = 0;
        double least_loss = 0.0;
        for (std::size_t branch = 0; branch < branches_.size(); ++branch) {
            Stored& stored = branches_[branch];
            for (std::size_t i = 0; i < stored.snapshots.size(); ++i) {
                const bool last = i + 1 == stored.snapshots.size();
                if (last && branch == current_) {
                    continue;
                }
                const auto step = static_cast<double>(stored.snapshots[i].step);
                const auto before = static_cast<double>(i == 0 ? stored.fork : stored.snapshots[i - 1].step);
                const auto after = static_cast<double>(last ? steps_of(branch) : stored.snapshots[i + 1].step);
                const double loss = (after - before) / (std::abs(now - step) + 60.0);
                if (from == nullptr || loss < least_loss) {
                    from = &stored;
                    least = i;
                    least_loss = loss;
                }
            }
        }
        if (from == nullptr) {
            return;
        }
        bytes_ -= from->snapshots[least].bytes;
        from->snapshots.erase(from->snapshots.begin() + static_cast<std::ptrdiff_t>(least));
    }
}

const History::Kept* History::nearest(std::size_t branch, std::uint64_t step) const {
    for (;; branch = branches_[branch].parent) {
        const std::vector<Kept>& kept = branches_[branch].snapshots;
        const auto after = std::ranges::upper_bound(kept, step, {}, &Kept::step);
        if (after != kept.begin()) {
            return &*std::prev(after);
        }
        if (branch == 0) {
            return nullptr;
        }
        step = std::min(step, branches_[branch].fork);
    }
}

const KeyframePlace* History::nearest_keyframe(std::size_t branch, std::uint64_t step) const {
    if (!capture_ || !keyframes_are_there_) {
        return nullptr;
    }
    for (; branch != 0; branch = branches_[branch].parent) {
        step = std::min(step, branches_[branch].fork);
    }
    return keyframe_before(capture_->keyframes, step);
}

History::Base History::base(std::size_t branch, std::uint64_t step) const {
    Base base;
    if (const Kept* kept = nearest(branch, step)) {
        base = {kept->step, kept, nullptr};
    }
    if (const KeyframePlace* place = nearest_keyframe(branch, step); place != nullptr && place->step > base.step) {
        base = {place->step, nullptr, place};
    }
    return base;
}

void History::put_at(World& world, const Base& base) const {
    if (base.keyframe != nullptr) {
        load_keyframe(world, *capture_, *base.keyframe);
    } else {
        world.restore(base.kept != nullptr ? *base.kept->snapshot : *make_world(*scene_).snapshot());
    }
}

Segment History::segment_of_branch(std::size_t branch, std::uint64_t from) const {
    const Base first = base(branch, from);
    Segment segment;
    segment.scene = scene_;
    if (first.kept != nullptr) {
        segment.snapshot = first.kept->snapshot;
    } else if (first.keyframe != nullptr) {
        World world = make_world(*scene_);
        put_at(world, first);
        segment.snapshot = world.snapshot();
    }
    for (std::uint64_t number = first.step + 1; number <= steps_of(branch); ++number) {
        segment.steps.push_back(step(branch, number));
    }
    return segment;
}

Segment History::segment(std::uint64_t from, std::uint64_t to) const {
    Segment segment = segment_of_branch(current_, from);
    while (!segment.steps.empty() && segment.steps.back().step > to) {
        segment.steps.pop_back();
    }
    return segment;
}

std::optional<Divergence> History::seek(World& world, std::uint64_t to, bool at_hand,
                                        const std::function<bool()>& give_up) const {
    const Base from = base(current_, to);
    if (!at_hand || world.step_count() > to || world.step_count() < from.step) {
        put_at(world, from);
    }
    std::optional<Divergence> divergence;
    while (world.step_count() < to && !(give_up && give_up())) {
        const CaptureStep& next = step(world.step_count() + 1);
        replay_step(world, next);
        if (const std::uint64_t hash = world.hash(); hash != next.hash && !divergence) {
            divergence = divergence_at(next.step, next.hash, hash, {});
        }
    }
    return divergence;
}

// A digest takes 6 to 20 % of the time of its step on one thread, too much to take one of each while the world runs.
// From snapshot to snapshot, the last segment first: whoever saves wants to keep what has just happened.
History::Digests History::digests_of_the_end(Executor* executor) const {
    using Clock = std::chrono::steady_clock;
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(digest_seconds));
    const auto late = [&] { return Clock::now() >= end; };
    const std::uint64_t before_first = steps() - std::min(steps(), digest_steps);
    Digests digests;
    World world = make_world(*scene_, executor);
    for (std::uint64_t known = steps(); known > before_first && !late();) { // the steps after `known` are done
        const std::uint64_t from = base(current_, known - 1).step;
        seek(world, from, false);
        while (world.step_count() < known && !late()) {
            const CaptureStep& next = step(world.step_count() + 1);
            replay_step(world, next);
            if (next.step > before_first && world.hash() == next.hash) { // of another state it would mislead
                digests.emplace(next.step, std::make_shared<const StateDigest>(world.digest()));
            }
        }
        known = from;
    }
    return digests;
}

void History::save(const std::filesystem::path& path, Executor* executor) const {
    CaptureWriter writer(path, *scene_, initial_hash_);
    const Digests digests = digests_of_the_end(executor);
    write_until(
        steps(),
        [&](CaptureStep one) {
            if (const auto digest = digests.find(one.step); digest != digests.end()) {
                one.digest = digest->second;
            }
            writer.add(one);
        },
        [&](const StateImage& state) { return writer.add_keyframe(state); });
    writer.finish();
}

void History::write_until(std::uint64_t until, const std::function<void(const CaptureStep&)>& add,
                          const std::function<std::size_t(const StateImage&)>& add_keyframe) const {
    if (until == 0) {
        return;
    }
    World world = make_world(*scene_);
    std::uint64_t last = 0;     // step of the last keyframe
    std::size_t last_bytes = 0; // of it, before compression
    for (std::uint64_t number = 1; number <= until; ++number) {
        add(step(number));
        const Base here = base(current_, number);
        if (here.step == number && last_bytes <= most_keyframe_bytes * (number - last)) {
            put_at(world, here);
            last_bytes = add_keyframe(world.image());
            last = number;
        }
    }
}

} // namespace cairn::core
