#include "app/ui/widgets/widgets.h"

#include "app/ui/text/arithmetic.h"
#include "app/ui/text/number_format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <imgui_internal.h>
#include <imgui_stdlib.h>
#include <limits>

namespace cairn::ui {

void Widgets::mark(std::string_view name) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
    // Half of an item at the edge of a scrolled column is not something to click at.
    const float x = 0.5f * (low.x + high.x), y = 0.5f * (low.y + high.y);
    if (ImGui::IsItemVisible() && clip.Contains(ImVec2(x, y))) {
        mark(name, {low.x, low.y, high.x - low.x, high.y - low.y});
    }
}

void Widgets::mark(std::string_view name, const Rectangle& rectangle) {
    auto known = marks_.find(name);
    if (known == marks_.end()) {
        known = marks_.emplace(name, Mark{}).first;
    }
    known->second = {rectangle, frame_};
}

const Rectangle* Widgets::place(std::string_view name) const {
    const auto known = marks_.find(name);
    return known != marks_.end() && known->second.frame == frame_ ? &known->second.rectangle : nullptr;
}

void Widgets::check_room(std::string_view text, float room) {
    if (ImGui::CalcTextSize(text.data(), text.data() + text.size(), true).x > room + 0.5f) {
        tight_.emplace_back(text);
    }
}

float Widgets::label_width() const {
    return 104.0f * scale;
}

bool Widgets::wants_tip() const {
    return ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
}

void Widgets::tip(std::string_view text) {
    if (text.empty() || !wants_tip()) {
        return;
    }
    shown_tip_ = text;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10 * scale, 7 * scale));
    // Beside the panel of what it explains, so that it covers neither that nor the rows around it. Where there is no
    // room beside, below it, or above it in the lower half; of a low panel, beyond all of it.
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax(), room = ImGui::GetIO().DisplaySize;
    const ImGuiWindow& panel = *ImGui::GetCurrentWindow()->RootWindow;
    const float gap = 4.0f * scale, widest = 300.0f * scale, needed = widest + 20.0f * scale + 2.0f * gap;
    const float left = panel.Pos.x, right = panel.Pos.x + panel.Size.x;
    const bool above = 0.5f * (low.y + high.y) > 0.5f * room.y, from_right = 0.5f * (low.x + high.x) > 0.5f * room.x;
    if (from_right ? left >= needed : room.x - right >= needed) {
        ImGui::SetNextWindowPos(ImVec2(from_right ? left - gap : right + gap, above ? high.y : low.y), ImGuiCond_Always,
                                ImVec2(from_right ? 1.0f : 0.0f, above ? 1.0f : 0.0f));
    } else {
        const bool strip = panel.Size.y < 0.35f * room.y;
        const float over = strip ? panel.Pos.y : low.y, under = strip ? panel.Pos.y + panel.Size.y : high.y;
        ImGui::SetNextWindowPos(ImVec2(from_right ? high.x : low.x, above ? over - gap : under + gap), ImGuiCond_Always,
                                ImVec2(from_right ? 1.0f : 0.0f, above ? 1.0f : 0.0f));
    }
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(widest);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    mark("tip", {at.x, at.y, size.x, size.y});
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

bool Widgets::section(const char* id, const char* title, bool open) {
    ImGui::PushFont(fonts.strong);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(7 * scale, 5 * scale));
    auto remembered = sections_.find(id);
    if (remembered == sections_.end()) {
        remembered = sections_.emplace(id, open).first;
    }
    ImGui::SetNextItemOpen(remembered->second, ImGuiCond_Once);
    const bool is_open = ImGui::CollapsingHeader(joined(title, "##", id).c_str());
    remembered->second = is_open;
    mark(joined("section.", id));
    ImGui::PopStyleVar();
    ImGui::PopFont();
    return is_open;
}

bool Widgets::button(const char* id, const char* title, const char* help, float width, bool enabled) {
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::Button(joined(title, "##", id).c_str(), ImVec2(width, 0.0f));
    ImGui::EndDisabled();
    check_room(title, ImGui::GetItemRectSize().x);
    mark(id);
    tip(help);
    return pressed;
}

