#include "app/ui/widgets/charts/chart.h"

#include "app/ui/widgets/theme.h"

#include <cmath>

namespace cairn::ui {

namespace {

// 1, 2 or 5 times a power of ten, so that about `count` of them make up `range`.
float tick_of(float range, float count) {
    const float raw = range / count, power = std::pow(10.0f, std::floor(std::log10(raw))), share = raw / power;
    return power * (share <= 1.0f ? 1.0f : share <= 2.0f ? 2.0f : share <= 5.0f ? 5.0f : 10.0f);
}

} // namespace

void ChartColumns::add(const Chart& chart, double across, float value) {
    const float x = std::clamp(chart.x(across) - chart.low.x, 0.0f, static_cast<float>(lowest.size() - 1));
    const auto column = static_cast<std::size_t>(x);
    const bool first = lowest[column] > highest[column];
    lowest[column] = first ? value : std::min(lowest[column], value);
    highest[column] = first ? value : std::max(highest[column], value);
}

void draw_curve(ImDrawList& out, const Chart& chart, const ChartColumns& columns, ImU32 ink, float stroke) {
    ImVec2 before(0.0f, 0.0f);
    bool any = false;
    for (std::size_t i = 0; i < columns.lowest.size(); ++i) {
        if (columns.lowest[i] > columns.highest[i]) {
            continue;
        }
        const float x = chart.low.x + static_cast<float>(i);
        const float low = chart.y(columns.lowest[i]), high = chart.y(columns.highest[i]);
        const ImVec2 middle(x, 0.5f * (low + high));
        if (any) {
            out.AddLine(before, middle, ink, stroke);
        }
        if (low - high > 1.0f) {
            out.AddLine(ImVec2(x, low), ImVec2(x, high), ink, stroke);
        }
        before = middle;
        any = true;
    }
}

void draw_grid(ImDrawList& out, const Chart& chart, float count, float scale) {
    const float line = ImGui::GetTextLineHeight(), tick = tick_of(chart.top - chart.bottom, count);
    for (float value = std::ceil(chart.bottom / tick) * tick; value <= chart.top; value += tick) {
        const float y = chart.y(value);
        out.AddLine(ImVec2(chart.low.x, y), ImVec2(chart.high.x, y), theme::packed(theme::muted, 0.16f));
        const FrameText text = brief_number(std::abs(value) < 0.01f * tick ? 0.0f : value);
        const float top = std::clamp(y - 0.5f * line, chart.low.y - 2.0f * scale, chart.high.y - line + 3.0f * scale);
        out.AddText(ImVec2(chart.low.x - ImGui::CalcTextSize(text.c_str()).x - 4.0f * scale, top),
                    theme::packed(theme::muted), text.c_str());
    }
}

FrameText brief_number(float value) {
    const double v = static_cast<double>(value), size = std::abs(v);
    return size >= 1e9   ? formatted("%.3gG", v * 1e-9)
           : size >= 1e6 ? formatted("%.3gM", v * 1e-6)
           : size >= 1e4 ? formatted("%.3gk", v * 1e-3)
           : size >= 1e2 ? formatted("%.0f", v)
                         : formatted("%.3g", v);
}

FrameText brief_number(float value, std::string_view unit) {
    FrameText number = brief_number(value);
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

} // namespace cairn::ui
