// Values of the kinds that scenes are made of, out of a document, each checked and rejected with its place.
#pragma once

#include "app/core/scene/json/document.h"
#include "app/core/scene/values/scene_keys.h"
#include "physics/base/colour.h"

#include <optional>
#include <string>
#include <string_view>

namespace cairn::core {

// `what` names the value in complaints, as its key does: friction, gravity, ...
float read_number(const Document& document, const Node& node, std::string_view what, const Range& range);
std::int64_t read_integer(const Document& document, const Node& node, std::string_view what, std::int64_t min,
                          std::int64_t max);
bool read_boolean(const Document& document, const Node& node, std::string_view what);
std::string read_string(const Document& document, const Node& node, std::string_view what);
physics::Vec3 read_vector(const Document& document, const Node& node, std::string_view what, const Range& range);

// [w, x, y, z] of any nonzero length. A quaternion that is already of unit length up to rounding keeps its bits, so
// that what Cairn wrote comes back exactly; any other is normalised.
physics::Quat read_orientation(const Document& document, const Node& node, std::string_view what);

// "#rrggbb", or "automatic": none.
std::optional<physics::Colour> read_colour(const Document& document, const Node& node, std::string_view what);

// The entries of a list; rejects anything but an array. `of` names what they are.
Children expect_list(const Document& document, const Node& node, std::string_view what, std::string_view of);

// Shortest decimal that reads back as the same float.
std::string float_text(float value);

} // namespace cairn::core
