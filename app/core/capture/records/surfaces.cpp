#include "app/core/capture/records/surfaces.h"

#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/capture/format/frames.h"
#include "app/core/capture/records/surface_records.h"
#include "physics/base/hash.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace cairn::core {

using namespace cairn::physics;

namespace {

constexpr std::size_t least_named = 64; // triangles, or samples

void add_content(Hasher& hasher, const MeshData& data) {
    hasher.add(data.two_sided ? 1u : 0u, 0u).add(data.vertices.size()).add(data.triangles.size());
    for (const Vec3& vertex : data.vertices) {
        hasher.add(vertex);
    }
    for (const auto& triangle : data.triangles) {
        hasher.add(triangle[0], triangle[1]).add(triangle[2]);
    }
    hasher.add(data.materials.size()).add(data.triangle_materials.size());
    for (const std::string& name : data.materials) {
        hasher.add(name.size());
        for (const char c : name) {
            hasher.add(std::uint64_t{static_cast<unsigned char>(c)});
        }
    }
    for (const std::uint16_t material : data.triangle_materials) {
        hasher.add(std::uint64_t{material});
    }
}

// `name`: of a block.
template <typename Name>
void add_content(Hasher& hasher, const HeightData& data, std::size_t half, Name&& name) {
    hasher.add(data.columns, data.rows).add(data.spacing, 0.0f).add(data.heights.size()).add(data.holes.size());
    for (std::size_t k = 0; k < data.heights.blocks().size(); ++k) {
        hasher.add(name(data.heights, k)[half]);
    }
    for (const std::uint64_t word : data.holes) {
        hasher.add(word);
    }
}

template <typename Name>
SurfaceKey key_by(const AnySurface& surface, Name&& name) {
    SurfaceKey key{};
    for (std::uint64_t half = 0; half < key.size(); ++half) {
        Hasher hasher(2 * surface.index() + half);
        if (const auto* mesh = std::get_if<Mesh>(&surface)) {
            add_content(hasher, *mesh->data);
        } else {
            add_content(hasher, *std::get<HeightField>(surface).data, half, name);
        }
        key[half] = hasher.value();
    }
    return key;
}

} // namespace

bool worth_naming(const AnySurface& surface) {
    if (const auto* mesh = std::get_if<Mesh>(&surface)) {
        return mesh->data != nullptr && mesh->data->triangles.size() >= least_named;
    }
    const auto& field = std::get<HeightField>(surface);
    return field.data != nullptr && field.data->heights.size() >= least_named;
}

bool has_blocks(const HeightField& field) {
    return field.data->heights.blocks().size() > 1;
}

SurfaceKey key_of(std::span<const float> block) {
    SurfaceKey key{};
    for (std::uint64_t half = 0; half < key.size(); ++half) {
        Hasher hasher(4 + half);
        hasher.add(block.size());
        for (std::size_t i = 0; i < block.size(); i += 2) {
            hasher.add(block[i], i + 1 < block.size() ? block[i + 1] : 0.0f);
        }
        key[half] = hasher.value();
    }
    return key;
}

SurfaceKey key_of(const AnySurface& surface) {
    return key_by(surface, [](const Heights& heights, std::size_t k) { return key_of(heights.block(k)); });
}

SurfaceKey key_of(const AnySurface& surface, BlockNames& names) {
    return key_by(surface, [&names](const Heights& heights, std::size_t k) { return names.of(heights, k); });
}

const SurfaceKey& BlockNames::of(const Heights& heights, std::size_t block) {
    const std::shared_ptr<Heights::Block>& content = heights.blocks()[block];
    const auto [known, fresh] = known_.try_emplace(content.get());
    if (fresh) {
        known->second = {content, key_of(heights.block(block))};
    }
    return known->second.second;
}

void BlockNames::forget_unused() {
    std::erase_if(known_, [](const auto& entry) { return entry.second.first.use_count() == 1; });
}

void NamedSurfaces::add(const SurfaceKey& key, const AnySurface& surface) {
    if (!find(key)) {
        all_.emplace_back(key, surface);
    }
}

std::optional<AnySurface> NamedSurfaces::find(const SurfaceKey& key) const {
    const auto at = std::ranges::find_if(all_, [&key](const auto& one) { return one.first == key; });
    return at != all_.end() ? std::optional(at->second) : std::nullopt;
}

void FileSurfaces::add(const AnySurface& surface) {
    const std::lock_guard lock(mutex_);
    of_scene_.emplace(key_of(surface, names_), surface);
}

void FileSurfaces::add(const SurfaceKey& key, std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    in_file_[key].offset = offset;
}

