#include "app/ui/tools/blast_tool.h"

#include "app/ui/actions.h"
#include "app/ui/app.h"
#include "app/ui/palette.h"
#include "app/ui/settings/settings_archive.h"
#include "app/ui/tools/blast.h"
#include "app/ui/tools/sketch.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

std::optional<glm::vec3> BlastTool::centre(const App& app) const {
    return app.cursor_inside && !app.cursor_over_ui ? point_under_cursor(app) : std::nullopt;
}

void BlastTool::press(App& app, const glm::vec2&) {
    const auto middle = point_under_cursor(app);
    if (!middle || !app.can_edit()) {
        return;
    }
    const physics::FrameState& frame = app.frame();
    int reached = 0;
    app.begin_gesture();
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const physics::BodyState& body = frame.bodies[i];
        if (body.type != physics::BodyType::dynamic) {
            continue;
        }
        const glm::vec3 change = blast_velocity(*middle, body.pose.position, radius_, speed_);
        if (change != glm::vec3(0.0f)) {
            app.submit(physics::ApplyImpulse{body.id, frame.models[i]->mass * change, std::nullopt}, "Blast");
            ++reached;
        }
    }
    app.end_gesture();
    if (reached == 0) {
        app.log.info("No dynamic body lies within the ring");
    }
}

bool BlastTool::scroll(App& app, float steps) {
    if (!app.tools.control) {
        return false; // the wheel alone zooms
    }
    radius_ = std::clamp(radius_ * std::pow(1.1f, steps), 0.2f, 100.0f);
    return true;
}

void BlastTool::draw(const App& app, render::DrawList& list, MeshSource&) {
    const auto middle = centre(app);
    if (!middle) {
        return;
    }
    const glm::vec3 amber = colours::accent();
    // A ball in outline; what of it is hidden shows faintly.
    for (int axis = 0; axis < 3; ++axis) {
        glm::vec3 normal(0.0f);
        normal[axis] = 1.0f;
        sketch::ring(list, *middle, normal, radius_, glm::vec4(amber, 1.0f), false);
        sketch::ring(list, *middle, normal, radius_, glm::vec4(amber, axis == 2 ? 0.5f : 0.2f));
    }
    list.points.push_back({*middle, glm::vec4(amber, 1.0f), 7.0f});
}

void BlastTool::write(const App& app, ToolOverlay& overlay) const {
    if (const auto middle = centre(app)) {
        overlay.write(*middle, "%.1f m, %.0f m/s", static_cast<double>(radius_), static_cast<double>(speed_));
    }
}

void BlastTool::remember(SettingsArchive& a) {
    a.value("radius", radius_, 0.2f, 100.0f);
    a.value("speed", speed_, 0.5f, 200.0f);
}

void BlastTool::settings(App& app) {
    app.widgets.number("tool.blast_radius", "Radius", radius_,
                       {"m", 0.2f, 100.0f, 0.05f, "%.1f", "Radius of the blast. Ctrl+wheel changes it."}, 4.0f);
    app.widgets.number("tool.blast_speed", "Strength", speed_,
                       {"m/s", 0.5f, 200.0f, 0.2f, "%.1f", "Speed added at the centre; it falls to zero at the ring."},
                       15.0f);
}

} // namespace cairn::ui
