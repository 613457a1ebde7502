#include "app/core/runner/frame_pool.h"

#include <mutex>
#include <utility>
#include <vector>

namespace cairn::core {

using physics::FrameState;

struct FramePool::Shelf {
    std::mutex mutex;
    std::vector<std::unique_ptr<FrameState>> free; // the one let go of last lies on top: it is the most up to date
};

FramePool::FramePool() : shelf_(std::make_shared<Shelf>()) {
}

std::shared_ptr<FrameState> FramePool::take() {
    std::unique_ptr<FrameState> frame;
    {
        const std::lock_guard lock(shelf_->mutex);
        if (!shelf_->free.empty()) {
            frame = std::move(shelf_->free.back());
            shelf_->free.pop_back();
        } else {
            // Every frame that is out may come back, and then there must be room without asking for it.
            shelf_->free.reserve(shelf_->free.capacity() + 1);
        }
    }
    if (!frame) {
        frame = std::make_unique<FrameState>();
    }
    const auto put_back = [shelf = shelf_](FrameState* done) {
        std::unique_ptr<FrameState> back(done);
        const std::lock_guard lock(shelf->mutex);
        shelf->free.push_back(std::move(back));
    };
    return {frame.release(), put_back};
}

} // namespace cairn::core
