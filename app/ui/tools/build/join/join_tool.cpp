#include "app/ui/tools/build/build_tools.h"

#include "app/core/base/frame_along.h"
#include "app/ui/context/context.h"
#include "app/ui/context/selection.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/tools/build/copies.h"
#include "app/ui/tools/build/join/limit_scale.h"
#include "app/ui/tools/tool.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tools/tool_icon.h"
#include "app/ui/widgets/palette.h"
#include "physics/world/frame_state.h"
#include "physics/world/joint_def.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace cairn::ui {

namespace {

using physics::Vec3;

constexpr std::array<const char*, 9> choice_names = {"Ball",      "Hinge", "Slider",   "Weld",         "Rod",
                                                     "Universal", "Gear",  "Six axes", "Rope of links"};
constexpr std::array<std::string_view, 9> choice_words = {"ball",      "hinge", "slider",  "weld", "rod",
                                                          "universal", "gear",  "six_dof", "rope"};
constexpr std::array<const char*, 4> axis_names = {"Out of the surface", "X", "Y", "Z"};
constexpr std::array<std::string_view, 4> axis_words = {"surface", "x", "y", "z"};
constexpr std::array<physics::JointKind, 8> kinds = {physics::JointKind::ball,     physics::JointKind::hinge,
                                                     physics::JointKind::slider,   physics::JointKind::weld,
                                                     physics::JointKind::distance, physics::JointKind::universal,
                                                     physics::JointKind::gear,     physics::JointKind::six_dof};

bool is_dynamic(const Context& ctx, physics::BodyId body) {
    const auto slot = find_body(ctx.frame(), body);
    return slot && ctx.frame().bodies[*slot].type == physics::BodyType::dynamic;
}

// Of the state that is published, which is what a command meets; the picture may lie between two.
physics::Transform pose_of(const Context& ctx, physics::BodyId body) {
    const auto slot = find_body(ctx.frame(), body);
    return slot ? ctx.frame().bodies[*slot].pose : physics::Transform{};
}

// The axes of a frame: X and Y short, Z long.
void draw_frame(render::DrawList& list, const physics::Transform& frame, const glm::vec4& colour) {
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 along(0.0f);
        along[axis] = axis == 2 ? 0.3f : 0.15f;
        list.lines.push_back({frame.position, physics::to_world(frame, along), colour, true});
    }
}

// Links of a rope from `from` to `to`, m, each between two points of the result, hanging down by so much that the way
// along them is longer than the straight one by the share `slack`. At least two points.
std::vector<glm::vec3> rope_points(const glm::vec3& from, const glm::vec3& to, float link, float slack) {
    const float straight = glm::length(to - from);
    const float count = std::clamp(std::round(straight * (1.0f + slack) / std::max(link, 1e-3f)), 1.0f, 400.0f);
    // A flat parabola of the sag s is longer by 8/3 (s / d)^2 than its chord d.
    const float sag = straight * std::sqrt(0.375f * slack);
    std::vector<glm::vec3> points;
    for (int i = 0; i <= static_cast<int>(count); ++i) {
        const float share = static_cast<float>(i) / count;
        points.push_back(glm::mix(from, to, share) - glm::vec3(0, 0, 4.0f * sag * share * (1.0f - share)));
    }
    return points;
}

// Joins two bodies, or a body and the world, by two clicks; or hangs a rope from point to point.
class JoinTool : public Tool {
  public:
    JoinTool()
        : Tool({"join", "Join", "Click two bodies, or one and the ground, to join them; or two points for a rope.",
                "Join bodies, hang ropes", "Ctrl+J",
                [](const IconPen& pen) { // two links
                    pen.draw->AddCircle(pen.at(-0.55f, 0), 0.6f * pen.r, pen.ink, 16, pen.stroke);
                    pen.draw->AddCircle(pen.at(0.55f, 0), 0.6f * pen.r, pen.ink, 16, pen.stroke);
                }}) {}

