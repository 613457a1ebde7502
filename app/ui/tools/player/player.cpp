#include "app/ui/tools/player/player.h"

#include "app/ui/camera/picking.h"
#include "app/ui/context/context.h"
#include "app/ui/input/actions.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/tools/build/room.h"
#include "app/ui/tools/tool_box.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

using physics::Vec3;

namespace {

constexpr const char* player_name = "player";
// m/s^2, from key to full speed in a tenth of a second. What it pushes against takes no more than this of its weight.
constexpr float acceleration = 60.0f;
// s, m: a leap up and down again, soft enough at both ends for that acceleration.
constexpr float jump_time = 0.7f, jump_height = 0.9f;

} // namespace

const std::array<PlayerShape, 9>& player_shapes() {
    static const std::array<PlayerShape, 9> shapes = {{{"cube", SpawnShape::box, "Turn into a cube"},
                                                       {"sphere", SpawnShape::sphere, "A sphere"},
                                                       {"cone", SpawnShape::cone, "A cone"},
                                                       {"cylinder", SpawnShape::cylinder, "A cylinder"},
                                                       {"capsule", SpawnShape::capsule, "A capsule"},
                                                       {"diamond", SpawnShape::diamond, "A diamond"},
                                                       {"plate", SpawnShape::plate, "A plate"},
                                                       {"hammer", SpawnShape::hammer, "A hammer"},
                                                       {"table", SpawnShape::table, "A table"}}};
    return shapes;
}

physics::BodyDef player_body(std::size_t shape, float size, const Vec3& position) {
    physics::BodyDef body;
    body.name = player_name;
    body.shapes = spawn_geometry(player_shapes()[shape].shape, spawn_extents(player_shapes()[shape].shape, size), 1);
    body.pose.position = position;
    body.mass = 1000.0f * size * size * size; // the same in every shape
    body.inertia = Vec3(1000.0f * *body.mass * size * size);
    body.gravity_scale = 0.0f;
    body.linear_damping = 2.0f; // does not drift for ever when it is knocked
    body.material.restitution = 0.0f;
    body.material.friction = 0.3f;
    return body;
}

Vec3 driven_velocity(const Vec3& now, const Vec3& wanted, float most) {
    const Vec3 change = wanted - now;
    const float size = glm::length(change);
    return size <= most ? wanted : now + (most / size) * change;
}

std::optional<std::size_t> Player::find(const physics::FrameState& frame) const {
    for (std::size_t i = frame.bodies.size(); i-- > 0;) { // mostly made last
        if (frame.bodies[i].type == physics::BodyType::dynamic && frame.models[i]->def.name == player_name) {
            return i;
        }
    }
    return std::nullopt;
}

void Player::make(Context& ctx, const Vec3& position) {
    ctx.play(physics::CreateBody{player_body(shape_, size, position)}, "Create the player");
    asked_ = true;
    replaced_ = {};
}

void Player::toggle(Context& ctx) {
    if (active_) {
        active_ = asked_ = false;
        return;
    }
    if (!ctx.can_edit()) {
        return;
    }
    active_ = true;
    jumped_.reset();
    world_ = ctx.world_number;
    drives_ = !find(ctx.frame()) && Driver::has_wheels(ctx.frame());
    if (drives_) {
        driver_.forget();
        ctx.log.info("Arrow keys drive; " + ctx.key_of("toggle_player") + " lets go of the wheel");
        return;
    }
    if (!find(ctx.frame())) {
        // Where the cursor is, else where one looks; higher until there is room.
        const auto point = point_in_view(ctx);
        Vec3 position = point.value_or(ctx.camera.camera().target);
        const auto kind = ctx.get<ToolBox>().kinds.get(player_body(shape_, size, position));
        if (const auto* good = std::get_if<std::shared_ptr<const physics::BodyKind>>(&kind)) {
            position.z += extent_along(**good, physics::identity_orientation, Vec3(0, 0, -1)) + 0.01f;
            position.z += rise_from_meshes(ctx.frame(), **good, {position, physics::identity_orientation},
                                           Vec3(0, 0, 1), 2.0f * size)
                              .value_or(0.0f);
            std::vector<std::size_t> near;
            for (int i = 0; i < 64; ++i, position.z += 0.5f * size) {
                const physics::Transform pose{position, physics::identity_orientation};
                find_near(ctx.frame(), body_bounds(**good, pose), near);
                if (near.empty() || !in_the_way(ctx.frame(), near, **good, pose)) {
                    break;
                }
            }
        }
        make(ctx, position);
    }
    ctx.log.info("Arrow keys, E and Q move the player, 1 to 9 change its shape; " + ctx.key_of("toggle_player") +
                 " releases it");
}

