// Contacts made where bodies are going to meet, of pairs that move too far within a step for those made where they are.
#pragma once

#include "physics/narrowphase/update/contact_update.h"
#include "physics/query/time_of_impact.h"

namespace cairn::physics {

// One body of such a pair. `path.start` is where it is, and the motions are those of a whole step, m and rad.
struct ForeseenSide {
    ContactSide now;
    Sweep path;
    bool pushed = false; // impulses move it
};

struct ForesightSettings {
    float target = 0.0f;    // m, the distance at which they count as meeting
    float tolerance = 0.0f; // m
    float reach = 0.0f;     // m, how far from meeting other points of the contact may be then
};

// The contact that the two will have when they meet within the step, if they go on as they move now. Its points are
// those of that moment, carried back to where the bodies are, so that the solver's rows reach zero separation there: a
// contact made where the bodies are says little about where fast ones will touch, and stops what would pass by. False
// if they are not going to meet. `before`: the pair's contact of the last step, if any; no impulse is taken from it.
// `axis`: world, from A to B, a direction that may part them (zero: none is known); it comes back as the last one that
// was looked along.
bool foresee_contact(const ForeseenSide& a, const ForeseenSide& b, const ForesightSettings& settings,
                     const Contact* before, Vec3& axis, FoundContact& out);

} // namespace cairn::physics
