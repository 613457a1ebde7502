#include "app/ui/tools/build/copies.h"

#include "app/core/base/error.h"
#include "app/core/scene/worlds/excerpt.h"
#include "app/ui/camera/picking.h"
#include "app/ui/context/selection.h"
#include "app/ui/document/document.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/screen/layout.h"
#include "app/ui/tools/build/room.h"
#include "app/ui/tools/spawn/bodies.h"
#include "app/ui/tools/spawn/prototypes.h"
#include "app/ui/tools/tool_box.h"

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

// How much of the box is to be seen, beside the panels and before other bodies: 1 for each corner, 5 for its middle.
constexpr int well_seen = 9;
int seen_of(const Context& ctx, const physics::Aabb& box) {
    const Rectangle& free = ctx.get<Layout>().free;
    const render::Camera& camera = ctx.camera.camera();
    int seen = 0;
    for (int i = 0; i < 9; ++i) {
        const physics::Vec3 share = i == 8 ? physics::Vec3(0.5f) : physics::Vec3(i & 1, i >> 1 & 1, i >> 2 & 1);
        const physics::Vec3 point = box.lower + share * (box.upper - box.lower);
        const auto at = window_position(camera, point, ctx.window_size());
        if (!at || at->x < free.x || at->x > free.x + free.width || at->y < free.y || at->y > free.y + free.height) {
            continue;
        }
        const physics::Ray ray = cursor_ray(camera, *at, ctx.window_size());
        const auto hit = ctx.pick(ray);
        constexpr float nearly = 0.99f; // corners may lie on the ground
        if (!hit || hit->hit.distance >= nearly * glm::dot(point - ray.origin, ray.direction)) {
            seen += i == 8 ? 5 : 1;
        }
    }
    return seen;
}

bool has_room(Context& ctx, const core::Scene& scene, const physics::Aabb& box, const physics::Vec3& offset) {
    constexpr float gap = 0.01f; // m, above what it stands on as the original does
    const physics::Vec3 by = offset + physics::Vec3(0.0f, 0.0f, gap);
    std::vector<std::size_t> near;
    find_near(ctx.frame(), {box.lower + by, box.upper + by}, near);
    return std::ranges::none_of(scene.bodies, [&](const physics::BodyDef& body) {
        const auto kind = ctx.get<ToolBox>().kinds.get(body);
        const auto* model = std::get_if<std::shared_ptr<const physics::BodyKind>>(&kind);
        return model != nullptr &&
               in_the_way(ctx.frame(), near, **model, {body.pose.position + by, body.pose.orientation}).has_value();
    });
}

// How far from the original a copy is put: the nearest place beside it, on the right first, where there is room and it
// is well seen; without one, where there is room and most of it is seen.
physics::Vec3 place_of_copy(Context& ctx, const core::Scene& scene, const physics::Aabb& box) {
    const physics::Vec3 right = along_world_axes(ctx.camera.camera(), 1.0f, 0.0f, 0.0f), up(0.0f, 0.0f, 1.0f),
                        nearer = glm::cross(right, up);
    const physics::Vec3 extent = box.upper - box.lower;
    std::optional<physics::Vec3> best;
    int most = -1;
    for (int times = 1; times <= 4; ++times) {
        for (const physics::Vec3& direction : {right, -right, nearer, -nearer}) {
            const float width = 1.02f * std::abs(glm::dot(extent, direction)) + 0.01f;
            const physics::Vec3 offset = static_cast<float>(times) * width * direction;
            const int seen = seen_of(ctx, {box.lower + offset, box.upper + offset});
            if (seen > most && has_room(ctx, scene, box, offset)) {
                best = offset;
                most = seen;
            }
            if (most >= well_seen) {
                return *best;
            }
        }
    }
    return best.value_or((1.02f * std::abs(glm::dot(extent, right)) + 0.01f) * right);
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
    const physics::Vec3 offset = place_of_copy(ctx, scene, box);
    const physics::Aabb copy{box.lower + offset, box.upper + offset};
    if (seen_of(ctx, box) > 0 && seen_of(ctx, copy) == 0) {
        bring_into_view(ctx, physics::united(box, copy));
    }
    core::move_by(scene, offset);
    const std::string what = count_of("Duplicate", scene);
    add_bodies(ctx, std::move(scene), what, true);
}

} // namespace cairn::ui
