// Commands that change the ground.
#include "physics/world/contacts/reach.h"
#include "physics/world/engine/world_impl.h"
#include "physics/world/parameters/validation.h"
#include "physics/world/substeps/piles/column_loads.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace cairn::physics {

namespace {

std::string problem_with(const SetHeights& command, const HeightData& data) {
    const HeightRegion& at = command.region;
    if (at.columns == 0 || at.rows == 0 || at.column >= data.columns || at.columns > data.columns - at.column ||
        at.row >= data.rows || at.rows > data.rows - at.row) {
        return "the rectangle does not lie within the " + std::to_string(data.columns) + " x " +
               std::to_string(data.rows) + " samples of the height field";
    }
    if (command.heights.size() != std::size_t{at.columns} * at.rows) {
        return "a rectangle of " + std::to_string(at.columns) + " x " + std::to_string(at.rows) + " samples has " +
               std::to_string(command.heights.size()) + " heights";
    }
    if (!std::ranges::all_of(command.heights, [](float height) { return std::abs(height) <= max_height; })) {
        return "a height is not within 10000 m of the origin";
    }
    return {};
}

std::shared_ptr<const HeightData> changed(const HeightData& data, const HeightRegion& at,
                                          const std::vector<float>& heights) {
    auto other = std::make_shared<HeightData>(data);
    for (std::uint32_t row = 0; row < at.rows; ++row) {
        other->heights.put(std::size_t{at.row + row} * data.columns + at.column,
                           std::span(heights).subspan(std::size_t{row} * at.columns, at.columns));
    }
    return other;
}

Aabb turned(const Aabb& box, const Transform& pose) {
    const Mat3 r = rotation_matrix(pose.orientation);
    const Vec3 half = 0.5f * (box.upper - box.lower), middle = to_world(pose, box.lower + half);
    const Vec3 reach = glm::abs(r[0]) * half.x + glm::abs(r[1]) * half.y + glm::abs(r[2]) * half.z;
    return {middle - reach, middle + reach};
}

// By how much the ground lifts what has its middle there, in its own frame: what lay on it as much as it rises, and
// what was above it so that it lies on it.
float lift_of(const TriangleMesh& before, const TriangleMesh& after, const Vec3& middle, float radius) {
    const std::optional<float> old = before.grid->height_at(middle.x, middle.y);
    const std::optional<float> now = after.grid->height_at(middle.x, middle.y);
    if (!old || !now || *now <= *old || middle.z < *old - before.skin) {
        return 0.0f;
    }
    return std::max(*now + std::clamp(middle.z - *old, 0.0f, radius) - middle.z, 0.0f);
}

// What stands on a body that is lifted goes along, by the most that any body below it is lifted: left where it is, it
// would overlap and be thrown off. `lifts`: m along `up`, by slot.
void add_what_stands_on(const WorldData& data, const Vec3& up, std::map<std::uint32_t, float>& lifts) {
    std::vector<std::uint32_t> to_visit;
    for (const auto& [slot, lift] : lifts) {
        to_visit.push_back(slot);
    }
    while (!to_visit.empty()) {
        const std::uint32_t slot = to_visit.back();
        to_visit.pop_back();
        const float lift = lifts[slot];
        for (const std::uint32_t index : data.contacts.of_body(slot)) {
            const ShapePair& pair = data.contacts.pair(index);
            if (!pair.touching()) {
                continue;
            }
            const Contact& contact = data.contacts[pair.contact];
            const bool is_a = contact.body_a == slot;
            const std::uint32_t other = is_a ? contact.body_b : contact.body_a;
            const float slope = glm::dot(contact.normal, is_a ? up : -up);
            const auto close = [&](const ContactPoint& point) { return point.separation < data.settings.linear_slop; };
            if (slope < standing_slope || !data.bodies.is_dynamic(other) ||
                !std::ranges::any_of(data.contacts.points(contact), close)) {
                continue;
            }
            if (float& found = lifts[other]; found < lift) {
                found = lift;
                to_visit.push_back(other);
            }
        }
    }
}

} // namespace

CommandResult World::Impl::apply(const SetHeights& command) {
    if (data.bodies.find(command.body) == nullptr) {
        return no_such_body(command.body);
    }
    const std::uint32_t slot = command.body.index;
    const std::shared_ptr<const BodyKind> old = data.bodies.cold[slot].kind;
    if (command.shape >= old->def.shapes.size()) {
        return refused("there is no shape " + std::to_string(command.shape) + " of the body");
    }
    const auto* field = std::get_if<HeightField>(&old->def.shapes[command.shape].geometry);
    if (field == nullptr) {
        return refused("shape " + std::to_string(command.shape) + " of the body is not a height field");
    }
    if (std::string problem = problem_with(command, *field->data); !problem.empty()) {
        return refused(std::move(problem));
    }
    const std::shared_ptr<const BodyKind> kind = BodyKindLibrary::with_heights(
        *old, command.shape, changed(*field->data, command.region, command.heights), command.region);
    const TriangleMesh &before = *old->parts[command.shape].shape->mesh,
                       &after = *kind->parts[command.shape].shape->mesh;
    const Transform pose = compose(data.bodies[slot].pose, kind->parts[command.shape].pose);
    const Aabb there =
        turned(united(before.grid->bounds_around(command.region), after.grid->bounds_around(command.region)), pose);

    // In an order that does not depend on how the trees have come about.
    std::vector<std::uint32_t> near;
    data.broadphase.query(there, [&](std::uint32_t shape) {
        if (data.bodies.is_dynamic(data.bodies.shapes[shape].body)) {
            near.push_back(data.bodies.shapes[shape].body);
        }
    });
    std::ranges::sort(near);
    near.erase(std::unique(near.begin(), near.end()), near.end());

    const std::shared_ptr<const BodyModel> model = data.bodies.cold[slot].model; // of name and colour
    data.bodies.set_prototype(slot, kind, kinds.named(kind, model->def.name, model->def.colour));
    reposition(data.settings, data.bodies, data.broadphase, slot);
    std::map<std::uint32_t, float> lifts;
    for (const std::uint32_t body : near) {
        const float lift = lift_of(before, after, to_local(pose, data.bodies[body].pose.position),
                                   data.bodies.kind(body).bounding_radius);
        if (lift > 0.0f) {
            lifts[body] = lift;
        }
    }
    const Vec3 up = rotate(pose.orientation, Vec3(0, 0, 1));
    add_what_stands_on(data, up, lifts);
    for (const std::uint32_t body : near) {
        lifts.try_emplace(body, 0.0f);
    }
    for (const auto& [body, lift] : lifts) {
        data.waking().wake(body);
        refresh_contacts(body);
        const Vec3 lifted = data.bodies[body].pose.position + lift * up;
        if (lift > 0.0f && problem_with_position(lifted).empty()) {
            data.bodies[body].pose.position = lifted;
            reposition(data.settings, data.bodies, data.broadphase, body);
        }
        data.bodies.rehash(body);
    }
    data.bodies.rehash(slot);
    ++data.bodies.resting_revision;
    ++data.revision;
    return {};
}

} // namespace cairn::physics
