// What shapes, and the triangles of meshes, are like to touch and to see.
#pragma once

#include "app/ui/widgets/colour/colour_row.h"
#include "app/ui/widgets/widgets.h"
#include "physics/world/command.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::ui {

// Friction, elasticity and rolling resistance: each as `otherwise` has it, or of its own. Marks: `section` with
// .friction, .friction.own and so on. True when any has changed.
bool own_material_rows(Widgets& w, std::string_view section, std::string_view whose, const physics::Material& otherwise,
                       physics::ShapeMaterial& material);

// What is asked of the materials of a mesh, besides other numbers for one.
struct MeshMaterialEdit {
    std::optional<physics::SetMeshMaterials> set; // body and place are not stated
    const char* what = "";                        // for people
    std::optional<std::uint16_t> paint;           // with this one; it may be the one that is painted with already
};

// The materials of a mesh as a list, and the fields of the one that is open. Marks: material.N of the one at place N,
// material.N.paint of its brush, material.N.pointed while it is under the cursor, and material.name, material.colour,
// material.friction and so on of the open one.
class MeshMaterialRows {
  public:
    struct View {
        glm::vec3 shown{0.0f};                // linear, the colour of what has none of its own
        std::optional<std::uint32_t> pointed; // the place of the material under the cursor in the view
        std::optional<std::uint32_t> brush;   // of the one that is painted with
        bool edits_list = true;               // materials can be added, removed, renamed and painted
    };
    // True when one of `shape.mesh_materials` has changed.
    bool operator()(Widgets& w, physics::ShapeDef& shape, const physics::Material& of_body, const View& view,
                    MeshMaterialEdit& edit);
    void open(std::uint32_t place) {
        open_ = place;
        scroll_ = true;
    }

  private:
    void list(Widgets& w, const physics::ShapeDef& shape, const physics::Material& of_shape, const View& view,
              MeshMaterialEdit& edit);
    void list_edits(Widgets& w, const physics::ShapeDef& shape, MeshMaterialEdit& edit);

    std::weak_ptr<const physics::MeshData> counted_;
    std::vector<std::uint32_t> triangles_; // of each material of that mesh
    std::uint32_t open_ = 0;
    bool scroll_ = false;     // to the one that is open
    std::size_t awaited_ = 0; // so many materials; the last of them is opened as soon as it is there
    ColourRow colour_;
    std::string name_; // keeps its memory; what is being typed is the field's own
};

} // namespace cairn::ui
