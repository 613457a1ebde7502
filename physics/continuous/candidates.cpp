// Which pairs the paths of fast bodies may bring together: bodies in their places, what they sweep, and what the trees
// find there.
#include "physics/base/executor_loop.h"
#include "physics/continuous/continuous.h"

#include <algorithm>

namespace cairn::physics {

namespace {

constexpr std::size_t body_block = 64;

// Between start and end of a path a turning point comes out of the bounds of both by at most the sagitta
// r (1 - cos(a/2)), m.
float bulge(const SweptBody& body) {
    const float angle = glm::length(body.angular) * (1.0f - body.from);
    return std::min(body.bounding_radius * angle * angle * 0.125f, body.bounding_radius);
}

// World bounds of a shape at `shape_pose` (in the body's frame) along the body's path.
Aabb swept_bounds(const Shape& shape, const Transform& shape_pose, const SweptBody& body) {
    const Aabb end = bounds(shape, compose(body.end, shape_pose));
    if (!body.moves()) {
        return end;
    }
    // Supports of hulls cost most here: what hardly turns was where it is, but for its displacement.
    constexpr float slight = 0.03f; // of the bounding radius
    const float angle = glm::length(body.angular);
    const Vec3 displacement = body.end.position - body.pose.position;
    const Aabb start = angle <= slight
                           ? grown({end.lower - displacement, end.upper - displacement}, body.bounding_radius * angle)
                           : bounds(shape, compose(body.pose, shape_pose));
    return grown(united(start, end), bulge(body));
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
        unexpected_.resize(slots_.size());
        touches_.resize(slots_.size());
    }
    parallel_for(executor, slots_.size() - from, body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = from + begin; i < from + end; ++i) {
            bodies_[i] = step.world.body(slots_[i]);
            unexpected_[i].clear();
            touches_[i].known = false;
            sweep(step, bodies_[i]);
            for (std::uint32_t k = bodies_[i].first_shape; k < bodies_[i].first_shape + bodies_[i].shape_count; ++k) {
                holder_[k] = static_cast<std::uint32_t>(i);
            }
        }
    });
}

void ContinuousCollision::sweep(const Step& step, const SweptBody& body) {
    for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
        const ContinuousWorld::ShapeRef shape = step.world.shape(i);
        swept_[i] = swept_bounds(*shape.shape, shape.pose, body);
    }
}

// Sees to it that the trees find these bodies wherever they may be met.
void ContinuousCollision::cover_paths(const Step& step, std::span<const std::uint32_t> slots) {
    step.broadphase.move_many(slots.size(), [&](const auto& move) {
        for (const std::uint32_t slot : slots) {
            const SweptBody& body = bodies_[index_of_[slot]];
            for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
                move(i, united(step.world.reach(i), swept_[i]));
            }
        }
    });
}

// All pairs of shapes that the paths of the fast bodies may bring together: those that the narrowphase has expected,
// and what the trees find on the paths of what has strayed. The trees hold fat bounds: what counts is what the shapes
// themselves sweep, as far as that is known yet.
void ContinuousCollision::collect_all(Executor& executor, const Step& step, std::span<const std::uint32_t> fast,
                                      std::span<const std::uint32_t> strayed, std::span<const KnownPair> pairs) {
    const float slop = step.settings.linear_slop;
    shapes_.clear();
    for (const std::uint32_t slot : fast) {
        if (!std::binary_search(strayed.begin(), strayed.end(), slot)) {
            continue;
        }
        const SweptBody& body = bodies_[index_of_[slot]];
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
        return !(bodies_[a].dynamic || bodies_[b].dynamic) ||
               !overlaps(grown(swept_[first_of(key)], slop), swept_[second_of(key)]);
    });
    sort_keys();
}

// Adds the pair of one of the body's shapes with another, if their paths may bring them together.
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
    if (index != body && (bodies_[body].dynamic || bodies_[index].dynamic) && (!moving || bodies_[index].moves()) &&
        overlaps(grown(swept_[shape], step.settings.linear_slop), swept_[other]) &&
        !step.world.held_apart(slots_[body], slots_[index])) {
        keys_.push_back(make_pair_key(shape, other));
    }
}

// The same for one body.
void ContinuousCollision::collect(const Step& step, std::uint32_t body) {
    const std::uint32_t first = bodies_[body].first_shape;
    const std::uint32_t end = first + bodies_[body].shape_count;
    for (std::uint32_t shape = first; shape < end; ++shape) {
        step.broadphase.query(grown(swept_[shape], step.settings.linear_slop),
                              [&](std::uint32_t other) { consider(step, body, shape, other, false); });
    }
}

// The same for a fast body that has been stopped. What it meets now would have met it on its way, and moves.
void ContinuousCollision::collect_known(const Step& step, std::uint32_t body) {
    const auto look_at = [&](PairKey key) {
        const bool first = holder_[first_of(key)] == body;
        consider(step, body, first ? first_of(key) : second_of(key), first ? second_of(key) : first_of(key), true);
    };
    for (const std::uint32_t pair : step.world.pairs_of(slots_[body])) {
        look_at(step.world.key_of(pair));
    }
    for (std::size_t i = 0; i < unexpected_[body].size(); ++i) {
        look_at(unexpected_[body][i]);
    }
}

void ContinuousCollision::note_unexpected(std::span<const KnownPair> pairs) {
    auto known = pairs.begin();
    for (const PairKey key : keys_) {
        known = std::find_if(known, pairs.end(), [key](const KnownPair& one) { return one.key >= key; });
        if (known == pairs.end() || known->key != key) {
            for (const std::uint32_t shape : {first_of(key), second_of(key)}) {
                unexpected_[holder_[shape]].push_back(key);
            }
        }
    }
}

void ContinuousCollision::sort_keys() {
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
}

} // namespace cairn::physics
