// The meshes of hulls and surfaces on the graphics card: one for each different hull, for as long as a body has it.
#pragma once

#include "app/ui/view/scene_view.h"
#include "render/renderer.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::ui {

class MeshRegistry final : public MeshSource {
  public:
    explicit MeshRegistry(render::Renderer& renderer) : renderer_(renderer) {}

    render::MeshId mesh(const std::shared_ptr<const physics::Shape>& hull) override;
    // Tiles of a field that was drawn before with other heights are made anew only where these differ.
    void tiles(const std::shared_ptr<const physics::Shape>& field, std::vector<render::MeshId>& out) override;

    void of_materials(const std::shared_ptr<const physics::Shape>& surface,
                      std::vector<std::pair<render::MeshId, std::uint16_t>>& out) override;

    // Frees the meshes whose shapes are gone. Cheap; call it when bodies have changed.
    void collect();
    std::size_t size() const { return meshes_.size() + tiles_.size(); }

  private:
    struct Known {
        std::weak_ptr<const physics::Shape> shape; // an address alone may be reused by another shape
        render::MeshId mesh = 0;
    };
    struct Field {
        std::weak_ptr<const physics::Shape> shape;
        std::shared_ptr<const physics::HeightData> data;
        std::vector<render::MeshId> tiles; // no_mesh: all of it is a hole
        std::uint64_t made = 0;            // the latest is most like the next
    };
    struct Divided {
        std::weak_ptr<const physics::Shape> shape;
        std::vector<std::pair<render::MeshId, std::uint16_t>> meshes; // with their materials
    };
    static constexpr render::MeshId no_mesh = 0xffffffffu;

    const Field* most_like(const physics::HeightData& data) const;

    render::Renderer& renderer_;
    std::unordered_map<const physics::Shape*, Known> known_;
    // Equal hulls built apart share a mesh: found by their vertices.
    std::map<std::vector<float>, render::MeshId> meshes_;
    std::unordered_map<const physics::Shape*, Divided> divided_;
    std::unordered_map<const physics::Shape*, Field> fields_;
    std::set<render::MeshId> tiles_; // of all fields
    std::uint64_t fields_made_ = 0;
};

} // namespace cairn::ui
