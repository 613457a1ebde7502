// A run as a glTF 2.0 file (Khronos 2017): meshes, a camera and one animation, for viewers and modelling programs.
#pragma once

#include "app/core/export/motion.h"
#include "app/core/scene/scene.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::core {

struct GltfRun {
    std::string name;
    SceneCamera camera;
    double first = 0.0, last = 0.0; // s of simulated time; the animation begins at 0 with what was at `first`
    std::vector<MotionTrack> tracks;
    std::vector<CameraKey> path{}; // that the camera goes; empty: it stands still
    // What is in the world at `first`, for programs that go on from there; without bodies, nothing is said of that.
    physics::FrameState start{};
};

// One node for each body, named as the body is, below a root that turns Z up into glTF's Y up; bodies of several shapes
// have a node for each. Equal shapes of equal colour share a mesh. Colours are those of the window; walls are glass.
// Bodies that come or go are scaled to nothing while they are not there. Lengths stay metres. Bodies and joints of the
// start say what they are (gltf_physics.h), so that the file can be opened as a scene again.
//
// The whole file as bytes: the binary form (.glb), or JSON that holds its data in itself (.gltf). Throws InputError for
// what does not fit into such a file (4 GiB).
std::string glb_of(const GltfRun& run);
std::string gltf_of(const GltfRun& run);

// The file of that name: binary or text by its end, .glb or .gltf in any case; binary for "-". Throws InputError for
// any other name.
std::string gltf_file(const std::filesystem::path& path, const GltfRun& run);
void check_gltf_name(const std::filesystem::path& path);

} // namespace cairn::core
