#include "app/ui/widgets.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

namespace cairn::ui {

std::string formatted(const char* format, ...) {
    char buffer[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    return buffer;
}

void Widgets::mark(const std::string& name) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
    // Half of an item at the edge of a scrolled column is not something to click at.
    const float x = 0.5f * (low.x + high.x), y = 0.5f * (low.y + high.y);
    if (ImGui::IsItemVisible() && clip.Contains(ImVec2(x, y))) {
        rectangles_[name] = {low.x, low.y, high.x - low.x, high.y - low.y};
    }
}

void Widgets::mark(const std::string& name, const Rectangle& rectangle) {
    rectangles_[name] = rectangle;
}

float Widgets::label_width() const {
    return 104.0f * scale;
}

void Widgets::tip(const std::string& text) const {
    if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
        return;
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10 * scale, 7 * scale));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(300.0f * scale);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

bool Widgets::section(const char* id, const char* title, bool open) {
    ImGui::PushFont(fonts.strong);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(7 * scale, 5 * scale));
    ImGui::SetNextItemOpen(open, ImGuiCond_Once);
    const bool is_open = ImGui::CollapsingHeader((std::string(title) + "##" + id).c_str());
    mark(std::string("section.") + id);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    return is_open;
}

bool Widgets::button(const char* id, const char* title, const char* help, float width, bool enabled) {
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::Button((std::string(title) + "##" + id).c_str(), ImVec2(width, 0.0f));
    ImGui::EndDisabled();
    mark(id);
    tip(help);
    return pressed;
}

bool Widgets::icon_button(const char* id, Icon icon, const std::string& help, bool lit, bool enabled) {
    const float side = ImGui::GetFrameHeight() + 4.0f * scale;
    ImGui::BeginDisabled(!enabled);
    if (lit) {
        ImGui::PushStyleColor(ImGuiCol_Button, theme::accent);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, theme::accent);
    }
    const bool pressed = ImGui::Button((std::string("##") + id).c_str(), ImVec2(side, side));
    if (lit) {
        ImGui::PopStyleColor(2);
    }
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 centre(low.x + 0.5f * side, low.y + 0.5f * side);
    const float r = 0.22f * side; // half of the icon
    ImVec4 colour = lit ? ImVec4(0.10f, 0.11f, 0.13f, 1.0f) : theme::text;
    if (icon == Icon::record && !lit) {
        colour = theme::bad;
    }
    const ImU32 ink = theme::packed(colour, enabled ? 1.0f : 0.4f);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const auto at = [&](float x, float y) { return ImVec2(centre.x + x * r, centre.y + y * r); };
    const float stroke = 1.7f * scale;
    switch (icon) {
    case Icon::play:
        draw->AddTriangleFilled(at(-0.75f, -1), at(1, 0), at(-0.75f, 1), ink);
        break;
    case Icon::pause:
        draw->AddRectFilled(at(-0.85f, -1), at(-0.25f, 1), ink);
        draw->AddRectFilled(at(0.25f, -1), at(0.85f, 1), ink);
        break;
    case Icon::step:
        draw->AddTriangleFilled(at(-0.95f, -1), at(0.45f, 0), at(-0.95f, 1), ink);
        draw->AddRectFilled(at(0.5f, -1), at(0.95f, 1), ink);
        break;
    case Icon::restart:
        draw->PathArcTo(centre, r, -1.2f, 3.6f, 20);
        draw->PathStroke(ink, 0, stroke);
        draw->AddTriangleFilled(at(-0.35f, -1.0f), at(0.55f, -1.55f), at(0.55f, -0.45f), ink);
        break;
    case Icon::record:
        draw->AddCircleFilled(centre, r, ink, 24);
        break;
    case Icon::stop:
        draw->AddRectFilled(at(-0.85f, -0.85f), at(0.85f, 0.85f), ink, 1.5f * scale);
        break;
    case Icon::help: {
        const ImVec2 size = ImGui::CalcTextSize("?");
        draw->AddText(ImVec2(centre.x - 0.5f * size.x, centre.y - 0.5f * size.y), ink, "?");
        break;
    }
    case Icon::camera:
        draw->AddRect(at(-1.1f, -0.6f), at(1.1f, 0.9f), ink, 2.0f * scale, 0, stroke);
        draw->AddCircle(at(0, 0.15f), 0.42f * r, ink, 16, stroke);
        draw->AddRectFilled(at(-0.4f, -1.0f), at(0.4f, -0.6f), ink);
        break;
    case Icon::reset:
        draw->PathArcTo(centre, 0.8f * r, -1.2f, 3.6f, 16);
        draw->PathStroke(ink, 0, stroke);
        break;
    case Icon::fold_left:
        draw->AddTriangleFilled(at(0.6f, -1), at(-0.8f, 0), at(0.6f, 1), ink);
        break;
    case Icon::fold_right:
        draw->AddTriangleFilled(at(-0.6f, -1), at(0.8f, 0), at(-0.6f, 1), ink);
        break;
    case Icon::unfold:
        for (const float y : {-0.8f, 0.0f, 0.8f}) {
            draw->AddLine(at(-1, y), at(1, y), ink, stroke);
        }
        break;
    }
    ImGui::EndDisabled();
    mark(id);
    tip(help);
    return pressed;
}

