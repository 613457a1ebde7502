#include "app/core/capture/capture.h"
#include "app/core/capture/verify/verification.h"

namespace cairn::core {

std::string hash_text(std::uint64_t hash) {
    std::string text(16, '0');
    for (std::size_t i = 16; i-- > 0; hash >>= 4) {
        text[i] = "0123456789abcdef"[hash & 15];
    }
    return text;
}

Divergence divergence_at(std::uint64_t step, std::uint64_t expected, std::uint64_t found, const std::string& cause) {
    Divergence divergence{step, expected, found, {}};
    divergence.what = "DIVERGED at step " + std::to_string(step) + ": expected " + hash_text(expected) + ", found " +
                      hash_text(found);
    if (!cause.empty()) {
        divergence.what += " (" + cause + ')';
    }
    return divergence;
}

std::optional<Divergence> verify_capture(const Capture& capture, physics::Executor* executor,
                                         const std::function<void(double)>& progress) {
    return verify(capture, {std::nullopt, executor, progress}).divergence;
}

} // namespace cairn::core
