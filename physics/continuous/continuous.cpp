#include "physics/continuous/continuous.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/continuous/swept_path.h"
#include "physics/query/impact/swept_axis.h"
#include "physics/query/manifold.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace cairn::physics {

namespace {

constexpr std::size_t exam_block = 8;
constexpr float give_share = 0.05f; // of the radius of the smaller of the balls within both shapes

bool in_one_mechanism(const SweptBody& a, const SweptBody& b) {
    return a.mechanism != 0 && a.mechanism == b.mechanism;
}

} // namespace

// How deep a pair in touch may sink within the step before that is an impact. The solver holds what touches, and while
// a crowd is pressed together it gives way by more than a slop in places: to stop all of it there for the rest of the
// step costs a hundred times more than the next steps, in which the solver brings it up again.
float ContinuousCollision::pair_give(const ContinuousWorld::ShapeRef& a, const ContinuousWorld::ShapeRef& b,
                                     float slop) const {
    const bool crowd = bodies_[index_of_[a.body]].dynamic && bodies_[index_of_[b.body]].dynamic;
    return crowd ? std::max(slop, give_share * std::min(a.shape->inner_radius, b.shape->inner_radius)) : slop;
}

// When the pair meets next, from `now` on.
ContinuousCollision::Exam ContinuousCollision::examine(const Step& step, PairKey key, float now,
                                                       std::uint32_t pair) const {
    const ContinuousWorld::ShapeRef a = step.world.shape(first_of(key));
    const ContinuousWorld::ShapeRef b = step.world.shape(second_of(key));
    if (is_mesh(a) || is_mesh(b)) {
        return examine_mesh(step, key, now);
    }
    const SweptBody& body_a = bodies_[index_of_[a.body]];
    const SweptBody& body_b = bodies_[index_of_[b.body]];
    const float slop = pair_slop(a, b, step.settings.linear_slop);
    const float give = pair_give(a, b, slop);
    const bool yields = body_a.dynamic && body_b.dynamic;
    Exam exam;
    exam.time = now;
    // Far apart: they meet half a slop before touching, within the reach of ordinary contacts. In touch: the solver
    // holds the contact, so only sinking a slop deeper than it was is an impact. A sliding or rolling body must not be
    // held back.
    ToiSettings settings;
    settings.target = 0.5f * slop;
    settings.tolerance = 0.1f * slop;
    const PairNote* note = notes_.find(key);
    if (note != nullptr) {
        exam.axis = note->axis;
        if (note->in_touch) {
            exam.in_touch = true;
            exam.floor = settings.target = note->floor;
        }
    } else {
        const ContinuousWorld::Known known = step.world.known(key, pair);
        exam.axis = known.normal;
        if (known.contact) {
            // What the solver has let sink in its rows it knows of, and answers for in the next step: to stop that here
            // would hold a crowd back time and again. But nothing may come near the middle of the other.
            const float deepest = yields ? deepest_path(*a.shape, *b.shape, step.settings.linear_slop) : -1.25f * slop;
            const float start = touch_floor(known.separation, give, yields);
            exam.in_touch = true;
            exam.floor = settings.target = std::min(start, std::max(known.held - give, deepest));
            settings.tolerance = touch_tolerance(exam.floor, known.separation, slop);
        }
    }
    // Most pairs of a crowd do not meet, and stay apart along the direction that kept them apart before.
    const Vec3 axis = exam.axis == Vec3(0.0f) ? centre_at(body_b, now) - centre_at(body_a, now) : exam.axis;
    // Without a look at where both are now, if their paths have begun before.
    if ((body_a.from != now || body_b.from != now) &&
        lift_keeps_apart(*a.shape, sweep_of(body_a, a.pose), now - body_a.from, *b.shape, sweep_of(body_b, b.pose),
                         now - body_b.from, until_ - now, axis, settings.target)) {
        return exam;
    }
    Sweep sweep_a = sweep_from(body_a, a.pose, now);
    Sweep sweep_b = sweep_from(body_b, b.pose, now);
    if (axis_keeps_apart(*a.shape, sweep_a, *b.shape, sweep_b, until_ - now, axis, settings.target)) {
        return exam;
    }
    settings.known_axis = exam.axis; // the line of centres seldom is as good as the first closest points
    for (int attempt = 0; attempt < 4; ++attempt) {
        exam.impact = time_of_impact(*a.shape, sweep_a, *b.shape, sweep_b, until_ - exam.time, settings);
        const TimeOfImpact& impact = exam.impact;
        if (impact.iterations > 0) {
            exam.axis = impact.normal;
        }
        if (impact.status == ToiStatus::miss) {
            return exam;
        }
        const bool at_once = !(impact.time > 0.0f);
        if (impact.status == ToiStatus::initial || (impact.status == ToiStatus::hit && at_once && !exam.in_touch)) {
            exam.floor = touch_floor(impact.distance, give, yields);
            settings.tolerance = touch_tolerance(exam.floor, impact.distance, slop);
            exam.in_touch = true;
            settings.target = exam.floor;
            continue;
        }
        exam.time = std::min(exam.time + impact.time, until_);
        sweep_a = sweep_from(body_a, a.pose, exam.time);
        sweep_b = sweep_from(body_b, b.pose, exam.time);
        if (impact.status == ToiStatus::hit) {
            const bool finds_it = exam.time >= 1.0f || ((body_a.jointed || body_b.jointed) &&
                                                        next_step_finds(a, body_a, b, body_b, impact.normal));
            exam.result = finds_it ? Exam::Result::miss : Exam::Result::impact;
            return exam;
        }
        if (at_once) { // out of iterations without moving on
            break;
        }
    }
    // The time reached is safe: standing still there never misses.
    exam.result = exam.time < until_ ? Exam::Result::lost : Exam::Result::miss;
    return exam;
}

