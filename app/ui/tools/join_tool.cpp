#include "app/ui/tools/join_tool.h"

#include "app/ui/actions.h"
#include "app/ui/app.h"
#include "app/ui/copies.h"
#include "app/ui/palette.h"
#include "app/ui/settings/settings_archive.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

namespace {

using physics::Vec3;

constexpr std::array<const char*, 8> choice_names = {"Ball", "Hinge",     "Slider", "Weld",
                                                     "Rod",  "Universal", "Gear",   "Rope of links"};
constexpr std::array<std::string_view, 8> choice_words = {"ball", "hinge",     "slider", "weld",
                                                          "rod",  "universal", "gear",   "rope"};
constexpr std::array<const char*, 4> axis_names = {"Out of the surface", "X", "Y", "Z"};
constexpr std::array<physics::JointKind, 7> kinds = {
    physics::JointKind::ball,     physics::JointKind::hinge,     physics::JointKind::slider, physics::JointKind::weld,
    physics::JointKind::distance, physics::JointKind::universal, physics::JointKind::gear};

// A rotation that takes Z to the unit vector `axis`.
physics::Quat frame_along(const Vec3& axis) {
    if (axis.z < -0.9999f) {
        return {0.0f, 1.0f, 0.0f, 0.0f};
    }
    return physics::normalized(physics::Quat(1.0f + axis.z, -axis.y, axis.x, 0.0f));
}

std::string name_of(const App& app, physics::BodyId body) {
    const auto slot = find_body(app.frame(), body);
    return slot ? core::body_name(app.frame().models[*slot]->def, body) : std::string("the world");
}

bool is_dynamic(const App& app, physics::BodyId body) {
    const auto slot = find_body(app.frame(), body);
    return slot && app.frame().bodies[*slot].type == physics::BodyType::dynamic;
}

// Of the state that is published, which is what a command meets; the picture may lie between two.
physics::Transform pose_of(const App& app, physics::BodyId body) {
    const auto slot = find_body(app.frame(), body);
    return slot ? app.frame().bodies[*slot].pose : physics::Transform{};
}

} // namespace

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

std::optional<JoinTool::End> JoinTool::end_under_cursor(const App& app) const {
    const auto point = point_under_cursor(app);
    if (!app.cursor_inside || app.cursor_over_ui || !point) {
        return std::nullopt;
    }
    End end;
    end.now = *point;
    end.normal = {0, 0, 1};
    if (const auto hit = app.pick(app.cursor_ray())) {
        end.normal = hit->hit.normal;
        if (const auto pose = app.view.drawn_pose(hit->body)) {
            end.body = hit->body;
            end.local = physics::to_local(*pose, *point);
            end.local_normal = physics::inverse_rotate(pose->orientation, end.normal);
        }
    }
    return end;
}

glm::vec3 JoinTool::axis(const End& end) const {
    return axis_ == 0 ? end.normal : glm::vec3(axis_ == 1, axis_ == 2, axis_ == 3);
}

void JoinTool::press(App& app, const glm::vec2&) {
    const std::optional<End> end = end_under_cursor(app);
    if (!end || !app.can_edit()) {
        return;
    }
    if (!first_) {
        first_ = end;
        world_ = app.world_number;
        return;
    }
    const End first = *first_;
    first_.reset();
    if (choice_ == rope) {
        hang_rope(app, first, *end);
    } else if (first.body == end->body) {
        app.log.info("A joint needs two bodies, or a body and the world");
    } else if (!is_dynamic(app, first.body) && !is_dynamic(app, end->body)) {
        app.log.info("A joint needs at least one body that moves");
    } else {
        join(app, first, *end);
    }
    app.tools.after_use(app);
}

