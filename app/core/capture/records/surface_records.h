// Records of meshes, height fields and blocks of heights, each alone in its frame: docs/reference/capture-format.md.
#pragma once

#include "app/core/capture/format/cbor.h"
#include "app/core/capture/records/surfaces.h"

#include <variant>
#include <vector>

namespace cairn::core {

// A field of several blocks, which are records of their own.
struct NamedField {
    physics::HeightData data; // without heights
    std::vector<SurfaceKey> blocks;
};
struct HeightBlock {
    std::vector<float> heights; // m
};

struct SurfaceRecord {
    SurfaceKey key{};
    std::variant<physics::Mesh, physics::HeightField, NamedField, HeightBlock> content;
};

void encode(CborWriter& out, const SurfaceRecord& record);
// Throw CborError.
void decode(CborReader& in, SurfaceRecord& record);
SurfaceKey decode_surface_key(CborReader& in); // the first member alone

void encode(CborWriter& out, const SurfaceKey& key);
void decode(CborReader& in, SurfaceKey& key);

} // namespace cairn::core
