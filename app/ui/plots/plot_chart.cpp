// One plot of the drawer: curves, threshold, what it is now.
#include "app/ui/plots/drawer.h"
#include "app/ui/plots/plot_info.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/timeline/ghosts.h"
#include "app/ui/timeline/playback.h"
#include "app/ui/widgets/charts/chart.h"

#include <algorithm>

namespace cairn::ui {

namespace {

// What is known of a step; nullptr: nothing, or it is not in this samples.
const StepMetrics* at_step(const Samples& samples, std::uint64_t step) {
    const auto at = std::ranges::lower_bound(samples, step, {}, &StepMetrics::step);
    return at != samples.end() && (*at)->step == step ? *at : nullptr;
}

void fill_columns(ChartColumns& columns, const Chart& area, const Samples& samples, const auto& value) {
    columns.clear(area);
    for (const StepMetrics* metrics : samples) {
        columns.add(area, metrics->time, value(*metrics));
    }
}

void draw_stack(Context& ctx, ImDrawList* draw, const Chart& area, const PlotInfo& info) {
    Drawer& d = ctx.get<Drawer>();
    // From the top down, each sum over all that is below it.
    for (std::size_t k = info.curves.size(); k-- > 0;) {
        fill_columns(d.columns, area, d.samples, [&](const StepMetrics& sample) {
            float sum = 0.0f;
            for (std::size_t j = 0; j <= k; ++j) {
                sum += sample.of(info.curves[j].curve);
            }
            return sum * info.scale;
        });
        const ImU32 ink = theme::packed(theme::from_linear(info.curves[k].colour()), 1.0f);
        float x = area.low.x, height = -1.0f;
        for (std::size_t i = 0; i < d.columns.highest.size(); ++i) {
            if (d.columns.lowest[i] <= d.columns.highest[i]) {
                height = 0.5f * (d.columns.lowest[i] + d.columns.highest[i]);
            }
            if (height >= 0.0f) { // columns without a sample continue the last one
                x = area.low.x + static_cast<float>(i);
                draw->AddRectFilled(ImVec2(x, area.y(height)), ImVec2(x + 1.0f, area.high.y), ink);
            }
        }
    }
}

void draw_threshold(Context& ctx, ImDrawList* draw, const Chart& area, const PlotInfo& info, float threshold) {
    const float s = ctx.widgets.scale;
    const ImU32 ink = theme::packed(theme::accent, 0.9f);
    if (threshold >= area.bottom && threshold <= area.top) {
        const float y = area.y(threshold);
        for (float x = area.low.x; x < area.high.x; x += 7.0f * s) {
            draw->AddLine(ImVec2(x, y), ImVec2(std::min(x + 4.0f * s, area.high.x), y), ink, 1.0f * s);
        }
    }
    crossings(ctx.get<Drawer>().samples, info.watched, threshold / info.scale, [&](double time) {
        const float x = area.x(time), r = 4.0f * s;
        draw->AddTriangleFilled(ImVec2(x - r, area.high.y), ImVec2(x + r, area.high.y),
                                ImVec2(x, area.high.y - 1.6f * r), theme::packed(theme::accent));
    });
}

} // namespace

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
    Chart area;
    area.to = d.to;
    area.from = d.from;
    float least = 0.0f, greatest = 0.0f;
    for (const Samples* samples : {&d.samples, &d.other}) {
        for (const StepMetrics* metrics : *samples) {
            if (info.stacked) {
                greatest = std::max(greatest, metrics->of(info.watched) * info.scale);
                continue;
            }
            for (const CurveLook& look : info.curves) {
                const float v = metrics->of(look.curve) * info.scale;
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
    constexpr float headroom = 0.06f;
    area.bottom = least;
    area.top = greatest + headroom * (greatest - least);
    ImGui::PushFont(w.fonts.mono);
    const float label = ImGui::CalcTextSize("-0.000k").x + 6.0f * s;
    area.low = ImVec2(low.x + label, low.y + line + 5.0f * s);
    area.high = ImVec2(high.x - 6.0f * s, high.y - 5.0f * s);
    draw_grid(*draw, area, (large ? 4.0f : 2.0f) * (1.0f + headroom), s);
    ImGui::PopFont();
    const auto curve = [&](const Samples& samples, Metric metric, const ImVec4& colour, float alpha, float stroke) {
        fill_columns(d.columns, area, samples, [&](const StepMetrics& f) { return f.of(metric) * info.scale; });
        draw_curve(*draw, area, d.columns, theme::packed(colour, alpha), stroke);
    };
    // The other branch faint and behind; of a stack its height.
    if (info.stacked) {
        draw_stack(ctx, draw, area, info);
        curve(d.other, info.watched, theme::text, 0.75f, 1.0f * s);
    } else {
        for (const CurveLook& look : info.curves) {
            curve(d.other, look.curve, theme::from_linear(look.colour()), 0.45f, 1.0f * s);
        }
        for (const CurveLook& look : info.curves) {
            curve(d.samples, look.curve, theme::from_linear(look.colour()), 1.0f, 1.4f * s);
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
    const StepMetrics* here = at_step(d.samples, ctx.frame().step);
    FrameText now;
    if (here != nullptr) {
        now = brief_number(here->of(info.watched) * info.scale, info.unit);
    }
    if (const StepMetrics* there = at_step(d.other, ctx.frame().step); there != nullptr && large) {
        now += joined("  (", name_of_branch(ctx, *ctx.get<Ghosts>().branch), " ",
                      brief_number(there->of(info.watched) * info.scale, info.unit), ")");
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
        if (!d.samples.empty() && at >= area.low.x && at <= area.high.x) {
            const double time =
                area.from + (area.to - area.from) * static_cast<double>((at - area.low.x) / (area.high.x - area.low.x));
            const StepMetrics& f = *d.samples[std::min(since(d.samples, time), d.samples.size() - 1)];
            const StepMetrics* there = at_step(d.other, f.step);
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

const char* plot_id(std::size_t plot) {
    return plots()[plot].id;
}

std::optional<std::size_t> plot_crossings(const Context& ctx, std::size_t plot) {
    const auto& threshold = ctx.get<Drawer>().thresholds[plot];
    if (!threshold) {
        return std::nullopt;
    }
    return crossings(ctx.get<Drawer>().samples, plots()[plot].watched, *threshold / plots()[plot].scale, nullptr);
}

} // namespace cairn::ui