    void press(Context& ctx, const glm::vec2& at) override {
        held_ = Held::none;
        if (ctx.get<ToolBox>().shift) {
            open_near(ctx, at);
            return;
        }
        if (!first_ && ctx.can_edit() && take_limit(ctx, at)) {
            return;
        }
        const std::optional<End> end = end_under_cursor(ctx);
        if (!end || !ctx.can_edit()) {
            return;
        }
        if (!first_) {
            first_ = end;
            world_ = ctx.world_number;
            return;
        }
        const End first = *first_;
        first_.reset();
        if (choice_ == rope) {
            hang_rope(ctx, first, *end);
        } else if (first.body == end->body) {
            ctx.log.info("A joint needs two bodies, or a body and the world");
        } else if (!is_dynamic(ctx, first.body) && !is_dynamic(ctx, end->body)) {
            ctx.log.info("A joint needs at least one body that moves");
        } else {
            join(ctx, first, *end);
        }
        ctx.get<ToolBox>().after_use(ctx);
    }

    void move(Context& ctx, const glm::vec2& at) override {
        const auto scale = held_ != Held::none ? scale_of_open_joint(ctx) : std::nullopt;
        if (!scale) {
            return;
        }
        physics::SetJoint set{scale->joint.id, *scale->joint.def};
        physics::JointLimits& limits = *set.def.limits;
        float& limit = held_ == Held::lower ? limits.lower : limits.upper;
        const std::optional<float> there = scale->under(ctx, at, limit);
        if (!there) {
            return;
        }
        limit = held_ == Held::lower ? std::min(*there, limits.upper) : std::max(*there, limits.lower);
        if (gesture_ == 0) {
            gesture_ = ctx.new_gesture();
        }
        const GestureScope scope(ctx, gesture_);
        ctx.submit(set, "Drag a limit of a joint");
    }

    void release(Context&, const glm::vec2&) override { held_ = Held::none; }

    void update(Context& ctx) override {
        if (first_ && world_ != ctx.world_number) {
            first_.reset();
        }
        if (first_ && first_->body) {
            if (const auto pose = ctx.view.drawn_pose(first_->body)) {
                first_->now = physics::to_world(*pose, first_->local);
                first_->normal = physics::rotate(pose->orientation, first_->local_normal);
            } else {
                first_.reset(); // it is gone
            }
        }
        next_ = end_under_cursor(ctx);
        if (made_) {
            const auto& joints = ctx.frame().joints;
            const auto found = std::find_if(joints.rbegin(), joints.rend(),
                                            [&](const physics::JointState& j) { return *j.def == *made_; });
            if (found != joints.rend()) {
                ctx.open_joint = found->id;
                made_.reset();
            }
        }
    }

    void draw(const Context& ctx, render::DrawList& list, MeshSource&) override {
        const glm::vec4 sure(colours::accent(), 1.0f), would_be(colours::accent(), 0.6f);
        for (const physics::JointState& joint : ctx.frame().joints) {
            if (joint.id == ctx.open_joint) {
                draw_frame(list, drawn_frame(ctx, joint.def->body_a, joint.def->frame_a), sure);
                draw_frame(list, drawn_frame(ctx, joint.def->body_b, joint.def->frame_b), would_be);
            }
        }
        if (const auto scale = scale_of_open_joint(ctx)) {
            scale->draw(list);
        }
        if (first_) {
            list.points.push_back({first_->now, sure, 8.0f});
        }
        if (!next_) {
            return;
        }
        list.points.push_back({next_->now, would_be, 6.0f});
        if (first_ && choice_ == rope) {
            const std::vector<glm::vec3> points = rope_points(first_->now, next_->now, link_, slack_);
            for (std::size_t i = 1; i < points.size(); ++i) {
                list.lines.push_back({points[i - 1], points[i], would_be, true});
            }
        } else if (first_) {
            list.lines.push_back({first_->now, next_->now, would_be, true});
        }
        if (has_axis()) {
            const glm::vec3 half = 0.4f * axis(*next_);
            list.lines.push_back({next_->now - half, next_->now + half, sure, true});
        }
    }

    void write(const Context& ctx, ToolOverlay& overlay) const override {
        if (const auto scale = scale_of_open_joint(ctx)) {
            scale->write(overlay);
        }
        if (next_ && held_ == Held::none) {
            overlay.write(next_->now, "%s%s", first_ ? "to " : "", name_of(ctx, next_->body).c_str());
        }
    }

