// Whole states and digests as CBOR, in the fixed structure of docs/reference/capture-format.md.
#pragma once

#include "app/core/capture/format/cbor.h"
#include "app/core/capture/records/surfaces.h"
#include "app/core/scene/scene.h"
#include "physics/world/state_image.h"

#include <optional>

namespace cairn::core {

// The bodies of a capture's scene: most bodies of a keyframe are still made of the same, and need not be described
// again.
class SceneBodies {
  public:
    explicit SceneBodies(const Scene& scene);

    // The first body of the scene that is so, but for place and velocities.
    std::optional<std::uint64_t> find(const physics::BodyDef& kind) const;
    std::size_t size() const { return kinds_.size(); }
    const physics::BodyDef& operator[](std::size_t i) const { return kinds_[i]; }

  private:
    std::vector<physics::BodyDef> kinds_;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> by_hash_; // of the name, sorted
};

void encode(CborWriter& out, const physics::StateImage& state, const SceneBodies& bodies,
            const NameSurface& name_surface = {});
void encode(CborWriter& out, const physics::StateDigest& digest);

// Throw CborError. What the numbers say is for the world to check.
void decode(CborReader& in, physics::StateImage& state, const SceneBodies& bodies,
            const FindSurface& find_surface = {});
void decode(CborReader& in, physics::StateDigest& digest);
std::uint64_t decode_keyframe_step(CborReader& in); // the first member alone

} // namespace cairn::core
