#include "app/ui/panels/body/several_bodies.h"

#include "app/ui/context/selection.h"
#include "app/ui/input/actions.h"
#include "app/ui/lab/lab.h"
#include "app/ui/panels/body/arrange.h"
#include "app/ui/panels/body/rows/body_rows.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/tools/spawn/bodies.h"
#include "app/ui/widgets/rows/filter_rows.h"
#include "app/ui/widgets/rows/parameter_rows.h"

#include <algorithm>
#include <imgui_internal.h>

namespace cairn::ui {

namespace {

struct Several {
    std::vector<std::size_t> places; // in the frame
    std::size_t leader = 0;          // in `places`
};

bool is_dynamic(const physics::FrameState& frame, std::size_t place) {
    return frame.bodies[place].type == physics::BodyType::dynamic;
}

template <typename Differ>
bool any_differs(const Context& ctx, const Several& several, const Differ& differ) {
    const physics::FrameState& frame = ctx.frame();
    const std::size_t leader = several.places[several.leader];
    return std::ranges::any_of(several.places,
                               [&](std::size_t place) { return place != leader && differ(frame, place, leader); });
}

// `what` with each body's own handle.
template <typename Change>
void change_all(Context& ctx, const Several& several, std::string_view what, const Change& change) {
    const bool own = ctx.gesture == 0;
    if (own) {
        ctx.begin_gesture();
    }
    for (const std::size_t place : several.places) {
        physics::SetBody set;
        set.body = ctx.frame().bodies[place].id;
        if (change(place, set)) {
            ctx.submit(std::move(set), std::string(what));
        }
    }
    if (own) {
        ctx.end_gesture();
    }
}

void put_all(Context& ctx, const Several& several, const std::string& what, const std::vector<physics::Vec3>& positions,
             bool at_rest) {
    const physics::FrameState& frame = ctx.frame();
    std::size_t i = 0;
    change_all(ctx, several, what, [&](std::size_t place, physics::SetBody& set) {
        const physics::Vec3& position = positions[i++];
        if (position == frame.bodies[place].pose.position) {
            return false;
        }
        set.position = position;
        if (at_rest && is_dynamic(frame, place)) {
            set.linear_velocity = set.angular_velocity = physics::Vec3(0.0f);
        }
        return true;
    });
}

void arrange_rows(Context& ctx, const Several& several) {
    Widgets& w = ctx.widgets;
    const physics::FrameState& frame = ctx.frame();
    const auto arranged = [&] {
        std::vector<Arranged> bodies;
        for (const std::size_t place : several.places) {
            const physics::Transform& pose = frame.bodies[place].pose;
            bodies.push_back({pose.position, body_bounds(*frame.models[place], pose)});
        }
        return bodies;
    };
    const auto count_of = [&](const char* verb) {
        return std::string(formatted("%s %zu bodies", verb, several.places.size()));
    };
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const auto row = [&](const char* label, const char* const(&ids)[3], const char* help, bool enabled,
                         const auto& act) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextColored(theme::muted, "%s", label);
        ImGui::SameLine(w.label_width());
        const float third = (ImGui::GetContentRegionAvail().x - 2.0f * spacing) / 3.0f;
        static const char* const axes[] = {"X", "Y", "Z"};
        for (int axis = 0; axis < 3; ++axis) {
            if (axis > 0) {
                ImGui::SameLine();
            }
            if (w.button(ids[axis], axes[axis], help, third, enabled)) {
                act(axis);
            }
        }
    };
    row("Align", {"body.align.x", "body.align.y", "body.align.z"},
        "Moves the others so that the middles of their bounds agree with that of the body shown, along this axis.",
        true,
        [&](int axis) { put_all(ctx, several, count_of("Align"), aligned(arranged(), several.leader, axis), false); });
    row("Distribute", {"body.distribute.x", "body.distribute.y", "body.distribute.z"},
        "Leaves equal gaps along this axis; the two outermost stay. Needs three bodies.", several.places.size() > 2,
        [&](int axis) { put_all(ctx, several, count_of("Distribute"), distributed(arranged(), axis), false); });
    if (w.button("body.stack", "Stack on the body shown",
                 "Puts the others on top of it, the lowest first, by their bounds, at rest.",
                 ImGui::GetContentRegionAvail().x)) {
        put_all(ctx, several, count_of("Stack"), stacked(arranged(), several.leader), true);
    }
}

void colour_of_all(Context& ctx, ColourRow& row, const Several& several, std::string_view what) {
    const physics::FrameState& frame = ctx.frame();
    const std::size_t leader = several.places[several.leader];
    const bool mixed = any_differs(ctx, several, [](const physics::FrameState& f, std::size_t a, std::size_t b) {
        return f.models[a]->def.colour != f.models[b]->def.colour;
    });
    std::optional<physics::Colour> colour = frame.models[leader]->def.colour;
    if (row(ctx.widgets, "body.colour", colour, shown_colour(*frame.models[leader], frame.bodies[leader]), mixed)) {
        const GestureScope scope(ctx, ctx.gesture == 0 ? ctx.new_gesture() : ctx.gesture);
        for (const std::size_t place : several.places) {
            ctx.submit(physics::SetColour{frame.bodies[place].id, colour}, std::string(what));
        }
    }
}

// A velocity of all of them, axis by axis: what is typed for one axis leaves the others as each body has them.
void velocity_row(Context& ctx, const Several& several, const char* id, const char* title, const NumberSpec& shown,
                  physics::Vec3 physics::BodyState::*now, std::optional<physics::Vec3> physics::SetBody::*set,
                  std::string_view what) {
    const physics::FrameState& frame = ctx.frame();
    if (std::ranges::all_of(several.places,
                            [&](std::size_t place) { return frame.bodies[place].type == physics::BodyType::fixed; })) {
        return;
    }
    glm::vec3 value = frame.bodies[several.places[several.leader]].*now;
    NumberSpec spec = shown;
    for (int axis = 0; axis < 3; ++axis) {
        const bool mixed = any_differs(ctx, several, [&](const physics::FrameState& f, std::size_t a, std::size_t b) {
            return (f.bodies[a].*now)[axis] != (f.bodies[b].*now)[axis] && f.bodies[a].type != physics::BodyType::fixed;
        });
        spec.mixed |= mixed ? 1u << axis : 0u;
    }
    const unsigned changed = ctx.widgets.vector_axes(id, title, value, spec);
    if (changed == 0) {
        return;
    }
    change_all(ctx, several, what, [&](std::size_t place, physics::SetBody& edit) {
        physics::Vec3 own = frame.bodies[place].*now;
        for (int axis = 0; axis < 3; ++axis) {
            own[axis] = (changed >> axis & 1u) != 0 ? value[axis] : own[axis];
        }
        edit.*set = own;
        return frame.bodies[place].type != physics::BodyType::fixed;
    });
}

// What only bodies that move freely have is shown of the leader, or of the first that has it.
std::optional<Several> dynamic_ones(const Context& ctx, const Several& several) {
    Several some;
    for (std::size_t i = 0; i < several.places.size(); ++i) {
        if (is_dynamic(ctx.frame(), several.places[i])) {
            some.leader = i == several.leader ? some.places.size() : some.leader;
            some.places.push_back(several.places[i]);
        }
    }
    return some.places.empty() ? std::nullopt : std::optional(some);
}

void parameter_rows(Context& ctx, const Several& all, const std::optional<Several>& dynamic, std::string_view what) {
    const physics::FrameState& frame = ctx.frame();
    for (const physics::BodyParameter& p : physics::body_parameters) {
        if (p.of_dynamic_bodies_only && !dynamic) {
            continue;
        }
        const Several& those = p.of_dynamic_bodies_only ? *dynamic : all;
        const physics::BodyModel& model = *frame.models[those.places[those.leader]];
        const bool mixed = any_differs(ctx, those, [&](const physics::FrameState& f, std::size_t a, std::size_t b) {
            return f.models[a] != f.models[b] && differs(p, *f.models[a], *f.models[b]);
        });
        physics::SetBody edit;
        if (body_parameter_row(ctx.widgets, p, model.def, model.mass, edit, mixed)) {
            change_all(ctx, those, what, [&](std::size_t, physics::SetBody& set) {
                const physics::BodyId own = set.body;
                set = edit;
                set.body = own;
                return true;
            });
        }
    }
}

void groups_and_locks(Context& ctx, const Several& all, const std::optional<Several>& dynamic, std::string_view what) {
    const physics::FrameState& frame = ctx.frame();
    const auto def_of = [&](std::size_t place) -> const physics::BodyDef& { return frame.models[place]->def; };
    const physics::CollisionFilter& filter = def_of(all.places[all.leader]).filter;
    FilterMix mix;
    for (const std::size_t place : all.places) {
        mix.group |= def_of(place).filter.group != filter.group;
        mix.mask |= def_of(place).filter.mask ^ filter.mask;
    }
    if (const auto change = filter_rows(ctx.widgets, filter, mix)) {
        change_all(ctx, all, what, [&](std::size_t place, physics::SetBody& set) {
            set.filter = change->of(def_of(place).filter);
            return true;
        });
    }
    if (!dynamic) {
        return;
    }
    const std::uint8_t locks = def_of(dynamic->places[dynamic->leader]).locks;
    std::uint8_t locks_mix = 0;
    for (const std::size_t place : dynamic->places) {
        locks_mix = static_cast<std::uint8_t>(locks_mix | (def_of(place).locks ^ locks));
    }
    if (const auto change = lock_rows(ctx.widgets, locks, locks_mix)) {
        change_all(ctx, *dynamic, what, [&](std::size_t place, physics::SetBody& set) {
            set.locks = change->of(def_of(place).locks);
            return true;
        });
    }
}

} // namespace

