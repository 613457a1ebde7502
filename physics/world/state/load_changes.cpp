#include "physics/world/state/load_changes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace cairn::physics {

namespace {

// Changes by less than this share the solver finds by itself.
constexpr float small_share = 0.05f;

// Cosine between the direction of a load and the normals of the contacts that take it on.
constexpr float passing_slope = 0.5f;

// Where gravity grows by more than this, contacts have to find their forces anew, as if bodies had been spawned there.
constexpr float known_from = 8.0f;

// s, of an impulse.
float kept_for(const Settings& settings) {
    return settings.dt() / static_cast<float>(settings.substeps);
}

// By gravity, kg.
float weight_of(const BodyKind& kind) {
    return kind.def.type == BodyType::dynamic ? kind.def.gravity_scale / kind.inverse_mass : 0.0f;
}

} // namespace

Vec3 LoadChanges::down() const {
    const Vec3& gravity = last_settings().gravity;
    const float size = glm::length(gravity);
    return size > 0.0f ? gravity / size : Vec3(0, 0, -1);
}

const Settings& LoadChanges::last_settings() const {
    return data_.pending_loads.settings ? *data_.pending_loads.settings : data_.settings;
}

void LoadChanges::find_supports(std::uint32_t slot) {
    supports_.clear();
    for (const std::uint32_t index : data_.contacts.of_body(slot)) {
        const ShapePair& pair = data_.contacts.pair(index);
        if (!pair.touching()) {
            continue;
        }
        const Contact& contact = data_.contacts[pair.contact];
        const bool is_a = contact.body_a == slot;
        float impulse = 0.0f;
        for (const ContactPoint& point : data_.contacts.points(contact)) {
            impulse += point.normal_impulse;
        }
        supports_.push_back({pair.key, pair.contact, is_a ? contact.body_b : contact.body_a,
                             is_a ? contact.normal : -contact.normal, impulse});
    }
    std::sort(supports_.begin(), supports_.end(), [](const Support& a, const Support& b) { return a.key < b.key; });
}

// What moves presses with other forces than its weight, and is not to press with more of them.
bool LoadChanges::lies_still(const Contact& contact) const {
    const BodyRecord &a = data_.bodies[contact.body_a], &b = data_.bodies[contact.body_b];
    return contact.is_still(data_.contacts.points(contact)[0], b.linear_velocity - a.linear_velocity,
                            a.angular_velocity, b.angular_velocity,
                            data_.settings.dt() * glm::length(data_.settings.gravity));
}

// The solver keeps the force of a spring when the inertia of its bodies changes. So the inertia that the contact
// remembers is divided by the factor that the force is to change by.
void LoadChanges::scale(Contact& contact, float factor) {
    constexpr float least = 1e-6f; // of a force: it is none
    if (factor == 1.0f) {
        return;
    }
    note_inertia(contact);
    contact.loaded_inverse_mass /= std::max(factor, least);
    scale_impulses(contact, factor);
}

void LoadChanges::scale_impulses(Contact& contact, float factor) {
    contact.rolling_impulse *= factor;
    for (ContactPoint& point : data_.contacts.points(contact)) {
        point.normal_impulse *= factor;
        point.friction_impulse *= factor;
    }
}

// With which its spring was solved.
void LoadChanges::note_inertia(Contact& contact) {
    if (contact.loaded_inverse_mass == 0.0f) {
        for (const std::uint32_t slot : {contact.body_a, contact.body_b}) {
            contact.loaded_inverse_mass += data_.bodies.is_dynamic(slot) ? data_.bodies.kind(slot).inverse_mass : 0.0f;
        }
    }
}

void LoadChanges::take_effect() {
    PendingLoads& pending = data_.pending_loads;
    if (!pending.changes.empty()) {
        Impulses below, above;
        scale_together(below);
        for (const PendingLoads::Change& change : pending.changes) {
            if (data_.bodies.find(change.body) != nullptr) {
                (change.upwards ? above : below).try_emplace(change.body.index, 0.0f).first->second += change.impulse;
            }
        }
        pass_on(below, down());
        pass_on(above, -down());
        pending.changes.clear();
    }
    if (pending.settings) {
        follow(*pending.settings);
        pending.settings.reset();
    }
}

