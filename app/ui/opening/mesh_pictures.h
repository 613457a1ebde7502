// Pictures of what a dropped mesh can become: its hull, the hulls that follow it, and its surface.
#pragma once

#include "app/ui/opening/mesh_import.h"
#include "app/ui/view/mesh_registry.h"
#include "render/picture_texture.h"
#include "render/renderer.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace cairn::ui {

class MeshPictures {
  public:
    static constexpr int width = 288, height = 216; // pixels

    MeshPictures();
    ~MeshPictures(); // breaks off what is on its way
    MeshPictures(const MeshPictures&) = delete;
    MeshPictures& operator=(const MeshPictures&) = delete;

    enum class Status { waiting, ready, failed };
    struct Picture {
        Status status = Status::waiting;
        render::PictureTexture texture;
        std::string problem;   // why there is none
        std::size_t parts = 0; // hulls
    };
    // Begins with those of the mesh as it is imported, unless it has. What takes long runs on a thread of its own.
    void show(const std::shared_ptr<const physics::MeshData>& mesh, const MeshImportSettings& settings);
    void hide(); // nothing is asked about any more, or the work is wanted for the body itself
    const Picture& of(ImportShape shape) const { return pictures_[static_cast<std::size_t>(shape)]; }
    double progress() const; // 0..1, of finding the hulls that follow the mesh

    // Once a frame, with the context current: draws at most one.
    void work(render::Renderer& renderer, MeshRegistry& meshes);

  private:
    struct Making; // on a thread of its own

    std::shared_ptr<const physics::MeshData> mesh_;
    std::size_t unit_ = 0;
    bool y_up_ = false;
    std::array<Picture, 3> pictures_;
    std::unique_ptr<Making> making_;
    std::vector<std::unique_ptr<Making>> ending_; // broken off
    SceneView view_;
    render::DrawList list_;
};

} // namespace cairn::ui
