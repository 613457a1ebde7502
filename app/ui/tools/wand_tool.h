// Pushes what is near the cursor away from the eye, or pulls it nearer, for as long as the button is down.
#pragma once

#include "app/ui/tools/tool.h"

#include <cstdint>

namespace cairn::ui {

class WandTool : public Tool {
  public:
    void press(App& app, const glm::vec2& at) override;
    void release(App& app, const glm::vec2& at) override;
    bool scroll(App& app, float steps) override;
    void update(App& app) override;
    void draw(const App& app, render::DrawList& list, MeshSource& meshes) override;
    void write(const App& app, ToolOverlay& overlay) const override;
    bool has_settings() const override { return true; }
    void settings(App& app) override;
    void remember(SettingsArchive& archive) override;
    bool cancel(App& app) override;

  private:
    bool pulls(const App& app) const;

    float radius_ = 2.0f;        // m
    float acceleration_ = 30.0f; // m/s^2 in the middle
    int way_ = 0;                // 0 pushes, 1 pulls; Shift turns it round

    bool acting_ = false;
    std::uint64_t gesture_ = 0, world_ = 0;
    std::uint64_t step_ = 0; // of the world, up to which it has acted
    float depth_ = 0.0f;     // m from the eye, where the cursor met something when the button went down
    glm::vec3 middle_{0.0f};
    bool shown_ = false; // the ring, at `middle_`
};

} // namespace cairn::ui
