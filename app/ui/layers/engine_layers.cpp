// Layers that show how the step goes about its work: trees, islands, and the paths of fast bodies.
#include "app/ui/layers/layer_drawing.h"
#include "app/ui/layers/shapes/strokes.h"

#include <algorithm>

namespace cairn::ui::layers {

using physics::Aabb;
using physics::Vec3;

void draw_tree(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    std::uint16_t deepest = 1;
    for (const physics::TreeBoxState& box : scene.frame.tree) {
        deepest = std::max(deepest, box.depth);
    }
    for (const physics::TreeBoxState& box : scene.frame.tree) {
        const float share = static_cast<float>(box.depth) / static_cast<float>(deepest);
        add_box_edges(list, box.bounds, glm::vec4(colour, box.leaf ? 1.0f : 0.15f + 0.55f * share));
    }
}

void draw_islands(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    LayerMemory& memory = scene.memory;
    memory.islands.update(scene.frame);
    memory.island_bounds.assign(scene.frame.bodies.size(), Aabb{});
    memory.island_rests.assign(scene.frame.bodies.size(), true);
    for (std::size_t slot = 0; slot < scene.frame.bodies.size(); ++slot) {
        const std::uint32_t first = memory.islands.of(slot);
        if (first != Islands::none) {
            Aabb& bounds = memory.island_bounds[first];
            bounds = physics::united(bounds, body_bounds(*scene.frame.models[slot], scene.poses[slot]));
            memory.island_rests[first] = memory.island_rests[first] && scene.frame.bodies[slot].sleeping;
        }
    }
    for (std::size_t slot = 0; slot < scene.frame.bodies.size(); ++slot) {
        if (memory.islands.of(slot) == slot) {
            const float alpha = memory.island_rests[slot] ? 0.35f : 1.0f;
            add_box_edges(list, physics::grown(memory.island_bounds[slot], 0.03f), glm::vec4(colour, alpha));
        }
    }
}

// From where a body stood when the step began, over its impacts, to where it is; a faint box stands at the start.
void draw_sweeps(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    const physics::FrameState& frame = scene.frame;
    for (const physics::SweepState& sweep : frame.sweeps) {
        const auto slot = find_body(frame, sweep.body);
        if (!slot) {
            continue;
        }
        Vec3 from = sweep.start.position;
        const auto go_to = [&](const Vec3& to) {
            add_line(list, from, to, opaque(colour));
            list.points.push_back({to, opaque(colour), 5.0f});
            from = to;
        };
        list.points.push_back({from, opaque(colour), 5.0f});
        for (const physics::ImpactState& impact : frame.impacts) {
            if (impact.body_a == sweep.body) {
                go_to(impact.centre_a);
            } else if (impact.body_b == sweep.body) {
                go_to(impact.centre_b);
            }
        }
        go_to(frame.bodies[*slot].pose.position);
        add_box_edges(list, scene.memory.boxes_of(frame.models[*slot]).bounds, glm::vec4(colour, 0.5f), true,
                      sweep.start);
    }
    for (const physics::ImpactState& impact : frame.impacts) {
        list.points.push_back({impact.point, opaque(colour), 10.0f});
        add_arrow(list, impact.point, 0.4f * impact.normal, opaque(colour));
    }
}

} // namespace cairn::ui::layers
