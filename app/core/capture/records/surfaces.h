// Meshes and height fields by their content: a capture holds each of them once, whatever brings it, and everything else
// names it. Of large fields it holds each block of heights once: what a brush changes is a few of them.
#pragma once

#include "app/core/base/error.h"
#include "physics/geometry/geometry.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::core {

using SurfaceKey = std::array<std::uint64_t, 2>; // 128 bits of all that it is
using AnySurface = std::variant<physics::Mesh, physics::HeightField>;

// Names of blocks of heights that do not have to be found twice. It holds the blocks, so that nobody changes them.
class BlockNames {
  public:
    const SurfaceKey& of(const physics::Heights& heights, std::size_t block);
    void forget_unused(); // blocks that nobody else has

  private:
    std::unordered_map<const physics::Heights::Block*, std::pair<std::shared_ptr<physics::Heights::Block>, SurfaceKey>>
        known_;
};
SurfaceKey key_of(std::span<const float> block);

// Of a few triangles or samples, the name is as long as they are.
bool worth_naming(const AnySurface& surface);
bool has_blocks(const physics::HeightField& field); // is it larger than one?
SurfaceKey key_of(const AnySurface& surface);
SurfaceKey key_of(const AnySurface& surface, BlockNames& names);

// The name by which a surface that is worth it is written; none: it is written in place.
using NameSurface = std::function<std::optional<SurfaceKey>(const AnySurface& surface)>;
// The surface of that name, if it is known. Throws InputError where it cannot be read.
using FindSurface = std::function<std::optional<AnySurface>(const SurfaceKey& key)>;

// Told of each that stands in place, if it is worth naming.
using NoteSurface = std::function<void(const AnySurface& surface)>;

// Those that a list of commands names.
class NamedSurfaces {
  public:
    void add(const SurfaceKey& key, const AnySurface& surface);
    std::optional<AnySurface> find(const SurfaceKey& key) const;
    const std::vector<std::pair<SurfaceKey, AnySurface>>& all() const { return all_; }
    void clear() { all_.clear(); }

  private:
    std::vector<std::pair<SurfaceKey, AnySurface>> all_; // a few, in the order in which they came
};

// Those of a capture file: read when somebody asks for them, and shared for as long as somebody has them. May be asked
// by several threads.
class FileSurfaces {
  public:
    explicit FileSurfaces(std::filesystem::path path) : path_(std::move(path)) {}

    void add(const AnySurface& surface);                   // of the scene
    void add(const SurfaceKey& key, std::uint64_t offset); // of a frame in the file
    std::optional<AnySurface> find(const SurfaceKey& key); // throws InputError

  private:
    struct Place {
        std::uint64_t offset = 0; // bytes
        std::weak_ptr<const physics::MeshData> mesh;
        std::weak_ptr<const physics::HeightData> field;
        std::weak_ptr<physics::Heights::Block> block;
    };
    template <typename Take>
    void read_record(std::uint64_t offset, Take&& taken) const;
    InputError damaged(std::uint64_t offset, const std::string& what) const;
    AnySurface read(const SurfaceKey& key, std::uint64_t offset);
    std::shared_ptr<physics::Heights::Block> block(const SurfaceKey& key, std::uint64_t asked_at);
    void learn_blocks_of_scene();

    std::filesystem::path path_;
    std::mutex mutex_;
    std::map<SurfaceKey, AnySurface> of_scene_;
    std::map<SurfaceKey, Place> in_file_;
    std::map<SurfaceKey, std::shared_ptr<physics::Heights::Block>> blocks_of_scene_;
    bool knows_blocks_of_scene_ = false;
    BlockNames names_;
};

} // namespace cairn::core
