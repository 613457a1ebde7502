// A file that is written whole and then takes its place as one act.
#pragma once

#include <filesystem>

namespace cairn::core {

// Write path(), force it to the disk, then put it in place. What was there before stays until then, whatever fails; the
// unfinished file goes with this object. A symbolic link is followed.
class NewFile {
  public:
    explicit NewFile(const std::filesystem::path& target);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    const std::filesystem::path& path() const { return path_; } // in the same folder, so that it can be renamed
    void put_in_place();                                        // throws InputError naming the target

  private:
    std::filesystem::path target_, path_;
    bool placed_ = false;
};

} // namespace cairn::core
