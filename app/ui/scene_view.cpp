#include "app/ui/scene_view.h"

#include "app/ui/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::ui {

using physics::Aabb;
using physics::BodyState;
using physics::BodyType;
using physics::FrameState;
using physics::Transform;
using physics::Vec3;

namespace {

constexpr float glass_alpha = 0.16f;
constexpr float fade_seconds = 0.6f;

constexpr float painted_touching = 2.0f, painted_apart = 3.0f; // values of Paint::painted

// Layers of the body textures, in the order of render/textures.cpp.
constexpr std::uint32_t texture_plaster = 1, texture_brushed = 2, texture_ball = 4;

float smooth_step(float low, float high, float x) {
    const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// The axes of a single-box body as world vectors with the half extents as lengths.
struct BoxAxes {
    std::array<Vec3, 3> axis; // unit
    Vec3 half{0.0f};
    Vec3 centre{0.0f};
};

std::optional<BoxAxes> single_box(const physics::BodyModel& model, const Transform& pose) {
    if (model.parts.size() != 1 || !model.parts[0].shape || model.parts[0].shape->kind != physics::ShapeKind::box) {
        return std::nullopt;
    }
    const Transform world = physics::compose(pose, model.parts[0].pose);
    BoxAxes box;
    box.half = model.parts[0].shape->half_extents;
    box.centre = world.position;
    for (int i = 0; i < 3; ++i) {
        Vec3 axis(0.0f);
        axis[i] = 1.0f;
        box.axis[static_cast<std::size_t>(i)] = physics::rotate(world.orientation, axis);
    }
    return box;
}

// A wall is a static box that stands: thin along a level axis, and long compared with what plays between walls.
std::optional<int> wall_axis(const BoxAxes& box) {
    int thin = 0;
    for (int i = 1; i < 3; ++i) {
        if (box.half[i] < box.half[thin]) {
            thin = i;
        }
    }
    const float longest = std::max({box.half.x, box.half.y, box.half.z});
    const bool level = std::abs(box.axis[static_cast<std::size_t>(thin)].z) < 0.3f;
    return level && longest >= 4.0f * box.half[thin] && longest >= 4.0f ? std::optional<int>(thin) : std::nullopt;
}

void add_line(render::DrawList& list, const Vec3& from, const Vec3& to, const Vec3& colour, bool on_top = true) {
    list.lines.push_back({from, to, glm::vec4(colour, 1.0f), on_top});
}

void add_arrow(render::DrawList& list, const Vec3& from, const Vec3& vector, const Vec3& colour) {
    const float length = glm::length(vector);
    if (!(length > 1e-4f)) {
        return;
    }
    const Vec3 along = vector / length;
    const Vec3 side = physics::any_perpendicular(along);
    const float head = std::min(0.25f * length, 0.25f);
    const Vec3 tip = from + vector;
    add_line(list, from, tip, colour);
    add_line(list, tip, tip - head * along + 0.5f * head * side, colour);
    add_line(list, tip, tip - head * along - 0.5f * head * side, colour);
}

void add_cross(render::DrawList& list, const Vec3& middle, const Vec3& colour) {
    constexpr float reach = 0.12f; // m
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 arm(0.0f);
        arm[axis] = reach;
        add_line(list, middle - arm, middle + arm, colour);
    }
}

void add_box_edges(render::DrawList& list, const Aabb& box, const Vec3& colour) {
    const auto corner = [&](int i) {
        return Vec3((i & 1) != 0 ? box.upper.x : box.lower.x, (i & 2) != 0 ? box.upper.y : box.lower.y,
                    (i & 4) != 0 ? box.upper.z : box.lower.z);
    };
    for (int i = 0; i < 8; ++i) {
        for (int bit = 1; bit < 8; bit *= 2) {
            if ((i & bit) == 0) {
                add_line(list, corner(i), corner(i | bit), colour, false);
            }
        }
    }
}

} // namespace

