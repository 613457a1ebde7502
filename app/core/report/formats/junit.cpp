#include "app/core/report/formats/junit.h"

#include "app/core/report/formats/markup.h"

#include <charconv>

namespace cairn::core {
namespace {

// With three decimals, as the schema of build servers has it.
std::string seconds_text(double seconds) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, seconds, std::chars_format::fixed, 3).ptr;
    return {text, end};
}

std::string element_of(const JunitCase& one, const std::string& class_name) {
    std::string out = "    <testcase classname=\"" + escaped(class_name) + "\" name=\"" + escaped(one.name) +
                      "\" time=\"" + seconds_text(one.seconds) + '"';
    if (!one.error.empty()) {
        return out + ">\n      <error message=\"" + escaped(one.error) + "\"/>\n    </testcase>\n";
    }
    if (one.failure.empty()) {
        return out + "/>\n";
    }
    out += ">\n      <failure message=\"" + escaped(one.failure) + "\">";
    for (const std::string& line : one.details) {
        out += escaped(line) + '\n';
    }
    return out + "</failure>\n    </testcase>\n";
}

} // namespace

std::string junit_file(const std::string& suite, const std::string& class_name, const std::vector<JunitCase>& cases) {
    std::size_t failures = 0, errors = 0;
    double seconds = 0.0;
    std::string elements;
    for (const JunitCase& one : cases) {
        errors += one.error.empty() ? 0 : 1;
        failures += one.error.empty() && !one.failure.empty() ? 1 : 0;
        seconds += one.seconds;
        elements += element_of(one, class_name);
    }
    const std::string counts = "tests=\"" + std::to_string(cases.size()) + "\" failures=\"" + std::to_string(failures) +
                               "\" errors=\"" + std::to_string(errors) + "\" time=\"" + seconds_text(seconds) + '"';
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " + counts + ">\n  <testsuite name=\"" +
           escaped(suite) + "\" " + counts + ">\n" + elements + "  </testsuite>\n</testsuites>\n";
}

} // namespace cairn::core
