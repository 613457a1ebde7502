#include "physics/narrowphase/contact_pool.h"

#include <algorithm>
#include <iterator>

namespace cairn::physics {

std::uint32_t ContactPool::create(PairKey key, std::uint32_t body_a, std::uint32_t body_b) {
    std::uint32_t slot = 0;
    if (free_.empty()) {
        slot = static_cast<std::uint32_t>(contacts_.size());
        contacts_.emplace_back();
    } else {
        slot = free_.back();
        free_.pop_back();
        contacts_[slot] = Contact{};
    }
    Contact& contact = contacts_[slot];
    contact.key = key;
    contact.shape_a = first_of(key);
    contact.shape_b = second_of(key);
    contact.body_a = body_a;
    contact.body_b = body_b;
    keys_.insert(key);
    link(slot, body_a, &Contact::body_link_a);
    link(slot, body_b, &Contact::body_link_b);
    return slot;
}

void ContactPool::link(std::uint32_t slot, std::uint32_t body, std::uint32_t Contact::*position) {
    if (body >= by_body_.size()) {
        by_body_.resize(body + std::size_t{1});
    }
    contacts_[slot].*position = static_cast<std::uint32_t>(by_body_[body].size());
    by_body_[body].push_back(slot);
}

void ContactPool::unlink(std::uint32_t body, std::uint32_t position) {
    std::vector<std::uint32_t>& list = by_body_[body];
    const std::uint32_t moved = list.back();
    list[position] = moved;
    list.pop_back();
    Contact& contact = contacts_[moved];
    (contact.body_a == body ? contact.body_link_a : contact.body_link_b) = position;
}

// The slot stays out of use until commit() and keeps its key, because lists in key order may still name it.
void ContactPool::destroy(std::uint32_t slot) {
    Contact& contact = contacts_[slot];
    set_active(slot, false);
    keys_.erase(contact.key);
    unlink(contact.body_a, contact.body_link_a);
    unlink(contact.body_b, contact.body_link_b);
    const PairKey key = contact.key;
    contact = Contact{};
    contact.key = key;
    destroyed_.push_back(slot);
}

void ContactPool::set_active(std::uint32_t slot, bool active) {
    Contact& contact = contacts_[slot];
    if (contact.active == active) {
        return;
    }
    contact.active = active;
    if (active) {
        newly_active_.push_back(slot);
    } else {
        dropped_ = true;
    }
}

void ContactPool::commit() {
    activated_.clear();
    if (!dropped_ && newly_active_.empty() && destroyed_.empty()) {
        return;
    }
    // Keys beside the slots: a heap that wakes sorts all its contacts, and their records lie far apart.
    in_key_order_.clear();
    for (const std::uint32_t slot : newly_active_) {
        if (contacts_[slot].active) {
            in_key_order_.emplace_back(contacts_[slot].key, slot);
        }
    }
    std::sort(in_key_order_.begin(), in_key_order_.end());
    // A contact that was switched off and on again between two commits stands twice.
    in_key_order_.erase(std::unique(in_key_order_.begin(), in_key_order_.end()), in_key_order_.end());
    for (const auto& [key, slot] : in_key_order_) {
        activated_.push_back(slot);
    }
    if (dropped_) {
        std::erase_if(active_, [this](std::uint32_t slot) { return !contacts_[slot].active; });
    }
    if (!activated_.empty()) {
        const auto by_key = [this](std::uint32_t a, std::uint32_t b) { return contacts_[a].key < contacts_[b].key; };
        merged_.clear();
        std::set_union(active_.begin(), active_.end(), activated_.begin(), activated_.end(),
                       std::back_inserter(merged_), by_key);
        active_.swap(merged_);
    }
    newly_active_.clear();
    dropped_ = false;
    for (const std::uint32_t slot : destroyed_) {
        contacts_[slot] = Contact{};
        free_.push_back(slot);
    }
    destroyed_.clear();
}

std::span<const std::uint32_t> ContactPool::of_body(std::uint32_t body) const {
    if (body >= by_body_.size()) {
        return {};
    }
    return by_body_[body];
}

} // namespace cairn::physics
