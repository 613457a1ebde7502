#include "physics/narrowphase/update/contact_update.h"

#include "physics/narrowphase/carry/carry.h"
#include "physics/narrowphase/carry/preload.h"
#include "physics/narrowphase/update/ball_contact.h"
#include "physics/narrowphase/update/rim.h"
#include "physics/narrowphase/update/round_parts.h"
#include "physics/query/manifold/patch/patch_clip.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace cairn::physics {

namespace {

float rolling_arm(const ContactSide& a, const ContactSide& b) {
    // A mesh has no radius that matters to what rolls on it, and a disc rolls on more than fits into it.
    const auto radius = [](const ContactSide& of, const ContactSide& other) {
        const Shape& shape = of.shape->kind == ShapeKind::mesh ? *other.shape : *of.shape;
        return shape.kind == ShapeKind::cylinder ? shape.radius : shape.inner_radius;
    };
    return std::max(a.material->rolling_resistance * radius(a, b), b.material->rolling_resistance * radius(b, a));
}

// The circle of a cylinder or a cone that touches with its rim.
struct Rim {
    Vec3 axis{0.0f};    // unit, world
    float along = 0.0f; // of a point on it, from the shape's centroid, m
    Vec3 lowest{0.0f};  // m, from the circle's centre to where it is lowest
};

// How far off the lowest point of a rim is taken for it, by the radius.
constexpr float near_rim = 0.02f;

// The rim of the shape, if `at` (world) is where it reaches farthest in the direction `outwards` (unit, world).
std::optional<Rim> rim_at(const ContactSide& side, const Vec3& at, const Vec3& outwards) {
    const Shape& shape = *side.shape;
    if (shape.kind != ShapeKind::cylinder && shape.kind != ShapeKind::cone) {
        return std::nullopt;
    }
    const Vec3 axis = rotate(side.shape_pose.orientation, Vec3(0.0f, 0.0f, 1.0f));
    constexpr float flat = 0.999f; // a cap that is as good as level has no lowest point
    if (std::abs(glm::dot(outwards, axis)) > flat) {
        return std::nullopt;
    }
    const Vec3 from_centre = at - side.shape_pose.position;
    const Rim rim{axis, glm::dot(from_centre, axis), lowest_on_circle(axis, shape.radius, outwards)};
    const bool there = glm::distance(from_centre - rim.along * axis, rim.lowest) < near_rim * shape.radius;
    return there ? std::optional(rim) : std::nullopt;
}

// Whether a point of the shape is on the rim, within 60 degrees of its lowest point.
bool beside_on_rim(const ContactSide& side, const Rim& rim, const Vec3& at) {
    const Vec3 from_centre = at - side.shape_pose.position;
    const float along = glm::dot(from_centre, rim.axis), radius = side.shape->radius;
    return std::abs(along - rim.along) < near_rim * radius &&
           glm::dot(from_centre - along * rim.axis, rim.lowest) > 0.5f * radius * radius;
}

// How far the face of the other shape at the rim's lowest point reaches to either side along the rim, m: the rim rolls
// on it, and no further.
float rim_reach(const ContactSide& other, const Rim& rim, const Vec3& outwards, const Vec3& at) {
    const Vec3 along = glm::normalize(glm::cross(rim.axis, outwards));
    return std::max(std::min(reach_of_face(other, -outwards, at, along), reach_of_face(other, -outwards, at, -along)),
                    0.0f);
}

// A circle that is not about to lie down touches where it is lowest, and that point wanders along the rim as the body
// turns. The corners of the polygon by which a cap is clipped stand still on the body: it would stumble from one to the
// next. So it has one point, and the solver follows it (solver/rows/arms/rims-inl.h).
bool touches_by_rim(const ContactSide& side, const ContactSide& other, Vec3 ManifoldPoint::*on_side,
                    const Vec3& outwards, bool is_a, Manifold& manifold, Contact& contact) {
    const std::span<ManifoldPoint> points = std::span(manifold.points).first(static_cast<std::size_t>(manifold.count));
    const ManifoldPoint& deepest =
        *std::min_element(points.begin(), points.end(),
                          [](const ManifoldPoint& p, const ManifoldPoint& q) { return p.separation < q.separation; });
    const std::optional<Rim> rim = rim_at(side, deepest.*on_side, outwards);
    if (!rim || !std::all_of(points.begin(), points.end(), [&](const ManifoldPoint& point) {
            return &point == &deepest || beside_on_rim(side, *rim, point.*on_side);
        })) {
        return false;
    }
    manifold.points[0] = deepest;
    manifold.points[0].feature = feature_id(PointFeature::witness, 0);
    manifold.count = 1;
    contact.rim_axis = rim->axis;
    contact.rim_radius = is_a ? side.shape->radius : -side.shape->radius;
    contact.rim_reach = rim_reach(other, *rim, outwards, manifold.points[0].*on_side);
    return true;
}

// The side of a cone touches along a line, and rolls with another radius at each point of it.
void roll_on_cone(const ContactSide& side, const Vec3& outwards, Vec3 ManifoldPoint::*on_side,
                  std::span<const ManifoldPoint> points, float& round, float& wider) {
    if (side.shape->kind != ShapeKind::cone || points.size() > 2) {
        return;
    }
    round = round_part_of_cone(side, outwards, points[0].*on_side);
    wider = points.size() == 2 ? round_part_of_cone(side, outwards, points[1].*on_side) - round : 0.0f;
}

// What stands on a corner, or on two, is free to swing about them, and in a heap some body always does, for minutes. No
// edge is a line: it rolls on a little width of its own, and so it stops. A rim is an edge as well. Round shapes roll
// on, and what has three points does not swing.
float edge_arm(const ContactSide& a, const ContactSide& b, int count, bool by_rim) {
    constexpr float share = 0.003f; // of the smaller body; tables give half a millimetre for wood
    return by_rim || (count <= 2 && is_polytope(*a.shape) && is_polytope(*b.shape))
               ? share * std::min(a.shape->inner_radius, b.shape->inner_radius)
               : 0.0f;
}

// All but the points, the normal and what follows from both.
void begin(Contact& contact, const ContactSide& a, const ContactSide& b, const Contact* before) {
    contact = before != nullptr ? *before : Contact{};
    contact.friction = mixed_friction(*a.material, *b.material);
    contact.restitution = mixed_restitution(*a.material, *b.material);
    contact.rolling_arm = rolling_arm(a, b);
    contact.centre_a = a.body->position;
    contact.centre_b = b.body->position;
    contact.parallel = 1.0f;
    contact.rim_radius = 0.0f;
    contact.wider_a = contact.wider_b = 0.0f;
    contact.normal_turns = 0;
    contact.tolerance = 0.0f;
    contact.meets_at = 0.0f;
    contact.solved_at = before != nullptr ? before->solved_at : 0;
    contact.loaded_inverse_mass = before != nullptr ? before->loaded_inverse_mass : 0.0f;
    contact.ages.fill(0);
}

void take_from(ContactPoint& point, const ContactPoint& old) {
    point.normal_impulse = old.normal_impulse;
    point.friction_impulse = old.friction_impulse;
    point.preload = old.preload;
}

std::uint16_t one_older(std::uint16_t age) {
    return static_cast<std::uint16_t>(std::min(age + 1, 0xffff));
}

// The one point of a ball. It is not taken along, because it moves over the ball as that rolls.
bool find_ball_contact(const ContactSide& a, const ContactSide& b, float speculative_distance, float dt,
                       const Contact* before, std::span<const ContactPoint> points_before, const BallContact& ball,
                       FoundContact& out) {
    if (ball.separation > speculative_distance) {
        out.apart = std::max(ball.separation - ball.rounding, 0.0f);
        return false;
    }
    Contact& contact = out.contact;
    begin(contact, a, b, before);
    contact.normal = ball.normal;
    const Vec3 at = a.shape_pose.position + ball.halfway;
    contact.round_a = round_part(a, ball.normal) + round_part_of_cone(a, ball.normal, at);
    contact.round_b = round_part(b, ball.normal) + round_part_of_cone(b, -ball.normal, at);
    contact.count = 1;
    ContactPoint& point = out.points[0];
    point = ContactPoint{};
    point.anchor_a = ball.halfway + (a.shape_pose.position - a.body->position);
    point.separation = ball.separation;
    point.feature = feature_id(PointFeature::witness, 0);
    for (std::size_t j = 0; j < points_before.size(); ++j) {
        if (points_before[j].feature == point.feature) {
            take_from(point, points_before[j]);
            contact.ages[0] = one_older(before->ages[j]);
        }
    }
    point.preload = preload_after(point.preload, point.separation, dt);
    find_flat_directions(a, b, std::span(out.points).first(1), contact);
    return true;
}

// Where a face turns under a face, other corners of what both cover come to be the four that are kept. Such a point
// takes over from the nearest one that has gone, not further off than this share of the lesser inner radius: what the
// patch as a whole carried goes on.
constexpr float hand_on_share = 0.6f;

void hand_on(std::span<ContactPoint> points, std::uint32_t fresh, std::span<const ContactPoint> before,
             std::uint32_t gone, float reach) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        if ((fresh >> i & 1u) == 0) {
            continue;
        }
        float nearest2 = reach * reach;
        std::size_t best = before.size();
        for (std::size_t j = 0; j < before.size(); ++j) {
            const Vec3 d = points[i].local_a - before[j].local_a;
            const float distance2 = glm::dot(d, d);
            if ((gone >> j & 1u) != 0 && distance2 < nearest2) {
                nearest2 = distance2;
                best = j;
            }
        }
        if (best < before.size()) {
            take_from(points[i], before[best]);
            gone &= ~(1u << best);
        }
    }
}

} // namespace

