// What the tools have in common that act on what lies within a ring about the cursor.
#pragma once

#include "app/ui/context/context.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/tools/tool_box.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {

class BrushTool : public Tool {
  public:
    // Radii in m.
    BrushTool(const ToolInfo& info, float usual, float least, float most)
        : Tool(info), radius_(usual), usual_(usual), least_(least), most_(most) {}
    bool points_at_bodies() const override { return false; }
    void release(Context&, const glm::vec2& /*at*/) override { acting_ = false; }
    bool scroll(Context& ctx, float steps) override { // with Ctrl the radius
        if (ctx.get<ToolBox>().control) {
            radius_ = std::clamp(radius_ * std::pow(1.1f, steps), least_, most_);
        }
        return ctx.get<ToolBox>().control;
    }
    bool cancel(Context& ctx) override { // what the stroke has done goes, too
        if (acts_in(ctx)) {
            ctx.simulation.give_up(gesture_);
        }
        return std::exchange(acting_, false);
    }
    void remember(SettingsArchive& archive) override { archive.value("radius", radius_, least_, most_); }

  protected:
    void begin(Context& ctx) { // a stroke
        acting_ = true;
        world_ = ctx.world_number;
        gesture_ = ctx.new_gesture();
    }
    bool acts_in(const Context& ctx) const { return acting_ && world_ == ctx.world_number; }
    void radius_row(Context& ctx, const char* id, float speed, const char* format, const char* help) {
        ctx.widgets.number(id, "Radius", radius_, {"m", least_, most_, speed, format, help}, usual_);
    }

    float radius_;
    bool acting_ = false; // in a stroke
    std::uint64_t gesture_ = 0;

  private:
    float usual_, least_, most_;
    std::uint64_t world_ = 0;
};

} // namespace cairn::ui
