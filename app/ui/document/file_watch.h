// Files that others change while the program runs: the open scene when an editor saves it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace cairn::ui {

class FileWatch {
  public:
    // From here on what is on the disk is known: what comes later is a change.
    void look_at(const std::filesystem::path& path);
    const std::filesystem::path& path() const { return path_; }

    // Has the file changed, and stayed as it is since the last call? Editors write in pieces: so a change is reported
    // at the second look. A file that is gone has not changed; it may come again.
    bool changed();

  private:
    struct Stamp {
        std::filesystem::file_time_type time;
        std::uintmax_t size = 0;
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    static std::optional<Stamp> stamp_of(const std::filesystem::path& path);

    std::filesystem::path path_;
    std::optional<Stamp> known_, seen_;
};

// The file of the open scene or capture, and what it includes.
struct OpenFile {
    std::filesystem::path path;
    std::vector<FileWatch> watches;
    double looked_at = 0.0; // log time, s

    // From here on these are watched; `files`: of which it is made, the file itself first.
    void look_at(const std::filesystem::path& file, const std::vector<std::filesystem::path>& files);
    void forget_change(); // what they hold now is known
};

} // namespace cairn::ui
