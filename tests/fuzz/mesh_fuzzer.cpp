// Mesh files: the first byte tells the kind, the rest is refused with a message or read as a mesh whose corners are
// there. Of glTF files also as a scene, which stays one when it is written.
#include "app/core/base/error.h"
#include "app/core/scene/gltf/file/gltf_mesh.h"
#include "app/core/scene/gltf/gltf_scene.h"
#include "app/core/scene/scene.h"
#include "app/core/scene/shapes/formats/mesh_ply.h"
#include "app/core/scene/shapes/formats/mesh_stl.h"
#include "app/core/scene/shapes/mesh_points.h"
#include "tests/fuzz/input.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace cairn;

namespace {

void read_as_scene(std::string_view bytes, const std::string& name) {
    const core::Scene scene = core::scene_from_gltf(std::string(bytes), name, fuzz::empty_folder(), {}, {});
    if (scene.bodies.size() <= 1000 &&
        core::parse_scene(core::write_scene(scene), "written", fuzz::empty_folder()) != scene) {
        std::fprintf(stderr, "what was read as a scene is none that can be written\n");
        std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string name = "input";
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        if (data[0] == 'G') {
            read_as_scene(bytes, name);
            return 0;
        }
        const physics::MeshData mesh = data[0] == 'p'   ? core::parse_ply_mesh(bytes, name)
                                       : data[0] == 's' ? core::parse_stl_mesh(bytes, name)
                                       : data[0] == 'g'
                                           ? core::parse_gltf_mesh(std::string(bytes), name, fuzz::empty_folder(), {})
                                           : core::parse_obj_mesh(bytes, name);
        for (const auto& triangle : mesh.triangles) {
            for (const std::uint32_t corner : triangle) {
                if (corner >= mesh.vertices.size()) {
                    std::fprintf(stderr, "a triangle names a vertex that is not there\n");
                    std::abort();
                }
            }
        }
    } catch (const core::InputError&) {
        // as it should be
    }
    return 0;
}
