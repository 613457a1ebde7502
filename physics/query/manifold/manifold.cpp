#include "physics/query/manifold.h"

#include "physics/query/distance/pair_distance.h"
#include "physics/query/manifold/box_manifold.h"
#include "physics/query/manifold/face_contact.h"
#include "physics/query/manifold/patch/contact_points.h"
#include "physics/query/manifold/round_manifold.h"

#include <algorithm>
#include <cassert>

namespace cairn::physics {
namespace {

// Distance of p from the segment q r.
double distance_to_segment(const DVec3& p, const DVec3& q, const DVec3& r) {
    const DVec3 d = r - q;
    const double length2 = glm::dot(d, d);
    const double t = length2 > 0.0 ? std::clamp(glm::dot(p - q, d) / length2, 0.0, 1.0) : 0.0;
    return glm::length(p - q - d * t);
}

struct CoreContact {
    const CorePair& pair;
    const PairDistance& nearest;
    double speculative;
    double tolerance; // lengths below it do not matter to the contact, m
    Candidates out;

    void add_witness() {
        // Along the normal of the contact, which need not be the direction of least depth.
        const double separation = glm::dot(nearest.point_b - nearest.point_a, out.normal);
        out.add({nearest.point_a, nearest.point_b, separation, feature_id(PointFeature::witness, 0)}, speculative);
    }

    // The point of the other shape that lies deepest under the face, if it lies over the face, else the nearest points.
    void add_deepest(const Patch& reference, bool reference_is_a, double offset) {
        const DVec3& n = reference.normal;
        Patch deepest_point;
        deepest_point.add({reference_is_a ? pair.support_b(-n) : pair.support_a(-n), 0, 0});
        if (clip(reference, deepest_point, reference_is_a, tolerance).count == 0) {
            add_witness();
            return;
        }
        const DVec3 on_incident =
            deepest_point.vertices[0].position - n * (reference_is_a ? pair.b.radius : pair.a.radius);
        const double separation = glm::dot(n, on_incident) - offset;
        Candidate c{on_incident, on_incident - n * separation, separation, feature_id(PointFeature::witness, 0)};
        if (reference_is_a) {
            std::swap(c.point_a, c.point_b);
        }
        out.add(c, speculative);
    }

    double deepest() const {
        double least = out.points[0].separation;
        for (int i = 1; i < out.count; ++i) {
            least = std::min(least, out.points[i].separation);
        }
        return least;
    }

    // Contact against the plane of a face of one shape: all points of the other's patch over it.
    bool face_contact(const Patch& reference, const Patch& incident, bool reference_is_a) {
        const double incident_radius = reference_is_a ? pair.b.radius : pair.a.radius;
        const DVec3& n = reference.normal;
        double offset = glm::dot(n, reference.vertices[0].position);
        for (int i = 1; i < reference.count; ++i) {
            offset = std::max(offset, glm::dot(n, reference.vertices[i].position));
        }
        out.normal = reference_is_a ? n : -n;
        const ClippedPatch clipped = clip(reference, incident, reference_is_a, tolerance);
        for (int i = 0; i < clipped.count; ++i) {
            const DVec3 on_incident = clipped.points[i].position - n * incident_radius;
            const double separation = glm::dot(n, on_incident) - offset;
            const DVec3 on_reference = on_incident - n * separation;
            Candidate c{on_incident, on_reference, separation, clipped.points[i].feature};
            if (reference_is_a) {
                std::swap(c.point_a, c.point_b);
            }
            out.add(c, speculative);
        }
        if (out.count == 0) {
            return false;
        }
        // A patch may miss a corner, and polygons inscribed in round caps miss the point of a rim that lies deepest.
        // The corners of such a polygon stand still on the body while that point wanders along the rim: a cap that
        // leans on a wall by a degree would be carried now by one corner, now by the next, and rock for ever.
        const auto round_cap = [](const Core& core, const Patch& patch) {
            const bool has_caps = core.shape->kind == ShapeKind::cylinder || core.shape->kind == ShapeKind::cone;
            return has_caps && patch.face;
        };
        const bool round = round_cap(reference_is_a ? pair.a : pair.b, reference) ||
                           round_cap(reference_is_a ? pair.b : pair.a, incident);
        if (deepest() > nearest.distance + (round ? 0.01 : 0.5) * tolerance) {
            add_deepest(reference, reference_is_a, offset);
        }
        return true;
    }

