#include "app/ui/tools/push/push_tools.h"

#include "app/ui/camera/picking.h"
#include "app/ui/context/context.h"
#include "app/ui/context/selection.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/tools/sketch.h"
#include "app/ui/tools/spawn/spawn.h"
#include "app/ui/tools/tool.h"
#include "app/ui/tools/tool_icon.h"
#include "app/ui/widgets/palette.h"
#include "physics/world/body_def.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace cairn::ui {

using physics::Vec3;

namespace {
constexpr float radians_per_degree = 0.0174532925f;
constexpr float click = 4.0f;         // window units at scale 1
constexpr float path_seconds = 5.0f;  // shown at most
constexpr float path_spacing = 0.05f; // s between two points

// m for a window unit at scale 1, at this place.
float unit_at(const Context& ctx, const Vec3& point) {
    return reach_on_screen(ctx.camera.camera(), point, ctx.window_size(), ctx.window.scale);
}
} // namespace

void BallisticPath::advance() {
    velocity_ += step_ * gravity_;
    velocity_ /= 1.0f + step_ * damping_;
    position_ += step_ * velocity_;
}

Vec3 sling_velocity(const glm::vec2& pull, float metres_per_second_per_unit, float elevation, const Vec3& right,
                    const Vec3& forward) {
    const float speed = metres_per_second_per_unit * glm::length(pull);
    const Vec3 level = physics::normalized_or(-pull.x * right + pull.y * forward, Vec3(0.0f));
    return speed * (std::cos(elevation) * level + std::sin(elevation) * Vec3(0.0f, 0.0f, 1.0f));
}

namespace {

// A sling: press on a body, or on the ground for a new ball, pull back, let go.
class ThrowTool : public Tool {
  public:
    ThrowTool()
        : Tool({"throw", "Throw",
                "Press on a body, or on the ground for a new ball, pull back and release. Wheel: steeper, flatter.",
                "Throw (pull back and release)", "L",
                [](const IconPen& pen) { // a curve that ends in a ball
                    pen.arc(0.1f, 1.0f, 1.3f, -2.95f, -1.0f);
                    pen.draw->AddCircleFilled(pen.at(0.85f, -0.25f), 0.38f * pen.r, pen.ink, 14);
                }}) {}

    void press(Context& ctx, const glm::vec2& at) override {
        if (!ctx.can_edit()) {
            return;
        }
        pressed_at_ = last_ = at;
        world_ = ctx.world_number;
        const auto hit = ctx.pick(ctx.cursor_ray());
        const auto slot = hit ? find_body(ctx.frame(), hit->body) : std::nullopt;
        if (slot && ctx.frame().bodies[*slot].type == physics::BodyType::dynamic) {
            body_ = hit->body;
            select(ctx, body_);
            aiming_ = true;
            return;
        }
        body_ = {};
        const float room = ctx.get<Spawning>().settings.ball_radius + 0.01f;
        if (hit) {
            from_ = hit->hit.point + room * hit->hit.normal;
            aiming_ = true;
        } else if (const auto point = point_under_cursor(ctx)) {
            from_ = *point + room * Vec3(0, 0, 1);
            aiming_ = true;
        }
    }

    void move(Context&, const glm::vec2& at) override { last_ = at; }

    void release(Context& ctx, const glm::vec2& at) override {
        last_ = at;
        if (aiming_ && world_ == ctx.world_number && pulled(ctx)) {
            const Vec3 v = velocity(ctx);
            if (!body_) {
                physics::BodyDef ball = thrown_ball(ctx.get<Spawning>().settings, {});
                ball.pose.position = from_;
                ball.linear_velocity = v;
                ctx.play(physics::CreateBody{std::move(ball)}, "Throw a ball");
            } else if (const auto slot = find_body(ctx.frame(), body_)) {
                const physics::BodyModel& model = *ctx.frame().models[*slot];
                const Vec3 change = v - ctx.frame().bodies[*slot].linear_velocity;
                ctx.submit(physics::ApplyImpulse{body_, model.mass * change, std::nullopt},
                           "Throw " + name_of(ctx, body_));
            }
        }
        aiming_ = false;
        path_.clear();
    }

    bool scroll(Context&, float steps) override {
        if (aiming_) {
            elevation_ = std::clamp(elevation_ + 2.5f * steps, -30.0f, 85.0f);
        }
        return aiming_;
    }

