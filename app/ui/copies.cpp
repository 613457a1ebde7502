#include "app/ui/copies.h"

#include "app/core/base/error.h"
#include "app/core/scene/excerpt.h"
#include "app/ui/actions.h"
#include "app/ui/picking.h"
#include "physics/world/body_kind.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <utility>

namespace cairn::ui {

namespace {

std::string count_of(const char* deed, const core::Scene& scene) {
    if (scene.bodies.size() == 1) {
        const std::string& name = scene.bodies.front().name;
        return std::string(deed) + ' ' + (name.empty() ? "a body" : name);
    }
    return std::string(deed) + ' ' + std::to_string(scene.bodies.size()) + " bodies";
}

core::Scene selected_excerpt(const App& app) {
    return core::excerpt_from(app.frame(), selected_places(app));
}

// Bounds of bodies that are in no world yet; what the world will refuse counts as a point.
physics::Aabb bounds_of(const core::Scene& scene) {
    physics::BodyKindLibrary kinds;
    physics::Aabb all;
    for (const physics::BodyDef& body : scene.bodies) {
        const auto kind = kinds.get(body);
        physics::Aabb box{body.pose.position, body.pose.position};
        if (const auto* good = std::get_if<std::shared_ptr<const physics::BodyKind>>(&kind)) {
            box = body_bounds(**good, body.pose);
        }
        all = physics::united(all, box);
    }
    return all;
}

// The level axis of the world, with its sign, that points most to the right on the screen.
physics::Vec3 level_right(const App& app) {
    const physics::Vec3 right = axes_of(app.camera.camera()).right;
    const bool x = std::abs(right.x) >= std::abs(right.y);
    const float sign = (x ? right.x : right.y) < 0.0f ? -1.0f : 1.0f;
    return x ? physics::Vec3(sign, 0.0f, 0.0f) : physics::Vec3(0.0f, sign, 0.0f);
}

} // namespace

void add_bodies(App& app, core::Scene scene, const std::string& what, bool select_them,
                std::vector<physics::JointDef> ties) {
    if (scene.bodies.empty() || !app.can_edit()) {
        return;
    }
    app.begin_gesture();
    Copies::Coming coming;
    coming.gesture = app.gesture;
    coming.world = app.world_number;
    coming.expected = scene.bodies.size();
    coming.joints = std::move(scene.joints);
    coming.ties = std::move(ties);
    coming.what = what;
    coming.select = select_them;
    for (physics::BodyDef& body : scene.bodies) {
        app.submit(physics::CreateBody{std::move(body)}, what);
    }
    app.end_gesture();
    app.copies.coming.push_back(std::move(coming));
}

void follow_copies(App& app) {
    std::vector<Copies::Coming>& coming = app.copies.coming;
    for (const core::Simulation::Made& made : app.simulation.take_made()) {
        const auto of =
            std::find_if(coming.begin(), coming.end(), [&](const auto& one) { return one.gesture == made.gesture; });
        if (of != coming.end()) {
            of->made.push_back(made.body);
        }
    }
    std::erase_if(coming, [&](Copies::Coming& one) {
        if (one.world != app.world_number) {
            return true;
        }
        if (one.made.size() < one.expected) {
            return false;
        }
        const GestureScope scope(app, one.gesture);
        for (physics::JointDef& joint : one.joints) {
            const bool in_world = !joint.body_a;
            joint.body_b = one.made[joint.body_b.index];
            joint.body_a = in_world ? joint.body_a : one.made[joint.body_a.index];
            if (joint.body_b && (in_world || joint.body_a)) {
                app.submit(physics::CreateJoint{std::move(joint)}, one.what);
            }
        }
        for (physics::JointDef& tie : one.ties) {
            tie.body_b = one.made[tie.body_b.index];
            if (tie.body_b) {
                app.submit(physics::CreateJoint{std::move(tie)}, one.what);
            }
        }
        if (one.select) {
            std::erase_if(one.made, [](physics::BodyId body) { return !body; });
            select_bodies(app, std::move(one.made));
        }
        return true;
    });
}

bool copy_selected(App& app) {
    const core::Scene scene = selected_excerpt(app);
    if (scene.bodies.empty()) {
        app.log.info("Select something to copy");
        return false;
    }
    try {
        ImGui::SetClipboardText(core::write_scene(scene).c_str());
    } catch (const core::InputError& error) {
        app.log.error(std::string("Not copied: ") + error.what());
        return false;
    }
    app.log.info(count_of("Copied", scene));
    return true;
}

void cut_selected(App& app) {
    const core::Scene scene = selected_excerpt(app);
    if (app.can_edit() && copy_selected(app)) {
        delete_selected(app, count_of("Cut", scene));
    }
}

void paste(App& app) {
    if (!app.can_edit()) {
        return;
    }
    const char* text = ImGui::GetClipboardText();
    if (text == nullptr || *text == '\0') {
        app.log.info("The clipboard holds no text");
        return;
    }
    core::Scene scene;
    try {
        scene = core::parse_excerpt(text, "clipboard", app.document.file.parent_path());
    } catch (const core::InputError& error) {
        app.log.error(error.what());
        return;
    }
    if (scene.bodies.empty()) {
        app.log.info("The text on the clipboard is a scene without bodies");
        return;
    }
    const bool at_cursor = app.cursor_inside && !app.cursor_over_ui;
    const auto point = at_cursor ? point_under_cursor(app) : std::nullopt;
    const physics::Aabb box = bounds_of(scene);
    const physics::Vec3 foot(0.5f * (box.lower.x + box.upper.x), 0.5f * (box.lower.y + box.upper.y), box.lower.z);
    // A millimetre above what is there, so that the world need not push them apart.
    core::move_by(scene, point.value_or(app.camera.camera().target) - foot + physics::Vec3(0.0f, 0.0f, 0.001f));
    const std::string what = count_of("Paste", scene);
    add_bodies(app, std::move(scene), what, true);
}

void duplicate_selected(App& app) {
    core::Scene scene = selected_excerpt(app);
    if (scene.bodies.empty()) {
        app.log.info("Select something to duplicate");
        return;
    }
    const physics::Aabb box = bounds_of(scene);
    const physics::Vec3 right = level_right(app);
    core::move_by(scene, (1.02f * std::abs(glm::dot(box.upper - box.lower, right)) + 0.01f) * right);
    const std::string what = count_of("Duplicate", scene);
    add_bodies(app, std::move(scene), what, true);
}

} // namespace cairn::ui
