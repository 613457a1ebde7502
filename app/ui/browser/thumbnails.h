// Small pictures of scenes. A thread of their own reads the scenes and keeps the pictures on disk; the main thread
// draws those that are not there yet, one at a time, when it has nothing better to do.
#pragma once

#include "app/ui/view/mesh_registry.h"
#include "app/ui/view/scene_view.h"
#include "render/picture_texture.h"
#include "render/renderer.h"

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace cairn::ui {

class Thumbnails {
  public:
    static constexpr int width = 320, height = 180; // pixels

    // Pictures are kept in `folder`, named by the content of their scenes: includes and meshes count, so that a picture
    // is always of what the file holds now.
    explicit Thumbnails(std::filesystem::path folder);
    ~Thumbnails(); // waits for what the thread is doing
    Thumbnails(const Thumbnails&) = delete;
    Thumbnails& operator=(const Thumbnails&) = delete;

    enum class Status { waiting, ready, failed };
    struct Picture {
        Status status = Status::waiting;
        render::PictureTexture texture;
        std::string problem; // of a file that cannot be read
    };
    // Asks for it if nobody has yet.
    const Picture& of(const std::filesystem::path& scene);
    // All are looked at again: files may have changed.
    void look_again();

    // Once a frame, with the context current: takes over what the thread has found, and draws at most one picture.
    void work(render::Renderer& renderer, MeshRegistry& meshes);

    int drawn() const { return drawn_; } // not taken from the disk, since the start

  private:
    struct Found { // by the thread
        std::filesystem::path scene;
        render::Image image;                                // from the disk; or...
        std::shared_ptr<const physics::FrameState> content; // ...what is to be drawn...
        core::SceneCamera camera;
        std::filesystem::path file; // ...and where it is to be kept
        std::string problem;        // or why neither
    };
    struct Task {
        std::filesystem::path scene; // to be read; or...
        render::Image image;         // ...to be written to...
        std::filesystem::path file;
    };
    void run();
    Found find(const std::filesystem::path& scene) const;

    const std::filesystem::path folder_;
    std::map<std::filesystem::path, Picture> pictures_;
    SceneView view_;
    render::DrawList list_;
    int drawn_ = 0;

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Task> tasks_;
    std::deque<Found> found_;
    bool quit_ = false;
    std::thread thread_; // last: it uses all of the above
};

} // namespace cairn::ui
