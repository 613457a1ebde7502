#include "physics/world/world_query.h"

#include "physics/query/mesh/mesh_pair.h"
#include "physics/world/engine/world_impl.h"
#include "physics/world/limits.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cairn::physics {

namespace {

// A query looks at the shapes of the bodies that its filter lets through.
class Seen {
  public:
    Seen(const WorldData& data, const QueryFilter& filter) : bodies_(data.bodies), filter_(filter) {}

    bool operator()(std::uint32_t index) const {
        const std::uint32_t slot = bodies_.shapes[index].body;
        const BodyType type = bodies_[slot].type;
        const bool wanted = type == BodyType::fixed       ? filter_.fixed
                            : type == BodyType::kinematic ? filter_.kinematic
                                                          : filter_.dynamic;
        return wanted && (filter_.groups >> bodies_.kind(slot).def.filter.group & 1u) != 0 &&
               bodies_.id(slot) != filter_.except && (!filter_.accept || filter_.accept(body(index), shape(index)));
    }
    BodyId body(std::uint32_t index) const { return bodies_.id(bodies_.shapes[index].body); }
    std::uint32_t shape(std::uint32_t index) const { return bodies_.place_of(index); }

  private:
    const BodyStore& bodies_;
    const QueryFilter& filter_;
};

// nullopt: there is no such ray.
std::optional<Ray> usable(const Ray& asked) {
    const float length = glm::length(asked.direction);
    if (!(length > 0.0f && is_finite(length) && is_finite(asked.origin))) {
        return std::nullopt;
    }
    Ray ray = asked;
    if (std::abs(length - 1.0f) > 1e-6f) { // what is unit already keeps its bits
        ray.direction = asked.direction / length;
    }
    return ray;
}

bool usable(const Shape& shape, const Transform& pose) {
    return shape.kind != ShapeKind::mesh && is_finite(pose.position) && is_finite(pose.orientation);
}

std::tuple<std::uint32_t, std::uint32_t> place_of(BodyId body, std::uint32_t shape) {
    return {body.index, shape};
}

// `limit`: no more is asked for. At least as much is answered as is known to be nearer.
std::optional<DistanceResult> distance_to(const Shape& shape, const Transform& pose, const Shape& other,
                                          const Transform& other_pose, float limit) {
    if (other.kind == ShapeKind::mesh) {
        return mesh_distance(shape, pose, other, other_pose, limit);
    }
    const DistanceResult result = signed_distance(shape, pose, other, other_pose);
    return result.distance < limit ? std::optional(result) : std::nullopt;
}

} // namespace

TouchedMaterial touched_material(const BodyModel& model, std::uint32_t shape, std::uint32_t triangle) {
    const ShapeDef& def = model.def.shapes[shape];
    TouchedMaterial touched{def.material.over(model.def.material), {}, {}};
    const Mesh* surface = std::get_if<Mesh>(&def.geometry);
    if (surface == nullptr || triangle == MeshTriangle::none || surface->data->materials.empty()) {
        return touched;
    }
    const std::uint16_t place = model.parts[shape].shape->mesh->materials[triangle];
    touched.place = place;
    touched.name = surface->data->materials[place];
    if (!def.mesh_materials.empty()) {
        touched.material = def.mesh_materials[place].over(touched.material);
    }
    return touched;
}

std::optional<WorldRayHit> World::ray_cast(const Ray& asked, const QueryFilter& filter) const {
    const std::optional<Ray> ray = usable(asked);
    std::optional<WorldRayHit> best;
    if (!ray) {
        return best;
    }
    const BodyStore& bodies = impl_->data.bodies;
    const Seen seen(impl_->data, filter);
    float limit = ray->max_distance;
    impl_->data.broadphase.ray_query(*ray, [&](std::uint32_t index) {
        if (!seen(index)) {
            return limit;
        }
        const ShapeRecord& shape = bodies.shapes[index];
        const RayCast hit = cairn::physics::ray_cast(*shape.shape, bodies.shape_pose(shape), *ray);
        const bool nearer =
            hit && (!best || hit->distance < best->hit.distance ||
                    (hit->distance == best->hit.distance &&
                     place_of(seen.body(index), seen.shape(index)) < place_of(best->body, best->shape)));
        if (nearer) {
            best = WorldRayHit{seen.body(index), *hit, seen.shape(index)};
            limit = hit->distance;
        }
        return limit;
    });
    return best;
}

std::vector<WorldRayHit> World::ray_cast_all(const Ray& asked, const QueryFilter& filter) const {
    std::vector<WorldRayHit> hits;
    if (const std::optional<Ray> ray = usable(asked)) {
        const BodyStore& bodies = impl_->data.bodies;
        const Seen seen(impl_->data, filter);
        impl_->data.broadphase.ray_query(*ray, [&](std::uint32_t index) {
            const ShapeRecord& shape = bodies.shapes[index];
            if (seen(index)) {
                if (const RayCast hit = cairn::physics::ray_cast(*shape.shape, bodies.shape_pose(shape), *ray)) {
                    hits.push_back({seen.body(index), *hit, seen.shape(index)});
                }
            }
            return ray->max_distance;
        });
        std::sort(hits.begin(), hits.end(), [](const WorldRayHit& a, const WorldRayHit& b) {
            return std::tuple_cat(std::tuple(a.hit.distance), place_of(a.body, a.shape)) <
                   std::tuple_cat(std::tuple(b.hit.distance), place_of(b.body, b.shape));
        });
    }
    return hits;
}

