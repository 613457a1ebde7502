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
    const Aabb start = bounds(shape, compose(body.pose, shape_pose));
    if (!body.moves()) {
        return start;
    }
    const Aabb end = bounds(shape, compose(body.end, shape_pose));
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
    if (met_.size() < slots_.size()) {
        met_.resize(slots_.size());
        more_partners_.resize(slots_.size());
        touches_.resize(slots_.size());
    }
    parallel_for(executor, slots_.size() - from, body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = from + begin; i < from + end; ++i) {
            bodies_[i] = step.world.body(slots_[i]);
            met_[i].clear();
            more_partners_[i].clear();
            touches_[i].known = false;
            sweep_to_reach(step, bodies_[i]);
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

// The same for a path that the solver has made, whose end has bounds already. Supports of hulls took a quarter of the
// stage while a crowd was in flight: what hardly turns was a step ago where it is now, but for its way.
void ContinuousCollision::sweep_to_reach(const Step& step, const SweptBody& body) {
    constexpr float slight = 0.03f; // of the bounding radius
    const float angle = glm::length(body.angular);
    const Vec3 way = body.end.position - body.pose.position;
    for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
        const Aabb end = step.world.reach(i);
        Aabb start = end;
        if (angle <= slight) {
            start = grown({end.lower - way, end.upper - way}, body.bounding_radius * angle);
        } else {
            const ContinuousWorld::ShapeRef shape = step.world.shape(i);
            start = bounds(*shape.shape, compose(body.pose, shape.pose));
        }
        swept_[i] = grown(united(start, end), bulge(body));
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

// All pairs of shapes that the paths of the fast bodies may bring together. The trees hold fat bounds: what counts is
// what the shapes themselves sweep, as far as that is known yet.
void ContinuousCollision::collect_all(Executor& executor, const Step& step, std::span<const std::uint32_t> fast) {
    const float slop = step.settings.linear_slop;
    shapes_.clear();
    for (const std::uint32_t slot : fast) {
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
               (std::max(a, b) >= known && !overlaps(grown(swept_[first_of(key)], slop), swept_[second_of(key)]));
    });
    sort_keys();
}

// The same for one body.
void ContinuousCollision::collect(const Step& step, std::uint32_t body) {
    const std::uint32_t slot = slots_[body];
    const std::uint32_t first = bodies_[body].first_shape;
    const std::uint32_t end = first + bodies_[body].shape_count;
    const bool dynamic = bodies_[body].dynamic;
    for (std::uint32_t shape = first; shape < end; ++shape) {
        const Aabb region = grown(swept_[shape], step.settings.linear_slop);
        step.broadphase.query(region, [&](std::uint32_t other) {
            if (holder_[other] == not_met) {
                const std::uint32_t other_slot = step.world.shape(other).body;
                if (step.world.held_apart(slot, other_slot)) {
                    return;
                }
                SerialExecutor alone;
                meet(other_slot);
                gather(alone, step, bodies_.size());
            }
            const std::uint32_t index = holder_[other];
            if (index != body && overlaps(region, swept_[other]) && (dynamic || bodies_[index].dynamic) &&
                !step.world.held_apart(slot, slots_[index])) {
                keys_.push_back(make_pair_key(shape, other));
            }
        });
    }
}

// The same for a fast body that has been stopped. What it meets now it would have met on its way.
void ContinuousCollision::collect_known(const Step& step, std::uint32_t body) {
    const auto look_at = [&](PairKey key) {
        const std::uint32_t a = first_of(key);
        const std::uint32_t b = second_of(key);
        const std::uint32_t index_a = holder_[a];
        const std::uint32_t other = index_a == body ? holder_[b] : index_a;
        if (bodies_[other].moves() && overlaps(grown(swept_[a], step.settings.linear_slop), swept_[b])) {
            keys_.push_back(key);
        }
    };
    if (body < partner_ends_.size()) {
        for (std::uint32_t i = body == 0 ? 0 : partner_ends_[body - 1]; i < partner_ends_[body]; ++i) {
            look_at(partners_[i]);
        }
    }
    for (const PairKey key : more_partners_[body]) {
        look_at(key);
    }
}

// By body, those of the pairs in keys_.
void ContinuousCollision::list_partners() {
    partner_ends_.assign(bodies_.size(), 0);
    for (const PairKey key : keys_) {
        ++partner_ends_[holder_[first_of(key)]];
        ++partner_ends_[holder_[second_of(key)]];
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& end : partner_ends_) { // where each begins, which moves to its end as it is filled
        const std::uint32_t count = end;
        end = sum;
        sum += count;
    }
    partners_.resize(sum);
    for (const PairKey key : keys_) {
        partners_[partner_ends_[holder_[first_of(key)]]++] = key;
        partners_[partner_ends_[holder_[second_of(key)]]++] = key;
    }
}

void ContinuousCollision::add_partners() {
    for (const PairKey key : keys_) {
        if (notes_.find(key) == nullptr) { // else it is listed
            for (const std::uint32_t shape : {first_of(key), second_of(key)}) {
                more_partners_[holder_[shape]].push_back(key);
            }
        }
    }
}

void ContinuousCollision::sort_keys() {
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
}

} // namespace cairn::physics
