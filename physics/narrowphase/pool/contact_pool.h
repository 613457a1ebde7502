// All pairs, found by key, by body and in key order, and the contacts of those that touch.
#pragma once

#include "physics/base/fetch.h"
#include "physics/narrowphase/contact.h"
#include "physics/narrowphase/pool/pair_set.h"

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace cairn::physics {

// An entry of the list of pairs that are looked at every step.
struct ActivePair {
    std::uint32_t slot = no_index;
    std::uint32_t body_a = no_index, body_b = no_index;
    float gap = 0.0f; // m: the shapes are certainly this far apart; 0 if nothing is known
};

// Pairs and contacts live in slots that never move while they exist. `active()` lists the active pairs in key order:
// the order of all serial work, which therefore does not depend on the history of slots. Copyable for snapshots.
class ContactPool {
  public:
    ShapePair& pair(std::uint32_t slot) { return pairs_[slot]; }
    const ShapePair& pair(std::uint32_t slot) const { return pairs_[slot]; }
    // By index of the contact, which is another than the slot of its pair.
    Contact& operator[](std::uint32_t contact) { return contacts_[contact]; }
    const Contact& operator[](std::uint32_t contact) const { return contacts_[contact]; }
    std::span<ContactPoint> points(const Contact& contact) {
        return std::span(points_).subspan(contact.first_point, contact.count);
    }
    std::span<const ContactPoint> points(const Contact& contact) const {
        return std::span(points_).subspan(contact.first_point, contact.count);
    }
    std::span<StepImpulse> step_impulses(const Contact& contact) {
        return std::span(step_impulses_).subspan(contact.first_point, contact.count);
    }
    std::span<const StepImpulse> step_impulses(const Contact& contact) const {
        return std::span(step_impulses_).subspan(contact.first_point, contact.count);
    }

    // Called some pairs ahead, these have the records in the cache when their turn comes. Each reads what the one
    // before has fetched.
    CAIRN_FETCH void fetch_pair(std::uint32_t slot) const { __builtin_prefetch(&pairs_[slot]); }
    CAIRN_FETCH void fetch_contact(const ShapePair& pair) const {
        if (pair.touching()) {
            fetch_lines(&contacts_[pair.contact], sizeof(Contact));
        }
    }
    CAIRN_FETCH void fetch_points(const ShapePair& pair) const {
        if (pair.touching()) {
            const Contact& contact = contacts_[pair.contact];
            fetch_lines(&points_[contact.first_point], contact.count * sizeof(ContactPoint));
        }
    }

    bool exists(PairKey key) const { return keys_.contains(key); }

    // Makes room at once for what is about to be created or touched: a list that grows while it is filled moves again
    // and again, and each time onto pages that the system has yet to give.
    void expect_pairs(std::size_t count);
    void expect_contacts(std::size_t count, std::size_t points);

    // The pair must not exist yet. It starts inactive and does not touch.
    std::uint32_t create(PairKey key, std::uint32_t body_a, std::uint32_t body_b);
    // Gone at once for of_body() and exists(), and its contact for all; its slot is taken again only after the next
    // commit().
    void destroy(std::uint32_t slot);

    // Gives the pair a contact like this one (its `pair`, bodies and `first_point` need not be set) with these points,
    // 1 to 4, in the place of the one that it may have.
    void touch(std::uint32_t slot, const Contact& contact, std::span<const ContactPoint> points);
    void part(std::uint32_t slot); // the shapes are apart

    void set_active(std::uint32_t slot, bool active);
    // Brings active() up to date after any number of create, destroy and set_active. Takes time with the number of
    // active pairs, so it belongs into the step and not into commands, of which there may be many.
    void commit();
    std::span<const ActivePair> active() const { return active_; }
    std::span<ActivePair> active() { return active_; }
    // Those that the last commit() added, in key order.
    std::span<const ActivePair> activated() const { return activated_; }

    // Indices of the contacts of active pairs in key order, as the narrowphase found them in this step. Some may have
    // gone since, and their records are empty, or rest by now.
    std::span<const std::uint32_t> touching() const { return touching_; }
    void set_touching(std::span<const std::uint32_t> contacts) { touching_.assign(contacts.begin(), contacts.end()); }
    void list_touching(); // from the list of active pairs
    bool active(const Contact& contact) const { return contact.count != 0 && pairs_[contact.pair].active; }

    // Slots of all pairs of a body, in no particular order.
    std::span<const std::uint32_t> of_body(std::uint32_t body) const;
    // The same slots in another order, which shows in sums over them.
    void set_order(std::uint32_t body, std::span<const std::uint32_t> slots);
    std::size_t size() const { return keys_.size(); }        // pairs
    std::size_t pair_slots() const { return pairs_.size(); } // slots of pairs run below this
    // Indices of contacts run below this.
    std::size_t contact_slots() const { return contacts_.size(); }

    // Wrapping sum of the hashes of all contacts. Of those at rest it is kept, the others are hashed when it is asked
    // for.
    std::uint64_t hash_sum() const;
    std::uint64_t hash_of(const Contact& contact) const;
    std::size_t memory_bytes() const; // of heap

    // Calls visit(contact) for every contact, in order of indices.
    template <typename Visit>
    void for_each(Visit&& visit) const {
        for (const Contact& contact : contacts_) {
            if (contact.count != 0) {
                visit(contact);
            }
        }
    }

  private:
    void link(std::uint32_t slot, std::uint32_t body, std::uint32_t ShapePair::*position);
    void unlink(std::uint32_t body, std::uint32_t position);
    std::size_t place_of(PairKey key, std::size_t end) const; // in active_[0, end), or where it would be
    void remove_dropped();
    void insert_activated();
    std::uint32_t take_points(int count);
    void give_points(std::uint32_t first, int count);

    std::vector<ShapePair> pairs_;
    std::vector<std::uint32_t> free_;
    PairSet keys_;
    std::vector<std::vector<std::uint32_t>> by_body_;
    std::vector<ActivePair> active_;
    std::vector<std::uint32_t> newly_active_; // not yet in active_
    std::vector<std::uint32_t> dropped_;   // no longer active, but in active_ if they have not been switched on again
    std::vector<std::uint32_t> destroyed_; // free after the next commit
    std::vector<ActivePair> activated_;
    std::vector<std::uint32_t> touching_;

    std::vector<Contact> contacts_;
    std::vector<std::uint32_t> free_contacts_;
    std::vector<ContactPoint> points_;
    std::vector<StepImpulse> step_impulses_; // of the points, apart from them because the step does not read them
    std::array<std::vector<std::uint32_t>, 5> free_points_; // by number: first indices

    std::uint64_t resting_hash_ = 0; // sum over the contacts of pairs that are not active

    std::vector<std::size_t> places_;                             // scratch
    std::vector<ActivePair> merged_;                              // scratch
    std::vector<std::pair<PairKey, std::uint32_t>> in_key_order_; // scratch
};

} // namespace cairn::physics
