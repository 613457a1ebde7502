#include "app/ui/layers/shapes/islands.h"

namespace cairn::ui {

using physics::BodyId;
using physics::BodyType;

void Islands::update(const physics::FrameState& frame) {
    if (first_.size() == frame.bodies.size() && step_ == frame.step && hash_ == frame.hash &&
        revision_ == frame.revision) {
        return;
    }
    step_ = frame.step;
    hash_ = frame.hash;
    revision_ = frame.revision;
    const std::size_t count = frame.bodies.size();
    slots_.assign(count == 0 ? 0 : frame.bodies.back().id.index + std::size_t{1}, none);
    for (std::size_t slot = 0; slot < count; ++slot) {
        if (frame.bodies[slot].type == BodyType::dynamic) {
            slots_[frame.bodies[slot].id.index] = static_cast<std::uint32_t>(slot);
        }
    }
    sets_.reset(count);
    const auto unite = [&](BodyId a, BodyId b) {
        if (a && b && a.index < slots_.size() && b.index < slots_.size() && slots_[a.index] != none &&
            slots_[b.index] != none) {
            sets_.unite(slots_[a.index], slots_[b.index]);
        }
    };
    for (const physics::ContactState& contact : frame.contacts) {
        unite(contact.body_a, contact.body_b);
    }
    for (const physics::JointState& joint : frame.joints) {
        unite(joint.def->body_a, joint.def->body_b);
    }
    first_.resize(count);
    for (std::size_t slot = 0; slot < count; ++slot) {
        const bool moved = frame.bodies[slot].type == BodyType::dynamic;
        first_[slot] = moved ? sets_.root(static_cast<std::uint32_t>(slot)) : none;
    }
}

} // namespace cairn::ui
