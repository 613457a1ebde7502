#include "physics/world/substeps/parallel_contacts.h"

#include "physics/base/bytes.h"

#include <algorithm>

namespace cairn::physics {

void ParallelContacts::find(const BodyStore& bodies, std::span<const TouchingSides> sides, ContactPool& contacts) {
    // Contacts go by the numbers of their shapes, and those of a body adjoin.
    for (std::uint32_t begin = 0, end = 0; begin < sides.size(); begin = end) {
        met_.clear();
        const std::uint32_t first = sides[begin].body_a;
        for (end = begin; end < sides.size() && sides[end].body_a == first; ++end) {
            met_.emplace_back(sides[end].body_b, end);
        }
        if (met_.size() > 1 && bodies.cold[first].shape_count > 1) { // several of its shapes may meet the same body
            std::ranges::sort(met_);
        }
        for (auto same = met_.begin(); same != met_.end();) {
            const auto other =
                std::find_if(same, met_.end(), [&](const auto& met) { return met.first != same->first; });
            if (other - same > 1) {
                share(std::span(same, other), contacts);
            }
            same = other;
        }
    }
}

void ParallelContacts::share(std::span<const std::pair<std::uint32_t, std::uint32_t>> met, ContactPool& contacts) {
    const std::span<const std::uint32_t> touching = contacts.touching();
    Mat3 sum(0.0f); // of the normals' products with themselves
    for (const auto& [body, place] : met) {
        const Vec3& normal = contacts[touching[place]].normal;
        sum += glm::outerProduct(normal, normal);
    }
    for (const auto& [body, place] : met) {
        Contact& contact = contacts[touching[place]];
        contact.parallel = std::max(glm::dot(contact.normal, sum * contact.normal), 1.0f);
    }
}

std::size_t ParallelContacts::memory_bytes() const {
    return bytes_of(met_);
}

} // namespace cairn::physics