void JoinTool::join(App& app, End a, End b) {
    const glm::vec3 at = choice_ == rod ? a.now : b.now; // where A's anchor is
    const glm::vec3 axis_a = axis(choice_ == gear ? a : b), axis_b = axis(b);
    physics::JointDef def;
    def.kind = kinds[static_cast<std::size_t>(choice_)];
    if (def.kind == physics::JointKind::gear && (!a.body || !b.body)) {
        app.log.info("A gear needs two bodies");
        return;
    }
    def.ratio = choice_ == gear ? ratio_ : 1.0f;
    def.length = glm::length(b.now - a.now);
    const auto frame_in = [&](const End& end, const glm::vec3& point, const glm::vec3& along) {
        const physics::Transform world{point, frame_along(along)};
        return end.body ? physics::relative(pose_of(app, end.body), world) : world;
    };
    def.body_a = a.body;
    def.body_b = b.body;
    def.frame_a = frame_in(a, at, axis_a);
    def.frame_b = frame_in(b, b.now, axis_b);
    if (!def.body_b) { // only the first may be the world
        std::swap(def.body_a, def.body_b);
        std::swap(def.frame_a, def.frame_b);
    }
    app.submit(physics::CreateJoint{def}, "Join " + name_of(app, a.body) + " and " + name_of(app, b.body));
    select_bodies(app, {def.body_b});
}

// The links are made first; the joints follow when the world has them.
void JoinTool::hang_rope(App& app, const End& a, const End& b) {
    const std::vector<glm::vec3> points = rope_points(a.now, b.now, link_, slack_);
    core::Scene scene;
    std::vector<physics::JointDef> ends;
    const auto anchor = [&](std::size_t link, const glm::vec3& point) {
        return physics::Transform{physics::to_local(scene.bodies[link].pose, point), physics::identity_orientation};
    };
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const glm::vec3 way = points[i + 1] - points[i];
        const float length = glm::length(way);
        if (!(length > 1e-3f)) {
            app.log.info("Click two points that lie apart");
            return;
        }
        physics::BodyDef link;
        link.name = "rope " + std::to_string(i + 1);
        link.pose = {0.5f * (points[i] + points[i + 1]), frame_along(way / length)};
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
    add_bodies(app, std::move(scene), "Hang a rope", false, std::move(ends));
}

bool JoinTool::cancel(App&) {
    const bool any = first_.has_value();
    first_.reset();
    return any;
}

void JoinTool::update(App& app) {
    if (first_ && world_ != app.world_number) {
        first_.reset();
    }
    if (first_ && first_->body) {
        if (const auto pose = app.view.drawn_pose(first_->body)) {
            first_->now = physics::to_world(*pose, first_->local);
            first_->normal = physics::rotate(pose->orientation, first_->local_normal);
        } else {
            first_.reset(); // it is gone
        }
    }
    next_ = end_under_cursor(app);
}

void JoinTool::draw(const App&, render::DrawList& list, MeshSource&) {
    const glm::vec4 sure(colours::accent(), 1.0f), would_be(colours::accent(), 0.6f);
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
    if (choice_ == hinge || choice_ == slider || choice_ == universal || choice_ == gear) {
        const glm::vec3 half = 0.4f * axis(*next_);
        list.lines.push_back({next_->now - half, next_->now + half, sure, true});
    }
}

void JoinTool::write(const App& app, ToolOverlay& overlay) const {
    if (next_) {
        overlay.write(next_->now, "%s%s", first_ ? "to " : "", name_of(app, next_->body).c_str());
    }
}

void JoinTool::settings(App& app) {
    Widgets& w = app.widgets;
    w.choice("join.kind", "Joint", choice_, choice_names.data(), choices, "What the two clicks make.");
    if (choice_ == hinge || choice_ == slider || choice_ == universal || choice_ == gear) {
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
                 {"", 0.0f, 2.0f, 0.01f, "%.2f", "By how much the rope is longer than the way, as a share of it."},
                 0.05f);
    }
    w.muted(!first_ ? "Click the first body, or the ground for the world." : "Click where the other one is held.");
}

void JoinTool::remember(SettingsArchive& a) {
    a.word("kind", choice_, choice_words);
    a.value("link", link_, 0.05f, 5.0f);
    a.value("radius", radius_, 0.005f, 1.0f);
    a.value("slack", slack_, 0.0f, 2.0f);
}

} // namespace cairn::ui