void Player::become(Context& ctx, std::size_t shape) {
    const auto slot = find(ctx.frame());
    if (!active_ || asked_ || !slot || !ctx.can_edit()) {
        return;
    }
    const physics::BodyState& body = ctx.frame().bodies[*slot];
    shape_ = shape;
    physics::BodyDef def = player_body(shape, size, body.pose.position);
    def.linear_velocity = body.linear_velocity;
    const std::string what = std::string("Turn into a ") + player_shapes()[shape].name;
    const GestureScope scope(ctx, ctx.new_gesture());
    ctx.play(physics::DestroyBody{body.id}, what);
    ctx.play(physics::CreateBody{std::move(def)}, what);
    asked_ = true;
    replaced_ = body.id;
    gesture_ = 0; // what follows is another edit, of another body
}

void Player::jump(Context& ctx) {
    const double now = ctx.frame().time;
    if (active_ && !drives_ && (!jumped_ || now >= *jumped_ + static_cast<double>(jump_time))) {
        jumped_ = now;
    }
}

void Player::remember_here(SettingsArchive& a) {
    std::array<std::string_view, 9> names;
    std::ranges::transform(player_shapes(), names.begin(),
                           [](const PlayerShape& shape) { return std::string_view(shape.name); });
    int shape = static_cast<int>(shape_);
    a.word("shape", shape, names);
    shape_ = static_cast<std::size_t>(shape);
    a.value("speed", speed, 0.5f, 50.0f);
    a.value("size", size, 0.1f, 10.0f);
}

void Player::update(Context& ctx) {
    if (!active_) {
        return;
    }
    const physics::FrameState& frame = ctx.frame();
    if (drives_) {
        active_ = world_ == ctx.world_number && !ctx.simulation.replaying() && Driver::has_wheels(frame);
        if (active_) {
            driver_.update(ctx, right, forward);
        }
        return;
    }
    const auto slot = find(frame);
    // One frame may still show the body that is replaced, and the next one neither.
    asked_ = asked_ && (!slot || frame.bodies[*slot].id == replaced_);
    if (world_ != ctx.world_number || ctx.simulation.replaying() || (!slot && !asked_)) {
        active_ = asked_ = false; // deleted, or another world
        moving_ = false;
        return;
    }
    if (asked_ || frame.step == step_) {
        return;
    }
    step_ = frame.step;
    std::optional<float> rise; // m/s, of a leap that is under way
    if (jumped_) {
        const auto since = static_cast<float>(frame.time - *jumped_);
        if (since >= 0.0f && since < jump_time) {
            constexpr float pi = 3.14159265f;
            const float share = (since + 0.5f / frame.settings.hz) / jump_time;
            rise = jump_height * pi / jump_time * std::sin(2.0f * pi * share);
        } else {
            jumped_.reset();
        }
    }
    const bool pushed = keys != glm::vec3(0.0f) || rise;
    if (!pushed && !moving_) {
        return;
    }
    const bool first = pushed && (!moving_ || gesture_ == 0);
    if (first) {
        gesture_ = ctx.new_gesture(); // from the first key to the last is one edit
    }
    moving_ = pushed;
    const physics::BodyState& body = frame.bodies[*slot];
    const float reach = glm::length(keys); // a stick that is pushed half-way goes at half the speed
    Vec3 wanted = (speed / std::max(reach, 1.0f)) * keys;
    wanted.z = rise.value_or(wanted.z);
    const Vec3 next = driven_velocity(body.linear_velocity, wanted, acceleration / frame.settings.hz);
    if (!pushed && glm::length(next) > 0.01f) {
        moving_ = true; // still coming to rest
    }
    if (next == body.linear_velocity) {
        return;
    }
    const GestureScope scope(ctx, gesture_);
    physics::SetBody set;
    set.body = body.id;
    set.linear_velocity = next;
    if (first) { // what undoing goes back to
        set.position = body.pose.position;
        set.orientation = body.pose.orientation;
        set.angular_velocity = body.angular_velocity;
    }
    ctx.play(set, "Move the player");
}

} // namespace cairn::ui
