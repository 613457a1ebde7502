#include "app/core/scene/gltf/file/gltf_mesh.h"

#include "app/core/base/error.h"
#include "app/core/scene/gltf/file/gltf_tree.h"
#include "app/core/scene/values/scene_keys.h"

#include <utility>

namespace cairn::core {

bool is_gltf_name(const std::filesystem::path& path) {
    const std::string ending = ending_of(path);
    return ending == ".glb" || ending == ".gltf";
}

bool looks_like_glb(std::string_view bytes) {
    return bytes.starts_with("glTF");
}

physics::MeshData parse_gltf_mesh(std::string bytes, const std::string& name, const std::filesystem::path& folder,
                                  const FileAccess& access, bool points) {
    const GltfFile file(std::move(bytes), name, folder, access);
    physics::MeshData mesh = GltfTree(file).everything();
    if (mesh.triangles.empty() && (!points || mesh.vertices.empty())) {
        throw InputError({name, 0, 0}, "no node of the file's scene has triangles");
    }
    if (mesh.vertices.size() > max_hull_points) {
        throw InputError({name, 0, 0}, "more than " + std::to_string(max_hull_points) + " points");
    }
    return mesh;
}

} // namespace cairn::core
