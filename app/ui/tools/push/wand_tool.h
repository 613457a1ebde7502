// Pushes what is near the cursor away from the eye, or pulls it nearer, for as long as the button is down.
#pragma once

#include "app/ui/tools/brush_tool.h"

#include <cstdint>

namespace cairn::ui {

class WandTool : public BrushTool {
  public:
    WandTool();
    void press(Context& ctx, const glm::vec2& at) override;
    bool scroll(Context& ctx, float steps) override;
    void update(Context& ctx) override;
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) override;
    void write(const Context& ctx, ToolOverlay& overlay) const override;
    void settings(Context& ctx) override;
    void remember(SettingsArchive& archive) override;
    bool cancel(Context& ctx) override;

  private:
    bool pulls(const Context& ctx) const;

    float acceleration_ = 30.0f; // m/s^2 in the middle
    int direction_ = 0;          // 0 pushes, 1 pulls; Shift turns it round

    std::uint64_t step_ = 0; // of the world, up to which it has acted
    float depth_ = 0.0f;     // m from the eye, where the cursor met something when the button went down
    glm::vec3 middle_{0.0f};
    bool shown_ = false; // the ring, at `middle_`
};

} // namespace cairn::ui