bool find_contact(const ContactSide& a, const ContactSide& b, float speculative_distance, float dt,
                  const Contact* before, std::span<const ContactPoint> points_before, CollideCache& cache,
                  FoundContact& out) {
    if (is_ball_pair(*a.shape, *b.shape)) {
        const BallContact ball = ball_contact(*a.shape, a.shape_pose, *b.shape, b.shape_pose, speculative_distance);
        if (ball.settled) {
            return find_ball_contact(a, b, speculative_distance, dt, before, points_before, ball, out);
        }
    }
    std::array<std::uint32_t, 4> features{};
    for (std::size_t i = 0; i < points_before.size(); ++i) {
        features[i] = points_before[i].feature;
    }
    const Manifold manifold = collide(*a.shape, a.shape_pose, *b.shape, b.shape_pose, speculative_distance, &cache,
                                      std::span(features).first(points_before.size()));
    if (manifold.count == 0) {
        out.apart = manifold.apart;
        return false;
    }
    make_contact(a, b, manifold, speculative_distance, dt, before, points_before, out);
    return true;
}

void make_contact(const ContactSide& a, const ContactSide& b, const Manifold& found, float speculative_distance,
                  float dt, const Contact* before, std::span<const ContactPoint> points_before, FoundContact& out) {
    Contact& contact = out.contact;
    begin(contact, a, b, before);
    Manifold manifold = found;
    contact.normal = manifold.normal;
    contact.round_a = round_part(a, manifold.normal);
    contact.round_b = round_part(b, manifold.normal);
    const bool by_rim_of_a = contact.round_a == 0.0f &&
                             touches_by_rim(a, b, &ManifoldPoint::point_a, manifold.normal, true, manifold, contact);
    if (!by_rim_of_a && contact.round_b == 0.0f) {
        touches_by_rim(b, a, &ManifoldPoint::point_b, -manifold.normal, false, manifold, contact);
    }
    const std::span<const ManifoldPoint> met =
        std::span(manifold.points).first(static_cast<std::size_t>(manifold.count));
    if (!(contact.rim_radius > 0.0f)) {
        roll_on_cone(a, manifold.normal, &ManifoldPoint::point_a, met, contact.round_a, contact.wider_a);
    }
    if (!(contact.rim_radius < 0.0f)) {
        roll_on_cone(b, -manifold.normal, &ManifoldPoint::point_b, met, contact.round_b, contact.wider_b);
    }
    contact.count = static_cast<std::uint8_t>(manifold.count);
    contact.rolling_arm = std::max(contact.rolling_arm, edge_arm(a, b, manifold.count, contact.rim_radius != 0.0f));
    float most_preload = 0.0f; // where a jammed body rolls on to its next corner, the load stays
    for (const ContactPoint& point : points_before) {
        most_preload = std::max(most_preload, point.preload);
    }
    std::uint32_t fresh = 0, gone = (1u << points_before.size()) - 1u; // one bit a point
    for (std::size_t i = 0; i < contact.count; ++i) {
        const ManifoldPoint& from = manifold.points[i];
        ContactPoint& point = out.points[i];
        point = ContactPoint{};
        // Both impulses act at one point, halfway, so that the pair's angular momentum is conserved.
        point.anchor_a = 0.5f * (from.point_a + from.point_b) - contact.centre_a;
        point.local_a = to_local(*a.body, from.point_a);
        point.local_b = to_local(*b.body, from.point_b);
        point.separation = from.separation;
        point.feature = from.feature;
        point.preload = most_preload;
        fresh |= 1u << i;
        for (std::size_t j = 0; j < points_before.size(); ++j) {
            if (points_before[j].feature == from.feature) {
                take_from(point, points_before[j]);
                contact.ages[i] = one_older(before->ages[j]);
                fresh &= ~(1u << i);
                gone &= ~(1u << j);
                break;
            }
        }
    }
    const std::span<ContactPoint> points = std::span(out.points).first(contact.count);
    if (fresh != 0 && gone != 0) {
        hand_on(points, fresh, points_before, gone,
                hand_on_share * std::min(a.shape->inner_radius, b.shape->inner_radius));
    }
    for (ContactPoint& point : points) {
        point.preload = preload_after(point.preload, point.separation, dt);
    }
    find_flat_directions(a, b, points, contact);
    remember(contact, {*a.body, a.shape_pose, a.shape, a.body_radius}, {*b.body, b.shape_pose, b.shape, b.body_radius},
             speculative_distance);
    if (contact.rim_radius != 0.0f) {
        contact.tolerance = 0.0f; // its point has wandered on by the next step
    }
}

