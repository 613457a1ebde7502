// The comparison as a table: CSV for programs, a page with charts for people. docs/results/lab-comparison.md has the
// columns.
#pragma once

#include "app/lab/comparison/comparison.h"

#include <string>
#include <vector>

namespace cairn::core::lab {

// CSV (RFC 4180) with a line of names. Numbers are in their shortest form, times rounded to four digits; what a row
// does not have is left empty.
std::string comparison_csv(const std::vector<ComparisonRow>& rows);

// One file that needs nothing else: time over vertices, time by algorithm, the table. `about` is what was compared: the
// name of a file. Throws InputError when the program's own files are not where they belong.
std::string comparison_html(const std::vector<ComparisonRow>& rows, const std::string& about);

} // namespace cairn::core::lab
