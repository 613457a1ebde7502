// Mesh files: the first byte tells the kind, the rest is refused with a message or read as a mesh whose corners are
// there.
#include "app/core/base/error.h"
#include "app/core/scene/mesh_ply.h"
#include "app/core/scene/mesh_points.h"
#include "app/core/scene/mesh_stl.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace cairn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string name = "input";
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        const physics::MeshData mesh = data[0] == 'p'   ? core::parse_ply_mesh(bytes, name)
                                       : data[0] == 's' ? core::parse_stl_mesh(bytes, name)
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
