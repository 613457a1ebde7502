#include "app/ui/document/autosave.h"

#include "app/core/base/files/text_file.h"
#include "app/core/scene/rewrite/scene_rewrite.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <exception>
#include <fstream>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cairn::ui {

namespace {

namespace fs = std::filesystem;

// The first line of a file, a comment of the scene.
constexpr std::string_view heading = "// Unsaved work of: ";

bool lives(pid_t process) {
    return ::kill(process, 0) == 0 || errno == EPERM;
}

} // namespace

Autosave::Autosave(fs::path folder)
    : folder_(std::move(folder)), file_(folder_ / (std::to_string(::getpid()) + ".json")) {
}

Autosave::~Autosave() {
    if (writing_.valid()) {
        writing_.wait();
    }
}

bool Autosave::due(std::uint64_t version, double now) const {
    const bool busy = writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
    return !busy && now >= at_ + every && (!written_ || version != version_);
}

void Autosave::write(std::uint64_t version, double now, const fs::path& of, std::function<core::Scene()> scene) {
    version_ = version;
    at_ = now;
    written_ = true;
    writing_ = std::async(std::launch::async, [folder = folder_, file = file_, of, scene = std::move(scene)] {
        try {
            fs::create_directories(folder);
            std::string text(heading);
            text.append(of.string()).append("\n").append(core::fresh_scene_text(scene(), {}).text);
            core::replace_file(file, text);
            return std::string();
        } catch (const std::exception& error) {
            return std::string(error.what());
        }
    });
}

void Autosave::forget() {
    if (writing_.valid()) {
        writing_.wait();
    }
    if (std::exchange(written_, false)) {
        std::error_code ignored;
        fs::remove(file_, ignored);
    }
}

std::optional<std::string> Autosave::take_problem() {
    if (!writing_.valid() || writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
        return std::nullopt;
    }
    std::string problem = writing_.get();
    return problem.empty() ? std::nullopt : std::optional(std::move(problem));
}

std::vector<Autosave::Found> Autosave::left_behind() const {
    std::vector<Found> found;
    std::error_code error;
    for (fs::directory_iterator at(folder_, error); !error && at != fs::directory_iterator(); at.increment(error)) {
        const fs::path& path = at->path();
        const std::string stem = path.stem().string();
        pid_t process = 0;
        const auto [end, wrong] = std::from_chars(stem.data(), stem.data() + stem.size(), process);
        const bool ours = path.extension() == ".json" && wrong == std::errc() && end == stem.data() + stem.size();
        // Another program that runs looks after its own; a file of this number is of one before.
        if (!ours || process <= 0 || (process == ::getpid() ? written_ : lives(process))) {
            continue;
        }
        std::ifstream in(path);
        std::string line;
        std::getline(in, line);
        if (line.starts_with(heading)) {
            found.push_back({path, line.substr(heading.size()), fs::last_write_time(path, error)});
        }
    }
    std::ranges::sort(found, std::ranges::greater{}, &Found::time);
    return found;
}

} // namespace cairn::ui