int find_mesh_contacts(const ContactSide& a, const ContactSide& b, float speculative_distance, float dt,
                       std::span<const ContactBefore> before, const ShapeMotion& motion, std::span<FoundContact> out,
                       float& apart) {
    const bool mesh_is_a = a.shape->kind == ShapeKind::mesh;
    const ContactSide &mesh = mesh_is_a ? a : b, &other = mesh_is_a ? b : a;
    std::array<std::uint32_t, 4 * MeshManifolds::most> features{};
    std::size_t count = 0;
    for (const ContactBefore& old : before) {
        for (const ContactPoint& point : old.points) {
            features[count++] = point.feature;
        }
    }
    const MeshMaterials* materials = mesh.mesh_materials;
    MeshManifolds found = collide_mesh(
        *mesh.shape, mesh.shape_pose, *other.shape, other.shape_pose, speculative_distance,
        std::span(features).first(count), true,
        materials != nullptr ? std::span(materials->first_alike) : std::span<const std::uint16_t>(), motion);
    apart = found.apart;
    const auto material_of = [&](std::size_t i) -> const Material& {
        return materials != nullptr ? materials->all[found.material[i]] : *mesh.material;
    };
    // Each face goes on with the contact that looked most like it, of those of the same material if there are any.
    std::array<bool, MeshManifolds::most> taken{}, placed{};
    std::array<std::size_t, MeshManifolds::most> place{};
    const auto settle = [&](std::size_t i, std::size_t k) {
        taken[k] = placed[i] = true;
        place[i] = k;
    };
    const auto manifolds = static_cast<std::size_t>(found.count);
    const auto go_on = [&](std::size_t i, bool same_material) {
        const Material& material = material_of(i);
        constexpr float alike = 0.9f;
        float best = alike;
        std::size_t chosen = before.size();
        for (std::size_t k = 0; k < before.size(); ++k) {
            const Contact* old = before[k].contact;
            if (old == nullptr || taken[k] ||
                (same_material && (old->friction != mixed_friction(material, *other.material) ||
                                   old->restitution != mixed_restitution(material, *other.material)))) {
                continue;
            }
            if (const float cosine = glm::dot(old->normal, found.items[i].normal); cosine > best) {
                best = cosine;
                chosen = k;
            }
        }
        if (chosen < before.size()) {
            settle(i, chosen);
        }
    };
    for (std::size_t i = 0; i < manifolds; ++i) {
        Manifold& m = found.items[i];
        if (!mesh_is_a) {
            m.normal = -m.normal;
            for (ManifoldPoint& point : std::span(m.points).first(static_cast<std::size_t>(m.count))) {
                std::swap(point.point_a, point.point_b);
            }
        }
        go_on(i, materials != nullptr);
    }
    for (std::size_t i = 0; i < manifolds && materials != nullptr; ++i) {
        if (!placed[i]) {
            go_on(i, false);
        }
    }
    for (FoundContact& one : out) {
        one.contact.count = 0;
    }
    ContactSide of_mesh = mesh;
    const ContactSide &side_a = mesh_is_a ? of_mesh : a, &side_b = mesh_is_a ? b : of_mesh;
    for (std::size_t i = 0; i < manifolds; ++i) {
        for (std::size_t k = 0; !placed[i] && k < out.size(); ++k) {
            if (!taken[k]) {
                settle(i, k);
            }
        }
        const ContactBefore& old = before[place[i]];
        FoundContact& to = out[place[i]];
        of_mesh.material = &material_of(i);
        make_contact(side_a, side_b, found.items[i], speculative_distance, dt, old.contact, old.points, to);
    }
    return found.count;
}

Vec3 parting_axis(const CollideCache& cache, const ContactSide& a, const ContactSide& b) {
    const bool a_first = takes_first(*a.shape, *b.shape);
    const Vec3 axis = rotate((a_first ? a : b).shape_pose.orientation, cache.axis);
    return a_first ? axis : -axis;
}

void keep_parting_axis(CollideCache& cache, const ContactSide& a, const ContactSide& b, const Vec3& axis) {
    const bool a_first = takes_first(*a.shape, *b.shape);
    cache = CollideCache{};
    cache.axis = inverse_rotate((a_first ? a : b).shape_pose.orientation, a_first ? axis : -axis);
}

} // namespace cairn::physics
