// Fields for numbers: dragged or typed, with their limits, units and reset.
#include "app/ui/text/arithmetic.h"
#include "app/ui/text/number_format.h"
#include "app/ui/widgets/widgets.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <imgui_internal.h>
#include <limits>

namespace cairn::ui {

namespace {

FrameText with_unit(std::string_view number, const char* unit) {
    return *unit != '\0' ? joined(number, " ", unit) : FrameText(number);
}

// The fewest digits that tell the number from its neighbours.
FrameText shortest(float value) {
    char text[48];
    std::snprintf(text, sizeof text, "%.7g", static_cast<double>(value));
    for (int digits = 1; digits <= 9; ++digits) {
        char candidate[48];
        std::snprintf(candidate, sizeof candidate, "%.*g", digits, static_cast<double>(value));
        if (std::strtof(candidate, nullptr) == value) {
            // 1e+02 is shorter than 100 and harder to read.
            const bool plain = std::abs(value) < 1e7f && std::abs(value) >= 1e-5f;
            return plain && std::string_view(candidate).find('e') != std::string_view::npos ? text : candidate;
        }
    }
    return text;
}

FrameText tooltip(const NumberSpec& spec, std::string_view standard) {
    FrameText text(spec.help);
    if (spec.high > spec.low) {
        text += joined("\n", shortest(spec.low), " to ", with_unit(shortest(spec.high), spec.unit));
        text += standard.empty() ? FrameText() : joined(", default ", standard);
        text += ". Drag, or click to type.";
    } else if (!standard.empty()) {
        text += joined("\nDefault ", standard, ".");
    }
    return *spec.note != '\0' ? joined(text, "\n", spec.note) : text;
}

} // namespace

namespace {

// The field while it is typed into. ImGui's own one drops what is in no number: of (2+1)*3 it leaves 2+1*3.
void text_field(const char* id, ImGuiID item) {
    const ImVec2 corner = ImGui::GetCursorScreenPos(), size(ImGui::CalcItemWidth(), ImGui::GetFrameHeight());
    const ImRect box(corner, ImVec2(corner.x + size.x, corner.y + size.y));
    ImGui::ItemSize(box, ImGui::GetStyle().FramePadding.y);
    if (ImGui::ItemAdd(box, item, &box, ImGuiItemFlags_Inputable)) {
        char text[64] = ""; // that which has been typed is ImGui's
        ImGui::TempInputText(box, item, id, text, sizeof text, ImGuiInputTextFlags_AutoSelectAll);
    }
}

} // namespace

// The text that was typed into a field which has been left just now, other than by Escape. ImGui would hand out every
// half-typed number on the way: 1 and 12 on the way to 120.
std::optional<std::string> Widgets::finished_text(unsigned item) {
    const bool active = ImGui::TempInputIsActive(item), ours = typing_.item == item;
    if (!active && !ours) {
        return std::nullopt;
    }
    const int frame = ImGui::GetFrameCount();
    const ImGuiInputTextState* state = ImGui::GetInputTextState(item);
    if (state != nullptr) {
        typing_.text.clear();
        for (int i = 0; i < state->CurLenW; ++i) {
            const ImWchar c = state->TextW[i];
            typing_.text += c < 128 ? static_cast<char>(c) : '?'; // no part of any number
        }
    }
    if (active) {
        typing_.item = item;
        typing_.frame = frame;
        return std::nullopt;
    }
    typing_.item = 0;
    const bool escaped = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
    const bool unchanged = state != nullptr && typing_.text == state->InitialTextA.Data;
    // A field that was out of sight in between is not one that was just left.
    if (escaped || unchanged || typing_.frame + 1 < frame) {
        return std::nullopt;
    }
    return typing_.text;
}

bool Widgets::accept(const char* name, const std::string& text, float& value, const NumberSpec& spec, bool whole) {
    const std::size_t first = text.find_first_not_of(" +"), last = text.find_last_not_of(' ');
    const std::string digits = first == std::string::npos ? "" : text.substr(first, last + 1 - first);
    const double number = arithmetic(digits).value_or(std::numeric_limits<double>::quiet_NaN());
    std::string problem;
    if (!(number == number)) {
        problem =
            '"' + text + "\" is not a number" + (text.find(',') != std::string::npos ? ": write 1.5, not 1,5" : "");
    } else if (whole && number != std::floor(number)) {
        problem = digits + " is not a whole number";
    } else if (!(static_cast<float>(number) >= spec.low && static_cast<float>(number) <= spec.high)) {
        problem =
            joined(digits, " is not within ", shortest(spec.low), " to ", with_unit(shortest(spec.high), spec.unit));
    }
    if (!problem.empty()) {
        rejections_.emplace_back(joined(name, ": ", problem, "; it stays ", with_unit(shortest(value), spec.unit)));
        return false;
    }
    const bool changed = spec.mixed != 0 || static_cast<float>(number) != value;
    value = static_cast<float>(number);
    return changed;
}

bool Widgets::drag_field(const char* name, const char* text, float& value, const NumberSpec& spec, const char* unit,
                         bool whole) {
    const FrameText id = joined("##", name);
    const ImGuiID item = ImGui::GetID(id.c_str());
    const bool typed_before = ImGui::TempInputIsActive(item);
    const bool dragged = ImGui::GetActiveID() == item && !typed_before;
    FrameText format(spec.format);
    if (spec.exact && !dragged && !whole) {
        char coarse[48];
        std::snprintf(coarse, sizeof coarse, spec.format, static_cast<double>(value));
        for (int digits = 1; digits <= 9 && std::strtof(coarse, nullptr) != value; ++digits) {
            format = formatted("%%.%dg", digits);
            std::snprintf(coarse, sizeof coarse, format.c_str(), static_cast<double>(value));
        }
    }
    if (spec.mixed != 0) { // a word in place of the number, which is one of several
        format = "mixed";
    } else {
        format = whole ? format : plain_format(format.c_str(), static_cast<double>(value));
        for (const char* c = unit; *c != '\0'; ++c) { // as it is, in a format
            format += *c == '%' ? std::string_view("%%") : std::string_view(c, 1);
        }
    }
    const ImGuiSliderFlags flags = spec.logarithmic ? ImGuiSliderFlags_Logarithmic : 0;
    // A little less than nothing is nothing, as far as it is shown; what is not so small stays to the bit.
    float edited = value;
    if (!whole && value <= 0.0f && spec.mixed == 0) {
        char shown[48];
        std::snprintf(shown, sizeof shown, format.c_str(), static_cast<double>(value));
        edited = std::strtof(shown, nullptr) == 0.0f ? 0.0f : value;
    }
    bool changed = false;
    if (typed_before) {
        text_field(id.c_str(), item);
    } else if (whole) {
        int number = static_cast<int>(value);
        changed = ImGui::DragInt(id.c_str(), &number, spec.speed, static_cast<int>(spec.low),
                                 static_cast<int>(spec.high), format.c_str(), flags);
        edited = static_cast<float>(number);
    } else {
        changed = ImGui::DragFloat(id.c_str(), &edited, spec.speed, spec.low, spec.high, format.c_str(), flags);
    }
    mark(name);
    if (spec.mixed != 0) {
        mark(joined(name, ".mixed"));
    }
    const std::optional<std::string> typed = finished_text(item);
    if (typed) {
        return accept(text, *typed, value, spec, whole);
    }
    if (!changed || typed_before || ImGui::TempInputIsActive(item)) {
        return false;
    }
    value = std::clamp(edited, spec.low, spec.high);
    return true;
}

bool Widgets::number_field(const char* id, const char* text, float& value, const NumberSpec& spec,
                           const float* standard, bool whole) {
    const bool differs = standard != nullptr && !(value == *standard);
    const auto help = [&] {
        return tooltip(spec, standard != nullptr ? with_unit(shortest(*standard), spec.unit) : FrameText());
    };
    label(text, help, differs);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - (standard != nullptr ? reset_room() : 0.0f));
    ImGui::PushFont(fonts.mono);
    const FrameText unit = *spec.unit != '\0' ? joined(" ", spec.unit) : FrameText();
    bool changed = drag_field(id, text, value, spec, unit.c_str(), whole);
    ImGui::PopFont();
    if (!ImGui::IsItemActive()) {
        tip_by(help);
    }
    if (differs && reset_button(id)) {
        value = *standard;
        changed = true;
    }
    return changed;
}

