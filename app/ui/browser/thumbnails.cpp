#include "app/ui/browser/thumbnails.h"

#include "app/core/base/error.h"
#include "app/core/base/text_hash.h"
#include "app/core/capture/capture.h"
#include "app/core/runner/runner.h"
#include "app/core/scene/scene.h"

#include <cstdint>
#include <system_error>
#include <utility>

namespace cairn::ui {

namespace {

// Grows when pictures of the same scene come to look different.
constexpr std::uint64_t look_version = 1;

std::string name_of(const std::string& content) {
    core::TextHash hash(look_version);
    hash.add(content);
    return core::hash_text(hash.value()) + ".png";
}

} // namespace

Thumbnails::Thumbnails(std::filesystem::path folder) : folder_(std::move(folder)) {
}

Thumbnails::~Thumbnails() {
    if (thread_.joinable()) {
        {
            const std::lock_guard lock(mutex_);
            quit_ = true;
        }
        wake_.notify_one();
        thread_.join();
    }
}

const Thumbnails::Picture& Thumbnails::of(const std::filesystem::path& scene) {
    const auto known = pictures_.find(scene);
    if (known != pictures_.end()) {
        return known->second;
    }
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back({scene, {}, {}});
    }
    if (!thread_.joinable()) {
        thread_ = std::thread([this] { run(); });
    }
    wake_.notify_one();
    return pictures_[scene];
}

void Thumbnails::look_again() {
    std::size_t asked = 0;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [scene, picture] : pictures_) {
            if (picture.status != Status::waiting) {
                tasks_.push_back({scene, {}, {}});
                ++asked;
            }
        }
    }
    if (asked > 0) {
        wake_.notify_one();
    }
}

Thumbnails::Found Thumbnails::find(const std::filesystem::path& scene) const {
    Found found;
    found.scene = scene;
    try {
        const core::Scene content = core::read_scene(scene);
        found.file = folder_ / name_of(core::write_scene(content));
        std::error_code error;
        if (std::filesystem::is_regular_file(found.file, error)) {
            try {
                found.image = render::read_image(found.file);
                if (found.image.width == width && found.image.height == height) {
                    return found;
                }
            } catch (const render::RenderError&) {
                // damaged: drawn again
            }
        }
        core::Runner runner(content);
        found.content = runner.share_current();
        found.camera = content.camera;
    } catch (const std::exception& error) {
        found.problem = error.what();
    }
    return found;
}

void Thumbnails::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return quit_ || !tasks_.empty(); });
        if (quit_) {
            return;
        }
        const Task task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        if (task.image.width > 0) {
            // A picture that cannot be kept is drawn again next time: no reason to bother anyone.
            std::error_code error;
            std::filesystem::create_directories(folder_, error);
            std::filesystem::path part = task.file;
            part += ".part";
            try {
                render::write_png(part, task.image);
                std::filesystem::rename(part, task.file, error);
            } catch (const render::RenderError&) {
                std::filesystem::remove(part, error);
            }
            lock.lock();
            continue;
        }
        Found found = find(task.scene);
        lock.lock();
        found_.push_back(std::move(found));
    }
}

void Thumbnails::work(render::Renderer& renderer, MeshRegistry& meshes) {
    Found found;
    {
        const std::lock_guard lock(mutex_);
        if (found_.empty()) {
            return;
        }
        found = std::move(found_.front());
        found_.pop_front();
    }
    Picture& picture = pictures_[found.scene];
    if (!found.problem.empty()) {
        picture = {Status::failed, {}, found.problem};
        return;
    }
    if (found.content) {
        ViewOptions options;
        options.seconds = -1.0f;
        view_.build(list_, *found.content, *found.content, camera_of(found.camera), meshes, options);
        found.image = renderer.draw_to_image(list_, {width, height, 0.5f});
        found.content.reset();
        meshes.collect();
        ++drawn_;
        {
            // Before what is still to be read, which may take long: a picture that is drawn is not lost.
            const std::lock_guard lock(mutex_);
            tasks_.push_front({{}, found.image, found.file});
        }
        wake_.notify_one();
    }
    picture = {Status::ready, render::PictureTexture(found.image), {}};
}

} // namespace cairn::ui
