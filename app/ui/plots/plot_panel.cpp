#include "app/ui/plots/plot_panel.h"

#include "app/core/base/error.h"
#include "app/core/base/text_file.h"
#include "app/ui/expectations/expectations.h"
#include "app/ui/plots/drawer.h"
#include "app/ui/text/paths.h"
#include "app/ui/timeline/ghosts.h"
#include "app/ui/timeline/playback.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <imgui_internal.h>
#include <limits>

namespace cairn::ui {

namespace {

struct CurveLook {
    Figure curve;
    const char* name;   // in the plot
    const char* column; // of a table, with its unit
    glm::vec3 (*colour)();
};

struct PlotInfo {
    const char* id;
    const char* title;
    const char* unit;
    float scale; // from the curves' units
    std::vector<CurveLook> curves;
    Figure watched; // by the threshold
    bool stacked;
    const char* help;
    std::optional<core::Measure> measure; // that can be expected to stay below the threshold
};

glm::vec3 pale() {
    return linear_from_oklch(0.93f, 0.0f, 0.0f);
}
glm::vec3 violet() {
    return linear_from_oklch(0.62f, 0.2f, 5.2f);
}

// Figures that the world has layers of have the colours of these layers.
const std::vector<PlotInfo>& plots() {
    static const std::vector<PlotInfo> table = {
        {"energy",
         "Energy",
         "J",
         1.0f,
         {{Figure::kinetic, "kinetic", "kinetic_J", colours::velocities},
          {Figure::potential, "potential", "potential_J", colours::bounds},
          {Figure::energy, "total", "total_J", pale}},
         Figure::energy,
         false,
         "Kinetic energy, potential energy relative to z = 0, and their sum.",
         core::Measure::energy},
        {"momentum",
         "Momentum",
         "kg m/s",
         1.0f,
         {{Figure::momentum, "momentum", "momentum_kg_m_per_s", colours::impulses}},
         Figure::momentum,
         false,
         "Magnitude of the total linear momentum.",
         core::Measure::momentum},
        {"penetration",
         "Penetration",
         "mm",
         1e3f,
         {{Figure::penetration, "deepest", "penetration_mm", colours::contacts}},
         Figure::penetration,
         false,
         "Depth of the deepest contact point.",
         core::Measure::penetration},
        {"drift",
         "Drift",
         "mm",
         1e3f,
         {{Figure::drift, "mean", "drift_mm", violet}},
         Figure::drift,
         false,
         "Mean horizontal distance of the dynamic bodies from where each started, or was when drift was zeroed: "
         "how far a stack that should stand has crept.",
         core::Measure::mean_drift},
        {"contacts",
         "Contacts",
         "",
         1.0f,
         {{Figure::contacts, "pairs", "pairs", colours::contacts},
          {Figure::points, "points", "points", colours::normals}},
         Figure::contacts,
         false,
         "Pairs that touch or nearly touch, and their contact points.",
         core::Measure::contacts},
        {"step",
         "Step time",
         "ms",
         1e3f,
         {{Figure::broadphase, "broad", "broadphase_ms", colours::bounds},
          {Figure::narrowphase, "narrow", "narrowphase_ms", colours::contacts},
          {Figure::islands, "islands", "islands_ms", colours::joints},
          {Figure::solver, "solver", "solver_ms", colours::impulses},
          {Figure::continuous, "CCD", "ccd_ms", violet},
          {Figure::finish, "finish", "finish_ms", colours::velocities}},
         Figure::step,
         true,
         "Time taken by each stage of the step, stacked.",
         std::nullopt},
    };
    return table;
}

constexpr double span_seconds[] = {5.0, 15.0, 60.0, 120.0};
constexpr const char* span_names[] = {"5 s", "15 s", "60 s", "120 s"};

// 1, 2 or 5 times a power of ten, so that about `count` of them make up `range`.
float tick_of(float range, float count) {
    const float raw = range / count, power = std::pow(10.0f, std::floor(std::log10(raw))), share = raw / power;
    return power * (share <= 1.0f ? 1.0f : share <= 2.0f ? 2.0f : share <= 5.0f ? 5.0f : 10.0f);
}

// At most seven signs: "-12.3k".
FrameText short_number(float value) {
    const double v = static_cast<double>(value), size = std::abs(v);
    return size >= 1e9   ? formatted("%.3gG", v * 1e-9)
           : size >= 1e6 ? formatted("%.3gM", v * 1e-6)
           : size >= 1e4 ? formatted("%.3gk", v * 1e-3)
           : size >= 1e2 ? formatted("%.0f", v)
                         : formatted("%.3g", v);
}

// "1.17 MJ"; units of several words keep their number plain, "12.3k kg m/s".
FrameText with_unit(float value, std::string_view unit) {
    FrameText number = short_number(value);
    if (unit.empty()) {
        return number;
    }
    const char prefix = number.back();
    if (unit == "J" && (prefix == 'G' || prefix == 'M' || prefix == 'k')) {
        number.pop_back();
        return joined(number, " ", std::string_view(&prefix, 1), unit);
    }
    return joined(number, " ", unit);
}

// What is known of a step; nullptr: nothing, or it is not in this course.
const StepFigures* at_step(const Course& course, std::uint64_t step) {
    const auto at = std::lower_bound(course.begin(), course.end(), step,
                                     [](const StepFigures* f, std::uint64_t s) { return f->step < s; });
    return at != course.end() && (*at)->step == step ? *at : nullptr;
}

struct Area { // of the curves, window units
    ImVec2 low, high;
    double from = 0.0, to = 1.0;     // s
    float bottom = 0.0f, top = 1.0f; // in the plot's unit
    float x(double time) const { return low.x + (high.x - low.x) * static_cast<float>((time - from) / (to - from)); }
    float y(float value) const { return high.y - (high.y - low.y) * (value - bottom) / (top - bottom); }
};

// The least and greatest value in each column of pixels: what lies between two columns is not lost.
void columns_of(Drawer& d, const Area& area, const Course& course, const auto& value) {
    const auto count = static_cast<std::size_t>(std::max(area.high.x - area.low.x, 1.0f));
    d.lowest.assign(count, 1.0f);
    d.highest.assign(count, 0.0f); // lowest > highest: no sample here
    for (const StepFigures* figures : course) {
        const StepFigures& sample = *figures;
        const float x = area.x(sample.time) - area.low.x;
        const auto column = static_cast<std::size_t>(std::clamp(x, 0.0f, static_cast<float>(count - 1)));
        const float v = value(sample);
        if (d.lowest[column] > d.highest[column]) {
            d.lowest[column] = d.highest[column] = v;
        } else {
            d.lowest[column] = std::min(d.lowest[column], v);
            d.highest[column] = std::max(d.highest[column], v);
        }
    }
}

void draw_curve(Drawer& d, ImDrawList* draw, const Area& area, ImU32 ink, float stroke) {
    ImVec2 before(0.0f, 0.0f);
    bool any = false;
    for (std::size_t i = 0; i < d.lowest.size(); ++i) {
        if (d.lowest[i] > d.highest[i]) {
            continue;
        }
        const float x = area.low.x + static_cast<float>(i);
        const float low = area.y(d.lowest[i]), high = area.y(d.highest[i]);
        const ImVec2 middle(x, 0.5f * (low + high));
        if (any) {
            draw->AddLine(before, middle, ink, stroke);
        }
        if (low - high > 1.0f) {
            draw->AddLine(ImVec2(x, low), ImVec2(x, high), ink, stroke);
        }
        before = middle;
        any = true;
    }
}

void draw_stack(Context& ctx, ImDrawList* draw, const Area& area, const PlotInfo& info) {
    Drawer& d = ctx.get<Drawer>();
    // From the top down, each sum over all that is below it.
    for (std::size_t k = info.curves.size(); k-- > 0;) {
        columns_of(d, area, d.course, [&](const StepFigures& sample) {
            float sum = 0.0f;
            for (std::size_t j = 0; j <= k; ++j) {
                sum += sample.of(info.curves[j].curve);
            }
            return sum * info.scale;
        });
        const ImU32 ink = theme::packed(theme::from_linear(info.curves[k].colour()), 1.0f);
        float x = area.low.x, height = -1.0f;
        for (std::size_t i = 0; i < d.highest.size(); ++i) {
            if (d.lowest[i] <= d.highest[i]) {
                height = 0.5f * (d.lowest[i] + d.highest[i]);
            }
            if (height >= 0.0f) { // columns without a sample continue the last one
                x = area.low.x + static_cast<float>(i);
                draw->AddRectFilled(ImVec2(x, area.y(height)), ImVec2(x + 1.0f, area.high.y), ink);
            }
        }
    }
}

void draw_threshold(Context& ctx, ImDrawList* draw, const Area& area, const PlotInfo& info, float threshold) {
    const float s = ctx.widgets.scale;
    const ImU32 ink = theme::packed(theme::accent, 0.9f);
    if (threshold >= area.bottom && threshold <= area.top) {
        const float y = area.y(threshold);
        for (float x = area.low.x; x < area.high.x; x += 7.0f * s) {
            draw->AddLine(ImVec2(x, y), ImVec2(std::min(x + 4.0f * s, area.high.x), y), ink, 1.0f * s);
        }
    }
    crossings(ctx.get<Drawer>().course, info.watched, threshold / info.scale, [&](double time) {
        const float x = area.x(time), r = 4.0f * s;
        draw->AddTriangleFilled(ImVec2(x - r, area.high.y), ImVec2(x + r, area.high.y),
                                ImVec2(x, area.high.y - 1.6f * r), theme::packed(theme::accent));
    });
}

// Returns whether it was clicked.
bool draw_plot(Context& ctx, std::size_t index, const ImVec2& size, bool large) {
    Drawer& d = ctx.get<Drawer>();
    Widgets& w = ctx.widgets;
    const PlotInfo& info = plots()[index];
    const float s = w.scale, line = ImGui::GetTextLineHeight();
    ImGui::PushID(static_cast<int>(index));
    const bool pressed = ImGui::InvisibleButton("plot", size);
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    w.mark(joined("plot.", info.id));
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(low, high, theme::packed(ImVec4(0.0f, 0.0f, 0.0f, 0.22f)), 4.0f * s);
    if (hovered && !large) {
        draw->AddRect(low, high, theme::packed(theme::accent, 0.5f), 4.0f * s);
    }
    draw->PushClipRect(low, high, true);
    Area area;
    area.to = d.to;
    area.from = d.from;
    float least = 0.0f, greatest = 0.0f;
    for (const Course* course : {&d.course, &d.other}) {
        for (const StepFigures* figures : *course) {
            if (info.stacked) {
                greatest = std::max(greatest, figures->of(info.watched) * info.scale);
                continue;
            }
            for (const CurveLook& look : info.curves) {
                const float v = figures->of(look.curve) * info.scale;
                least = std::min(least, v);
                greatest = std::max(greatest, v);
            }
        }
    }
    if (d.thresholds[index]) {
        least = std::min(least, *d.thresholds[index]);
        greatest = std::max(greatest, *d.thresholds[index]);
    }
    if (!(greatest - least > 1e-9f)) {
        greatest = least + 1.0f;
    }
    const float tick = tick_of(greatest - least, large ? 4.0f : 2.0f);
    area.bottom = least;
    area.top = greatest + 0.06f * (greatest - least);
    ImGui::PushFont(w.fonts.mono);
    const float label = ImGui::CalcTextSize("-0.000k").x + 6.0f * s;
    area.low = ImVec2(low.x + label, low.y + line + 5.0f * s);
    area.high = ImVec2(high.x - 6.0f * s, high.y - 5.0f * s);
    for (float value = std::ceil(area.bottom / tick) * tick; value <= area.top; value += tick) {
        const float y = area.y(value), shown = std::abs(value) < 0.01f * tick ? 0.0f : value;
        draw->AddLine(ImVec2(area.low.x, y), ImVec2(area.high.x, y), theme::packed(theme::muted, 0.16f));
        const FrameText text = short_number(shown);
        const float text_top = std::clamp(y - 0.5f * line, area.low.y - 2.0f * s, area.high.y - line + 3.0f * s);
        draw->AddText(ImVec2(area.low.x - ImGui::CalcTextSize(text.c_str()).x - 4.0f * s, text_top),
                      theme::packed(theme::muted), text.c_str());
    }
    ImGui::PopFont();
    const auto curve = [&](const Course& course, Figure figure, const ImVec4& colour, float alpha, float stroke) {
        columns_of(d, area, course, [&](const StepFigures& sample) { return sample.of(figure) * info.scale; });
        draw_curve(d, draw, area, theme::packed(colour, alpha), stroke);
    };
    // The other way faint and behind; of a stack its height.
    if (info.stacked) {
        draw_stack(ctx, draw, area, info);
        curve(d.other, info.watched, theme::text, 0.75f, 1.0f * s);
    } else {
        for (const CurveLook& look : info.curves) {
            curve(d.other, look.curve, theme::from_linear(look.colour()), 0.45f, 1.0f * s);
        }
        for (const CurveLook& look : info.curves) {
            curve(d.course, look.curve, theme::from_linear(look.colour()), 1.0f, 1.4f * s);
        }
    }
    // Where the world stands, if that is not the end.
    if (const double here = ctx.frame().time; here < d.to - 0.5 / static_cast<double>(ctx.frame().settings.hz)) {
        const float x = area.x(here);
        draw->AddLine(ImVec2(x, area.low.y), ImVec2(x, area.high.y), theme::packed(theme::text, 0.6f), 1.0f * s);
    }
    if (d.thresholds[index]) {
        draw_threshold(ctx, draw, area, info, *d.thresholds[index]);
    }
    // Head: title, the names of the curves where there is room, and what it is now.
    float x = low.x + 6.0f * s;
    const float top = low.y + 3.0f * s;
    draw->AddText(ImVec2(x, top), theme::packed(theme::text), info.title);
    x += ImGui::CalcTextSize(info.title).x + 10.0f * s;
    const StepFigures* here = at_step(d.course, ctx.frame().step);
    FrameText now;
    if (here != nullptr) {
        now = with_unit(here->of(info.watched) * info.scale, info.unit);
    }
    if (const StepFigures* there = at_step(d.other, ctx.frame().step); there != nullptr && large) {
        now += joined("  (", name_of_line(ctx, *ctx.get<Ghosts>().line), " ",
                      with_unit(there->of(info.watched) * info.scale, info.unit), ")");
    }
    if (const auto count = plot_crossings(ctx, index)) {
        now += formatted("  %zu ×", *count);
    }
    ImGui::PushFont(w.fonts.mono);
    const float now_width = ImGui::CalcTextSize(now.c_str()).x;
    draw->AddText(ImVec2(high.x - now_width - 6.0f * s, top), theme::packed(theme::accent), now.c_str());
    ImGui::PopFont();
    if (info.curves.size() > 1) {
        for (const CurveLook& look : info.curves) {
            const float width = ImGui::CalcTextSize(look.name).x;
            if (x + width + 14.0f * s > high.x - now_width - 12.0f * s) {
                break;
            }
            const ImVec4 colour = theme::from_linear(look.colour());
            draw->AddCircleFilled(ImVec2(x + 3.0f * s, top + 0.55f * line), 3.0f * s, theme::packed(colour), 12);
            draw->AddText(ImVec2(x + 9.0f * s, top), theme::packed(theme::muted), look.name);
            x += width + 18.0f * s;
        }
    }
    draw->PopClipRect();
    if (hovered) {
        FrameText tip(info.help);
        const float at = ImGui::GetIO().MousePos.x;
        if (!d.course.empty() && at >= area.low.x && at <= area.high.x) {
            const double time =
                area.from + (area.to - area.from) * static_cast<double>((at - area.low.x) / (area.high.x - area.low.x));
            const StepFigures& f = *d.course[std::min(since(d.course, time), d.course.size() - 1)];
            const StepFigures* there = at_step(d.other, f.step);
            tip += formatted("\n%.2f s, step %llu:", f.time, static_cast<unsigned long long>(f.step));
            for (const CurveLook& look : info.curves) {
                tip +=
                    formatted("\n%s %.4g %s", look.name, static_cast<double>(f.of(look.curve) * info.scale), info.unit);
                if (there != nullptr) {
                    tip += formatted(" (faint: %.4g)", static_cast<double>(there->of(look.curve) * info.scale));
                }
            }
        }
        w.tip(large ? tip : joined(tip, "\nClick for thresholds and export."));
    }
    return pressed;
}

std::filesystem::path export_path(Context& ctx, const PlotInfo& info, const char* extension) {
    const std::string& scene = ctx.simulation.scene().name;
    const std::filesystem::path path =
        user_folder("plots") / (dated_name((scene.empty() ? "scene" : scene) + " " + info.id) + extension);
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    return path;
}

void save_csv(Context& ctx, const PlotInfo& info) {
    std::vector<Figure> curves;
    std::vector<const char*> names;
    for (const CurveLook& look : info.curves) {
        curves.push_back(look.curve);
        names.push_back(look.column);
    }
    const std::filesystem::path path = export_path(ctx, info, ".csv");
    try {
        Course course, other; // all of it
        const auto& lines = ctx.simulation.lines();
        ctx.get<Drawer>().history.follow(lines, ctx.simulation.current_line(), 0.0, std::numeric_limits<double>::max(),
                                         course);
        if (ctx.get<Ghosts>().line) {
            ctx.get<Drawer>().history.follow(lines, *ctx.get<Ghosts>().line, 0.0, std::numeric_limits<double>::max(),
                                             other);
        }
        core::replace_file(path, csv_of(course, curves, names, info.scale, other, "other_"));
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

const char* plot_id(std::size_t plot) {
    return plots()[plot].id;
}

std::optional<std::size_t> plot_crossings(const Context& ctx, std::size_t plot) {
    const auto& threshold = ctx.get<Drawer>().thresholds[plot];
    if (!threshold) {
        return std::nullopt;
    }
    return crossings(ctx.get<Drawer>().course, plots()[plot].watched, *threshold / plots()[plot].scale, nullptr);
}

void follow_plots(Context& ctx) {
    Drawer& d = ctx.get<Drawer>();
    core::Simulation& simulation = ctx.simulation;
    if (d.world_number != simulation.world_number()) {
        d.history.clear();
        d.world_number = simulation.world_number();
    }
    d.history.add(ctx.events.figures);
    // Of the past as much as there is room for, to the end of what is known, or with the step that is seen in the
    // middle.
    const auto& lines = simulation.lines();
    const std::size_t line = simulation.current_line();
    const double here = ctx.frame().time;
    const StepFigures* last = d.history.last(lines, line);
    d.to = last != nullptr ? std::max(last->time, here) : std::max(here, 1.0);
    if (here < d.to - span_seconds[d.span]) {
        d.to = here + 0.5 * span_seconds[d.span];
    }
    d.from = d.to - span_seconds[d.span];
    d.history.follow(lines, line, d.from, d.to, d.course);
    d.other.clear();
    if (ctx.get<Ghosts>().line && *ctx.get<Ghosts>().line < lines.size() && *ctx.get<Ghosts>().line != line) {
        d.history.follow(lines, *ctx.get<Ghosts>().line, d.from, d.to, d.other);
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
