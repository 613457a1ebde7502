#include "app/ui/actions.h"

#include "app/core/scene/scene_sources.h"
#include "app/ui/actions/attempt.h"
#include "app/ui/lab/lab.h"
#include "app/ui/picking.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {

void toggle_pause(App& app) {
    app.simulation.paused = !app.simulation.paused;
}

void single_step(App& app) {
    app.simulation.request_step();
}

void forget_bodies(App& app) {
    app.selected = {};
    app.selection.clear();
    app.hovered = {};
    app.body_panel = {};
    app.sounds.forget();
    app.film.cameras.clear();
    app.camera.followed = {};
    app.camera.go_along({});
    app.timeline.playing = 0;
    app.timeline.marks.clear();
    app.ghosts.line.reset();
    app.ghosts.forget();
    forget_pair(app);
    app.simulation.take_marks(app.timeline.taken); // of the world before
    ++app.world_number;
}

void restart(App& app) {
    std::vector<std::filesystem::path> files;
    const auto begin = [&] {
        if (app.document.was_saved) {
            app.simulation.load(core::read_scene(app.document.file, files));
        } else {
            app.simulation.restart();
        }
    };
    if (attempt(app, begin)) {
        const auto [a, b] = std::pair(app.lab.a, app.lab.b);
        forget_bodies(app);
        if (app.document.was_saved) {
            note_opened(app, std::filesystem::path(app.document.file), files);
        } else {
            app.document.saved = app.simulation.edit_version();
        }
        app.lab.a = a; // the scene's own bodies come back under the same ids
        app.lab.b = b;
        record_if_wished(app);
    }
}

void spawn_at(App& app, const physics::Vec3& base) {
    std::vector<physics::BodyDef> bodies = spawn_bodies(app.spawn, base);
    const std::string what =
        bodies.size() == 1 ? "Spawn " + bodies.front().name : "Spawn " + std::to_string(bodies.size()) + " bodies";
    app.begin_gesture();
    for (physics::BodyDef& body : bodies) {
        app.submit(physics::CreateBody{std::move(body)}, what);
    }
    app.end_gesture();
    app.spawn.seed += static_cast<std::uint32_t>(app.spawn.count);
}

void spawn_from_panel(App& app) {
    if (app.spawn.at_cursor) {
        app.tools.choose(app, app.tools.once() ? ToolKind::select : ToolKind::place, !app.tools.once());
        return;
    }
    const glm::vec3 target = app.camera.camera().target;
    spawn_at(app, {target.x, target.y, std::max(target.z, 0.0f) + app.spawn.height});
}

void throw_ball(App& app) {
    physics::Ray ray = app.cursor_ray();
    if (app.cursor_over_ui || !app.cursor_inside) {
        ray = cursor_ray(app.camera.camera(), 0.5f * app.window_size(), app.window_size());
    }
    app.play(physics::CreateBody{thrown_ball(app.spawn, ray)}, "Throw a ball");
}

void undo(App& app) {
    if (app.can_edit()) {
        if (app.tools.holding) {
            app.tools.cancel(app); // what is in the hand is the last edit
        }
        const std::string& what = app.simulation.undo_what();
        app.log.info(what.empty() ? "Nothing to undo" : "Undone: " + what);
        app.simulation.undo();
    }
}

void redo(App& app) {
    if (app.can_edit()) {
        const std::string& what = app.simulation.redo_what();
        app.log.info(what.empty() ? "Nothing to redo" : "Redone: " + what);
        app.simulation.redo();
    }
}

namespace {

void delete_bodies(App& app, const std::vector<physics::BodyId>& bodies, const std::string& what) {
    const std::string name =
        what.empty() && bodies.size() > 1 ? "Delete " + std::to_string(bodies.size()) + " bodies" : what;
    const GestureScope scope(app, app.new_gesture());
    for (const physics::BodyId body : bodies) {
        app.submit(physics::DestroyBody{body}, name);
    }
    select(app, {});
}

} // namespace

void delete_selected(App& app, const std::string& what) {
    if (app.selection.empty() || !app.can_edit()) {
        return;
    }
    std::vector<physics::BodyId> movable;
    std::string fixed; // the name of one
    for (const std::size_t place : selected_places(app)) {
        if (app.frame().bodies[place].type == physics::BodyType::fixed) {
            fixed = core::body_name(app.frame().models[place]->def, app.frame().bodies[place].id);
        } else {
            movable.push_back(app.frame().bodies[place].id);
        }
    }
    if (fixed.empty()) {
        delete_bodies(app, app.selection, what);
        return;
    }
    // A click beside a body selects the ground: that is not to go by one key.
    Question question;
    const std::size_t others = app.selection.size() - movable.size() - 1;
    question.title = "Delete " + fixed +
                     (others == 0 ? std::string() : " and " + std::to_string(others) + " more static bodies") + "?";
    question.text = "It is static: what rests on it will fall.";
    question.choices = {{"delete", "Delete", [all = app.selection, what](App& a) { delete_bodies(a, all, what); }}};
    if (!movable.empty()) {
        question.choices.push_back(
            {"movable", "Only what can move", [movable](App& a) { delete_bodies(a, movable, {}); }});
    }
    question.choices.push_back({"cancel", "Cancel", {}});
    ask(app, std::move(question));
}

} // namespace cairn::ui
