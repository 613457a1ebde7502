// Saves the steps of the lab as pictures, one in each frame so that the window goes on.
#pragma once

#include "app/ui/film/film_writer.h"
#include "app/ui/lab/picture/lab_picture.h"

#include <filesystem>
#include <memory>

namespace cairn::ui {

// Writes pictures of all steps of one run into a folder, and a film of them where ffmpeg is there. Needs a current GL
// context.
class LabExport {
  public:
    // Makes the folder. Throws core::InputError and core::MachineError.
    LabExport(core::lab::LabPair pair, core::lab::LabRun run, std::filesystem::path folder, int width, int height);

    bool done() const { return next_ == run_.steps.size(); }
    double progress() const; // 0..1
    // Draws and writes the next step; after the last one the film is finished. Throws core::InputError.
    void advance();
    bool has_film() const { return film_ != nullptr; }
    const std::filesystem::path& folder() const { return folder_; }

  private:
    core::lab::LabPair pair_;
    core::lab::LabRun run_;
    std::filesystem::path folder_;
    LabPictures pictures_;
    std::unique_ptr<FilmWriter> film_;
    std::size_t next_ = 0;
};

} // namespace cairn::ui
