#include "app/ui/panels/body/shape_edits.h"

#include "app/ui/text/number_format.h"

#include "physics/world/parameters/parameters.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

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

bool scale(physics::Geometry& geometry, const physics::Vec3& before, const physics::Vec3& after) {
    physics::Vec3 factor(1.0f);
    for (int axis = 0; axis < 3; ++axis) {
        factor[axis] = before[axis] > 0.0f ? after[axis] / before[axis] : 1.0f;
    }
    const auto scaled = [&](std::vector<physics::Vec3> points) {
        for (physics::Vec3& point : points) {
            point *= factor;
        }
        return points;
    };
    if (auto* hull = std::get_if<physics::PointSet>(&geometry); hull != nullptr && hull->points) {
        hull->points = std::make_shared<const std::vector<physics::Vec3>>(scaled(*hull->points));
        return true;
    }
    if (auto* mesh = std::get_if<physics::Mesh>(&geometry); mesh != nullptr && mesh->data) {
        physics::MeshData data = *mesh->data;
        data.vertices = scaled(std::move(data.vertices));
        mesh->data = std::make_shared<const physics::MeshData>(std::move(data));
        return true;
    }
    return false;
}

namespace {

struct ScaledSizes {
    float factor;
    void operator()(physics::Sphere& s) const { s.radius *= factor; }
    void operator()(physics::Box& b) const { b.half_extents *= factor; }
    void operator()(physics::Capsule& c) const { both(c.radius, c.half_height); }
    void operator()(physics::Cylinder& c) const { both(c.radius, c.half_height); }
    void operator()(physics::Cone& c) const { both(c.radius, c.height); }
    void operator()(physics::Diamond& d) const { d.scale *= factor; }
    template <class S>
    void operator()(S&) const {} // see scale()
    void both(float& one, float& other) const {
        one *= factor;
        other *= factor;
    }
};

} // namespace

physics::ShapeDef scaled(physics::ShapeDef shape, float factor) {
    if (!scale(shape.geometry, physics::Vec3(1.0f), physics::Vec3(factor))) {
        std::visit(ScaledSizes{factor}, shape.geometry);
    }
    shape.pose.position *= factor;
    return shape;
}

physics::Aabb bounds_of_shapes(const physics::BodyModel& model) {
    physics::Aabb all;
    for (const physics::BodyModel::Part& part : model.parts) {
        all = physics::united(all, physics::bounds(*part.shape, part.pose));
    }
    return all;
}

namespace {

template <class T>
void take(T& to, const T& before, const T& after) {
    if (!(before == after)) {
        to = after;
    }
}

void take(physics::Vec3& to, const physics::Vec3& before, const physics::Vec3& after) {
    for (int axis = 0; axis < 3; ++axis) {
        take(to[axis], before[axis], after[axis]);
    }
}

struct TakenSizes {
    const physics::Geometry &before, &after; // of the kind that is called with

    template <class S>
    void both(S& to, float S::*one, float S::*other) const {
        const S &from = std::get<S>(before), &now = std::get<S>(after);
        take(to.*one, from.*one, now.*one);
        take(to.*other, from.*other, now.*other);
    }
    void operator()(physics::Sphere& s) const { both(s, &physics::Sphere::radius, &physics::Sphere::radius); }
    void operator()(physics::Box& b) const {
        take(b.half_extents, std::get<physics::Box>(before).half_extents, std::get<physics::Box>(after).half_extents);
    }
    void operator()(physics::Capsule& c) const { both(c, &physics::Capsule::radius, &physics::Capsule::half_height); }
    void operator()(physics::Cylinder& c) const {
        both(c, &physics::Cylinder::radius, &physics::Cylinder::half_height);
    }
    void operator()(physics::Cone& c) const { both(c, &physics::Cone::radius, &physics::Cone::height); }
    void operator()(physics::Diamond& d) const { both(d, &physics::Diamond::scale, &physics::Diamond::scale); }
    // Of these only the same thing can become another one.
    template <class S>
    void same(S& to) const {
        if (to == std::get<S>(before)) {
            to = std::get<S>(after);
        }
    }
    void operator()(physics::PointSet& p) const { same(p); }
    void operator()(physics::Mesh& m) const { same(m); }
    void operator()(physics::HeightField& f) const { same(f); }
};

} // namespace

physics::ShapeDef with_change(physics::ShapeDef to, const physics::ShapeDef& before, const physics::ShapeDef& after) {
    const bool one_kind = before.geometry.index() == after.geometry.index();
    if (one_kind && to.geometry.index() == before.geometry.index() && !(before.geometry == after.geometry)) {
        std::visit(TakenSizes{before.geometry, after.geometry}, to.geometry);
    }
    take(to.pose.position, before.pose.position, after.pose.position);
    take(to.pose.orientation, before.pose.orientation, after.pose.orientation);
    take(to.sensor, before.sensor, after.sensor);
    for (const physics::MaterialParameter& p : physics::material_parameters) {
        take(to.material.of(p.number), before.material.of(p.number), after.material.of(p.number));
    }
    take(to.material.colour, before.material.colour, after.material.colour);
    if (to.mesh_materials == before.mesh_materials && to.geometry == after.geometry) {
        to.mesh_materials = after.mesh_materials;
    }
    return to;
}

physics::ShapeDef new_shape(const physics::BodyModel& model, std::size_t kind) {
    using physics::Vec3;
    const physics::Aabb all = bounds_of_shapes(model);
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
