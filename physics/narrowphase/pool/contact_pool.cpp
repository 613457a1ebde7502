#include "physics/narrowphase/pool/contact_pool.h"

#include "physics/base/growth.h"
#include "physics/base/hash.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace cairn::physics {

void ContactPool::expect_pairs(std::size_t count) {
    make_room(pairs_, count - std::min(count, free_.size()));
}

void ContactPool::expect_contacts(std::size_t count, std::size_t points) {
    make_room(contacts_, count - std::min(count, free_contacts_.size()));
    std::size_t free = 0;
    for (std::size_t i = 0; i < free_points_.size(); ++i) {
        free += i * free_points_[i].size();
    }
    make_room(points_, points - std::min(points, free));
    make_room(step_impulses_, points_.capacity() - step_impulses_.size());
}

std::uint32_t ContactPool::create(PairKey key, std::uint32_t body_a, std::uint32_t body_b) {
    assert(body_a != body_b && !exists(key));
    std::uint32_t slot = 0;
    if (free_.empty()) {
        slot = static_cast<std::uint32_t>(pairs_.size());
        make_room(pairs_);
        pairs_.emplace_back();
    } else {
        slot = free_.back();
        free_.pop_back();
        pairs_[slot] = ShapePair{};
    }
    ShapePair& pair = pairs_[slot];
    pair.key = key;
    pair.body_a = body_a;
    pair.body_b = body_b;
    keys_.insert(key);
    link(slot, body_a, &ShapePair::link_a);
    link(slot, body_b, &ShapePair::link_b);
    return slot;
}

void ContactPool::link(std::uint32_t slot, std::uint32_t body, std::uint32_t ShapePair::*position) {
    if (body >= by_body_.size()) {
        by_body_.resize(body + std::size_t{1});
    }
    pairs_[slot].*position = static_cast<std::uint32_t>(by_body_[body].size());
    by_body_[body].push_back(slot);
}

void ContactPool::unlink(std::uint32_t body, std::uint32_t position) {
    std::vector<std::uint32_t>& list = by_body_[body];
    const std::uint32_t moved = list.back();
    list[position] = moved;
    list.pop_back();
    ShapePair& pair = pairs_[moved];
    (pair.body_a == body ? pair.link_a : pair.link_b) = position;
}

void ContactPool::set_order(std::uint32_t body, std::span<const std::uint32_t> slots) {
    if (body >= by_body_.size()) {
        return;
    }
    by_body_[body].assign(slots.begin(), slots.end());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        ShapePair& pair = pairs_[slots[i]];
        (pair.body_a == body ? pair.link_a : pair.link_b) = static_cast<std::uint32_t>(i);
    }
}

// The slot stays out of use until commit() and keeps its key, because lists in key order may still name it.
void ContactPool::destroy(std::uint32_t slot) {
    assert(slot < pairs_.size() && exists(pairs_[slot].key));
    part(slot);
    set_active(slot, false);
    ShapePair& pair = pairs_[slot];
    keys_.erase(pair.key);
    unlink(pair.body_a, pair.link_a);
    unlink(pair.body_b, pair.link_b);
    const PairKey key = pair.key;
    pair = ShapePair{};
    pair.key = key;
    destroyed_.push_back(slot);
}

std::uint32_t ContactPool::take_points(int count) {
    std::vector<std::uint32_t>& free = free_points_[static_cast<std::size_t>(count)];
    if (free.empty()) {
        const std::size_t first = points_.size();
        make_room(points_, static_cast<std::size_t>(count));
        points_.resize(first + static_cast<std::size_t>(count));
        make_room(step_impulses_, static_cast<std::size_t>(count));
        step_impulses_.resize(points_.size());
        return static_cast<std::uint32_t>(first);
    }
    const std::uint32_t first = free.back();
    free.pop_back();
    std::fill_n(step_impulses_.begin() + first, count, StepImpulse{});
    return first;
}

void ContactPool::give_points(std::uint32_t first, int count) {
    free_points_[static_cast<std::size_t>(count)].push_back(first);
}

