// Which pairs the paths of fast bodies may bring together: bodies in their places, what they sweep, and what the trees
// find there.
#include "physics/base/executor_loop.h"
#include "physics/continuous/continuous.h"
#include "physics/continuous/swept_path.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

constexpr std::size_t body_block = 64;

// The largest of the magnitudes of its coordinates.
float largest(const Vec3& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

// World bounds of a shape at `shape_pose` (in the body's frame) along the body's path, from `start` to `end`, which are
// poses of the body, in which it turns by `angle`. Between both a turning point comes out of their bounds by at most
// the sagitta r (1 - cos(a/2)), m.
Aabb swept_bounds(const Shape& shape, const Transform& shape_pose, float bounding_radius, const Transform& start,
                  const Transform& end, float angle) {
    // Supports of hulls cost most here: what hardly turns was where it is, but for its displacement.
    constexpr float slight = 0.03f; // of the bounding radius
    const Aabb last = bounds(shape, compose(end, shape_pose));
    const Vec3 displacement = end.position - start.position;
    const Aabb first = angle <= slight
                           ? grown({last.lower - displacement, last.upper - displacement}, bounding_radius * angle)
                           : bounds(shape, compose(start, shape_pose));
    return grown(united(first, last), std::min(bounding_radius * angle * angle * 0.125f, bounding_radius));
}

constexpr float never = 2.0f;

// When the balls around two bodies come within `reach` of each other, m, between two times; never if they do not. A
// path is much longer than its body where that is small and fast, and the bounds of a path hold a crowd that it passes
// by.
float when_near(const SweptBody& a, const SweptBody& b, float reach, float begin, float end) {
    begin = std::max({begin, a.from, b.from});
    const DVec3 apart(centre_at(b, begin) - centre_at(a, begin));
    const DVec3 velocity(b.linear - a.linear);
    const float rounding =
        1e-6f * (largest(a.pose.position) + largest(b.pose.position) + largest(a.linear) + largest(b.linear));
    const auto sum = static_cast<double>(a.bounding_radius + b.bounding_radius + reach + rounding);
    const double beyond = glm::dot(apart, apart) - sum * sum;
    if (beyond <= 0.0) {
        return begin;
    }
    // |apart + t velocity| = sum, the first of both times
    const double approach = -glm::dot(apart, velocity);
    const double root = approach * approach - glm::dot(velocity, velocity) * beyond;
    if (approach <= 0.0 || root < 0.0) {
        return never;
    }
    const float time = begin + static_cast<float>(beyond / (approach + std::sqrt(root)));
    return time < end ? std::max(begin, time - 1e-6f) : never;
}

} // namespace

// Gives the body a place in bodies_; gather() fills it.
void ContinuousCollision::meet(std::uint32_t slot) {
    if (index_of_[slot] == not_met) {
        index_of_[slot] = static_cast<std::uint32_t>(slots_.size());
        slots_.push_back(slot);
    }
}

// Fills the places of bodies_ from this one on.
void ContinuousCollision::gather(Executor& executor, const Step& step, std::size_t from) {
    bodies_.resize(slots_.size());
    if (touches_.size() < slots_.size()) {
        touches_.resize(slots_.size());
        ahead_.resize(slots_.size());
    }
    parallel_for(executor, slots_.size() - from, body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = from + begin; i < from + end; ++i) {
            bodies_[i] = step.world.body(slots_[i]);
            touches_[i].known = false;
            ahead_[i].clear();
            sweep(step, bodies_[i]);
            for (std::uint32_t k = bodies_[i].first_shape; k < bodies_[i].first_shape + bodies_[i].shape_count; ++k) {
                holder_[k] = static_cast<std::uint32_t>(i);
            }
        }
    });
}

// World bounds of a shape on the body's path between two times.
Aabb ContinuousCollision::path_bounds(const ContinuousWorld::ShapeRef& shape, const SweptBody& body, float begin,
                                      float until) const {
    if (!body.moves()) {
        return bounds(*shape.shape, compose(body.end, shape.pose));
    }
    const Transform start = begin > body.from ? pose_at(body, begin) : body.pose;
    const Transform end = until < 1.0f ? pose_at(body, until) : body.end;
    const float angle = glm::length(body.angular) * (until - std::max(begin, body.from));
    return swept_bounds(*shape.shape, shape.pose, body.bounding_radius, start, end, angle);
}

