// Text within HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace cairn::core {

// So that it stands for itself, also between double quotes and over the end of a line. Control characters, which
// XML 1.0 does not have even escaped, become '?'.
std::string escaped(std::string_view text);

} // namespace cairn::core
