#include "physics/world/state/contact_watcher.h"

#include "physics/base/bytes.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cairn::physics {

bool ContactWatcher::Touch::operator<(const Touch& other) const {
    const auto order = [](const Touch& touch) { // slots of shapes are taken again by other bodies
        const ContactEvent& event = touch.event;
        return std::tuple(touch.key, event.body_a.index, event.body_a.generation, event.shape_a, event.body_b.index,
                          event.body_b.generation, event.shape_b);
    };
    return order(*this) < order(other);
}

void ContactWatcher::watch(const ContactWatch& watch, const WorldData& data) {
    const bool anew = watch.events && !watch_.events;
    watch_ = watch;
    if (anew) {
        forget(data);
    } else if (!watch.events) {
        *this = ContactWatcher();
        watch_ = watch;
    }
}

void ContactWatcher::forget(const WorldData& data) {
    events_ = ContactEvents();
    approaches_.clear();
    now_.clear();
    if (watch_.events) {
        data.contacts.for_each([&](const Contact& contact) { add(data, contact); });
        put_in_order();
    }
    before_.swap(now_);
}

ContactEvent ContactWatcher::event_of(const WorldData& data, const ShapePair& pair) {
    const std::uint32_t a = pair.shape_a(), b = pair.shape_b();
    const std::uint32_t body_a = data.bodies.shapes[a].body, body_b = data.bodies.shapes[b].body;
    return {data.bodies.id(body_a), data.bodies.id(body_b), data.bodies.place_of(a), data.bodies.place_of(b)};
}

void ContactWatcher::add(const WorldData& data, const Contact& contact) {
    const std::span<const ContactPoint> points = data.contacts.points(contact);
    const auto close = [&](const ContactPoint& point) { return point.separation <= data.settings.linear_slop; };
    if (contact.meets_at == 0.0f && std::any_of(points.begin(), points.end(), close)) {
        const ShapePair& pair = data.contacts.pair(contact.pair);
        now_.push_back({make_pair_key(pair.shape_a(), pair.shape_b()), contact.pair, event_of(data, pair)});
    }
}

// What touched then goes on under its new name, and what is gone ends with the next step.
void ContactWatcher::renumber(BodyId body, std::span<const std::uint32_t> places,
                              std::span<const std::uint32_t> indices, std::uint32_t first) {
    const auto renumbered = [&](std::uint32_t shape) {
        return shape >= first && shape - first < indices.size() ? indices[shape - first] : shape;
    };
    for (Touch& touch : before_) {
        ContactEvent& event = touch.event;
        if (event.body_a != body && event.body_b != body) {
            continue;
        }
        const std::uint32_t a = renumbered(first_of(touch.key)), b = renumbered(second_of(touch.key));
        if (a == no_index || b == no_index) {
            continue;
        }
        std::uint32_t& place = event.body_a == body ? event.shape_a : event.shape_b;
        place = places[place];
        if (a > b) {
            std::swap(event.body_a, event.body_b);
            std::swap(event.shape_a, event.shape_b);
        }
        touch.key = make_pair_key(a, b);
    }
    std::sort(before_.begin(), before_.end());
}

void ContactWatcher::put_in_order() {
    std::sort(now_.begin(), now_.end());
    const auto same = [](const Touch& a, const Touch& b) { return a.key == b.key && a.event == b.event; };
    now_.erase(std::unique(now_.begin(), now_.end(), same), now_.end()); // faces of one mesh
}

void ContactWatcher::note_approaches(const WorldData& data) {
    approaches_.clear();
    if (!watch_.events) {
        return;
    }
    for (const std::uint32_t index : data.contacts.touching()) {
        const Contact& contact = data.contacts[index];
        if (!data.contacts.active(contact)) {
            continue;
        }
        const BodyRecord &a = data.bodies[contact.body_a], &b = data.bodies[contact.body_b];
        Approach approach;
        approach.contact = index;
        approach.hit.approach_speed = watch_.hit_speed;
        bool fast = false;
        for (const ContactPoint& point : data.contacts.points(contact)) {
            const Vec3 at_a = a.linear_velocity + glm::cross(a.angular_velocity, contact.anchor_a(point));
            const Vec3 at_b = b.linear_velocity + glm::cross(b.angular_velocity, contact.anchor_b(point));
            const float speed = glm::dot(at_a - at_b, contact.normal);
            if (speed > approach.hit.approach_speed) {
                approach.hit.approach_speed = speed;
                approach.hit.point = contact.meets_at > 0.0f ? contact.meets : contact.world(point);
                fast = true;
            }
        }
        if (fast) {
            approach.hit.of = event_of(data, data.contacts.pair(contact.pair));
            approach.hit.normal = contact.normal;
            approaches_.push_back(approach);
        }
    }
}

void ContactWatcher::begin_step() {
    events_.begun.clear();
    events_.ended.clear();
    events_.hits.clear();
    begun_.clear();
    ended_.clear();
}

void ContactWatcher::find(const WorldData& data) {
    if (!watch_.events) {
        return;
    }
    for (const Approach& approach : approaches_) { // what came near and was not stopped has passed by
        const Contact& contact = data.contacts[approach.contact];
        const std::span<const StepImpulse> impulses = data.contacts.step_impulses(contact);
        if (std::any_of(impulses.begin(), impulses.end(), [](const StepImpulse& one) { return one.normal > 0.0f; })) {
            events_.hits.push_back(approach.hit);
        }
    }
    now_.clear();
    for (const std::uint32_t index : data.contacts.touching()) {
        if (data.contacts[index].count != 0) {
            add(data, data.contacts[index]);
        }
    }
    for (const Touch& touch : before_) { // what rests goes on touching
        const ShapePair& pair = data.contacts.pair(touch.pair);
        if (pair.touching() && !pair.active && make_pair_key(pair.shape_a(), pair.shape_b()) == touch.key &&
            event_of(data, pair) == touch.event) {
            now_.push_back(touch);
        }
    }
    put_in_order();
    const auto for_each_new = [](const std::vector<Touch>& list, const std::vector<Touch>& than, auto&& visit) {
        auto at = than.begin();
        for (const Touch& touch : list) {
            at = std::find_if_not(at, than.end(), [&](const Touch& other) { return other < touch; });
            if (at == than.end() || touch < *at) {
                visit(touch);
            }
        }
    };
    for_each_new(now_, before_, [&](const Touch& touch) {
        const auto at = std::lower_bound(ended_.begin(), ended_.end(), touch);
        if (at != ended_.end() && !(touch < *at)) { // of a short step before: it goes on
            ended_.erase(at);
        } else {
            begun_.push_back(touch);
        }
    });
    for_each_new(before_, now_, [&](const Touch& touch) { ended_.push_back(touch); });
    before_.swap(now_);
    const auto list = [](std::vector<Touch>& from, std::vector<ContactEvent>& to) {
        std::sort(from.begin(), from.end());
        to.clear();
        for (const Touch& touch : from) {
            to.push_back(touch.event);
        }
    };
    list(begun_, events_.begun);
    list(ended_, events_.ended);
}

std::size_t ContactWatcher::memory_bytes() const {
    return bytes_of(events_.begun) + bytes_of(events_.ended) + bytes_of(events_.hits) + bytes_of(before_) +
           bytes_of(now_) + bytes_of(begun_) + bytes_of(ended_) + bytes_of(approaches_);
}

} // namespace cairn::physics
