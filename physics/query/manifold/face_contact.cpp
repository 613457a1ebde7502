#include "physics/query/manifold/face_contact.h"

#include "physics/query/distance/fast_pairs.h"

#include <limits>

namespace cairn::physics {
namespace {

// The greatest height of the corners along the face's normal: the plane outside of which nothing lies.
double plane_offset(const Patch& face) {
    double offset = glm::dot(face.normal, face.vertices[0].position);
    for (int i = 1; i < face.count; ++i) {
        offset = std::max(offset, glm::dot(face.normal, face.vertices[i].position));
    }
    return offset;
}

// How far a point over the face lies from its border, m; negative outside.
double margin(const Patch& face, const DVec3& p) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < face.count; ++i) {
        const DVec3& start = face.vertices[i].position;
        const DVec3 inward = glm::cross(face.normal, face.vertices[i + 1 < face.count ? i + 1 : 0].position - start);
        const double length2 = glm::dot(inward, inward);
        if (length2 > 0.0) {
            least = std::min(least, glm::dot(inward, p - start) / std::sqrt(length2));
        }
    }
    return least;
}

// Is the overlap at the depth d the least that there is? See the header: `r` is how far the foot of the origin lies
// from the border of the facet of A - B, `n` its normal from A to B.
bool least_depth(const CorePair& pair, const DVec3& n, double d, double r) {
    const DVec3& t = pair.b_in_a.position;
    const double c = glm::dot(t, n);
    const double q = std::sqrt(std::max(glm::dot(t, t) - c * c, 0.0));
    const double balls = pair.a.inner + pair.b.inner;
    return r >= d && (r * r - d * d) * c - 2.0 * r * d * q + (balls - d) * (r * r + d * d) >= 0.0;
}

// The edge of a face that lies farthest along n, by its lower end.
void extreme_edge(const Patch& face, const DVec3& n, DVec3& p, DVec3& q) {
    double before = glm::dot(face.vertices[face.count - 1].position, n);
    double best = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < face.count; ++i) {
        const double here = glm::dot(face.vertices[i].position, n);
        if (std::min(before, here) > best) {
            best = std::min(before, here);
            p = face.vertices[i > 0 ? i - 1 : face.count - 1].position;
            q = face.vertices[i].position;
        }
        before = here;
    }
}

// The faces of the pair that look along a direction, in the frame of A.
struct Facing {
    Patch a, b;
};

// Two edges, one of each face, hold the nearest points: those that lie farthest along the direction, as A has kept it
// and as B has turned it. Where they cross over each other their common perpendicular is the normal. False if that is
// not so, or not proved. `certain` is a lower bound of the distance.
bool nearest_edges(const CorePair& pair, const DVec3& towards, const DVec3& turned, const Facing& faces,
                   double tolerance, PairDistance& out, double& certain) {
    DVec3 a0, a1, b0, b1;
    extreme_edge(faces.a, towards, a0, a1);
    extreme_edge(faces.b, -turned, b0, b1);
    const DVec3 u = 0.5 * (a1 - a0);
    const DVec3 v = 0.5 * (b1 - b0);
    const double uu = glm::dot(u, u);
    const double vv = glm::dot(v, v);
    const DVec3 across = glm::cross(u, v);
    const double area2 = glm::dot(across, across);
    if (!(area2 > parallel_sine * parallel_sine * uu * vv)) {
        return false;
    }
    const double area = std::sqrt(area2);
    out.normal = across * with_sign_of(1.0 / area, glm::dot(across, towards));
    // a + s u - b - t v is along the normal.
    const DVec3 a = 0.5 * (a0 + a1);
    const DVec3 b = 0.5 * (b0 + b1);
    const DVec3 d = b - a;
    const double s = glm::dot(glm::cross(d, v), across) / area2;
    const double t = glm::dot(glm::cross(d, u), across) / area2;
    const double r = area * std::min((1.0 - std::abs(s)) / std::sqrt(vv), (1.0 - std::abs(t)) / std::sqrt(uu));
    if (r > 0.0) {
        out.point_a = a + u * s;
        out.point_b = b + v * t;
        out.distance = glm::dot(d, out.normal);
    } else {
        // They end before they cross: a corner is nearest, and only shapes apart have a normal there.
        closest_on_segments(a, u, b, v, out.point_a, out.point_b);
        const DVec3 between = out.point_b - out.point_a;
        out.distance = std::sqrt(glm::dot(between, between));
        if (!(out.distance > tolerance * 1e-2 && glm::dot(between, towards) > 0.0)) {
            return false;
        }
        out.normal = between * (1.0 / out.distance);
    }
    certain = glm::dot(pair.support_b(-out.normal), out.normal) - glm::dot(pair.support_a(out.normal), out.normal);
    // The points are as near as the slabs, up to what does not matter; so this is the distance.
    return out.distance - certain <= 0.1 * tolerance &&
           (out.distance >= 0.0 || least_depth(pair, out.normal, -out.distance, r));
}

