// What the actions on files, captures and pictures share.
#pragma once

#include "app/ui/context/context.h"

#include <exception>
#include <filesystem>
#include <string>

namespace cairn::ui {

// A fault in a file or a full disk is the person's to mend: it becomes a message, and the program goes on. Returns
// whether the work was done.
template <typename Work>
bool attempt(Context& ctx, Work&& work) {
    try {
        work();
        return true;
    } catch (const std::exception& error) {
        ctx.log.error(error.what());
        return false;
    }
}

// Makes the folder that the file goes into; where that fails, says so and returns false.
bool make_parent(Context& ctx, const std::filesystem::path& path);

} // namespace cairn::ui
