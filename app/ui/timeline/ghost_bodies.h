// The bodies of another branch that the world has taken, drawn as ghosts: translucent, without shadows, and those alone
// that are elsewhere.
#pragma once

#include "app/ui/view/scene_view.h"

namespace cairn::ui {

class GhostBodies {
  public:
    // Leaves those of `other` that can move and are not where they are in `here`.
    void compare(const physics::World& other, const physics::FrameState& here);
    // `options`: of the view that they are added to; what belongs to its own bodies alone is left out.
    void add_to(render::DrawList& list, const render::Camera& camera, MeshSource& meshes, ViewOptions options);
    void clear();

    bool empty() const { return frame_.bodies.empty(); }
    std::size_t count() const { return frame_.bodies.size(); }
    std::uint64_t step() const { return frame_.step; } // at which they are

  private:
    physics::FrameState frame_; // of these bodies alone
    SceneView view_;
    render::DrawList list_;
};

} // namespace cairn::ui
