// Drops the contacts that only the division of a floor into tiles has made.
#include "physics/narrowphase/seams.h"
#include "physics/base/executor_loop.h"
#include "physics/narrowphase/contact_update.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <span>

namespace cairn::physics {

namespace {

constexpr std::size_t seam_block = 16;

struct SideOfBody {
    SeamSide side;
    std::array<Vec3, 4> points;
    std::uint32_t contact = 0;
};

} // namespace

void World::Impl::drop_seams() {
    // Floors are laid of what does not move by itself; a heap is not tiled. Hardly any body lies on two tiles, and only
    // those are looked at: to visit the contacts of all bodies, scattered as they are, took a tenth of a heap's step.
    const auto fixed = [&](std::uint32_t body) { return data.bodies[body].type != BodyType::dynamic; };
    fixed_contacts.resize(data.bodies.size());
    for (const std::uint32_t body : at_fixed) {
        fixed_contacts[body] = 0;
    }
    on_several.clear();
    for (const std::uint32_t body : at_fixed) {
        std::uint8_t& count = fixed_contacts[body];
        if (count == 1) {
            on_several.push_back(body);
        }
        count = count == 0 ? 1 : 2;
    }
    if (on_several.empty()) {
        return;
    }
    hidden.assign(data.contacts.contact_slots(), 0);
    std::atomic<bool> any_hidden = false;
    const auto side_of = [&](std::uint32_t slot, std::uint32_t body, SideOfBody& out) {
        const ShapePair& pair = data.contacts.pair(slot);
        if (!pair.touching()) {
            return false;
        }
        const Contact& contact = data.contacts[pair.contact];
        const bool body_is_a = contact.body_a == body;
        if (!fixed(body_is_a ? contact.body_b : contact.body_a)) {
            return false;
        }
        const ShapeRecord& other = data.bodies.shapes[body_is_a ? pair.shape_b() : pair.shape_a()];
        if (other.shape->kind == ShapeKind::mesh) { // it knows its own seams, and has no other side
            return false;
        }
        out.contact = pair.contact;
        out.side.other = other.shape;
        out.side.other_pose = data.bodies.shape_pose(other);
        out.side.normal = body_is_a ? -contact.normal : contact.normal;
        if (contact.meets_at > 0.0f) { // where the bodies will be then
            out.points[0] = contact.meets;
            out.side.separation = 0.0f;
            out.side.points = std::span<const Vec3>(out.points).first(1);
            return true;
        }
        const std::span<const ContactPoint> points = data.contacts.points(contact);
        out.side.separation = points[0].separation;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const ContactPoint& point = points[i];
            // The solver's point lies halfway between the surfaces.
            out.points[i] = contact.world(point) - (0.5f * point.separation) * out.side.normal;
            out.side.separation = std::min(out.side.separation, point.separation);
        }
        out.side.points = std::span<const Vec3>(out.points).first(static_cast<std::size_t>(contact.count));
        return true;
    };
    // Decided from the manifolds as they are, in parallel: every body marks contacts of its own. Two bodies may mark
    // the same contact, both with the same value.
    parallel_for(run_on(), on_several.size(), seam_block, [&](std::size_t begin, std::size_t end) {
        for (const std::uint32_t body : std::span(on_several).subspan(begin, end - begin)) {
            const auto& slots = data.contacts.of_body(body);
            for (const std::uint32_t contact_slot : slots) {
                SideOfBody contact;
                if (!side_of(contact_slot, body, contact)) {
                    continue;
                }
                for (const std::uint32_t rest_slot : slots) {
                    SideOfBody rest;
                    // Most contacts of a body share a normal or are one and the same.
                    if (rest_slot == contact_slot || !side_of(rest_slot, body, rest) ||
                        rest.side.normal == contact.side.normal ||
                        !hidden_behind(contact.side, rest.side, data.settings.linear_slop) ||
                        hidden_behind(rest.side, contact.side, data.settings.linear_slop)) {
                        continue; // on a ridge both are behind each other and both are true
                    }
                    std::atomic_ref<std::uint8_t>(hidden[contact.contact]).store(1, std::memory_order_relaxed);
                    any_hidden.store(true, std::memory_order_relaxed);
                    break;
                }
            }
        }
    });
    if (!any_hidden.load(std::memory_order_relaxed)) {
        return;
    }
    round_touching.clear();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < data.contacts.touching().size(); ++i) {
        const std::uint32_t index = data.contacts.touching()[i];
        if (hidden[index] != 0) {
            data.contacts.part(data.contacts[index].pair);
        } else {
            round_touching.push_back(index);
            touching_sides[kept++] = touching_sides[i];
        }
    }
    touching_sides.erase(touching_sides.begin() + static_cast<std::ptrdiff_t>(kept), touching_sides.end());
    data.contacts.set_touching(round_touching);
}

} // namespace cairn::physics