// Whether the shapes end the step in each other, not as far as their middles, and the way out leads back to where they
// met. To hold back a mechanism for that would take more from it than the contact does that the next step makes: limbs
// wedged into each other stayed so, because each step ended before the solver had parted them.
bool ContinuousCollision::next_step_finds(const ContinuousWorld::ShapeRef& a, const SweptBody& body_a,
                                          const ContinuousWorld::ShapeRef& b, const SweptBody& body_b,
                                          const Vec3& normal) {
    const Manifold end = collide(*a.shape, compose(pose_at(body_a, 1.0f), a.pose), *b.shape,
                                 compose(pose_at(body_b, 1.0f), b.pose), 0.0f);
    return leads_back(end, normal, std::min(a.shape->inner_radius, b.shape->inner_radius));
}

// Of a manifold at the end of the step: whether its way out is that by which the shapes came, and they are in each
// other by no more than `deepest`, m. Along one direction the way out changes sides where they are in each other by the
// sum of the radii of the balls within them.
bool ContinuousCollision::leads_back(const Manifold& end, const Vec3& normal, float deepest) {
    const auto points = std::span(end.points).first(static_cast<std::size_t>(end.count));
    return end.count > 0 && glm::dot(end.normal, normal) > 0.5f &&
           std::all_of(points.begin(), points.end(),
                       [&](const ManifoldPoint& point) { return point.separation >= -deepest; });
}

// Ties are broken by key, so that the order never depends on the trees. Who has to look further does so first.
bool ContinuousCollision::later(const Event& x, const Event& y) {
    if (x.time != y.time) {
        return x.time > y.time;
    }
    return x.looks != y.looks ? y.looks : x.key > y.key;
}

void ContinuousCollision::enqueue(PairKey key, const Exam& exam) {
    if (exam.in_touch || exam.axis != Vec3(0.0f)) {
        PairNote& note = notes_.of(key);
        note.in_touch = exam.in_touch;
        note.floor = exam.floor;
        note.axis = exam.axis;
    }
    if (exam.whole) {
        PairNote& note = notes_.of(key);
        note.whole = true;
        note.version_a = bodies_[holder_[first_of(key)]].version;
        note.version_b = bodies_[holder_[second_of(key)]].version;
    }
    if (exam.result == Exam::Result::miss) {
        return;
    }
    Event event;
    event.time = exam.time;
    event.key = key;
    event.version_a = bodies_[holder_[first_of(key)]].version;
    event.version_b = bodies_[holder_[second_of(key)]].version;
    event.lost = exam.result == Exam::Result::lost;
    event.distance = exam.impact.distance;
    event.normal = exam.impact.normal;
    event.point = 0.5f * (exam.impact.point_a + exam.impact.point_b);
    event.triangle = exam.triangle;
    add(event);
}

void ContinuousCollision::add(const Event& event) {
    events_.push_back(event);
    std::push_heap(events_.begin(), events_.end(), later);
}

// From here on the pair counts as in touch, and may sink to the distance `floor`, m.
void ContinuousCollision::put_in_touch(PairKey key, float floor) {
    PairNote& note = notes_.of(key);
    note.in_touch = true;
    note.floor = floor;
}

// Examines everything that the new paths of these bodies may meet; `standing`: they were stopped on their paths.
void ContinuousCollision::look_ahead(const Step& step, float now, std::span<const std::uint32_t> bodies,
                                     bool standing) {
    for (const std::uint32_t index : bodies) {
        SweptBody& body = bodies_[index];
        body.end = pose_at(body, 1.0f);
        sweep(step, body);
        for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
            step.broadphase.cover(i, swept_[i]);
        }
    }
    for (const std::uint32_t index : bodies) {
        const SweptBody& body = bodies_[index];
        collect(step, index, standing && body.fast && !body.moves());
        if (index != bodies.front()) { // what the first of both finds of the other is enough
            std::erase_if(ahead_[index], [&](const Candidate& one) { return one.other == bodies.front(); });
        }
    }
    for (const std::uint32_t index : bodies) {
        look_further(step, now, index);
    }
}

