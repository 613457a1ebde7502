#include "app/ui/plots/plot_panel.h"

#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "app/ui/expectations/expectations.h"
#include "app/ui/plots/drawer.h"
#include "app/ui/plots/motion/motion_table.h"
#include "app/ui/plots/plot_info.h"
#include "app/ui/text/paths.h"
#include "app/ui/timeline/ghosts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace cairn::ui {

namespace {

constexpr double span_seconds[] = {5.0, 15.0, 60.0, 120.0};
constexpr const char* span_names[] = {"5 s", "15 s", "60 s", "120 s"};

std::filesystem::path export_path(Context& ctx, const PlotInfo& info, const char* extension) {
    const std::string& scene = ctx.simulation.scene().name;
    const std::filesystem::path path =
        user_folder("plots") / (dated_name((scene.empty() ? "scene" : scene) + " " + info.id) + extension);
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    return path;
}

void save_csv(Context& ctx, const PlotInfo& info) {
    std::vector<Metric> curves;
    std::vector<const char*> names;
    for (const CurveLook& look : info.curves) {
        curves.push_back(look.curve);
        names.push_back(look.column);
    }
    const std::filesystem::path path = export_path(ctx, info, ".csv");
    try {
        Samples samples, other; // all of it
        const auto& branches = ctx.simulation.branches();
        ctx.get<Drawer>().history.follow(branches, ctx.simulation.current_branch(), 0.0,
                                         std::numeric_limits<double>::max(), samples);
        if (ctx.get<Ghosts>().branch) {
            ctx.get<Drawer>().history.follow(branches, *ctx.get<Ghosts>().branch, 0.0,
                                             std::numeric_limits<double>::max(), other);
        }
        core::replace_file(path, csv_of(samples, curves, names, info.scale, other, "other_"));
        ctx.log.info("Saved " + path.string());
    } catch (const core::InputError& error) {
        ctx.log.error(error.what());
    }
}

void threshold_field(Context& ctx, std::size_t index) {
    Drawer& d = ctx.get<Drawer>();
    Widgets& w = ctx.widgets;
    const PlotInfo& info = plots()[index];
    ImGui::AlignTextToFramePadding();
    w.muted(joined("Threshold", *info.unit != '\0' ? ", " : "", info.unit), false);
    ImGui::SameLine();
    if (w.text("plots.threshold", "none", d.threshold_text, 84.0f * w.scale)) {
        float value = 0.0f;
        const std::string& text = d.threshold_text;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty()) {
            d.thresholds[index].reset();
        } else if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) {
            d.thresholds[index] = value;
        } else {
            ctx.log.error("Threshold: \"" + text + "\" is not a number; leave it empty for none");
        }
    }
    w.tip("Draws a line; upward crossings are marked and counted. Enter sets it; empty: none.");
}

} // namespace

void follow_plots(Context& ctx) {
    ctx.get<MotionTable>().follow(ctx);
    Drawer& d = ctx.get<Drawer>();
    core::Simulation& simulation = ctx.simulation;
    if (d.world_number != simulation.world_number()) {
        d.history.clear();
        d.world_number = simulation.world_number();
    }
    d.history.add(ctx.events.metrics);
    // Of the past as much as there is room for, to the end of what is known, or with the step that is seen in the
    // middle.
    const auto& branches = simulation.branches();
    const std::size_t branch = simulation.current_branch();
    const double here = ctx.frame().time;
    const StepMetrics* last = d.history.last(branches, branch);
    d.to = last != nullptr ? std::max(last->time, here) : std::max(here, 1.0);
    if (here < d.to - span_seconds[d.span]) {
        d.to = here + 0.5 * span_seconds[d.span];
    }
    d.from = d.to - span_seconds[d.span];
    d.history.follow(branches, branch, d.from, d.to, d.samples);
    d.other.clear();
    Ghosts& ghosts = ctx.get<Ghosts>();
    if (ghosts.branch && *ghosts.branch < branches.size() && *ghosts.branch != branch) {
        d.history.follow(branches, *ghosts.branch, d.from, d.to, d.other);
    }
}

void plot_controls(Context& ctx) {
    Drawer& d = ctx.get<Drawer>();
    Widgets& w = ctx.widgets;
    const float s = w.scale;
    ImGui::SetNextItemWidth(74.0f * s);
    if (ImGui::BeginCombo("##plots.span", span_names[d.span])) {
        for (int i = 0; i < 4; ++i) {
            if (ImGui::Selectable(span_names[i], i == d.span)) {
                d.span = i;
            }
        }
        ImGui::EndCombo();
    }
    w.mark("plots.span");
    w.tip("How much of the history is shown.");
    ImGui::SameLine();
    if (!d.large) {
        if (w.button("plots.zero", "Zero drift", "Measures drift from the current positions.")) {
            ctx.simulation.zero_drift();
        }
        return;
    }
    const std::size_t index = *d.large;
    if (w.button("plots.all", "All", "Shows all plots.")) {
        d.large.reset();
    }
    ImGui::SameLine();
    threshold_field(ctx, index);
    ImGui::SameLine();
    const PlotInfo& info = plots()[index];
    const auto& threshold = d.thresholds[index];
    if (w.button("plots.expect", "Expect", "Expects that it does not rise above the threshold from here on.", 0.0f,
                 threshold && info.measure)) {
        expect_at_most(ctx, *info.measure, static_cast<double>(*threshold / info.scale));
    }
    ImGui::SameLine();
    if (w.button("plots.csv", "CSV", "Saves this plot's data as CSV.", 0.0f, d.history.size() > 0)) {
        save_csv(ctx, plots()[index]);
    }
    ImGui::SameLine();
    if (w.button("plots.png", "PNG", "Saves the plot as shown.")) {
        d.picture_path = export_path(ctx, plots()[index], ".png");
    }
}

void plot_page(Context& ctx) {
    Drawer& d = ctx.get<Drawer>();
    const float s = ctx.widgets.scale, gap = 6.0f * s;
    if (d.large) {
        const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
        draw_plot(ctx, *d.large, size, true);
        if (!d.picture_path.empty()) {
            d.picture_of = Rectangle{at.x, at.y, size.x, size.y};
        }
        return;
    }
    ImGui::BeginChild("plots");
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const int columns = std::clamp(static_cast<int>(room.x / (190.0f * s)), 1, 3);
    const int rows = (static_cast<int>(plot_count) + columns - 1) / columns;
    const float width = (room.x - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const float height = std::max((room.y - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows), 72.0f * s);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    for (std::size_t i = 0; i < plot_count; ++i) {
        if (static_cast<int>(i) % columns != 0) {
            ImGui::SameLine(0.0f, gap);
        }
        if (draw_plot(ctx, i, ImVec2(width, height), false)) {
            d.large = i;
            d.threshold_text.clear();
            if (d.thresholds[i]) {
                d.threshold_text = formatted("%.6g", static_cast<double>(*d.thresholds[i]));
            }
        }
    }
    ImGui::PopStyleVar();
    ImGui::EndChild();
}

} // namespace cairn::ui
