// What the paths of collide() share: the tolerances of a contact, its points before they are reduced, and the names and
// bounds that they hand out. Internal to queries.
#pragma once

#include "physics/query/manifold.h"
#include "physics/query/manifold/patch/patch_clip.h"

#include <algorithm>

namespace cairn::physics {

// How much separation a face normal may give away against the best direction and still be preferred to it, as fractions
// of the smaller shape's size and of the depth. A face gives up to four points and a steady normal where the best
// direction, an edge pair or the other body's face, may be better by no more than noise.
inline constexpr double preference_of_size = 1e-3;
inline constexpr double preference_of_depth = 0.02;

// Contact points whose depth differs by less than this fraction of the smaller size are equally deep to the reduction:
// else the noise of a resting contact would change its choice every step.
inline constexpr double depth_band = 1e-4;

// Edges closer to parallel than this sine make two contact points.
inline constexpr double parallel_sine = 0.02;

// Faces of polytopes closer than this (2.5 degrees) to the direction of least depth carry the contact if they can.
inline constexpr double askew_cosine = 0.999;

struct Candidate {
    DVec3 point_a{0.0}; // frame of A
    DVec3 point_b{0.0};
    double separation = 0.0;
    std::uint32_t feature = 0;
};

struct Candidates {
    static constexpr int most = max_clipped_points + 1;

    DVec3 normal{0.0};
    int count = 0;
    Room<Candidate, most> points;

    Candidates() {} // of its own, so that no {} clears the room

    void add(const Candidate& c, double limit) {
        if (c.separation > limit || count == most) {
            return;
        }
        for (int i = 0; i < count; ++i) {
            if (points[i].feature == c.feature) { // two names for one place: keep the deeper
                if (c.separation < points[i].separation) {
                    points[i] = c;
                }
                return;
            }
        }
        points.put(count++, c);
    }
};

// Leaves the four that choose_four() chooses.
void reduce(Candidates& c, double band, KeptFeatures kept);

// The stretch along which two edges touch side by side.
struct EdgeStretch {
    struct End {
        DVec3 on_a{0.0}, on_b{0.0}; // on the edges themselves
        std::uint32_t feature = 0;
    };
    std::array<End, 2> ends;
};

// `n`: the normal of the contact. False, and nothing filled, if the edges are not parallel, not across the normal, or
// pass each other by less than `tolerance`, m.
bool side_by_side(const DVec3& n, PatchVertex a0, PatchVertex a1, PatchVertex b0, PatchVertex b1, double tolerance,
                  EdgeStretch& out);

// What a computed bound of the distance is worth, m, never below zero: an axis that is the product of almost parallel
// edges carries rounding of 1e-8 of the size, and radii and the result are floats.
inline float certainly(double bound, const Shape& a, const Shape& b) {
    const double rounding = 2e-7 * (double(a.bounding_radius) + double(b.bounding_radius));
    return static_cast<float>(std::max((bound - rounding) * (1.0 - 1e-7), 0.0));
}

} // namespace cairn::physics
