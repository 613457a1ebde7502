// How far the bounds of shapes reach ahead of their bodies, and within which gap contacts are made.
#pragma once

#include "physics/broadphase/broadphase.h"
#include "physics/query/time_of_impact.h"
#include "physics/world/settings.h"
#include "physics/world/store/body_store.h"

#include <cstdint>
#include <span>

namespace cairn::physics {

// The motion of the coming step, in m and rad, if nothing but gravity acts.
Sweep expected_path(const Settings& settings, const BodyStore& bodies, std::uint32_t slot);

// Fits the reaches and margins of the body's shapes to where it is and how fast it moves.
void fit_reach(const Settings& settings, BodyStore& bodies, std::uint32_t slot);
// The same for a body whose surface can come as far as `travel` m within a step.
void fit_reach(const Settings& settings, BodyStore& bodies, std::uint32_t slot, float travel);

// After no point of the body's surface has moved further than `drift` m: keeps the reach if it still holds what it
// must, else fits it anew. False if the trees do not hold the new one.
bool keep_reach(const Settings& settings, const Broadphase& broadphase, BodyStore& bodies, std::uint32_t slot,
                float drift, float travel);

// After the pose or the settings were changed from outside: reaches, and the leaves of the trees.
void refit(const Settings& settings, BodyStore& bodies, Broadphase& broadphase, std::uint32_t slot);
// The same for the leaves alone of bodies whose reaches were fitted anew.
void refit_leaves(const BodyStore& bodies, Broadphase& broadphase, std::span<const std::uint32_t> slots);
// After the body was repositioned: nothing that is known of its pairs holds, and it looks for new ones.
void reposition(const Settings& settings, BodyStore& bodies, Broadphase& broadphase, std::uint32_t slot);
// The shapes of the body look for new pairs in the next step.
void look_for_pairs(const BodyStore& bodies, Broadphase& broadphase, std::uint32_t slot);

} // namespace cairn::physics
