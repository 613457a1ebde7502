#include "app/core/workers/breakable_executor.h"

namespace cairn::core {

void BreakableExecutor::parallel_for(std::size_t count, std::size_t grain, const Block& block) {
    if (flag_ == nullptr) {
        inner_.parallel_for(count, grain, block);
        return;
    }
    inner_.parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
        if (!raised()) {
            block(begin, end);
        }
    });
    check();
}

void BreakableExecutor::run_stages(std::span<const std::uint32_t> needs, std::size_t parts, const Stage& task) {
    if (flag_ == nullptr) {
        inner_.run_stages(needs, parts, task);
        return;
    }
    inner_.run_stages(needs, parts, [&](std::size_t stage, std::size_t part) {
        if (!raised()) {
            task(stage, part);
        }
    });
    check();
}

void BreakableExecutor::check() {
    if (flag_ != nullptr && raised()) {
        throw BrokenOff();
    }
}

} // namespace cairn::core
