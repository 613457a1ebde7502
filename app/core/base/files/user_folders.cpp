#include "app/core/base/files/user_folders.h"

#include <cstdlib>

namespace cairn::core {

std::filesystem::path base_folder(const char* variable, const char* below_home) {
    // A relative path in an XDG variable is to be ignored, says the specification.
    if (const char* set = std::getenv(variable); set != nullptr && std::filesystem::path(set).is_absolute()) {
        return std::filesystem::path(set) / "cairn";
    }
    const char* home = std::getenv("HOME");
    const std::filesystem::path root =
        home != nullptr && *home != '\0' ? std::filesystem::path(home) : std::filesystem::temp_directory_path();
    return root / below_home / "cairn";
}

std::filesystem::path cache_folder() {
    return base_folder("XDG_CACHE_HOME", ".cache");
}

} // namespace cairn::core
