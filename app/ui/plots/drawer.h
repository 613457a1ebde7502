// The drawer at the lower edge: plots of the run, and the log of all that was reported.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/plots/plot_history.h"
#include "app/ui/widgets/charts/chart.h"
#include "app/ui/widgets/widgets.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cairn::ui {

struct Context;

inline constexpr std::size_t plot_count = 6;

struct Drawer : Part {
    enum class Page { plots, log };
    bool open = false;
    Page page = Page::plots;
    Rectangle place;            // window units, while open
    bool under_columns = false; // it has the whole width, for lack of room between the columns

    // Plots.
    PlotHistory history;
    std::uint64_t world_number = 0;                          // that the history is of
    Samples samples, other;                                  // what is shown: the current branch, and the ghosts'
    double from = 0.0, to = 1.0;                             // s, of what is shown
    int span = 1;                                            // of span_seconds
    std::optional<std::size_t> large;                        // the one that is shown alone
    std::array<std::optional<float>, plot_count> thresholds; // in the plot's unit
    std::string threshold_text;                              // of the large one, while it is typed
    // A part of the window that is to be saved at the end of the frame.
    std::optional<Rectangle> picture_of;
    std::filesystem::path picture_path;
    ChartColumns columns; // of the curve that is drawn

    // Log.
    std::string filter;
    bool notes = true, warnings = true, errors = true;
    std::vector<std::size_t> shown; // of the messages

    void remember(Context& ctx, SettingsArchive& archive) override;
};

const char* plot_id(std::size_t plot);
// How often the threshold was crossed upwards in what is shown; nullopt without one.
std::optional<std::size_t> plot_crossings(const Context& ctx, std::size_t plot);

// Once a frame: takes the newest metrics, and what of them is shown.
void follow_plots(Context& ctx);

// Shows this page, or closes the drawer if it is shown.
void toggle_drawer(Context& ctx, Drawer::Page page);
// Where the drawer goes: between the columns, which leave x = left to right, window units, or below them. Before they
// are drawn.
void place_drawer(Context& ctx, float left, float right);
void draw_drawer(Context& ctx);

} // namespace cairn::ui
