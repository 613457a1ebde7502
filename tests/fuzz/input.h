// What the fuzz targets share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace cairn::fuzz {

// A file without a name that holds the bytes; the path reads it as often as one likes.
class MemoryFile {
  public:
    explicit MemoryFile(std::string_view bytes);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    int file_ = -1;
    std::filesystem::path path_;
};

// An empty folder, so that nothing that an input names is ever found.
std::filesystem::path empty_folder();

} // namespace cairn::fuzz
