#include "app/ui/widgets/colour/colour_row.h"

#include "app/core/look/colour_text.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>
#include <array>
#include <string>

namespace cairn::ui {

namespace {

using physics::Colour;

constexpr int in_a_row = 8;

Colour eight_bits(const glm::vec3& srgb) {
    const glm::vec3 c = glm::round(255.0f * glm::clamp(srgb, 0.0f, 1.0f));
    return {static_cast<std::uint8_t>(c.r), static_cast<std::uint8_t>(c.g), static_cast<std::uint8_t>(c.b)};
}

glm::vec3 of_eight_bits(const Colour& colour) {
    return glm::vec3(colour.r, colour.g, colour.b) / 255.0f;
}

ImVec4 packed(const glm::vec3& srgb) {
    return {srgb.r, srgb.g, srgb.b, 1.0f};
}

// The hues that bodies have of themselves, then strong colours and greys.
const std::array<Colour, 2 * in_a_row>& choices() {
    static const std::array<Colour, 2 * in_a_row> colours = [] {
        std::array<Colour, 2 * in_a_row> out{};
        for (int hue = 0; hue < body_hue_count; ++hue) {
            out[static_cast<std::size_t>(hue)] = eight_bits(srgb_from_linear(body_colour(hue, 1.0f)));
        }
        constexpr std::array<Colour, in_a_row> strong{{{0xd0, 0x2c, 0x2c},
                                                       {0xf0, 0x84, 0x14},
                                                       {0xf5, 0xc4, 0x2c},
                                                       {0x2e, 0x9e, 0x4f},
                                                       {0x25, 0x67, 0xc8},
                                                       {0x7c, 0x3a, 0xb8},
                                                       {0xf4, 0xf4, 0xf4},
                                                       {0x30, 0x32, 0x36}}};
        std::ranges::copy(strong, out.begin() + in_a_row);
        return out;
    }();
    return colours;
}
static_assert(body_hue_count == in_a_row);

} // namespace

bool ColourRow::operator()(Widgets& w, std::string_view id, std::optional<Colour>& own, const glm::vec3& shown,
                           bool mixed) {
    const FrameText field = joined(id, ".field");
    const FrameText text = mixed ? FrameText("mixed")
                           : own ? FrameText(core::colour_text(*own))
                                 : FrameText(core::automatic_colour);
    if (w.button(joined(id).c_str(), joined("Colour: ", text).c_str(),
                 "A colour of its own, or one that follows from its place in the scene. Sleeping bodies are greyer.",
                 -1.0f)) {
        ImGui::OpenPopup(field.c_str());
    }
    const glm::vec3 srgb = srgb_from_linear(shown);
    if (!mixed) { // a patch of it at the right end of the button
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        const float gap = 4.0f * w.scale, side = high.y - low.y - 2.0f * gap;
        ImGui::GetWindowDrawList()->AddRectFilled({high.x - gap - 2.0f * side, low.y + gap},
                                                  {high.x - gap, high.y - gap},
                                                  ImGui::ColorConvertFloat4ToU32(packed(srgb)), 2.0f * w.scale);
    }
    if (!ImGui::BeginPopup(field.c_str())) {
        return false;
    }
    if (ImGui::IsWindowAppearing() || (own && own != chosen_ && !ImGui::IsAnyItemActive())) {
        picked_ = own ? of_eight_bits(*own) : srgb;
        chosen_ = own;
    }
    bool changed = false;
    const auto choose = [&](const Colour& colour, const glm::vec3& as) {
        changed = changed || mixed || own != colour;
        own = chosen_ = colour;
        picked_ = as;
    };
    const ImVec2 patch(ImGui::GetFrameHeight() * 1.2f, ImGui::GetFrameHeight());
    const float spacing = 3.0f * w.scale;
    for (int i = 0; i < static_cast<int>(choices().size()); ++i) {
        if (i % in_a_row != 0) {
            ImGui::SameLine(0.0f, spacing);
        }
        const Colour& colour = choices()[static_cast<std::size_t>(i)];
        const FrameText name = joined(id, formatted(".%d", i));
        if (ImGui::ColorButton(name.c_str(), packed(of_eight_bits(colour)),
                               ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoDragDrop, patch)) {
            choose(colour, of_eight_bits(colour));
        }
        w.mark(name);
    }
    const float width = in_a_row * patch.x + (in_a_row - 1) * spacing;
    ImGui::SetNextItemWidth(width);
    glm::vec3 picked = picked_;
    if (ImGui::ColorPicker3(joined("##", id, ".picker").c_str(), &picked.x,
                            ImGuiColorEditFlags_NoSidePreview | ImGuiColorEditFlags_NoInputs |
                                ImGuiColorEditFlags_NoOptions | ImGuiColorEditFlags_NoLabel |
                                ImGuiColorEditFlags_NoTooltip)) {
        choose(eight_bits(picked), picked);
    }
    w.mark(joined(id, ".picker"));
    const float half = 0.5f * (width - ImGui::GetStyle().ItemSpacing.x);
    static std::string typed; // keeps its memory; what is being typed is the field's own
    typed = own ? core::colour_text(*own) : std::string();
    if (w.text(joined(id, ".text").c_str(), "#rrggbb", typed, half)) {
        if (const auto colour = core::colour_of(typed.starts_with('#') ? typed : '#' + typed)) {
            choose(*colour, of_eight_bits(*colour));
        } else {
            w.reject("A colour is #rrggbb, two hexadecimal digits for red, green and blue each, not " + typed);
        }
    }
    w.tip("Red, green and blue, two hexadecimal digits each. Enter sets it.");
    ImGui::SameLine();
    if (w.button(joined(id, ".automatic").c_str(), "Automatic", "No colour of its own.", half, own || mixed)) {
        own.reset();
        changed = true;
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
    return changed;
}

} // namespace cairn::ui
