// What the measuring verbs have in common: which scenes, and where the figures go.
#pragma once

#include "app/cli/options/verbs.h"
#include "app/core/bench_scenes/bench_scenes.h"
#include "app/core/report/formats/json.h"

#include <string>
#include <vector>

namespace cairn::cli {

// Finds out before minutes of measuring, not after, that a file cannot be written. Throws InputError.
void check_writable(const Path& file);

// The JSON goes where it was asked for ("-" is the standard output, empty nowhere); the tables to the standard output,
// if that is still free. Throws InputError.
void deliver(const Path& file, const core::Json& json, const std::string& tables);

// Files of the scenes that come with the program.
std::vector<Path> shipped_scenes();

// All scenes that are named; every one of the files can be simulated. Throws InputError.
std::vector<core::SceneToMeasure> read_scenes(const std::vector<Path>& given);

} // namespace cairn::cli
