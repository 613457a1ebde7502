#include "app/ui/text/paths.h"

#include "app/core/base/files/user_folders.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ctime>

namespace cairn::ui {

using core::base_folder;

std::filesystem::path user_folder(const std::string& kind) {
    return base_folder("XDG_DATA_HOME", ".local/share") / kind;
}

std::filesystem::path from_home(const std::filesystem::path& path) {
    const std::string& text = path.native();
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home == '\0' || (text != "~" && !text.starts_with("~/"))) {
        return path;
    }
    return std::filesystem::path(home) / text.substr(std::min<std::size_t>(text.size(), 2));
}

std::filesystem::path in_user_folder(const std::filesystem::path& path, const std::string& kind) {
    const std::filesystem::path typed = from_home(path);
    return typed.empty() || typed.has_parent_path() ? typed : user_folder(kind) / typed;
}

std::string name_in_user_folder(const std::filesystem::path& path, const std::string& kind) {
    return path.parent_path() == user_folder(kind) ? path.filename().string() : path.string();
}

std::filesystem::path state_folder() {
    return base_folder("XDG_STATE_HOME", ".local/state");
}

std::filesystem::path settings_path() {
    return base_folder("XDG_CONFIG_HOME", ".config") / "settings.json";
}

std::string dated_name(const std::string& name) {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    char text[32];
    std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &local);
    const std::string dated = file_stem(name) + "-" + text;
    static std::string last; // two pictures within a second
    static int times = 0;
    times = dated == last ? times + 1 : 1;
    last = dated;
    return times == 1 ? dated : dated + "-" + std::to_string(times);
}

std::string file_stem(const std::string& title) {
    std::string stem;
    for (const char c : title) {
        const auto u = static_cast<unsigned char>(c);
        if (std::isalnum(u) != 0) {
            stem += static_cast<char>(std::tolower(u));
        } else if (!stem.empty() && stem.back() != '-') {
            stem += c == '_' ? '_' : '-';
        }
    }
    while (!stem.empty() && stem.back() == '-') {
        stem.pop_back();
    }
    return stem.empty() ? "scene" : stem;
}

std::filesystem::path whole_path(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(path, error);
    return (error ? path : absolute).lexically_normal();
}

} // namespace cairn::ui