std::optional<AnySurface> FileSurfaces::find(const SurfaceKey& key) {
    const std::lock_guard lock(mutex_);
    if (const auto known = of_scene_.find(key); known != of_scene_.end()) {
        return known->second;
    }
    const auto at = in_file_.find(key);
    if (at == in_file_.end()) {
        return std::nullopt;
    }
    Place& place = at->second;
    if (auto mesh = place.mesh.lock()) {
        return Mesh{std::move(mesh)};
    }
    if (auto field = place.field.lock()) {
        return HeightField{std::move(field)};
    }
    AnySurface surface = read(key, place.offset);
    if (const auto* mesh = std::get_if<Mesh>(&surface)) {
        place.mesh = mesh->data;
    } else {
        place.field = std::get<HeightField>(surface).data;
    }
    return surface;
}

// Of all fields of the scene; only where a field of the file has blocks are they asked for.
void FileSurfaces::learn_blocks_of_scene() {
    if (std::exchange(knows_blocks_of_scene_, true)) {
        return;
    }
    for (const auto& [key, surface] : of_scene_) {
        if (const auto* field = std::get_if<HeightField>(&surface)) {
            const Heights& heights = field->data->heights;
            for (std::size_t k = 0; k < heights.blocks().size(); ++k) {
                blocks_of_scene_.emplace(names_.of(heights, k), heights.blocks()[k]);
            }
        }
    }
}

// One record of the file.
template <typename Take>
void FileSurfaces::read_record(std::uint64_t offset, Take&& taken) const {
    FrameReader frames(path_, max_frame_bytes, max_capture_bytes, offset);
    SurfaceRecord record;
    const FrameReader::Take take = [&](std::span<const std::uint8_t> content, std::uint64_t to_come) -> std::size_t {
        CborReader in(content, to_come);
        try {
            in.array(2);
            in.key("surface");
            decode(in, record);
            if (!in.at_end()) {
                in.fail("something follows the surface in its frame");
            }
        } catch (const CborCutOff&) {
            record = {}; // read again from its start when more has come
        } catch (const CborError& error) {
            throw damaged(offset, std::string(error.what()) + " (content byte " + std::to_string(error.offset()) +
                                      " of the frame there)");
        }
        return 0;
    };
    if (!frames.next(take)) {
        throw damaged(offset, "the surface that was here is gone");
    }
    taken(record);
}

InputError FileSurfaces::damaged(std::uint64_t offset, const std::string& what) const {
    return {Location{shown_name(path_), 0, 0}, "damaged at byte " + std::to_string(offset) + ": " + what};
}

AnySurface FileSurfaces::read(const SurfaceKey& key, std::uint64_t offset) {
    AnySurface surface;
    read_record(offset, [&](SurfaceRecord& record) {
        if (auto* mesh = std::get_if<Mesh>(&record.content)) {
            surface = std::move(*mesh);
        } else if (auto* field = std::get_if<HeightField>(&record.content)) {
            surface = std::move(*field);
        } else if (auto* named = std::get_if<NamedField>(&record.content)) {
            auto data = std::make_shared<HeightData>(std::move(named->data));
            std::size_t left = std::size_t{data->columns} * data->rows;
            for (const SurfaceKey& block_key : named->blocks) {
                const std::size_t count = std::min(left, Heights::block_size);
                data->heights.push_block(block(block_key, offset), count);
                left -= count;
            }
            surface = HeightField{std::move(data)};
        } else {
            throw damaged(offset, "a block of heights is no surface");
        }
        if (record.key != key || key_of(surface, names_) != key) {
            throw damaged(offset, "the surface here is not the one of its name");
        }
    });
    names_.forget_unused();
    return surface;
}

// `asked_at`: the offset of the field that names it.
std::shared_ptr<Heights::Block> FileSurfaces::block(const SurfaceKey& key, std::uint64_t asked_at) {
    const auto at = in_file_.find(key);
    if (at == in_file_.end()) {
        learn_blocks_of_scene();
        const auto known = blocks_of_scene_.find(key);
        if (known == blocks_of_scene_.end()) {
            throw damaged(asked_at, "a block of the heights here is not in the file");
        }
        return known->second;
    }
    if (auto block = at->second.block.lock()) {
        return block;
    }
    const auto block = std::make_shared<Heights::Block>();
    read_record(at->second.offset, [&](const SurfaceRecord& record) {
        const auto* content = std::get_if<HeightBlock>(&record.content);
        if (content == nullptr || content->heights.size() > block->size() || record.key != key ||
            key_of(content->heights) != key) {
            throw damaged(at->second.offset, "the block of heights here is not the one of its name");
        }
        std::ranges::copy(content->heights, block->begin());
    });
    at->second.block = block;
    return block;
}

} // namespace cairn::core