const std::vector<DebugLayer>& debug_layers() {
    static const std::vector<DebugLayer> layers = {
        {"contacts", "Contact points", &DebugLayers::contacts, colours::contacts()},
        {"normals", "Contact normals, from the first body to the second", &DebugLayers::normals, colours::normals()},
        {"impulses", "Impulses of the last step; length grows with the square root of N s", &DebugLayers::impulses,
         colours::impulses()},
        {"bounds", "Axis-aligned bounds of the bodies", &DebugLayers::bounds, colours::bounds()},
        {"velocities", "Linear velocities; 1 m of arrow = 4 m/s", &DebugLayers::velocities, colours::velocities()},
        {"centres", "Centres of mass and the bodies' axes", &DebugLayers::centres, colours::centres()},
        {"joints", "Joints: anchors, lines to the bodies' centres, ropes and rods, axes of hinges and sliders",
         &DebugLayers::joints, colours::joints()},
    };
    return layers;
}

DebugLayers usual_layers() {
    DebugLayers layers;
    layers.joints = true;
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

Transform interpolated(const Transform& from, const Transform& to, float share) {
    Transform out;
    out.position = from.position + share * (to.position - from.position);
    // Two quaternions stand for one rotation: take the shorter way. Normalised linear interpolation is within a
    // hundredth of a degree of the arc for the small turns of one step.
    const float sign = glm::dot(from.orientation, to.orientation) < 0.0f ? -1.0f : 1.0f;
    const float a = 1.0f - share, b = sign * share;
    out.orientation = physics::normalized(
        physics::Quat(a * from.orientation.w + b * to.orientation.w, a * from.orientation.x + b * to.orientation.x,
                      a * from.orientation.y + b * to.orientation.y, a * from.orientation.z + b * to.orientation.z));
    return out;
}

Aabb body_bounds(const physics::BodyModel& model, const Transform& pose) {
    Aabb box;
    for (const auto& part : model.parts) {
        if (part.shape) {
            box = physics::united(box, physics::bounds(*part.shape, physics::compose(pose, part.pose)));
        }
    }
    return box;
}

Aabb scene_bounds(const FrameState& frame) {
    Aabb moving, all;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const Aabb box = body_bounds(*frame.models[i], frame.bodies[i].pose);
        all = physics::united(all, box);
        if (frame.bodies[i].type == BodyType::dynamic) {
            moving = physics::united(moving, box);
        }
    }
    if (moving.lower.x <= moving.upper.x) {
        return moving;
    }
    return all.lower.x <= all.upper.x ? all : Aabb{Vec3(-1.0f), Vec3(1.0f)};
}

std::optional<std::size_t> find_body(const FrameState& frame, physics::BodyId body) {
    const auto found = std::lower_bound(frame.bodies.begin(), frame.bodies.end(), body.index,
                                        [](const BodyState& b, std::uint32_t index) { return b.id.index < index; });
    if (!body || found == frame.bodies.end() || found->id != body) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - frame.bodies.begin());
}

void SceneView::learn_models(const FrameState& frame, MeshSource& meshes) {
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
    fixed_.erase(std::lower_bound(fixed_.begin(), fixed_.end(), known), fixed_.end());
    for (std::size_t slot = known; slot < frame.models.size(); ++slot) {
        Look look;
        look.model = frame.models[slot];
        look.first_part = static_cast<std::uint32_t>(parts_.size());
        for (const physics::BodyModel::Part& from : look.model->parts) {
            if (from.shape) {
                parts_.push_back(part_of(from, meshes));
                look.reach = std::max(look.reach, glm::length(from.pose.position) + from.shape->bounding_radius);
            }
        }
        look.part_count = static_cast<std::uint32_t>(parts_.size()) - look.first_part;
        looks_.push_back(std::move(look));
        if (frame.bodies[slot].type == BodyType::fixed) {
            fixed_.push_back(slot);
        }
    }
}

SceneView::Part SceneView::part_of(const physics::BodyModel::Part& from, MeshSource& meshes) {
    const physics::Shape& shape = *from.shape;
    Part part;
    part.pose = from.pose;
    part.centred = from.pose.position == Vec3(0.0f) && from.pose.orientation == physics::identity_orientation;
    part.ball = shape.kind == physics::ShapeKind::sphere;
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
        part.mesh = meshes.mesh(from.shape);
        part.scale = Vec3(1.0f);
        break;
    }
    return part;
}

