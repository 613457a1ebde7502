// The meshes of hulls on the graphics card: one for each different hull, for as long as a body has it.
#pragma once

#include "app/ui/view/scene_view.h"
#include "render/renderer.h"

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>

namespace cairn::ui {

class MeshRegistry final : public MeshSource {
  public:
    explicit MeshRegistry(render::Renderer& renderer) : renderer_(renderer) {}

    render::MeshId mesh(const std::shared_ptr<const physics::Shape>& hull) override;

    // Frees the meshes whose shapes are gone. Cheap; call it when bodies have changed.
    void collect();
    std::size_t size() const { return meshes_.size(); }

  private:
    struct Known {
        std::weak_ptr<const physics::Shape> shape; // an address alone may be reused by another shape
        render::MeshId mesh = 0;
    };
    render::Renderer& renderer_;
    std::unordered_map<const physics::Shape*, Known> known_;
    // Equal hulls built apart share a mesh: found by their vertices.
    std::map<std::vector<float>, render::MeshId> meshes_;
};

} // namespace cairn::ui
