// A mistake beside the right way.
#pragma once

#include "app/lab/steps/lab_step.h"

#include <string>

namespace cairn::core::lab::known_bugs {

struct KnownBugRuns {
    LabRun bug;          // `failed` is found by comparison with the engine's answer
    LabRun engine;       // the right way, on the same
    std::string verdict; // how the article's version fails, in a sentence; or that it does not here
};

} // namespace cairn::core::lab::known_bugs
