// Layers that show one thing of each body.
#include "app/ui/layers/layer_drawing.h"
#include "app/ui/layers/shapes/strokes.h"

#include <charconv>

namespace cairn::ui::layers {

using physics::Aabb;
using physics::BodyState;
using physics::BodyType;
using physics::Transform;
using physics::Vec3;

namespace {

template <typename Draw>
void for_each_body(const LayerScene& scene, Draw&& draw) {
    for (std::size_t slot = 0; slot < scene.frame.bodies.size(); ++slot) {
        draw(scene.frame.bodies[slot], scene.frame.models[slot], scene.poses[slot]);
    }
}

} // namespace

void draw_bounds(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for_each_body(scene, [&](const BodyState&, const auto& model, const Transform& pose) {
        add_box_edges(list, body_bounds(*model, pose), opaque(colour));
    });
}

void draw_velocities(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for_each_body(scene, [&](const BodyState& body, const auto&, const Transform& pose) {
        add_arrow(list, pose.position, 0.25f * body.linear_velocity, opaque(colour));
    });
}

void draw_centres(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for_each_body(scene, [&](const BodyState& body, const auto&, const Transform& pose) {
        if (body.type == BodyType::fixed) {
            return;
        }
        list.points.push_back({pose.position, opaque(colour), 5.0f});
        for (int axis = 0; axis < 3; ++axis) {
            Vec3 unit(0.0f);
            unit[axis] = 1.0f;
            add_line(list, pose.position, pose.position + 0.4f * physics::rotate(pose.orientation, unit),
                     opaque(0.15f + 0.7f * unit));
        }
    });
}

void draw_inertia(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for_each_body(scene, [&](const BodyState&, const auto& model, const Transform& pose) {
        if (model->mass > 0.0f) {
            const InertiaBox& box = scene.memory.boxes_of(model).inertia;
            add_box_edges(list, Aabb{-box.half_extents, box.half_extents}, opaque(colour), true,
                          physics::compose(pose, {Vec3(0.0f), box.axes}));
        }
    });
}

void draw_sleeping(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for_each_body(scene, [&](const BodyState& body, const auto& model, const Transform& pose) {
        if (body.sleeping) {
            add_box_edges(list, scene.memory.boxes_of(model).bounds, opaque(colour), false, pose);
        }
    });
}

void draw_names(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for_each_body(scene, [&](const BodyState& body, const auto& model, const Transform& pose) {
        render::Label& label = list.labels.add();
        label.position = pose.position;
        label.colour = opaque(colour);
        label.gives_way = true;
        char number[16];
        label.text.append(number, std::to_chars(number, number + sizeof number, body.id.index).ptr);
        if (!model->def.name.empty()) {
            label.text += ' ';
            label.text += model->def.name;
        }
    });
}

} // namespace cairn::ui::layers