    // The edge of a patch that lies farthest along n.
    static void extreme_edge(const Patch& patch, const DVec3& n, PatchVertex& p, PatchVertex& q) {
        double best = 0.0;
        bool found = false;
        const int edges = patch.count == 2 ? 1 : patch.count;
        for (int i = 0; i < edges; ++i) {
            const PatchVertex& first = patch.vertices[i];
            const PatchVertex& second = patch.vertices[(i + 1) % patch.count];
            const double value = std::min(glm::dot(first.position, n), glm::dot(second.position, n));
            if (!found || value > best) {
                best = value;
                found = true;
                p = first;
                q = second;
            }
        }
    }

    // Two edges side by side touch along a stretch: its two ends.
    bool parallel_edges(const Patch& patch_a, const Patch& patch_b) {
        if (patch_a.count < 2 || patch_b.count < 2) {
            return false;
        }
        const DVec3& n = nearest.normal;
        PatchVertex a0, a1, b0, b1;
        extreme_edge(patch_a, n, a0, a1);
        extreme_edge(patch_b, -n, b0, b1);
        EdgeStretch stretch;
        if (!side_by_side(n, a0, a1, b0, b1, tolerance, stretch)) {
            return false;
        }
        const DVec3 core_a = nearest.point_a - n * pair.a.radius;
        const DVec3 core_b = nearest.point_b + n * pair.b.radius;
        if (distance_to_segment(core_a, a0.position, a1.position) > tolerance ||
            distance_to_segment(core_b, b0.position, b1.position) > tolerance) {
            return false; // the shapes touch elsewhere
        }
        out.normal = n;
        for (const EdgeStretch::End& end : stretch.ends) {
            const DVec3 on_a = end.on_a + n * pair.a.radius;
            const DVec3 on_b = end.on_b - n * pair.b.radius;
            out.add({on_a, on_b, glm::dot(on_b - on_a, n), end.feature}, speculative);
        }
        return out.count > 0;
    }

    void find() {
        const DVec3& n = nearest.normal;
        out.normal = n;
        if (pair.a.shape->kind == ShapeKind::sphere || pair.b.shape->kind == ShapeKind::sphere) {
            add_witness();
            return;
        }
        const bool polytopes = is_polytope(*pair.a.shape) && is_polytope(*pair.b.shape);
        if (polytopes && face_at(pair, nearest, speculative, tolerance, out)) {
            return;
        }
        out.normal = n;
        out.count = 0;
        const Patch patch_a = contact_patch(*pair.a.shape, n);
        Patch patch_b = contact_patch(*pair.b.shape, apply_inverse_rotation(pair.b_in_a.rotation, -n));
        transform(patch_b, pair.b_in_a);

        const double limit = nearest.distance - tolerance - preference_of_depth * std::abs(nearest.distance);
        if (!polytopes && patch_a.face) {
            const DVec3& f = patch_a.normal;
            const double separation = glm::dot(f, pair.support_b(-f)) - pair.b.radius - glm::dot(f, pair.support_a(f));
            if (separation >= limit && facing_contact(patch_a, patch_b, f, true)) {
                return;
            }
        }
        if (!polytopes && patch_b.face) {
            const DVec3& f = patch_b.normal;
            const double separation = glm::dot(f, pair.support_a(-f)) - pair.a.radius - glm::dot(f, pair.support_b(f));
            if (separation >= limit && facing_contact(patch_b, patch_a, f, false)) {
                return;
            }
        }
        out.count = 0;
        if (parallel_edges(patch_a, patch_b)) {
            return;
        }
        out.count = 0;
        out.normal = n;
        add_witness();
    }

