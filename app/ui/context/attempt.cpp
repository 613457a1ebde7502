#include "app/ui/context/attempt.h"

namespace cairn::ui {

bool make_parent(Context& ctx, const std::filesystem::path& path) {
    if (!path.has_parent_path()) {
        return true;
    }
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) {
        ctx.log.error(path.parent_path().string() + ": cannot make this folder: " + error.message());
    }
    return !error;
}

} // namespace cairn::ui
