// Ctrl-C and the request to terminate, for work that is to end properly instead of in the middle of a file.
#pragma once

namespace cairn::core {

// While one of these lives, SIGINT and SIGTERM do not end the program but are noted. A second one ends it at once.
class InterruptionGuard {
  public:
    InterruptionGuard();
    ~InterruptionGuard();
    InterruptionGuard(const InterruptionGuard&) = delete;
    InterruptionGuard& operator=(const InterruptionGuard&) = delete;
};

// The number of the signal that was noted; 0: none was.
int interruption();

// Thrown by interruption_point() so that everything unfinished is cleared away. No error: nothing is printed for it.
struct Interrupted {
    int signal = 0;
};
void interruption_point();

// Ends the program by the signal, as if it had never been noted: so callers (a shell loop, make, a build server) see
// that it was interrupted, and stop, too.
[[noreturn]] void end_by_signal(int signal);

} // namespace cairn::core
