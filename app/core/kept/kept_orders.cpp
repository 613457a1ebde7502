#include "app/core/kept/kept_orders.h"

#include "app/core/base/files/user_folders.h"
#include "physics/base/hash.h"

#include <string>
#include <utility>

namespace cairn::core {

namespace {

// Counts up whenever physics orders the triangles of a mesh otherwise: what is kept is then built anew.
constexpr std::uint64_t order_version = 1;
constexpr std::string_view orders_magic = "cairn triangle order 1\n";

} // namespace

ContentKey content_key(const physics::MeshData& mesh, std::uint64_t seed) {
    physics::Hasher one(seed), other(~seed); // side by side, in the time of one
    one.add(mesh.vertices.size()).add(mesh.triangles.size());
    other.add(mesh.vertices.size()).add(mesh.triangles.size());
    for (const physics::Vec3& vertex : mesh.vertices) {
        one.add(vertex);
        other.add(vertex);
    }
    for (const auto& corners : mesh.triangles) {
        one.add(corners[0], corners[1]).add(corners[2]);
        other.add(corners[0], corners[1]).add(corners[2]);
    }
    return {one.value(), other.value()};
}

KeptOrders::KeptOrders(std::filesystem::path folder, std::size_t least) : folder_(std::move(folder)), least_(least) {
}

KeptFiles KeptOrders::files() const {
    return {(folder_.empty() ? cache_folder() : folder_) / "meshes", orders_magic, most_bytes};
}

std::vector<std::uint32_t> KeptOrders::find(const physics::MeshData& mesh) {
    std::vector<std::uint32_t> order;
    if (mesh.triangles.size() < least_ || !keeps_files()) {
        return order;
    }
    if (const std::optional<std::string> bytes = files().find(content_key(mesh, order_version))) {
        order.resize(bytes->size() / 4);
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (std::size_t k = 0; k < 4; ++k) {
                order[i] |= std::uint32_t{static_cast<unsigned char>((*bytes)[4 * i + k])} << (8 * k);
            }
        }
    }
    return order;
}

void KeptOrders::keep(const physics::MeshData& mesh, std::span<const std::uint32_t> order) {
    if (mesh.triangles.size() < least_ || !keeps_files()) {
        return;
    }
    std::string bytes;
    bytes.reserve(4 * order.size());
    for (const std::uint32_t place : order) {
        for (int k = 0; k < 4; ++k) {
            bytes += static_cast<char>(place >> (8 * k) & 0xffu);
        }
    }
    files().keep(content_key(mesh, order_version), bytes);
}

KeptOrders& kept_orders() {
    static KeptOrders orders;
    return orders;
}

} // namespace cairn::core
