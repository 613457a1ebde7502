// Scenes and commands as CBOR, in the fixed structure of docs/capture-format.md.
#pragma once

#include "app/core/capture/cbor.h"
#include "app/core/scene/scene.h"
#include "physics/world/command.h"

namespace cairn::core {

void encode(CborWriter& out, const Scene& scene);
void encode(CborWriter& out, const physics::Command& command);

// Throw CborError. Numbers are taken as they are: it is the world that refuses absurd ones.
void decode(CborReader& in, Scene& scene);
void decode(CborReader& in, physics::Command& command);

} // namespace cairn::core