    // The other shape's patch must be the one that faces the reference plane, which may be another than the one that
    // faces the direction of least depth.
    bool facing_contact(const Patch& reference, const Patch& incident, const DVec3& f, bool reference_is_a) {
        const Core& other = reference_is_a ? pair.b : pair.a;
        if (!incident.face && incident.count <= 2 && other.shape->kind == ShapeKind::capsule) {
            return face_contact(reference, incident, reference_is_a);
        }
        Patch facing;
        if (reference_is_a) {
            facing = contact_patch(*other.shape, apply_inverse_rotation(pair.b_in_a.rotation, -f));
            transform(facing, pair.b_in_a);
        } else {
            facing = contact_patch(*other.shape, -f);
        }
        return face_contact(reference, facing, reference_is_a);
    }
};

// The slabs of both shapes along a direction, in the frame that the pair is in, are a lower bound of the distance.
// Returns the bound if it tells that the pair is apart, else a negative number.
double still_apart(const CorePair& pair, const Vec3& axis, double speculative) {
    const DVec3 n(axis);
    const double length2 = glm::dot(n, n);
    // A part in a million less than what the general path calls apart: rounding must not make the difference.
    const double apart = speculative + pair.radius + 1e-6 * (pair.size + pair.radius);
    const double gap = -glm::dot(n, pair.support(n).w);
    if (!(gap > 0.0 && gap * gap > apart * apart * length2)) {
        return -1.0;
    }
    return gap / std::sqrt(length2) - pair.radius;
}

// The pairs that need no search. False, and nothing filled, for all others.
bool collide_directly(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                      double speculative, KeptFeatures kept, Manifold& out) {
    if (a.kind == ShapeKind::box && b.kind == ShapeKind::box) {
        return collide_boxes(a, pose_a, b, pose_b, speculative, kept, out);
    }
    return collide_round(a, pose_a, b, pose_b, speculative, out);
}

// The manifold of B and A from that of A and B.
void flip(Manifold& m) {
    m.normal = -m.normal;
    for (int i = 0; i < m.count; ++i) {
        std::swap(m.points[i].point_a, m.points[i].point_b);
    }
}

} // namespace

Manifold collide(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                 float speculative_distance, CollideCache* cache, KeptFeatures kept) {
    assert(speculative_distance >= 0.0f);
    Manifold out;
    const DVec3 between = DVec3(pose_b.position) - DVec3(pose_a.position);
    const double speculative = double(speculative_distance);
    const double radii = double(a.bounding_radius) + double(b.bounding_radius);
    const double between2 = glm::dot(between, between);
    if (between2 > (radii + speculative) * (radii + speculative)) {
        out.apart = certainly(std::sqrt(between2) - radii, a, b);
        return out;
    }
    const bool swapped = !takes_first(a, b);
    if (swapped ? collide_directly(b, pose_b, a, pose_a, speculative, kept, out)
                : collide_directly(a, pose_a, b, pose_b, speculative, kept, out)) {
        if (swapped) {
            flip(out);
        }
        return out;
    }
    const Frame fa = frame_of(pose_a);
    const Frame fb = frame_of(pose_b);
    const Frame& world = swapped ? fb : fa;
    const CorePair pair = swapped ? core_pair(b, a, relative_frame(fb, fa)) : core_pair(a, b, relative_frame(fa, fb));
    const double smaller = std::min(double(a.bounding_radius), double(b.bounding_radius));
    PairDistance nearest;
    CoreContact contact{pair, nearest, speculative, preference_of_size * smaller, {}};
    const bool polytopes = is_polytope(a) && is_polytope(b);
    if (cache != nullptr && !cache->contact) {
        const double bound = still_apart(pair, cache->axis, speculative);
        if (bound > speculative) {
            out.apart = certainly(bound, a, b);
            return out;
        }
    }
    FaceAnswer remembered = FaceAnswer::unknown;
    if (cache != nullptr && cache->contact && polytopes) {
        remembered = contact_of_faces(pair, DVec3(cache->axis), DVec3(cache->axis_in_b), speculative, contact.tolerance,
                                      contact.out, nearest);
        if (remembered == FaceAnswer::apart) {
            out.apart = certainly(nearest.distance, a, b);
            *cache = {Vec3(nearest.normal), Vec3(0.0f), false};
            return out;
        }
    }
    if (remembered == FaceAnswer::unknown) {
        nearest = pair_distance(pair, speculative, between_centres(pair));
        if (nearest.beyond || nearest.distance > speculative) {
            if (cache != nullptr) {
                *cache = {Vec3(nearest.normal), Vec3(0.0f), false};
            }
            // A distance, unlike a bound, may be that of points that are not quite the nearest.
            const double doubt = nearest.beyond ? 0.0 : 1e-5 * pair.size;
            out.apart = nearest.status == QueryStatus::failed ? 0.0f : certainly(nearest.distance - doubt, a, b);
            return out;
        }
        contact.out.count = 0;
        contact.find();
    }
    if (cache != nullptr && polytopes) {
        *cache = {Vec3(nearest.normal), Vec3(apply_inverse_rotation(pair.b_in_a.rotation, nearest.normal)), true};
    }
    reduce(contact.out, depth_band * smaller, kept);

    const DVec3 normal = world.rotation * contact.out.normal;
    out.normal = Vec3(swapped ? -normal : normal);
    out.count = contact.out.count;
    for (int i = 0; i < out.count; ++i) {
        const Candidate& c = contact.out.points[i];
        ManifoldPoint& p = out.points[i];
        p.point_a = Vec3(apply(world, swapped ? c.point_b : c.point_a));
        p.point_b = Vec3(apply(world, swapped ? c.point_a : c.point_b));
        p.separation = float(c.separation);
        p.feature = c.feature;
    }
    return out;
}

} // namespace cairn::physics
