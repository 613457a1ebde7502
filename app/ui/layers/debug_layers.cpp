#include "app/ui/layers/debug_layers.h"

#include "app/ui/layers/layer_drawing.h"
#include "app/ui/layers/strokes.h"
#include "app/ui/palette.h"

#include <algorithm>

namespace cairn::ui {

using physics::FrameDetails;

const std::vector<DebugLayer>& debug_layers() {
    static const std::vector<DebugLayer> layers = {
        {"contacts", "Contacts", "Contact points", &DebugLayers::contacts, colours::contacts(), layers::draw_contacts},
        {"normals", "Normals", "Contact normals, from the first body to the second", &DebugLayers::normals,
         colours::normals(), layers::draw_normals},
        {"impulses", "Impulses", "Impulses of the last step; length grows with the square root of N s",
         &DebugLayers::impulses, colours::impulses(), layers::draw_impulses},
        {"bounds", "Bounds", "Axis-aligned bounds of the bodies", &DebugLayers::bounds, colours::bounds(),
         layers::draw_bounds},
        {"velocities", "Velocities", "Linear velocities; 1 m of arrow = 4 m/s", &DebugLayers::velocities,
         colours::velocities(), layers::draw_velocities},
        {"centres", "Centres", "Centres of mass and the bodies' axes", &DebugLayers::centres, colours::centres(),
         layers::draw_centres},
        {"joints", "Joints",
         "Joints: anchors, lines to the bodies' centres, ropes and rods, axes of hinges and sliders",
         &DebugLayers::joints, colours::joints(), layers::draw_joints},
        {"faces", "Faces", "Contact patches: the polygon spanned by the points of a contact", &DebugLayers::faces,
         colours::faces(), layers::draw_faces},
        {"tree", "Tree", "Boxes of the broadphase trees; fainter towards the root", &DebugLayers::tree, colours::tree(),
         layers::draw_tree, &FrameDetails::tree},
        {"inertia", "Inertia", "Uniform boxes with the mass and inertia of the bodies", &DebugLayers::inertia,
         colours::inertia(), layers::draw_inertia},
        {"islands", "Islands", "Bounds of each island, whose bodies sleep together; faint: asleep",
         &DebugLayers::islands, colours::islands(), layers::draw_islands},
        {"sleeping", "Sleeping", "Boxes around sleeping bodies", &DebugLayers::sleeping, colours::sleeping(),
         layers::draw_sleeping},
        {"sweeps", "Sweeps", "Swept paths of fast bodies during the last step, and their impacts", &DebugLayers::sweeps,
         colours::sweeps(), layers::draw_sweeps, &FrameDetails::sweeps},
        {"names", "Names", "Numbers and names of the bodies", &DebugLayers::names, colours::names(),
         layers::draw_names},
        {"zones", "Zones", "The scene's zones, by name, which its expectations speak of", &DebugLayers::zones,
         colours::zones(), layers::draw_zones},
    };
    return layers;
}

DebugLayers usual_layers() {
    DebugLayers layers;
    layers.joints = layers.zones = true;
    return layers;
}

std::optional<std::string> set_layers(DebugLayers& layers, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const auto& known = debug_layers();
        const auto found =
            std::find_if(known.begin(), known.end(), [&](const DebugLayer& layer) { return name == layer.name; });
        if (found == known.end()) {
            return name;
        }
        layers.*(found->shown) = true;
    }
    return std::nullopt;
}

std::string layer_names() {
    std::string text;
    for (const DebugLayer& layer : debug_layers()) {
        text += (text.empty() ? "" : ", ") + std::string(layer.name);
    }
    return text;
}

void add_details(FrameDetails& details, const DebugLayers& layers) {
    for (const DebugLayer& layer : debug_layers()) {
        if (layer.detail != nullptr && layers.*(layer.shown)) {
            details.*(layer.detail) = true;
        }
    }
}

void draw_layers(render::DrawList& list, const LayerScene& scene, const DebugLayers& layers) {
    for (const DebugLayer& layer : debug_layers()) {
        if (layers.*(layer.shown)) {
            layer.draw(list, scene, layer.colour);
        }
    }
}

void draw_grab(render::DrawList& list, const physics::GrabState& grab) {
    if (grab.active) {
        const glm::vec4 colour = opaque(colours::accent());
        add_line(list, grab.point, grab.target, colour);
        list.points.push_back({grab.point, colour, 8.0f});
        list.points.push_back({grab.target, colour, 8.0f});
    }
}

std::optional<physics::Transform> LayerScene::pose_of(physics::BodyId body) const {
    const auto slot = find_body(frame, body);
    return slot ? std::optional(poses[*slot]) : std::nullopt;
}

const LayerMemory::Boxes& LayerMemory::boxes_of(const std::shared_ptr<const physics::BodyModel>& model) {
    const auto [entry, fresh] = boxes.try_emplace(model.get());
    if (fresh) {
        entry->second.model = model;
        entry->second.bounds = body_bounds(*model, {});
        if (model->mass > 0.0f) {
            entry->second.inertia = inertia_box(model->inertia, model->mass);
        }
    }
    return entry->second;
}

} // namespace cairn::ui
