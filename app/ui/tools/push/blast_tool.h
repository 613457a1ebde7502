// Drives apart what lies within a ring.
#pragma once

#include "app/ui/tools/brush_tool.h"

namespace cairn::ui {

class BlastTool : public BrushTool {
  public:
    BlastTool();
    void press(Context& ctx, const glm::vec2& at) override;
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) override;
    void write(const Context& ctx, ToolOverlay& overlay) const override;
    void settings(Context& ctx) override;
    void remember(SettingsArchive& archive) override;

  private:
    float speed_ = 15.0f; // m/s, given to what lies in the middle
};

} // namespace cairn::ui
