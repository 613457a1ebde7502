#include "app/ui/panels/body/contacts_panel.h"

#include "app/ui/context/context.h"
#include "app/ui/context/selection.h"
#include "app/ui/lab/lab.h"
#include "app/ui/panels/body/rows/body_rows.h"
#include "app/ui/text/number_format.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>

namespace cairn::ui {

namespace {

constexpr int most_rows = 8; // in view; the others by scrolling

FrameText name_of(const physics::FrameState& frame, physics::BodyId body) {
    const auto slot = find_body(frame, body);
    return slot ? listed_name(frame, *slot) : FrameText();
}

} // namespace

void contacts_panel(Context& ctx) {
    ContactsPanel& panel = ctx.get<ContactsPanel>();
    Widgets& w = ctx.widgets;
    const physics::FrameState& frame = ctx.frame();
    panel.listed.clear();
    if (!ctx.selected) {
        w.muted("Click a body to see what it touches.");
        return;
    }
    for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
        if (frame.contacts[i].body_a == ctx.selected || frame.contacts[i].body_b == ctx.selected) {
            panel.listed.push_back(i);
        }
    }
    if (panel.listed.empty()) {
        w.muted("It touches nothing.");
        return;
    }
    // The names of the columns stand over numbers that end there.
    const float room = ImGui::GetContentRegionAvail().x - 8.0f * w.scale;
    ImGui::PushFont(w.fonts.mono);
    const float digit = ImGui::CalcTextSize("0").x;
    ImGui::PopFont();
    const float impulse = room - 14.0f * digit, depth = room - 6.0f * digit, age = room;
    const float left = ImGui::GetCursorPosX();
    const auto ends_at = [&](float x, const char* text, const ImVec4& colour) {
        ImGui::SameLine(left + x - ImGui::CalcTextSize(text).x);
        ImGui::TextColored(colour, "%s", text);
    };
    ImGui::TextColored(theme::muted, "%zu", panel.listed.size());
    w.tip(
        "Contact points of the selected body: the other body, the normal impulse of the last step, the gap between "
        "the surfaces (negative: depth), and for how many steps it has touched. Point at a row to see more, and where "
        "it is in the world; click it to select the other body, or Ctrl-click to open the collision lab.");
    ends_at(impulse, "N s", theme::muted);
    ends_at(depth, "mm", theme::muted);
    ends_at(age, "age", theme::muted);
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const auto rows = static_cast<float>(std::min(static_cast<int>(panel.listed.size()), most_rows));
    physics::BodyId chosen;
    ImGui::BeginChild("contacts.rows", ImVec2(0.0f, rows * line));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(panel.listed.size()), line);
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const physics::ContactState& c = frame.contacts[panel.listed[static_cast<std::size_t>(i)]];
            const physics::BodyId other = c.body_a == ctx.selected ? c.body_b : c.body_a;
            ImGui::PushID(i);
            const float top = ImGui::GetCursorPosY();
            const ImVec2 at = ImGui::GetCursorScreenPos();
            if (ImGui::Selectable("##row")) {
                if (ImGui::GetIO().KeyCtrl) {
                    open_lab(ctx, c.body_a, c.body_b);
                } else {
                    chosen = other;
                }
            }
            w.mark(formatted("contact.%d", i));
            if (ImGui::IsItemHovered()) {
                panel.pointed = c;
                panel.other = other;
            }
            w.tip_by([&] {
                return formatted("%s\nfeature %08x\n%.5g N s, friction %.5g N s\n%.4f mm, touching for %u steps",
                                 name_of(frame, other).c_str(), c.feature, static_cast<double>(c.normal_impulse),
                                 static_cast<double>(glm::length(c.friction_impulse)),
                                 1e3 * static_cast<double>(c.separation), c.age);
            });
            // The name gives way to the numbers.
            const FrameText name = name_of(frame, other);
            const ImVec4 clip(at.x, at.y, at.x + impulse - 8.0f * digit, at.y + 2.0f * line);
            ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, theme::packed(theme::text),
                                                name.c_str(), nullptr, 0.0f, &clip);
            ImGui::PushFont(w.fonts.mono);
            const auto number = [&](float x, const char* text) {
                ImGui::SetCursorPosY(top);
                ImGui::SameLine(x - ImGui::CalcTextSize(text).x);
                ImGui::TextUnformatted(text);
            };
            number(impulse, short_text(static_cast<double>(c.normal_impulse)).c_str());
            char text[24];
            std::snprintf(text, sizeof text, "%.2f", 1e3 * static_cast<double>(c.separation));
            number(depth, text);
            std::snprintf(text, sizeof text, "%u", c.age);
            number(age, text);
            ImGui::PopFont();
            ImGui::PopID();
        }
    }
    ImGui::EndChild();
    if (chosen) {
        select(ctx, chosen);
    }
}

void mark_pointed_contact(const Context& ctx, render::DrawList& list) {
    const auto& pointed = ctx.get<ContactsPanel>().pointed;
    if (!pointed) {
        return;
    }
    const glm::vec4 amber(colours::accent(), 1.0f);
    // As long as a tenth of the way from the eye: it is seen from near and far.
    const float length = 0.1f * glm::length(pointed->point - ctx.camera.camera().eye);
    list.points.push_back({pointed->point, amber, 14.0f, true});
    list.lines.push_back({pointed->point, pointed->point + length * pointed->normal, amber, true});
}

} // namespace cairn::ui