void lab_button(Context& ctx, const char* title) {
    if (ctx.widgets.button("body.lab", title,
                           joined("Shows step by step how collisions are found (", ctx.key_of("lab"), ").").c_str(),
                           ImGui::GetContentRegionAvail().x)) {
        toggle_lab(ctx);
    }
}

void several_bodies(Context& ctx, ColourRow& colour, std::size_t leader) {
    Widgets& w = ctx.widgets;
    Several several{selected_places(ctx), 0};
    several.leader = static_cast<std::size_t>(std::ranges::find(several.places, leader) - several.places.begin());
    const physics::BodyState& body = ctx.frame().bodies[leader];
    ImGui::TextColored(theme::accent, "Editing %zu bodies", several.places.size());
    w.muted(joined("Values shown from '", name_of(ctx, body.id), "'; a change applies to all."));

    if (several.places.size() == 2) {
        lab_button(ctx, "Open both in the collision lab");
    }

    ImGui::BeginDisabled(ctx.simulation.replaying());
    arrange_rows(ctx, several);
    const FrameText what = formatted("Change %zu bodies", several.places.size());
    const bool types_differ = any_differs(ctx, several, [](const physics::FrameState& f, std::size_t a, std::size_t b) {
        return f.bodies[a].type != f.bodies[b].type;
    });
    int type = types_differ ? 3 : static_cast<int>(body.type);
    static const char* const types[] = {"Static", "Kinematic", "Dynamic", "Mixed"};
    if (w.choice("body.type", "Type", type, types, types_differ ? 4 : 3,
                 "Static never moves; kinematic moves with its velocity and is not pushed.") &&
        type < 3) {
        change_all(ctx, several, what, [&](std::size_t, physics::SetBody& set) {
            set.type = static_cast<physics::BodyType>(type);
            return true;
        });
    }
    colour_of_all(ctx, colour, several, formatted("Colour %zu bodies", several.places.size()));
    velocity_row(
        ctx, several, "body.linear_velocity", "Velocity",
        {"m/s", -1000.0f, 1000.0f, 0.1f, "%.2f", "Velocity of the body shown, in m/s; a change applies to all."},
        &physics::BodyState::linear_velocity, &physics::SetBody::linear_velocity, what);
    velocity_row(ctx, several, "body.angular_velocity", "Spin",
                 {"rad/s", -1000.0f, 1000.0f, 0.1f, "%.2f",
                  "Angular velocity of the body shown, in rad/s; a change applies to all."},
                 &physics::BodyState::angular_velocity, &physics::SetBody::angular_velocity, what);
    const std::optional<Several> dynamic = dynamic_ones(ctx, several);
    parameter_rows(ctx, several, dynamic, what);
    groups_and_locks(ctx, several, dynamic, what);
    const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
    if (w.button("body.frame", "Frame", joined("Brings them into view (", ctx.key_of("frame_selected"), ").").c_str(),
                 half)) {
        frame_selected(ctx);
    }
    ImGui::SameLine();
    if (w.button("body.delete", "Delete", joined("Removes them (", ctx.key_of("delete_selected"), ").").c_str(),
                 half)) {
        delete_selected(ctx);
    }
    ImGui::EndDisabled();
}

} // namespace cairn::ui
