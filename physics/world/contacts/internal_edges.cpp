#include "physics/world/contacts/internal_edges.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"

#include <algorithm>
#include <atomic>
#include <cassert>

namespace cairn::physics {

namespace {

constexpr std::size_t seam_block = 16; // bodies

} // namespace

void InternalEdges::list_on_several(const BodyStore& bodies, std::span<const std::uint32_t> at_fixed) {
    fixed_contacts_.resize(bodies.size());
    for (const std::uint32_t body : at_fixed) {
        fixed_contacts_[body] = 0;
    }
    on_several_.clear();
    for (const std::uint32_t body : at_fixed) {
        std::uint8_t& count = fixed_contacts_[body];
        if (count == 1) {
            on_several_.push_back(body);
        }
        count = count == 0 ? 1 : 2;
    }
}

void InternalEdges::collect_sides(const BodyStore& bodies, const ContactPool& contacts, std::uint32_t body,
                                  std::vector<Side>& out) {
    out.clear();
    for (const std::uint32_t slot : contacts.of_body(body)) {
        const ShapePair& pair = contacts.pair(slot);
        if (!pair.touching()) {
            continue;
        }
        const Contact& contact = contacts[pair.contact];
        const bool body_is_a = contact.body_a == body;
        const ShapeRecord& other = bodies.shapes[body_is_a ? pair.shape_b() : pair.shape_a()];
        if (bodies.is_dynamic(other.body)) {
            continue;
        }
        Side& found = out.emplace_back();
        found.contact = pair.contact;
        found.side.other = other.shape;
        found.side.other_pose = bodies.shape_pose(other);
        found.side.normal = body_is_a ? -contact.normal : contact.normal;
        if (contact.meets_at > 0.0f) { // where the bodies will be then
            found.points[0] = contact.meets;
            found.side.separation = 0.0f;
            continue;
        }
        const std::span<const ContactPoint> points = contacts.points(contact);
        found.side.separation = points[0].separation;
        for (std::size_t i = 0; i < points.size(); ++i) {
            // The solver's point lies halfway between the surfaces.
            found.points[i] = contact.world(points[i]) - (0.5f * points[i].separation) * found.side.normal;
            found.side.separation = std::min(found.side.separation, points[i].separation);
        }
    }
    for (Side& found : out) { // the list does not move any more
        const Contact& contact = contacts[found.contact];
        const std::size_t count = contact.meets_at > 0.0f ? 1 : contact.count;
        found.side.points = std::span<const Vec3>(found.points).first(count);
    }
}

void InternalEdges::drop(Executor& executor, const Settings& settings, const BodyStore& bodies,
                         std::span<const std::uint32_t> at_fixed, ContactPool& contacts,
                         std::vector<TouchingSides>& sides) {
    assert(sides.size() == contacts.touching().size());
    at_slopes_.clear();
    list_on_several(bodies, at_fixed);
    if (on_several_.empty()) {
        return;
    }
    const std::size_t blocks = (on_several_.size() + seam_block - 1) / seam_block;
    if (block_sides_.size() < blocks) {
        block_sides_.resize(blocks);
    }
    hidden_.assign(contacts.contact_slots(), 0);
    std::atomic<bool> any_hidden = false;
    // Decided from the manifolds as they are, in parallel: every body marks contacts of its own.
    const auto mark_hidden = [&](std::span<const Side> of_body) {
        const auto same_normal = [&](const Side& one) { return one.side.normal == of_body.front().side.normal; };
        if (std::all_of(of_body.begin(), of_body.end(), same_normal)) {
            return; // a level floor, whatever number of tiles it has
        }
        for (const Side& contact : of_body) {
            const auto hides = [&](const Side& other) {
                // On a ridge both are behind each other and both are true.
                return other.side.normal != contact.side.normal &&
                       hidden_behind(contact.side, other.side, settings.linear_slop) &&
                       !hidden_behind(other.side, contact.side, settings.linear_slop);
            };
            const auto begins_on = [&](const Side& other) {
                return is_foot_of_slope(contact.side, other.side, settings.linear_slop) &&
                       !is_foot_of_slope(other.side, contact.side, settings.linear_slop);
            };
            const Hidden hidden = std::any_of(of_body.begin(), of_body.end(), hides)       ? behind_face
                                  : std::any_of(of_body.begin(), of_body.end(), begins_on) ? foot_of_slope
                                                                                           : not_hidden;
            if (hidden != not_hidden) {
                std::atomic_ref<std::uint8_t>(hidden_[contact.contact]).store(hidden, std::memory_order_relaxed);
                any_hidden.store(true, std::memory_order_relaxed);
            }
        }
    };
    for_tasks(executor, blocks, seam_block, [&](std::size_t block) {
        const std::size_t begin = block * seam_block, end = std::min(begin + seam_block, on_several_.size());
        for (std::size_t i = begin; i < end; ++i) {
            collect_sides(bodies, contacts, on_several_[i], block_sides_[block]);
            mark_hidden(block_sides_[block]);
        }
    });
    if (!any_hidden.load(std::memory_order_relaxed)) {
        return;
    }
    kept_.clear();
    for (std::size_t i = 0; i < contacts.touching().size(); ++i) {
        const std::uint32_t index = contacts.touching()[i];
        if (hidden_[index] != not_hidden) {
            if (hidden_[index] == foot_of_slope) {
                const Contact& contact = contacts[index];
                at_slopes_.push_back(bodies.is_dynamic(contact.body_a) ? contact.body_a : contact.body_b);
            }
            contacts.part(contacts[index].pair);
        } else {
            sides[kept_.size()] = sides[i];
            kept_.push_back(index);
        }
    }
    sides.erase(sides.begin() + static_cast<std::ptrdiff_t>(kept_.size()), sides.end());
    contacts.set_touching(kept_);
}

std::size_t InternalEdges::memory_bytes() const {
    std::size_t bytes = bytes_of(on_several_) + bytes_of(fixed_contacts_) + bytes_of(block_sides_) + bytes_of(hidden_) +
                        bytes_of(kept_) + bytes_of(at_slopes_);
    for (const std::vector<Side>& sides : block_sides_) {
        bytes += bytes_of(sides);
    }
    return bytes;
}

} // namespace cairn::physics
