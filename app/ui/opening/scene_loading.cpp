#include "app/ui/opening/scene_loading.h"

#include "app/core/base/error.h"
#include "app/core/scene/scene.h"
#include "app/core/workers/breakable_executor.h"
#include "app/core/workers/interruptible_executor.h"
#include "app/core/workers/worker_pool.h"

#include <utility>

namespace cairn::ui {

SceneLoading::SceneLoading(std::filesystem::path path) : path_(std::move(path)) {
    thread_ = std::thread([this] {
        try {
            const auto workers = core::make_worker_pool(0);
            core::InterruptibleExecutor interruptible(*workers);
            core::BreakableExecutor executor(&interruptible);
            const core::BreakableExecutor::BreakOff break_off(executor, given_up_);
            core::SceneReading how;
            how.executor = &executor;
            how.progress = [this](double now) { share_ = now; };
            promise_.set_value(core::read_scene(path_, files_, how));
        } catch (const core::BreakableExecutor::BrokenOff&) {
            promise_.set_exception(
                std::make_exception_ptr(core::InputError(path_.filename().string() + " was not opened")));
        } catch (...) {
            promise_.set_exception(std::current_exception());
        }
    });
}

SceneLoading::~SceneLoading() {
    give_up();
    thread_.join();
}

bool SceneLoading::wait(std::chrono::milliseconds longest) const {
    return result_.wait_for(longest) == std::future_status::ready;
}

core::Scene SceneLoading::take(std::vector<std::filesystem::path>& files) {
    result_.wait();
    files = files_;
    return result_.get();
}

core::Scene take_patiently(SceneLoading& loading, std::vector<std::filesystem::path>& files, const ShowProgress& show) {
    const std::string what = "Opening " + loading.path().filename().string() + ": finding convex hulls of its meshes";
    bool ready = loading.wait(shown_after);
    while (show && !ready) {
        if (!show(what, loading.share())) {
            loading.give_up();
        }
        ready = loading.wait(std::chrono::milliseconds(30));
    }
    return loading.take(files);
}

} // namespace cairn::ui
