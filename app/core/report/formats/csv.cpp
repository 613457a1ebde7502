#include "app/core/report/formats/csv.h"

namespace cairn::core {

void append_cell(std::string& line, std::string_view cell) {
    if (!line.empty()) {
        line += ',';
    }
    if (cell.find_first_of(",\"\n\r") == std::string_view::npos) {
        line += cell;
        return;
    }
    line += '"';
    for (const char c : cell) {
        line.append(c == '"' ? 2 : 1, c);
    }
    line += '"';
}

} // namespace cairn::core
