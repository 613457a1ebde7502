// What a scene says of the materials of a mesh.
#include "app/core/scene/shapes/scene_shapes.h"

#include "app/core/scene/values/scene_keys.h"
#include "physics/geometry/triangle_mesh.h"

#include <algorithm>

namespace cairn::core {

using physics::MeshData;
using physics::ShapeMaterial;

// Of a mesh that is listed: names, and which triangles are of which.
void ShapeReader::read_triangle_materials(const ObjectReader& reader, MeshData& mesh) const {
    const Node *list = reader.find("materials"), *places = reader.find("triangle_materials");
    if (list == nullptr && places == nullptr) {
        return;
    }
    if (list == nullptr || places == nullptr) {
        const Node& one = list == nullptr ? *places : *list;
        document_.fail_at_key(one,
                              in_quotes(one.key) + " needs " +
                                  (list == nullptr ? "\"materials\" as well, of which it names one for each triangle"
                                                   : "\"triangle_materials\" as well, one of them for each triangle"));
    }
    expect_list(document_, *list, "materials", "materials");
    if (list->child_count == 0 || list->child_count > physics::max_mesh_materials) {
        document_.fail(*list, "a mesh has 1 to " + std::to_string(physics::max_mesh_materials) + " materials, not " +
                                  std::to_string(list->child_count));
    }
    for (const Node* entry : document_.children(*list)) {
        const ObjectReader material(document_, *entry, "an entry of \"materials\"", mesh_material_keys);
        const Node* name = material.find("name");
        mesh.materials.push_back(name == nullptr ? std::string() : read_string(document_, *name, "name"));
    }
    expect_list(document_, *places, "triangle_materials", "places in \"materials\"");
    if (places->child_count != mesh.triangles.size()) {
        document_.fail(*places, "there are " + std::to_string(mesh.triangles.size()) +
                                    " triangles, and materials for " + std::to_string(places->child_count));
    }
    for (const Node* place : document_.children(*places)) {
        const std::int64_t number = read_integer(document_, *place, "triangle_materials", 0,
                                                 static_cast<std::int64_t>(physics::max_mesh_materials) - 1);
        if (number >= static_cast<std::int64_t>(mesh.materials.size())) {
            document_.fail(*place, "there is no material " + std::to_string(number) + "; \"materials\" has " +
                                       std::to_string(mesh.materials.size()) + ", and the first is 0");
        }
        mesh.triangle_materials.push_back(static_cast<std::uint16_t>(number));
    }
}

// What each material is like to touch and to see, in the order of the mesh; none if nothing is said of any. `by_name`:
// the mesh is a file's, and the list names those that it speaks of.
std::vector<ShapeMaterial> ShapeReader::read_mesh_materials(const Node& list, const MeshData& mesh,
                                                            bool by_name) const {
    expect_list(document_, list, "materials", "materials");
    const std::vector<std::string_view> names(mesh.materials.begin(), mesh.materials.end());
    if (names.empty()) {
        document_.fail_at_key(list,
                              "the file gives its triangles no materials; those of .obj, .glb and .gltf files can");
    }
    std::vector<ShapeMaterial> materials(names.size());
    bool any = false;
    std::size_t place = 0;
    for (const Node* entry = document_.first(list); entry != nullptr; entry = document_.next(*entry), ++place) {
        const ObjectReader reader(document_, *entry, "an entry of \"materials\"", mesh_material_keys);
        ShapeMaterial material;
        read_material(reader, material);
        any = any || material != ShapeMaterial();
        if (!by_name) {
            materials[place] = material;
            continue;
        }
        const Node& name_node = reader.require("name");
        const std::string name = read_string(document_, name_node, "name");
        if (std::ranges::find(names, name) == names.end()) {
            document_.fail(name_node, "the file has no material " + in_quotes(name) + ";" + suggestion(name, names));
        }
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == name) {
                materials[i] = material;
            }
        }
    }
    return any ? materials : std::vector<ShapeMaterial>();
}

} // namespace cairn::core