bool Widgets::toggle(const char* id, const char* title, bool& value, const char* help) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(2.0f * scale, 1.5f * scale));
    const bool changed = ImGui::Checkbox((std::string(title) + "##" + id).c_str(), &value);
    ImGui::PopStyleVar();
    mark(id);
    tip(help);
    return changed;
}

void Widgets::label(const char* text, const NumberSpec* spec) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(theme::muted, "%s", text);
    if (spec != nullptr && *spec->help != '\0') {
        std::string range;
        if (spec->high > spec->low) {
            range = formatted("\n%g to %g %s. Drag, or click to type.", static_cast<double>(spec->low),
                              static_cast<double>(spec->high), spec->unit);
        }
        tip(std::string(spec->help) + range);
    }
    ImGui::SameLine(label_width());
}

bool Widgets::reset_button(const char* id) {
    const float side = ImGui::GetFrameHeight();
    ImGui::SameLine(0.0f, 3.0f * scale);
    const bool pressed = ImGui::InvisibleButton((std::string("reset##") + id).c_str(), ImVec2(side * 0.8f, side));
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const ImVec2 centre(0.5f * (low.x + high.x), 0.5f * (low.y + high.y));
    const ImU32 ink = theme::packed(ImGui::IsItemHovered() ? theme::accent : theme::muted);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float r = 0.2f * side;
    draw->PathArcTo(centre, r, -1.2f, 3.6f, 14);
    draw->PathStroke(ink, 0, 1.4f * scale);
    draw->AddTriangleFilled(ImVec2(centre.x - 0.3f * r, centre.y - 1.0f * r),
                            ImVec2(centre.x + 0.7f * r, centre.y - 1.7f * r),
                            ImVec2(centre.x + 0.7f * r, centre.y - 0.3f * r), ink);
    mark(std::string(id) + ".reset");
    return pressed;
}

bool Widgets::number_field(const char* id, const char* text, float& value, const NumberSpec& spec,
                           const float* standard) {
    label(text, &spec);
    const bool can_reset = standard != nullptr && !(value == *standard);
    const float room = ImGui::GetContentRegionAvail().x;
    const float reset_room = standard != nullptr ? ImGui::GetFrameHeight() * 0.8f + 3.0f * scale : 0.0f;
    ImGui::SetNextItemWidth(room - reset_room);
    const std::string format = *spec.unit != '\0' ? std::string(spec.format) + " " + spec.unit : spec.format;
    float edited = value;
    ImGui::PushFont(fonts.mono);
    bool changed =
        ImGui::DragFloat((std::string("##") + id).c_str(), &edited, spec.speed, spec.low, spec.high, format.c_str(),
                         ImGuiSliderFlags_AlwaysClamp | (spec.logarithmic ? ImGuiSliderFlags_Logarithmic : 0));
    ImGui::PopFont();
    mark(id);
    if (can_reset && reset_button(id)) {
        edited = *standard;
        changed = true;
    }
    if (changed && edited == edited) { // a typed "nan" changes nothing
        value = std::clamp(edited, spec.low, spec.high);
        return true;
    }
    return false;
}

bool Widgets::number(const char* id, const char* text, float& value, const NumberSpec& spec, float standard) {
    return number_field(id, text, value, spec, &standard);
}

