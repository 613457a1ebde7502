// Commands as CBOR, in the fixed structure of docs/reference/capture-format.md.
#pragma once

#include "app/core/capture/format/cbor.h"
#include "app/core/capture/records/surfaces.h"
#include "physics/world/command.h"

namespace cairn::core {

void encode(CborWriter& out, const physics::Command& command, const NameSurface& name_surface = {});
void encode(CborWriter& out, const physics::Grab& grab);

// Throw CborError. Numbers are taken as they are: it is the world that rejects absurd ones.
void decode(CborReader& in, physics::Command& command, const FindSurface& find_surface = {},
            const NoteSurface& note_surface = {});
void decode(CborReader& in, physics::Grab& grab);

} // namespace cairn::core
