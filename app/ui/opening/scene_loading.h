// A scene that is read on a thread of its own, since finding the convex hulls of its meshes may take many seconds.
#pragma once

#include "app/core/scene/scene.h"
#include "app/ui/context/parts.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace cairn::ui {

class SceneLoading {
  public:
    explicit SceneLoading(std::filesystem::path path);
    ~SceneLoading(); // gives it up
    SceneLoading(const SceneLoading&) = delete;
    SceneLoading& operator=(const SceneLoading&) = delete;

    const std::filesystem::path& path() const { return path_; }
    // Whether it has been read by then, or cannot be.
    bool wait(std::chrono::milliseconds longest) const;
    double share() const { return share_; } // 0..1, of the mesh whose hulls are being found
    void give_up() { given_up_ = true; }
    // Waits for it. As core::read_scene, and core::InputError where it was given up.
    core::Scene take(std::vector<std::filesystem::path>& files);

  private:
    std::filesystem::path path_;
    std::atomic<double> share_{0.0};
    std::atomic<bool> given_up_{false};
    std::vector<std::filesystem::path> files_; // of the thread until it is done
    std::promise<core::Scene> promise_;
    std::future<core::Scene> result_ = promise_.get_future();
    std::thread thread_; // last: it uses all of the above
};

// Shows what takes its time, and for how much longer. False: whoever looks does not want to wait.
using ShowProgress = std::function<bool(const std::string& what, double share)>;

// What the window shows while a scene is read. Not set: nothing.
struct LoadingPicture : Part {
    ShowProgress show;
};

// The open scene, whose file has changed on disk, while it is read again: the world goes on until it has been.
struct Rereading : Part {
    std::unique_ptr<SceneLoading> loading; // none: nothing is read
    std::filesystem::path changed;         // the file that has, of those that the scene is made of
    std::filesystem::file_time_type time;  // at which it had been written when the reading began

    void world_replaced(Context&, WorldChange) override { loading.reset(); }
};

// What does not take long is not shown.
inline constexpr std::chrono::milliseconds shown_after{300};
core::Scene take_patiently(SceneLoading& loading, std::vector<std::filesystem::path>& files, const ShowProgress& show);

} // namespace cairn::ui
