// Tables for people: Markdown that is aligned, so that it reads well on a terminal, too.
#pragma once

#include <string>
#include <vector>

namespace cairn::cli {

using TableRow = std::vector<std::string>;

// The first row is the head. The first column stands to the left, all others to the right. Rows may be short.
std::string markdown_table(const std::vector<TableRow>& rows);

// printf for one number, as "%.1f".
std::string number_text(const char* format, double value);
// Three significant digits without an exponent, as times are read: 0.123, 1.23, 12.3, 123, 1234.
std::string time_text(double value);

} // namespace cairn::cli
