// What of a picture follows from the models of bodies alone.
#include "app/ui/view/scene_view.h"

#include "app/ui/widgets/palette.h"

#include <algorithm>

namespace cairn::ui {

using physics::Vec3;

namespace {

bool is_divided(const physics::Shape& shape) {
    return shape.mesh && !shape.mesh->materials.empty();
}

} // namespace

void SceneView::learn_models(const physics::FrameState& frame, MeshSource& meshes) {
    std::size_t known = 0;
    while (known < looks_.size() && known < frame.models.size() && looks_[known].model == frame.models[known]) {
        ++known;
    }
    models_changed_ = known < looks_.size() || known < frame.models.size();
    if (!models_changed_) {
        return;
    }
    // Most changes are newcomers at the end; after any other, the rest of the list is read again.
    looks_.resize(known);
    parts_.resize(known > 0 ? looks_.back().first_part + looks_.back().part_count : 0);
    fixed_.erase(std::ranges::lower_bound(fixed_, known), fixed_.end());
    for (std::size_t slot = known; slot < frame.models.size(); ++slot) {
        Look look;
        look.model = frame.models[slot];
        look.colour = look.model->def.colour;
        look.first_part = static_cast<std::uint32_t>(parts_.size());
        add_parts(*look.model, meshes, parts_);
        for (const physics::BodyModel::Part& from : look.model->parts) {
            if (from.shape) {
                look.reach = std::max(look.reach, glm::length(from.pose.position) + from.shape->bounding_radius);
            }
        }
        look.part_count = static_cast<std::uint32_t>(parts_.size()) - look.first_part;
        looks_.push_back(std::move(look));
        if (frame.bodies[slot].type == physics::BodyType::fixed) {
            fixed_.push_back(slot);
        }
    }
}

void SceneView::set_material(Part& part, const physics::ShapeMaterial& own, const physics::ShapeMaterial& of_shape,
                             const physics::Material& of_body) {
    part.material = own.over(of_shape.over(of_body));
    const std::optional<physics::Colour>& colour = own.colour ? own.colour : of_shape.colour;
    part.coloured = colour.has_value();
    part.apart = part.coloured || part.material != of_body;
    if (colour) {
        part.asleep = core::body_colour(*colour, 0.0f);
        part.awake = core::body_colour(*colour, 1.0f);
    }
}

// A height field is several parts, and so is a mesh of several materials.
void SceneView::add_parts(const physics::BodyModel& model, MeshSource& meshes, std::vector<Part>& to) {
    std::vector<render::MeshId> tiles;
    std::vector<std::pair<render::MeshId, std::uint16_t>> divided;
    for (std::uint32_t place = 0; place < model.parts.size(); ++place) {
        const physics::BodyModel::Part& from = model.parts[place];
        if (!from.shape) {
            continue;
        }
        Part part = part_of(from, meshes);
        part.place = place;
        const physics::ShapeDef& def = model.def.shapes[place];
        set_material(part, {}, def.material, model.def.material);
        if (is_divided(*from.shape)) {
            divided.clear();
            meshes.of_materials(from.shape, divided);
            for (const auto& [mesh, material] : divided) {
                part.mesh = mesh;
                set_material(part, def.mesh_materials.empty() ? physics::ShapeMaterial() : def.mesh_materials[material],
                             def.material, model.def.material);
                to.push_back(part);
            }
            continue;
        }
        if (!from.shape->mesh || !from.shape->mesh->grid) {
            to.push_back(part);
            continue;
        }
        tiles.clear();
        meshes.tiles(from.shape, tiles);
        for (const render::MeshId tile : tiles) {
            part.mesh = tile;
            to.push_back(part);
        }
    }
}

SceneView::Part SceneView::part_of(const physics::BodyModel::Part& from, MeshSource& meshes) {
    const physics::Shape& shape = *from.shape;
    Part part;
    part.pose = from.pose;
    part.centred = from.pose.position == Vec3(0.0f) && from.pose.orientation == physics::identity_orientation;
    part.ball = shape.kind == physics::ShapeKind::sphere;
    part.sensor = from.sensor;
    switch (shape.kind) {
    case physics::ShapeKind::sphere:
        part.mesh = render::unit_sphere;
        part.scale = Vec3(shape.radius);
        break;
    case physics::ShapeKind::box:
        part.mesh = render::unit_box;
        part.scale = shape.half_extents;
        break;
    case physics::ShapeKind::capsule:
        part.mesh = render::unit_sphere;
        part.scale = Vec3(shape.radius);
        part.extrude_z = shape.half_extents.z;
        break;
    case physics::ShapeKind::cylinder:
        part.mesh = render::unit_cylinder;
        part.scale = Vec3(shape.radius, shape.radius, shape.half_extents.z);
        break;
    case physics::ShapeKind::cone: // the built-in mesh is 2 high, as half_extents.z is half of the height
        part.mesh = render::unit_cone;
        part.scale = Vec3(shape.radius, shape.radius, shape.half_extents.z);
        break;
    case physics::ShapeKind::hull:
    case physics::ShapeKind::mesh:
        if (!(shape.mesh && shape.mesh->grid) && !is_divided(shape)) { // else it has many
            part.mesh = meshes.mesh(from.shape);
        }
        part.scale = Vec3(1.0f);
        break;
    }
    return part;
}

} // namespace cairn::ui
