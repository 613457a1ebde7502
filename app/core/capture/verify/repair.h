// Incomplete captures, as a program that was killed or a full disk leaves them, made whole of what they hold.
#pragma once

#include <cstdint>
#include <filesystem>

namespace cairn::core {

struct Repair {
    bool incomplete = false; // else the file was whole and is the same
    std::uint64_t steps = 0;
    std::size_t keyframes = 0;
    std::uint64_t lost_bytes = 0; // behind the last whole frame
};

// Writes the capture `from` to `to`, which may be the same, up to its last whole frame, with an end. Frames are taken
// over byte for byte; what follows the first damaged one is left out, since steps do not go on behind a gap. Throws
// InputError, and then everything is as it was: for what is no capture, and for one that is still being written.
Repair repair(const std::filesystem::path& from, const std::filesystem::path& to);

// Of an unfinished recording F.partial the name that it would have got, F; else the path itself.
std::filesystem::path repaired_name(const std::filesystem::path& path);

} // namespace cairn::core
