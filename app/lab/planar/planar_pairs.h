// Where pairs of polygons come from: lessons, and files.
#pragma once

#include "app/lab/planar/polygon.h"

#include <string_view>

namespace cairn::core {
class Document;
}

namespace cairn::core::lab::planar {

struct Lesson {
    std::string_view key;   // on the command line: "corner-on-edge"
    std::string_view title; // a few words
    std::string_view about; // what is to be seen, in a sentence
    PlanarPair (*pair)();
};

std::span<const Lesson> all_lessons();

// As many points as a file may give a polygon.
inline constexpr std::size_t most_points = 256;

// {"a": {"polygon": [[x, y], ...], "position": [x, y], "angle": 0.3}, "b": {...}}: metres and radians; position and
// angle may be left out, and are zero then. The points are made convex. Throws InputError, located in the document.
PlanarPair read_planar_pair(const Document& document);

// The same from a text that is called `name` in errors.
PlanarPair planar_pair_from_text(std::string_view text, const std::string& name);

} // namespace cairn::core::lab::planar
