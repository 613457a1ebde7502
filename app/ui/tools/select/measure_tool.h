// Distances and angles between clicked points. A point on a body goes with it.
#pragma once

#include "app/ui/tools/tool.h"
#include "physics/world/body_def.h"

#include <cstdint>

namespace cairn::ui {

// The angle at `at` between the ways to `a` and `b`, degrees; nullopt where one of them has no length.
std::optional<float> angle_at(const glm::vec3& at, const glm::vec3& a, const glm::vec3& b);

class MeasureTool : public Tool {
  public:
    MeasureTool();
    void press(Context& ctx, const glm::vec2& at) override;
    void update(Context& ctx) override;
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) override;
    void write(const Context& ctx, ToolOverlay& overlay) const override;
    void settings(Context& ctx) override;
    bool cancel(Context& ctx) override;

  private:
    struct Mark {
        physics::BodyId body; // none: in the world
        physics::Vec3 local{0.0f};
        glm::vec3 now{0.0f}; // m, world
    };
    std::array<Mark, 3> marks_;
    std::size_t count_ = 0;
    std::uint64_t world_ = 0;
    std::optional<glm::vec3> next_; // under the cursor
};

} // namespace cairn::ui
