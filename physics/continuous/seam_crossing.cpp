// Meetings with the sides of tiles, which whatever slides over a tiled floor does not notice.
#include "physics/continuous/swept_path.h"
#include "physics/narrowphase/pool/seams.h"
#include "physics/query/manifold.h"
#include "physics/query/mesh/mesh_manifold.h"

#include <algorithm>
#include <array>
#include <span>

namespace cairn::physics {

// What slides or rolls over a floor laid in tiles comes to the side of the next tile before it comes to its top. If at
// that time it touches the face of a tile behind whose plane the whole of the next one lies, or meets the foot of a
// slope (seams.h), they do not meet: from there on the pair counts as in touch. Returns whether it is so.
bool ContinuousCollision::crosses_seam(const Step& step, const Event& event) {
    if (const PairNote* note = notes_.find(event.key); event.lost || (note != nullptr && note->in_touch)) {
        return false;
    }
    const bool body_is_a = bodies_[holder_[first_of(event.key)]].dynamic;
    const std::uint32_t index = body_is_a ? first_of(event.key) : second_of(event.key);
    const std::uint32_t tile_index = body_is_a ? second_of(event.key) : first_of(event.key);
    const ContinuousWorld::ShapeRef shape = step.world.shape(index);
    const ContinuousWorld::ShapeRef tile = step.world.shape(tile_index);
    const SweptBody& body = bodies_[index_of_[shape.body]];
    const SweptBody& floor = bodies_[index_of_[tile.body]];
    if (floor.dynamic || floor.moves()) {
        return false;
    }
    const Transform pose = compose(pose_at(body, event.time), shape.pose);
    const float slop = step.settings.linear_slop;
    SeamSide contact;
    contact.other = tile.shape;
    contact.other_pose = compose(floor.pose, tile.pose);
    contact.normal = body_is_a ? -event.normal : event.normal;
    contact.separation = event.distance;
    const Vec3 surface = event.point - (0.5f * event.distance) * contact.normal;
    contact.points = std::span(&surface, 1);

    bool hidden = false;
    float deepest = 0.0f;
    step.broadphase.query(grown(bounds(*shape.shape, pose), slop), [&](std::uint32_t other_index) {
        const ContinuousWorld::ShapeRef other = step.world.shape(other_index);
        if (other.body == shape.body || (other_index == tile_index && !is_mesh(other))) {
            return;
        }
        const SweptBody carrier = step.world.body(other.body);
        if (carrier.dynamic || carrier.moves()) {
            return;
        }
        const Transform other_pose = compose(carrier.pose, other.pose);
        const auto look_at = [&](const Manifold& manifold) {
            std::array<Vec3, 4> points;
            SeamSide rest;
            rest.other = other.shape;
            rest.other_pose = other_pose;
            rest.normal = manifold.normal;
            rest.separation = manifold.points[0].separation;
            for (int i = 0; i < manifold.count; ++i) {
                const auto k = static_cast<std::size_t>(i);
                points[k] = manifold.points[k].point_a;
                rest.separation = std::min(rest.separation, manifold.points[k].separation);
            }
            rest.points = std::span<const Vec3>(points).first(static_cast<std::size_t>(manifold.count));
            if ((hidden_behind(contact, rest, slop) && !hidden_behind(rest, contact, slop)) ||
                (is_foot_of_slope(contact, rest, slop) && !is_foot_of_slope(rest, contact, slop))) {
                hidden = true;
                deepest = std::min(deepest, rest.separation);
            }
        };
        if (is_mesh(other)) {
            const MeshManifolds manifolds = collide_mesh(*other.shape, other_pose, *shape.shape, pose, slop);
            for (int i = 0; i < manifolds.count; ++i) {
                look_at(manifolds.items[static_cast<std::size_t>(i)]);
            }
        } else if (const Manifold manifold = collide(*other.shape, other_pose, *shape.shape, pose, slop);
                   manifold.count > 0) {
            look_at(manifold);
        }
    });
    if (hidden) {
        const float deep = pair_slop(shape, tile, slop);
        put_in_touch(event.key, std::min(deepest - 0.25f * deep, -deep));
    }
    return hidden;
}

} // namespace cairn::physics
