// All tools, and which one is active.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/tools/tool.h"
#include "physics/world/store/body_kind.h"

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::ui {

class ToolBox : public Part {
  public:
    // In the order of the bar; the first one is active at first, and whenever no other is wanted.
    Tool& add(std::unique_ptr<Tool> tool);
    const std::vector<std::unique_ptr<Tool>>& all() const { return tools_; }

    // Ends what the other tool was about. `once`: for one press, then the tool before it comes back.
    void choose(Context& ctx, std::string_view id, bool once = false);
    bool once() const { return once_; }
    void after_use(Context& ctx); // of a tool that was chosen for one press
    void put_away(Context& ctx) { choose(ctx, tools_.front()->info().id); }
    bool first_is_active() const { return active_ == 0; }

    Tool& tool() { return *tools_[active_]; }
    const Tool& tool() const { return *tools_[active_]; }

    void update(Context& ctx);
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes);
    bool cancel(Context& ctx) { return tool().cancel(ctx); }
    // Visits what all tools want remembered, and what is remembered beside them.
    void remember(Context& ctx, SettingsArchive& archive) override;
    void also_remember(const char* id, std::function<void(SettingsArchive&)> visit) {
        also_.emplace_back(id, std::move(visit));
    }

    // As of the last event.
    bool shift = false, control = false;
    bool holding = false; // the left button is down in the world

    physics::BodyKindLibrary kinds; // of bodies that are in no world yet
    ToolOverlay overlay;            // of the last frame

  private:
    std::vector<std::unique_ptr<Tool>> tools_;
    std::vector<std::pair<const char*, std::function<void(SettingsArchive&)>>> also_;
    std::size_t active_ = 0, before_ = 0;
    bool once_ = false;
};

} // namespace cairn::ui
