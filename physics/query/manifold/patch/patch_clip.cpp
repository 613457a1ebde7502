#include "physics/query/manifold/patch/patch_clip.h"

#include <algorithm>

namespace cairn::physics {
namespace {

// What an edge of the polygon being clipped lies on.
struct Source {
    bool reference = false; // a side of the reference polygon, else an edge of the incident one
    int index = 0;          // of the patch vertex at which that edge starts
};

struct ClippedCorner {
    DVec3 position{0.0};
    std::uint32_t feature = 0;
    Source leaving;
    double side = 0.0; // distance to the side being clipped at, times its length; positive outside
};

struct Naming {
    const Patch& reference;
    const Patch& incident;
    bool reference_is_a;

    std::uint32_t incident_vertex(int i) const {
        return feature_id(reference_is_a ? PointFeature::vertex_b : PointFeature::vertex_a,
                          incident.vertices[i].vertex);
    }
    std::uint32_t reference_vertex(int i) const {
        return feature_id(reference_is_a ? PointFeature::vertex_a : PointFeature::vertex_b,
                          reference.vertices[i].vertex);
    }
    // The point where the polygon's edge `source` crosses side `side`.
    std::uint32_t crossing(const Source& source, int side) const {
        const std::uint32_t reference_edge = reference.vertices[side].edge;
        if (!source.reference) {
            const std::uint32_t incident_edge = incident.vertices[source.index].edge;
            return reference_is_a ? feature_id(PointFeature::edges, reference_edge, incident_edge)
                                  : feature_id(PointFeature::edges, incident_edge, reference_edge);
        }
        // Two sides of the reference meet in one of its corners.
        return reference_vertex((source.index + 1) % reference.count == side ? side : source.index);
    }
};

ClippedPatch clip_polygon(const Patch& reference, const Patch& incident, const Naming& naming, double slack) {
    Room<ClippedCorner, max_clipped_points + 1> here;
    Room<ClippedCorner, max_clipped_points + 1> there;
    ClippedCorner* from = here.data();
    ClippedCorner* to = there.data();
    int count = incident.count;
    for (int i = 0; i < count; ++i) {
        new (from + i) ClippedCorner{incident.vertices[i].position, naming.incident_vertex(i), {false, i}, 0.0};
    }
    for (int s = 0; s < reference.count && count > 0; ++s) {
        const DVec3& start = reference.vertices[s].position;
        const DVec3 edge = reference.vertices[s + 1 < reference.count ? s + 1 : 0].position - start;
        const DVec3 outward = glm::cross(edge, reference.normal);
        double most = 0.0;
        for (int i = 0; i < count; ++i) {
            from[i].side = glm::dot(outward, from[i].position - start);
            most = std::max(most, from[i].side);
        }
        if (!(most > 0.0)) {
            continue; // nothing is outside: most sides cut nothing off, and need no root
        }
        const double beyond = slack * glm::length(outward);
        if (!(most > beyond)) {
            continue;
        }
        int kept = 0;
        for (int i = 0; i < count && kept < max_clipped_points; ++i) {
            const ClippedCorner& p = from[i];
            const ClippedCorner& q = from[i + 1 < count ? i + 1 : 0];
            const bool p_inside = p.side <= beyond;
            const bool q_inside = q.side <= beyond;
            if (p_inside) {
                new (to + kept) ClippedCorner(p);
                if (!q_inside && p.side >= 0.0) {
                    to[kept].leaving = {true, s}; // p itself is where the polygon leaves
                }
                ++kept;
            }
            if (p_inside == q_inside || kept == max_clipped_points) {
                continue;
            }
            if ((p_inside ? p.side : q.side) >= 0.0) {
                continue; // the corner inside the slack stands for the crossing
            }
            new (to + kept) ClippedCorner{p.position + (q.position - p.position) * (p.side / (p.side - q.side)),
                                          naming.crossing(p.leaving, s), p_inside ? Source{true, s} : p.leaving, 0.0};
            ++kept;
        }
        count = kept;
        std::swap(from, to);
    }
    ClippedPatch out;
    for (int i = 0; i < count; ++i) {
        out.add(from[i].position, from[i].feature);
    }
    return out;
}

ClippedPatch clip_segment(const Patch& reference, const Patch& incident, const Naming& naming, double slack) {
    const DVec3 p = incident.vertices[0].position;
    const DVec3 d = incident.vertices[1].position - p;
    double t0 = 0.0;
    double t1 = 1.0;
    std::uint32_t feature0 = naming.incident_vertex(0);
    std::uint32_t feature1 = naming.incident_vertex(1);
    ClippedPatch out;
    for (int s = 0; s < reference.count; ++s) {
        const DVec3& start = reference.vertices[s].position;
        const DVec3 edge = reference.vertices[s + 1 < reference.count ? s + 1 : 0].position - start;
        const DVec3 outward = glm::cross(edge, reference.normal);
        const double length = glm::length(outward);
        if (!(length > 0.0)) {
            continue;
        }
        const double side0 = glm::dot(outward, p + d * t0 - start) / length;
        const double side1 = glm::dot(outward, p + d * t1 - start) / length;
        if (side0 > slack && side1 > slack) {
            return out;
        }
        if (side0 > slack) {
            t0 = side1 >= 0.0 ? t1 : t0 + (t1 - t0) * (side0 / (side0 - side1));
            feature0 = naming.crossing({false, 0}, s);
        } else if (side1 > slack) {
            t1 = side0 >= 0.0 ? t0 : t0 + (t1 - t0) * (side0 / (side0 - side1));
            feature1 = naming.crossing({false, 0}, s);
        }
    }
    out.add(p + d * t0, feature0);
    if (t1 > t0 && feature1 != feature0) {
        out.add(p + d * t1, feature1);
    }
    return out;
}

ClippedPatch clip_point(const Patch& reference, const Patch& incident, const Naming& naming, double slack) {
    const DVec3 p = incident.vertices[0].position;
    ClippedPatch out;
    for (int s = 0; s < reference.count; ++s) {
        const DVec3& start = reference.vertices[s].position;
        const DVec3 edge = reference.vertices[s + 1 < reference.count ? s + 1 : 0].position - start;
        const DVec3 outward = glm::cross(edge, reference.normal);
        if (glm::dot(outward, p - start) > slack * glm::length(outward)) {
            return out;
        }
    }
    out.add(p, naming.incident_vertex(0));
    return out;
}

} // namespace

ClippedPatch clip(const Patch& reference, const Patch& incident, bool reference_is_a, double slack) {
    const Naming naming{reference, incident, reference_is_a};
    if (incident.count == 1) {
        return clip_point(reference, incident, naming, slack);
    }
    if (incident.count == 2) {
        return clip_segment(reference, incident, naming, slack);
    }
    return clip_polygon(reference, incident, naming, slack);
}

} // namespace cairn::physics
