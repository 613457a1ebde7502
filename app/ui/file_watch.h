// Files that come from outside while the program runs: the open scene when an editor saves it, and what is dropped onto
// the window.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace cairn::ui {

struct App;

class FileWatch {
  public:
    // From here on what is on the disk is known: what comes later is a change.
    void look_at(const std::filesystem::path& path);
    const std::filesystem::path& path() const { return path_; }

    // Has the file changed, and stayed as it is since the last call? Editors write in pieces: so a change is told at
    // the second look. A file that is gone has not changed; it may come again.
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

// Once a frame: reads the open scene again when one of its files has changed, keeping camera, selection and pause. A
// file that cannot be read is told with line and column, and the world goes on.
void follow_open_file(App& app);

// A scene or a capture is opened; a mesh (.obj) or a list of points (.xyz) becomes a body, its hull, under the cursor.
void drop_file(App& app, const std::filesystem::path& path);

} // namespace cairn::ui
