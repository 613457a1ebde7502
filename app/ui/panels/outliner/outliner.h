// The list of all bodies and joints, to find, select and hide them.
#pragma once

#include "app/ui/context/context.h"

#include <string>
#include <vector>

namespace cairn::ui {

// Hides the selection, or shows everything again where nothing is selected.
void hide_selected(Context& ctx);
// The body after, or before, the selected one in the list; round at the ends.
void select_beside(Context& ctx, int direction);

class Outliner {
  public:
    void operator()(Context& ctx);

  private:
    std::string filter_;
    std::vector<std::size_t> bodies_, joints_; // that are meant, in the frame
};

} // namespace cairn::ui
