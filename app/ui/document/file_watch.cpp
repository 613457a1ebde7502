#include "app/ui/document/file_watch.h"

#include <system_error>

namespace cairn::ui {

std::optional<FileWatch::Stamp> FileWatch::stamp_of(const std::filesystem::path& path) {
    std::error_code error;
    Stamp stamp;
    stamp.time = std::filesystem::last_write_time(path, error);
    if (error) {
        return std::nullopt;
    }
    stamp.size = std::filesystem::file_size(path, error);
    return error ? std::nullopt : std::optional(stamp);
}

void FileWatch::look_at(const std::filesystem::path& path) {
    path_ = path;
    known_ = seen_ = stamp_of(path);
}

bool FileWatch::changed() {
    const std::optional<Stamp> now = stamp_of(path_);
    if (!now || now == known_) {
        seen_ = now;
        return false;
    }
    if (now != seen_) {
        seen_ = now;
        return false;
    }
    known_ = now;
    return true;
}

void OpenFile::look_at(const std::filesystem::path& file, const std::vector<std::filesystem::path>& files) {
    path = file;
    watches.assign(files.size(), {});
    for (std::size_t i = 0; i < files.size(); ++i) {
        watches[i].look_at(files[i]);
    }
}

void OpenFile::forget_change() {
    for (FileWatch& watch : watches) {
        watch.look_at(std::filesystem::path(watch.path()));
    }
}

} // namespace cairn::ui
