#include "app/ui/tools/build/join_tool.h"

#include "app/ui/camera/picking.h"
#include "app/ui/context/context.h"
#include "app/ui/context/selection.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/tools/build/copies.h"
#include "app/ui/tools/gizmo/gizmo.h"
#include "app/ui/tools/sketch.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tools/tool_icon.h"
#include "app/ui/widgets/palette.h"
#include "physics/world/limits.h"

#include <algorithm>
#include <cmath>

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

// A rotation that takes Z to the unit vector `axis`.
physics::Quat frame_along(const Vec3& axis) {
    if (axis.z < -0.9999f) {
        return {0.0f, 1.0f, 0.0f, 0.0f};
    }
    return physics::normalized(physics::Quat(1.0f + axis.z, -axis.y, axis.x, 0.0f));
}

bool is_dynamic(const Context& ctx, physics::BodyId body) {
    const auto slot = find_body(ctx.frame(), body);
    return slot && ctx.frame().bodies[*slot].type == physics::BodyType::dynamic;
}

// As it is drawn: of a body's frame, or of the world's.
physics::Transform drawn_frame(const Context& ctx, physics::BodyId body, const physics::Transform& frame) {
    const auto pose = ctx.view.drawn_pose(body);
    return pose ? physics::compose(*pose, frame) : frame;
}

// Of the state that is published, which is what a command meets; the picture may lie between two.
physics::Transform pose_of(const Context& ctx, physics::BodyId body) {
    const auto slot = find_body(ctx.frame(), body);
    return slot ? ctx.frame().bodies[*slot].pose : physics::Transform{};
}

constexpr float near_enough = 9.0f; // window units at scale 1, from what is clicked

bool near_point(const Context& ctx, const glm::vec3& point, const glm::vec2& at) {
    const auto there = window_position(ctx.camera.camera(), point, ctx.window_size());
    return there && glm::distance(*there, at) < near_enough * ctx.window.scale;
}

// The axes of a frame: X and Y short, Z long.
void draw_frame(render::DrawList& list, const physics::Transform& frame, const glm::vec4& colour) {
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 along(0.0f);
        along[axis] = axis == 2 ? 0.3f : 0.15f;
        list.lines.push_back({frame.position, physics::to_world(frame, along), colour, true});
    }
}

} // namespace

glm::vec3 JoinTool::Scale::at(float position) const {
    constexpr float radius = 0.5f; // m
    return turns ? origin + radius * (std::cos(position) * x + std::sin(position) * y) : origin + position * axis;
}

// Only joints whose frames say where their limits are; what is drawn follows the bodies as they are drawn.
std::optional<JoinTool::Scale> JoinTool::scale_of(const Context& ctx) const {
    using physics::JointKind;
    for (const physics::JointState& joint : ctx.frame().joints) {
        const physics::JointDef& def = *joint.def;
        if (!(joint.id == ctx.open_joint) || !def.limits) {
            continue;
        }
        const physics::Transform a = drawn_frame(ctx, def.body_a, def.frame_a);
        const physics::Transform b = drawn_frame(ctx, def.body_b, def.frame_b);
        Scale scale;
        scale.joint = joint;
        scale.turns = def.kind == JointKind::hinge || def.kind == JointKind::ball;
        scale.origin = a.position;
        scale.axis = def.kind == JointKind::distance ? physics::normalized_or(b.position - a.position, Vec3(0, 0, -1))
                                                     : physics::rotate(a.orientation, Vec3(0, 0, 1));
        scale.x = physics::rotate(a.orientation, Vec3(1, 0, 0));
        scale.y = physics::rotate(a.orientation, Vec3(0, 1, 0));
        const bool known = scale.turns || def.kind == JointKind::slider || def.kind == JointKind::distance;
        return known ? std::optional(scale) : std::nullopt;
    }
    return std::nullopt;
}

// The joint whose anchor is there is shown in the panel of its body.
void JoinTool::open_near(Context& ctx, const glm::vec2& at) {
    for (const physics::JointState& joint : ctx.frame().joints) {
        if (near_point(ctx, joint.anchor_a, at) || near_point(ctx, joint.anchor_b, at)) {
            ctx.open_joint = joint.id;
            select_bodies(ctx, {joint.def->body_b});
            return;
        }
    }
}

