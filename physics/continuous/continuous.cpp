#include "physics/continuous/continuous.h"

#include <algorithm>

namespace cairn::physics {

namespace {

constexpr float no_impact = 2.0f; // later than the end of the step

// The part of a body's path from `from` to the end of the step, as a sweep in units of steps.
Sweep sweep_from(const BodySweep& body, const Transform& shape_pose, float from) {
    Sweep sweep;
    sweep.start = body.start;
    sweep.shape_pose = shape_pose;
    sweep.linear_velocity = body.linear;
    sweep.angular_velocity = body.angular;
    const float time = std::min(from, body.stopped_at);
    if (time > 0.0f) {
        sweep.start = body_pose_at(sweep, time);
    }
    if (from >= body.stopped_at) {
        sweep.linear_velocity = Vec3(0.0f);
        sweep.angular_velocity = Vec3(0.0f);
    }
    return sweep;
}

// A body touched for less than this part of a step further than the slop may dip; a share of the slop is where contacts
// start.
ToiSettings settings_for(float start_distance, float slop) {
    ToiSettings settings;
    // Far apart: stop half a slop before touching, where the next step makes a contact. In touch already: the solver
    // holds the contact, so only sinking deeper than it was by a slop is an impact (a sliding or rolling body must not
    // be held back).
    settings.target = start_distance > slop ? 0.5f * slop : std::min(start_distance, 0.0f) - slop;
    settings.tolerance = 0.1f * slop;
    settings.max_iterations = 256;
    return settings;
}

} // namespace

// First time at which the shapes of the pair meet, taking into account that bodies may have been stopped.
float ContinuousCollision::impact_time(const ContinuousInput& input, std::span<const BodySweep> sweeps,
                                       PairKey key) const {
    const ContinuousInput::ShapeRef& a = input.shapes[first_of(key)];
    const ContinuousInput::ShapeRef& b = input.shapes[second_of(key)];
    const BodySweep& body_a = sweeps[a.body];
    const BodySweep& body_b = sweeps[b.body];

    // The paths are smooth between the times at which bodies were stopped.
    const float first_stop = std::min(body_a.stopped_at, body_b.stopped_at);
    const float second_stop = std::max(body_a.stopped_at, body_b.stopped_at);
    float from = 0.0f;
    ToiSettings settings;
    for (const float to : {first_stop, second_stop}) {
        if (!(to > from)) {
            continue;
        }
        const Sweep sweep_a = sweep_from(body_a, a.pose, from);
        const Sweep sweep_b = sweep_from(body_b, b.pose, from);
        if (from == 0.0f) {
            const float distance =
                signed_distance(*a.shape, compose(sweep_a.start, a.pose), *b.shape, compose(sweep_b.start, b.pose))
                    .distance;
            settings = settings_for(distance, input.linear_slop);
        }
        const TimeOfImpact impact = time_of_impact(*a.shape, sweep_a, *b.shape, sweep_b, to - from, settings);
        // Out of iterations: the time reached is safe, and stopping there never misses.
        if (impact.status == ToiStatus::hit || impact.status == ToiStatus::out_of_iterations ||
            impact.status == ToiStatus::initial) {
            return from + impact.time;
        }
        from = to;
    }
    return no_impact;
}

void ContinuousCollision::collect_pairs(const ContinuousInput& input, std::span<const BodySweep> sweeps) {
    pairs_.clear();
    for (const std::uint32_t body : input.fast_bodies) {
        const BodySweep& sweep = sweeps[body];
        for (std::uint32_t shape = sweep.first_shape; shape < sweep.first_shape + sweep.shape_count; ++shape) {
            const Aabb region = grown(input.shapes[shape].swept, input.linear_slop);
            input.broadphase->query(region, [&](std::uint32_t other) {
                if (input.shapes[other].body != body && overlaps(region, input.shapes[other].swept)) {
                    pairs_.push_back({make_pair_key(shape, other), false});
                }
            });
        }
    }
    std::sort(pairs_.begin(), pairs_.end(), [](const Pair& x, const Pair& y) { return x.key < y.key; });
    const auto same = [](const Pair& x, const Pair& y) { return x.key == y.key; };
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end(), same), pairs_.end());

    links_.clear();
    for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
        for (const std::uint32_t shape : {first_of(pairs_[i].key), second_of(pairs_[i].key)}) {
            const std::uint32_t body = input.shapes[shape].body;
            if (sweeps[body].fast) {
                links_.push_back({body, i});
            }
        }
    }
    std::sort(links_.begin(), links_.end());
}

// Ties are broken by key, so that the order never depends on the trees.
bool ContinuousCollision::later(const Event& x, const Event& y) const {
    return x.time != y.time ? x.time > y.time : pairs_[x.pair].key > pairs_[y.pair].key;
}

namespace {

std::uint32_t stops_of(const ContinuousInput& input, std::span<const BodySweep> sweeps, PairKey key) {
    std::uint32_t stops = 0;
    for (const std::uint32_t shape : {first_of(key), second_of(key)}) {
        stops += sweeps[input.shapes[shape].body].stopped_at < 1.0f ? 1 : 0;
    }
    return stops;
}

} // namespace

void ContinuousCollision::enqueue(const ContinuousInput& input, std::span<const BodySweep> sweeps, std::uint32_t pair,
                                  float not_before) {
    const PairKey key = pairs_[pair].key;
    const float time = impact_time(input, sweeps, key);
    if (time >= 1.0f) {
        return;
    }
    pairs_[pair].queued = true;
    events_.push_back({std::max(time, not_before), pair, stops_of(input, sweeps, key)});
    std::push_heap(events_.begin(), events_.end(), [this](const Event& x, const Event& y) { return later(x, y); });
}

std::size_t ContinuousCollision::run(const ContinuousInput& input, std::span<BodySweep> sweeps) {
    collect_pairs(input, sweeps);
    events_.clear();
    for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
        enqueue(input, sweeps, i, 0.0f);
    }
    std::size_t stopped = 0;
    while (!events_.empty()) {
        std::pop_heap(events_.begin(), events_.end(), [this](const Event& x, const Event& y) { return later(x, y); });
        const Event event = events_.back();
        events_.pop_back();
        Pair& pair = pairs_[event.pair];
        pair.queued = false;
        if (event.stops != stops_of(input, sweeps, pair.key)) { // a body was stopped since: look again
            enqueue(input, sweeps, event.pair, event.time);
            continue;
        }
        for (const std::uint32_t shape : {first_of(pair.key), second_of(pair.key)}) {
            const std::uint32_t body = input.shapes[shape].body;
            BodySweep& sweep = sweeps[body];
            if (!sweep.fast || sweep.stopped_at < 1.0f) {
                continue;
            }
            sweep.stopped_at = event.time;
            ++stopped;
            // What missed the full path may meet the body where it stands now. Pairs that wait are looked at again in
            // turn.
            const Link first{body, 0};
            for (auto link = std::lower_bound(links_.begin(), links_.end(), first);
                 link != links_.end() && link->body == body; ++link) {
                if (link->pair != event.pair && !pairs_[link->pair].queued) {
                    enqueue(input, sweeps, link->pair, event.time);
                }
            }
        }
    }
    return stopped;
}

} // namespace cairn::physics
