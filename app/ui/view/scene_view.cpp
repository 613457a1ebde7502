#include "app/ui/view/scene_view.h"

#include "app/core/look/surroundings.h"
#include "app/ui/camera/picking.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

using physics::BodyState;
using physics::BodyType;
using physics::FrameState;
using physics::Transform;
using physics::Vec3;

namespace {

constexpr float glass_alpha = 0.16f;
constexpr float sensor_alpha = 0.22f, occupied_alpha = 0.45f; // of sensors, and of those that something is in
constexpr float fade_seconds = 0.6f;

// Layers of the body textures, in the order of render/textures.cpp.
constexpr std::uint32_t texture_none = 0, texture_plaster = 1, texture_wood = 3, texture_ball = 4, texture_checker = 5;

float smooth_step(float low, float high, float x) {
    const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

void add_contact_groups(render::DrawList& list, const FrameState& frame) {
    // A frame from before it was asked for knows no colours.
    const std::size_t known = std::min(frame.contacts.size(), frame.contact_colours.size());
    for (std::size_t i = 0; i < known; ++i) {
        const std::uint8_t group = frame.contact_colours[i];
        const bool solved = group != FrameState::no_colour;
        list.points.push_back({frame.contacts[i].point, glm::vec4(colours::group(group), 1.0f), solved ? 10.0f : 5.0f});
    }
}

} // namespace

void SceneView::find_ground(const FrameState& frame) {
    ground_.reset();
    float largest = 4.0f; // m^2; a smaller plate is furniture, not ground
    for (const std::size_t i : fixed_) {
        const auto box = core::box_of(*frame.models[i], frame.bodies[i].pose);
        if (!box) {
            continue;
        }
        for (int axis = 0; axis < 3; ++axis) {
            const float area = box->half[(axis + 1) % 3] * box->half[(axis + 2) % 3];
            if (std::abs(box->axis[static_cast<std::size_t>(axis)].z) > 0.999f && area > largest) {
                largest = area;
                ground_ = i;
            }
        }
    }
}

void SceneView::paint_fixed(render::Instance& instance, const FrameState& frame, std::size_t slot,
                            const Transform& pose, const render::Camera& camera, ColourMode mode) {
    // A floor has its friction, but no density or speed that matters.
    const bool numbered = mode == ColourMode::friction || mode == ColourMode::elasticity;
    const std::optional<physics::Colour>& own = looks_[slot].colour;
    const auto colour = [&](const Vec3& usual) {
        return glm::vec4(
            numbered ? ramp_colour(scale_of(mode)->share(shown_number(mode, frame.bodies[slot], *frame.models[slot])))
            : own && mode == ColourMode::palette ? core::body_colour(*own, 1.0f)
                                                 : usual,
            1.0f);
    };
    if (ground_ == slot) {
        instance.flags |= render::instance_ground;
        instance.colour = colour(colours::ground());
        return;
    }
    instance.colour = colour(colours::neutral());
    // Inside lies where the ground's middle is; seen from outside, a wall would hide the play.
    const auto box = core::box_of(*frame.models[slot], pose);
    const auto thin = box ? core::wall_axis(*box) : std::nullopt;
    if (thin) {
        const Vec3 middle = ground_ ? frame.bodies[*ground_].pose.position : Vec3(0.0f);
        const Vec3 axis = box->axis[static_cast<std::size_t>(*thin)];
        const float inward = glm::dot(middle - box->centre, axis) < 0.0f ? -1.0f : 1.0f;
        const Vec3 from = cursor_ray(camera, glm::vec2(0.5f), glm::vec2(1.0f)).origin;
        const float depth = inward * glm::dot(from - box->centre, axis);
        const float opaque = smooth_step(-2.0f, 1.0f, depth - box->half[*thin]);
        instance.colour.a = glass_alpha + (1.0f - glass_alpha) * opaque;
        if (opaque < 0.5f) {
            glass_.push_back(frame.bodies[slot].id);
        }
    }
}

void SceneView::paint_moving(render::Instance& instance, const FrameState& frame, std::size_t slot,
                             const ViewOptions& options) {
    const BodyState& body = frame.bodies[slot];
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

    const ColourMode mode = options.colours;
    instance.texture = mode == ColourMode::palette    ? texture_plaster
                       : mode != ColourMode::touching ? texture_none
                       : body.touching                ? texture_checker
                                                      : texture_wood;
    if (scale_of(mode) != nullptr) {
        instance.colour =
            glm::vec4(ramp_colour(scale_of(mode)->share(shown_number(mode, body, *frame.models[slot]))), 1.0f);
        return;
    }
    const bool of_island = mode == ColourMode::islands && layer_memory_.islands.of(slot) != Islands::none;
    const std::uint32_t first = of_island ? frame.bodies[layer_memory_.islands.of(slot)].id.index : index;
    const float wanted = mode == ColourMode::palette    ? paint.awake
                         : mode == ColourMode::touching ? (body.touching ? 1.0f : 0.0f)
                         : mode == ColourMode::sleeping ? paint.awake
                         : mode == ColourMode::islands  ? static_cast<float>(first) + 0.5f * paint.awake
                                                        : 0.0f;
    const std::optional<physics::Colour>& own = looks_[slot].colour;
    if (paint.mode != mode || paint.painted != wanted || paint.own != own) {
        paint.mode = mode;
        paint.painted = wanted;
        paint.own = own;
        const float shade = shade_of_slot(index);
        Vec3 colour = colours::pale();
        switch (mode) {
        case ColourMode::touching:
            colour = body.touching ? colours::touching(shade) : colours::apart(shade);
            break;
        case ColourMode::sleeping:
            colour = glm::mix(colours::asleep(shade), colours::awake(shade), paint.awake);
            break;
        case ColourMode::islands:
            colour = colours::of_body(hue_of_slot(first), paint.awake, shade_of_slot(first));
            break;
        case ColourMode::groups:
            break;
        default:
            colour =
                own ? core::body_colour(*own, paint.awake) : colours::of_body(hue_of_slot(index), paint.awake, shade);
            break;
        }
        paint.colour = glm::vec4(colour, 1.0f);
    }
    instance.colour = paint.colour;
}

void SceneView::paint_part(render::Instance& instance, const Part& part, const BodyState& body, ColourMode mode) const {
    if (mode == ColourMode::friction || mode == ColourMode::elasticity) {
        const float value = mode == ColourMode::friction ? part.material.friction : part.material.restitution;
        instance.colour = glm::vec4(ramp_colour(scale_of(mode)->share(value)), instance.colour.a);
    } else if (mode == ColourMode::palette && part.coloured) {
        const float awake = body.type == BodyType::fixed ? 1.0f : paints_[body.id.index].awake;
        instance.colour = glm::vec4(glm::mix(part.asleep, part.awake, awake), instance.colour.a);
    }
}

bool SceneView::is_occupied(const FrameState& frame, physics::BodyId sensor, std::uint32_t shape) {
    return std::ranges::any_of(frame.inside, [&](const physics::SensorOverlap& one) {
        return one.sensor == sensor && one.sensor_shape == shape;
    });
}

void SceneView::place_part(render::Instance& instance, const Part& part, const Transform& world) {
    instance.mesh = part.mesh;
    instance.position = world.position;
    instance.orientation = world.orientation;
    instance.scale = part.scale;
    instance.extrude_z = part.extrude_z;
}

void SceneView::add_body(render::DrawList& list, const FrameState& frame, std::size_t slot, const Transform& pose,
                         const render::Camera& camera, const ViewOptions& options) {
    const BodyState& body = frame.bodies[slot];
    render::Instance instance;
    if (body.type == BodyType::fixed) {
        paint_fixed(instance, frame, slot, pose, camera, options.colours);
    } else {
        paint_moving(instance, frame, slot, options);
    }
    const auto selected = std::ranges::lower_bound(options.selected, body.id.index, {}, &physics::BodyId::index);
    if (selected != options.selected.end() && *selected == body.id) {
        instance.flags |= render::instance_selected;
    } else if (body.id == options.hovered) {
        instance.flags |= render::instance_hovered;
    }
    const std::uint32_t texture = instance.texture, flags = instance.flags;
    const Look& look = looks_[slot];
    const bool open = options.open_shape && options.open_shape->body == body.id && look.model->parts.size() > 1;
    for (std::uint32_t i = look.first_part; i < look.first_part + look.part_count; ++i) {
        const Part& part = parts_[i];
        const Transform world = part.centred ? pose : physics::compose(pose, part.pose);
        place_part(instance, part, world);
        instance.flags = flags;
        if (open && part.place != options.open_shape->shape) {
            instance.flags = (flags & ~std::uint32_t{render::instance_selected}) | render::instance_hovered;
        }
        // Without marks one could not see a ball roll.
        instance.texture = texture == texture_plaster && part.ball ? texture_ball : texture;
        list.instances.push_back(instance);
        if (part.apart) {
            paint_part(list.instances.back(), part, body, options.colours);
        }
        if (part.sensor) {
            render::Instance& drawn = list.instances.back();
            drawn.texture = texture_none;
            const bool occupied = is_occupied(frame, body.id, part.place);
            drawn.colour = glm::vec4(part.coloured ? part.awake
                                     : look.colour ? core::body_colour(*look.colour, 1.0f)
                                                   : colours::sensor(),
                                     occupied ? occupied_alpha : sensor_alpha);
        }
    }
}

void SceneView::build(render::DrawList& list, const FrameState& previous, const FrameState& current,
                      const render::Camera& camera, MeshSource& meshes, const ViewOptions& options) {
    list.clear();
    list.camera = camera;
    list.grid = options.grid;
    list.textures = options.textures;
    list.light.shadow_strength = options.shadow_strength;
    // Sharp shadows where one looks.
    const float distance = std::clamp(glm::length(camera.target - camera.eye), 6.0f, 80.0f);
    list.light.shadow_centre = camera.target;
    list.light.shadow_radius = 1.1f * distance;

    learn_models(current, meshes);
    if (models_changed_) {
        layer_memory_.boxes.clear();
    }
    if (options.colours == ColourMode::islands) {
        layer_memory_.islands.update(current);
    }
    find_ground(current);
    glass_.clear();
    hidden_.assign(options.hidden.begin(), options.hidden.end());
    if (safe_colours_ != colours::safe()) {
        safe_colours_ = colours::safe();
        paints_.clear();
    }
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
        if (hidden_.empty() || !is_hidden(body.id)) {
            add_body(list, current, i, drawn_[i], camera, options);
        }
    }
    draw_layers(list, {current, drawn_, layer_memory_, options.zones, options.labels, options.selected},
                options.layers);
    draw_grab(list, current.grab);
    if (options.colours == ColourMode::groups) {
        add_contact_groups(list, current);
    }
}

