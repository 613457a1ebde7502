#include "app/ui/panels/panels.h"

namespace cairn::ui {

namespace {

struct GravityPreset {
    const char* name;
    float z; // m/s^2
};
constexpr GravityPreset presets[] = {
    {"Earth", -9.81f}, {"Moon", -1.62f}, {"Mars", -3.71f}, {"Jupiter", -24.79f}, {"None", 0.0f}};

bool gravity(Widgets& w, physics::Settings& s) {
    bool changed =
        w.vector("world.gravity", "Gravity", s.gravity,
                 {"m/s²", -100.0f, 100.0f, 0.05f, "%.2f", "Acceleration of free fall: east, north, up, in m/s²."});
    const float spacing = 3.0f * w.scale;
    const float width = (ImGui::GetContentRegionAvail().x - 4.0f * spacing) / 5.0f;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(1.0f * w.scale, ImGui::GetStyle().FramePadding.y));
    for (const GravityPreset& preset : presets) {
        if (&preset != presets) {
            ImGui::SameLine(0.0f, spacing);
        }
        const std::string id = std::string("world.gravity.") + preset.name;
        const std::string help = formatted("%.2f m/s² downwards", static_cast<double>(-preset.z));
        if (w.button(id.c_str(), preset.name, help.c_str(), width)) {
            s.gravity = {0.0f, 0.0f, preset.z};
            changed = true;
        }
    }
    ImGui::PopStyleVar();
    return changed;
}

bool contact_settings(Widgets& w, physics::Settings& s) {
    const physics::Settings d;
    bool changed = false;
    changed |=
        w.number("world.contact_hertz", "Stiffness", s.contact_hertz,
                 {"1/s", 1.0f, 240.0f, 0.2f, "%.0f",
                  "Stiffness of contacts; higher carries higher stacks. At most a fifth of the substep rate is used."},
                 d.contact_hertz);
    changed |= w.number("world.contact_damping_ratio", "Damping", s.contact_damping_ratio,
                        {"", 0.1f, 100.0f, 0.05f, "%.1f", "Damping ratio of contacts; 1 is critical.", true},
                        d.contact_damping_ratio);
    changed |=
        w.number("world.max_push_speed", "Push speed", s.max_push_speed,
                 {"m/s", 0.0f, 100.0f, 0.05f, "%.1f", "Fastest speed at which overlapping bodies are pushed apart."},
                 d.max_push_speed);
    changed |= w.number("world.restitution_threshold", "Bounce above", s.restitution_threshold,
                        {"m/s", 0.0f, 100.0f, 0.02f, "%.2f", "Slower impacts do not bounce."}, d.restitution_threshold);
    changed |= w.number(
        "world.linear_slop", "Slop", s.linear_slop,
        {"m", 0.0f, 0.1f, 0.0001f, "%.4f", "Depth that CCD leaves alone, and within which bodies count as touching."},
        d.linear_slop);
    changed |= w.number("world.speculative_distance", "Look-ahead", s.speculative_distance,
                        {"m", 0.0f, 1.0f, 0.0005f, "%.3f", "Contacts are made ahead of touching within this gap."},
                        d.speculative_distance);
    changed |= w.number("world.sleep_speed", "Sleep below", s.sleep_speed,
                        {"m/s", 0.0f, 10.0f, 0.001f, "%.3f", "A body slower than this at every point is quiet."},
                        d.sleep_speed);
    changed |= w.number("world.sleep_time", "Sleep after", s.sleep_time,
                        {"s", 0.0f, 60.0f, 0.01f, "%.2f", "Bodies that touch sleep when all are quiet for so long."},
                        d.sleep_time);
    return changed;
}

} // namespace

void world_panel(App& app) {
    Widgets& w = app.widgets;
    if (!w.section("world", "World", true)) {
        return;
    }
    physics::Settings s = app.frame().settings;
    const physics::Settings standard;
    ImGui::BeginDisabled(app.runner.replay().has_value());

    bool changed = gravity(w, s);
    changed |= w.number("world.hz", "Rate", s.hz,
                        {"Hz", 10.0f, 1000.0f, 0.5f, "%.0f", "Steps per simulated second.", true}, standard.hz);
    changed |= w.whole("world.substeps", "Substeps", s.substeps,
                       {"", 1.0f, 64.0f, 0.05f, "%d", "Solver substeps per step. More are stiffer and cost more."},
                       standard.substeps);
    changed |=
        w.toggle("world.sleeping", "Sleeping", s.sleeping, "Lets quiet bodies rest until something touches them.");
    ImGui::SameLine(w.label_width() + 30.0f * w.scale);
    changed |= w.toggle("world.continuous", "Fast bodies (CCD)", s.continuous,
                        "Stops fast bodies at the first thing in their way, so that none passes through.");
    changed |= w.toggle("world.warm_starting", "Warm starting", s.warm_starting,
                        "Starts each solve from the impulses of the last step. Off: stacks turn soft.");
    if (ImGui::TreeNodeEx("Contacts and sleep##world.advanced", ImGuiTreeNodeFlags_SpanAvailWidth)) {
        w.mark("world.advanced");
        ImGui::Unindent(ImGui::GetStyle().IndentSpacing);
        changed |= contact_settings(w, s);
        ImGui::Indent(ImGui::GetStyle().IndentSpacing);
        ImGui::TreePop();
    } else {
        w.mark("world.advanced");
    }
    ImGui::EndDisabled();
    if (changed) {
        app.submit(physics::SetSettings{s});
    }
}

} // namespace cairn::ui
