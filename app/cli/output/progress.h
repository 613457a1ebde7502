// A progress bar on standard error while it is a terminal; nothing at all when it is piped.
#pragma once

#include <chrono>
#include <string>

namespace cairn::cli {

class Progress {
  public:
    explicit Progress(std::string label, bool quiet = false); // `quiet`: never drawn
    ~Progress();                                              // wipes the bar
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(double share); // 0..1; draws at most ten times a second
    void wipe();

  private:
    std::string label_;
    bool terminal_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point last_;
};

} // namespace cairn::cli