void SceneView::find_surroundings(const FrameState& frame) {
    surroundings_.ground.reset();
    surroundings_.walls.clear();
    float largest = 4.0f; // m^2; a smaller plate is furniture, not ground
    for (const std::size_t i : fixed_) {
        const auto box = single_box(*frame.models[i], frame.bodies[i].pose);
        if (!box) {
            continue;
        }
        if (const auto thin = wall_axis(*box)) {
            surroundings_.walls.emplace_back(i, *thin);
        }
        for (int axis = 0; axis < 3; ++axis) {
            const float area = box->half[(axis + 1) % 3] * box->half[(axis + 2) % 3];
            if (std::abs(box->axis[static_cast<std::size_t>(axis)].z) > 0.999f && area > largest) {
                largest = area;
                surroundings_.ground = i;
            }
        }
    }
}

void SceneView::paint_fixed(render::Instance& instance, const FrameState& frame, std::size_t slot,
                            const Transform& pose, const render::Camera& camera) {
    instance.colour = glm::vec4(colours::neutral(), 1.0f);
    if (surroundings_.ground == slot) {
        instance.flags |= render::instance_ground;
        instance.colour = glm::vec4(colours::ground(), 1.0f);
        return;
    }
    const auto& walls = surroundings_.walls;
    const auto wall = std::lower_bound(walls.begin(), walls.end(), slot,
                                       [](const auto& entry, std::size_t wanted) { return entry.first < wanted; });
    if (wall == walls.end() || wall->first != slot) {
        return;
    }
    // Inside lies where the ground's middle is; seen from outside, a wall would hide the play.
    const auto box = single_box(*frame.models[slot], pose);
    const auto thin = box ? wall_axis(*box) : std::nullopt;
    if (thin) {
        const Vec3 middle = surroundings_.ground ? frame.bodies[*surroundings_.ground].pose.position : Vec3(0.0f);
        const Vec3 axis = box->axis[static_cast<std::size_t>(*thin)];
        const float inward = glm::dot(middle - box->centre, axis) < 0.0f ? -1.0f : 1.0f;
        const float depth = inward * glm::dot(camera.eye - box->centre, axis);
        const float opaque = smooth_step(-2.0f, 1.0f, depth - box->half[*thin]);
        instance.colour.a = glass_alpha + (1.0f - glass_alpha) * opaque;
        if (opaque < 0.5f) {
            glass_.push_back(frame.bodies[slot].id);
        }
    }
}

void SceneView::paint_moving(render::Instance& instance, const BodyState& body, const ViewOptions& options) {
    const std::uint32_t index = body.id.index;
    if (paints_.size() <= index) {
        paints_.resize(index + 1);
    }
    Paint& paint = paints_[index];
    const float goal = body.sleeping ? 0.0f : 1.0f;
    if (paint.generation != body.id.generation || options.seconds < 0.0f || paint.awake < 0.0f) {
        paint.generation = body.id.generation;
        paint.awake = goal;
    }
    const float change = std::max(options.seconds, 0.0f) / fade_seconds;
    paint.awake = goal > paint.awake ? std::min(goal, paint.awake + 4.0f * change) // waking is sudden
                                     : std::max(goal, paint.awake - change);
    const bool marks_touch = options.touching_display;
    const float wanted = !marks_touch ? paint.awake : body.touching ? painted_touching : painted_apart;
    if (paint.painted != wanted) {
        paint.painted = wanted;
        if (marks_touch) {
            const float lighter = 0.04f * shade_of_slot(index); // heaps stay readable
            paint.colour = glm::vec4(body.touching ? linear_from_oklch(0.68f + lighter, 0.14f, 0.70f)
                                                   : linear_from_oklch(0.74f + lighter, 0.06f, 4.3f),
                                     1.0f);
        } else {
            paint.colour = glm::vec4(body_colour(hue_of_slot(index), paint.awake, shade_of_slot(index)), 1.0f);
        }
    }
    instance.colour = paint.colour;
    instance.texture = marks_touch && body.touching ? texture_brushed : texture_plaster;
}

