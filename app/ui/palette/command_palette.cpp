#include "app/ui/palette/command_palette.h"

#include "app/core/base/error.h"
#include "app/core/report/formats/number_text.h"
#include "app/ui/context/context.h"
#include "app/ui/input/actions.h"
#include "app/ui/input/key_codes.h"
#include "app/ui/opening/opening.h"
#include "app/ui/palette/palette_entries.h"
#include "app/ui/text/arithmetic.h"
#include "app/ui/text/fuzzy.h"
#include "app/ui/widgets/rows/parameter_rows.h"

#include <algorithm>
#include <cmath>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

namespace cairn::ui {

namespace {

using physics::Parameter;
using physics::Settings;

constexpr std::size_t rows_a_page = 8;

void look_up(CommandPalette& palette) {
    palette.look_up(palette.entries.size(), [&](std::size_t i) {
        return found_score(palette.typed, palette.entries[i].title, palette.entries[i].searched);
    });
}

std::string value_of(const Context& ctx, const PaletteEntry& entry) {
    if (entry.shown != nullptr) {
        return *entry.shown ? "on" : "off";
    }
    if (entry.parameter == nullptr) {
        return {};
    }
    if (entry.parameter->is_switch()) {
        return ctx.frame().settings.*std::get<bool Settings::*>(entry.parameter->member) ? "on" : "off";
    }
    const FrameText unit = unit_for_people(entry.parameter->unit);
    return parameter_text(ctx.frame().settings, *entry.parameter).append(unit.empty() ? "" : " ").append(unit);
}

void close(CommandPalette& palette) {
    palette.open = false;
    palette.editing = nullptr;
}

void begin_editing(Context& ctx, const Parameter& p) {
    CommandPalette& palette = ctx.get<CommandPalette>();
    palette.editing = &p;
    palette.value = parameter_text(ctx.frame().settings, p);
    palette.problem.clear();
}

void choose(Context& ctx, const PaletteEntry& entry) {
    CommandPalette& palette = ctx.get<CommandPalette>();
    if (entry.parameter != nullptr) {
        if (!entry.parameter->is_switch()) {
            begin_editing(ctx, *entry.parameter);
            return;
        }
        Settings s = ctx.frame().settings;
        bool& value = s.*std::get<bool Settings::*>(entry.parameter->member);
        value = !value;
        ctx.submit(physics::SetSettings{s});
        return; // stays, so that it is seen
    }
    if (entry.shown != nullptr) {
        *entry.shown = !*entry.shown;
        return;
    }
    const Action* action = entry.action;
    const std::filesystem::path scene = entry.scene;
    const std::string_view section = entry.section;
    close(palette);
    if (action != nullptr) {
        action->run(ctx);
    } else if (!section.empty()) {
        show_section(ctx, section);
    } else if (!scene.empty()) {
        open_safely(ctx, scene);
    }
}

void finish_editing(Context& ctx) {
    CommandPalette& palette = ctx.get<CommandPalette>();
    Settings s = ctx.frame().settings;
    palette.problem = set_parameter(s, *palette.editing, palette.value);
    if (palette.problem.empty()) {
        if (!(s == ctx.frame().settings)) {
            ctx.submit(physics::SetSettings{s});
        }
        palette.editing = nullptr;
    }
}

void row(Context& ctx, std::size_t place) {
    CommandPalette& palette = ctx.get<CommandPalette>();
    Widgets& w = ctx.widgets;
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
        choose(ctx, entry);
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
    const std::string value = value_of(ctx, entry);
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

void search_part(Context& ctx) {
    CommandPalette& palette = ctx.get<CommandPalette>();
    Widgets& w = ctx.widgets;
    look_up(palette);
    const float height = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
    const auto rows = static_cast<float>(std::min<std::size_t>(std::max<std::size_t>(palette.found.size(), 1), 10));
    const float most = 0.6f * ctx.window_size().y;
    ImGui::BeginChild("palette.list", ImVec2(0.0f, std::min(rows * height, most)));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(palette.found.size()), height);
    if (palette.moved && palette.chosen < palette.found.size()) {
        clipper.ForceDisplayRangeByIndices(static_cast<int>(palette.chosen), static_cast<int>(palette.chosen) + 1);
    }
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            if (static_cast<std::size_t>(i) < palette.found.size()) {
                row(ctx, static_cast<std::size_t>(i));
            }
        }
    }
    if (palette.found.empty()) {
        w.muted("Nothing matches.");
    }
    ImGui::EndChild();
}

