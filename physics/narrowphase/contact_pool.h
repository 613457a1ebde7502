// All contacts, found by key, by body and in key order.
#pragma once

#include "physics/narrowphase/contact.h"
#include "physics/narrowphase/pair_set.h"

#include <span>
#include <utility>
#include <vector>

namespace cairn::physics {

// Contacts live in slots that never move while the contact exists. `active()` lists the slots of active contacts in key
// order: the order of all serial work, which therefore does not depend on the history of slots. Copyable for snapshots.
class ContactPool {
  public:
    Contact& operator[](std::uint32_t slot) { return contacts_[slot]; }
    const Contact& operator[](std::uint32_t slot) const { return contacts_[slot]; }

    bool exists(PairKey key) const { return keys_.contains(key); }

    // The pair must not exist yet. The contact starts inactive.
    std::uint32_t create(PairKey key, std::uint32_t body_a, std::uint32_t body_b);
    // Gone at once for of_body(), exists() and for_each(); its slot is taken again only after the next commit().
    void destroy(std::uint32_t slot);

    void set_active(std::uint32_t slot, bool active);
    // Brings active() up to date after any number of create, destroy and set_active. Takes time with the number of
    // active contacts, so it belongs into the step and not into commands, of which there may be many.
    void commit();
    std::span<const std::uint32_t> active() const { return active_; }
    // Those that the last commit() added, in key order.
    std::span<const std::uint32_t> activated() const { return activated_; }

    // Slots of all contacts of a body, in no particular order.
    std::span<const std::uint32_t> of_body(std::uint32_t body) const;
    std::size_t size() const { return keys_.size(); }
    // Slots run below this.
    std::size_t slot_count() const { return contacts_.size(); }

    // Calls visit(contact) for every contact, in order of slots.
    template <typename Visit>
    void for_each(Visit&& visit) const {
        for (const Contact& contact : contacts_) {
            if (contact.body_a != no_index) {
                visit(contact);
            }
        }
    }

  private:
    void link(std::uint32_t slot, std::uint32_t body, std::uint32_t Contact::*position);
    void unlink(std::uint32_t body, std::uint32_t position);

    std::vector<Contact> contacts_;
    std::vector<std::uint32_t> free_;
    PairSet keys_;
    std::vector<std::vector<std::uint32_t>> by_body_;
    std::vector<std::uint32_t> active_;
    std::vector<std::uint32_t> newly_active_; // not yet in active_
    std::vector<std::uint32_t> destroyed_;    // free after the next commit
    std::vector<std::uint32_t> activated_;
    std::vector<std::uint32_t> merged_;                           // scratch
    std::vector<std::pair<PairKey, std::uint32_t>> in_key_order_; // scratch
    bool dropped_ = false;                                        // active_ holds slots that are no longer active
};

} // namespace cairn::physics