    void settings(Context& ctx) override {
        Widgets& w = ctx.widgets;
        w.choice("join.kind", "Joint", choice_, choice_names.data(), choices, "What the two clicks make.");
        if (has_axis()) {
            w.choice("join.axis", "Axis", axis_, axis_names.data(), static_cast<int>(axis_names.size()),
                     "What it turns about, or slides along.");
        }
        if (choice_ == gear) {
            w.number("join.ratio", "Ratio", ratio_,
                     {"", 0.01f, 100.0f, 0.01f, "%.2f", "Turns of the first body for one of the second."}, 1.0f);
        }
        if (choice_ == rope) {
            w.number("join.link", "Link", link_, {"m", 0.05f, 5.0f, 0.01f, "%.2f", "Length of one link."}, 0.3f);
            w.number("join.radius", "Radius", radius_, {"m", 0.005f, 1.0f, 0.001f, "%.3f", "Of the links."}, 0.04f);
            w.number("join.slack", "Slack", slack_,
                     {"", 0.0f, 2.0f, 0.01f, "%.2f",
                      "By how much the rope is longer than a straight one, as a share of that."},
                     0.05f);
        }
        w.muted(
            !first_
                ? "Click the first body, or the ground for the world; Shift and a click on an anchor show the joint "
                  "there, whose limits can be dragged."
                : "Click where the other one is held.");
    }

    void remember(SettingsArchive& a) override {
        a.word("kind", choice_, choice_words);
        a.word("axis", axis_, axis_words);
        a.value("ratio", ratio_, 0.01f, 100.0f);
        a.value("link", link_, 0.05f, 5.0f);
        a.value("radius", radius_, 0.005f, 1.0f);
        a.value("slack", slack_, 0.0f, 2.0f);
    }

    bool cancel(Context&) override {
        const bool any = first_.has_value() || held_ != Held::none;
        first_.reset();
        held_ = Held::none;
        return any;
    }

  private:
    enum Choice { ball, hinge, slider, weld, rod, universal, gear, six_dof, rope };
    static constexpr int choices = 9;
    struct End {
        physics::BodyId body;          // none: the world
        physics::Vec3 local{0.0f};     // of the point, in the body's frame
        physics::Vec3 local_normal{0}; // of its surface there, the same
        glm::vec3 now{0.0f};           // m, world
        glm::vec3 normal{0.0f};        // unit, world
    };
    // The joint whose anchor is there is shown in the panel of its body.
    void open_near(Context& ctx, const glm::vec2& at) {
        for (const physics::JointState& joint : ctx.frame().joints) {
            if (near_point(ctx, joint.anchor_a, at) || near_point(ctx, joint.anchor_b, at)) {
                ctx.open_joint = joint.id;
                select_bodies(ctx, {joint.def->body_b});
                return;
            }
        }
    }

    bool take_limit(Context& ctx, const glm::vec2& at) {
        const auto scale = scale_of_open_joint(ctx);
        if (!scale) {
            return false;
        }
        const physics::JointLimits& limits = *scale->joint.def->limits;
        held_ = near_point(ctx, scale->at(limits.upper), at)   ? Held::upper
                : near_point(ctx, scale->at(limits.lower), at) ? Held::lower
                                                               : Held::none;
        gesture_ = 0;
        return held_ != Held::none;
    }

    std::optional<End> end_under_cursor(const Context& ctx) const {
        const auto point = point_in_view(ctx);
        if (!point) {
            return std::nullopt;
        }
        End end;
        end.now = *point;
        end.normal = {0, 0, 1};
        if (const auto hit = ctx.pick(ctx.cursor_ray())) {
            end.normal = hit->hit.normal;
            if (const auto pose = ctx.view.drawn_pose(hit->body)) {
                end.body = hit->body;
                end.local = physics::to_local(*pose, *point);
                end.local_normal = physics::inverse_rotate(pose->orientation, end.normal);
            }
        }
        return end;
    }

    bool has_axis() const {
        return choice_ == hinge || choice_ == slider || choice_ == universal || choice_ == gear || choice_ == six_dof;
    }

    glm::vec3 axis(const End& end) const {
        return axis_ == 0 ? end.normal : glm::vec3(axis_ == 1, axis_ == 2, axis_ == 3);
    }

