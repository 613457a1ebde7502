#include "app/ui/columns/shown_columns.h"

#include "app/ui/lab/lab.h"
#include "app/ui/lab/lab_state.h"
#include "app/ui/screen/layout.h"

#include <algorithm>

namespace cairn::ui {

// A quarter of the window at most, except where that could not hold the text.
float column_width(const Context& ctx) {
    const float s = ctx.widgets.scale, window = ctx.window_size().x;
    return std::min({300.0f * s, std::max(0.25f * window - 8.0f * s, 262.0f * s), 0.6f * window - 10.0f * s});
}

bool is_narrow(const Context& ctx) {
    return ctx.window_size().x < 900.0f * ctx.widgets.scale;
}

bool shows_left(const Context& ctx) {
    const float covered = column_width(ctx) + lab_width(ctx); // where the lab is open
    return ctx.get<Layout>().left && (ctx.get<LabState>().open ? covered < 0.8f * ctx.window_size().x
                                                               : !(is_narrow(ctx) && ctx.get<Layout>().right));
}

void open_column(Context& ctx, Column column) {
    Layout& layout = ctx.get<Layout>();
    layout.show_ui = true;
    if (column == Column::right) {
        layout.right = true;
        layout.right_for_selection = ctx.get<LabState>().open = false; // the lab stands there
        return;
    }
    layout.left = true;
    if (!shows_left(ctx)) {
        layout.right = layout.right_for_selection = ctx.get<LabState>().open = false;
    }
}

} // namespace cairn::ui
