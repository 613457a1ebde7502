#include "app/ui/panels/outliner/outliner.h"

#include "app/core/scene/values/scene_keys.h"
#include "app/ui/context/selection.h"
#include "app/ui/input/actions.h"
#include "app/ui/panels/body/rows/body_rows.h"
#include "app/ui/text/fuzzy.h"

#include <algorithm>

namespace cairn::ui {

namespace {

constexpr int most_outliner_rows = 12;

// With the bodies that it holds together: most joints have no name.
FrameText listed_name(const Context& ctx, const physics::JointState& joint) {
    const physics::JointDef& def = *joint.def;
    const std::string_view kind = core::joint_kinds[static_cast<std::size_t>(def.kind)];
    return joined(def.name.empty() ? kind : joined(def.name, " (", kind, ")"), ": ", name_of(ctx, def.body_a), " and ",
                  name_of(ctx, def.body_b));
}

void colour_patch(const Widgets& w, const glm::vec3& colour) {
    const float side = 0.5f * ImGui::GetFrameHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy(ImVec2(side, ImGui::GetFrameHeight()));
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + 0.5f * side}, {at.x + side, at.y + 1.5f * side},
                                              theme::packed(theme::from_linear(colour)), 2.0f * w.scale);
}

} // namespace

void hide_selected(Context& ctx) {
    HiddenBodies& hidden = ctx.get<HiddenBodies>();
    if (!ctx.selection.empty()) {
        for (const physics::BodyId body : ctx.selection) {
            hidden.set(body, true);
        }
        ctx.log.info("Hidden; " + ctx.key_of("hide") + " without a selection shows everything again");
        select(ctx, {});
    } else if (!hidden.bodies.empty()) {
        hidden.bodies.clear();
        ctx.log.info("Everything is shown");
    } else {
        ctx.log.info("Select what is to be hidden");
    }
}

void select_beside(Context& ctx, int direction) {
    const physics::FrameState& frame = ctx.frame();
    if (frame.bodies.empty()) {
        return;
    }
    const auto count = static_cast<std::ptrdiff_t>(frame.bodies.size());
    const auto at = find_body(frame, ctx.selected);
    std::ptrdiff_t next = at ? static_cast<std::ptrdiff_t>(*at) : direction > 0 ? -1 : count;
    for (std::ptrdiff_t tried = 0; tried < count; ++tried) {
        next = (next + direction + count) % count;
        const physics::BodyId body = frame.bodies[static_cast<std::size_t>(next)].id;
        if (!ctx.get<HiddenBodies>().has(body)) {
            select(ctx, body);
            return;
        }
    }
}

void Outliner::operator()(Context& ctx) {
    Widgets& w = ctx.widgets;
    const physics::FrameState& frame = ctx.frame();
    w.text("outliner.filter", "Find", filter_, ImGui::GetContentRegionAvail().x);
    w.tip("Lists the bodies and joints with this text in their names.");
    const std::string words = lower_case(filter_);
    const auto meant = [&](const FrameText& name) {
        return lower_case(std::string(name)).find(words) != std::string::npos;
    };
    bodies_.clear();
    joints_.clear();
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        if (words.empty() || meant(listed_name(frame, i))) {
            bodies_.push_back(i);
        }
    }
    for (std::size_t i = 0; i < frame.joints.size(); ++i) {
        if (words.empty() || meant(listed_name(ctx, frame.joints[i]))) {
            joints_.push_back(i);
        }
    }
    HiddenBodies& hidden = ctx.get<HiddenBodies>();
    const std::size_t count = bodies_.size() + joints_.size();
    if (count == 0) {
        w.muted("Nothing is called so.");
    } else {
        const float line = ImGui::GetFrameHeight();
        const auto rows = static_cast<float>(std::min(static_cast<int>(count), most_outliner_rows));
        ImGui::BeginChild("outliner.rows", ImVec2(0.0f, rows * line));
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, 0.0f));
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(count), line);
        while (clipper.Step()) {
            for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
                const auto n = static_cast<std::size_t>(row);
                ImGui::PushID(row);
                if (n < bodies_.size()) {
                    const physics::BodyId body = frame.bodies[bodies_[n]].id;
                    bool shown = !hidden.has(body);
                    if (w.toggle(formatted("outliner.show.%d", row).c_str(), "", shown, "Shown or hidden.")) {
                        hidden.set(body, !shown);
                    }
                    ImGui::SameLine();
                    colour_patch(w, shown_colour(*frame.models[bodies_[n]], frame.bodies[bodies_[n]]));
                    ImGui::SameLine();
                    ImGui::AlignTextToFramePadding();
                    if (w.entry("name", listed_name(frame, bodies_[n]), is_selected(ctx, body))) {
                        const ImGuiIO& io = ImGui::GetIO();
                        io.KeyShift || io.KeyCtrl ? toggle_selected(ctx, body) : select(ctx, body);
                    }
                } else {
                    const physics::JointState& joint = frame.joints[joints_[n - bodies_.size()]];
                    ImGui::AlignTextToFramePadding();
                    ImGui::PushStyleColor(ImGuiCol_Text, theme::muted);
                    if (w.entry("name", listed_name(ctx, joint), ctx.open_joint == joint.id)) {
                        select(ctx, joint.def->body_b);
                        ctx.open_joint = joint.id;
                    }
                    ImGui::PopStyleColor();
                }
                w.mark(formatted("outliner.%d", row));
                ImGui::PopID();
            }
        }
        ImGui::PopStyleVar();
        ImGui::EndChild();
    }
    if (w.button("outliner.show_all", "Show all", "Shows what is hidden.", ImGui::GetContentRegionAvail().x,
                 !hidden.bodies.empty())) {
        hidden.bodies.clear();
    }
}

} // namespace cairn::ui
