// The World panel holds every parameter of the step, by group. What a person does with it: looks one up by any word of
// it, hovers to read what it does, its range and default; drags it, or clicks and types; sees at a glance what is not
// as usual (lit labels, numbers at the groups' heads, "changed only"), resets one, or all, and takes that back.
#include "app/ui/panels/panels.h"
#include "app/ui/widgets/rows/parameter_rows.h"

#include <algorithm>

namespace cairn::ui {

namespace {

using physics::Parameter;
using physics::ParameterGroup;
using physics::Settings;

struct GravityPreset {
    const char* name;
    float z; // m/s^2
};
constexpr GravityPreset presets[] = {
    {"Earth", -9.81f}, {"Moon", -1.62f}, {"Mars", -3.71f}, {"Jupiter", -24.79f}, {"None", 0.0f}};

bool gravity_presets(Widgets& w, Settings& s) {
    bool changed = false;
    const float spacing = 3.0f * w.scale;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(1.0f * w.scale, ImGui::GetStyle().FramePadding.y));
    float widest = 0.0f;
    for (const GravityPreset& preset : presets) {
        widest = std::max(widest, ImGui::CalcTextSize(preset.name).x + 2.0f * ImGui::GetStyle().FramePadding.x);
    }
    const float room = ImGui::GetContentRegionAvail().x;
    const int in_row = 5.0f * widest + 4.0f * spacing <= room ? 5 : 3;
    const float width = (room - static_cast<float>(in_row - 1) * spacing) / static_cast<float>(in_row);
    for (const GravityPreset& preset : presets) {
        if ((&preset - presets) % in_row != 0) {
            ImGui::SameLine(0.0f, spacing);
        }
        const FrameText id = joined("world.gravity.", preset.name);
        const FrameText help = formatted("%.2f m/s² downwards", static_cast<double>(-preset.z));
        if (w.button(id.c_str(), preset.name, help.c_str(), width)) {
            s.gravity = {0.0f, 0.0f, preset.z};
            changed = true;
        }
    }
    ImGui::PopStyleVar();
    return changed;
}

int count_changed(const Settings& s, std::optional<ParameterGroup> group = std::nullopt) {
    static const Settings standard;
    return static_cast<int>(std::ranges::count_if(physics::parameters, [&](const Parameter& p) {
        return (!group || p.group == *group) && physics::differs(s, standard, p);
    }));
}

void search_row(Widgets& w, WorldPanelState& state) {
    const char* title = "Changed only";
    const float spacing = 6.0f * w.scale;
    const float toggle = ImGui::CalcTextSize(title).x + ImGui::GetFrameHeight() + 6.0f * w.scale;
    w.text("world.filter", "Find", state.filter, ImGui::GetContentRegionAvail().x - toggle - spacing);
    w.tip("Shows the parameters with this text in their name, description or key in files.");
    ImGui::SameLine(0.0f, spacing);
    w.toggle("world.changed_only", title, state.changed_only,
             "Shows only the parameters that differ from their defaults.");
}

// What differs, and the way back. Resetting loses what was tuned: until something else changes it can be taken back.
bool reset_row(Widgets& w, WorldPanelState& state, Settings& s, const Settings& at_start) {
    const int changed = count_changed(s);
    // A reset shows in the published settings after the next step only.
    if (state.before_reset && !(s == state.after_reset) && !(s == *state.before_reset)) {
        state.before_reset.reset();
    }
    const bool as_scene = s == at_start;
    if (changed == 0 && as_scene && !state.before_reset) {
        return false;
    }
    const auto replace = [&](const Settings& by) {
        state.before_reset = s;
        state.after_reset = by;
        s = by;
        return true;
    };
    const float spacing = 4.0f * w.scale;
    // Each as wide as its title takes, and the rest of the row shared.
    static constexpr const char* titles[] = {"Defaults", "Scene values", "Undo reset"};
    const auto width_of = [](const char* title) { return ImGui::CalcTextSize(title).x; };
    const float texts = width_of(titles[0]) + width_of(titles[1]) + width_of(titles[2]);
    const float around = (ImGui::GetContentRegionAvail().x - 2.0f * spacing - texts) / 3.0f;
    bool pressed = false;
    if (w.button(
            "world.reset_all", titles[0],
            formatted("Resets all parameters: %d differ%s from the default.", changed, changed == 1 ? "s" : "").c_str(),
            width_of(titles[0]) + around, changed > 0)) {
        pressed = replace(Settings{});
    }
    ImGui::SameLine(0.0f, spacing);
    if (w.button("world.as_scene", titles[1], "Resets all parameters to the values in the scene file.",
                 width_of(titles[1]) + around, !as_scene && !pressed)) {
        pressed = replace(at_start);
    }
    ImGui::SameLine(0.0f, spacing);
    if (w.button("world.take_back", titles[2], "Undoes the last reset of all parameters.", width_of(titles[2]) + around,
                 state.before_reset.has_value() && !pressed)) {
        s = *state.before_reset;
        state.before_reset.reset();
        pressed = true;
    }
    return pressed;
}

bool group_rows(Widgets& w, ParameterGroup group, const WorldPanelState& state, Settings& s, const Settings& at_start) {
    static const Settings standard;
    const bool looking = !state.filter.empty() || state.changed_only;
    const auto shown = [&](const Parameter& p) {
        return p.group == group && is_meant(p, state.filter) &&
               (!state.changed_only || physics::differs(s, standard, p));
    };
    if (std::ranges::none_of(physics::parameters, shown)) {
        return false;
    }
    const std::string_view name = physics::parameter_group_names[static_cast<std::size_t>(group)];
    const FrameText id = joined("world.group.", name);
    // What was found is open; the groups are again as they were once nothing is looked for.
    const int changed_here = count_changed(s, group);
    auto remembered = w.sections().find(std::string_view(id));
    if (remembered == w.sections().end()) {
        remembered =
            w.sections()
                .emplace(std::string_view(id), group == ParameterGroup::gravity || group == ParameterGroup::time)
                .first;
    }
    ImGui::SetNextItemOpen(looking || remembered->second, looking ? ImGuiCond_Always : ImGuiCond_Once);
    if (changed_here > 0) {
        ImGui::PushStyleColor(ImGuiCol_Text, theme::accent);
    }
    const FrameText changes = changed_here > 0 ? formatted("  · %d changed", changed_here) : FrameText();
    const bool open = ImGui::TreeNodeEx(joined(name, changes, "###", id, looking ? ".found" : "").c_str(),
                                        ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_NoTreePushOnOpen);
    if (changed_here > 0) {
        ImGui::PopStyleColor();
    }
    w.mark(id);
    remembered->second = looking ? remembered->second : open;
    if (!open) {
        return false;
    }
    bool changed = false;
    for (const Parameter& p : physics::parameters) {
        if (shown(p)) {
            changed |= parameter_row(w, p, s, at_start);
        }
    }
    return (group == ParameterGroup::gravity && gravity_presets(w, s)) || changed;
}

} // namespace

void WorldPanel::operator()(Context& ctx) {
    Widgets& w = ctx.widgets;
    Settings s = ctx.frame().settings;
    const Settings& at_start = ctx.simulation.scene().settings;
    WorldPanelState& state = state_;
    search_row(w, state);
    ImGui::BeginDisabled(ctx.simulation.replay().has_value());
    bool changed = false, any = false;
    for (std::size_t group = 0; group < physics::parameter_group_names.size(); ++group) {
        const float before = ImGui::GetCursorPosY();
        changed |= group_rows(w, static_cast<ParameterGroup>(group), state, s, at_start);
        any |= ImGui::GetCursorPosY() > before;
    }
    if (!any) {
        w.muted(state.filter.empty() ? "Nothing differs from its default." : "No parameter matches.");
    }
    changed |= reset_row(w, state, s, at_start);
    ImGui::EndDisabled();
    if (changed) {
        ctx.submit(physics::SetSettings{s});
    }
}

} // namespace cairn::ui
