// Tables as text: CSV (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace cairn::core {

// Adds a cell to the line, between double quotes where its text needs them. The first cell of a line must not be empty:
// by that the line is seen to begin.
void append_cell(std::string& line, std::string_view cell);

} // namespace cairn::core
