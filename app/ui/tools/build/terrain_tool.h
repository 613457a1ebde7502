// A brush for height fields: raises, lowers, smooths and flattens what lies within its ring.
#pragma once

#include "app/core/edits/edit_history.h"
#include "app/ui/tools/brush_tool.h"

#include <chrono>
#include <cstdint>
#include <memory>

namespace cairn::ui {

// A height field of a published state that a ray meets first, whatever else is in the way.
struct FieldHit {
    physics::BodyId body;
    std::uint32_t place = 0;                     // in BodyDef::shapes
    std::shared_ptr<const physics::Shape> shape; // of that state
    physics::Transform pose;                     // of the shape, world
    glm::vec3 local{0.0f};                       // m, the point, in the frame of the shape
};
std::optional<FieldHit> field_hit(const physics::FrameState& frame, const physics::Ray& ray);

class TerrainTool : public BrushTool {
  public:
    TerrainTool();
    void press(Context& ctx, const glm::vec2& at) override;
    void update(Context& ctx) override;
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) override;
    void write(const Context& ctx, ToolOverlay& overlay) const override;
    void settings(Context& ctx) override;
    void remember(SettingsArchive& archive) override;

  private:
    enum class Action : int { raise, lower, smooth, flatten };
    using Clock = std::chrono::steady_clock;

    Action action(const Context& ctx) const; // Shift turns raising and lowering round
    void act(Context& ctx, float seconds);

    float speed_ = 1.0f; // m/s in the middle: of raising and lowering
    float rate_ = 4.0f;  // 1/s: of smoothing and flattening, the share that goes in a second if it is small
    int action_ = 0;

    std::optional<FieldHit> field_; // under the cursor
    physics::BodyId body_;          // while it acts, the field that it began with
    std::uint32_t place_ = 0;
    float level_ = 0.0f; // m, where it began
    Clock::time_point acted_;
    const physics::Shape* acted_on_ = nullptr; // as it was seen then; what it has done is not to be seen yet
};

} // namespace cairn::ui