struct Question {
    const CorePair& pair;
    double speculative, tolerance;
};

// The separation of the slabs along the face of A or B, m.
double slabs_along(const Question& of, const Patch& face, bool by_a, double offset) {
    const DVec3& f = face.normal;
    return glm::dot(f, by_a ? of.pair.support_b(-f) : of.pair.support_a(-f)) - offset;
}

// The other shape's face that looks at the reference face, clipped to it.
ClippedPatch clip_to_face(const Question& of, bool by_a, const Patch& reference) {
    const CorePair& pair = of.pair;
    if (!by_a) {
        return clip(reference, contact_patch(*pair.a.shape, -reference.normal), by_a, of.tolerance);
    }
    Patch incident = contact_patch(*pair.b.shape, apply_inverse_rotation(pair.b_in_a.rotation, -reference.normal));
    transform(incident, pair.b_in_a);
    return clip(reference, incident, by_a, of.tolerance);
}

// Adds a point of the clipped patch and the one below it on the reference face, and returns its height.
double add_point(const Question& of, bool by_a, const DVec3& f, double offset, const ClippedPoint& point,
                 Candidates& out) {
    const DVec3& on_incident = point.position;
    const double height = glm::dot(f, on_incident) - offset;
    const DVec3 on_reference = on_incident - f * height;
    out.add({by_a ? on_reference : on_incident, by_a ? on_incident : on_reference, height, point.feature},
            of.speculative);
    return height;
}

// Does the face of A or B carry the contact, and is it the nearest feature?
FaceAnswer proved_by_face(const Question& of, bool by_a, const Patch& reference, Candidates& out,
                          PairDistance& nearest) {
    const DVec3& f = reference.normal;
    const double offset = plane_offset(reference);
    const double separation = slabs_along(of, reference, by_a, offset);
    out.normal = nearest.normal = by_a ? f : -f;
    if (separation > of.speculative) {
        nearest.distance = separation;
        return FaceAnswer::apart;
    }
    const double allowance = 0.05 * of.tolerance;
    const ClippedPatch clipped = clip_to_face(of, by_a, reference);
    out.count = 0;
    DVec3 sum(0.0);
    double depth = 0.0;
    int deep = 0;
    nearest.distance = std::numeric_limits<double>::infinity();
    for (int i = 0; i < clipped.count; ++i) {
        const double height = add_point(of, by_a, f, offset, clipped.points[i], out);
        if (height < nearest.distance) {
            nearest.distance = height;
            const DVec3& on_incident = clipped.points[i].position;
            const DVec3 on_reference = on_incident - f * height;
            nearest.point_a = by_a ? on_reference : on_incident;
            nearest.point_b = by_a ? on_incident : on_reference;
        }
        if (height <= separation + allowance) {
            sum += clipped.points[i].position;
            depth -= height;
            ++deep;
        }
    }
    if (deep == 0 || out.count == 0) {
        return FaceAnswer::unknown;
    }
    const double share = 1.0 / deep;
    const double d = depth * share;
    const bool least = d <= 0.0 || least_depth(of.pair, out.normal, d, margin(reference, sum * share));
    return least ? FaceAnswer::contact : FaceAnswer::unknown;
}