// Of the present slice of the body's path.
void ContinuousCollision::sweep(const Step& step, const SweptBody& body) {
    for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
        swept_[i] = path_bounds(step.world.shape(i), body, begin_, until_);
    }
}

// In how many slices of time the step is examined. Where bodies are small and fast, the bounds of a path hold many
// others that pass by, and each change of a path asks for all of them: their number goes at least with the length of
// the path, mostly with its square. In slices there are few, but each begins with a search for all pairs, which pays
// only where paths do change. Both are looked at in a sample of the paths.
int ContinuousCollision::count_slices(const Step& step, std::span<const std::uint32_t> fast) const {
    constexpr std::size_t samples = 128;
    constexpr double many = 12.0, some = 0.25, most = 16.0;
    if (!step.broadphase.rebuild_pays(fast.size())) {
        return 1;
    }
    const std::size_t stride = (fast.size() + samples - 1) / samples;
    double asked = 0.0, within = 0.0, meet = 0.0;
    for (std::size_t i = 0; i < fast.size(); i += stride) {
        const std::uint32_t body = index_of_[fast[i]];
        const Aabb& path = swept_[bodies_[body].first_shape];
        asked += 1.0;
        step.broadphase.query(path, [&](std::uint32_t shape) {
            const std::uint32_t other = holder_[shape];
            if (other == not_met || other == body || !bodies_[other].fast || !overlaps(path, swept_[shape])) {
                return;
            }
            const float time = when_near(bodies_[body], bodies_[other], 0.0f, 0.0f, 1.0f);
            within += time > 0.0f ? 1.0 : 0.0; // what is near all the time is near in all slices
            meet += time > 0.0f && time != never ? 1.0 : 0.0;
        });
    }
    return within > many * asked && meet > some * asked ? static_cast<int>(std::min(std::sqrt(within / asked), most))
                                                        : 1;
}

// From now on only what may meet until the end of the slice is examined, and the trees hold no more of what is fast.
void ContinuousCollision::begin_slice(Executor& executor, const Step& step, int slice, int slices) {
    begin_ = static_cast<float>(slice) / static_cast<float>(slices);
    until_ = slice + 1 < slices ? static_cast<float>(slice + 1) / static_cast<float>(slices) : 1.0f;
    roaming_.clear();
    for (const SweptBody& body : bodies_) {
        if (body.fast) {
            roaming_.push_back(body.slot);
        }
    }
    parallel_for(executor, bodies_.size(), body_block, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) {
            ahead_[i].clear();
            sweep(step, bodies_[i]);
        }
    });
    cover_paths(step, roaming_, false);
    step.broadphase.rebuild();
}

// Sees to it that the trees find these bodies wherever they may be met; `whole`: and where they may be in the next
// step.
void ContinuousCollision::cover_paths(const Step& step, std::span<const std::uint32_t> slots, bool whole) {
    step.broadphase.move_many(slots.size(), [&](const auto& move) {
        for (const std::uint32_t slot : slots) {
            const SweptBody& body = bodies_[index_of_[slot]];
            for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
                move(i, whole ? united(step.world.reach(i), swept_[i]) : swept_[i]);
            }
        }
    });
}

