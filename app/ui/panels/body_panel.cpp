#include "app/ui/actions.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/parameter_rows.h"

#include <cmath>
#include <imgui_internal.h>

namespace cairn::ui {

namespace {

constexpr float degrees_per_radian = 57.2957795f;

std::string describe(const physics::BodyModel& model) {
    if (model.def.shapes.size() != 1) {
        return std::to_string(model.def.shapes.size()) + " shapes";
    }
    struct Name {
        std::string operator()(const physics::Sphere& s) const {
            return formatted("sphere r %.3g m", static_cast<double>(s.radius));
        }
        std::string operator()(const physics::Box& b) const {
            return formatted("box %.3g × %.3g × %.3g m", 2.0 * static_cast<double>(b.half_extents.x),
                             2.0 * static_cast<double>(b.half_extents.y), 2.0 * static_cast<double>(b.half_extents.z));
        }
        std::string operator()(const physics::Capsule& c) const {
            return formatted("capsule r %.3g m", static_cast<double>(c.radius));
        }
        std::string operator()(const physics::Cylinder& c) const {
            return formatted("cylinder r %.3g m", static_cast<double>(c.radius));
        }
        std::string operator()(const physics::Cone& c) const {
            return formatted("cone r %.3g m", static_cast<double>(c.radius));
        }
        std::string operator()(const physics::Diamond& d) const {
            return formatted("diamond %.3g m", 2.0 * static_cast<double>(d.scale));
        }
        std::string operator()(const physics::PointSet& p) const {
            return formatted("hull of %zu points", p.points ? p.points->size() : 0);
        }
    };
    return std::visit(Name{}, model.def.shapes[0].geometry);
}

void pose_rows(App& app, const physics::BodyState& body, physics::SetBody& edit, bool& changed) {
    Widgets& w = app.widgets;
    glm::vec3 position = body.pose.position;
    if (w.vector("body.position", "Position", position,
                 {"m", -1e4f, 1e4f, 0.02f, "%.2f", "Of the centre of mass: east, north, up, in m."})) {
        edit.position = position;
        changed = true;
    }
    BodyPanelState& state = app.body_panel;
    if (!state.editing_degrees) {
        // While a field is dragged its own numbers are kept: the angles of a quaternion may jump.
        state.degrees = degrees_per_radian * glm::eulerAngles(body.pose.orientation);
    }
    bool active = false;
    const bool turned = w.vector("body.orientation", "Turned by", state.degrees,
                                 {"°", -180.0f, 180.0f, 0.5f, "%.0f", "Angles about x, y and z, in degrees."});
    for (const char* axis : {"##body.orientation.x", "##body.orientation.y", "##body.orientation.z"}) {
        active |= ImGui::GetActiveID() == ImGui::GetID(axis);
    }
    state.editing_degrees = active;
    if (turned) {
        edit.orientation = physics::normalized(glm::quat(state.degrees / degrees_per_radian));
        changed = true;
    }
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

void material_rows(App& app, const physics::BodyModel& model, const physics::BodyState& body, physics::SetBody& edit,
                   bool& changed) {
    Widgets& w = app.widgets;
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
}

} // namespace

void body_panel(App& app) {
    Widgets& w = app.widgets;
    if (!w.section("body", "Body", true)) {
        return;
    }
    const physics::FrameState& frame = app.frame();
    const auto slot = find_body(frame, app.selected);
    if (!slot) {
        w.muted("Click a body to see and change it.");
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
    ImGui::TextColored(theme::accent, "%s",
                       model.def.name.empty() ? ("body " + std::to_string(body.id.index)).c_str()
                                              : model.def.name.c_str());
    ImGui::SameLine();
    ImGui::TextColored(theme::muted, "%s", state);
    ImGui::PopTextWrapPos();
    w.muted(describe(model));

    ImGui::BeginDisabled(app.simulation.replay().has_value());
    pose_rows(app, body, edit, changed);
    int type = static_cast<int>(body.type);
    const char* types[] = {"Static", "Kinematic", "Dynamic"};
    if (w.choice("body.type", "Type", type, types, 3,
                 "Static never moves; kinematic moves with its velocity and is pushed by nothing.")) {
        edit.type = static_cast<physics::BodyType>(type);
        changed = true;
    }
    material_rows(app, model, body, edit, changed);
    if (body.type == physics::BodyType::dynamic) {
        w.vector("body.impulse", "Impulse", app.body_panel.impulse,
                 {"N s", -1e6f, 1e6f, 1.0f, "%.0f", "Sudden change of momentum at the centre of mass, in N s."});
    }
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float third = (ImGui::GetContentRegionAvail().x - 2.0f * spacing) / 3.0f;
    if (w.button("body.apply_impulse", "Push", "Applies the impulse.", third,
                 body.type == physics::BodyType::dynamic)) {
        app.submit(physics::ApplyImpulse{body.id, app.body_panel.impulse, std::nullopt});
    }
    ImGui::SameLine();
    if (w.button("body.frame", "Frame", ("Brings the body into view (" + key_of(Action::frame_selected) + ").").c_str(),
                 third)) {
        frame_selected(app);
    }
    ImGui::SameLine();
    if (w.button("body.delete", "Delete", ("Removes the body (" + key_of(Action::delete_selected) + ").").c_str(),
                 third)) {
        delete_selected(app);
    }
    ImGui::EndDisabled();
    if (changed) {
        app.submit(edit);
    }
}

} // namespace cairn::ui