bool World::ray_cast_any(const Ray& asked, const QueryFilter& filter) const {
    const std::optional<Ray> ray = usable(asked);
    if (!ray) {
        return false;
    }
    const BodyStore& bodies = impl_->data.bodies;
    const Seen seen(impl_->data, filter);
    bool any = false;
    impl_->data.broadphase.ray_query(*ray, [&](std::uint32_t index) {
        const ShapeRecord& shape = bodies.shapes[index];
        any = any || (seen(index) && cairn::physics::ray_cast(*shape.shape, bodies.shape_pose(shape), *ray));
        return any ? -1.0f : ray->max_distance; // nothing else is near enough
    });
    return any;
}

std::vector<WorldShape> World::overlaps(const Shape& shape, const Transform& pose, const QueryFilter& filter) const {
    std::vector<WorldShape> found;
    if (!usable(shape, pose)) {
        return found;
    }
    const BodyStore& bodies = impl_->data.bodies;
    const Seen seen(impl_->data, filter);
    impl_->data.broadphase.query(bounds(shape, pose), [&](std::uint32_t index) {
        const ShapeRecord& other = bodies.shapes[index];
        if (seen(index) && overlap_any(shape, pose, *other.shape, bodies.shape_pose(other))) {
            found.push_back({seen.body(index), seen.shape(index)});
        }
    });
    std::sort(found.begin(), found.end(), [](const WorldShape& a, const WorldShape& b) {
        return place_of(a.body, a.shape) < place_of(b.body, b.shape);
    });
    return found;
}

std::optional<WorldShapeCast> World::shape_cast(const Shape& shape, const Transform& from, const Vec3& translation,
                                                const QueryFilter& filter) const {
    std::optional<WorldShapeCast> best;
    if (!usable(shape, from) || !is_finite(translation)) {
        return best;
    }
    const BodyStore& bodies = impl_->data.bodies;
    const Seen seen(impl_->data, filter);
    const Aabb start = bounds(shape, from);
    const Aabb swept = united(start, {start.lower + translation, start.upper + translation});
    impl_->data.broadphase.query(swept, [&](std::uint32_t index) {
        if (!seen(index)) {
            return;
        }
        const ShapeRecord& other = bodies.shapes[index];
        const Transform at = bodies.shape_pose(other);
        const ShapeCast cast = other.shape->kind == ShapeKind::mesh
                                   ? mesh_cast(shape, from, translation, *other.shape, at)
                                   : cairn::physics::shape_cast(shape, from, translation, *other.shape, at);
        if (cast.status == ShapeCastStatus::miss) {
            return;
        }
        // Of several that it begins in, the one that it is deepest in.
        const auto order = [](const WorldShapeCast& one) {
            const float depth = one.cast.status == ShapeCastStatus::initial ? one.cast.distance : 0.0f;
            return std::tuple(one.cast.status != ShapeCastStatus::initial, one.cast.fraction, depth, one.body.index,
                              one.shape);
        };
        const WorldShapeCast one{seen.body(index), seen.shape(index), cast};
        if (!best || order(one) < order(*best)) {
            best = one;
        }
    });
    return best;
}

std::optional<WorldDistance> World::closest(const Shape& shape, const Transform& pose, float max_distance,
                                            const QueryFilter& filter) const {
    std::optional<WorldDistance> best;
    if (!usable(shape, pose) || !(max_distance > 0.0f)) {
        return best;
    }
    const BodyStore& bodies = impl_->data.bodies;
    const Seen seen(impl_->data, filter);
    float limit = max_distance;
    impl_->data.broadphase.near_query(bounds(shape, pose), limit, [&](std::uint32_t index) {
        if (!seen(index)) {
            return limit;
        }
        const ShapeRecord& other = bodies.shapes[index];
        // Equals must be seen to be put in order.
        const float bound = best ? std::nextafter(best->nearest.distance, limits::position) : max_distance;
        const std::optional<DistanceResult> nearest =
            distance_to(shape, pose, *other.shape, bodies.shape_pose(other), bound);
        if (nearest && (!best || nearest->distance < best->nearest.distance ||
                        place_of(seen.body(index), seen.shape(index)) < place_of(best->body, best->shape))) {
            best = WorldDistance{seen.body(index), seen.shape(index), *nearest};
            // Bounds of shapes that overlap are no distance apart: there may be a deeper one.
            limit = std::nextafter(std::max(nearest->distance, 0.0f), limits::position);
        }
        return limit;
    });
    return best;
}

std::optional<WorldDistance> World::closest_point(const Vec3& point, float max_distance,
                                                  const QueryFilter& filter) const {
    Shape ball; // without a radius
    ball.local_bounds = {Vec3(0.0f), Vec3(0.0f)};
    return closest(ball, {point, identity_orientation}, max_distance, filter);
}

} // namespace cairn::physics
