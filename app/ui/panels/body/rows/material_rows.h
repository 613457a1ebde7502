// What shapes, and the triangles of meshes, are like to touch and to see.
#pragma once

#include "app/ui/widgets/colour/colour_row.h"
#include "app/ui/widgets/widgets.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace cairn::ui {

// Friction, elasticity and rolling resistance: each as `otherwise` has it, or of its own. Marks: `section` with
// .friction, .friction.own and so on. True when any has changed.
bool own_material_rows(Widgets& w, std::string_view section, std::string_view whose, const physics::Material& otherwise,
                       physics::ShapeMaterial& material);

// The materials of a mesh as a list, and the fields of the one that is open. Marks: material.N of the one at place N,
// material.N.pointed while it is under the cursor, and material.colour, material.friction and so on of the open one.
class MeshMaterialRows {
  public:
    // `pointed`: the place of the material under the cursor in the view. `shown`: linear, the colour of what has none
    // of its own. True when one of `shape.mesh_materials` has changed.
    bool operator()(Widgets& w, physics::ShapeDef& shape, const physics::Material& of_body, const glm::vec3& shown,
                    std::optional<std::uint32_t> pointed);
    void open(std::uint32_t place) {
        open_ = place;
        scroll_ = true;
    }

  private:
    void list(Widgets& w, const physics::ShapeDef& shape, const physics::Material& of_shape, const glm::vec3& shown,
              std::optional<std::uint32_t> pointed);

    std::weak_ptr<const physics::MeshData> counted_;
    std::vector<std::uint32_t> triangles_; // of each material of that mesh
    std::uint32_t open_ = 0;
    bool scroll_ = false; // to the one that is open
    ColourRow colour_;
};

} // namespace cairn::ui
