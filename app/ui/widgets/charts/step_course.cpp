#include "app/ui/widgets/charts/step_course.h"

#include "app/ui/widgets/charts/chart.h"

#include <algorithm>

namespace cairn::ui {

void StepCourse::add(std::uint64_t now, std::span<const float> values) {
    constexpr std::uint64_t longest_gap = 60; // steps
    if (curves.size() != values.size() || now < step || now - step > longest_gap) {
        curves.assign(values.size(), {});
        step = now - 1;
    } else if (now == step) {
        return;
    }
    const auto steps = static_cast<std::size_t>(now - step);
    step = now;
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::vector<float>& curve = curves[i];
        const float last = curve.empty() ? values[i] : curve.back();
        for (std::size_t k = 1; k <= steps; ++k) {
            curve.push_back(last + static_cast<float>(k) / static_cast<float>(steps) * (values[i] - last));
        }
        if (curve.size() > most) {
            curve.erase(curve.begin(), curve.end() - static_cast<std::ptrdiff_t>(most));
        }
    }
}

void plot_course(Widgets& w, const char* id, const char* title, std::span<const CourseCurve> curves) {
    float least = 0.0f, greatest = 0.0f;
    bool any = false;
    for (const CourseCurve& curve : curves) {
        for (const float value : curve.values) {
            least = any ? std::min(least, value) : value;
            greatest = any ? std::max(greatest, value) : value;
            any = true;
        }
    }
    ImGui::Dummy(ImVec2(ImGui::GetContentRegionAvail().x, 2.2f * ImGui::GetFrameHeight()));
    w.mark(id);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float pad = 4.0f * w.scale, line = ImGui::GetTextLineHeight();
    ImDrawList& out = *ImGui::GetWindowDrawList();
    out.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg), ImGui::GetStyle().FrameRounding);
    const FrameText text =
        formatted("%s: %.4g .. %.4g", title, static_cast<double>(least), static_cast<double>(greatest));
    out.AddText(ImVec2(low.x + pad, low.y + 1.0f * w.scale), theme::packed(theme::text), text.c_str());
    const float room = greatest > least ? 0.0f : 1.0f; // a level line stands in the middle
    const Chart chart{{low.x + pad, low.y + line + pad},
                      {high.x - pad, high.y - pad},
                      0.0,
                      static_cast<double>(StepCourse::most - 1),
                      least - room,
                      greatest + room};
    for (const CourseCurve& curve : curves) {
        const std::size_t from = StepCourse::most - std::min(curve.values.size(), StepCourse::most);
        for (std::size_t i = 1; i < curve.values.size(); ++i) { // the newest at the right
            out.AddLine(chart.at(static_cast<double>(from + i - 1), curve.values[i - 1]),
                        chart.at(static_cast<double>(from + i), curve.values[i]), curve.ink, 1.2f * w.scale);
        }
    }
}

} // namespace cairn::ui