// Does the face of A or B do as well as the nearest features, which are known? If its slabs do, or if it is but a
// little askew and no point over it lies much deeper. (A corner that overhangs makes the slabs deep, but over the face
// itself the contact is that of the faces, and one point at a crossing of edges would not carry it.) `other`: a face of
// the other shape at hand, or none. A corner of it that lies deep enough spares the search for the deepest.
bool does_as_well(const Question& of, bool by_a, const Patch& reference, const Patch* other,
                  const PairDistance& nearest, Candidates& out) {
    constexpr double near_cosine = 0.5;
    const DVec3& f = reference.normal;
    const double lean = by_a ? glm::dot(f, nearest.normal) : -glm::dot(f, nearest.normal);
    if (!(lean > near_cosine)) {
        return false;
    }
    const double offset = plane_offset(reference);
    const double least = nearest.distance - of.tolerance - preference_of_depth * std::abs(nearest.distance);
    if (lean <= askew_cosine) {
        for (int i = 0; other != nullptr && i < other->count; ++i) {
            if (glm::dot(f, other->vertices[i].position) - offset < least) {
                return false;
            }
        }
        if (slabs_along(of, reference, by_a, offset) < least) {
            return false;
        }
    }
    const ClippedPatch clipped = clip_to_face(of, by_a, reference);
    out.normal = by_a ? f : -f;
    out.count = 0;
    double deepest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < clipped.count; ++i) {
        deepest = std::min(deepest, add_point(of, by_a, f, offset, clipped.points[i], out));
    }
    if (out.count == 0 || deepest < least - 0.05 * std::abs(nearest.distance) - of.tolerance) {
        return false;
    }
    if (deepest > nearest.distance + 0.5 * of.tolerance) {
        out.add({nearest.point_a, nearest.point_b, glm::dot(nearest.point_b - nearest.point_a, out.normal),
                 feature_id(PointFeature::witness, 0)},
                of.speculative);
    }
    return true;
}

} // namespace

FaceAnswer contact_of_faces(const CorePair& pair, const DVec3& towards, const DVec3& towards_in_b, double speculative,
                            double tolerance, Candidates& out, PairDistance& nearest) {
    // The normal of a face is found again as it was, but for rounding, in the frame of its shape. Faces as little askew
    // as those that carry a contact are asked as well; what is asked in vain costs a fifth of a search.
    constexpr double same_face = askew_cosine;
    const Question question{pair, speculative, tolerance};
    Facing faces;
    contact_patch(*pair.a.shape, towards, faces.a);
    if (glm::dot(faces.a.normal, towards) >= same_face) {
        const FaceAnswer answer = proved_by_face(question, true, faces.a, out, nearest);
        if (answer != FaceAnswer::unknown) {
            return answer;
        }
    }
    contact_patch(*pair.b.shape, -towards_in_b, faces.b);
    const double lean_b = -glm::dot(faces.b.normal, towards_in_b);
    transform(faces.b, pair.b_in_a);
    if (lean_b >= same_face) {
        const FaceAnswer answer = proved_by_face(question, false, faces.b, out, nearest);
        // A face of A that does as well is preferred: as in any other answer.
        Candidates by_a;
        if (answer == FaceAnswer::contact && does_as_well(question, true, faces.a, &faces.b, nearest, by_a)) {
            out.normal = by_a.normal;
            out.count = by_a.count;
            std::copy(by_a.points.data(), by_a.points.data() + by_a.count, out.points.data());
        }
        if (answer != FaceAnswer::unknown) {
            return answer;
        }
    }
    // Where a corner overhangs, two edges are nearest even of faces that lean by less than that.
    double certain = 0.0;
    const DVec3 turned = pair.b_in_a.rotation * towards_in_b;
    if (!nearest_edges(pair, towards, turned, faces, tolerance, nearest, certain)) {
        return FaceAnswer::unknown;
    }
    if (nearest.distance > speculative) {
        nearest.distance = certain;
        return FaceAnswer::apart;
    }
    if (does_as_well(question, true, faces.a, &faces.b, nearest, out) ||
        does_as_well(question, false, faces.b, &faces.a, nearest, out)) {
        return FaceAnswer::contact;
    }
    out.normal = nearest.normal;
    out.count = 0;
    out.add({nearest.point_a, nearest.point_b, nearest.distance, feature_id(PointFeature::witness, 0)}, speculative);
    return FaceAnswer::contact;
}

bool face_at(const CorePair& pair, const PairDistance& nearest, double speculative, double tolerance, Candidates& out) {
    const DVec3& n = nearest.normal;
    const Question question{pair, speculative, tolerance};
    const Patch of_a = contact_patch(*pair.a.shape, n);
    if (does_as_well(question, true, of_a, nullptr, nearest, out)) {
        return true;
    }
    Patch of_b = contact_patch(*pair.b.shape, apply_inverse_rotation(pair.b_in_a.rotation, -n));
    transform(of_b, pair.b_in_a);
    return does_as_well(question, false, of_b, &of_a, nearest, out);
}

} // namespace cairn::physics
