#include "app/ui/layers/layer_drawing.h"
#include "app/ui/layers/shapes/strokes.h"

#include <algorithm>

namespace cairn::ui::layers {

using physics::Transform;
using physics::Vec3;

namespace {

// Where bodies are drawn lies between two steps: the anchors are taken from there, not from the published state, lest
// they shake against the bodies.
void draw_joint(render::DrawList& list, const LayerScene& scene, const physics::JointDef& joint,
                const glm::vec4& colour) {
    const auto frame_of = [&](physics::BodyId body, const Transform& frame) {
        const auto pose = scene.pose_of(body);
        const Transform world = pose ? physics::compose(*pose, frame) : frame; // no body: held by the world
        if (pose) {
            add_line(list, pose->position, world.position, colour);
        }
        add_cross(list, world.position, colour);
        return world;
    };
    const Transform a = frame_of(joint.body_a, joint.frame_a), b = frame_of(joint.body_b, joint.frame_b);
    // A rope, a rod, the way along a slider; of all others this is how far the joint gapes, mostly nothing.
    add_line(list, a.position, b.position, colour);
    if (joint.kind == physics::JointKind::hinge || joint.kind == physics::JointKind::slider) {
        // The arrow says which way round, or along, counts as positive.
        constexpr float reach = 0.6f; // m
        const Vec3 axis = reach * physics::rotate(a.orientation, Vec3(0.0f, 0.0f, 1.0f));
        add_line(list, a.position - axis, a.position, colour);
        add_arrow(list, a.position, axis, colour);
    }
}

} // namespace

void draw_joints(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for (const physics::JointState& joint : scene.frame.joints) {
        draw_joint(list, scene, *joint.def, opaque(colour));
    }
}

void draw_joints_of_selected(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    const auto selected = [&](physics::BodyId body) {
        return body && std::ranges::find(scene.selected, body) != scene.selected.end();
    };
    for (const physics::JointState& joint : scene.frame.joints) {
        if (selected(joint.def->body_a) || selected(joint.def->body_b)) {
            draw_joint(list, scene, *joint.def, opaque(colour));
        }
    }
}

} // namespace cairn::ui::layers
