// Scenes and captures that are opened, and opened again.
#pragma once

#include "app/ui/context/context.h"

#include <filesystem>

namespace cairn::ui {

// Opens a scene, or replays a capture, whatever is lost by it. Returns whether that worked.
bool open_file(Context& ctx, const std::filesystem::path& path);
void reload(Context& ctx);
void restart(Context& ctx);

// These ask first where work would be lost.
void new_scene(Context& ctx);
void choose_and_open(Context& ctx);
void open_safely(Context& ctx, const std::filesystem::path& path);
void restart_safely(Context& ctx);
void reload_safely(Context& ctx);

// Once a frame: reads the open scene again when one of its files has changed, keeping camera, selection and pause. A
// file that cannot be read is reported with line and column, and the world goes on.
void follow_open_file(Context& ctx);
// Once a frame: autosaves, and asks about work that was lost.
void follow_document(Context& ctx);

} // namespace cairn::ui
