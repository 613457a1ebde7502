// A body that keys move, or the wheels of a scene that has some (driver.h): it pushes others and is stopped by walls.
// It is the body named "player", of the scene or made when it is asked for; that name is all there is to it, so undo,
// captures and scene files know it as well.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/tools/player/driver.h"
#include "app/ui/tools/spawn/spawn.h"
#include "physics/world/frame_state.h"
#include "render/draw_list.h"

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>

namespace cairn::ui {

struct Context;
class SettingsArchive;

struct PlayerShape {
    const char* name;
    SpawnShape shape;
    const char* action; // that turns the player into it
};
const std::array<PlayerShape, 9>& player_shapes();

// What the player is made of at `position`. Heavy in turning, so that it keeps upright, and without weight.
physics::BodyDef player_body(std::size_t shape, float size, const physics::Vec3& position);

// The velocity that keys give: towards `wanted` (m/s), changed by at most `most` m/s.
physics::Vec3 driven_velocity(const physics::Vec3& now, const physics::Vec3& wanted, float most);

class Player : public Part {
  public:
    bool active() const { return active_; }
    bool drives() const { return active_ && drives_; } // wheels, and no body of its own
    std::size_t shape() const { return shape_; }
    // Takes hold of the body, which is made if there is none; or lets go of it.
    void toggle(Context& ctx);
    void become(Context& ctx, std::size_t shape); // of player_shapes()
    // A leap of the same height on every world; the body has no weight of its own.
    void jump(Context& ctx);
    // -1..1 along the world's axes, as keys say; set before update().
    glm::vec3 keys{0.0f};
    float right = 0.0f, forward = 0.0f; // the same as they are pressed, for wheels
    // Once a frame.
    void update(Context& ctx);
    std::optional<std::size_t> find(const physics::FrameState& frame) const; // in frame.bodies

    void remember_here(SettingsArchive& archive); // shape, speed and size

    float speed = 6.0f; // m/s
    float size = 1.0f;  // m

  private:
    void make(Context& ctx, const physics::Vec3& position);
    bool active_ = false, asked_ = false; // asked for, not there yet
    physics::BodyId replaced_;            // by what is asked for
    bool moving_ = false, drives_ = false;
    std::optional<double> jumped_; // s of the world
    Driver driver_;
    std::size_t shape_ = 0;
    std::uint64_t gesture_ = 0, world_ = 0, step_ = ~std::uint64_t(0);
};

} // namespace cairn::ui
