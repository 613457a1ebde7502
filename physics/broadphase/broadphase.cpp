#include "physics/broadphase/broadphase.h"

#include "physics/base/executor_loop.h"

#include <algorithm>
#include <cassert>

namespace cairn::physics {

namespace {

// Fat margin: a share of the shape's size, so that small and large bodies are refitted equally often at the same
// relative speed, within limits that keep bounds of tiny shapes useful and of huge ones tight. Three times as much
// saves a third of the updates of a heap that settles, and makes twice the pairs, of which each costs more for ever.
float fat_margin(const Aabb& tight) {
    const Vec3 size = tight.upper - tight.lower;
    return std::clamp(0.015f * (size.x + size.y + size.z), 0.01f, 0.25f);
}

constexpr std::size_t block_size = 64;

// Writing and refitting all leaves takes as long as moving a thirtieth of them one by one, but does not mend the tree.
constexpr std::size_t least_in_place = 32;
constexpr std::size_t leaves_per_move = 16;

// Finding the pairs of all leaves together takes two fifths of the time of as many queries, and more per leaf the fewer
// they are.
constexpr std::size_t least_together = 32;
constexpr std::size_t leaves_per_search = 4;
constexpr std::size_t least_tasks = 64; // of each kind, so that threads share them evenly

} // namespace

void Broadphase::add(std::uint32_t shape, const Aabb& tight, bool moving) {
    if (shape >= proxies_.size()) {
        proxies_.resize(shape + std::size_t{1});
    }
    Proxy& proxy = proxies_[shape];
    proxy.moving = moving;
    proxy.node = moving ? moving_.insert(grown(tight, fat_margin(tight)), shape) : resting_.insert(tight, shape);
    touch(shape);
}

void Broadphase::restore(std::uint32_t shape, const Aabb& fat, bool moving, bool queued) {
    if (shape >= proxies_.size()) {
        proxies_.resize(shape + std::size_t{1});
    }
    proxies_[shape].moving = moving;
    proxies_[shape].node = (moving ? moving_ : resting_).insert(fat, shape);
    if (queued) {
        touch(shape);
    }
}

void Broadphase::remove(std::uint32_t shape) {
    assert(shape < proxies_.size());
    Proxy& proxy = proxies_[shape];
    (proxy.moving ? moving_ : resting_).remove(proxy.node);
    if (proxy.queued()) {
        queued_[proxy.queue_place] = removed;
    }
    proxy = Proxy{};
}

// Leave the leaf alone while it still holds the shape, unless it has become much too large (after a fast sweep).
bool Broadphase::holds(std::uint32_t shape, const Aabb& tight) const {
    const float margin = proxies_[shape].moving ? fat_margin(tight) : 0.0f;
    const Aabb& fat = fat_bounds(shape);
    return contains(fat, tight) && contains(grown(tight, 4.0f * margin), fat);
}

bool Broadphase::move(std::uint32_t shape, const Aabb& tight) {
    return move(shape, tight, false);
}

bool Broadphase::move(std::uint32_t shape, const Aabb& tight, bool in_place) {
    if (holds(shape, tight)) {
        return false;
    }
    const Proxy& proxy = proxies_[shape];
    if (!proxy.moving) {
        resting_.update(proxy.node, tight);
    } else if (in_place) {
        moving_.write(proxy.node, grown(tight, fat_margin(tight)));
    } else {
        moving_.update(proxy.node, grown(tight, fat_margin(tight)));
    }
    touch(shape);
    return true;
}

bool Broadphase::pays_in_place(std::size_t count) const {
    return count >= least_in_place && leaves_per_move * count >= moving_.leaf_count();
}

void Broadphase::cover(std::uint32_t shape, const Aabb& region) {
    if (!contains(fat_bounds(shape), region)) {
        move(shape, region);
    }
}

void Broadphase::rebuild() {
    moving_.rebuild([this](std::uint32_t shape, DynamicTree::NodeId node) { proxies_[shape].node = node; });
}

void Broadphase::touch(std::uint32_t shape) {
    if (!proxies_[shape].queued()) {
        proxies_[shape].queue_place = static_cast<std::uint32_t>(queued_.size());
        queued_.push_back(shape);
    }
}

const Aabb& Broadphase::fat_bounds(std::uint32_t shape) const {
    assert(shape < proxies_.size());
    const Proxy& proxy = proxies_[shape];
    return (proxy.moving ? moving_ : resting_).bounds(proxy.node);
}

std::size_t Broadphase::memory_bytes() const {
    std::size_t bytes =
        moving_.memory_bytes() + resting_.memory_bytes() + bytes_of(proxies_) + bytes_of(queued_) + bytes_of(found_);
    for (const std::vector<PairKey>& list : found_) {
        bytes += bytes_of(list);
    }
    return bytes;
}

void Broadphase::find_new_pairs(Executor& executor, std::vector<PairKey>& pairs, const Sieve& sieve) {
    pairs.clear();
    std::erase(queued_, removed);
    for (std::vector<PairKey>& found : found_) {
        found.clear();
    }
    if (pays_together(queued_.size())) {
        const auto report = [](std::vector<PairKey>& found, std::uint32_t a, std::uint32_t b) {
            found.push_back(make_pair_key(a, b));
        };
        find_together(executor, queued_, report, sieve);
    } else {
        find_one_by_one(executor, sieve);
    }
    for (const std::vector<PairKey>& found : found_) {
        pairs.insert(pairs.end(), found.begin(), found.end());
    }
    for (const std::uint32_t shape : queued_) {
        proxies_[shape].queue_place = not_queued;
    }
    queued_.clear();
    std::sort(pairs.begin(), pairs.end());
}

void Broadphase::find_pairs_of(Executor& executor, std::span<const std::uint32_t> shapes, const Keep& keep,
                               std::vector<PairKey>& pairs) {
    pairs.clear();
    for (std::vector<PairKey>& found : found_) {
        found.clear();
    }
    const auto report = [&keep](std::vector<PairKey>& found, std::uint32_t a, std::uint32_t b) {
        if (keep(a, b)) {
            found.push_back(make_pair_key(a, b));
        }
    };
    if (pays_together(shapes.size())) {
        find_together(executor, shapes, report, [](std::vector<PairKey>&) {});
    } else {
        const std::size_t blocks = (shapes.size() + block_size - 1) / block_size;
        if (found_.size() < blocks) {
            found_.resize(blocks);
        }
        parallel_for(executor, shapes.size(), block_size, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                query(fat_bounds(shapes[i]), [&](std::uint32_t other) {
                    if (other != shapes[i]) {
                        report(found_[i / block_size], shapes[i], other);
                    }
                });
            }
        });
    }
    for (const std::vector<PairKey>& found : found_) {
        pairs.insert(pairs.end(), found.begin(), found.end());
    }
}

