// All tools, and which one is active.
#pragma once

#include "app/ui/input_map.h"
#include "app/ui/tools/player.h"
#include "app/ui/tools/tool.h"
#include "physics/world/body_kind.h"

#include <memory>

namespace cairn::ui {

struct ToolInfo {
    ToolKind kind;
    const char* id; // in the state file
    const char* widget;
    const char* name; // for people
    const char* help; // one sentence
    Action action;
};
const std::array<ToolInfo, 10>& tool_infos(); // in the order of ToolKind
const ToolInfo& info_of(ToolKind kind);

class ToolBox {
  public:
    ToolBox();
    ~ToolBox();

    ToolKind active() const { return active_; }
    const ToolInfo& active_info() const { return info_of(active_); }
    // Ends what the other tool was about. `once`: for one press, then the tool before it comes back.
    void choose(App& app, ToolKind kind, bool once = false);
    bool once() const { return once_; }
    void after_use(App& app); // of a tool that was chosen for one press

    Tool& tool() { return *tools_[static_cast<std::size_t>(active_)]; }
    const Tool& tool() const { return *tools_[static_cast<std::size_t>(active_)]; }

    void update(App& app);
    void draw(const App& app, render::DrawList& list, MeshSource& meshes);
    bool cancel(App& app) { return tool().cancel(app); }
    // Visits what all tools and the player want remembered.
    void remember(SettingsArchive& archive);

    // As of the last event.
    bool shift = false, control = false;
    bool holding = false; // the left button is down in the world

    Player player;
    physics::BodyKindLibrary kinds; // of bodies that are in no world yet
    ToolOverlay overlay;            // of the last frame

  private:
    std::array<std::unique_ptr<Tool>, 10> tools_;
    ToolKind active_ = ToolKind::select, before_ = ToolKind::select;
    bool once_ = false;
};

// The bar with a button for each tool, beside the left column.
void tool_bar(App& app, float bottom); // above y = bottom, window units
// What can be set of the active tool: a part of the left column, or nothing.
void tool_settings(App& app);
// What the active tool writes into the picture; below the panels.
void draw_tool_overlay(App& app);

} // namespace cairn::ui
