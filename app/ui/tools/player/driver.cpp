#include "app/ui/tools/player/driver.h"

#include "app/ui/context/context.h"

#include <algorithm>
#include <string_view>

namespace cairn::ui {

namespace {

constexpr float usual_speed = 10.0f; // rad/s, of wheels that stand still in the scene
constexpr float turning = 0.7f;      // by which share of the speed the two sides differ, to either way

// As fast as the scene has it, whatever the wheel has been set to since.
float full_speed(const core::Scene& scene, std::string_view name) {
    for (const physics::JointDef& joint : scene.joints) {
        if (joint.name == name && joint.motor && joint.motor->speed != 0.0f) {
            return joint.motor->speed;
        }
    }
    return usual_speed;
}

float side_of(std::string_view name) {
    const auto has = [name](std::string_view word) { return name.find(word) != std::string_view::npos; };
    return has("left") ? 1.0f : has("right") ? -1.0f : 0.0f;
}

} // namespace

bool Driver::is_wheel(const physics::JointDef& joint) {
    return joint.motor && joint.name.starts_with("drive");
}

bool Driver::has_wheels(const physics::FrameState& frame) {
    return std::ranges::any_of(frame.joints, [](const physics::JointState& joint) { return is_wheel(*joint.def); });
}

void Driver::update(Context& ctx, float right, float forward) {
    if (drives_ && right == right_ && forward == forward_) {
        return;
    }
    const bool begins = !drives_ || (right_ == 0.0f && forward_ == 0.0f);
    if (begins) {
        gesture_ = ctx.new_gesture(); // from the first key to the last is one edit
    }
    drives_ = true;
    right_ = right;
    forward_ = forward;
    const GestureScope scope(ctx, gesture_);
    for (const physics::JointState& joint : ctx.frame().joints) {
        if (!is_wheel(*joint.def)) {
            continue;
        }
        physics::SetJoint set{joint.id, *joint.def};
        const float share = std::clamp(forward + turning * right * side_of(joint.def->name), -1.0f, 1.0f);
        set.def.motor->speed = share * full_speed(ctx.simulation.scene(), joint.def->name);
        if (set.def != *joint.def) {
            ctx.play(set, "Drive");
        }
    }
}

} // namespace cairn::ui
