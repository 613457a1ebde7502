// The functions that draw each debug layer, for the table in debug_layers.cpp. What `colour` belongs to is drawn in it.
#pragma once

#include "app/ui/layers/debug_layers.h"

namespace cairn::ui::layers {

DrawLayer draw_contacts, draw_normals, draw_impulses, draw_faces;                              // contact_layers.cpp
DrawLayer draw_bounds, draw_velocities, draw_centres, draw_inertia, draw_sleeping, draw_names; // body_layers.cpp
DrawLayer draw_tree, draw_islands, draw_sweeps;                                                // engine_layers.cpp
DrawLayer draw_joints, draw_joints_of_selected;                                                // joint_layer.cpp
DrawLayer draw_zones, draw_labels;                                                             // zone_layer.cpp

} // namespace cairn::ui::layers