// All pairs of shapes that the paths of the fast bodies may bring together: those that the narrowphase has expected,
// and what the trees find on the paths of what has strayed. The trees hold fat bounds: what counts is what the shapes
// themselves sweep, as far as that is known yet.
void ContinuousCollision::collect_all(Executor& executor, const Step& step, std::span<const std::uint32_t> roaming,
                                      std::span<const KnownPair> pairs) {
    const float slop = step.settings.linear_slop;
    keys_.clear();
    shapes_.clear();
    for (const std::uint32_t slot : roaming) {
        const SweptBody& body = bodies_[index_of_[slot]];
        if (!body.fast) {
            continue;
        }
        for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
            shapes_.push_back(i);
        }
    }
    step.broadphase.find_pairs_of(
        executor, shapes_,
        [&](std::uint32_t a, std::uint32_t b) {
            const std::uint32_t index_a = holder_[a];
            const std::uint32_t index_b = holder_[b];
            const bool known = index_a != not_met && index_b != not_met;
            if (known && (index_a == index_b || !overlaps(grown(swept_[a], slop), swept_[b]))) {
                return false;
            }
            const std::uint32_t slot_a = index_a != not_met ? slots_[index_a] : step.world.shape(a).body;
            const std::uint32_t slot_b = index_b != not_met ? slots_[index_b] : step.world.shape(b).body;
            return slot_a != slot_b && !step.world.held_apart(slot_a, slot_b);
        },
        keys_);
    for (const KnownPair& pair : pairs) {
        keys_.push_back(pair.key);
    }
    const std::size_t known = slots_.size();
    for (const PairKey key : keys_) {
        for (const std::uint32_t shape : {first_of(key), second_of(key)}) {
            if (holder_[shape] == not_met) {
                meet(step.world.shape(shape).body);
            }
        }
    }
    gather(executor, step, known);
    std::erase_if(keys_, [&](PairKey key) {
        const std::uint32_t a = holder_[first_of(key)];
        const std::uint32_t b = holder_[second_of(key)];
        return !(bodies_[a].dynamic || bodies_[b].dynamic) || examined_whole(key) ||
               !overlaps(grown(swept_[first_of(key)], slop), swept_[second_of(key)]) ||
               when_near(bodies_[a], bodies_[b], slop, begin_, until_) == never;
    });
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
}

// Whether the pair of a shape and a mesh has been examined along these paths. That is done to the end of the step at
// once: to begin anew in each slice would let what is in touch sink a little in each.
bool ContinuousCollision::examined_whole(PairKey key) const {
    const PairNote* note = notes_.find(key);
    return note != nullptr && note->whole && note->version_a == bodies_[holder_[first_of(key)]].version &&
           note->version_b == bodies_[holder_[second_of(key)]].version;
}

// Adds the pair of one of the body's shapes with another to what lies ahead, if their paths may bring them together.
// `moving`: only what moves counts.
void ContinuousCollision::consider(const Step& step, std::uint32_t body, std::uint32_t shape, std::uint32_t other,
                                   bool moving) {
    if (holder_[other] == not_met) {
        const std::uint32_t slot = step.world.shape(other).body;
        if (step.world.held_apart(slots_[body], slot)) {
            return;
        }
        SerialExecutor alone;
        meet(slot);
        gather(alone, step, bodies_.size());
    }
    const std::uint32_t index = holder_[other];
    const float slop = step.settings.linear_slop;
    if (index == body || !(bodies_[body].dynamic || bodies_[index].dynamic) || (moving && !bodies_[index].moves()) ||
        !overlaps(grown(swept_[shape], slop), swept_[other])) {
        return;
    }
    const float time = when_near(bodies_[body], bodies_[index], slop, begin_, until_);
    if (time != never && !step.world.held_apart(slots_[body], slots_[index])) {
        ahead_[body].push_back({time, index, bodies_[index].version, make_pair_key(shape, other)});
    }
}

// What may lie ahead of a body on its path, the last first. A body that stands still would have met on its way what
// does not move.
void ContinuousCollision::collect(const Step& step, std::uint32_t body, bool standing) {
    ahead_[body].clear();
    const std::uint32_t first = bodies_[body].first_shape;
    const std::uint32_t end = first + bodies_[body].shape_count;
    for (std::uint32_t shape = first; shape < end; ++shape) {
        step.broadphase.query(grown(swept_[shape], step.settings.linear_slop),
                              [&](std::uint32_t other) { consider(step, body, shape, other, standing); });
    }
    std::sort(ahead_[body].begin(), ahead_[body].end(), [](const Candidate& x, const Candidate& y) {
        return x.time != y.time ? x.time > y.time : x.key > y.key;
    });
}

} // namespace cairn::physics
