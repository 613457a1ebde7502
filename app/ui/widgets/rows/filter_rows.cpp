#include "app/ui/widgets/rows/filter_rows.h"

#include "app/core/scene/values/scene_keys.h"
#include "app/ui/text/frame_text.h"

#include <bit>
#include <imgui.h>
#include <string>

namespace cairn::ui {

namespace {

constexpr std::uint32_t all = 0xffffffffu;

FrameText filter_text(const physics::CollisionFilter& filter) {
    const int count = std::popcount(filter.mask);
    const auto meets = filter.mask == all ? FrameText("all")
                       : count == 0       ? FrameText("none")
                       : count == 1       ? formatted("%d", std::countr_zero(filter.mask))
                                          : formatted("%d groups", count);
    return joined("Group ", formatted("%d", static_cast<int>(filter.group)), ", collides with ", meets);
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

std::optional<std::uint8_t> lock_rows(Widgets& w, std::uint8_t locks) {
    std::uint8_t changed = locks;
    if (w.button(
            "body.locks",
            joined("Locked axes: ", locks == 0 ? FrameText("none") : formatted("%d", std::popcount(unsigned{locks})))
                .c_str(),
            "Axes of the world along which, or about which, the body does not move.", -1.0f)) {
        ImGui::OpenPopup("body.locks.field");
    }
    if (ImGui::BeginPopup("body.locks.field")) {
        for (std::size_t axis = 0; axis < core::axis_names.size(); ++axis) {
            bool on = (locks >> axis & 1u) != 0;
            const std::string name(core::axis_names[axis]);
            const std::string title = axis < 3 ? "Not along " + name : "Not about " + name.substr(1);
            if (w.toggle(("body.lock." + name).c_str(), title.c_str(), on, "In the axes of the world.")) {
                changed = static_cast<std::uint8_t>(changed ^ 1u << axis);
            }
        }
        ImGui::EndPopup();
    }
    return changed == locks ? std::nullopt : std::optional(changed);
}

std::optional<physics::CollisionFilter> filter_rows(Widgets& w, const physics::CollisionFilter& filter) {
    physics::CollisionFilter changed = filter;
    if (w.button("body.filter", filter_text(filter).c_str(),
                 "The group of the body, and the groups that it collides with.", -1.0f)) {
        ImGui::OpenPopup("body.filter.field");
    }
    if (ImGui::BeginPopup("body.filter.field")) {
        int group = filter.group;
        if (w.whole("body.group", "Group", group,
                    {"", 0.0f, static_cast<float>(physics::CollisionFilter::groups - 1), 0.1f, "%.0f",
                     "Two bodies collide if each one's choice of groups holds the other's."},
                    0)) {
            changed.group = static_cast<std::uint8_t>(group);
        }
        mask_field(w, changed.mask);
        ImGui::EndPopup();
    }
    return changed == filter ? std::nullopt : std::optional(changed);
}

} // namespace cairn::ui