physics::FrameDetails details_for(const ViewOptions& options) {
    physics::FrameDetails details;
    add_details(details, options.layers);
    details.colours = options.colours == ColourMode::groups;
    return details;
}

std::optional<Transform> SceneView::drawn_pose(physics::BodyId body) const {
    const auto found = std::ranges::lower_bound(drawn_ids_, body.index, {}, &physics::BodyId::index);
    if (!body || found == drawn_ids_.end() || *found != body) {
        return std::nullopt;
    }
    return drawn_[static_cast<std::size_t>(found - drawn_ids_.begin())];
}

bool SceneView::is_glass(physics::BodyId body) const {
    return std::ranges::find(glass_, body) != glass_.end();
}

bool SceneView::is_hidden(physics::BodyId body) const {
    return std::ranges::find(hidden_, body) != hidden_.end();
}

std::optional<physics::WorldRayHit> SceneView::pick(const FrameState& frame, const physics::Ray& ray,
                                                    physics::BodyId but) const {
    std::optional<physics::WorldRayHit> nearest, sensor; // one sees and picks through a sensor what is behind it
    physics::Ray rest = ray;                             // up to what has been found
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const BodyState& body = frame.bodies[i];
        const Transform& pose = i < drawn_.size() && drawn_ids_[i] == body.id ? drawn_[i] : body.pose;
        const Vec3 offset = pose.position - ray.origin;
        const float along = glm::dot(offset, ray.direction);
        if (i < looks_.size() && looks_[i].model == frame.models[i]) {
            const float reach = looks_[i].reach;
            const float square = reach * reach;
            // Beside the ray, behind its start, or behind what has been found. The thousandth is for rounding, which
            // must not grow with the distance: orthographic rays start far away.
            const Vec3 aside = offset - along * ray.direction;
            if (glm::dot(aside, aside) > 1.001f * square || along < -1.001f * reach ||
                along - 1.001f * reach > rest.max_distance) {
                continue;
            }
        }
        if (is_glass(body.id) || body.id == but || is_hidden(body.id)) {
            continue;
        }
        const std::vector<physics::BodyModel::Part>& parts = frame.models[i]->parts;
        for (std::uint32_t place = 0; place < parts.size(); ++place) {
            const physics::BodyModel::Part& part = parts[place];
            if (!part.shape || !frame.models[i]->is_solid(part)) {
                continue;
            }
            const auto hit = physics::ray_cast(*part.shape, physics::compose(pose, part.pose), rest);
            if (part.sensor) {
                if (hit && (!sensor || hit->distance < sensor->hit.distance)) {
                    sensor = physics::WorldRayHit{body.id, *hit, place};
                }
                continue;
            }
            if (hit && (!nearest || hit->distance < nearest->hit.distance)) {
                nearest = physics::WorldRayHit{body.id, *hit, place};
                rest.max_distance = hit->distance;
            }
        }
    }
    return nearest ? nearest : sensor;
}

void SceneView::add_model(render::DrawList& list, const physics::BodyModel& model, const Transform& pose,
                          const glm::vec4& colour, MeshSource& meshes) {
    std::vector<Part> parts;
    add_parts(model, meshes, parts);
    for (const Part& part : parts) {
        render::Instance instance;
        place_part(instance, part, physics::compose(pose, part.pose));
        instance.colour = colour;
        instance.flags = render::instance_no_shadow;
        list.instances.push_back(instance);
    }
}

render::Camera camera_of(const core::SceneCamera& camera) {
    render::Camera out;
    out.eye = camera.eye;
    out.target = camera.target;
    return out;
}

} // namespace cairn::ui
