// Deletes what is clicked, and what the cursor passes over with the button down.
#pragma once

#include "app/ui/tools/tool.h"
#include "physics/world/body_def.h"

#include <cstdint>

namespace cairn::ui {

class RemoveTool : public Tool {
  public:
    RemoveTool();
    void press(Context& ctx, const glm::vec2& at) override;
    void move(Context& ctx, const glm::vec2& at) override;
    void release(Context& ctx, const glm::vec2& at) override;
    bool has_settings() const override { return false; }
    bool cancel(Context& ctx) override;

  private:
    void remove_at(Context& ctx, const glm::vec2& at);

    bool wiping_ = false;
    std::uint64_t gesture_ = 0;
    std::vector<physics::BodyId> gone_; // they may still be in the picture
};

} // namespace cairn::ui