bool Widgets::number(const char* id, const char* text, float& value, const NumberSpec& spec) {
    return number_field(id, text, value, spec, nullptr);
}

bool Widgets::whole(const char* id, const char* text, int& value, const NumberSpec& spec, int standard) {
    label(text, &spec);
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::SetNextItemWidth(room - ImGui::GetFrameHeight() * 0.8f - 3.0f * scale);
    int edited = value;
    const std::string format = std::string("%d ") + spec.unit;
    ImGui::PushFont(fonts.mono);
    bool changed = ImGui::DragInt((std::string("##") + id).c_str(), &edited, spec.speed, static_cast<int>(spec.low),
                                  static_cast<int>(spec.high), format.c_str(), ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopFont();
    mark(id);
    if (value != standard && reset_button(id)) {
        edited = standard;
        changed = true;
    }
    if (changed) {
        value = std::clamp(edited, static_cast<int>(spec.low), static_cast<int>(spec.high));
    }
    return changed;
}

bool Widgets::vector(const char* id, const char* text, glm::vec3& value, const NumberSpec& spec) {
    label(text, &spec);
    ImGui::PushFont(fonts.mono);
    // Three fields leave no room for the unit behind each number: it stands once, at the end of the label.
    const ImVec2 field = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddText(
        ImVec2(field.x - ImGui::CalcTextSize(spec.unit).x - 6.0f * scale, field.y + ImGui::GetStyle().FramePadding.y),
        theme::packed(theme::muted, 0.75f), spec.unit);
    glm::vec3 edited = value;
    const float spacing = 3.0f * scale;
    const float width = (ImGui::GetContentRegionAvail().x - 2.0f * spacing) / 3.0f;
    bool changed = false;
    const char* axes[] = {".x", ".y", ".z"};
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(2.0f * scale, ImGui::GetStyle().FramePadding.y));
    for (int i = 0; i < 3; ++i) {
        if (i > 0) {
            ImGui::SameLine(0.0f, spacing);
        }
        ImGui::SetNextItemWidth(width);
        const std::string name = std::string(id) + axes[i];
        changed |= ImGui::DragFloat(("##" + name).c_str(), &edited[i], spec.speed, spec.low, spec.high, spec.format,
                                    ImGuiSliderFlags_AlwaysClamp);
        mark(name);
        if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) {
            tip(std::string(text) + " " + "XYZ"[i] + ", " + spec.unit);
        }
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
    if (changed && edited == edited) {
        value = glm::clamp(edited, glm::vec3(spec.low), glm::vec3(spec.high));
        return true;
    }
    return false;
}

bool Widgets::choice(const char* id, const char* text, int& value, const char* const* names, int count,
                     const char* help) {
    NumberSpec spec;
    spec.help = help;
    spec.high = spec.low;
    label(text, &spec);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    bool changed = false;
    const bool open =
        ImGui::BeginCombo((std::string("##") + id).c_str(), value >= 0 && value < count ? names[value] : "");
    mark(id);
    if (open) {
        for (int i = 0; i < count; ++i) {
            if (ImGui::Selectable(names[i], i == value)) {
                value = i;
                changed = true;
            }
            mark(std::string(id) + "." + names[i]);
        }
        ImGui::EndCombo();
    }
    return changed;
}

bool Widgets::text(const char* id, const char* hint, std::string& value, float width) {
    ImGui::SetNextItemWidth(width);
    const bool entered =
        ImGui::InputTextWithHint((std::string("##") + id).c_str(), hint, &value, ImGuiInputTextFlags_EnterReturnsTrue);
    mark(id);
    return entered;
}

void Widgets::fact(const char* text, const std::string& value, const char* help) {
    ImGui::TextColored(theme::muted, "%s", text);
    tip(help);
    ImGui::SameLine(label_width());
    ImGui::PushFont(fonts.mono);
    ImGui::TextUnformatted(value.c_str());
    ImGui::PopFont();
}

void Widgets::muted(const std::string& text, bool wrapped) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::muted);
    if (wrapped) {
        ImGui::PushTextWrapPos(0.0f);
    }
    ImGui::TextUnformatted(text.c_str());
    if (wrapped) {
        ImGui::PopTextWrapPos();
    }
    ImGui::PopStyleColor();
}

} // namespace cairn::ui
