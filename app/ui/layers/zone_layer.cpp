#include "app/ui/layers/layer_drawing.h"
#include "app/ui/layers/shapes/strokes.h"

#include <cmath>

namespace cairn::ui::layers {

using physics::Vec3;

namespace {

// Three great circles.
void add_ball(render::DrawList& list, const core::Zone& zone, const glm::vec4& colour) {
    constexpr int pieces = 48;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 last(0.0f);
        for (int i = 0; i <= pieces; ++i) {
            const float angle = 6.2831853f * static_cast<float>(i) / static_cast<float>(pieces);
            Vec3 at(0.0f);
            at[(axis + 1) % 3] = zone.radius * std::cos(angle);
            at[(axis + 2) % 3] = zone.radius * std::sin(angle);
            const Vec3 point = physics::to_world(zone.pose, at);
            if (i > 0) {
                add_line(list, last, point, colour, false);
            }
            last = point;
        }
    }
}

} // namespace

void draw_zones(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for (const core::Zone& zone : scene.zones) {
        if (zone.radius > 0.0f) {
            add_ball(list, zone, opaque(colour));
        } else {
            add_box_edges(list, {-zone.half_extents, zone.half_extents}, opaque(colour), false, zone.pose);
        }
        render::Label& label = list.labels.add();
        label.text = zone.name;
        label.position = zone.pose.position + Vec3(0.0f, 0.0f, zone.radius > 0.0f ? zone.radius : 0.0f);
        label.colour = opaque(colour);
        label.gives_way = true;
    }
}

void draw_labels(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for (const WorldLabel& from : scene.labels) {
        const auto pose = from.body ? scene.pose_of(from.body) : std::optional(physics::Transform{});
        if (!pose) {
            continue; // its body is gone
        }
        render::Label& label = list.labels.add();
        label.text = from.text;
        label.position = pose->position + from.at;
        label.colour = opaque(colour);
        label.gives_way = true;
    }
}

} // namespace cairn::ui::layers
