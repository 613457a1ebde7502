#include "app/ui/panels/body/body_panel.h"

#include "app/ui/context/selection.h"
#include "app/ui/input/actions.h"
#include "app/ui/panels/body/several_bodies.h"
#include "app/ui/panels/body/shape_edits.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/tools/spawn/bodies.h"
#include "app/ui/widgets/palette.h"
#include "app/ui/widgets/rows/filter_rows.h"
#include "app/ui/widgets/rows/parameter_rows.h"

#include <algorithm>
#include <imgui_internal.h>

namespace cairn::ui {

namespace {

FrameText describe(const physics::BodyModel& model) {
    if (model.def.shapes.size() != 1) {
        return formatted("%zu shapes", model.def.shapes.size());
    }
    return shape_text(model.def.shapes[0].geometry);
}

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
        names = joined(names, i > 0 ? ", " : "", slot ? listed_name(frame, *slot) : FrameText("?"));
    }
    if (inside.size() > most_named) {
        names = joined(names, formatted(" and %zu more", inside.size() - most_named));
    }
    const FrameText what = sensors < model.parts.size() ? formatted("%zu of the shapes %s", sensors,
                                                                    sensors == 1 ? "is a sensor" : "are sensors")
                                                        : FrameText("A sensor");
    ctx.widgets.muted(joined(what, "; inside: ", inside.empty() ? FrameText("nothing") : names));
}

// Three numbers that are stated once they are changed.
void vector_row(Widgets& w, const char* id, const char* label, glm::vec3 value, const NumberSpec& spec,
                std::optional<physics::Vec3>& stated) {
    if (w.vector(id, label, value, spec)) {
        stated = value;
    }
}

void pose_rows(Context& ctx, BodyPanelState& state, const physics::BodyState& body, physics::SetBody& edit) {
    Widgets& w = ctx.widgets;
    vector_row(w, "body.position", "Position", body.pose.position,
               {"m", -1e4f, 1e4f, 0.02f, "%.2f", "Of the centre of mass, in m; Z is up."}, edit.position);
    physics::Quat orientation = body.pose.orientation;
    if (state.turn(w, "body.orientation", "Angles about x, y and z, in degrees.", orientation, state.body == body.id)) {
        edit.orientation = orientation;
    }
    state.body = body.id;
    if (body.type == physics::BodyType::fixed) {
        return; // it has no velocity
    }
    vector_row(w, "body.linear_velocity", "Velocity", body.linear_velocity,
               {"m/s", -1000.0f, 1000.0f, 0.1f, "%.2f", "Of the centre of mass, in m/s."}, edit.linear_velocity);
    vector_row(w, "body.angular_velocity", "Spin", body.angular_velocity,
               {"rad/s", -1000.0f, 1000.0f, 0.1f, "%.2f", "Angular velocity about the world's axes, in rad/s."},
               edit.angular_velocity);
}

void material_rows(Context& ctx, const physics::BodyModel& model, const physics::BodyState& body,
                   physics::SetBody& edit) {
    Widgets& w = ctx.widgets;
    const bool dynamic = body.type == physics::BodyType::dynamic;
    for (const physics::BodyParameter& p : physics::body_parameters) {
        if (p.of_dynamic_bodies_only && !dynamic) {
            continue;
        }
        body_parameter_row(w, p, model.def, model.mass, edit);
        if (p.key == "mass") {
            const glm::vec3 inertia(model.inertia[0][0], model.inertia[1][1], model.inertia[2][2]);
            vector_row(w, "body.inertia", "Inertia", inertia,
                       {"kg m²", 1e-9f, 1e12f, std::max(0.01f * inertia.x, 1e-9f), "%.3g",
                        "Moments about the body's own axes, in kg m²; none may exceed the sum of the other two."},
                       edit.inertia);
        }
    }
    if (const auto filter = filter_rows(w, model.def.filter)) {
        edit.filter = filter->of(model.def.filter);
    }
    if (dynamic) {
        if (const auto locks = lock_rows(w, model.def.locks)) {
            edit.locks = locks->of(model.def.locks);
        }
    }
}

} // namespace

void BodyPanel::operator()(Context& ctx) {
    Widgets& w = ctx.widgets;
    const physics::FrameState& frame = ctx.frame();
    const auto slot = find_body(frame, ctx.selected);
    if (!slot) {
        w.muted("Click a body to see and change it.");
        lab_button(ctx, "Collision lab: lessons");
        return;
    }
    if (ctx.selection.size() > 1) {
        several_bodies(ctx, state_.colour, *slot);
        return;
    }
    const physics::BodyState body = frame.bodies[*slot];
    const physics::BodyModel& model = *frame.models[*slot];
    physics::SetBody edit;
    edit.body = body.id;
    const physics::SetBody unchanged = edit;

    const char* state = body.type == physics::BodyType::fixed       ? "static"
                        : body.type == physics::BodyType::kinematic ? "kinematic"
                        : body.sleeping                             ? "asleep"
                        : body.touching                             ? "awake, touching"
                                                                    : "awake, free";
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextColored(theme::accent, "%s", listed_name(frame, *slot).c_str());
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
        ctx.submit(std::move(rename), std::string(joined("Rename ", listed_name(frame, *slot), " to ", name)));
    }
    w.tip("For people, and for joints and expectations in the scene's file. Enter sets it.");
    std::optional<physics::Colour> colour = model.def.colour;
    if (state_.colour(w, "body.colour", colour, shown_colour(model, body))) {
        ctx.submit(physics::SetColour{body.id, colour});
    }
    pose_rows(ctx, state_, body, edit);
    int type = static_cast<int>(body.type);
    const char* types[] = {"Static", "Kinematic", "Dynamic"};
    if (w.choice("body.type", "Type", type, types, 3,
                 "Static never moves; kinematic moves with its velocity and is not pushed.")) {
        edit.type = static_cast<physics::BodyType>(type);
    }
    material_rows(ctx, model, body, edit);
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
    if (edit != unchanged) {
        ctx.submit(edit);
    }
}

} // namespace cairn::ui
