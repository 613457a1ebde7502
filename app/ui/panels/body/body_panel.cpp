#include "app/ui/panels/body/body_panel.h"

#include "app/ui/context/selection.h"
#include "app/ui/input/actions.h"
#include "app/ui/lab/lab.h"
#include "app/ui/panels/body/arrange.h"
#include "app/ui/panels/body/shape_edits.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/text/number_format.h"
#include "app/ui/tools/spawn/bodies.h"
#include "app/ui/widgets/palette.h"
#include "app/ui/widgets/rows/filter_rows.h"
#include "app/ui/widgets/rows/parameter_rows.h"

#include <algorithm>
#include <cmath>
#include <imgui_internal.h>

namespace cairn::ui {

namespace {

FrameText describe(const physics::BodyModel& model) {
    if (model.def.shapes.size() != 1) {
        return formatted("%zu shapes", model.def.shapes.size());
    }
    return shape_text(model.def.shapes[0].geometry);
}

FrameText name_of(const physics::BodyModel& model, physics::BodyId body);

// What a body with sensors is, and who is inside.
void sensor_row(Context& ctx, const physics::BodyModel& model, physics::BodyId body) {
    const auto sensors =
        static_cast<std::size_t>(std::ranges::count_if(model.parts, [](const auto& part) { return part.sensor; }));
    if (sensors == 0) {
        return;
    }
    const physics::FrameState& frame = ctx.frame();
    constexpr std::size_t most_named = 4;
    std::vector<physics::BodyId> inside;
    for (const physics::SensorOverlap& one : frame.inside) {
        if (one.sensor == body && std::ranges::find(inside, one.body) == inside.end()) {
            inside.push_back(one.body);
        }
    }
    FrameText names;
    for (std::size_t i = 0; i < std::min(inside.size(), most_named); ++i) {
        const auto slot = find_body(frame, inside[i]);
        names = joined(names, i > 0 ? ", " : "", slot ? name_of(*frame.models[*slot], inside[i]) : FrameText("?"));
    }
    if (inside.size() > most_named) {
        names = joined(names, formatted(" and %zu more", inside.size() - most_named));
    }
    const FrameText what = sensors < model.parts.size() ? formatted("%zu of the shapes %s", sensors,
                                                                    sensors == 1 ? "is a sensor" : "are sensors")
                                                        : FrameText("A sensor");
    ctx.widgets.muted(joined(what, "; inside: ", inside.empty() ? FrameText("nothing") : names));
}

FrameText name_of(const physics::BodyModel& model, physics::BodyId body) {
    return model.def.name.empty() ? formatted("body %u", body.index) : FrameText(model.def.name);
}

void pose_rows(Context& ctx, BodyPanelState& state, const physics::BodyState& body, physics::SetBody& edit,
               bool& changed) {
    Widgets& w = ctx.widgets;
    glm::vec3 position = body.pose.position;
    if (w.vector("body.position", "Position", position,
                 {"m", -1e4f, 1e4f, 0.02f, "%.2f", "Of the centre of mass: east, north, up, in m."})) {
        edit.position = position;
        changed = true;
    }
    physics::Quat orientation = body.pose.orientation;
    if (state.turn(w, "body.orientation", "Angles about x, y and z, in degrees.", orientation, state.body == body.id)) {
        edit.orientation = orientation;
        changed = true;
    }
    state.body = body.id;
    glm::vec3 velocity = body.linear_velocity;
    if (w.vector("body.linear_velocity", "Velocity", velocity,
                 {"m/s", -1000.0f, 1000.0f, 0.1f, "%.2f", "Of the centre of mass, in m/s."})) {
        edit.linear_velocity = velocity;
        changed = true;
    }
    glm::vec3 spin = body.angular_velocity;
    if (w.vector("body.angular_velocity", "Spin", spin,
                 {"rad/s", -1000.0f, 1000.0f, 0.1f, "%.2f", "Angular velocity about the world's axes, in rad/s."})) {
        edit.angular_velocity = spin;
        changed = true;
    }
}

void material_rows(Context& ctx, const physics::BodyModel& model, const physics::BodyState& body,
                   physics::SetBody& edit, bool& changed) {
    Widgets& w = ctx.widgets;
    const bool dynamic = body.type == physics::BodyType::dynamic;
    for (const physics::BodyParameter& p : physics::body_parameters) {
        if (p.of_dynamic_bodies_only && !dynamic) {
            continue;
        }
        changed |= body_parameter_row(w, p, model.def, model.mass, edit);
        if (p.key == "mass") {
            glm::vec3 inertia(model.inertia[0][0], model.inertia[1][1], model.inertia[2][2]);
            const float finest = std::max(0.01f * inertia.x, 1e-9f);
            if (w.vector("body.inertia", "Inertia", inertia,
                         {"kg m²", 1e-9f, 1e12f, finest, "%.3g",
                          "Moments about the body's own axes, in kg m²; none may exceed the sum of the other two."})) {
                edit.inertia = inertia;
                changed = true;
            }
        }
    }
    if (const auto filter = filter_rows(w, model.def.filter)) {
        edit.filter = filter;
        changed = true;
    }
    if (dynamic) {
        if (const auto locks = lock_rows(w, model.def.locks)) {
            edit.locks = locks;
            changed = true;
        }
    }
}

// Of several selected bodies. The one that was selected last is the one whose numbers are shown where all agree, and
// which the others are lined up with.
struct Several {
    std::vector<std::size_t> places; // in the frame
    std::size_t leader = 0;          // in `places`
};

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
        if (at_rest && frame.bodies[place].type == physics::BodyType::dynamic) {
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

void lab_button(Context& ctx, const char* title) {
    if (ctx.widgets.button("body.lab", title,
                           joined("Shows step by step how collisions are found (", ctx.key_of("lab"), ").").c_str(),
                           ImGui::GetContentRegionAvail().x)) {
        toggle_lab(ctx);
    }
}

void several_bodies(Context& ctx, BodyPanelState& state, const Several& several) {
    Widgets& w = ctx.widgets;
    const physics::FrameState& frame = ctx.frame();
    const std::size_t leader = several.places[several.leader];
    const physics::BodyState& body = frame.bodies[leader];
    const physics::BodyModel& model = *frame.models[leader];
    ImGui::TextColored(theme::accent, "Editing %zu bodies", several.places.size());
    w.muted(joined("Values shown from '", name_of(model, body.id), "'; a change applies to all."));

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
    colour_of_all(ctx, state.colour, several, formatted("Colour %zu bodies", several.places.size()));
    glm::vec3 velocity = body.linear_velocity;
    if (w.vector(
            "body.linear_velocity", "Velocity", velocity,
            {"m/s", -1000.0f, 1000.0f, 0.1f, "%.2f", "Velocity of the body shown, in m/s; a change applies to all."})) {
        change_all(ctx, several, what, [&](std::size_t place, physics::SetBody& set) {
            physics::Vec3 own = frame.bodies[place].linear_velocity;
            for (int axis = 0; axis < 3; ++axis) {
                own[axis] = velocity[axis] != body.linear_velocity[axis] ? velocity[axis] : own[axis];
            }
            set.linear_velocity = own;
            return frame.bodies[place].type != physics::BodyType::fixed;
        });
    }
    for (const physics::BodyParameter& p : physics::body_parameters) {
        if (p.of_dynamic_bodies_only && body.type != physics::BodyType::dynamic) {
            continue;
        }
        const bool mixed = any_differs(ctx, several, [&](const physics::FrameState& f, std::size_t a, std::size_t b) {
            return f.models[a] != f.models[b] && differs(p, *f.models[a], *f.models[b]) &&
                   (!p.of_dynamic_bodies_only || f.bodies[a].type == physics::BodyType::dynamic);
        });
        physics::SetBody edit;
        if (body_parameter_row(w, p, model.def, model.mass, edit, mixed)) {
            change_all(ctx, several, what, [&](std::size_t place, physics::SetBody& set) {
                const physics::BodyId own = set.body;
                set = edit;
                set.body = own;
                return !p.of_dynamic_bodies_only || frame.bodies[place].type == physics::BodyType::dynamic;
            });
        }
    }
    if (const auto filter = filter_rows(w, model.def.filter)) {
        change_all(ctx, several, what, [&](std::size_t, physics::SetBody& set) {
            set.filter = filter;
            return true;
        });
    }
    if (const auto locks = lock_rows(w, model.def.locks)) {
        change_all(ctx, several, what, [&](std::size_t place, physics::SetBody& set) {
            set.locks = locks;
            return frame.bodies[place].type == physics::BodyType::dynamic;
        });
    }
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

} // namespace

void BodyPanel::operator()(Context& ctx) {
    Widgets& w = ctx.widgets;
    if (!w.section("body", "Body", true)) {
        return;
    }
    const physics::FrameState& frame = ctx.frame();
    const auto slot = find_body(frame, ctx.selected);
    if (!slot) {
        w.muted("Click a body to see and change it.");
        lab_button(ctx, "Collision lab: lessons");
        return;
    }
    if (ctx.selection.size() > 1) {
        Several several{selected_places(ctx), 0};
        const auto leader = std::ranges::find(several.places, *slot);
        several.leader = static_cast<std::size_t>(leader - several.places.begin());
        several_bodies(ctx, state_, several);
        return;
    }
    const physics::BodyState body = frame.bodies[*slot];
    const physics::BodyModel& model = *frame.models[*slot];
    physics::SetBody edit;
    edit.body = body.id;
    bool changed = false;

    const char* state = body.type == physics::BodyType::fixed       ? "static"
                        : body.type == physics::BodyType::kinematic ? "kinematic"
                        : body.sleeping                             ? "asleep"
                        : body.touching                             ? "awake, touching"
                                                                    : "awake, free";
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextColored(theme::accent, "%s", name_of(model, body.id).c_str());
    ImGui::SameLine();
    ImGui::TextColored(theme::muted, "%s", state);
    ImGui::PopTextWrapPos();
    w.muted(describe(model));
    sensor_row(ctx, model, body.id);
    const auto own =
        std::ranges::count_if(model.def.shapes, [](const physics::ShapeDef& shape) { return shape.material.any(); });
    if (own > 0) {
        w.muted(formatted("%td of the shapes %s a material of %s own; what follows is that of the others.", own,
                          own == 1 ? "has" : "have", own == 1 ? "its" : "their"));
    }

    ImGui::BeginDisabled(ctx.simulation.replay().has_value());
    static std::string name; // keeps its memory; what is being typed is the field's own
    name = model.def.name;
    if (w.text("body.name", "Name", name, ImGui::GetContentRegionAvail().x) && name != model.def.name) {
        physics::SetBody rename;
        rename.body = body.id;
        rename.name = name;
        ctx.submit(std::move(rename), std::string(joined("Rename ", name_of(model, body.id), " to ", name)));
    }
    w.tip("For people, and for joints and expectations in the scene's file. Enter sets it.");
    std::optional<physics::Colour> colour = model.def.colour;
    if (state_.colour(w, "body.colour", colour, shown_colour(model, body))) {
        ctx.submit(physics::SetColour{body.id, colour});
    }
    pose_rows(ctx, state_, body, edit, changed);
    int type = static_cast<int>(body.type);
    const char* types[] = {"Static", "Kinematic", "Dynamic"};
    if (w.choice("body.type", "Type", type, types, 3,
                 "Static never moves; kinematic moves with its velocity and is not pushed.")) {
        edit.type = static_cast<physics::BodyType>(type);
        changed = true;
    }
    material_rows(ctx, model, body, edit, changed);
    if (body.type == physics::BodyType::dynamic) {
        w.vector("body.impulse", "Impulse", state_.impulse,
                 {"N s", -1e6f, 1e6f, 1.0f, "%.0f", "Sudden change of momentum at the centre of mass, in N s."});
    }
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float third = (ImGui::GetContentRegionAvail().x - 2.0f * spacing) / 3.0f;
    if (w.button("body.apply_impulse", "Push", "Applies the impulse.", third,
                 body.type == physics::BodyType::dynamic)) {
        ctx.submit(physics::ApplyImpulse{body.id, state_.impulse, std::nullopt});
    }
    ImGui::SameLine();
    if (w.button("body.frame", "Frame",
                 joined("Brings the body into view (", ctx.key_of("frame_selected"), ").").c_str(), third)) {
        frame_selected(ctx);
    }
    ImGui::SameLine();
    if (w.button("body.delete", "Delete", joined("Removes the body (", ctx.key_of("delete_selected"), ").").c_str(),
                 third)) {
        delete_selected(ctx);
    }
    ImGui::EndDisabled();
    if (changed) {
        ctx.submit(edit);
    }
}

} // namespace cairn::ui
