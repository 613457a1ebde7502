#include "app/core/capture/records/surface_records.h"

#include "app/core/capture/records/record_coder.h"

#include <bit>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::core {

using namespace cairn::physics;

void encode(CborWriter& out, const SurfaceKey& key) {
    std::vector<std::uint8_t> bytes;
    for (const std::uint64_t half : key) {
        for (unsigned i = 0; i < sizeof(half); ++i) {
            bytes.push_back(static_cast<std::uint8_t>(half >> 8 * i));
        }
    }
    out.bytes(bytes);
}

void decode(CborReader& in, SurfaceKey& key) {
    const std::span<const std::uint8_t> bytes = in.byte_string();
    if (bytes.size() != sizeof(key)) {
        in.fail("expected a name of 16 bytes");
    }
    key = {};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        key[i / 8] |= std::uint64_t{bytes[i]} << 8 * (i % 8);
    }
}

void encode(CborWriter& out, const SurfaceRecord& record) {
    out.map(2);
    out.text("content");
    encode(out, record.key);
    struct Writer {
        CborWriter& out;
        Encoder code;

        void operator()(const Mesh& mesh) {
            out.text("mesh");
            code.put(mesh);
        }
        void operator()(const HeightField& field) {
            out.text("heightfield");
            code.put(field);
        }
        void operator()(const NamedField& field) {
            out.text("blocks");
            code.map(5);
            code.field("columns", field.data.columns);
            code.field("rows", field.data.rows);
            code.field("spacing", field.data.spacing);
            out.text("heights");
            out.array(field.blocks.size());
            for (const SurfaceKey& block : field.blocks) {
                encode(out, block);
            }
            out.text("holes");
            out.array(field.data.holes.size());
            for (const std::uint64_t word : field.data.holes) {
                out.unsigned_integer(word);
            }
        }
        void operator()(const HeightBlock& block) {
            out.text("heights");
            std::vector<std::uint8_t> bytes;
            bytes.reserve(sizeof(float) * block.heights.size());
            for (const float height : block.heights) {
                const auto bits = std::bit_cast<std::uint32_t>(height);
                for (unsigned i = 0; i < sizeof(bits); ++i) {
                    bytes.push_back(static_cast<std::uint8_t>(bits >> 8 * i));
                }
            }
            out.bytes(bytes);
        }
    };
    std::visit(Writer{out, Encoder(out)}, record.content);
}

SurfaceKey decode_surface_key(CborReader& in) {
    SurfaceKey key;
    in.map(2);
    in.key("content");
    decode(in, key);
    return key;
}

void decode(CborReader& in, SurfaceRecord& record) {
    record.key = decode_surface_key(in);
    const std::string_view kind = in.text();
    Decoder code(in);
    if (kind == "mesh") {
        code.put(record.content.emplace<Mesh>());
    } else if (kind == "heightfield") {
        code.put(record.content.emplace<HeightField>());
    } else if (kind == "blocks") {
        NamedField& field = record.content.emplace<NamedField>();
        code.map(5);
        code.field("columns", field.data.columns);
        code.field("rows", field.data.rows);
        code.field("spacing", field.data.spacing);
        in.key("heights");
        for (std::uint64_t left = in.array(); left > 0; --left) {
            decode(in, field.blocks.emplace_back());
        }
        in.key("holes");
        for (std::uint64_t left = in.array(); left > 0; --left) {
            field.data.holes.push_back(in.unsigned_integer());
        }
    } else if (kind == "heights") {
        HeightBlock& block = record.content.emplace<HeightBlock>();
        const std::span<const std::uint8_t> bytes = in.byte_string();
        if (bytes.size() % sizeof(float) != 0) {
            in.fail("a block of heights ends within one");
        }
        for (std::size_t i = 0; i < bytes.size(); i += sizeof(float)) {
            std::uint32_t bits = 0;
            for (unsigned k = 0; k < sizeof(bits); ++k) {
                bits |= std::uint32_t{bytes[i + k]} << 8 * k;
            }
            block.heights.push_back(std::bit_cast<float>(bits));
        }
    } else {
        in.fail("expected the key \"mesh\", \"heightfield\", \"blocks\" or \"heights\"");
    }
}

} // namespace cairn::core
