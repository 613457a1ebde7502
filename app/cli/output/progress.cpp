#include "app/cli/output/progress.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace cairn::cli {
namespace {

constexpr int bar_width = 40; // characters
constexpr std::chrono::milliseconds interval{100};

} // namespace

Progress::Progress(std::string label, bool quiet)
    : label_(std::move(label)),
      terminal_(!quiet && ::isatty(STDERR_FILENO) == 1),
      last_(std::chrono::steady_clock::now()) {
}

Progress::~Progress() {
    wipe();
}

void Progress::show(double share) {
    if (!terminal_) {
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < interval) {
        return;
    }
    last_ = now;
    drawn_ = true;
    const double clamped = std::clamp(share, 0.0, 1.0);
    const int full = static_cast<int>(clamped * bar_width);
    const std::string bar =
        std::string(static_cast<std::size_t>(full), '#') + std::string(static_cast<std::size_t>(bar_width - full), '.');
    std::fprintf(stderr, "\r%s [%s] %3d %%", label_.c_str(), bar.c_str(), static_cast<int>(clamped * 100.0));
    std::fflush(stderr);
}

void Progress::wipe() {
    if (drawn_) {
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
        drawn_ = false;
    }
}

} // namespace cairn::cli
