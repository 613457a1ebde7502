// The outer layer of a capture file: zstd frames with checksums, one after the other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace cairn::core {

// A frame holds at most so many bytes when decompressed, and a file at most so many in all. Writers keep to it, readers
// reject more, so that a small hostile file cannot ask for all memory.
inline constexpr std::uint64_t max_frame_bytes = std::uint64_t{256} << 20;
inline constexpr std::uint64_t max_capture_bytes = std::uint64_t{1} << 30;

// One frame as a file holds it, for whoever puts files together of others.
std::vector<std::uint8_t> compressed_frame(std::span<const std::uint8_t> content);

// Appends frames to a new file, as OutputFile. Every frame reaches the operating system before write() returns: what
// was written survives a crash of the program, under the name of the unfinished file. Throws InputError naming the
// path.
class FrameWriter {
  public:
    explicit FrameWriter(const std::filesystem::path& path);
    ~FrameWriter();
    FrameWriter(const FrameWriter&) = delete;
    FrameWriter& operator=(const FrameWriter&) = delete;

    void write(std::span<const std::uint8_t> content);
    void close(); // also forces the file to the disk, and puts it in its place
    void keep();  // closes the unfinished file where it is
    const std::filesystem::path& path() const;
    const std::filesystem::path& unfinished() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

class FrameReader {
  public:
    // Smaller limits are for tests. `from`: the offset of a frame to begin with, bytes. Throws InputError.
    explicit FrameReader(const std::filesystem::path& path, std::uint64_t frame_limit = max_frame_bytes,
                         std::uint64_t file_limit = max_capture_bytes, std::uint64_t from = 0);
    ~FrameReader();
    FrameReader(const FrameReader&) = delete;
    FrameReader& operator=(const FrameReader&) = delete;

    // Reads the next frame; false at the end of the file. Throws InputError with the byte offset of a damaged frame.
    //
    // Its content comes in growing pieces, so that what is no capture is found before much memory has been spent on
    // it: `take` gets what has come and was not taken yet, and says how many bytes of it it has taken. It is asked
    // when that is a first piece, whenever it has doubled since, and at the end with `to_come` = 0; before, `to_come`
    // is the most that may follow. What it took of a frame whose end is missing or damaged was no part of the file.
    using Take = std::function<std::size_t(std::span<const std::uint8_t> content, std::uint64_t to_come)>;
    bool next(const Take& take);
    std::uint64_t frame_offset() const; // of the frame read last, bytes from the start of the file
    std::uint64_t end_offset() const;   // the byte behind it
    bool truncated() const;             // the file ended inside a frame

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace cairn::core
