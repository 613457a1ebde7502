// Trees of large meshes, by the content of the mesh: what they cost to build is kept in the user's cache folder.
#pragma once

#include "app/core/kept/kept_files.h"
#include "physics/geometry/triangle_mesh.h"

#include <filesystem>

namespace cairn::core {

// 128 bits of vertices and triangles. `seed`: whatever else counts.
ContentKey content_key(const physics::MeshData& mesh, std::uint64_t seed);

class KeptOrders final : public physics::MeshOrders {
  public:
    // Smaller meshes are built as fast as a file is read.
    static constexpr std::size_t least_triangles = 100'000;
    static constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20; // of all; a million triangles take 4 MB

    // In `folder`/meshes, of the folder in which the program keeps things now if it is empty. `least`: triangles.
    explicit KeptOrders(std::filesystem::path folder = {}, std::size_t least = least_triangles);

    std::vector<std::uint32_t> find(const physics::MeshData& mesh) override;
    void keep(const physics::MeshData& mesh, std::span<const std::uint32_t> order) override;

  private:
    KeptFiles files() const;

    std::filesystem::path folder_;
    std::size_t least_;
};

// Of all worlds of the program.
KeptOrders& kept_orders();

} // namespace cairn::core
