// Whole text files, in and out, with errors that name the path and the cause.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cairn::core {

// Throws InputError.
std::string read_whole_file(const std::filesystem::path& path);

// Replaces the file as one act: whoever looks sees the old content or the new, never half of it, after a crash too
// (temporary file in the same folder, fsync, rename, fsync of the folder). A symbolic link is followed. Throws
// InputError, and then leaves no temporary file behind.
void replace_file(const std::filesystem::path& path, std::string_view content);

} // namespace cairn::core
