#include "app/core/scene/gltf/gltf_scene.h"

#include "app/core/base/files/text_file.h"
#include "app/core/scene/gltf/file/gltf_tree.h"
#include "app/core/scene/gltf/gltf_bodies.h"
#include "app/core/scene/gltf/gltf_joints.h"
#include "app/core/scene/values/scene_keys.h"

#include <array>
#include <utility>

namespace cairn::core {

namespace {

// The header of a scene, which the format has no words for. Nothing that names files.
constexpr std::array<std::string_view, 7> own_scene_keys{"cairn", "name",   "description", "gravity",
                                                         "step",  "solver", "camera"};

Scene header_of(const GltfTree& tree) {
    const GltfFile& file = tree.file();
    const Node* own = tree.scene() == nullptr ? nullptr : file.own_extras(*tree.scene());
    if (own == nullptr) {
        return {};
    }
    std::string text;
    for (const std::string_view key : own_scene_keys) {
        if (const Node* value = file.member(*own, key)) {
            text += (text.empty() ? "{\"" : ", \"") + std::string(key) + "\": " + std::string(file.text_of(*value));
        }
    }
    text += text.empty() ? "{}" : "}";
    try {
        return parse_scene(text, file.name(), {});
    } catch (const InputError& error) {
        file.fail(*own, error.message());
    }
}

// As the first camera of the scene stands.
void take_camera(const GltfTree& tree, Scene& scene) {
    for (const std::size_t index : tree.order()) {
        if (tree.file().member(*tree.nodes()[index].json, "camera") != nullptr) {
            GltfPlace place = tree.nodes()[index].world;
            place.stretch = glm::dmat3(1.0);
            constexpr double far = 10.0; // m: how far ahead is what it looks at
            scene.camera.eye = physics::Vec3(place.position);
            scene.camera.target = physics::Vec3(place.point({0.0, 0.0, -far}));
            return;
        }
    }
}

} // namespace

Scene scene_from_gltf(std::string bytes, const std::string& name, const std::filesystem::path& folder,
                      const FileAccess& access, const SceneReading& how) {
    const GltfFile file(std::move(bytes), name, folder, access);
    const GltfTree tree(file);
    Scene scene = header_of(tree);
    const bool own = tree.scene() != nullptr && file.own_extras(*tree.scene()) != nullptr;
    if (!own) {
        take_camera(tree, scene);
        const Node* title = tree.scene() == nullptr ? nullptr : file.member(*tree.scene(), "name");
        scene.name = title == nullptr ? std::string() : file.string(*title, "name");
    }
    GltfLosses losses;
    GltfBodies bodies = read_gltf_bodies(tree, how, losses);
    scene.joints = read_gltf_joints(tree, bodies, losses);
    scene.bodies = std::move(bodies.bodies);
    if (const std::string lost = losses.text(); !lost.empty()) {
        scene.description +=
            (scene.description.empty() ? "" : "\n") + std::string("Not kept of the glTF file: ") + lost + '.';
    }
    return scene;
}

bool gltf_has_bodies(const std::filesystem::path& path) {
    const FileAccess access;
    return has_rigid_bodies(GltfFile(read_whole_file(path), path.string(), path.parent_path(), access));
}

} // namespace cairn::core
