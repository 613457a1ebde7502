#include "app/ui/tour/tour.h"

#include "app/ui/app.h"
#include "app/ui/key_codes.h"

#include <algorithm>
#include <imgui_internal.h>

namespace cairn::ui {

namespace {

struct Step {
    const char* widget; // that it points at; "" is the middle of the world
    const char* title;
    std::string (*text)();
};

const std::vector<Step>& steps() {
    static const std::vector<Step> table = {
        {"", "The world is yours",
         [] {
             return std::string(
                        "Drag a body with the left button to pull it on a spring. Drag with the right button to "
                        "look around; the wheel zooms. ") +
                    key_of(Action::throw_ball) + " throws a ball at the cursor.";
         }},
        {"transport.pause", "Time",
         [] {
             return "Pause with " + key_of(Action::pause) + ", single-step with " + key_of(Action::single_step) +
                    ", restart with " + key_of(Action::restart) +
                    ". Every edit can be undone: " + key_of(Action::undo) + ".";
         }},
        {"section.world", "Everything can be changed",
         [] {
             return std::string("Gravity, stiffness, substeps: drag a number, or click and type. Hover over one "
                                "to read what it does.");
         }},
        {"transport.help", "Find your way",
         [] {
             return key_of(Action::palette) + " finds any action or setting, " + key_of(Action::browser) +
                    " shows all scenes, " + key_of(Action::help) + " lists the keys.";
         }},
    };
    return table;
}

void end(App& app, bool for_ever) {
    app.tour.shown = false;
    app.remembered.tour_seen |= for_ever;
}

void go_on(App& app) {
    if (++app.tour.step >= steps().size()) {
        end(app, true);
    }
}

} // namespace

void begin_tour(App& app) {
    app.tour.shown = true;
    app.tour.step = 0;
}

bool tour_key(App& app, int key) {
    if (!app.tour.shown || (key != key_enter && key != key_escape)) {
        return false;
    }
    if (key == key_enter) {
        go_on(app);
    } else {
        end(app, false);
    }
    return true;
}

void draw_tour(App& app) {
    Tour& tour = app.tour;
    if (!tour.begun && app.figures.frames > 0) {
        tour.begun = true;
        if (app.remembered.kept && !app.remembered.tour_seen && !app.options.frames) {
            begin_tour(app);
        }
    }
    if (!tour.shown) {
        return;
    }
    Widgets& w = app.widgets;
    const Step& step = steps()[tour.step];
    const float s = w.scale;
    const ImVec2 window(static_cast<float>(app.window.width), static_cast<float>(app.window.height));
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
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav)) {
        ImGui::PushFont(w.fonts.strong);
        ImGui::TextUnformatted(step.title);
        ImGui::PopFont();
        ImGui::PushTextWrapPos(0.0f);
        ImGui::TextUnformatted(step.text().c_str());
        ImGui::PopTextWrapPos();
        ImGui::Dummy(ImVec2(1.0f, 2.0f * s));
        const bool last = tour.step + 1 == steps().size();
        if (w.button("tour.next", last ? "Done" : "Next", "Enter does the same.")) {
            go_on(app);
        }
        ImGui::SameLine();
        if (w.button("tour.skip", "Skip", "Closes the tour for now (Esc).")) {
            end(app, false);
        }
        ImGui::SameLine();
        if (w.button("tour.never", "Never show again", "The list of keys can show it again.")) {
            end(app, true);
        }
        ImGui::SameLine();
        w.muted(formatted("%zu of %zu", std::min(tour.step, steps().size() - 1) + 1, steps().size()), false);
        const ImVec2 place = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        w.mark("tour", {place.x, place.y, size.x, size.y});
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

} // namespace cairn::ui
