// Selecting by click and by frame, and holding bodies on a spring.
#pragma once

#include "app/ui/tools/tool.h"
#include "physics/world/body_def.h"

#include <cstdint>

namespace cairn::ui {

class SelectTool : public Tool {
  public:
    SelectTool();
    void press(Context& ctx, const glm::vec2& at) override;
    void move(Context& ctx, const glm::vec2& at) override;
    void release(Context& ctx, const glm::vec2& at) override;
    bool scroll(Context& ctx, float steps) override;
    void update(Context& ctx) override;
    void write(const Context& ctx, ToolOverlay& overlay) const override;
    void settings(Context& ctx) override;
    void remember(SettingsArchive& archive) override;
    bool cancel(Context& ctx) override;

  private:
    // Soft enough that a body is seen to hang on it, stiff enough to follow the hand.
    static constexpr float usual_hertz = 1.5f;
    static constexpr float damping_ratio = 0.5f;
    enum class Gesture { none, hold, frame };
    struct Hold { // of a body, on a plane that faces the camera
        physics::BodyId body;
        std::uint64_t world = 0; // Context::world_number when it was taken
        physics::Vec3 local_point{0.0f};
        float depth = 0.0f; // m along the line of sight
        bool grabbed = false;
        physics::Vec3 sent{0.0f};
    };

    bool holds_in(const Context& ctx) const;
    std::optional<physics::Vec3> hold_target(const Context& ctx, const glm::vec2& at) const;
    bool far_enough(const Context& ctx, const glm::vec2& at) const; // from the press, to be no click
    void select_framed(Context& ctx, const glm::vec2& at) const;

    float hertz_ = usual_hertz; // of the spring that holds a body

    Gesture gesture_ = Gesture::none;
    glm::vec2 pressed_at_{0.0f}, last_{0.0f};
    physics::BodyId pressed_on_; // what a click selects
    bool adding_ = false;        // Shift was down
    std::optional<Hold> hold_;
};

} // namespace cairn::ui