void SceneView::add_body(render::DrawList& list, const FrameState& frame, std::size_t slot, const Transform& pose,
                         const render::Camera& camera, const ViewOptions& options) {
    const BodyState& body = frame.bodies[slot];
    render::Instance instance;
    if (body.type == BodyType::fixed) {
        paint_fixed(instance, frame, slot, pose, camera);
    } else {
        paint_moving(instance, body, options);
    }
    const auto selected = std::lower_bound(
        options.selected.begin(), options.selected.end(), body.id,
        [](const physics::BodyId& one, const physics::BodyId& other) { return one.index < other.index; });
    if (selected != options.selected.end() && *selected == body.id) {
        instance.flags |= render::instance_selected;
    } else if (body.id == options.hovered) {
        instance.flags |= render::instance_hovered;
    }
    const std::uint32_t texture = instance.texture;
    const Look& look = looks_[slot];
    for (std::uint32_t i = look.first_part; i < look.first_part + look.part_count; ++i) {
        const Part& part = parts_[i];
        const Transform world = part.centred ? pose : physics::compose(pose, part.pose);
        instance.mesh = part.mesh;
        instance.position = world.position;
        instance.orientation = world.orientation;
        instance.scale = part.scale;
        instance.extrude_z = part.extrude_z;
        // Without marks one could not see a ball roll.
        instance.texture = texture == texture_plaster && part.ball ? texture_ball : texture;
        list.instances.push_back(instance);
    }
}

void SceneView::add_layers(render::DrawList& list, const FrameState& frame, const ViewOptions& options) const {
    const DebugLayers& layers = options.layers;
    for (const physics::ContactState& contact : frame.contacts) {
        if (layers.contacts) {
            list.points.push_back({contact.point, glm::vec4(colours::contacts(), 1.0f), 7.0f});
        }
        if (layers.normals) {
            add_arrow(list, contact.point, 0.4f * contact.normal, colours::normals());
        }
        if (layers.impulses) {
            const Vec3 impulse = contact.normal_impulse * contact.normal + contact.friction_impulse;
            const float size = glm::length(impulse);
            if (size > 0.0f) {
                add_arrow(list, contact.point, impulse * (0.05f / std::sqrt(size)), colours::impulses());
            }
        }
    }
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const BodyState& body = frame.bodies[i];
        const Transform& pose = drawn_[i];
        if (layers.bounds) {
            add_box_edges(list, body_bounds(*frame.models[i], pose), colours::bounds());
        }
        if (layers.velocities) {
            add_arrow(list, pose.position, 0.25f * body.linear_velocity, colours::velocities());
        }
        if (layers.centres && body.type != BodyType::fixed) {
            list.points.push_back({pose.position, glm::vec4(colours::centres(), 1.0f), 5.0f});
            for (int axis = 0; axis < 3; ++axis) {
                Vec3 unit(0.0f);
                unit[axis] = 1.0f;
                add_line(list, pose.position, pose.position + 0.4f * physics::rotate(pose.orientation, unit),
                         0.15f + 0.7f * unit);
            }
        }
    }
    if (layers.joints) {
        for (const physics::JointState& joint : frame.joints) {
            add_joint(list, *joint.def);
        }
    }
    if (frame.grab.active) {
        add_line(list, frame.grab.point, frame.grab.target, colours::accent());
        list.points.push_back({frame.grab.point, glm::vec4(colours::accent(), 1.0f), 8.0f});
        list.points.push_back({frame.grab.target, glm::vec4(colours::accent(), 1.0f), 8.0f});
    }
}

// Where bodies are drawn lies between two steps: the anchors are taken from there, not from the published state, lest
// they shake against the bodies.
void SceneView::add_joint(render::DrawList& list, const physics::JointDef& joint) const {
    const Vec3 colour = colours::joints();
    const auto frame_of = [&](physics::BodyId body, const Transform& frame) {
        const auto pose = drawn_pose(body);
        const Transform world = pose ? physics::compose(*pose, frame) : frame; // no body: held by the world
        if (pose) {
            add_line(list, pose->position, world.position, colour);
        }
        add_cross(list, world.position, colour);
        return world;
    };
    const Transform a = frame_of(joint.body_a, joint.frame_a), b = frame_of(joint.body_b, joint.frame_b);
    // A rope, a rod, the way along a slider; of all others this is how far the joint gapes, mostly nothing.
    add_line(list, a.position, b.position, colour);
    if (joint.kind == physics::JointKind::hinge || joint.kind == physics::JointKind::slider) {
        // The arrow says which way round, or along, counts as positive.
        constexpr float reach = 0.6f; // m
        const Vec3 axis = reach * physics::rotate(a.orientation, Vec3(0.0f, 0.0f, 1.0f));
        add_line(list, a.position - axis, a.position, colour);
        add_arrow(list, a.position, axis, colour);
    }
}