    void update(Context& ctx) override {
        path_.clear();
        lands_ = false;
        const auto slot = find_body(ctx.frame(), body_); // none for a new ball
        if (!aiming_ || world_ != ctx.world_number || (body_ && !slot)) {
            aiming_ = false;
            return;
        }
        float damping = 0.0f, weight = 1.0f;
        if (slot) {
            from_ = ctx.view.drawn_pose(body_).value_or(ctx.frame().bodies[*slot].pose).position;
            damping = ctx.frame().models[*slot]->def.linear_damping;
            weight = ctx.frame().models[*slot]->def.gravity_scale;
        }
        if (!pulled(ctx)) {
            return;
        }
        const physics::Settings& settings = ctx.frame().settings;
        const float step = 1.0f / settings.hz;
        BallisticPath path(from_, velocity(ctx), weight * settings.gravity, damping, step);
        path_.push_back(from_);
        float since = 0.0f;
        for (float time = 0.0f; time < path_seconds && !lands_; time += step) {
            path.advance();
            since += step;
            if (since < path_spacing) {
                continue;
            }
            since = 0.0f;
            const Vec3 segment = path.position() - path_.back();
            const float length = glm::length(segment);
            if (!(length > 1e-5f)) {
                break;
            }
            physics::Ray ray;
            ray.origin = path_.back();
            ray.direction = segment / length;
            ray.max_distance = length;
            const auto hit = ctx.view.pick(ctx.frame(), ray, body_);
            lands_ = hit.has_value();
            path_.push_back(hit ? hit->hit.point : path.position());
        }
    }

    void draw(const Context& ctx, render::DrawList& list, MeshSource&) override {
        if (!aiming_ || path_.size() < 2) {
            return;
        }
        const glm::vec4 amber(colours::accent(), 1.0f);
        for (std::size_t i = 1; i < path_.size(); ++i) {
            if (i % 3 != 0) { // dashed: it has not happened
                list.lines.push_back({path_[i - 1], path_[i], amber, true});
            }
        }
        const float speed = glm::length(velocity(ctx));
        const Vec3 direction = physics::normalized_or(velocity(ctx), Vec3(0, 0, 1));
        const float length = std::clamp(0.08f * speed, 0.3f, 4.0f);
        const float unit = unit_at(ctx, from_);
        sketch::thick_line(list, from_, from_ + length * direction, amber, unit);
        sketch::arrow_head(list, from_ + length * direction, direction, 14.0f * unit, amber);
        if (lands_) {
            sketch::ring(list, path_.back(), Vec3(0, 0, 1), 10.0f * unit_at(ctx, path_.back()), amber);
        }
        if (!body_) {
            sketch::ring(list, from_, axes_of(list.camera).forward, ctx.get<Spawning>().settings.ball_radius, amber);
        }
    }

    void write(const Context& ctx, ToolOverlay& overlay) const override {
        if (aiming_ && !path_.empty()) {
            overlay.write(from_, "%.1f m/s, %.0f°", static_cast<double>(glm::length(velocity(ctx))),
                          static_cast<double>(elevation_));
            if (lands_) {
                const Vec3 displacement = path_.back() - from_;
                overlay.write(path_.back(), "%.1f m away",
                              static_cast<double>(std::hypot(displacement.x, displacement.y)));
            }
        }
    }

    void settings(Context& ctx) override {
        ctx.widgets.number("tool.throw_strength", "Strength", strength_,
                           {"m/s", 0.01f, 2.0f, 0.002f, "%.2f", "Launch speed per pixel pulled back.", true}, 0.12f);
        ctx.widgets.number("tool.throw_elevation", "Elevation", elevation_,
                           {"°", -30.0f, 85.0f, 0.25f, "%.0f", "Launch angle above the horizon."}, 35.0f);
    }

    void remember(SettingsArchive& a) override {
        a.value("strength", strength_, 0.01f, 2.0f);
        a.value("elevation", elevation_, -30.0f, 85.0f);
    }

    bool cancel(Context&) override {
        path_.clear();
        return std::exchange(aiming_, false);
    }

  private:
    Vec3 velocity(const Context& ctx) const {
        const CameraAxes axes = axes_of(ctx.camera.camera());
        const Vec3 forward = physics::normalized_or(Vec3(axes.forward.x, axes.forward.y, 0.0f), Vec3(0, 1, 0));
        return sling_velocity((last_ - pressed_at_) / ctx.window.scale, strength_, elevation_ * radians_per_degree,
                              glm::cross(forward, Vec3(0, 0, 1)), forward);
    }

    // far enough to be no click
    bool pulled(const Context& ctx) const { return glm::length(last_ - pressed_at_) > click * ctx.window.scale; }

    float strength_ = 0.12f;  // m/s per window unit at scale 1
    float elevation_ = 35.0f; // degrees

    bool aiming_ = false;
    std::uint64_t world_ = 0;
    glm::vec2 pressed_at_{0.0f}, last_{0.0f};
    physics::BodyId body_;            // none: a new ball
    physics::Vec3 from_{0.0f};        // m, where it leaves
    std::vector<physics::Vec3> path_; // m, as of the last update
    bool lands_ = false;              // the path ends at something
};

} // namespace

std::unique_ptr<Tool> make_throw_tool() {
    return std::make_unique<ThrowTool>();
}

} // namespace cairn::ui
