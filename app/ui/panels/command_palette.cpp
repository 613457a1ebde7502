#include "app/ui/panels/command_palette.h"

#include "app/core/base/error.h"
#include "app/core/report/number_text.h"
#include "app/ui/actions.h"
#include "app/ui/fuzzy.h"
#include "app/ui/key_codes.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/parameter_rows.h"

#include <algorithm>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

namespace cairn::ui {

namespace {

using physics::Parameter;
using physics::Settings;

constexpr std::size_t rows_a_page = 8;

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

void add_switches(App& app) {
    CommandPalette& palette = app.palette;
    // The keys of the layers are in their order.
    constexpr auto first = static_cast<std::size_t>(Action::layer_1), last = static_cast<std::size_t>(Action::layer_7);
    std::size_t i = first;
    for (const DebugLayer& layer : debug_layers()) {
        PaletteEntry entry;
        entry.title = capitalised(layer.name);
        entry.kind = "Layer";
        entry.keys = i <= last ? key_of(static_cast<Action>(i)) : "";
        entry.shown = &(app.view_options.layers.*(layer.shown));
        add(palette, std::move(entry), layer.description);
        ++i;
    }
    const auto add_switch = [&](const char* title, bool& shown, const char* more) {
        PaletteEntry entry;
        entry.title = title;
        entry.kind = "View";
        entry.shown = &shown;
        add(palette, std::move(entry), more);
    };
    add_switch("Textures", app.view_options.textures, "surface pictures");
    add_switch("Smooth motion", app.draw.interpolate, "interpolate between steps");
    add_switch("Ambient occlusion", app.draw.occlusion, "dark corners");
}

void fill_palette(App& app) {
    CommandPalette& palette = app.palette;
    palette.entries.clear();
    for (const KeyBinding& binding : default_key_bindings()) {
        const bool layer = binding.action >= Action::layer_1 && binding.action <= Action::layer_7;
        const bool known = std::any_of(palette.entries.begin(), palette.entries.end(),
                                       [&](const PaletteEntry& e) { return e.action == binding.action; });
        if (binding.held || layer || known || binding.action == Action::palette) {
            continue;
        }
        PaletteEntry entry;
        entry.title = binding.description;
        entry.kind = "Action";
        entry.keys = key_of(binding.action);
        entry.action = binding.action;
        add(palette, std::move(entry), std::string(binding.group) + ' ' + binding.id);
    }
    for (const Parameter& p : physics::parameters) {
        PaletteEntry entry;
        entry.title = std::string(p.label);
        entry.kind = "Parameter";
        entry.parameter = &p;
        add(palette, std::move(entry),
            std::string(p.key) + ' ' + std::string(physics::parameter_group_names[static_cast<std::size_t>(p.group)]));
    }
    add_switches(app);
    list_scenes_once(app);
    for (const auto* group : {&app.scenes.shipped, &app.scenes.own}) {
        for (const core::SceneFile& file : *group) {
            PaletteEntry entry;
            entry.title = file.name.empty() ? file.path.stem().string() : file.name;
            entry.kind = "Scene";
            entry.scene = file.path;
            add(palette, std::move(entry), file.path.stem().string());
        }
    }
}

void look_up(CommandPalette& palette) {
    if (palette.found_with == palette.typed) {
        return;
    }
    palette.found_with = palette.typed;
    palette.found.clear();
    std::vector<std::pair<int, std::size_t>> scored;
    for (std::size_t i = 0; i < palette.entries.size(); ++i) {
        const PaletteEntry& entry = palette.entries[i];
        if (const auto score = found_score(palette.typed, entry.title, entry.searched)) {
            scored.emplace_back(*score, i);
        }
    }
    std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [score, i] : scored) {
        palette.found.push_back(i);
    }
    palette.chosen = 0;
    palette.moved = true;
}

std::string value_of(const App& app, const PaletteEntry& entry) {
    if (entry.shown != nullptr) {
        return *entry.shown ? "on" : "off";
    }
    if (entry.parameter == nullptr) {
        return {};
    }
    if (entry.parameter->is_switch()) {
        return app.frame().settings.*std::get<bool Settings::*>(entry.parameter->member) ? "on" : "off";
    }
    const FrameText unit = unit_for_people(entry.parameter->unit);
    return parameter_text(app.frame().settings, *entry.parameter).append(unit.empty() ? "" : " ").append(unit);
}

void close(CommandPalette& palette) {
    palette.open = false;
    palette.editing = nullptr;
}

void begin_editing(App& app, const Parameter& p) {
    CommandPalette& palette = app.palette;
    palette.editing = &p;
    palette.value = parameter_text(app.frame().settings, p);
    palette.problem.clear();
    palette.focus_frames = 2;
}

void choose(App& app, const PaletteEntry& entry) {
    CommandPalette& palette = app.palette;
    if (entry.parameter != nullptr) {
        if (!entry.parameter->is_switch()) {
            begin_editing(app, *entry.parameter);
            return;
        }
        Settings s = app.frame().settings;
        bool& value = s.*std::get<bool Settings::*>(entry.parameter->member);
        value = !value;
        app.submit(physics::SetSettings{s});
        return; // stays, so that it is seen
    }
    if (entry.shown != nullptr) {
        *entry.shown = !*entry.shown;
        return;
    }
    const std::optional<Action> action = entry.action;
    const std::filesystem::path scene = entry.scene;
    close(palette);
    if (action) {
        perform(app, *action);
    } else if (!scene.empty()) {
        open_safely(app, scene);
    }
}

void finish_editing(App& app) {
    CommandPalette& palette = app.palette;
    Settings s = app.frame().settings;
    palette.problem = set_parameter(s, *palette.editing, palette.value);
    palette.focus_frames = 2;
    if (palette.problem.empty()) {
        if (!(s == app.frame().settings)) {
            app.submit(physics::SetSettings{s});
        }
        palette.editing = nullptr;
    }
}

void row(App& app, std::size_t place) {
    CommandPalette& palette = app.palette;
    Widgets& w = app.widgets;
    const PaletteEntry& entry = palette.entries[palette.found[place]];
    ImGui::PushID(static_cast<int>(place));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const bool chosen = place == palette.chosen;
    if (chosen) {
        ImGui::PushStyleColor(ImGuiCol_Header, ImVec4(theme::accent.x, theme::accent.y, theme::accent.z, 0.22f));
    }
    if (ImGui::Selectable("##entry", chosen, 0, ImVec2(width, ImGui::GetFrameHeight()))) {
        palette.chosen = place;
        choose(app, entry);
    }
    if (chosen) {
        ImGui::PopStyleColor();
        if (palette.moved) {
            ImGui::SetScrollHereY();
            palette.moved = false;
        }
        w.mark("palette.chosen");
    }
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float top = at.y + ImGui::GetStyle().FramePadding.y, pad = 8.0f * w.scale;
    const std::string value = value_of(app, entry);
    const std::string right = value.empty() ? entry.keys : entry.keys.empty() ? value : value + "   " + entry.keys;
    ImGui::PushFont(w.fonts.mono);
    const float right_width = ImGui::CalcTextSize(right.c_str()).x;
    draw->AddText(ImVec2(at.x + width - right_width - pad, top), theme::packed(theme::accent), right.c_str());
    ImGui::PopFont();
    const float kind = ImGui::CalcTextSize("Parameter").x;
    draw->AddText(ImVec2(at.x + pad, top), theme::packed(theme::muted), entry.kind.c_str());
    const ImVec4 room(at.x + 2.0f * pad + kind, at.y, at.x + width - right_width - 2.0f * pad, at.y + 100.0f);
    draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(), ImVec2(room.x, top), theme::packed(theme::text),
                  entry.title.c_str(), nullptr, 0.0f, &room);
    ImGui::PopID();
}

