#include "app/ui/view/mesh_registry.h"

#include "app/ui/view/fields/field_tiles.h"

#include <set>
#include <utility>

namespace cairn::ui {

render::MeshId MeshRegistry::mesh(const std::shared_ptr<const physics::Shape>& hull) {
    const auto found = known_.find(hull.get());
    if (found != known_.end() && found->second.shape.lock() == hull) {
        return found->second.mesh;
    }
    std::vector<float> key;
    if (hull->hull) {
        key.reserve(3 * hull->hull->vertices.size());
        for (const physics::Vec3& v : hull->hull->vertices) {
            key.insert(key.end(), {v.x, v.y, v.z});
        }
    }
    if (hull->mesh) {
        const physics::TriangleMesh& from = *hull->mesh;
        key.reserve(1 + 3 * (from.vertices.size() + from.triangles.size()));
        key.push_back(from.two_sided ? 2.0f : 1.0f);
        for (const physics::Vec3& v : from.vertices) {
            key.insert(key.end(), {v.x, v.y, v.z});
        }
        for (const physics::TriangleMesh::Triangle& t : from.triangles) {
            for (const std::uint32_t v : t.vertex) {
                key.push_back(static_cast<float>(v)); // exact for as many as there may be
            }
        }
    }
    const auto [entry, fresh] = meshes_.try_emplace(std::move(key));
    if (fresh) {
        physics::ShapeMesh shape = physics::tessellate(*hull);
        entry->second =
            renderer_.add_mesh({std::move(shape.positions), std::move(shape.normals), std::move(shape.triangles)});
    }
    known_[hull.get()] = {hull, entry->second};
    return entry->second;
}

void MeshRegistry::of_materials(const std::shared_ptr<const physics::Shape>& surface,
                                std::vector<std::pair<render::MeshId, std::uint16_t>>& out) {
    auto at = divided_.find(surface.get());
    if (at == divided_.end() || at->second.shape.lock() != surface) {
        const physics::TriangleMesh& from = *surface->mesh;
        const physics::ShapeMesh all = physics::tessellate(*surface);
        const std::size_t corners = from.two_sided ? 6 : 3; // of a triangle as it is drawn
        std::map<std::uint16_t, render::Mesh> meshes;
        for (std::size_t t = 0; t < from.triangles.size(); ++t) {
            render::Mesh& mesh = meshes[from.materials[t]];
            for (std::size_t k = corners * t; k < corners * (t + 1); ++k) {
                mesh.triangles.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
                mesh.positions.push_back(all.positions[k]);
                mesh.normals.push_back(all.normals[k]);
            }
        }
        Divided divided{surface, {}};
        for (const auto& [material, mesh] : meshes) {
            std::vector<float> key{-1.0f}; // no whole mesh begins so
            key.reserve(1 + 3 * mesh.positions.size());
            for (const physics::Vec3& v : mesh.positions) {
                key.insert(key.end(), {v.x, v.y, v.z});
            }
            const auto [entry, fresh] = meshes_.try_emplace(std::move(key));
            if (fresh) {
                entry->second = renderer_.add_mesh(mesh);
            }
            divided.meshes.emplace_back(entry->second, material);
        }
        at = divided_.insert_or_assign(surface.get(), std::move(divided)).first;
    }
    out.insert(out.end(), at->second.meshes.begin(), at->second.meshes.end());
}

// Of the same samples and holes: tiles of others have nothing in common.
const MeshRegistry::Field* MeshRegistry::most_like(const physics::HeightData& data) const {
    const Field* latest = nullptr;
    for (const auto& [shape, field] : fields_) {
        const physics::HeightData& other = *field.data;
        if (other.columns == data.columns && other.rows == data.rows && other.spacing == data.spacing &&
            other.holes == data.holes && (latest == nullptr || field.made > latest->made)) {
            latest = &field;
        }
    }
    return latest;
}

void MeshRegistry::tiles(const std::shared_ptr<const physics::Shape>& shape, std::vector<render::MeshId>& out) {
    const physics::HeightGrid& grid = *shape->mesh->grid;
    auto at = fields_.find(shape.get());
    if (at == fields_.end() || at->second.shape.lock() != shape) {
        const FieldTiles tiles(grid.data());
        Field field{shape, grid.shared_data(), {}, ++fields_made_};
        const Field* before = most_like(grid.data());
        if (before != nullptr) {
            field.tiles = before->tiles;
        }
        const physics::HeightRegion changed = before != nullptr
                                                  ? physics::changed_samples(*before->data, grid.data())
                                                  : physics::HeightRegion{0, 0, grid.data().columns, grid.data().rows};
        field.tiles.resize(tiles.count(), no_mesh);
        for (std::uint32_t tile = 0; tile < tiles.count(); ++tile) {
            if (changed.columns == 0 || !tiles.depends_on(tile, changed)) {
                continue;
            }
            const render::Mesh mesh = tiles.mesh(grid, tile);
            field.tiles[tile] = mesh.triangles.empty() ? no_mesh : renderer_.add_mesh(mesh);
            if (field.tiles[tile] != no_mesh) {
                tiles_.insert(field.tiles[tile]);
            }
        }
        at = fields_.insert_or_assign(shape.get(), std::move(field)).first;
    }
    for (const render::MeshId tile : at->second.tiles) {
        if (tile != no_mesh) {
            out.push_back(tile);
        }
    }
}

void MeshRegistry::collect() {
    std::set<render::MeshId> used;
    const auto keep_living = [](auto& of_shapes) {
        std::erase_if(of_shapes, [](const auto& entry) { return entry.second.shape.expired(); });
    };
    keep_living(known_);
    keep_living(divided_);
    keep_living(fields_);
    for (const auto& [shape, known] : known_) {
        used.insert(known.mesh);
    }
    for (const auto& [shape, divided] : divided_) {
        for (const auto& [mesh, material] : divided.meshes) {
            used.insert(mesh);
        }
    }
    for (const auto& [shape, field] : fields_) {
        used.insert(field.tiles.begin(), field.tiles.end());
    }
    const auto remove_unused = [&](render::MeshId mesh) {
        if (!used.contains(mesh)) {
            renderer_.remove_mesh(mesh);
        }
        return !used.contains(mesh);
    };
    std::erase_if(tiles_, remove_unused);
    std::erase_if(meshes_, [&](const auto& entry) { return remove_unused(entry.second); });
}

} // namespace cairn::ui
