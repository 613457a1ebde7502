// The drawing of each debug layer, for the table in debug_layers.cpp. What `colour` belongs to is drawn in it.
#pragma once

#include "app/ui/layers/debug_layers.h"

namespace cairn::ui::layers {

// contact_layers.cpp
void draw_contacts(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
void draw_normals(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
void draw_impulses(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
void draw_faces(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);

// body_layers.cpp
void draw_bounds(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
void draw_velocities(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
void draw_centres(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
void draw_inertia(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
void draw_sleeping(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
void draw_names(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);

// engine_layers.cpp
void draw_tree(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
void draw_islands(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
void draw_sweeps(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);

// joint_layer.cpp
void draw_joints(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
void draw_joints_of_selected(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);

// zone_layer.cpp
void draw_zones(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);
void draw_labels(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour);

} // namespace cairn::ui::layers
