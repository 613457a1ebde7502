// Ten mistakes that published implementations of these algorithms make, as versions to run beside the engine's own:
// each written out as it is made, reporting its steps, on a pose on which it goes wrong. The engine has none of them.
#pragma once

#include "app/lab/known_bugs/support/runs.h"

#include <optional>
#include <span>
#include <string_view>

namespace cairn::core::lab::known_bugs {

// What a version is run on.
enum class Takes : std::uint8_t {
    any_pair,    // at the start of its sweeps
    moving_pair, // any pair with a duration
    points,      // one body made of these points, and only those of the preset
};

struct KnownBug {
    int number;                 // 1 to 10
    std::string_view key;       // on the command line: "gjk-unused-slots"
    std::string_view title;     // a few words
    std::string_view wrong;     // what the article does, in one or two sentences
    std::string_view right;     // what the engine does instead
    std::string_view algorithm; // of the lab, to which it belongs (algorithms.h), or hull or mass
    Takes takes;
    // What it is run on, and how: of a pair or of points, the others are null.
    LabPair (*pair)() = nullptr;
    LabRun (*on_pair)(const LabPair& pair) = nullptr;
    std::vector<physics::Vec3> (*points)() = nullptr;
    KnownBugRuns (*on_points)(const std::vector<physics::Vec3>& points) = nullptr;
};

// By number.
std::span<const KnownBug> all_known_bugs();

// On the input on which the version is known to fail.
KnownBugRuns run_preset(const KnownBug& bug);

// That input: the pair, or the points (m, of one body, in its author's frame). The article must take such.
LabPair preset_pair(const KnownBug& bug);
std::vector<physics::Vec3> preset_points(const KnownBug& bug);

// Why it cannot be run on this pair, in words; nothing if it can.
std::optional<std::string> rejection(const KnownBug& bug, const LabPair& pair);

// On any other. Throws std::invalid_argument where rejection() has something to say, where the article takes no points,
// and where the engine takes no such points for a body.
KnownBugRuns run_on_pair(const KnownBug& bug, const LabPair& pair);
KnownBugRuns run_on_points(const KnownBug& bug, const std::vector<physics::Vec3>& points);

} // namespace cairn::core::lab::known_bugs
