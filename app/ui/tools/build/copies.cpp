#include "app/ui/tools/build/copies.h"

#include "app/core/base/error.h"
#include "app/core/scene/worlds/excerpt.h"
#include "app/ui/camera/picking.h"
#include "app/ui/context/selection.h"
#include "app/ui/document/document.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/tools/spawn/bodies.h"
#include "app/ui/tools/spawn/prototypes.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <utility>

namespace cairn::ui {

namespace {

std::string count_of(const char* verb, const core::Scene& scene) {
    if (scene.bodies.size() == 1) {
        const std::string& name = scene.bodies.front().name;
        return std::string(verb) + ' ' + (name.empty() ? "a body" : name);
    }
    return std::string(verb) + ' ' + std::to_string(scene.bodies.size()) + " bodies";
}

core::Scene selected_excerpt(const Context& ctx) {
    return core::excerpt_from(ctx.frame(), selected_places(ctx));
}

// The level axis of the world, with its sign, that points most to the right on the screen.
physics::Vec3 level_right(const Context& ctx) {
    const physics::Vec3 right = axes_of(ctx.camera.camera()).right;
    const bool x = std::abs(right.x) >= std::abs(right.y);
    const float sign = (x ? right.x : right.y) < 0.0f ? -1.0f : 1.0f;
    return x ? physics::Vec3(sign, 0.0f, 0.0f) : physics::Vec3(0.0f, sign, 0.0f);
}

} // namespace

void add_bodies(Context& ctx, core::Scene scene, const std::string& what, bool select_them,
                std::vector<physics::JointDef> ties) {
    if (scene.bodies.empty() || !ctx.can_edit()) {
        return;
    }
    ctx.begin_gesture();
    if (select_them) {
        ctx.get<Copies>().selected_when_there.push_back(ctx.gesture);
    }
    ctx.submit(core::CreateBodies{std::move(scene.bodies), std::move(scene.joints), std::move(ties)}, what);
    ctx.end_gesture();
}

void follow_copies(Context& ctx) {
    std::vector<std::uint64_t>& awaited = ctx.get<Copies>().selected_when_there;
    for (const core::Simulation::Created& created : ctx.events.created) {
        if (std::erase(awaited, created.gesture) > 0) {
            std::vector<physics::BodyId> bodies = created.bodies;
            std::erase(bodies, physics::BodyId{});
            select_bodies(ctx, std::move(bodies));
        }
    }
}

bool copy_selected(Context& ctx) {
    const core::Scene scene = selected_excerpt(ctx);
    if (scene.bodies.empty()) {
        ctx.log.info("Select something to copy");
        return false;
    }
    try {
        ImGui::SetClipboardText(core::write_scene(scene).c_str());
    } catch (const core::InputError& error) {
        ctx.log.error(std::string("Not copied: ") + error.what());
        return false;
    }
    ctx.log.info(count_of("Copied", scene));
    return true;
}

void cut_selected(Context& ctx) {
    const core::Scene scene = selected_excerpt(ctx);
    if (ctx.can_edit() && copy_selected(ctx)) {
        delete_selected(ctx, count_of("Cut", scene));
    }
}

void paste(Context& ctx) {
    if (!ctx.can_edit()) {
        return;
    }
    const char* text = ImGui::GetClipboardText();
    if (text == nullptr || *text == '\0') {
        ctx.log.info("The clipboard holds no text");
        return;
    }
    core::Scene scene;
    try {
        scene = core::parse_excerpt(text, "clipboard", ctx.get<Document>().file.parent_path());
    } catch (const core::InputError& error) {
        ctx.log.error(error.what());
        return;
    }
    if (scene.bodies.empty()) {
        ctx.log.info("The text on the clipboard is a scene without bodies");
        return;
    }
    const auto point = point_in_view(ctx);
    // A millimetre above what is there, so that the world need not push them apart.
    stand_on(scene, point.value_or(ctx.camera.camera().target) + physics::Vec3(0.0f, 0.0f, 0.001f));
    const std::string what = count_of("Paste", scene);
    add_bodies(ctx, std::move(scene), what, true);
}

void duplicate_selected(Context& ctx) {
    core::Scene scene = selected_excerpt(ctx);
    if (scene.bodies.empty()) {
        ctx.log.info("Select something to duplicate");
        return;
    }
    const physics::Aabb box = bounds_of(scene);
    const physics::Vec3 right = level_right(ctx);
    core::move_by(scene, (1.02f * std::abs(glm::dot(box.upper - box.lower, right)) + 0.01f) * right);
    const std::string what = count_of("Duplicate", scene);
    add_bodies(ctx, std::move(scene), what, true);
}

} // namespace cairn::ui
