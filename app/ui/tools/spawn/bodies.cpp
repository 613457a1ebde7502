#include "app/ui/tools/spawn/bodies.h"

#include "app/core/scene/worlds/excerpt.h"
#include "app/ui/camera/picking.h"
#include "app/ui/context/attempt.h"
#include "app/ui/context/selection.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/document/captures.h"
#include "app/ui/document/document.h"
#include "app/ui/film/film_state.h"
#include "app/ui/lab/lab.h"
#include "app/ui/lab/lab_state.h"
#include "app/ui/sound/sounds.h"
#include "app/ui/timeline/ghosts.h"
#include "app/ui/timeline/playback.h"
#include "app/ui/tools/spawn/prototypes.h"
#include "app/ui/tools/spawn/spawn.h"
#include "app/ui/tools/tool_box.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {

std::string several_of(const std::string& name, int count) {
    return count > 1 ? std::to_string(count) + " × " + name : name;
}

void spawn_at(Context& ctx, const physics::Vec3& base) {
    Spawning& spawning = ctx.get<Spawning>();
    if (const std::string& name = spawning.settings.prototype; !name.empty()) {
        core::Scene group;
        const int count = spawning.settings.count;
        if (attempt(ctx, [&] { group = heap_of(*ctx.get<Prototypes>().get(name), count); })) {
            // A millimetre above what is there, so that the world need not push them apart.
            core::move_by(group, base + physics::Vec3(0.0f, 0.0f, 0.001f));
            ctx.begin_gesture();
            ctx.submit(core::CreateBodies{std::move(group.bodies), std::move(group.joints), {}},
                       "Spawn " + several_of(name, count));
            ctx.end_gesture();
        }
        return;
    }
    std::vector<physics::BodyDef> bodies = spawn_bodies(spawning.settings, base);
    const std::string what =
        bodies.size() == 1 ? "Spawn " + bodies.front().name : "Spawn " + std::to_string(bodies.size()) + " bodies";
    ctx.begin_gesture();
    ctx.submit(core::CreateBodies{std::move(bodies), {}, {}}, what);
    ctx.end_gesture();
    spawning.settings.seed += static_cast<std::uint32_t>(spawning.settings.count);
}

void spawn_from_panel(Context& ctx) {
    if (ctx.get<Spawning>().settings.at_cursor) {
        ToolBox& tools = ctx.get<ToolBox>();
        if (tools.once()) {
            tools.put_away(ctx);
        } else {
            tools.choose(ctx, "place", true);
        }
        return;
    }
    const glm::vec3 target = ctx.camera.camera().target;
    spawn_at(ctx, {target.x, target.y, std::max(target.z, 0.0f) + ctx.get<Spawning>().settings.height});
}

void throw_ball(Context& ctx) {
    physics::Ray ray = ctx.cursor_ray();
    if (!ctx.cursor_in_view()) {
        ray = cursor_ray(ctx.camera.camera(), 0.5f * ctx.window_size(), ctx.window_size());
    }
    ray = from_eye(ray, ctx.camera.camera());
    ctx.play(physics::CreateBody{thrown_ball(ctx.get<Spawning>().settings, ray)}, "Throw a ball");
}

void BroughtBack::expect(Context& ctx) {
    before_.clear();
    for (const physics::BodyState& body : ctx.frame().bodies) {
        before_.push_back(body.id);
    }
    frames_ = 10;
}

void BroughtBack::select(Context& ctx) {
    if (frames_ == 0) {
        return;
    }
    --frames_;
    std::vector<physics::BodyId> bodies;
    for (const physics::BodyState& body : ctx.frame().bodies) {
        const auto at = std::ranges::lower_bound(before_, body.id.index, {}, &physics::BodyId::index);
        if (at == before_.end() || *at != body.id) {
            bodies.push_back(body.id);
        }
    }
    if (!bodies.empty()) {
        select_bodies(ctx, std::move(bodies));
        frames_ = 0;
    }
}

void undo(Context& ctx) {
    if (ctx.can_edit()) {
        if (ctx.get<ToolBox>().holding) {
            ctx.get<ToolBox>().cancel(ctx); // what is in the hand is the last edit
        }
        const std::string& what = ctx.simulation.undo_what();
        ctx.log.info(what.empty() ? "Nothing to undo" : "Undone: " + what);
        ctx.get<BroughtBack>().expect(ctx);
        ctx.simulation.undo();
    }
}

void redo(Context& ctx) {
    if (ctx.can_edit()) {
        const std::string& what = ctx.simulation.redo_what();
        ctx.log.info(what.empty() ? "Nothing to redo" : "Redone: " + what);
        ctx.get<BroughtBack>().expect(ctx);
        ctx.simulation.redo();
    }
}

namespace {

void delete_bodies(Context& ctx, const std::vector<physics::BodyId>& bodies, const std::string& what) {
    const std::string name =
        what.empty() && bodies.size() > 1 ? "Delete " + std::to_string(bodies.size()) + " bodies" : what;
    const GestureScope scope(ctx, ctx.new_gesture());
    for (const physics::BodyId body : bodies) {
        ctx.submit(physics::DestroyBody{body}, name);
    }
    select(ctx, {});
}

} // namespace

void delete_selected(Context& ctx, const std::string& what) {
    if (ctx.selection.empty() || !ctx.can_edit()) {
        return;
    }
    std::vector<physics::BodyId> movable;
    std::string fixed; // the name of one
    for (const std::size_t place : selected_places(ctx)) {
        if (ctx.frame().bodies[place].type == physics::BodyType::fixed) {
            fixed = core::body_name(ctx.frame().models[place]->def, ctx.frame().bodies[place].id);
        } else {
            movable.push_back(ctx.frame().bodies[place].id);
        }
    }
    if (fixed.empty()) {
        delete_bodies(ctx, ctx.selection, what);
        return;
    }
    // A click beside a body selects the ground: that is not to go by one key.
    Question question;
    const std::size_t others = ctx.selection.size() - movable.size() - 1;
    question.title = "Delete " + fixed +
                     (others == 0 ? std::string() : " and " + std::to_string(others) + " more static bodies") + "?";
    question.text = "It is static: what rests on it will fall.";
    question.choices = {{"delete", "Delete", [all = ctx.selection, what](Context& a) { delete_bodies(a, all, what); }}};
    if (!movable.empty()) {
        question.choices.push_back(
            {"movable", "Only what can move", [movable](Context& a) { delete_bodies(a, movable, {}); }});
    }
    question.choices.push_back({"cancel", "Cancel", {}});
    ask(ctx, std::move(question));
}

} // namespace cairn::ui
