// What is not saved yet, kept on the disk every few seconds, so that it survives the end of the program; and found
// again by the next one.
#pragma once

#include "app/core/scene/scene.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

namespace cairn::ui {

class Autosave {
  public:
    static constexpr double every = 5.0; // s, between two writings

    // Files go into `folder`, which is made when it is needed.
    explicit Autosave(std::filesystem::path folder);
    ~Autosave(); // waits for the writing; the file stays if there is one
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    // Whether the work of this version is due to be written; `now`, s.
    bool due(std::uint64_t version, double now) const;
    // Writes on a thread of its own what `scene` makes there. `of`: the file that the scene is to be saved to, or none.
    void write(std::uint64_t version, double now, const std::filesystem::path& of, std::function<core::Scene()> scene);
    // There is nothing to keep any more.
    void forget();
    // Why the last writing failed, once.
    std::optional<std::string> take_problem();

    struct Found {
        std::filesystem::path file; // of the lost work
        std::filesystem::path of;   // that it was to be saved to; empty: none
        std::filesystem::file_time_type time;
    };
    // What programs that are no more have left, the newest first.
    std::vector<Found> left_behind() const;

  private:
    std::filesystem::path folder_, file_;
    std::future<std::string> writing_; // gives what went wrong, or nothing
    bool written_ = false;             // there is a file of ours
    std::uint64_t version_ = 0;
    double at_ = -every;
};

} // namespace cairn::ui
