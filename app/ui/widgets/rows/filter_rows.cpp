#include "app/ui/widgets/rows/filter_rows.h"

#include "app/core/scene/values/scene_keys.h"
#include "app/ui/text/frame_text.h"

#include <bit>
#include <imgui_internal.h>
#include <string>

namespace cairn::ui {

namespace {

constexpr std::uint32_t all = 0xffffffffu;

FrameText filter_text(const physics::CollisionFilter& filter, const FilterMix& mix) {
    const int count = std::popcount(filter.mask);
    const auto meets = mix.mask != 0        ? FrameText("mixed")
                       : filter.mask == all ? FrameText("all")
                       : count == 0         ? FrameText("none")
                       : count == 1         ? formatted("%d", std::countr_zero(filter.mask))
                                            : formatted("%d groups", count);
    const auto group = mix.group ? FrameText("mixed") : formatted("%d", static_cast<int>(filter.group));
    return joined("Group ", group, ", collides with ", meets);
}

// Groups in which bodies differ are half lit; a click there lights them.
void mask_field(Widgets& w, std::uint32_t mask, std::uint32_t mix, BitChange<std::uint32_t>& change) {
    constexpr int in_a_row = 8;
    const float side = ImGui::GetFrameHeight() * 1.2f;
    for (int group = 0; group < physics::CollisionFilter::groups; ++group) {
        if (group % in_a_row != 0) {
            ImGui::SameLine();
        }
        const std::uint32_t bit = std::uint32_t{1} << group;
        const bool mixed = (mix & bit) != 0, in = (mask & bit) != 0;
        const FrameText number = formatted("%d", group), mark = formatted("body.mask.%d", group);
        ImGui::PushID(group);
        ImVec4 lit = ImGui::GetStyleColorVec4(ImGuiCol_Header);
        lit.w *= mixed ? 0.4f : 1.0f;
        ImGui::PushStyleColor(ImGuiCol_Header, lit);
        if (ImGui::Selectable(number.c_str(), in || mixed, ImGuiSelectableFlags_DontClosePopups, ImVec2(side, 0.0f))) {
            change = {bit, mixed || !in ? bit : 0};
        }
        ImGui::PopStyleColor();
        ImGui::PopID();
        w.mark(mark);
        if (mixed) {
            w.mark(joined(mark, ".mixed"));
        }
    }
    if (w.button("body.mask.all", "All", "Collides with every group.")) {
        change = {all, all};
    }
    ImGui::SameLine();
    if (w.button("body.mask.none", "None", "Collides with nothing.")) {
        change = {all, 0};
    }
}

} // namespace

std::optional<BitChange<std::uint8_t>> lock_rows(Widgets& w, std::uint8_t locks, std::uint8_t mix) {
    BitChange<std::uint8_t> change;
    const auto which = mix != 0     ? FrameText("mixed")
                       : locks == 0 ? FrameText("none")
                                    : formatted("%d", std::popcount(unsigned{locks}));
    if (w.button("body.locks", joined("Locked axes: ", which).c_str(),
                 "Axes of the world along which, or about which, the body does not move.", -1.0f)) {
        ImGui::OpenPopup("body.locks.field");
    }
    if (ImGui::BeginPopup("body.locks.field")) {
        for (std::size_t axis = 0; axis < core::axis_names.size(); ++axis) {
            const auto bit = static_cast<std::uint8_t>(1u << axis);
            const bool mixed = (mix & bit) != 0;
            bool on = (locks & bit) != 0 && !mixed; // of several that differ, a click locks it in all
            const std::string name(core::axis_names[axis]);
            const std::string title = axis < 3 ? "Not along " + name : "Not about " + name.substr(1);
            ImGui::PushItemFlag(ImGuiItemFlags_MixedValue, mixed);
            if (w.toggle(("body.lock." + name).c_str(), title.c_str(), on, "In the axes of the world.")) {
                change = {bit, on ? bit : std::uint8_t{0}};
            }
            ImGui::PopItemFlag();
        }
        ImGui::EndPopup();
    }
    return change.bits != 0 ? std::optional(change) : std::nullopt;
}

std::optional<FilterChange> filter_rows(Widgets& w, const physics::CollisionFilter& filter, const FilterMix& mix) {
    FilterChange change;
    if (w.button("body.filter", filter_text(filter, mix).c_str(),
                 "The group of the body, and the groups that it collides with.", -1.0f)) {
        ImGui::OpenPopup("body.filter.field");
    }
    if (ImGui::BeginPopup("body.filter.field")) {
        int group = filter.group;
        NumberSpec spec{"",   0.0f,   static_cast<float>(physics::CollisionFilter::groups - 1),
                        0.1f, "%.0f", "Two bodies collide if each one's choice of groups holds the other's."};
        spec.mixed = mix.group ? 1 : 0;
        if (w.whole("body.group", "Group", group, spec, 0)) {
            change.group = static_cast<std::uint8_t>(group);
        }
        mask_field(w, filter.mask, mix.mask, change.mask);
        ImGui::EndPopup();
    }
    return change.group || change.mask.bits != 0 ? std::optional(change) : std::nullopt;
}

} // namespace cairn::ui