// Where the weights of both bodies have changed, the contact presses as many times more, or less, as that of the one
// that has changed less; so an arch all of whose stones are made lighter stands as it did. What else a body presses
// with goes into `impulses`; its former weight follows from the impulses that hold it up.
void LoadChanges::scale_together(Impulses& impulses) {
    std::map<std::uint32_t, float> heavier; // by slot
    for (const PendingLoads::Change& change : data_.pending_loads.changes) {
        if (change.heavier != 1.0f && data_.bodies.find(change.body) != nullptr) {
            heavier.try_emplace(change.body.index, 1.0f).first->second *= change.heavier;
        }
    }
    std::map<std::uint32_t, float> factors; // by contact
    for (const auto& [slot, own] : heavier) {
        find_supports(slot);
        Vec3& more = impulses.try_emplace(slot, 0.0f).first->second;
        for (const Support& support : supports_) {
            const auto found = heavier.find(support.other);
            const float other =
                found != heavier.end() ? found->second : (data_.bodies.is_dynamic(support.other) ? 1.0f : own);
            const float nearest = own < 1.0f ? std::max(own, other) : std::min(own, other);
            const float factor = (own < 1.0f) == (other < 1.0f) ? nearest : 1.0f;
            const Contact& contact = data_.contacts[support.contact];
            Vec3 impulse{0.0f}; // on B
            for (const ContactPoint& point : data_.contacts.points(contact)) {
                impulse += point.normal_impulse * contact.normal + point.friction_impulse;
            }
            more += (factor - own) * (contact.body_a == slot ? -impulse : impulse);
            factors[support.contact] = factor;
        }
    }
    for (const auto& [contact, factor] : factors) {
        scale(data_.contacts[contact], factor);
    }
}

// `order`: from the body that lies least far along it on.
void LoadChanges::pass_on(const Impulses& impulses, const Vec3& order) {
    std::map<std::pair<float, std::uint32_t>, Vec3> waiting; // by how far along, and slot
    std::set<std::uint32_t> done;
    const auto add = [&](std::uint32_t slot, const Vec3& impulse) {
        const BodyRecord& body = data_.bodies[slot];
        if (body.type == BodyType::dynamic && !done.contains(slot)) {
            waiting.try_emplace({glm::dot(body.pose.position, order), slot}, 0.0f).first->second += impulse;
        }
    };
    for (const auto& [slot, impulse] : impulses) {
        add(slot, impulse);
    }
    while (!waiting.empty()) {
        const auto [at, impulse] = *waiting.begin();
        waiting.erase(waiting.begin());
        const std::uint32_t slot = at.second;
        done.insert(slot);
        data_.bodies.placed.push_back(slot);
        const bool more = glm::dot(impulse, order) > 0.0f;
        const float size = glm::length(impulse);
        const Vec3 load = (more ? 1.0f : -1.0f) * impulse;
        find_supports(slot);
        float carried = 0.0f, all = 0.0f; // normal impulses: along the load, and of every contact
        for (const Support& support : supports_) {
            const float slope = glm::dot(support.away, load);
            carried += slope > passing_slope * size ? support.normal_impulse * slope / size : 0.0f;
            all += support.normal_impulse;
        }
        if (!(size > small_share * all) || carried == 0.0f) {
            continue;
        }
        const float share = more ? size / carried : std::max(-size / carried, -1.0f);
        for (const Support& support : supports_) {
            Contact& contact = data_.contacts[support.contact];
            if (glm::dot(support.away, load) > passing_slope * size && (!more || lies_still(contact))) {
                scale(contact, 1.0f + share);
                add(support.other, (support.normal_impulse * share) * support.away);
            }
        }
    }
}

void LoadChanges::release(std::uint32_t slot) {
    release(slot, false);
    release(slot, true);
}

