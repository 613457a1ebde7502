// Keys that turn wheels. A scene lets people drive what it has motors for: every joint with a motor whose name begins
// with "drive" is a wheel, and those with "left" or "right" in their names steer by turning at different speeds.
#pragma once

#include "physics/world/frame_state.h"

#include <cstdint>

namespace cairn::ui {

struct Context;

class Driver {
  public:
    static bool is_wheel(const physics::JointDef& joint);
    static bool has_wheels(const physics::FrameState& frame);

    // Once a frame, while somebody drives. Keys as -1..1. Without them the wheels brake with all their motors' torque;
    // with them they turn as fast as the scene lets them turn at most.
    void update(Context& ctx, float right, float forward);
    void forget() { *this = Driver(); }

  private:
    float right_ = 0.0f, forward_ = 0.0f;
    bool drives_ = false;
    std::uint64_t gesture_ = 0;
};

} // namespace cairn::ui
