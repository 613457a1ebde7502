#include "app/ui/panels/motion/motion_panel.h"

#include "app/ui/input/actions.h"
#include "app/ui/panels/body/rows/body_rows.h"
#include "app/ui/plots/motion/motion_table.h"

#include <algorithm>
#include <array>
#include <span>

namespace cairn::ui {

namespace {

constexpr std::size_t most_motions = 8; // curves that can be distinguished

} // namespace

void MotionPanel::operator()(Context& ctx) {
    const physics::FrameState& frame = ctx.frame();
    Widgets& w = ctx.widgets;
    const std::size_t shown = std::min(ctx.selection.size(), most_motions);
    std::array<float, 2 * most_motions> all_values{};
    std::array<ImU32, most_motions> inks{};
    for (std::size_t i = 0; i < shown; ++i) {
        if (const auto place = find_body(frame, ctx.selection[i])) {
            const physics::BodyState& body = frame.bodies[*place];
            all_values[i] = glm::length(body.linear_velocity);
            all_values[shown + i] = body.pose.position.z;
            inks[i] = theme::packed(theme::from_linear(shown_colour(*frame.models[*place], body)));
        }
    }
    const std::span values(all_values.data(), 2 * shown);
    if (!std::ranges::equal(std::span(ctx.selection).first(shown), bodies_) || world_ != ctx.world_number) {
        bodies_.assign(ctx.selection.begin(), ctx.selection.begin() + static_cast<std::ptrdiff_t>(shown));
        world_ = ctx.world_number;
        course_.clear();
    }
    course_.add(frame.step, values);
    const auto plot = [&](const char* id, const char* title, std::size_t first) {
        std::array<CourseCurve, most_motions> curves{};
        for (std::size_t i = 0; i < shown; ++i) {
            curves[i] = {course_.curves[first + i], inks[i]};
        }
        plot_course(w, id, title, std::span(curves).first(shown));
    };
    plot("motion.speed", "Speed, m/s", 0);
    plot("motion.height", "Height, m", shown);
    w.muted(shown < ctx.selection.size() ? formatted("The last 240 steps of %zu of the %zu bodies, in their colours.",
                                                     shown, ctx.selection.size())
                                         : FrameText("The last 240 steps, in the colours of the bodies."));
    MotionTable& table = ctx.get<MotionTable>();
    const bool running = table.running();
    const FrameText title = running
                                ? formatted("Cancel the table, %.0f %%", 100.0 * static_cast<double>(table.progress()))
                                : FrameText("Save as a table");
    const FrameText help =
        joined("Position, orientation, velocity and spin of the selected bodies at every step from the start of the "
               "scene, as CSV (",
               ctx.key_of("save_motion"), ").");
    if (w.button("motion.save", title.c_str(), help.c_str(), ImGui::GetContentRegionAvail().x)) {
        table.toggle(ctx);
    }
}

} // namespace cairn::ui
