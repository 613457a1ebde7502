// Where the pictures of a film go: a video or GIF through the ffmpeg program where there is one, else numbered files.
#pragma once

#include "render/renderer.h"

#include <filesystem>
#include <memory>

namespace cairn::ui {

enum class FilmKind { video, gif, pictures };

// Takes the pictures of a film in order. Throws core::InputError with what went wrong, in words for people; then, and
// when it goes before finish(), nothing half done is left behind.
class FilmWriter {
  public:
    virtual ~FilmWriter() = default;
    virtual void add(const render::Image& picture) = 0;    // all of the size that was announced
    virtual void finish() = 0;                             // waits until everything is written
    virtual const std::filesystem::path& path() const = 0; // the file, or the folder of files
};

// Looks for the program in PATH.
bool ffmpeg_is_there();

// `stem`: path without extension; folders are made as needed. `rate`: pictures per second. Videos are H.264 in MP4,
// whose width and height are even: an odd edge is cut off.
std::unique_ptr<FilmWriter> make_film_writer(FilmKind kind, const std::filesystem::path& stem, int width, int height,
                                             int rate);

} // namespace cairn::ui