void LoadChanges::release(std::uint32_t slot, bool upwards) {
    find_supports(slot);
    for (const Support& support : supports_) {
        if (support.normal_impulse > 0.0f && (glm::dot(support.away, down()) < 0.0f) == upwards) {
            data_.pending_loads.changes.push_back(
                {data_.bodies.id(support.other), upwards, -support.normal_impulse * support.away});
        }
    }
}

void LoadChanges::change_kind(std::uint32_t slot, const BodyKind& after) {
    const BodyKind& before = data_.bodies.kind(slot);
    if (after.def.type != before.def.type) { // its contacts end, and what it carries stands on it
        release(slot, false);
        return;
    }
    if (after.inverse_mass != before.inverse_mass) {
        find_supports(slot);
        for (const Support& support : supports_) {
            note_inertia(data_.contacts[support.contact]);
        }
    }
    const float weight_before = weight_of(before), weight_after = weight_of(after);
    if (weight_after == weight_before) {
        return;
    }
    const float heavier = weight_after / weight_before;
    if (heavier > 0.0f && std::isfinite(heavier)) {
        data_.pending_loads.changes.push_back({data_.bodies.id(slot), false, Vec3(0.0f), heavier});
    } else {
        const Settings& settings = last_settings();
        data_.pending_loads.changes.push_back(
            {data_.bodies.id(slot), false, (weight_after - weight_before) * kept_for(settings) * settings.gravity});
    }
}

void LoadChanges::change_settings() {
    if (!data_.pending_loads.settings) {
        data_.pending_loads.settings = data_.settings;
    }
}

void LoadChanges::follow(const Settings& before) {
    const Settings& after = data_.settings;
    const float square = glm::dot(before.gravity, before.gravity);
    const float heavier = before.gravity == after.gravity ? 1.0f
                          : square > 0.0f ? std::max(glm::dot(before.gravity, after.gravity) / square, 0.0f)
                                          : 0.0f;
    const float longer = kept_for(after) / kept_for(before);
    const float stiffer = plain_spring_omega(after) / plain_spring_omega(before);
    if (heavier == 1.0f && longer == 1.0f && stiffer == 1.0f) {
        return;
    }
    for (std::uint32_t i = 0; i < data_.contacts.contact_slots(); ++i) {
        Contact& contact = data_.contacts[i];
        if (contact.count == 0) {
            continue;
        }
        if (heavier <= 1.0f || lies_still(contact)) {
            scale(contact, heavier);
        }
        if (longer != 1.0f || stiffer != 1.0f) {
            note_inertia(contact);
            contact.loaded_inverse_mass *= stiffer * stiffer;
            scale_impulses(contact, longer);
        }
    }
    if (longer != 1.0f) {
        for (std::uint32_t slot = 0; slot < data_.joints.size(); ++slot) {
            if (data_.joints[slot].def != nullptr) {
                data_.joints[slot].impulses = scaled(data_.joints[slot].impulses, longer);
                data_.joints.rehash(slot);
            }
        }
    }
    const bool anew = heavier > known_from || (square == 0.0f && after.gravity != before.gravity);
    if (!anew && heavier <= 1.0f && longer <= 1.0f && stiffer >= 1.0f) {
        return; // nothing needs finer substeps than it has
    }
    for (std::uint32_t slot = 0; slot < data_.bodies.size(); ++slot) {
        if (data_.bodies[slot].awake && data_.bodies.is_dynamic(slot)) {
            data_.bodies[slot].placed = data_.bodies[slot].placed || anew;
            data_.bodies.placed.push_back(slot); // its loads are to be estimated
        }
    }
}

void LoadChanges::change_motion(std::uint32_t slot) {
    const BodyRecord& body = data_.bodies[slot];
    std::vector<ChangedGround>& grounds = data_.pending_loads.grounds;
    if (grounds.empty() || grounds.back().body != data_.bodies.id(slot)) { // else it counts what was before
        grounds.push_back({data_.bodies.id(slot), body.linear_velocity, body.angular_velocity});
    }
}

} // namespace cairn::physics
