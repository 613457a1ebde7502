// The command line, see `cairn --help`.
#pragma once

#include <functional>

namespace cairn::cli {

// Runs the program and returns its exit code, see app/cli/options/verbs.h. Never throws.
int run(int argc, char** argv);

// The exit code that `work` returns, or of what it throws, which is reported as one line. Never throws.
int run_guarded(const std::function<int()>& work);

} // namespace cairn::cli
