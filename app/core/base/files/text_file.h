// Whole text files, in and out, with errors that name the path and the cause.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace cairn::core {

// A text of a million bodies, each described for itself, is half as large.
inline constexpr std::uint64_t max_text_bytes = std::uint64_t{512} << 20;

// Of a regular file: devices and pipes have no end that could be waited for. Throws InputError, also for a file that is
// larger than `limit`, bytes.
std::string read_whole_file(const std::filesystem::path& path, std::uint64_t limit = max_text_bytes);

// Replaces the file as one act: whoever looks sees the old content or the new, never half of it, after a crash too
// (temporary file in the same folder, fsync, rename, fsync of the folder). A symbolic link is followed. Throws
// InputError (OutputError where the disk is full), and then leaves no temporary file behind. Without `forced` nothing
// is waited for: a crash of the system may lose either.
void replace_file(const std::filesystem::path& path, std::string_view content, bool forced = true);

} // namespace cairn::core
