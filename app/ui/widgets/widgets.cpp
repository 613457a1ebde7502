#include "app/ui/widgets/widgets.h"

#include <algorithm>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

namespace cairn::ui {

namespace {

// With all that follows ##, up to `right`, an ellipsis if that is not all.
void draw_whole(ImDrawList* draw, const ImVec2& at, float right, std::string_view text) {
    const ImVec2 size = ImGui::CalcTextSize(text.data(), text.data() + text.size());
    ImGui::RenderTextEllipsis(draw, at, ImVec2(right, at.y + size.y), right, right, text.data(),
                              text.data() + text.size(), &size);
}

} // namespace

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

void Widgets::mark_window(std::string_view name) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    mark(name, {at.x, at.y, size.x, size.y});
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
    mark_window("tip");
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

bool Widgets::section(std::string_view id, const char* title, bool open) {
    ImGui::PushFont(fonts.strong);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(7 * scale, 5 * scale));
    auto remembered = sections_.find(id);
    if (remembered == sections_.end()) {
        remembered = sections_.emplace(id, open).first;
    }
    const bool wanted = shown_section_ == id;
    ImGui::SetNextItemOpen(remembered->second || wanted, wanted ? ImGuiCond_Always : ImGuiCond_Once);
    const bool is_open = ImGui::CollapsingHeader(joined(title, "##", id).c_str());
    if (wanted) {
        ImGui::SetScrollHereY(0.0f);
        shown_section_.clear();
    }
    remembered->second = is_open;
    mark(joined("section.", id));
    ImGui::PopStyleVar();
    ImGui::PopFont();
    return is_open;
}

bool plain_button(const char* label, ImVec2 size, bool lit) {
    if (lit) {
        ImGui::PushStyleColor(ImGuiCol_Button, theme::accent);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, theme::accent);
        ImGui::PushStyleColor(ImGuiCol_Text, theme::on_accent);
    }
    const bool pressed = ImGui::Button(label, size);
    if (lit) {
        ImGui::PopStyleColor(3);
    }
    return pressed;
}

bool Widgets::button(const char* id, const char* title, const char* help, float width, bool enabled, bool lit) {
    ImGui::BeginDisabled(!enabled);
    const bool pressed = plain_button(joined(title, "##", id).c_str(), ImVec2(width, 0.0f), lit);
    ImGui::EndDisabled();
    check_room(title, ImGui::GetItemRectSize().x);
    mark(id);
    tip(help);
    return pressed;
}

bool Widgets::icon_button(const char* id, Icon icon, std::string_view help, bool lit, bool enabled) {
    const float side = ImGui::GetFrameHeight() + 4.0f * scale;
    ImGui::BeginDisabled(!enabled);
    const bool pressed = plain_button(joined("##", id).c_str(), ImVec2(side, side), lit);
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 centre(low.x + 0.5f * side, low.y + 0.5f * side);
    ImVec4 colour = lit ? theme::on_accent : theme::text;
    if (icon == Icon::record && !lit) {
        colour = theme::bad;
    }
    const ImU32 ink = theme::packed(colour, enabled ? 1.0f : 0.4f);
    draw_icon(*ImGui::GetWindowDrawList(), icon, centre, 0.22f * side, 1.7f * scale, ink);
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

void Widgets::begin_label(const char* text, bool lit) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(lit ? theme::accent : theme::muted, "%s", text);
    check_room(text, label_width() - ImGui::GetStyle().WindowPadding.x);
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

bool Widgets::entry(std::string_view id, std::string_view text, bool chosen, ImGuiSelectableFlags flags) {
    const ImVec2 size = ImGui::CalcTextSize(text.data(), text.data() + text.size());
    const ImGuiWindow& window = *ImGui::GetCurrentWindow();
    const ImVec2 at(window.DC.CursorPos.x, window.DC.CursorPos.y + window.DC.CurrLineTextBaseOffset);
    // Popups are as wide as their widest row, which is not to be wider than the screen.
    const float width = std::clamp(size.x, 1.0f, std::max(0.75f * ImGui::GetIO().DisplaySize.x, 1.0f));
    const bool pressed = ImGui::Selectable(joined("##", id).c_str(), chosen,
                                           flags | ImGuiSelectableFlags_SpanAvailWidth, ImVec2(width, 0.0f));
    draw_whole(window.DrawList, at, window.WorkRect.Max.x, text);
    return pressed;
}

bool Widgets::choice(const char* id, const char* text, int& value, const char* const* names, int count,
                     const char* help) {
    label(
        text, [&] { return std::string_view(help); }, false);
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 at = ImGui::GetCursorScreenPos(), padding = ImGui::GetStyle().FramePadding;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    ImGui::SetNextItemWidth(width);
    bool changed = false;
    const bool open = ImGui::BeginCombo(joined("##", id).c_str(), "", ImGuiComboFlags_HeightLarge);
    mark(id);
    if (value >= 0 && value < count) {
        draw_whole(draw, ImVec2(at.x + padding.x, at.y + padding.y), at.x + width - ImGui::GetFrameHeight(),
                   names[value]);
    }
    if (open) {
        for (int i = 0; i < count; ++i) {
            if (entry(formatted("%d", i), names[i], i == value)) {
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

void Widgets::next_keeps_keyboard() {
    if (!ImGui::IsAnyItemActive() && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) {
        ImGui::SetKeyboardFocusHere();
    }
}

void Widgets::progress(const char* id, float share, const char* text) {
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, ImVec4(0.55f, 0.40f, 0.17f, 1.0f));
    ImGui::ProgressBar(share, ImVec2(-1.0f, 0.0f), text);
    ImGui::PopStyleColor();
    mark(id);
}

void Widgets::heading(std::string_view text, bool wrapped) {
    ImGui::PushFont(fonts.strong);
    words(text, theme::text, wrapped);
    ImGui::PopFont();
}

void Widgets::words(std::string_view text, const ImVec4& colour, bool wrapped) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
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
