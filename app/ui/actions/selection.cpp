#include "app/ui/actions.h"

#include <algorithm>

namespace cairn::ui {

namespace {

bool by_slot(physics::BodyId a, physics::BodyId b) {
    return a.index < b.index;
}

} // namespace

void select(App& app, physics::BodyId body) {
    app.selection.clear();
    if (body) {
        app.selection.push_back(body);
    }
    app.selected = body;
    app.body_panel.editing_degrees = false;
}

bool is_selected(const App& app, physics::BodyId body) {
    const auto at = std::lower_bound(app.selection.begin(), app.selection.end(), body, by_slot);
    return at != app.selection.end() && *at == body;
}

void toggle_selected(App& app, physics::BodyId body) {
    const auto at = std::lower_bound(app.selection.begin(), app.selection.end(), body, by_slot);
    if (at != app.selection.end() && *at == body) {
        app.selection.erase(at);
        if (app.selected == body) {
            app.selected = app.selection.empty() ? physics::BodyId{} : app.selection.back();
        }
    } else if (body) {
        app.selection.insert(at, body);
        app.selected = body;
    }
    app.body_panel.editing_degrees = false;
}

void select_bodies(App& app, std::vector<physics::BodyId> bodies) {
    select(app, bodies.empty() ? physics::BodyId{} : bodies.back());
    std::sort(bodies.begin(), bodies.end(), by_slot);
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    app.selection = std::move(bodies);
}

void select_all(App& app) {
    std::vector<physics::BodyId> bodies;
    for (const physics::BodyState& body : app.frame().bodies) {
        if (body.type != physics::BodyType::fixed) {
            bodies.push_back(body.id);
        }
    }
    select_bodies(app, std::move(bodies));
}

std::vector<std::size_t> selected_places(const App& app) {
    std::vector<std::size_t> places;
    places.reserve(app.selection.size());
    for (const physics::BodyId body : app.selection) {
        if (const auto place = find_body(app.frame(), body)) {
            places.push_back(*place);
        }
    }
    return places;
}

} // namespace cairn::ui
