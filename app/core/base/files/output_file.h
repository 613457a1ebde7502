// A file that is written: beside its place, which it takes when it is whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace cairn::core {

// Written under the name F.partial, which is locked, and renamed to F by finish(): what stood at F before stays until
// then, whatever fails. Whoever wants to write F at the same time, in this process or another, is rejected. A symbolic
// link is followed, also to a file that is not there yet. Devices and pipes are written to directly, and "-" is the
// standard output.
//
// A file that is not finished goes with this object, unless keep() was called.
//
// Throws InputError naming the path; OutputError where the disk is full or broken.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // Reaches the operating system before it returns: a crash of the program does not lose it.
    void write(std::string_view text);
    void write(std::span<const std::uint8_t> bytes);
    void finish();                      // forces the file to the disk, and puts it in its place
    void finish(std::string_view last); // writes it before
    void keep();                        // as it is now, under the name F.partial

    bool written() const { return written_ > 0; }
    const std::filesystem::path& path() const { return path_; } // as it was given
    // Where the bytes are until finish(); the path itself of what is no regular file.
    const std::filesystem::path& unfinished() const { return unfinished_; }

  private:
    void open_beside();
    void write_all(const char* bytes, std::size_t size);
    [[noreturn]] void fail(int error) const;

    std::filesystem::path path_, target_, unfinished_;
    int file_ = -1;
    bool beside_ = false, owned_ = true;
    std::uint64_t written_ = 0; // bytes
};

// Where a path leads, through links, whether there is a file or not.
std::filesystem::path followed(const std::filesystem::path& path);

} // namespace cairn::core