bool Widgets::icon_button(const char* id, Icon icon, std::string_view help, bool lit, bool enabled) {
    const float side = ImGui::GetFrameHeight() + 4.0f * scale;
    ImGui::BeginDisabled(!enabled);
    if (lit) {
        ImGui::PushStyleColor(ImGuiCol_Button, theme::accent);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, theme::accent);
    }
    const bool pressed = ImGui::Button(joined("##", id).c_str(), ImVec2(side, side));
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
    case Icon::play_back:
        draw->AddTriangleFilled(at(0.75f, -1), at(-1, 0), at(0.75f, 1), ink);
        break;
    case Icon::pause:
        draw->AddRectFilled(at(-0.85f, -1), at(-0.25f, 1), ink);
        draw->AddRectFilled(at(0.25f, -1), at(0.85f, 1), ink);
        break;
    case Icon::what_if: // a way that parts
        draw->AddLine(at(-1, 0.6f), at(1, 0.6f), ink, stroke);
        draw->AddLine(at(-0.7f, 0.6f), at(0.1f, -0.6f), ink, stroke);
        draw->AddLine(at(0.1f, -0.6f), at(1, -0.6f), ink, stroke);
        break;
    case Icon::hurry:
        draw->AddTriangleFilled(at(-1, -0.9f), at(0, 0), at(-1, 0.9f), ink);
        draw->AddTriangleFilled(at(0, -0.9f), at(1, 0), at(0, 0.9f), ink);
        break;
    case Icon::more:
        for (const float x : {-0.8f, 0.0f, 0.8f}) {
            draw->AddCircleFilled(at(x, 0), 1.2f * stroke, ink);
        }
        break;
    case Icon::step:
        draw->AddTriangleFilled(at(-0.95f, -1), at(0.45f, 0), at(-0.95f, 1), ink);
        draw->AddRectFilled(at(0.5f, -1), at(0.95f, 1), ink);
        break;
    case Icon::step_back:
        draw->AddTriangleFilled(at(0.95f, -1), at(-0.45f, 0), at(0.95f, 1), ink);
        draw->AddRectFilled(at(-0.95f, -1), at(-0.5f, 1), ink);
        break;
    case Icon::restart:
        draw->PathArcTo(centre, r, -1.2f, 3.6f, 20);
        draw->PathStroke(ink, 0, stroke);
        draw->AddTriangleFilled(at(-0.35f, -1.0f), at(0.55f, -1.55f), at(0.55f, -0.45f), ink);
        break;
    case Icon::undo:
    case Icon::redo: {
        const float way = icon == Icon::undo ? 1.0f : -1.0f;
        draw->AddLine(at(-0.8f * way, -0.35f), at(0.3f * way, -0.35f), ink, stroke);
        draw->PathArcTo(at(0.3f * way, 0.3f), 0.65f * r, -1.5708f, -1.5708f + way * 3.1416f, 12);
        draw->PathStroke(ink, 0, stroke);
        draw->AddLine(at(0.3f * way, 0.95f), at(-0.4f * way, 0.95f), ink, stroke);
        draw->AddTriangleFilled(at(-1.1f * way, -0.35f), at(-0.35f * way, -0.95f), at(-0.35f * way, 0.25f), ink);
        break;
    }
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
    const bool changed = ImGui::Checkbox(joined(title, "##", id).c_str(), &value);
    ImGui::PopStyleVar();
    check_room(title, ImGui::GetWindowContentRegionMax().x + ImGui::GetWindowPos().x - ImGui::GetItemRectMin().x -
                          ImGui::GetFrameHeight());
    mark(id);
    tip(help);
    return changed;
}

template <class Make>
void Widgets::label(const char* text, Make&& help, bool lit) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(lit ? theme::accent : theme::muted, "%s", text);
    check_room(text, label_width() - ImGui::GetStyle().WindowPadding.x);
    tip_by(help);
    ImGui::SameLine(label_width());
}

bool Widgets::reset_button(const char* id, float x) {
    const float side = ImGui::GetFrameHeight();
    ImGui::SameLine(x, x > 0.0f ? 0.0f : 3.0f * scale);
    const bool pressed = ImGui::InvisibleButton(joined("reset##", id).c_str(), ImVec2(side * 0.8f, side));
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
    mark(joined(id, ".reset"));
    return pressed;
}

