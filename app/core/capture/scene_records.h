// Scenes and what they are made of as CBOR, in the fixed structure of docs/reference/capture-format.md.
#pragma once

#include "app/core/capture/cbor.h"
#include "app/core/scene/scene.h"

namespace cairn::core {

void encode(CborWriter& out, const Scene& scene);
void encode(CborWriter& out, const physics::Settings& settings);
void encode(CborWriter& out, const physics::BodyDef& body);
void encode(CborWriter& out, const physics::JointDef& joint);
void encode(CborWriter& out, const physics::Vec3& vector);

// Throw CborError. Numbers are taken as they are: it is the world that rejects absurd ones.
void decode(CborReader& in, Scene& scene);
void decode(CborReader& in, physics::Settings& settings);
void decode(CborReader& in, physics::BodyDef& body);
void decode(CborReader& in, physics::JointDef& joint);
void decode(CborReader& in, physics::Vec3& vector);

} // namespace cairn::core