void SceneView::build(render::DrawList& list, const FrameState& previous, const FrameState& current,
                      const render::Camera& camera, MeshSource& meshes, const ViewOptions& options) {
    list.clear();
    list.camera = camera;
    list.grid = options.grid;
    list.textures = options.textures;
    list.light.shadow_strength = options.shadow_strength;
    // Sharp shadows where one looks. The radius moves in steps of a quarter, so that zooming does not make every
    // shadow edge swim.
    const float distance = std::clamp(glm::length(camera.target - camera.eye), 6.0f, 80.0f);
    list.light.shadow_centre = camera.target;
    list.light.shadow_radius = std::exp2(std::ceil(4.0f * std::log2(1.1f * distance)) / 4.0f);

    learn_models(current, meshes);
    find_surroundings(current);
    glass_.clear();
    drawn_.resize(current.bodies.size());
    drawn_ids_.resize(current.bodies.size());
    std::size_t before = 0; // both lists ascend by slot: one walk matches them
    for (std::size_t i = 0; i < current.bodies.size(); ++i) {
        const BodyState& body = current.bodies[i];
        while (before < previous.bodies.size() && previous.bodies[before].id.index < body.id.index) {
            ++before;
        }
        const bool known = before < previous.bodies.size() && previous.bodies[before].id == body.id;
        drawn_[i] = known ? interpolated(previous.bodies[before].pose, body.pose, options.interpolation) : body.pose;
        drawn_ids_[i] = body.id;
        add_body(list, current, i, drawn_[i], camera, options);
    }
    add_layers(list, current, options);
}

std::optional<Transform> SceneView::drawn_pose(physics::BodyId body) const {
    const auto found =
        std::lower_bound(drawn_ids_.begin(), drawn_ids_.end(), body.index,
                         [](const physics::BodyId& id, std::uint32_t index) { return id.index < index; });
    if (!body || found == drawn_ids_.end() || *found != body) {
        return std::nullopt;
    }
    return drawn_[static_cast<std::size_t>(found - drawn_ids_.begin())];
}

bool SceneView::is_glass(physics::BodyId body) const {
    return std::find(glass_.begin(), glass_.end(), body) != glass_.end();
}

std::optional<physics::WorldRayHit> SceneView::pick(const FrameState& frame, const physics::Ray& ray) const {
    std::optional<physics::WorldRayHit> nearest;
    physics::Ray rest = ray; // up to what has been found
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const BodyState& body = frame.bodies[i];
        const Transform& pose = i < drawn_.size() && drawn_ids_[i] == body.id ? drawn_[i] : body.pose;
        const Vec3 offset = pose.position - ray.origin;
        const float along = glm::dot(offset, ray.direction);
        if (i < looks_.size() && looks_[i].model == frame.models[i]) {
            const float reach = looks_[i].reach;
            const float square = reach * reach;
            // Beside the ray, behind its start, or behind what has been found. The thousandth is for rounding.
            if (glm::dot(offset, offset) - along * along > 1.001f * square || along < -1.001f * reach ||
                along - 1.001f * reach > rest.max_distance) {
                continue;
            }
        }
        if (is_glass(body.id)) {
            continue;
        }
        for (const auto& part : frame.models[i]->parts) {
            if (!part.shape) {
                continue;
            }
            const auto hit = physics::ray_cast(*part.shape, physics::compose(pose, part.pose), rest);
            if (hit && (!nearest || hit->distance < nearest->hit.distance)) {
                nearest = physics::WorldRayHit{body.id, *hit};
                rest.max_distance = hit->distance;
            }
        }
    }
    return nearest;
}

render::Camera camera_of(const core::SceneCamera& camera) {
    render::Camera out;
    out.eye = camera.eye;
    out.target = camera.target;
    return out;
}

} // namespace cairn::ui
