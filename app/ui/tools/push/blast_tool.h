// Drives apart what lies within a ring.
#pragma once

#include "app/ui/tools/tool.h"

namespace cairn::ui {

class BlastTool : public Tool {
  public:
    BlastTool();
    bool points_at_bodies() const override { return false; }
    void press(Context& ctx, const glm::vec2& at) override;
    bool scroll(Context& ctx, float steps) override;
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) override;
    void write(const Context& ctx, ToolOverlay& overlay) const override;
    void settings(Context& ctx) override;
    void remember(SettingsArchive& archive) override;

  private:
    std::optional<glm::vec3> centre(const Context& ctx) const;

    float radius_ = 4.0f; // m
    float speed_ = 15.0f; // m/s, given to what lies in the middle
};

} // namespace cairn::ui