// Examines what lies ahead of a body up to the first impact. That may never come to pass, because the other meets
// something sooner; then the body looks further from there. What has got a new path since has looked at this body
// itself.
void ContinuousCollision::look_further(const Step& step, float now, std::uint32_t body) {
    std::vector<Candidate>& ahead = ahead_[body];
    float first = until_;
    while (!ahead.empty() && ahead.back().time <= first) {
        const Candidate next = ahead.back();
        ahead.pop_back();
        if (bodies_[next.other].version != next.version) {
            continue;
        }
        const Exam exam = examine(step, next.key, now);
        enqueue(next.key, exam);
        first = exam.result == Exam::Result::miss ? first : std::min(first, exam.time);
    }
    if (!ahead.empty()) {
        Event event;
        event.time = ahead.back().time;
        event.looks = true;
        event.key = body;
        event.version_a = bodies_[body].version;
        add(event);
    }
}

// Whether `other` moves on as if `body` were not there: a kinematic body, one that outweighs it by far and has not been
// held, and what moves along with such a one. Not a part of the same mechanism, and nothing heavy what is on joints:
// that would tear it from them, and the solver knows better what both of them do.
bool ContinuousCollision::pushes(const SweptBody& other, const SweptBody& body) {
    const float inverse_mass = other.driven ? other.driver_inverse_mass : other.inverse_mass;
    return body.dynamic && !in_one_mechanism(body, other) && !(body.jointed && inverse_mass > 0.0f) && other.moves() &&
           (other.driven || !other.stopped) && far_heavier * inverse_mass <= body.inverse_mass;
}

// Asked for many times of a body in a crowd, and always the same.
const ContinuousWorld::Touch& ContinuousCollision::touch(const Step& step, const SweptBody& body) {
    KnownTouch& known = touches_[index_of_[body.slot]];
    if (!known.known) {
        known = {true, step.world.touch(body.slot)};
    }
    return known.touch;
}

// A body that leans on other dynamic bodies, fast or slow, or is joined to them is part of a system that only the
// solver can answer for: an impulse between two bodies of a crowd drives both into their neighbours, these into theirs,
// and so on a hundred times over. One that has been hit too often in one step may be part of such a system.
bool ContinuousCollision::must_wait(const Step& step, const SweptBody& body, const SweptBody& other) {
    return body.dynamic && (body.jointed || body.stopped || body.driven || body.impacts >= max_impacts ||
                            touch(step, body).dynamic_but(other.slot));
}

// The end of a path within a crowd. Each body stands still once at most, drifts once at most, and moves along with what
// pushes it once at most, whatever the crowd does.
void ContinuousCollision::hold(const Step& step, SweptBody& a, SweptBody& b, float now) {
    const bool held = a.stopped || b.stopped;
    const std::array<std::array<SweptBody*, 2>, 2> sides{{{&a, &b}, {&b, &a}}};
    for (const auto& [body, other] : sides) {
        if (!body->dynamic) {
            continue;
        }
        if (pushes(*other, *body)) {
            if (body->driven) { // caught between the two
                continue;
            }
            move_along(*body, *other, now);
        } else if ((pushes(*body, *other) && !other->driven) || other->driver == body->slot ||
                   (body->driven && other->dynamic && body->driver_inverse_mass == 0.0f)) {
            continue;                                       // it takes the other along
        } else if ((body->fast || held) && body->moves()) { // what comes to one that stands would move on into it
            if (body->jointed) {
                stop(*body, now); // mechanisms are held as wholes, and stand
            } else {
                wait(step, *body, *other, now);
            }
        } else {
            continue;
        }
        affected_.push_back(index_of_[body->slot]);
    }
}

// All pairs of keys_, from the beginning of the slice on.
void ContinuousCollision::examine_all(Executor& executor, const Step& step, std::span<const KnownPair> pairs) {
    exams_.resize(keys_.size());
    parallel_for(executor, keys_.size(), exam_block, [&](std::size_t begin, std::size_t end) {
        const auto by_key = [](const KnownPair& known, PairKey key) { return known.key < key; };
        auto known = std::lower_bound(pairs.begin(), pairs.end(), keys_[begin], by_key);
        for (std::size_t i = begin; i < end; ++i) {
            known = std::find_if(known, pairs.end(), [&](const KnownPair& one) { return one.key >= keys_[i]; });
            const bool found = known != pairs.end() && known->key == keys_[i];
            exams_[i] = examine(step, keys_[i], begin_, found ? known->pair : ContinuousWorld::unknown);
        }
    });
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        enqueue(keys_[i], exams_[i]);
    }
}

