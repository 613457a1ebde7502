// Where a person's files are (XDG base directories), as far as the program without a window needs them.
#pragma once

#include <filesystem>

namespace cairn::core {

// "cairn" in the folder that the environment variable names, or else in `below_home` of the home folder. Not created.
std::filesystem::path base_folder(const char* variable, const char* below_home);

// $XDG_CACHE_HOME/cairn (default ~/.cache/cairn): what can be made again. Not created here.
std::filesystem::path cache_folder();

} // namespace cairn::core
