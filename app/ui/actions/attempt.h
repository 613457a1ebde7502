// What the actions on files, captures and pictures share.
#pragma once

#include "app/ui/app.h"

#include <exception>
#include <filesystem>
#include <string>

namespace cairn::ui {

// A fault in a file or a full disk is the person's to mend: it becomes a message, and the program goes on. Returns
// whether the work was done.
template <typename Work>
bool attempt(App& app, Work&& work) {
    try {
        work();
        return true;
    } catch (const std::exception& error) {
        app.log.error(error.what());
        return false;
    }
}

// Makes the folder that the file goes into; where that fails, says so and returns false.
bool make_parent(App& app, const std::filesystem::path& path);
void set_camera_of_scene(App& app);

} // namespace cairn::ui