bool JoinTool::take_limit(Context& ctx, const glm::vec2& at) {
    const std::optional<Scale> scale = scale_of(ctx);
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

void JoinTool::move(Context& ctx, const glm::vec2& at) {
    const std::optional<Scale> scale = held_ != Held::none ? scale_of(ctx) : std::nullopt;
    if (!scale) {
        return;
    }
    physics::SetJoint set{scale->joint.id, *scale->joint.def};
    physics::JointLimits& limits = *set.def.limits;
    float& limit = held_ == Held::lower ? limits.lower : limits.upper;
    const physics::Ray ray = cursor_ray(ctx.camera.camera(), at, ctx.window_size());
    if (scale->turns) {
        const auto point = meet_plane(ray, scale->origin, scale->axis);
        if (!point) {
            return;
        }
        const glm::vec3 arm = *point - scale->origin;
        const float angle = std::atan2(glm::dot(arm, scale->y), glm::dot(arm, scale->x));
        limit += std::remainder(angle - limit, 6.2831853f); // the nearest of its turns
        const float most =
            set.def.kind == physics::JointKind::ball ? physics::limits::joint_cone : physics::limits::joint_angle;
        limit = std::clamp(limit, -most, most);
    } else {
        const auto along = gizmo::along_axis(ray, scale->origin, scale->axis);
        if (!along) {
            return;
        }
        limit = set.def.kind == physics::JointKind::distance ? std::max(*along, 0.0f) : *along;
    }
    limit = held_ == Held::lower ? std::min(limit, limits.upper) : std::max(limit, limits.lower);
    if (gesture_ == 0) {
        gesture_ = ctx.new_gesture();
    }
    const GestureScope scope(ctx, gesture_);
    ctx.submit(set, "Drag a limit of a joint");
}

void JoinTool::release(Context&, const glm::vec2&) {
    held_ = Held::none;
}

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

std::optional<JoinTool::End> JoinTool::end_under_cursor(const Context& ctx) const {
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

bool JoinTool::has_axis() const {
    return choice_ == hinge || choice_ == slider || choice_ == universal || choice_ == gear || choice_ == six_dof;
}

glm::vec3 JoinTool::axis(const End& end) const {
    return axis_ == 0 ? end.normal : glm::vec3(axis_ == 1, axis_ == 2, axis_ == 3);
}

JoinTool::JoinTool()
    : Tool({"join", "Join", "Click two bodies, or one and the ground, to join them; or two points for a rope.",
            "Join bodies, hang ropes", "Ctrl+J",
            [](const IconPen& pen) { // two links
                pen.draw->AddCircle(pen.at(-0.55f, 0), 0.6f * pen.r, pen.ink, 16, pen.stroke);
                pen.draw->AddCircle(pen.at(0.55f, 0), 0.6f * pen.r, pen.ink, 16, pen.stroke);
            }}) {
}

void JoinTool::press(Context& ctx, const glm::vec2& at) {
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

void JoinTool::join(Context& ctx, End a, End b) {
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
        const physics::Transform world{point, frame_along(along)};
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
void JoinTool::hang_rope(Context& ctx, const End& a, const End& b) {
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
        link.pose = {0.5f * (points[i] + points[i + 1]), frame_along(segment / length)};
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

bool JoinTool::cancel(Context&) {
    const bool any = first_.has_value() || held_ != Held::none;
    first_.reset();
    held_ = Held::none;
    return any;
}

void JoinTool::update(Context& ctx) {
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

void JoinTool::draw(const Context& ctx, render::DrawList& list, MeshSource&) {
    const glm::vec4 sure(colours::accent(), 1.0f), would_be(colours::accent(), 0.6f);
    for (const physics::JointState& joint : ctx.frame().joints) {
        if (joint.id == ctx.open_joint) {
            draw_frame(list, drawn_frame(ctx, joint.def->body_a, joint.def->frame_a), sure);
            draw_frame(list, drawn_frame(ctx, joint.def->body_b, joint.def->frame_b), would_be);
        }
    }
    if (const std::optional<Scale> scale = scale_of(ctx)) {
        const physics::JointLimits& limits = *scale->joint.def->limits;
        const float shown =
            scale->turns ? std::min(limits.upper - limits.lower, 6.2831853f) : limits.upper - limits.lower;
        const int pieces = scale->turns ? 48 : 1;
        glm::vec3 last = scale->at(limits.lower);
        for (int i = 1; i <= pieces; ++i) {
            const glm::vec3 next = scale->at(limits.lower + shown * static_cast<float>(i) / static_cast<float>(pieces));
            list.lines.push_back({last, next, sure, true});
            last = next;
        }
        for (const float limit : {limits.lower, limits.upper}) {
            if (scale->turns) {
                list.lines.push_back({scale->origin, scale->at(limit), would_be, true});
            }
            list.points.push_back({scale->at(limit), sure, 10.0f});
        }
        list.points.push_back({scale->at(scale->joint.position), would_be, 6.0f});
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

void JoinTool::write(const Context& ctx, ToolOverlay& overlay) const {
    if (const std::optional<Scale> scale = scale_of(ctx)) {
        const physics::JointLimits& limits = *scale->joint.def->limits;
        for (const float limit : {limits.lower, limits.upper}) {
            overlay.grips.push_back(scale->at(limit));
            overlay.write(scale->at(limit), scale->turns ? "%.2f rad" : "%.3f m", static_cast<double>(limit));
        }
    }
    if (next_ && held_ == Held::none) {
        overlay.write(next_->now, "%s%s", first_ ? "to " : "", name_of(ctx, next_->body).c_str());
    }
}

void JoinTool::settings(Context& ctx) {
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
        w.number(
            "join.slack", "Slack", slack_,
            {"", 0.0f, 2.0f, 0.01f, "%.2f", "By how much the rope is longer than a straight one, as a share of that."},
            0.05f);
    }
    w.muted(!first_
                ? "Click the first body, or the ground for the world; Shift and a click on an anchor show the joint "
                  "there, whose limits can be dragged."
                : "Click where the other one is held.");
}

void JoinTool::remember(SettingsArchive& a) {
    a.word("kind", choice_, choice_words);
    a.word("axis", axis_, axis_words);
    a.value("ratio", ratio_, 0.01f, 100.0f);
    a.value("link", link_, 0.05f, 5.0f);
    a.value("radius", radius_, 0.005f, 1.0f);
    a.value("slack", slack_, 0.0f, 2.0f);
}

} // namespace cairn::ui
