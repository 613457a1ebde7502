#include "app/ui/panels/body/shape_edits.h"

#include "app/ui/text/number_format.h"

#include <algorithm>
#include <variant>

namespace cairn::ui {

namespace {

FrameText metres_text(float metres) {
    return short_text(static_cast<double>(metres));
}

struct DescribedShape {
    FrameText operator()(const physics::Sphere& s) const { return joined("sphere r ", metres_text(s.radius), " m"); }
    FrameText operator()(const physics::Box& b) const {
        const physics::Vec3 size = 2.0f * b.half_extents;
        return joined("box ", metres_text(size.x), " × ", metres_text(size.y), " × ", metres_text(size.z), " m");
    }
    FrameText operator()(const physics::Capsule& c) const {
        return joined("capsule r ", metres_text(c.radius), ", ", metres_text(2.0f * (c.half_height + c.radius)),
                      " m long");
    }
    FrameText operator()(const physics::Cylinder& c) const {
        return joined("cylinder r ", metres_text(c.radius), ", ", metres_text(2.0f * c.half_height), " m long");
    }
    FrameText operator()(const physics::Cone& c) const {
        return joined("cone r ", metres_text(c.radius), ", ", metres_text(c.height), " m high");
    }
    FrameText operator()(const physics::Diamond& d) const {
        return joined("diamond ", metres_text(2.0f * d.scale), " m");
    }
    FrameText operator()(const physics::PointSet& p) const {
        return formatted("hull of %zu points", p.points ? p.points->size() : 0);
    }
    FrameText operator()(const physics::Mesh& m) const {
        return formatted("mesh of %zu triangles", m.data ? m.data->triangles.size() : 0);
    }
    FrameText operator()(const physics::HeightField& f) const {
        return formatted("height field of %u × %u samples", f.data ? f.data->columns : 0, f.data ? f.data->rows : 0);
    }
};

constexpr float greatest_half = 0.5f; // m, of a new shape

} // namespace

FrameText shape_text(const physics::Geometry& geometry) {
    return std::visit(DescribedShape{}, geometry);
}

physics::ShapeDef new_shape(const physics::BodyModel& model, std::size_t kind) {
    using physics::Vec3;
    physics::Aabb all = physics::bounds(*model.parts[0].shape, model.parts[0].pose);
    for (const physics::BodyModel::Part& part : model.parts) {
        const physics::Aabb one = physics::bounds(*part.shape, part.pose);
        all = {glm::min(all.lower, one.lower), glm::max(all.upper, one.upper)};
    }
    // Parts are placed about the centre of mass, definitions in the frame that the author has chosen.
    const Vec3 centre =
        physics::to_world(model.def.shapes[0].pose, model.parts[0].shape->author_offset) - model.parts[0].pose.position;
    const Vec3 extent = all.upper - all.lower;
    const float half = std::min(0.25f * std::max({extent.x, extent.y, extent.z}), greatest_half);
    float below = half; // of its origin
    physics::ShapeDef shape;
    switch (kind) {
    case 0:
        shape.geometry = physics::Box{Vec3(half)};
        break;
    case 1:
        shape.geometry = physics::Sphere{half};
        break;
    case 2:
        shape.geometry = physics::Capsule{0.5f * half, 0.5f * half};
        break;
    case 3:
        shape.geometry = physics::Cylinder{half, half};
        break;
    case 4:
        shape.geometry = physics::Cone{half, 2.0f * half};
        below = 0.5f * half;
        break;
    default:
        shape.geometry = physics::Diamond{half};
        break;
    }
    const Vec3 middle = 0.5f * (all.lower + all.upper);
    shape.pose.position = centre + Vec3(middle.x, middle.y, all.upper.z + below);
    return shape;
}

} // namespace cairn::ui