void search_part(App& app) {
    CommandPalette& palette = app.palette;
    Widgets& w = app.widgets;
    look_up(palette);
    const float height = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
    const auto rows = static_cast<float>(std::min<std::size_t>(std::max<std::size_t>(palette.found.size(), 1), 10));
    const float most = 0.6f * static_cast<float>(app.window.height);
    ImGui::BeginChild("palette.list", ImVec2(0.0f, std::min(rows * height, most)));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(palette.found.size()), height);
    if (palette.moved && palette.chosen < palette.found.size()) {
        clipper.ForceDisplayRangeByIndices(static_cast<int>(palette.chosen), static_cast<int>(palette.chosen) + 1);
    }
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            if (static_cast<std::size_t>(i) < palette.found.size()) {
                row(app, static_cast<std::size_t>(i));
            }
        }
    }
    if (palette.found.empty()) {
        w.muted("Nothing matches.");
    }
    ImGui::EndChild();
}

void value_part(App& app) {
    const Parameter& p = *app.palette.editing;
    Widgets& w = app.widgets;
    static const Settings standard;
    const FrameText unit = unit_for_people(p.unit);
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(joined(p.label, unit.empty() ? "" : ", in ", unit).c_str());
    w.muted(std::string(p.sentence));
    w.muted(joined(formatted("%.7g to %.7g", static_cast<double>(p.least), static_cast<double>(p.greatest)), ", now ",
                   parameter_text(app.frame().settings, p), ", default ", parameter_text(standard, p),
                   ". Enter sets it, Esc goes back."));
    if (!app.palette.problem.empty()) {
        ImGui::TextColored(theme::bad, "%s", app.palette.problem.c_str());
        w.mark("palette.problem");
    }
    ImGui::PopTextWrapPos();
}

} // namespace

