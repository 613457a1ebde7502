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
    by_key_.emplace(key, slot);
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

// The slot stays out of use until commit(), because lists in key order may still name it.
void ContactPool::destroy(std::uint32_t slot) {
    Contact& contact = contacts_[slot];
    set_active(slot, false);
    by_key_.erase(contact.key);
    unlink(contact.body_a, contact.body_link_a);
    unlink(contact.body_b, contact.body_link_b);
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
    if (!dropped_ && newly_active_.empty() && destroyed_.empty()) {
        return;
    }
    const auto by_key = [this](std::uint32_t a, std::uint32_t b) { return contacts_[a].key < contacts_[b].key; };
    std::sort(newly_active_.begin(), newly_active_.end(), by_key);
    merged_.clear();
    std::merge(active_.begin(), active_.end(), newly_active_.begin(), newly_active_.end(), std::back_inserter(merged_),
               by_key);
    std::erase_if(merged_, [this](std::uint32_t slot) { return !contacts_[slot].active; });
    // A contact that was switched off and on again between two commits stands twice.
    merged_.erase(std::unique(merged_.begin(), merged_.end()), merged_.end());
    active_.swap(merged_);
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
