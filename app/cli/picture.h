// Pictures without a window, for the verbs that make them.
#pragma once

#include "app/cli/verbs.h"
#include "app/core/runner/runner.h"

namespace cairn::cli {

// The runner's present state as a PNG, from its scene's camera. Throws core::MachineError where there is no OpenGL, or
// where the program was built without it.
void write_picture(const core::Runner& runner, const Path& out, const Size& size,
                   const std::vector<std::string>& layers, int msaa);

} // namespace cairn::cli
