#include "app/core/base/interruption.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace cairn::core {
namespace {

std::atomic<int> noted{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler writes it");

extern "C" void note_signal(int signal) {
    noted.store(signal, std::memory_order_relaxed);
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    // The first one is noted; the second one has its usual effect. Calls that wait are ended by it.
    action.sa_flags = handler == SIG_DFL ? 0 : static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &action, nullptr);
}

} // namespace

InterruptionGuard::InterruptionGuard() {
    noted = 0;
    handle(SIGINT, note_signal);
    handle(SIGTERM, note_signal);
}

InterruptionGuard::~InterruptionGuard() {
    handle(SIGINT, SIG_DFL);
    handle(SIGTERM, SIG_DFL);
}

int interruption() {
    return noted.load(std::memory_order_relaxed);
}

void interruption_point() {
    if (const int signal = interruption(); signal != 0) {
        throw Interrupted{signal};
    }
}

void end_by_signal(int signal) {
    std::fflush(nullptr);
    handle(signal, SIG_DFL);
    ::raise(signal);
    std::_Exit(128 + signal); // where the signal is blocked
}

} // namespace cairn::core
