// The joints of the selected body: what each does and bears, and all that can be changed of it.
#include "app/core/scene/values/scene_keys.h"
#include "app/ui/context/selection.h"
#include "app/ui/panels/body/body_panel.h"
#include "app/ui/panels/body/rows/body_rows.h"
#include "app/ui/panels/body/rows/joint_frames.h"
#include "app/ui/widgets/charts/step_course.h"
#include "physics/world/limits.h"

#include <algorithm>
#include <array>
#include <imgui.h>
#include <string>

namespace cairn::ui {

namespace {

using physics::JointDef;
using physics::JointKind;

bool is_one_of(JointKind kind, std::initializer_list<JointKind> kinds) {
    return std::ranges::find(kinds, kind) != kinds.end();
}

bool has_limits(JointKind kind) {
    return is_one_of(kind,
                     {JointKind::ball, JointKind::hinge, JointKind::slider, JointKind::distance, JointKind::pulley});
}
bool has_length(JointKind kind) {
    return is_one_of(kind, {JointKind::distance, JointKind::pulley});
}
bool turns(JointKind kind) {
    return is_one_of(kind, {JointKind::ball, JointKind::hinge, JointKind::universal});
}

bool limit_rows(Widgets& w, const JointDef& def, std::optional<physics::JointLimits>& limits, float position) {
    const float furthest = def.kind == JointKind::ball    ? physics::limits::joint_cone
                           : def.kind == JointKind::hinge ? physics::limits::joint_angle
                                                          : physics::limits::position;
    const float least = has_length(def.kind) ? 0.0f : -furthest;
    const char* unit = turns(def.kind) ? "rad" : "m";
    const bool twist = def.kind == JointKind::ball;
    const physics::JointLimits here =
        twist ? physics::JointLimits{-0.5f, 0.5f} : physics::JointLimits{position - 0.5f, position + 0.5f};
    return optional_rows(w, "joint.limits", twist ? "Limits of the twist" : "Limits", "Between which it may move.",
                         limits, {std::max(here.lower, least), here.upper}, [&](physics::JointLimits& l) {
                             const bool lower = w.number("joint.lower", "From", l.lower,
                                                         {unit, least, furthest, 0.01f, "%.2f", "The lower limit."});
                             const bool upper = w.number("joint.upper", "To", l.upper,
                                                         {unit, least, furthest, 0.01f, "%.2f", "The upper limit."});
                             l.upper = lower ? std::max(l.upper, l.lower) : l.upper;
                             l.lower = upper ? std::min(l.upper, l.lower) : l.lower;
                             return lower || upper;
                         });
}

bool motor_rows(Widgets& w, const JointDef& def, std::optional<physics::JointMotor>& motor) {
    const char* unit = turns(def.kind) ? "rad/s" : "m/s";
    const char* force = turns(def.kind) ? "N m" : "N";
    return optional_rows(w, "joint.motor", def.kind == JointKind::ball ? "Friction" : "Motor",
                         "Drives it at a speed, as far as its force reaches; at no speed it brakes.", motor,
                         physics::JointMotor{0.0f, 100.0f}, [&](physics::JointMotor& m) {
                             const bool speed =
                                 w.number("joint.speed", "Speed", m.speed,
                                          {unit, -1000.0f, 1000.0f, 0.05f, "%.2f", "Speed of the motor."});
                             const bool most =
                                 w.number("joint.motor_force", "At most", m.max_force,
                                          {force, 0.0f, 1e9f, 1.0f, "%.1f", "Greatest force of the motor.", true});
                             return speed || most;
                         });
}

bool spring_rows(Widgets& w, const JointDef& def, std::optional<physics::JointSpring>& spring) {
    const bool aims = is_one_of(def.kind, {JointKind::hinge, JointKind::slider});
    return optional_rows(
        w, "joint.spring", "Spring", "Holds it softly; with a target and a greatest force it is a motor to a position.",
        spring, physics::JointSpring{2.0f, 0.5f, 0.0f, std::nullopt}, [&](physics::JointSpring& s) {
            bool any = w.number("joint.hertz", "Frequency", s.hertz,
                                {"Hz", 0.001f, 1000.0f, 0.01f, "%.2f", "At which the bodies swing on it.", true});
            any |= w.number("joint.damping", "Damping", s.damping_ratio,
                            {"", 0.0f, 1000.0f, 0.01f, "%.2f", "1 = it comes to rest without swinging over."});
            if (aims) {
                const float far = turns(def.kind) ? physics::limits::joint_angle : physics::limits::position;
                any |= w.number("joint.target", "Target", s.target,
                                {turns(def.kind) ? "rad" : "m", -far, far, 0.01f, "%.2f", "Where it pulls to."});
            }
            bool bounded = s.max_force.has_value();
            if (w.toggle("joint.bounded", "Bounded force", bounded, "Whether it pulls with no more than so much.")) {
                s.max_force = bounded ? std::optional(1000.0f) : std::nullopt;
                any = true;
            }
            if (s.max_force) {
                any |= w.number("joint.spring_force", "At most", *s.max_force,
                                {"", 0.0f, 1e9f, 1.0f, "%.1f", "Greatest force of the spring, N or N m.", true});
            }
            return any;
        });
}

bool break_row(Widgets& w, const char* id, const char* title, const char* number, const char* unit,
               std::optional<float>& most, float now) {
    return optional_rows(w, id, title, "It ends where it must bear more on the average of a step.", most,
                         std::max(2.0f * now, 1000.0f), [&](float& value) {
                             return w.number(
                                 number, "More than", value,
                                 {unit, 0.0f, 1e9f, 1.0f, "%.1f", "The greatest load that it bears.", true});
                         });
}

// One axis of six: what it does, and the numbers of that.
bool axis_rows(Widgets& w, std::size_t axis, physics::JointAxis& a) {
    using Mode = physics::JointAxis::Mode;
    static constexpr std::array<const char*, 5> modes = {"Locked", "Free", "Limited", "At a speed", "To a position"};
    const std::string name(core::axis_names[axis]), id = "joint.axis." + name;
    const bool angle = axis >= 3;
    const char* unit = angle ? "rad" : "m";
    const float far = angle ? physics::limits::joint_cone : physics::limits::position;
    int mode = static_cast<int>(a.mode);
    bool any =
        w.choice(id.c_str(), (angle ? "About " + name.substr(1) : "Along " + name).c_str(), mode, modes.data(),
                 static_cast<int>(modes.size()), "What the bodies may do along or about this axis of the joint.");
    if (any) {
        a = {};
        a.mode = static_cast<Mode>(mode);
        a.limits = {-0.5f, 0.5f};
        a.motor = {1.0f, 100.0f};
        a.spring = {2.0f, 1.0f, 0.0f, 1000.0f};
    }
    const auto number = [&](const char* suffix, const char* title, float& value, const NumberSpec& spec) {
        any |= w.number((id + suffix).c_str(), title, value, spec);
    };
    if (a.mode == Mode::limited) {
        number(".lower", "From", a.limits.lower, {unit, -far, a.limits.upper, 0.01f, "%.2f", "The lower limit."});
        number(".upper", "To", a.limits.upper, {unit, a.limits.lower, far, 0.01f, "%.2f", "The upper limit."});
    } else if (a.mode == Mode::motor) {
        const float fastest = angle ? physics::limits::angular_speed : physics::limits::speed;
        number(".speed", "Speed", a.motor.speed,
               {angle ? "rad/s" : "m/s", -fastest, fastest, 0.05f, "%.2f", "Speed of the motor."});
        number(".force", "At most", a.motor.max_force,
               {angle ? "N m" : "N", 0.0f, 1e9f, 1.0f, "%.1f", "Greatest force of the motor.", true});
    } else if (a.mode == Mode::spring) {
        number(".target", "Target", a.spring.target, {unit, -far, far, 0.01f, "%.2f", "Where it is driven to."});
        number(".hertz", "Frequency", a.spring.hertz,
               {"Hz", 0.001f, 1000.0f, 0.01f, "%.2f", "At which the bodies swing on it.", true});
        number(".damping", "Damping", a.spring.damping_ratio,
               {"", 0.0f, 1000.0f, 0.01f, "%.2f", "1 = it comes to rest without swinging over."});
        if (a.spring.max_force) {
            number(".force", "At most", *a.spring.max_force,
                   {angle ? "N m" : "N", 0.0f, 1e9f, 1.0f, "%.1f", "Greatest force.", true});
        }
    }
    return any;
}

// Where it holds its bodies and along which axis, as they stand now; true if anything was changed.
bool frame_rows(Context& ctx, const physics::JointState& joint, JointDef& def) {
    Widgets& w = ctx.widgets;
    const auto pose = [&](physics::BodyId body) {
        const auto place = find_body(ctx.frame(), body);
        return place ? ctx.frame().bodies[*place].pose : physics::Transform{};
    };
    const JointBodies bodies{pose(def.body_a), pose(def.body_b)};
    const auto anchor = [&](JointEnd end, const char* id, const char* title, const FrameText& help) {
        glm::vec3 at = end == JointEnd::a ? joint.anchor_a : joint.anchor_b;
        const float far = physics::limits::position;
        const bool changed = w.vector(id, title, at, {"m", -far, far, 0.01f, "%.2f", help.c_str()});
        if (changed) {
            move_anchor(def, bodies, end, at);
        }
        return changed;
    };
    bool any = false;
    if (has_two_anchors(def.kind)) {
        any |= anchor(JointEnd::a, "joint.anchor_a", "Anchor A",
                      joined("Where it holds ", name_of(ctx, def.body_a), ", in the world."));
        any |= anchor(JointEnd::b, "joint.anchor_b", "Anchor B",
                      joined("Where it holds ", name_of(ctx, def.body_b), ", in the world."));
    } else {
        any |= anchor(JointEnd::a, "joint.anchor", "Anchor", FrameText("Where it holds the bodies, in the world."));
    }
    glm::vec3 axis = joint.axis;
    if (has_axis(def.kind) &&
        w.vector("joint.axis", "Axis", axis,
                 {"", -1.0f, 1.0f, 0.005f, "%.2f",
                  "Its direction in the world; any length but 0 will do. The position of the joint stays."})) {
        if (glm::length(axis) > 1e-3f) {
            turn_axis(def, bodies, glm::normalize(axis));
            any = true;
        } else {
            w.reject("Axis: a direction needs a number that is not 0; it stays as it is");
        }
    }
    return any;
}

// All that can be changed of the joint; true if anything was.
bool edit_rows(Widgets& w, const physics::JointState& joint, JointDef& def) {
    const JointKind kind = def.kind;
    bool any = false;
    if (has_length(kind)) {
        any |= w.number("joint.length", "Length", def.length,
                        {"m", 0.0f, physics::limits::position, 0.01f, "%.3f", "Of the rod or of the pulley's rope."});
    }
    if (has_limits(kind)) {
        any |= limit_rows(w, def, def.limits, joint.position);
    }
    if (kind == JointKind::ball || kind == JointKind::universal) {
        any |= optional_rows(w, "joint.cone", "Cone", "How far it may bend.", def.cone, 0.8f, [&](float& cone) {
            return w.number(
                "joint.cone_angle", "Angle", cone,
                {"rad", 0.0f, physics::limits::joint_cone, 0.01f, "%.2f", "Greatest angle between the axes."});
        });
    }
    if (has_limits(kind)) {
        any |= motor_rows(w, def, def.motor);
    }
    if (has_limits(kind) || kind == JointKind::weld) {
        any |= spring_rows(w, def, def.spring);
    }
    if (is_one_of(kind, {JointKind::gear, JointKind::rack, JointKind::pulley})) {
        const float least = kind == JointKind::pulley ? physics::limits::least_ratio : -physics::limits::greatest_ratio;
        if (w.number("joint.ratio", "Ratio", def.ratio,
                     {"", least, physics::limits::greatest_ratio, 0.01f, "%.2f", "See the guide on joints."})) {
            any = std::abs(def.ratio) >= physics::limits::least_ratio;
        }
    }
    for (std::size_t axis = 0; axis < def.axes.size(); ++axis) {
        any |= axis_rows(w, axis, def.axes[axis]);
    }
    any |= break_row(w, "joint.breaks", "Breaks by force", "joint.break_force", "N", def.break_force,
                     glm::length(joint.force));
    any |= break_row(w, "joint.breaks_turning", "Breaks by torque", "joint.break_torque", "N m", def.break_torque,
                     glm::length(joint.torque));
    if (w.toggle("joint.collide", "Bodies collide", def.collide, "Whether the two bodies collide with each other.")) {
        def.ignore_within = def.collide ? 1 : def.ignore_within;
        any = true;
    }
    if (!def.collide) {
        any |= w.whole("joint.ignore_within", "Ignore within", def.ignore_within,
                       {"", 1.0f, static_cast<float>(physics::limits::ignore_within), 0.05f, "%.0f",
                        "Bodies that at most so many joints connect do not collide; 1: these two alone."},
                       1);
    }
    return any;
}

} // namespace

void joints_panel(Context& ctx) {
    Widgets& w = ctx.widgets;
    const physics::BodyId body = ctx.selected;
    const auto& joints = ctx.frame().joints;
    ImGui::BeginDisabled(ctx.simulation.replay().has_value());
    int place = 0;
    for (const physics::JointState& joint : joints) {
        const JointDef& def = *joint.def;
        if (def.body_a != body && def.body_b != body) {
            continue;
        }
        const std::string id = "joint." + std::to_string(place++);
        const auto kind = core::joint_kinds[static_cast<std::size_t>(def.kind)];
        const std::string title = (def.name.empty() ? std::string(kind) : def.name) + " to " +
                                  name_of(ctx, def.body_a == body ? def.body_b : def.body_a);
        ImGui::PushID(static_cast<int>(joint.id.index));
        bool open = ctx.open_joint == joint.id;
        if (w.toggle(id.c_str(), title.c_str(), open, "Shows what the joint does, and lets it be changed.")) {
            ctx.open_joint = open ? joint.id : physics::JointId{};
        }
        if (open) {
            ImGui::Indent();
            const char* unit = turns(def.kind) ? "rad" : "m";
            w.fact("Kind", kind);
            if (has_limits(def.kind)) {
                w.fact("Position", formatted("%.3f %s", static_cast<double>(joint.position), unit));
            }
            static StepCourse course; // of the one joint that is open
            static physics::JointId of;
            if (!(of == joint.id)) {
                of = joint.id;
                course.clear();
            }
            const float force = glm::length(joint.force), torque = glm::length(joint.torque);
            course.add(ctx.frame().step, std::array{force, torque, joint.position});
            w.fact("Force", formatted("%.4g N", static_cast<double>(force)));
            w.fact("Torque", formatted("%.4g N m", static_cast<double>(torque)));
            const auto plot = [&](const char* id, const char* name, std::size_t curve) {
                const CourseCurve line{course.curves[curve], ImGui::GetColorU32(ImGuiCol_PlotLines)};
                plot_course(w, id, name, {&line, 1});
            };
            plot("joint.plot.force", "Force, N", 0);
            plot("joint.plot.torque", "Torque, N m", 1);
            if (has_limits(def.kind)) {
                plot("joint.plot.position", turns(def.kind) ? "Position, rad" : "Position, m", 2);
            }
            physics::SetJoint set{joint.id, def};
            static std::string name; // keeps its memory; what is being typed is the field's own
            name = def.name;
            if (w.text("joint.name", "Name", name, ImGui::GetContentRegionAvail().x) && name != def.name) {
                set.def.name = name;
                ctx.submit(set, std::string(joined("Rename ", title, " to ", name)));
            }
            w.tip("For people, and for those who take the wheel: motors named drive turn by the arrow keys. Enter sets "
                  "it.");
            const bool moved = frame_rows(ctx, joint, set.def), changed = edit_rows(w, joint, set.def);
            if (moved || changed) {
                ctx.submit(set, (moved ? "Move " : "Change ") + title);
            }
            if (w.button("joint.delete", "Delete the joint", "Removes it; its bodies may collide again.", -1.0f)) {
                ctx.submit(physics::DestroyJoint{joint.id}, "Delete " + title);
            }
            ImGui::Unindent();
        }
        ImGui::PopID();
    }
    ImGui::EndDisabled();
}

} // namespace cairn::ui
