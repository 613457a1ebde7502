#include "app/ui/context/selection.h"

#include <algorithm>

namespace cairn::ui {

bool HiddenBodies::has(physics::BodyId body) const {
    const auto at = std::ranges::lower_bound(bodies, body.index, {}, &physics::BodyId::index);
    return at != bodies.end() && *at == body;
}

void HiddenBodies::set(physics::BodyId body, bool hide) {
    const auto at = std::ranges::lower_bound(bodies, body.index, {}, &physics::BodyId::index);
    const bool there = at != bodies.end() && at->index == body.index; // of an earlier body in the same slot, perhaps
    if (hide && there) {
        *at = body;
    } else if (hide) {
        bodies.insert(at, body);
    } else if (there) {
        bodies.erase(at);
    }
}

void select(Context& ctx, physics::BodyId body) {
    ctx.selection.clear();
    if (body) {
        ctx.selection.push_back(body);
    }
    ctx.selected = body;
}

bool is_selected(const Context& ctx, physics::BodyId body) {
    const auto at = std::ranges::lower_bound(ctx.selection, body.index, {}, &physics::BodyId::index);
    return at != ctx.selection.end() && *at == body;
}

void toggle_selected(Context& ctx, physics::BodyId body) {
    const auto at = std::ranges::lower_bound(ctx.selection, body.index, {}, &physics::BodyId::index);
    if (at != ctx.selection.end() && *at == body) {
        ctx.selection.erase(at);
        if (ctx.selected == body) {
            ctx.selected = ctx.selection.empty() ? physics::BodyId{} : ctx.selection.back();
        }
    } else if (body) {
        ctx.selection.insert(at, body);
        ctx.selected = body;
    }
}

void select_bodies(Context& ctx, std::vector<physics::BodyId> bodies) {
    select(ctx, bodies.empty() ? physics::BodyId{} : bodies.back());
    std::ranges::sort(bodies, {}, &physics::BodyId::index);
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    ctx.selection = std::move(bodies);
}

void select_all(Context& ctx) {
    std::vector<physics::BodyId> bodies;
    for (const physics::BodyState& body : ctx.frame().bodies) {
        if (body.type != physics::BodyType::fixed && !ctx.get<HiddenBodies>().has(body.id)) {
            bodies.push_back(body.id);
        }
    }
    select_bodies(ctx, std::move(bodies));
}

std::string name_of(const Context& ctx, physics::BodyId body) {
    const auto place = find_body(ctx.frame(), body);
    return place ? core::body_name(ctx.frame().models[*place]->def, body) : "the world";
}

std::vector<std::size_t> selected_places(const Context& ctx) {
    std::vector<std::size_t> places;
    places.reserve(ctx.selection.size());
    for (const physics::BodyId body : ctx.selection) {
        if (const auto place = find_body(ctx.frame(), body)) {
            places.push_back(*place);
        }
    }
    return places;
}

} // namespace cairn::ui
