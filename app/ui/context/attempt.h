// What the actions on files, captures and pictures share.
#pragma once

#include "app/ui/context/context.h"

#include <exception>
#include <filesystem>
#include <optional>
#include <string>

namespace cairn::ui {

// Why the work could not be done, as text; nothing if it was.
template <typename Work>
std::optional<std::string> problem_of(Work&& work) {
    try {
        work();
        return std::nullopt;
    } catch (const std::exception& error) {
        return error.what();
    }
}

// A fault in a file or a full disk is the person's to mend: it becomes a message, and the program goes on. Returns
// whether the work was done.
template <typename Work>
bool attempt(Context& ctx, Work&& work) {
    const std::optional<std::string> problem = problem_of(work);
    if (problem) {
        ctx.log.error(*problem);
    }
    return !problem;
}

// Makes the folder that the file goes into, or throws InputError.
void make_parent(const std::filesystem::path& path);
bool make_parent(Context& ctx, const std::filesystem::path& path); // the same as an attempt

} // namespace cairn::ui
