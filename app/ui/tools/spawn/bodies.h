// Bodies that come and go by keys and buttons.
#pragma once

#include "app/ui/context/context.h"
#include "app/ui/context/parts.h"

#include <string>
#include <vector>

namespace cairn::ui {

// Selects the bodies that an undo or a redo brings back.
class BroughtBack : public Part {
  public:
    void expect(Context& ctx); // from now on
    void select(Context& ctx); // once they are there
    void world_replaced(Context&, WorldChange) override { frames_ = 0; }

  private:
    std::vector<physics::BodyId> before_; // that were there; by slot
    int frames_ = 0;                      // for which they may be waited for
};

// "7 × table", for people.
std::string several_of(const std::string& name, int count);
// Spawns by the panel's settings with the lowest point at `base`, or where the settings say.
void spawn_at(Context& ctx, const physics::Vec3& base);
void spawn_from_panel(Context& ctx);
void throw_ball(Context& ctx);
void delete_selected(Context& ctx, const std::string& what = {});
// Take back the last edit of this world, or do it again.
void undo(Context& ctx);
void redo(Context& ctx);

} // namespace cairn::ui