bool Widgets::number(const char* id, const char* text, float& value, const NumberSpec& spec, float standard) {
    return number_field(id, text, value, spec, &standard);
}

bool Widgets::number(const char* id, const char* text, float& value, const NumberSpec& spec) {
    return number_field(id, text, value, spec, nullptr);
}

bool Widgets::whole(const char* id, const char* text, int& value, const NumberSpec& spec, int standard) {
    NumberSpec of_whole = spec;
    of_whole.format = "%d";
    // Single precision holds every whole number of the sizes that panels have.
    float number = static_cast<float>(value);
    const float usual = static_cast<float>(standard);
    const bool changed = number_field(id, text, number, of_whole, &usual, true);
    value = static_cast<int>(number);
    return changed;
}

bool Widgets::flag(const char* id, const char* text, bool& value, const NumberSpec& spec, bool standard) {
    NumberSpec of_flag = spec;
    of_flag.low = of_flag.high = 0.0f;
    const auto help = [&] { return tooltip(of_flag, standard ? "on" : "off"); };
    label(text, help, value != standard);
    bool changed = ImGui::Checkbox(joined("##", id).c_str(), &value);
    mark(id);
    tip_by(help);
    if (value != standard && !changed) {
        if (reset_button(id, ImGui::GetContentRegionMax().x - ImGui::GetFrameHeight() * 0.8f)) {
            value = standard;
            changed = true;
        }
    }
    return changed;
}