void ContactPool::touch(std::uint32_t slot, const Contact& contact, std::span<const ContactPoint> points) {
    assert(slot < pairs_.size() && !points.empty() && points.size() < free_points_.size());
    ShapePair& pair = pairs_[slot];
    std::uint32_t first_point = no_index;
    if (pair.contact == no_index) {
        if (free_contacts_.empty()) {
            pair.contact = static_cast<std::uint32_t>(contacts_.size());
            make_room(contacts_);
            contacts_.emplace_back();
        } else {
            pair.contact = free_contacts_.back();
            free_contacts_.pop_back();
        }
    } else if (contacts_[pair.contact].count == points.size()) {
        first_point = contacts_[pair.contact].first_point;
    } else {
        give_points(contacts_[pair.contact].first_point, contacts_[pair.contact].count);
    }
    if (first_point == no_index) {
        first_point = take_points(static_cast<int>(points.size()));
    }
    Contact& record = contacts_[pair.contact];
    record = contact;
    record.pair = slot;
    record.body_a = pair.body_a;
    record.body_b = pair.body_b;
    record.first_point = first_point;
    record.count = static_cast<std::uint8_t>(points.size());
    std::copy(points.begin(), points.end(), points_.begin() + first_point);
}

void ContactPool::part(std::uint32_t slot) {
    ShapePair& pair = pairs_[slot];
    if (pair.contact == no_index) {
        return;
    }
    Contact& contact = contacts_[pair.contact];
    if (!pair.active) {
        resting_hash_ -= hash_of(contact);
    }
    give_points(contact.first_point, contact.count);
    contact = Contact{};
    free_contacts_.push_back(pair.contact);
    pair.contact = no_index;
}

void ContactPool::set_active(std::uint32_t slot, bool active) {
    ShapePair& pair = pairs_[slot];
    if (pair.active == active) {
        return;
    }
    pair.active = active;
    const std::uint64_t hash = pair.touching() ? hash_of(contacts_[pair.contact]) : 0;
    if (active) {
        newly_active_.push_back(slot);
        resting_hash_ -= hash;
    } else {
        dropped_.push_back(slot);
        resting_hash_ += hash;
    }
}

void ContactPool::commit() {
    clear_burst(activated_, 256);
    if (dropped_.empty() && newly_active_.empty() && destroyed_.empty()) {
        return;
    }
    // Keys beside the slots: a heap that wakes sorts all its pairs, and their records lie far apart.
    in_key_order_.clear();
    for (const std::uint32_t slot : newly_active_) {
        if (pairs_[slot].active) {
            in_key_order_.emplace_back(pairs_[slot].key, slot);
        }
    }
    std::sort(in_key_order_.begin(), in_key_order_.end());
    // A pair that was switched off and on again between two commits stands twice.
    in_key_order_.erase(std::unique(in_key_order_.begin(), in_key_order_.end()), in_key_order_.end());
    for (const auto& [key, slot] : in_key_order_) {
        activated_.push_back({slot, pairs_[slot].body_a, pairs_[slot].body_b, 0.0f});
    }
    remove_dropped();
    if (!activated_.empty()) {
        insert_activated();
        const auto touches = [this](const ActivePair& entry) { return pairs_[entry.slot].touching(); };
        if (std::any_of(activated_.begin(), activated_.end(), touches)) {
            list_touching();
        }
    }
    for (const std::uint32_t slot : destroyed_) {
        pairs_[slot] = ShapePair{};
        free_.push_back(slot);
    }
    // A heap that is made or wakes fills these with all of its pairs, once.
    constexpr std::size_t kept = 256;
    clear_burst(newly_active_, kept);
    clear_burst(dropped_, kept);
    clear_burst(destroyed_, kept);
    clear_burst(in_key_order_, kept);
    clear_burst(places_, kept);
    clear_burst(merged_, kept);
}

std::size_t ContactPool::memory_bytes() const {
    std::size_t bytes = bytes_of(pairs_) + bytes_of(free_) + keys_.memory_bytes() + bytes_of(by_body_) +
                        bytes_of(active_) + bytes_of(newly_active_) + bytes_of(destroyed_) + bytes_of(activated_) +
                        bytes_of(touching_) + bytes_of(merged_) + bytes_of(places_) + bytes_of(dropped_) +
                        bytes_of(in_key_order_) + bytes_of(contacts_) + bytes_of(free_contacts_) + bytes_of(points_) +
                        bytes_of(step_impulses_);
    for (const std::vector<std::uint32_t>& list : free_points_) {
        bytes += bytes_of(list);
    }
    for (const std::vector<std::uint32_t>& list : by_body_) {
        bytes += bytes_of(list);
    }
    return bytes;
}

namespace {

// A few entries of a long list are looked up one by one, and the stretches between them moved as they are: to compare
// keys entry by entry reads all records of pairs, which lie far apart.
bool few(std::size_t changes, std::size_t entries) {
    return 32 * changes < entries;
}

} // namespace