// All impacts until the end of the slice, and those that follow from them.
void ContinuousCollision::answer_all(Executor& executor, const Step& step) {
    while (!events_.empty() && events_.front().time <= until_) {
        std::pop_heap(events_.begin(), events_.end(), later);
        const Event event = events_.back();
        events_.pop_back();
        executor.check();
        if (event.looks) {
            const auto body = static_cast<std::uint32_t>(event.key);
            if (event.version_a == bodies_[body].version) {
                look_further(step, event.time, body);
            }
            continue;
        }
        const std::array<std::uint32_t, 2> pair{index_of_[step.world.shape(first_of(event.key)).body],
                                                index_of_[step.world.shape(second_of(event.key)).body]};
        SweptBody& a = bodies_[pair[0]];
        SweptBody& b = bodies_[pair[1]];
        if (event.version_a != a.version || event.version_b != b.version) {
            continue; // a path has changed since, and the pair was examined again then
        }
        if (crosses_seam(step, event)) {
            enqueue(event.key, examine(step, event.key, event.time));
            continue;
        }
        affected_.clear();
        const bool waits = event.lost || must_wait(step, a, b) || must_wait(step, b, a);
        if (waits) {
            hold(step, a, b, event.time);
        } else {
            answer(step, event, a, b);
        }
        look_ahead(step, event.time, affected_, waits);
    }
}

ContinuousStats ContinuousCollision::run(Executor& executor, const ContinuousWorld& world,
                                         const ContinuousSettings& settings, std::span<const std::uint32_t> fast,
                                         std::span<const std::uint32_t> strayed, std::span<const KnownPair> pairs,
                                         Broadphase& broadphase) {
    assert(std::ranges::is_sorted(fast) && std::ranges::is_sorted(strayed));
    assert(std::ranges::is_sorted(pairs, {}, &KnownPair::key));
    const Step step{world, settings, broadphase};
    give_back(bodies_.size());
    stats_ = ContinuousStats{};
    changed_.clear();
    impacts_.clear();
    for (const SweptBody& body : bodies_) { // of the last run
        index_of_[body.slot] = not_met;
        for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
            holder_[i] = not_met;
        }
    }
    index_of_.resize(std::max(index_of_.size(), world.body_end()), not_met);
    swept_.resize(std::max(swept_.size(), world.shape_end()));
    holder_.resize(swept_.size(), not_met);
    slots_.clear();
    bodies_.clear();
    notes_.clear();
    events_.clear();
    begin_ = 0.0f;
    until_ = 1.0f;

    for (const std::span<const std::uint32_t> list : {strayed, fast}) {
        for (const std::uint32_t slot : list) {
            meet(slot);
        }
    }
    gather(executor, step, 0);
    for (const std::uint32_t slot : fast) {
        bodies_[index_of_[slot]].fast = true;
    }
    cover_paths(step, strayed, true);
    const int slices = count_slices(step, fast);
    for (int slice = 0; slice < slices; ++slice) {
        if (slices == 1) {
            collect_all(executor, step, strayed, pairs);
        } else {
            begin_slice(executor, step, slice, slices);
            collect_all(executor, step, roaming_, {});
        }
        examine_all(executor, step, pairs);
        answer_all(executor, step);
    }
    stats_.sliced = slices > 1;

    for (const SweptBody& body : bodies_) {
        if (body.changed) {
            changed_.push_back(body);
            SweptBody& last = changed_.back();
            last.pose = pose_at(last, 1.0f);
            last.from = 1.0f;
        }
    }
    std::sort(changed_.begin(), changed_.end(), [](const SweptBody& x, const SweptBody& y) { return x.slot < y.slot; });
    return stats_;
}

void ContinuousCollision::rest() {
    changed_.clear();
    impacts_.clear();
    give_back(0);
}

// All lists go with the number of bodies. Those of a crowd that has landed are of no use to the few that follow.
void ContinuousCollision::give_back(std::size_t bodies) {
    constexpr std::size_t few = 64;
    most_bodies_.note(bodies);
    const auto most = most_bodies_.look();
    if (most && bodies_.capacity() > 4 * std::max(*most, few)) {
        *this = ContinuousCollision();
    }
}

std::size_t ContinuousCollision::memory_bytes() const {
    const auto bytes = [](const auto&... lists) { return (bytes_of(lists) + ...); };
    std::size_t sum = bytes(bodies_, slots_, index_of_, holder_, swept_, shapes_, roaming_, keys_, exams_, events_,
                            ahead_, touches_, affected_, changed_, impacts_) +
                      notes_.memory_bytes();
    for (const std::vector<Candidate>& list : ahead_) {
        sum += bytes_of(list);
    }
    return sum;
}

} // namespace cairn::physics
