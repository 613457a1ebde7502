// What is dropped onto the window.
#pragma once

#include "app/ui/context/context.h"

#include <filesystem>

namespace cairn::ui {

// A scene or a capture is opened; a mesh (.obj, .stl, .ply) is asked about; a list of points (.xyz) becomes a body, its
// hull, under the cursor.
void drop_file(Context& ctx, const std::filesystem::path& path);

} // namespace cairn::ui