std::size_t ContactPool::place_of(PairKey key, std::size_t end) const {
    const auto at =
        std::lower_bound(active_.begin(), active_.begin() + static_cast<std::ptrdiff_t>(end), key,
                         [this](const ActivePair& entry, PairKey wanted) { return pairs_[entry.slot].key < wanted; });
    return static_cast<std::size_t>(at - active_.begin());
}

void ContactPool::remove_dropped() {
    if (!few(dropped_.size(), active_.size())) {
        std::erase_if(active_, [this](const ActivePair& entry) { return !pairs_[entry.slot].active; });
        return;
    }
    places_.clear();
    for (const std::uint32_t slot : dropped_) {
        const std::size_t place = place_of(pairs_[slot].key, active_.size());
        if (!pairs_[slot].active && place < active_.size() && active_[place].slot == slot) {
            places_.push_back(place);
        }
    }
    std::sort(places_.begin(), places_.end());
    places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
    const auto at = [this](std::size_t place) { return active_.begin() + static_cast<std::ptrdiff_t>(place); };
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const std::size_t next = i + 1 < places_.size() ? places_[i + 1] : active_.size();
        std::move(at(places_[i] + 1), at(next), at(places_[i] - i));
    }
    active_.resize(active_.size() - places_.size());
}

void ContactPool::insert_activated() {
    const auto by_key = [this](const ActivePair& a, const ActivePair& b) {
        return pairs_[a.slot].key < pairs_[b.slot].key;
    };
    if (!few(activated_.size(), active_.size())) {
        merged_.clear();
        make_room(merged_, active_.size() + activated_.size());
        std::set_union(active_.begin(), active_.end(), activated_.begin(), activated_.end(),
                       std::back_inserter(merged_), by_key);
        active_.swap(merged_);
        return;
    }
    merged_.clear();
    places_.clear();
    for (const ActivePair& entry : activated_) {
        const std::size_t place = place_of(pairs_[entry.slot].key, active_.size());
        if (place == active_.size() || active_[place].slot != entry.slot) { // else it was off and on again
            merged_.push_back(entry);
            places_.push_back(place);
        }
    }
    const auto at = [this](std::size_t place) { return active_.begin() + static_cast<std::ptrdiff_t>(place); };
    std::size_t end = active_.size();
    make_room(active_, merged_.size());
    active_.resize(end + merged_.size());
    for (std::size_t i = merged_.size(); i-- > 0;) {
        std::move_backward(at(places_[i]), at(end), at(end + i + 1));
        active_[places_[i] + i] = merged_[i];
        end = places_[i];
    }
}

void ContactPool::list_touching() {
    touching_.clear();
    for (const ActivePair& entry : active_) {
        if (pairs_[entry.slot].touching()) {
            touching_.push_back(pairs_[entry.slot].contact);
        }
    }
}

std::uint64_t ContactPool::hash_of(const Contact& contact) const {
    Hasher hasher(pairs_[contact.pair].key);
    std::uint32_t i = 0;
    for (const ContactPoint& point : points(contact)) {
        hasher.add(point.feature, i++).add(point.separation, point.normal_impulse);
        hasher.add(point.friction_impulse).add(point.preload, 0.0f);
    }
    if (contact.tolerance > 0.0f) {
        hasher.add(contact.found_at.position).add(contact.found_at.orientation);
    }
    const CollideCache& cache = pairs_[contact.pair].cache; // where the next query looks first
    hasher.add(contact.rolling_impulse)
        .add(cache.axis)
        .add(cache.axis_in_b)
        .add(std::uint32_t{cache.contact}, std::uint32_t{contact.solved_at});
    if (contact.loaded_inverse_mass > 0.0f) {
        hasher.add(contact.loaded_inverse_mass, 0.0f);
    }
    return hasher.value();
}

std::uint64_t ContactPool::hash_sum() const {
    std::uint64_t sum = resting_hash_;
    if (newly_active_.empty()) {
        for (const std::uint32_t index : touching_) {
            sum += active(contacts_[index]) ? hash_of(contacts_[index]) : 0;
        }
    } else { // not yet listed: a command has woken something
        for_each([&](const Contact& contact) { sum += active(contact) ? hash_of(contact) : 0; });
    }
    return sum;
}

std::span<const std::uint32_t> ContactPool::of_body(std::uint32_t body) const {
    if (body >= by_body_.size()) {
        return {};
    }
    return by_body_[body];
}

} // namespace cairn::physics
