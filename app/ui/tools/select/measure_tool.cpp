#include "app/ui/tools/select/select_tools.h"

#include "app/ui/context/context.h"
#include "app/ui/expectations/expectations.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/text/number_format.h"
#include "app/ui/tools/tool.h"
#include "app/ui/tools/tool_icon.h"
#include "app/ui/widgets/palette.h"
#include "physics/world/body_def.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cairn::ui {

std::optional<float> angle_at(const glm::vec3& at, const glm::vec3& a, const glm::vec3& b) {
    const glm::vec3 u = a - at, v = b - at;
    const float across = glm::length(glm::cross(u, v)), along = glm::dot(u, v);
    if (!(glm::dot(u, u) > 0.0f && glm::dot(v, v) > 0.0f)) {
        return std::nullopt;
    }
    return std::atan2(across, along) * degrees_per_radian; // exact near 0° and 180°, where an arc cosine is not
}

namespace {

// Distances and angles between clicked points. A point on a body goes with it.
class MeasureTool : public Tool {
  public:
    MeasureTool()
        : Tool({"measure", "Measure", "Click two points for a distance, a third for an angle.", "Measure", "Z",
                [](const IconPen& pen) { // a rule
                    pen.line(-1.1f, 0.6f, 1.1f, 0.6f);
                    for (int i = 0; i < 5; ++i) {
                        const float x = -1.1f + 0.55f * static_cast<float>(i);
                        pen.line(x, 0.6f, x, i % 2 == 0 ? -0.5f : 0.05f);
                    }
                },
                false}) {}

    void press(Context& ctx, const glm::vec2&) override {
        const auto hit = ctx.pick(ctx.cursor_ray());
        const auto point = point_under_cursor(ctx);
        if (!point) {
            return;
        }
        if (count_ == marks_.size()) {
            count_ = 0;
        }
        Mark& mark = marks_[count_++];
        mark = {{}, *point, *point};
        if (const auto pose = hit ? ctx.view.drawn_pose(hit->body) : std::nullopt) {
            mark.body = hit->body;
            mark.local = physics::to_local(*pose, *point);
        }
        world_ = ctx.world_number;
    }

    void update(Context& ctx) override {
        if (world_ != ctx.world_number) {
            count_ = 0;
        }
        for (std::size_t i = 0; i < count_; ++i) {
            if (const auto pose = ctx.view.drawn_pose(marks_[i].body)) {
                marks_[i].now = physics::to_world(*pose, marks_[i].local);
            } // a body that is gone leaves the point where it was
        }
        next_ = point_in_view(ctx);
    }

    void draw(const Context&, render::DrawList& list, MeshSource&) override {
        const glm::vec4 amber(colours::accent(), 1.0f);
        for (std::size_t i = 0; i < count_; ++i) {
            list.points.push_back({marks_[i].now, amber, 8.0f});
            if (i > 0) {
                list.lines.push_back({marks_[i - 1].now, marks_[i].now, amber, true});
            }
        }
        if (next_) {
            list.points.push_back({*next_, glm::vec4(colours::accent(), 0.6f), 6.0f});
        }
        if (next_ && count_ > 0 && count_ < marks_.size()) {
            list.lines.push_back({marks_[count_ - 1].now, *next_, glm::vec4(colours::accent(), 0.5f), true});
        }
        if (count_ == 3) { // the angle's arc
            const glm::vec3 at = marks_[1].now, u = marks_[0].now - at, v = marks_[2].now - at;
            const float radius = 0.3f * std::min(glm::length(u), glm::length(v));
            glm::vec3 last = at + radius * physics::normalized_or(u, glm::vec3(0.0f));
            for (int i = 1; i <= 16; ++i) {
                const float share = static_cast<float>(i) / 16.0f;
                const glm::vec3 direction = glm::mix(physics::normalized_or(u, glm::vec3(0.0f)),
                                                     physics::normalized_or(v, glm::vec3(0.0f)), share);
                const glm::vec3 next = at + radius * physics::normalized_or(direction, glm::vec3(0.0f));
                list.lines.push_back({last, next, amber, true});
                last = next;
            }
        }
    }

    void write(const Context&, ToolOverlay& overlay) const override {
        for (std::size_t i = 1; i < count_; ++i) {
            const glm::vec3 displacement = marks_[i].now - marks_[i - 1].now;
            overlay.write(0.5f * (marks_[i].now + marks_[i - 1].now), "%.3f m",
                          static_cast<double>(glm::length(displacement)));
        }
        if (next_ && (count_ == 1 || count_ == 2)) {
            overlay.write(*next_, "%.3f m", static_cast<double>(glm::length(*next_ - marks_[count_ - 1].now)));
        }
        if (count_ == 3) {
            if (const auto angle = angle_at(marks_[1].now, marks_[0].now, marks_[2].now)) {
                overlay.write(marks_[1].now, "%.1f°", static_cast<double>(*angle));
            }
        }
    }

    void settings(Context& ctx) override {
        if (count_ < 2) {
            ctx.widgets.muted(count_ == 0 ? "Click the first point." : "Click the second point.");
            return;
        }
        const glm::vec3 displacement = marks_[1].now - marks_[0].now;
        ctx.widgets.fact("X, Y", formatted("%.3f, %.3f m", static_cast<double>(displacement.x),
                                           static_cast<double>(displacement.y)));
        ctx.widgets.fact("Z", formatted("%.3f m", static_cast<double>(displacement.z)));
        if (ctx.widgets.button("measure.expect", "Expect this length",
                               "Expects the two points to stay this far apart from here on, to a hundredth or 1 cm.",
                               0.0f, marks_[0].body && marks_[1].body)) {
            expect_distance(ctx, {marks_[0].body, marks_[0].local}, {marks_[1].body, marks_[1].local},
                            static_cast<double>(glm::length(displacement)));
        }
        if (count_ == 2) {
            ctx.widgets.muted("A third point gives an angle.");
        }
    }

    bool cancel(Context&) override {
        const bool any = count_ > 0;
        count_ = 0;
        return any;
    }

  private:
    struct Mark {
        physics::BodyId body; // none: in the world
        physics::Vec3 local{0.0f};
        glm::vec3 now{0.0f}; // m, world
    };
    std::array<Mark, 3> marks_;
    std::size_t count_ = 0;
    std::uint64_t world_ = 0;
    std::optional<glm::vec3> next_; // under the cursor
};

} // namespace

std::unique_ptr<Tool> make_measure_tool() {
    return std::make_unique<MeasureTool>();
}

} // namespace cairn::ui
