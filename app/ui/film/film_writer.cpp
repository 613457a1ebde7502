#include "app/ui/film/film_writer.h"

#include "app/core/base/error.h"
#include "app/core/base/files/output_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sstream>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char** environ;

namespace cairn::ui {

namespace {

using Path = std::filesystem::path;

[[noreturn]] void fail(const Path& path, const std::string& what) {
    throw core::InputError(path.string() + ": " + what);
}

void make_folder(const Path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        fail(folder, "cannot be made: " + error.message());
    }
}

class PictureFiles final : public FilmWriter {
  public:
    explicit PictureFiles(Path folder) : folder_(std::move(folder)) { make_folder(folder_); }
    ~PictureFiles() override {
        if (!finished_) {
            std::error_code ignored;
            std::filesystem::remove_all(folder_, ignored);
        }
    }
    void add(const render::Image& picture) override {
        char name[32];
        std::snprintf(name, sizeof name, "%05d.png", ++count_);
        try {
            render::write_png(folder_ / name, picture);
        } catch (const render::RenderError& error) {
            throw core::InputError(error.what());
        }
    }
    void finish() override { finished_ = true; }
    const Path& path() const override { return folder_; }

  private:
    Path folder_;
    int count_ = 0;
    bool finished_ = false;
};

// Feeds raw pictures to ffmpeg through a pipe.
class FfmpegFile final : public FilmWriter {
  public:
    FfmpegFile(Path path, bool gif, int width, int height, int rate)
        : path_(std::move(path)),
          file_(with_folder(path_)),
          width_(gif ? width : width & ~1),
          height_(gif ? height : height & ~1) {
        // A reader that has died shall be an error of write(), and not the end of this program.
        std::signal(SIGPIPE, SIG_IGN);
        start(gif, rate);
        row_.reserve(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 4);
    }

    ~FfmpegFile() override {
        if (process_ > 0) {
            kill(process_, SIGTERM);
            end_of_process();
        }
        if (words_ >= 0) {
            close(words_);
        }
    }

    void add(const render::Image& picture) override {
        row_.clear();
        for (int y = 0; y < height_; ++y) {
            const auto row = picture.pixels.begin() + static_cast<std::ptrdiff_t>(y) * picture.width * 4;
            row_.insert(row_.end(), row, row + static_cast<std::ptrdiff_t>(width_) * 4);
        }
        for (std::size_t written = 0; written < row_.size();) {
            const ssize_t count = write(pipe_, row_.data() + written, row_.size() - written);
            if (count < 0 && errno == EINTR) {
                continue;
            }
            if (count <= 0) {
                complain();
            }
            written += static_cast<std::size_t>(count);
        }
    }

    void finish() override {
        if (end_of_process() != 0) {
            complain();
        }
        file_.finish();
    }

    const Path& path() const override { return path_; }

  private:
    void start(bool gif, int rate) {
        const std::string size = std::to_string(width_) + "x" + std::to_string(height_);
        std::vector<std::string> words = {"ffmpeg", "-hide_banner", "-loglevel",          "error", "-y",
                                          "-f",     "rawvideo",     "-pixel_format",      "rgba",  "-video_size",
                                          size,     "-framerate",   std::to_string(rate), "-i",    "-"};
        if (gif) { // one palette for the whole film, or its colours flicker
            words.insert(words.end(), {"-filter_complex", "[0:v]split[a][b];[a]palettegen=stats_mode=diff[p];"
                                                          "[b][p]paletteuse=dither=bayer:bayer_scale=3"});
        } else {
            words.insert(words.end(), {"-c:v", "libx264", "-preset", "fast", "-crf", "18", "-pix_fmt", "yuv420p",
                                       "-movflags", "+faststart"});
        }
        // The unfinished file's name does not show its kind.
        words.insert(words.end(), {"-f", gif ? "gif" : "mp4", file_.unfinished().string()});
        std::vector<char*> arguments;
        for (std::string& word : words) {
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);

        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) {
            fail(path_, std::string("no pipe: ") + std::strerror(errno));
        }
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        words_ = memfd_create("what ffmpeg says", MFD_CLOEXEC);
        posix_spawn_file_actions_adddup2(&actions, words_, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
        const int error = posix_spawnp(&process_, "ffmpeg", &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        close(ends[0]);
        if (error != 0) {
            close(ends[1]);
            process_ = 0;
            fail(path_, std::string("ffmpeg could not be started: ") + std::strerror(error));
        }
        pipe_ = ends[1];
    }

    int end_of_process() {
        if (process_ <= 0) {
            return 0;
        }
        close(pipe_);
        int status = 0;
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = 0;
        return status;
    }

    [[noreturn]] void complain() {
        end_of_process();
        std::string said(std::size_t{1} << 16, '\0');
        const ssize_t size = pread(words_, said.data(), said.size(), 0);
        said.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
        std::istringstream words(said);
        std::string line, last = "ffmpeg stopped before the film was complete";
        while (std::getline(words, line)) {
            if (!line.empty()) {
                last = "ffmpeg: " + line;
            }
        }
        if (said.find(std::strerror(ENOSPC)) != std::string::npos) {
            throw core::OutputError(core::Location{path_.string(), 0, 0}, last);
        }
        fail(path_, last);
    }

    static const Path& with_folder(const Path& path) {
        make_folder(path.parent_path());
        return path;
    }

    Path path_;
    core::OutputFile file_;
    int words_ = -1; // what ffmpeg says
    int width_, height_;
    pid_t process_ = 0;
    int pipe_ = -1;
    std::vector<std::uint8_t> row_;
};

} // namespace

bool ffmpeg_is_there() {
    const char* path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "";
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
        if (!folder.empty() && access((Path(folder) / "ffmpeg").c_str(), X_OK) == 0) {
            return true;
        }
    }
    return false;
}

std::unique_ptr<FilmWriter> make_film_writer(FilmKind kind, const Path& stem, int width, int height, int rate) {
    switch (kind) {
    case FilmKind::video:
        return std::make_unique<FfmpegFile>(Path(stem) += ".mp4", false, width, height, rate);
    case FilmKind::gif:
        return std::make_unique<FfmpegFile>(Path(stem) += ".gif", true, width, height, rate);
    case FilmKind::pictures:
        return std::make_unique<PictureFiles>(stem);
    }
    return nullptr;
}

} // namespace cairn::ui
