#include "app/core/history/history.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace cairn::core {

using namespace cairn::physics;

namespace {

// Copying takes about this long, s per byte, until it has been measured.
constexpr double seconds_per_byte = 1.0 / 1.5e9;

std::size_t bytes_of_snapshot(const World& world) {
    const MemoryUse use = world.memory_use();
    return use.bodies + use.trees + use.contacts + use.joints;
}

// Applies and steps; the hash that came of it.
std::uint64_t repeat(World& world, const CaptureStep& step) {
    for (const Command& command : step.commands) {
        world.apply(command);
    }
    world.step();
    return world.hash();
}

} // namespace

Retrace::Retrace(Stretch stretch, Executor* executor)
    : stretch_(std::move(stretch)), world_(make_world(*stretch_.scene, executor)) {
    if (stretch_.snapshot) {
        world_.restore(*stretch_.snapshot);
    }
}

void Retrace::advance() {
    if (done()) {
        return;
    }
    const CaptureStep& step = stretch_.steps[next_++];
    const std::uint64_t hash = repeat(world_, step);
    if (hash != step.hash && !divergence_) {
        divergence_ = divergence_at(step.step, step.hash, hash, {});
    }
}

void History::begin(std::shared_ptr<const Scene> scene, std::uint64_t initial_hash) {
    scene_ = std::move(scene);
    initial_hash_ = initial_hash;
    steps_.clear();
    snapshots_.clear();
    bytes_ = 0;
    stepped_ = cost_ = 0.0;
}

void History::forget_from(std::uint64_t step) {
    if (steps_.size() < step) {
        return;
    }
    steps_.resize(static_cast<std::size_t>(step - 1));
    while (!snapshots_.empty() && snapshots_.back().step >= step) {
        bytes_ -= snapshots_.back().bytes;
        snapshots_.pop_back();
    }
}

void History::add(CaptureStep step, const World& world, double seconds) {
    step.step = world.step_count();
    forget_from(step.step);
    steps_.push_back(std::move(step));
    if (budget_ == 0) {
        return;
    }
    stepped_ += seconds;
    const double cost = cost_ > 0.0 ? cost_ : static_cast<double>(bytes_of_snapshot(world)) * seconds_per_byte;
    if (stepped_ * share_of_time >= cost) {
        keep(world);
    }
}

void History::keep(const World& world) {
    const std::size_t bytes = bytes_of_snapshot(world);
    stepped_ = 0.0;
    if (2 * bytes > budget_) {
        return; // of such a world only the start is known
    }
    const auto start = std::chrono::steady_clock::now();
    snapshots_.push_back({world.step_count(), bytes, world.snapshot()});
    cost_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    bytes_ += bytes;
    thin_out();
}

// Lets those go that are missed least: whose neighbours are near to each other, compared with how long ago it was. So
// the recent past is had at once, and the distance between snapshots grows with age.
void History::thin_out() {
    const double now = static_cast<double>(snapshots_.back().step);
    while (bytes_ > budget_ && snapshots_.size() > 1) {
        std::size_t least = 0;
        double least_loss = 0.0;
        for (std::size_t i = 0; i + 1 < snapshots_.size(); ++i) {
            const double before = i == 0 ? 0.0 : static_cast<double>(snapshots_[i - 1].step);
            const double gap = static_cast<double>(snapshots_[i + 1].step) - before;
            const double loss = gap / (now - static_cast<double>(snapshots_[i].step) + 60.0);
            if (i == 0 || loss < least_loss) {
                least = i;
                least_loss = loss;
            }
        }
        bytes_ -= snapshots_[least].bytes;
        snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(least));
    }
}

const History::Kept* History::nearest(std::uint64_t step) const {
    const auto after = std::upper_bound(snapshots_.begin(), snapshots_.end(), step,
                                        [](std::uint64_t s, const Kept& kept) { return s < kept.step; });
    return after == snapshots_.begin() ? nullptr : &*std::prev(after);
}

Stretch History::stretch(std::uint64_t from) const {
    const Kept* kept = nearest(from);
    Stretch stretch;
    stretch.scene = scene_;
    std::size_t first = 0;
    if (kept != nullptr) {
        stretch.snapshot = kept->snapshot;
        first = static_cast<std::size_t>(kept->step);
    }
    stretch.steps.assign(steps_.begin() + static_cast<std::ptrdiff_t>(first), steps_.end());
    return stretch;
}

void History::wind(World& world, std::uint64_t to, bool at_hand) const {
    const Kept* kept = nearest(to);
    const std::uint64_t from = kept != nullptr ? kept->step : 0;
    if (!at_hand || world.step_count() > to || world.step_count() < from) {
        if (kept != nullptr) {
            world.restore(*kept->snapshot);
        } else {
            world.restore(*make_world(*scene_).snapshot());
        }
    }
    while (world.step_count() < to) {
        repeat(world, step(world.step_count() + 1));
    }
}

void History::save(const std::filesystem::path& path) const {
    CaptureWriter writer(path, *scene_, initial_hash_);
    for (const CaptureStep& step : steps_) {
        writer.add(step);
    }
    writer.finish();
}

} // namespace cairn::core
