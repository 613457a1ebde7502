#include "app/ui/tour/tour.h"

#include "app/ui/context/context.h"
#include "app/ui/input/actions.h"
#include "app/ui/input/key_codes.h"
#include "app/ui/screen/frame_metrics.h"
#include "app/ui/screen/remembered.h"

#include <algorithm>
#include <imgui_internal.h>

namespace cairn::ui {

namespace {

struct Step {
    const char* widget; // that it points at; "" is the middle of the world
    const char* title;
    std::string (*text)(const Context& ctx);
};

const std::vector<Step>& steps() {
    static const std::vector<Step> table = {
        {"", "The world is yours",
         [](const Context& ctx) {
             return std::string(
                        "Drag a body with the left button to pull it on a spring. Drag with the right button to "
                        "look around; the wheel zooms. ") +
                    ctx.key_of("throw_ball") + " throws a ball at the cursor.";
         }},
        {"transport.pause", "Time",
         [](const Context& ctx) {
             return "Pause with " + ctx.key_of("pause") + ", single-step with " + ctx.key_of("single_step") +
                    ", restart with " + ctx.key_of("restart") + ". Every edit can be undone: " + ctx.key_of("undo") +
                    ".";
         }},
        {"section.world", "Everything can be changed",
         [](const Context&) {
             return std::string("Gravity, stiffness, substeps: drag a number, or click and type. Hover over one "
                                "to read what it does.");
         }},
        {"transport.help", "Find your way",
         [](const Context& ctx) {
             return ctx.key_of("palette") + " finds any action or setting, " + ctx.key_of("browser") +
                    " shows all scenes, " + ctx.key_of("help") + " lists the keys.";
         }},
    };
    return table;
}

void end(Context& ctx, bool for_ever) {
    ctx.get<Tour>().shown = false;
    ctx.get<Remembered>().tour_seen |= for_ever;
}

void go_on(Context& ctx) {
    if (++ctx.get<Tour>().step >= steps().size()) {
        end(ctx, true);
    }
}

} // namespace

void begin_tour(Context& ctx) {
    ctx.get<Tour>().shown = true;
    ctx.get<Tour>().step = 0;
}

bool tour_key(Context& ctx, int key) {
    if (!ctx.get<Tour>().shown || (key != key_enter && key != key_escape)) {
        return false;
    }
    if (key == key_enter) {
        go_on(ctx);
    } else {
        end(ctx, false);
    }
    return true;
}

void draw_tour(Context& ctx) {
    Tour& tour = ctx.get<Tour>();
    if (!tour.begun && ctx.get<FrameMetrics>().frames > 0) {
        tour.begun = true;
        if (ctx.get<Remembered>().kept && !ctx.get<Remembered>().tour_seen && !ctx.options.frames) {
            begin_tour(ctx);
        }
    }
    if (!tour.shown) {
        return;
    }
    Widgets& w = ctx.widgets;
    const Step& step = steps()[tour.step];
    const float s = w.scale;
    const glm::vec2 window = ctx.window_size();
    const float width = std::min(330.0f * s, window.x - 16.0f * s);
    ImVec2 at(0.5f * (window.x - width), 0.62f * window.y);
    // Beside what it points at, if that is to be seen.
    if (const Rectangle* place = w.place(step.widget)) {
        const Rectangle& r = *place;
        const float grow = 4.0f * s;
        ImGui::GetForegroundDrawList()->AddRect(ImVec2(r.x - grow, r.y - grow),
                                                ImVec2(r.x + r.width + grow, r.y + r.height + grow),
                                                theme::packed(theme::accent), 6.0f * s, 0, 2.5f * s);
        at = ImVec2(r.x + r.width + 18.0f * s, r.y + r.height + 14.0f * s);
    }
    at.x = std::clamp(at.x, 8.0f * s, std::max(window.x - width - 8.0f * s, 8.0f * s));
    at.y = std::clamp(at.y, 8.0f * s, std::max(window.y - 190.0f * s, 8.0f * s));
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0.0f), ImVec2(width, window.y));
    ImGui::SetNextWindowBgAlpha(1.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(16 * s, 14 * s));
    ImGui::PushStyleColor(ImGuiCol_Border, theme::accent);
    if (ImGui::Begin("tour", nullptr,
                     fixed_window | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_AlwaysAutoResize)) {
        w.heading(step.title);
        w.words(step.text(ctx), theme::text);
        ImGui::Dummy(ImVec2(1.0f, 2.0f * s));
        const bool last = tour.step + 1 == steps().size();
        if (w.button("tour.next", last ? "Done" : "Next", "Enter does the same.")) {
            go_on(ctx);
        }
        ImGui::SameLine();
        if (w.button("tour.skip", "Skip", "Closes the tour for now (Esc).")) {
            end(ctx, false);
        }
        ImGui::SameLine();
        if (w.button("tour.never", "Never show again", "The list of keys can show it again.")) {
            end(ctx, true);
        }
        ImGui::SameLine();
        w.muted(formatted("%zu of %zu", std::min(tour.step, steps().size() - 1) + 1, steps().size()), false);
        w.mark_window("tour");
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

} // namespace cairn::ui