float Widgets::reset_room() const {
    return ImGui::GetFrameHeight() * 0.8f + 3.0f * scale;
}

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
        for (int i = 0; i < state->CurLenW; ++i) { // the field takes the characters of numbers only
            typing_.text += static_cast<char>(state->TextW[i]);
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
        problem = '"' + text + "\" is not a number";
    } else if (whole && number != std::floor(number)) {
        problem = digits + " is not a whole number";
    } else if (!(static_cast<float>(number) >= spec.low && static_cast<float>(number) <= spec.high)) {
        problem =
            joined(digits, " is not within ", shortest(spec.low), " to ", with_unit(shortest(spec.high), spec.unit));
    }
    if (!problem.empty()) {
        refusals_.emplace_back(joined(name, ": ", problem, "; it stays ", with_unit(shortest(value), spec.unit)));
        return false;
    }
    const bool changed = static_cast<float>(number) != value;
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
    if (!whole) {
        format = plain_format(format.c_str(), static_cast<double>(value));
    }
    format += unit;
    const ImGuiSliderFlags flags = spec.logarithmic ? ImGuiSliderFlags_Logarithmic : 0;
    // A little less than nothing is nothing, as far as it is shown; what is not so small stays to the bit.
    float edited = value;
    if (!whole && value <= 0.0f) {
        char shown[48];
        std::snprintf(shown, sizeof shown, format.c_str(), static_cast<double>(value));
        edited = std::strtof(shown, nullptr) == 0.0f ? 0.0f : value;
    }
    bool changed = false;
    if (whole) {
        int number = static_cast<int>(value);
        changed = ImGui::DragInt(id.c_str(), &number, spec.speed, static_cast<int>(spec.low),
                                 static_cast<int>(spec.high), format.c_str(), flags);
        edited = static_cast<float>(number);
    } else {
        changed = ImGui::DragFloat(id.c_str(), &edited, spec.speed, spec.low, spec.high, format.c_str(), flags);
    }
    mark(name);
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

bool Widgets::vector(const char* id, const char* text, glm::vec3& value, const NumberSpec& spec,
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
    bool changed = false;
    const char* axes[] = {".x", ".y", ".z"};
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(2.0f * scale, ImGui::GetStyle().FramePadding.y));
    for (int i = 0; i < 3; ++i) {
        if (i > 0) {
            ImGui::SameLine(0.0f, spacing);
        }
        ImGui::SetNextItemWidth(width);
        static constexpr const char* names[] = {" X", " Y", " Z"};
        const FrameText axis = joined(text, names[i]);
        changed |= drag_field(joined(id, axes[i]).c_str(), axis.c_str(), value[i], spec, "");
        if (!ImGui::IsItemActive()) {
            tip_by([&] { return joined(axis, ": ", help()); });
        }
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
    if (differs && reset_button(id)) {
        value = *standard;
        changed = true;
    }
    return changed;
}

bool Widgets::choice(const char* id, const char* text, int& value, const char* const* names, int count,
                     const char* help) {
    label(
        text, [&] { return std::string_view(help); }, false);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    bool changed = false;
    const bool open = ImGui::BeginCombo(joined("##", id).c_str(), value >= 0 && value < count ? names[value] : "",
                                        ImGuiComboFlags_HeightLarge);
    mark(id);
    if (open) {
        for (int i = 0; i < count; ++i) {
            if (ImGui::Selectable(names[i], i == value)) {
                value = i;
                changed = true;
            }
            mark(joined(id, ".", names[i]));
        }
        ImGui::EndCombo();
    }
    return changed;
}

bool Widgets::text(const char* id, const char* hint, std::string& value, float width) {
    ImGui::SetNextItemWidth(width);
    const bool entered =
        ImGui::InputTextWithHint(joined("##", id).c_str(), hint, &value, ImGuiInputTextFlags_EnterReturnsTrue);
    mark(id);
    return entered;
}

void Widgets::fact(const char* text, std::string_view value, const char* help) {
    ImGui::TextColored(theme::muted, "%s", text);
    tip(help);
    ImGui::SameLine(label_width());
    ImGui::PushFont(fonts.mono);
    check_room(value, ImGui::GetContentRegionAvail().x);
    ImGui::TextUnformatted(value.data(), value.data() + value.size());
    ImGui::PopFont();
}

void Widgets::muted(std::string_view text, bool wrapped) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::muted);
    if (wrapped) {
        ImGui::PushTextWrapPos(0.0f);
    }
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    if (wrapped) {
        ImGui::PopTextWrapPos();
    }
    ImGui::PopStyleColor();
}

} // namespace cairn::ui
