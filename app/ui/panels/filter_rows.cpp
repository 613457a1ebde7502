#include "app/ui/panels/filter_rows.h"

#include "app/ui/frame_text.h"

#include <bit>
#include <imgui.h>

namespace cairn::ui {

namespace {

constexpr std::uint32_t all = 0xffffffffu;

FrameText mask_text(std::uint32_t mask) {
    const int count = std::popcount(mask);
    return mask == all  ? FrameText("Collides with all groups")
           : count == 0 ? FrameText("Collides with nothing")
           : count == 1 ? formatted("Collides with group %d", std::countr_zero(mask))
                        : formatted("Collides with %d groups", count);
}

void mask_field(Widgets& w, std::uint32_t& mask) {
    constexpr int in_a_row = 8;
    const float side = ImGui::GetFrameHeight() * 1.2f;
    for (int group = 0; group < physics::CollisionFilter::groups; ++group) {
        if (group % in_a_row != 0) {
            ImGui::SameLine();
        }
        bool in = (mask >> group & 1u) != 0;
        const FrameText number = formatted("%d", group);
        ImGui::PushID(group);
        if (ImGui::Selectable(number.c_str(), &in, ImGuiSelectableFlags_DontClosePopups, ImVec2(side, 0.0f))) {
            mask ^= 1u << group;
        }
        ImGui::PopID();
        w.mark(formatted("body.mask.%d", group));
    }
    if (w.button("body.mask.all", "All", "Collides with every group.")) {
        mask = all;
    }
    ImGui::SameLine();
    if (w.button("body.mask.none", "None", "Collides with nothing.")) {
        mask = 0;
    }
}

} // namespace

std::optional<physics::CollisionFilter> filter_rows(Widgets& w, const physics::CollisionFilter& filter) {
    physics::CollisionFilter changed = filter;
    int group = filter.group;
    if (w.whole("body.group", "Group", group,
                {"", 0.0f, static_cast<float>(physics::CollisionFilter::groups - 1), 0.1f, "%.0f",
                 "The group that the body is of. Two bodies collide if each one's choice of groups holds the other's."},
                0)) {
        changed.group = static_cast<std::uint8_t>(group);
    }
    if (w.button("body.mask", mask_text(filter.mask).c_str(), "The groups that the body collides with.", -1.0f)) {
        ImGui::OpenPopup("body.mask.field");
    }
    if (ImGui::BeginPopup("body.mask.field")) {
        mask_field(w, changed.mask);
        ImGui::EndPopup();
    }
    return changed == filter ? std::nullopt : std::optional(changed);
}

} // namespace cairn::ui