void value_part(Context& ctx) {
    CommandPalette& palette = ctx.get<CommandPalette>();
    const Parameter& p = *palette.editing;
    Widgets& w = ctx.widgets;
    static const Settings standard;
    const FrameText unit = unit_for_people(p.unit);
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(joined(p.label, unit.empty() ? "" : ", in ", unit).c_str());
    w.muted(std::string(p.sentence));
    w.muted(joined(formatted("%.7g to %.7g", static_cast<double>(p.least), static_cast<double>(p.greatest)), ", now ",
                   parameter_text(ctx.frame().settings, p), ", default ", parameter_text(standard, p),
                   ". Enter sets it, Esc goes back."));
    if (!palette.problem.empty()) {
        ImGui::TextColored(theme::bad, "%s", palette.problem.c_str());
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
        std::string operator()(float Settings::*m) const { return core::number_text(s.*m); }
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
    std::string value;
    if (p.is_switch()) {
        value = typed == "on" ? "true" : typed == "off" ? "false" : typed;
    } else if (std::holds_alternative<physics::Vec3 Settings::*>(p.member)) {
        std::string part; // three numbers between blanks or commas
        for (const char c : typed + ' ') {
            if (c != ' ' && c != ',' && c != '[' && c != ']') {
                part += c;
            } else if (const std::optional<double> number = arithmetic(part); number && std::isfinite(*number)) {
                value += (value.empty() ? "[" : ", ") + core::number_text(static_cast<float>(*number));
                part.clear();
            } else if (!part.empty()) {
                return '"' + part + "\" is not a number";
            }
        }
        value += ']';
    } else if (const std::optional<double> number = arithmetic(typed); number && std::isfinite(*number)) {
        value = core::number_text(static_cast<float>(*number));
    } else {
        return '"' + typed + "\" is not a number";
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

void open_palette(Context& ctx) {
    CommandPalette& palette = ctx.get<CommandPalette>();
    if (palette.open) {
        close(palette);
        return;
    }
    palette.show();
    palette.editing = nullptr;
    fill_palette(ctx);
}

bool palette_key(Context& ctx, int key) {
    CommandPalette& palette = ctx.get<CommandPalette>();
    if (!palette.open) {
        return false;
    }
    look_up(palette);
    const std::size_t count = palette.found.size();
    switch (key) {
    case key_escape:
        if (palette.editing != nullptr) {
            palette.editing = nullptr;
        } else {
            close(palette);
        }
        break;
    case key_enter:
        if (palette.editing != nullptr) {
            finish_editing(ctx);
        } else if (palette.chosen < count) {
            choose(ctx, palette.entries[palette.found[palette.chosen]]);
        }
        break;
    case key_down:
        palette.go(palette.chosen + 1 < count ? palette.chosen + 1 : 0);
        break;
    case key_up:
        palette.go(palette.chosen > 0 ? palette.chosen - 1 : count - 1);
        break;
    case key_page_down:
        palette.go(palette.chosen + rows_a_page);
        break;
    case key_page_up:
        palette.go(palette.chosen > rows_a_page ? palette.chosen - rows_a_page : 0);
        break;
    default:
        break; // the field has it
    }
    return true;
}

void draw_palette(Context& ctx) {
    CommandPalette& palette = ctx.get<CommandPalette>();
    if (!palette.open) {
        return;
    }
    Widgets& w = ctx.widgets;
    const float s = w.scale, window = ctx.window_size().x;
    const float width = std::min(540.0f * s, window - 16.0f * s);
    ImGui::SetNextWindowPos(ImVec2(0.5f * window, 0.1f * ctx.window_size().y), ImGuiCond_Always, ImVec2(0.5f, 0.0f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0.0f), ImVec2(width, 0.88f * ctx.window_size().y));
    ImGui::SetNextWindowFocus();
    ImGui::SetNextWindowBgAlpha(1.0f);
    if (ImGui::Begin("palette", nullptr,
                     fixed_window | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_AlwaysAutoResize)) {
        w.next_keeps_keyboard();
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
        if (palette.editing != nullptr) {
            ImGui::InputText("##palette.value", &palette.value, ImGuiInputTextFlags_AutoSelectAll);
            w.mark("palette.value");
            value_part(ctx);
        } else {
            ImGui::InputTextWithHint("##palette.search", "Action, parameter, panel, scene or layer", &palette.typed);
            w.mark("palette.search");
            search_part(ctx);
        }
        w.mark_window("palette");
        const bool elsewhere =
            ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows);
        if (elsewhere && !ImGui::IsWindowAppearing()) {
            close(palette);
        }
    }
    ImGui::End();
}

} // namespace cairn::ui
