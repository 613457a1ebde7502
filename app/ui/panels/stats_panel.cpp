#include "app/ui/panels/panels.h"
#include "app/ui/screen/drawing.h"
#include "app/ui/screen/frame_metrics.h"
#include "app/ui/widgets/charts/chart.h"

#include <algorithm>

namespace cairn::ui {

namespace {

void plot(Widgets& w, const char* id, const char* label, const History& history, float budget_ms) {
    const float top = 2.0f * std::max(history.largest(), budget_ms); // the upper half is for the words
    const FrameText text = formatted("%.2f ms", static_cast<double>(history.mean()));
    ImGui::Dummy(ImVec2(ImGui::GetContentRegionAvail().x, 34.0f * w.scale));
    w.mark(id);
    w.tip_by([&] {
        return formatted("%s: mean of the last %d, largest %.2f ms", label, history.count(),
                         static_cast<double>(history.largest()));
    });
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float pad = 5.0f * w.scale;
    draw->AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg), ImGui::GetStyle().FrameRounding);
    const Chart chart{
        {low.x + pad, low.y}, {high.x - pad, high.y}, 0.0, std::max(history.count() - 1, 1) * 1.0, 0.0f, top};
    for (int i = 1; i < history.count(); ++i) {
        draw->AddLine(chart.at(i - 1, history.value(i - 1)), chart.at(i, history.value(i)),
                      ImGui::GetColorU32(ImGuiCol_PlotLines));
    }
    draw->AddText(ImVec2(low.x + pad, low.y + 2.0f * w.scale), theme::packed(theme::muted), label);
    ImGui::PushFont(w.fonts.mono);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    draw->AddText(ImVec2(high.x - size.x - pad, low.y + 2.0f * w.scale), theme::packed(theme::text), text.c_str());
    ImGui::PopFont();
}

void stage_bars(Widgets& w, const physics::StageTimes& times) {
    struct Stage {
        const char* name;
        double seconds;
    };
    const Stage stages[] = {{"Broadphase", times.broadphase}, {"Narrowphase", times.narrowphase},
                            {"Islands", times.islands},       {"Solver", times.solver},
                            {"CCD", times.continuous},        {"Finish", times.finish}};
    double largest = 1e-6;
    for (const Stage& stage : stages) {
        largest = std::max(largest, stage.seconds);
    }
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (const Stage& stage : stages) {
        ImGui::TextColored(theme::muted, "%s", stage.name);
        ImGui::SameLine(w.label_width());
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushFont(w.fonts.mono);
        const FrameText text = formatted("%7.3f ms", stage.seconds * 1e3);
        const float text_width = ImGui::CalcTextSize("0000.000 ms").x;
        const float room = std::max(ImGui::GetContentRegionAvail().x - text_width - 4.0f * w.scale, 1.0f);
        const float line = ImGui::GetTextLineHeight();
        draw->AddRectFilled(ImVec2(at.x, at.y + 0.3f * line),
                            ImVec2(at.x + room * static_cast<float>(stage.seconds / largest), at.y + 0.75f * line),
                            theme::packed(theme::accent, 0.75f), 2.0f * w.scale);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room + 4.0f * w.scale + text_width -
                             ImGui::CalcTextSize(text.c_str()).x);
        ImGui::TextUnformatted(text.c_str());
        ImGui::PopFont();
    }
}

} // namespace

void stats_panel(Context& ctx) {
    Widgets& w = ctx.widgets;
    const physics::StepStats& s = ctx.frame().stats;
    FrameMetrics& metrics = ctx.get<FrameMetrics>();
    plot(w, "stats.frame", "Frame", metrics.frame_ms, 17.0f);
    plot(w, "stats.step", "Step", metrics.step_ms, 4.0f);

    w.fact("Bodies", formatted("%u, %u awake", s.bodies, s.awake),
           "Bodies of all types; awake dynamic and kinematic bodies.");
    w.fact("Pairs", formatted("%u near", s.pairs), "Pairs of bodies whose bounds overlap.");
    w.fact("Contacts", formatted("%u, %u points", s.contacts, s.contact_points), "Pairs that touch or nearly touch.");
    w.fact("Penetration", formatted("%.2f mm", static_cast<double>(s.max_penetration) * 1e3),
           "The deepest contact point.");
    if (s.held > 0) {
        w.fact("Held", formatted("%u, %.1f ms each", s.held, 1e3 * s.time_given_up / s.held),
               "Fast bodies in a crowd that continuous collision stopped before the end of the step, and the mean "
               "time that each lost.");
        w.mark("stats.held");
    }
    if (s.short_steps > 1) {
        w.fact("Short steps", formatted("%u in a step", s.short_steps),
               "A crowd would hold itself up in a whole step, so that it is divided.");
        w.mark("stats.short_steps");
    }
    const auto energy = [](double joules) {
        return std::abs(joules) >= 1e6   ? formatted("%.3f MJ", joules * 1e-6)
               : std::abs(joules) >= 1e3 ? formatted("%.3f kJ", joules * 1e-3)
                                         : formatted("%.3f J", joules);
    };
    w.fact("Kinetic", energy(s.kinetic_energy), "Kinetic energy.");
    w.fact("Potential", energy(s.potential_energy), "Potential energy, relative to z = 0.");
    if (ctx.simulation.dropped_seconds() > 0.0) {
        w.fact("Dropped", formatted("%.1f s", ctx.simulation.dropped_seconds()),
               "Simulated time dropped since the start because the machine could not keep up.");
        w.mark("stats.dropped");
    }
    if (ImGui::TreeNodeEx("Stages of the step##stats.stages", ImGuiTreeNodeFlags_SpanAvailWidth)) {
        w.mark("stats.stages");
        ImGui::Unindent(ImGui::GetStyle().IndentSpacing);
        stage_bars(w, s.times);
        const FrameMetrics& f = metrics;
        const float main_thread = f.input_ms.median() + f.update_ms.median() + f.panels_ms.median() +
                                  f.draw_list_ms.median() + f.cull_ms.median() + f.fill_ms.median();
        w.fact("Picture", formatted("%.2f ms", static_cast<double>(main_thread)),
               "Time the program itself spends per frame; the rest goes to drawing and waiting.");
        w.fact("Drawing", formatted("%d calls", ctx.get<Drawing>().stats.draw_calls), "Draw calls of the last frame.");
        w.fact("Islands", formatted("%u, %u colours", s.islands, s.colours),
               "Groups of bodies that touch or are joined.");
        ImGui::Indent(ImGui::GetStyle().IndentSpacing);
        ImGui::TreePop();
    } else {
        w.mark("stats.stages");
    }
}

} // namespace cairn::ui
