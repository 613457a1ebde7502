#include "app/ui/tools/select/select_tools.h"

#include "app/ui/camera/picking.h"
#include "app/ui/context/context.h"
#include "app/ui/tools/tool.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tools/tool_icon.h"
#include "physics/world/body_def.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace cairn::ui {

namespace {

// Deletes what is clicked, and what the cursor passes over with the button down.
class RemoveTool : public Tool {
  public:
    RemoveTool()
        : Tool({"delete", "Delete", "Click a body to delete it, or drag across several; Shift includes static bodies.",
                "Delete by click", "Shift+Del",
                [](const IconPen& pen) { // a cross
                    pen.line(-0.85f, -0.85f, 0.85f, 0.85f);
                    pen.line(-0.85f, 0.85f, 0.85f, -0.85f);
                }}) {}

    void press(Context& ctx, const glm::vec2& at) override {
        if (!ctx.can_edit()) {
            return;
        }
        wiping_ = true;
        gesture_ = ctx.new_gesture();
        gone_.clear();
        remove_at(ctx, at);
    }

    void move(Context& ctx, const glm::vec2& at) override {
        if (wiping_) {
            remove_at(ctx, at);
        }
    }

    void release(Context&, const glm::vec2&) override { wiping_ = false; }

    bool has_settings() const override { return false; }
    bool cancel(Context&) override { return std::exchange(wiping_, false); }

  private:
    void remove_at(Context& ctx, const glm::vec2& at) {
        const auto hit = ctx.pick(cursor_ray(ctx.camera.camera(), at, ctx.window_size()));
        const auto slot = hit ? find_body(ctx.frame(), hit->body) : std::nullopt;
        // A click beside a body does not mean the ground.
        if (!slot || (ctx.frame().bodies[*slot].type == physics::BodyType::fixed && !ctx.get<ToolBox>().shift) ||
            std::ranges::find(gone_, hit->body) != gone_.end()) {
            return;
        }
        gone_.push_back(hit->body);
        const GestureScope scope(ctx, gesture_);
        ctx.submit(physics::DestroyBody{hit->body});
    }

    bool wiping_ = false;
    std::uint64_t gesture_ = 0;
    std::vector<physics::BodyId> gone_; // they may still be in the picture
};

} // namespace

std::unique_ptr<Tool> make_remove_tool() {
    return std::make_unique<RemoveTool>();
}

} // namespace cairn::ui