bool Broadphase::pays_together(std::size_t count) const {
    return count >= least_together && leaves_per_search * count >= moving_.leaf_count();
}

void Broadphase::find_one_by_one(Executor& executor, const Sieve& sieve) {
    const std::size_t blocks = (queued_.size() + block_size - 1) / block_size;
    if (found_.size() < blocks) {
        found_.resize(blocks);
    }
    parallel_for(executor, queued_.size(), block_size, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::vector<PairKey>& found = found_[i / block_size];
            const std::uint32_t shape = queued_[i];
            const Aabb& region = fat_bounds(shape);
            const auto visit = [&](std::uint32_t other) {
                // Of two queued shapes the one with the smaller index reports the pair.
                if (other == shape || (proxies_[other].queued() && other < shape)) {
                    return;
                }
                found.push_back(make_pair_key(shape, other));
            };
            moving_.query(region, visit);
            if (proxies_[shape].moving) {
                resting_.query(region, visit);
            }
        }
        for (std::size_t block = begin / block_size; block * block_size < end; ++block) {
            sieve(found_[block]);
        }
    });
}

// Calls report(list, a, b) for each pair, with a list that no other thread has, and finish(list) at its end.
template <typename Report, typename Finish>
void Broadphase::find_together(Executor& executor, std::span<const std::uint32_t> shapes, const Report& report,
                               const Finish& finish) {
    if (moving_.worn()) {
        rebuild();
    }
    moving_.clear_marks();
    resting_.clear_marks();
    for (const std::uint32_t shape : shapes) {
        const Proxy& proxy = proxies_[shape];
        (proxy.moving ? moving_ : resting_).mark(proxy.node);
    }
    if (found_.empty()) {
        found_.resize(1);
    }
    const auto report_to = [&report](std::vector<PairKey>& found) {
        return [&report, &found](std::uint32_t a, std::uint32_t b) { report(found, a, b); };
    };
    const TreePairs among(moving_, moving_);
    const TreePairs across(moving_, resting_);
    tasks_.clear();
    among.split(least_tasks, tasks_, report_to(found_[0]));
    const std::size_t first_across = tasks_.size();
    across.split(least_tasks, tasks_, report_to(found_[0]));
    if (found_.size() < tasks_.size() + 1) {
        found_.resize(tasks_.size() + 1);
    }
    parallel_for(executor, tasks_.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            (i < first_across ? among : across).run(tasks_[i], report_to(found_[i + 1]));
            finish(found_[i + 1]);
        }
    });
    finish(found_[0]);
}

} // namespace cairn::physics
