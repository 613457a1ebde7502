#include "app/ui/context/attempt.h"

#include "app/core/base/error.h"

namespace cairn::ui {

void make_parent(const std::filesystem::path& path) {
    if (!path.has_parent_path()) {
        return;
    }
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) {
        throw core::InputError({path.parent_path().string(), 0, 0}, "cannot make this folder: " + error.message());
    }
}

bool make_parent(Context& ctx, const std::filesystem::path& path) {
    return attempt(ctx, [&] { make_parent(path); });
}

} // namespace cairn::ui