std::string parameter_text(const Settings& settings, const Parameter& p) {
    struct Text {
        const Settings& s;
        std::string operator()(bool Settings::*m) const { return s.*m ? "true" : "false"; }
        std::string operator()(int Settings::*m) const { return std::to_string(s.*m); }
        std::string operator()(float Settings::*m) const {
            std::string text;
            core::append_number(text, s.*m);
            return text;
        }
        std::string operator()(physics::Vec3 Settings::*m) const {
            std::string text = "[";
            for (int i = 0; i < 3; ++i) {
                text += i > 0 ? ", " : "";
                core::append_number(text, (s.*m)[i]);
            }
            return text + ']';
        }
    };
    return std::visit(Text{settings}, p.member);
}

std::string set_parameter(Settings& settings, const Parameter& p, const std::string& typed) {
    std::string value = typed;
    if (std::holds_alternative<physics::Vec3 Settings::*>(p.member) && value.find('[') == std::string::npos) {
        // Three numbers between blanks or commas.
        std::string list;
        bool between = true;
        for (const char c : value) {
            if (c == ' ' || c == ',') {
                between = true;
                continue;
            }
            list += between && !list.empty() ? ", " : "";
            list += c;
            between = false;
        }
        value = '[' + list + ']';
    }
    if (p.is_switch()) {
        value = value == "on" ? "true" : value == "off" ? "false" : value;
    }
    core::Scene scene;
    scene.settings = settings;
    try {
        core::set_value(scene,
                        (p.section.empty() ? "" : std::string(p.section) + '.') + std::string(p.key) + '=' + value);
    } catch (const core::InputError& error) {
        return error.message();
    }
    settings = scene.settings;
    return {};
}

void open_palette(App& app) {
    CommandPalette& palette = app.palette;
    if (palette.open) {
        close(palette);
        return;
    }
    palette.open = true;
    palette.typed.clear();
    palette.found_with.reset();
    palette.editing = nullptr;
    palette.focus_frames = 2;
    fill_palette(app);
}

bool palette_key(App& app, int key) {
    CommandPalette& palette = app.palette;
    if (!palette.open) {
        return false;
    }
    look_up(palette);
    const std::size_t count = palette.found.size();
    const auto go = [&](std::size_t to) {
        palette.chosen = count == 0 ? 0 : std::min(to, count - 1);
        palette.moved = true;
    };
    switch (key) {
    case key_escape:
        if (palette.editing != nullptr) {
            palette.editing = nullptr;
            palette.focus_frames = 2;
        } else {
            close(palette);
        }
        break;
    case key_enter:
        if (palette.editing != nullptr) {
            finish_editing(app);
        } else if (palette.chosen < count) {
            choose(app, palette.entries[palette.found[palette.chosen]]);
            palette.focus_frames = 2;
        }
        break;
    case key_down:
        go(palette.chosen + 1 < count ? palette.chosen + 1 : 0);
        break;
    case key_up:
        go(palette.chosen > 0 ? palette.chosen - 1 : count - 1);
        break;
    case key_page_down:
        go(palette.chosen + rows_a_page);
        break;
    case key_page_up:
        go(palette.chosen > rows_a_page ? palette.chosen - rows_a_page : 0);
        break;
    default:
        break; // the field has it
    }
    return true;
}

void draw_palette(App& app) {
    CommandPalette& palette = app.palette;
    if (!palette.open) {
        return;
    }
    Widgets& w = app.widgets;
    const float s = w.scale, window = static_cast<float>(app.window.width);
    const float width = std::min(540.0f * s, window - 16.0f * s);
    ImGui::SetNextWindowPos(ImVec2(0.5f * window, 0.1f * static_cast<float>(app.window.height)), ImGuiCond_Always,
                            ImVec2(0.5f, 0.0f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0.0f),
                                        ImVec2(width, 0.88f * static_cast<float>(app.window.height)));
    ImGui::SetNextWindowFocus();
    ImGui::SetNextWindowBgAlpha(1.0f);
    if (ImGui::Begin("palette", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav)) {
        // Enter and Esc take the keyboard from the field, which goes on typing here.
        if (palette.focus_frames > 0) {
            --palette.focus_frames;
            ImGui::SetKeyboardFocusHere();
        }
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
        if (palette.editing != nullptr) {
            ImGui::InputText("##palette.value", &palette.value, ImGuiInputTextFlags_AutoSelectAll);
            w.mark("palette.value");
            value_part(app);
        } else {
            ImGui::InputTextWithHint("##palette.search", "Action, parameter, scene or layer", &palette.typed);
            w.mark("palette.search");
            search_part(app);
        }
        const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        w.mark("palette", {at.x, at.y, size.x, size.y});
        const bool elsewhere =
            ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows);
        if (elsewhere && palette.focus_frames == 0) {
            close(palette);
        }
    }
    ImGui::End();
}

} // namespace cairn::ui
