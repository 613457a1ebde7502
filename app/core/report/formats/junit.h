// Outcomes of checks in the XML that JUnit made common, which build servers read.
#pragma once

#include <string>
#include <vector>

namespace cairn::core {

struct JunitCase {
    std::string name;
    double seconds = 0.0;
    std::string error;                // why it could not be checked; empty: it was
    std::string failure;              // why it failed; empty: it passed
    std::vector<std::string> details; // lines under the failure
};

// The whole file. `suite` is its name for people, `class_name` what all cases belong to, with dots as in Java.
std::string junit_file(const std::string& suite, const std::string& class_name, const std::vector<JunitCase>& cases);

} // namespace cairn::core
