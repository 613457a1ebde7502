#include "app/cli/output/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace cairn::cli {
namespace {

// Characters, not bytes: names come from files.
std::size_t length(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }));
}

} // namespace

std::string markdown_table(const std::vector<TableRow>& rows) {
    std::vector<std::size_t> widths;
    for (const TableRow& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], length(row[i]));
        }
    }
    std::string out;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        out += '|';
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const std::string cell = i < rows[r].size() ? rows[r][i] : "";
            const std::size_t pad = widths[i] - length(cell);
            out += ' ';
            out.append(i == 0 ? 0 : pad, ' ');
            out += cell;
            out.append(i == 0 ? pad : 0, ' ');
            out += " |";
        }
        out += '\n';
        if (r == 0) {
            out += '|';
            for (std::size_t i = 0; i < widths.size(); ++i) {
                out += i == 0 ? std::string(widths[i] + 2, '-') + '|' : std::string(widths[i] + 1, '-') + ":|";
            }
            out += '\n';
        }
    }
    return out;
}

std::string number_text(const char* format, double value) {
    std::array<char, 64> out{};
    std::snprintf(out.data(), out.size(), format, value);
    return out.data();
}

std::string time_text(double value) {
    const double size = std::abs(value);
    return number_text(size < 1.0 ? "%.3f" : size < 10.0 ? "%.2f" : size < 100.0 ? "%.1f" : "%.0f", value);
}

} // namespace cairn::cli