unsigned Widgets::vector_axes(const char* id, const char* text, glm::vec3& value, const NumberSpec& spec,
                              const glm::vec3* standard) {
    const bool differs = standard != nullptr && value != *standard;
    const auto help = [&] {
        return tooltip(spec, standard != nullptr ? joined("(", shortest(standard->x), ", ", shortest(standard->y), ", ",
                                                          shortest(standard->z), ") ", spec.unit)
                                                 : FrameText());
    };
    label(text, help, differs);
    ImGui::PushFont(fonts.mono);
    // Three fields leave no room for the unit behind each number: it stands once, at the end of the label.
    const ImVec2 field = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddText(
        ImVec2(field.x - ImGui::CalcTextSize(spec.unit).x - 6.0f * scale, field.y + ImGui::GetStyle().FramePadding.y),
        theme::packed(theme::muted, 0.75f), spec.unit);
    const float spacing = 3.0f * scale;
    const float room = ImGui::GetContentRegionAvail().x - (differs ? reset_room() : 0.0f);
    const float width = (room - 2.0f * spacing) / 3.0f;
    unsigned changed = 0;
    const char* axes[] = {".x", ".y", ".z"};
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(2.0f * scale, ImGui::GetStyle().FramePadding.y));
    for (int i = 0; i < 3; ++i) {
        if (i > 0) {
            ImGui::SameLine(0.0f, spacing);
        }
        ImGui::SetNextItemWidth(width);
        static constexpr const char* names[] = {" X", " Y", " Z"};
        const FrameText axis = joined(text, names[i]);
        NumberSpec of_axis = spec;
        of_axis.mixed = spec.mixed >> i & 1u;
        if (drag_field(joined(id, axes[i]).c_str(), axis.c_str(), value[i], of_axis, "")) {
            changed |= 1u << i;
        }
        if (!ImGui::IsItemActive()) {
            tip_by([&] { return joined(axis, ": ", help()); });
        }
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
    if (differs && reset_button(id)) {
        value = *standard;
        changed = 7;
    }
    return changed;
}

} // namespace cairn::ui