    void join(Context& ctx, End a, End b) {
        const glm::vec3 at = choice_ == rod ? a.now : b.now; // where A's anchor is
        const glm::vec3 axis_a = axis(choice_ == gear ? a : b), axis_b = axis(b);
        physics::JointDef def;
        def.kind = kinds[static_cast<std::size_t>(choice_)];
        if (def.kind == physics::JointKind::gear && (!a.body || !b.body)) {
            ctx.log.info("A gear needs two bodies");
            return;
        }
        def.ratio = choice_ == gear ? ratio_ : 1.0f;
        def.length = glm::length(b.now - a.now);
        if (choice_ == six_dof) { // as a weld, until its axes are set free
            def.axes.resize(physics::joint_axes);
        }
        const auto frame_in = [&](const End& end, const glm::vec3& point, const glm::vec3& along) {
            const physics::Transform world{point, core::frame_along(along)};
            return end.body ? physics::relative(pose_of(ctx, end.body), world) : world;
        };
        def.body_a = a.body;
        def.body_b = b.body;
        def.frame_a = frame_in(a, at, axis_a);
        def.frame_b = frame_in(b, b.now, axis_b);
        if (!def.body_b) { // only the first may be the world
            std::swap(def.body_a, def.body_b);
            std::swap(def.frame_a, def.frame_b);
        }
        made_ = def;
        ctx.submit(physics::CreateJoint{def}, "Join " + name_of(ctx, a.body) + " and " + name_of(ctx, b.body));
        select_bodies(ctx, {def.body_b});
    }

    // The links are made first; the joints follow when the world has them.
    void hang_rope(Context& ctx, const End& a, const End& b) {
        const std::vector<glm::vec3> points = rope_points(a.now, b.now, link_, slack_);
        core::Scene scene;
        std::vector<physics::JointDef> ends;
        const auto anchor = [&](std::size_t link, const glm::vec3& point) {
            return physics::Transform{physics::to_local(scene.bodies[link].pose, point), physics::identity_orientation};
        };
        for (std::size_t i = 0; i + 1 < points.size(); ++i) {
            const glm::vec3 segment = points[i + 1] - points[i];
            const float length = glm::length(segment);
            if (!(length > 1e-3f)) {
                ctx.log.info("Click two points that lie apart");
                return;
            }
            physics::BodyDef link;
            link.name = "rope " + std::to_string(i + 1);
            link.pose = {0.5f * (points[i] + points[i + 1]), core::frame_along(segment / length)};
            const float radius = std::min(radius_, 0.3f * length);
            link.shapes = {{physics::Capsule{radius, 0.5f * length - radius}, {}}};
            scene.bodies.push_back(std::move(link));
            if (i > 0) {
                physics::JointDef def;
                def.body_a = {static_cast<std::uint32_t>(i - 1), 0};
                def.body_b = {static_cast<std::uint32_t>(i), 0};
                def.frame_a = anchor(i - 1, points[i]);
                def.frame_b = anchor(i, points[i]);
                scene.joints.push_back(def);
            }
        }
        const auto hold = [&](const End& end, std::size_t link, const glm::vec3& point) {
            physics::JointDef def;
            def.body_a = end.body;
            def.frame_a.position = end.body ? end.local : point;
            def.body_b = {static_cast<std::uint32_t>(link), 0};
            def.frame_b = anchor(link, point);
            ends.push_back(def);
        };
        hold(a, 0, points.front());
        hold(b, scene.bodies.size() - 1, points.back());
        add_bodies(ctx, std::move(scene), "Hang a rope", false, std::move(ends));
    }

    int choice_ = hinge, axis_ = 0; // 0: the surface's normal, 1 to 3: X, Y, Z
    float link_ = 0.3f, radius_ = 0.04f, slack_ = 0.05f;
    float ratio_ = 1.0f;
    std::optional<End> first_, next_;
    std::uint64_t world_ = 0;
    std::optional<physics::JointDef> made_; // opened in the panel as soon as the world has it
    enum class Held { none, lower, upper } held_ = Held::none;
    std::uint64_t gesture_ = 0;
};

} // namespace

std::unique_ptr<Tool> make_join_tool() {
    return std::make_unique<JoinTool>();
}

} // namespace cairn::ui
