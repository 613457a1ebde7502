#include "app/ui/layers/debug_layers.h"

#include "app/core/base/joined_words.h"
#include "app/ui/layers/layer_drawing.h"
#include "app/ui/layers/shapes/strokes.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>
#include <stdexcept>

namespace cairn::ui {

using physics::FrameDetails;

namespace {

std::vector<DebugLayer> numbered(std::vector<DebugLayer> layers) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
        layers[i].index = i;
    }
    return layers;
}

std::vector<DebugLayer>& all_layers() {
    static std::vector<DebugLayer> layers = numbered({
        {"contacts", "Contacts", "Contact points", colours::contacts(), layers::draw_contacts, nullptr,
         "contact_points", "Contact points", "1"},
        {"normals", "Normals", "Contact normals, from the first body to the second", colours::normals(),
         layers::draw_normals, nullptr, "contact_normals", "Contact normals", "2"},
        {"impulses", "Impulses", "Impulses of the last step; length grows with the square root of N s",
         colours::impulses(), layers::draw_impulses, nullptr, "impulses", "Impulses", "3"},
        {"bounds", "Bounds", "Axis-aligned bounds of the bodies", colours::bounds(), layers::draw_bounds, nullptr,
         "bounds", "Bounds", "4"},
        {"velocities", "Velocities", "Linear velocities; 1 m of arrow = 4 m/s", colours::velocities(),
         layers::draw_velocities, nullptr, "velocities", "Velocities", "5"},
        {"centres", "Centres", "Centres of mass and the bodies' axes", colours::centres(), layers::draw_centres,
         nullptr, "centres_of_mass", "Centres of mass", "6"},
        {"joints", "Joints",
         "Joints: anchors, lines to the bodies' centres, ropes and rods, axes of hinges and sliders", colours::joints(),
         layers::draw_joints, nullptr, "joints", "Joints", "7"},
        {"faces", "Faces", "Contact patches: the polygon spanned by the points of a contact", colours::faces(),
         layers::draw_faces, nullptr, "contact_faces", "Contact patches", "8"},
        {"tree", "Tree", "Boxes of the broadphase trees; fainter towards the root", colours::tree(), layers::draw_tree,
         &FrameDetails::tree, "trees", "Broadphase trees", "9"},
        {"inertia", "Inertia", "Uniform boxes with the mass and inertia of the bodies", colours::inertia(),
         layers::draw_inertia, nullptr, "inertia_boxes", "Inertia boxes", "0"},
        {"islands", "Islands", "Bounds of each island, whose bodies sleep together; faint: asleep", colours::islands(),
         layers::draw_islands, nullptr, "islands", "Islands", "Shift+1"},
        {"sleeping", "Sleeping", "Boxes around sleeping bodies", colours::sleeping(), layers::draw_sleeping, nullptr,
         "sleepers", "Sleeping bodies", "Shift+2"},
        {"sweeps", "Sweeps", "Swept paths of fast bodies during the last step, and their impacts", colours::sweeps(),
         layers::draw_sweeps, &FrameDetails::sweeps, "sweeps", "Swept paths of fast bodies", "Shift+3"},
        {"names", "Names", "Numbers and names of the bodies", colours::names(), layers::draw_names, nullptr, "names",
         "Body numbers and names", "Shift+4"},
        {"zones", "Zones", "The scene's zones, by name, which its expectations speak of", colours::zones(),
         layers::draw_zones, nullptr, "zones", "Zones of expectations", "Shift+5"},
        {"labels", "Labels", "Texts of the scene, beside what they speak of", colours::names(), layers::draw_labels,
         nullptr, "labels", "Labels of the scene", "Shift+6"},
    });
    return layers;
}

} // namespace

const std::vector<DebugLayer>& debug_layers() {
    return all_layers();
}

void add_debug_layer(DebugLayer layer) {
    layer.index = all_layers().size();
    if (layer.index == DebugLayers::most) {
        throw std::logic_error("too many debug layers");
    }
    all_layers().push_back(layer);
}

namespace {

const DebugLayer* find_layer(std::string_view name) {
    const auto& known = debug_layers();
    const auto found = std::ranges::find_if(known, [&](const DebugLayer& layer) { return name == layer.name; });
    return found == known.end() ? nullptr : &*found;
}

} // namespace

bool& DebugLayers::operator[](const DebugLayer& layer) {
    return shown_[layer.index];
}

bool DebugLayers::operator[](const DebugLayer& layer) const {
    return shown_[layer.index];
}

bool& DebugLayers::operator[](std::string_view name) {
    if (const DebugLayer* layer = find_layer(name)) {
        return (*this)[*layer];
    }
    throw std::logic_error("no layer is called " + std::string(name));
}

DebugLayers usual_layers() {
    DebugLayers layers;
    layers["zones"] = layers["labels"] = true;
    return layers;
}

std::optional<std::string> set_layers(DebugLayers& layers, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const DebugLayer* layer = find_layer(name);
        if (layer == nullptr) {
            return name;
        }
        layers[*layer] = true;
    }
    return std::nullopt;
}

std::string layer_names() {
    return core::joined_words(debug_layers(), &DebugLayer::name);
}

void add_details(FrameDetails& details, const DebugLayers& layers) {
    for (const DebugLayer& layer : debug_layers()) {
        if (layer.detail != nullptr && layers[layer]) {
            details.*(layer.detail) = true;
        }
    }
}

void draw_layers(render::DrawList& list, const LayerScene& scene, const DebugLayers& layers) {
    for (const DebugLayer& layer : debug_layers()) {
        if (layers[layer]) {
            layer.draw(list, scene, layer.colour);
        } else if (layer.draw == &layers::draw_joints && !scene.selected.empty()) {
            layers::draw_joints_of_selected(list, scene, layer.colour);
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
