// Drives apart what lies within a ring.
#pragma once

#include "app/ui/tools/tool.h"

namespace cairn::ui {

class BlastTool : public Tool {
  public:
    void press(App& app, const glm::vec2& at) override;
    bool scroll(App& app, float steps) override;
    void draw(const App& app, render::DrawList& list, MeshSource& meshes) override;
    void write(const App& app, ToolOverlay& overlay) const override;
    bool has_settings() const override { return true; }
    void settings(App& app) override;
    void remember(SettingsArchive& archive) override;

  private:
    std::optional<glm::vec3> centre(const App& app) const;

    float radius_ = 4.0f; // m
    float speed_ = 15.0f; // m/s, given to what lies in the middle
};

} // namespace cairn::ui
