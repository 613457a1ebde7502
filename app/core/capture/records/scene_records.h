// Scenes and what they are made of as CBOR, in the fixed structure of docs/reference/capture-format.md.
#pragma once

#include "app/core/capture/format/cbor.h"
#include "app/core/capture/records/surfaces.h"
#include "app/core/scene/scene.h"

namespace cairn::core {

// Surfaces that several bodies have stand in place once, and by name from then on.
void encode(CborWriter& out, const Scene& scene);
void encode(CborWriter& out, const physics::Settings& settings);
void encode(CborWriter& out, const physics::BodyDef& body, const NameSurface& name_surface = {});
void encode(CborWriter& out, const physics::JointDef& joint);
void encode(CborWriter& out, const physics::Vec3& vector);

// Throw CborError. Numbers are taken as they are: it is the world that rejects absurd ones.
void decode(CborReader& in, Scene& scene);
void decode(CborReader& in, physics::Settings& settings);
void decode(CborReader& in, physics::BodyDef& body, const FindSurface& find_surface = {});
void decode(CborReader& in, physics::JointDef& joint);
void decode(CborReader& in, physics::Vec3& vector);

} // namespace cairn::core
