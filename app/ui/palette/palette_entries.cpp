#include "app/ui/palette/palette_entries.h"

#include "app/ui/columns/shown_columns.h"
#include "app/ui/context/context.h"
#include "app/ui/document/scene_list.h"
#include "app/ui/input/actions.h"
#include "app/ui/palette/command_palette.h"
#include "app/ui/screen/drawing.h"
#include "app/ui/screen/panel_list.h"
#include "app/ui/screen/pointing/pointing.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace cairn::ui {

namespace {

using physics::Parameter;

constexpr std::array<OtherWords, 39> words = {{
    {"pause", "play stop freeze resume run continue"},
    {"single_step", "advance frame next"},
    {"step_back", "rewind undo frame previous"},
    {"play_back", "rewind reverse backward"},
    {"last_mark", "event bookmark"},
    {"next_mark", "event bookmark"},
    {"what_if", "compare alternative experiment branch ghost"},
    {"branch_above", "compare ghost timeline"},
    {"branch_below", "compare ghost timeline"},
    {"restart", "reset begin start over"},
    {"slower", "slow motion time scale speed"},
    {"faster", "fast time scale speed"},
    {"save_past", "export snapshot replay"},
    {"toggle_record", "capture export"},
    {"new_scene", "create empty clear"},
    {"open", "import load mesh obj stl ply gltf"},
    {"browser", "load examples demos samples gallery"},
    {"save", "export write"},
    {"save_as", "export write copy"},
    {"quit", "exit close"},
    {"throw_ball", "shoot fire launch"},
    {"spawn", "create add insert"},
    {"delete_selected", "remove erase"},
    {"hide", "invisible visibility unhide"},
    {"duplicate", "copy clone"},
    {"tool_blast", "explode explosion bomb"},
    {"tool_throw", "launch sling shoot"},
    {"tool_measure", "ruler distance angle length"},
    {"tool_join", "joint constraint hinge weld rope chain spring motor connect"},
    {"tool_terrain", "ground terrain sculpt heightfield"},
    {"tool_turn", "rotate gizmo"},
    {"frame_selected", "zoom focus centre fit"},
    {"frame_all", "zoom focus reset view fit"},
    {"plots", "graph chart energy momentum csv export curve"},
    {"save_motion", "csv export trajectory trace speed velocity graph"},
    {"film", "video movie gif mp4 export"},
    {"screenshot", "picture image png export"},
    {"substeps", "iterations accuracy solver"},
    {"hz", "timestep time step delta frequency dt"},
}};

std::string_view words_of(std::string_view id) {
    const auto known = std::ranges::find(words, id, &OtherWords::id);
    return known != words.end() ? known->words : std::string_view();
}

void add(CommandPalette& palette, PaletteEntry entry, const std::string& more = {}) {
    entry.searched = entry.title + ' ' + entry.kind + ' ' + more;
    palette.entries.push_back(std::move(entry));
}

std::string capitalised(std::string text) {
    if (!text.empty()) {
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    }
    return text;
}

void add_switches(Context& ctx) {
    CommandPalette& palette = ctx.get<CommandPalette>();
    for (const DebugLayer& layer : debug_layers()) {
        PaletteEntry entry;
        entry.title = capitalised(layer.name);
        entry.kind = "Layer";
        entry.keys = layer.action != nullptr ? ctx.key_of(layer.action) : "";
        entry.shown = &(ctx.view_options.layers[layer]);
        add(palette, std::move(entry), layer.description);
    }
    const auto add_switch = [&](const char* title, bool& shown, const char* more) {
        PaletteEntry entry;
        entry.title = title;
        entry.kind = "View";
        entry.shown = &shown;
        add(palette, std::move(entry), more);
    };
    add_switch("Textures", ctx.view_options.textures, "surface pictures");
    add_switch("Gamepad", ctx.get<GamepadSettings>().on, "sticks and buttons");
    add_switch("Smooth motion", ctx.get<Drawing>().settings.interpolate, "interpolate between steps");
    add_switch("Ambient occlusion", ctx.get<Drawing>().settings.occlusion, "dark corners");
}

} // namespace

void fill_palette(Context& ctx) {
    CommandPalette& palette = ctx.get<CommandPalette>();
    palette.entries.clear();
    for (const auto& action : ctx.actions.all()) {
        if (action->held() || !action->in_palette) {
            continue;
        }
        PaletteEntry entry;
        entry.title = action->title;
        entry.kind = "Action";
        entry.keys = ctx.key_of(action->id);
        entry.action = action.get();
        add(palette, std::move(entry), std::string(joined(action->group, " ", action->id, " ", words_of(action->id))));
    }
    for (const Parameter& p : physics::parameters) {
        PaletteEntry entry;
        entry.title = std::string(p.label);
        entry.kind = "Parameter";
        entry.parameter = &p;
        add(palette, std::move(entry),
            std::string(joined(p.key, " ", physics::parameter_group_names[static_cast<std::size_t>(p.group)], " ",
                               words_of(p.key))));
    }
    add_switches(ctx);
    for (const auto* column : {&ctx.get<PanelList>().left, &ctx.get<PanelList>().right}) {
        for (const Panel& panel : *column) {
            if (panel.is_section()) {
                PaletteEntry entry;
                entry.title = panel.title;
                entry.kind = "Panel";
                entry.section = panel.id;
                add(palette, std::move(entry), std::string(panel.words));
            }
        }
    }
    list_scenes_once(ctx);
    for (const auto* group : {&ctx.get<SceneList>().shipped, &ctx.get<SceneList>().own}) {
        for (const core::SceneFile& file : *group) {
            PaletteEntry entry;
            entry.title = file.name.empty() ? file.path.stem().string() : file.name;
            entry.kind = "Scene";
            entry.scene = file.path;
            add(palette, std::move(entry), file.path.stem().string());
        }
    }
}

std::span<const OtherWords> other_words() {
    return words;
}

void show_section(Context& ctx, std::string_view id) {
    const std::vector<Panel>& left = ctx.get<PanelList>().left;
    const bool on_left = std::ranges::any_of(left, [id](const Panel& panel) { return panel.id == id; });
    open_column(ctx, on_left ? Column::left : Column::right);
    ctx.widgets.show_section(id);
}

} // namespace cairn::ui
