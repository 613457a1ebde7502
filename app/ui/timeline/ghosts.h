// Another branch of the history, shown as ghosts beside the one in force, at the same step.
#pragma once

#include "app/core/history/history.h"
#include "app/ui/context/parts.h"
#include "app/ui/timeline/ghost_bodies.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace cairn::ui {

struct Context;

class Ghosts : public Part {
  public:
    std::optional<std::size_t> branch; // of the history; none: no ghosts

    // Once a frame: computes towards the step that is seen, for some milliseconds at most.
    void follow(Context& ctx);
    // Adds the bodies that are elsewhere on the other branch, translucent and without shadows.
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes);

    std::uint64_t step() const { return bodies_.step(); } // at which they are
    std::size_t bodies() const { return bodies_.count(); }
    void forget();
    void world_replaced(Context&, WorldChange) override {
        branch.reset();
        forget();
    }

  private:
    std::unique_ptr<core::Retrace> retrace_;
    std::size_t of_branch_ = 0;
    GhostBodies bodies_;
    std::uint64_t compared_with_ = 0; // the step of the world that they were compared with
};

} // namespace cairn::ui
