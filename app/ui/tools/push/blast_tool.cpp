#include "app/ui/tools/push/push_tools.h"

#include "app/ui/screen/camera_moves.h"
#include "app/ui/tools/brush_tool.h"
#include "app/ui/tools/sketch.h"
#include "app/ui/tools/tool_icon.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

float share_at(float distance, float radius) {
    return radius > 0.0f ? std::clamp(1.0f - distance / radius, 0.0f, 1.0f) : 0.0f;
}

glm::vec3 blast_velocity(const glm::vec3& centre, const glm::vec3& body, float radius, float speed) {
    const glm::vec3 away = body - centre;
    return share_at(glm::length(away), radius) * speed * physics::normalized_or(away, glm::vec3(0, 0, 1));
}

namespace {

// Drives apart what lies within a ring.
class BlastTool : public BrushTool {
  public:
    BlastTool()
        : BrushTool({"blast", "Blast",
                     "Click to blast the bodies within the ring apart; Ctrl+wheel changes its radius.", "Blast", "X",
                     [](const IconPen& pen) { // rays
                         for (int i = 0; i < 8; ++i) {
                             const float angle = 0.785398163f * static_cast<float>(i), c = std::cos(angle),
                                         s = std::sin(angle);
                             pen.line(0.5f * c, 0.5f * s, 1.15f * c, 1.15f * s);
                         }
                         pen.draw->AddCircleFilled(pen.centre, 0.26f * pen.r, pen.ink, 12);
                     }},
                    4.0f, 0.2f, 100.0f) {}

    void press(Context& ctx, const glm::vec2&) override {
        const auto middle = point_under_cursor(ctx);
        if (!middle || !ctx.can_edit()) {
            return;
        }
        const physics::FrameState& frame = ctx.frame();
        int reached = 0;
        ctx.begin_gesture();
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            const physics::BodyState& body = frame.bodies[i];
            if (body.type != physics::BodyType::dynamic) {
                continue;
            }
            const glm::vec3 change = blast_velocity(*middle, body.pose.position, radius_, speed_);
            if (change != glm::vec3(0.0f)) {
                ctx.submit(physics::ApplyImpulse{body.id, frame.models[i]->mass * change, std::nullopt}, "Blast");
                ++reached;
            }
        }
        ctx.end_gesture();
        if (reached == 0) {
            ctx.log.info("No dynamic body lies within the ring");
        }
    }

    void draw(const Context& ctx, render::DrawList& list, MeshSource&) override {
        const auto middle = point_in_view(ctx);
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

    void write(const Context& ctx, ToolOverlay& overlay) const override {
        if (const auto middle = point_in_view(ctx)) {
            overlay.write(*middle, "%.1f m, %.0f m/s", static_cast<double>(radius_), static_cast<double>(speed_));
        }
    }

    void settings(Context& ctx) override {
        radius_row(ctx, "tool.blast_radius", 0.05f, "%.1f", "Radius of the blast. Ctrl+wheel changes it.");
        ctx.widgets.number(
            "tool.blast_speed", "Strength", speed_,
            {"m/s", 0.5f, 200.0f, 0.2f, "%.1f", "Speed added at the centre; it falls to zero at the ring."}, 15.0f);
    }

    void remember(SettingsArchive& a) override {
        BrushTool::remember(a);
        a.value("speed", speed_, 0.5f, 200.0f);
    }

  private:
    float speed_ = 15.0f; // m/s, given to what lies in the middle
};

} // namespace

std::unique_ptr<Tool> make_blast_tool() {
    return std::make_unique<BlastTool>();
}

} // namespace cairn::ui
