// Text within HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace cairn::core {

// So that it stands for itself, also between double quotes and over the end of a line. Control characters, which
// XML 1.0 does not have even escaped, become '?', and so does each byte that is not UTF-8.
std::string escaped(std::string_view text);

} // namespace cairn::core
