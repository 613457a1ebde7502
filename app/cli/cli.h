// The command line, see `cairn --help`.
#pragma once

namespace cairn::cli {

// Runs the program and returns its exit code, see app/cli/verbs.h. Never throws.
int run(int argc, char** argv);

} // namespace cairn::cli
