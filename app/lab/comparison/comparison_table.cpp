#include "app/lab/comparison/comparison_table.h"

#include "app/core/base/joined_words.h"
#include "app/core/capture/capture.h"
#include "app/core/report/formats/csv.h"
#include "app/core/report/formats/number_text.h"
#include "app/core/report/pages/table_page.h"

#include <algorithm>
#include <set>

namespace cairn::core::lab {

namespace {

using Growths = std::vector<Growth>;

template <class Number>
std::string number(const std::optional<Number>& value) {
    return value ? number_text(*value) : std::string();
}

// Queries answer in single precision: as a double, a distance would show digits that mean nothing. The sum makes 0 of
// -0, which reads as if it were a depth.
std::string single(const std::optional<double>& value) {
    return value ? number_text(static_cast<float>(*value) + 0.0f) : std::string();
}

std::string time(double us) {
    return short_number(us, 4);
}

bool in_growth(const ComparisonRow& row) {
    return !row.placing.empty();
}

std::string exponent(const ComparisonRow& row, const Growths& growths) {
    const auto at = std::ranges::find_if(growths, [&](const Growth& growth) {
        return growth.algorithm == row.algorithm && growth.placing == row.placing;
    });
    return in_growth(row) && row.rejection.empty() && at != growths.end() ? short_number(at->exponent) : std::string();
}

enum class What : std::uint8_t {
    parameter, // says what the row is about
    figure,    // what it came to
    label,     // neither: words
};

struct Column {
    std::string_view name, unit; // of a number that has none: empty
    What what;
    std::string (*cell)(const ComparisonRow&, const Growths&); // empty: the row has no such value
};

template <std::string (*text)(const ComparisonRow&)>
std::string answered(const ComparisonRow& row, const Growths&) {
    return row.rejection.empty() ? text(row) : std::string();
}

constexpr Column table_columns[] = {
    {"set", "", What::parameter,
     [](const ComparisonRow& row, const Growths&) { return std::string(in_growth(row) ? "growth" : "pairs"); }},
    {"pair", "", What::parameter, [](const ComparisonRow& row, const Growths&) { return row.pair; }},
    {"placing", "", What::parameter, [](const ComparisonRow& row, const Growths&) { return row.placing; }},
    {"algorithm", "", What::parameter,
     [](const ComparisonRow& row, const Growths&) { return std::string(name_of(row.algorithm)); }},
    {"vertices", "", What::parameter, [](const ComparisonRow& row, const Growths&) { return number(row.vertices()); }},
    {"shape_a", "", What::label, [](const ComparisonRow& row, const Growths&) { return std::string(row.shape_a); }},
    {"shape_b", "", What::label, [](const ComparisonRow& row, const Growths&) { return std::string(row.shape_b); }},
    {"vertices_a", "", What::figure, [](const ComparisonRow& row, const Growths&) { return number(row.vertices_a); }},
    {"vertices_b", "", What::figure, [](const ComparisonRow& row, const Growths&) { return number(row.vertices_b); }},
    {"build_us", "us", What::figure, [](const ComparisonRow& row, const Growths&) { return time(row.build.median); }},
    {"build_spread_us", "us", What::figure,
     [](const ComparisonRow& row, const Growths&) { return time(row.build.spread); }},
    {"query_us", "us", What::figure, answered<[](const ComparisonRow& row) { return time(row.query.median); }>},
    {"query_spread_us", "us", What::figure, answered<[](const ComparisonRow& row) { return time(row.query.spread); }>},
    {"iterations", "", What::figure, answered<[](const ComparisonRow& row) { return number_text(row.iterations); }>},
    {"status", "", What::label, answered<[](const ComparisonRow& row) { return std::string(row.status); }>},
    {"distance", "m", What::figure, answered<[](const ComparisonRow& row) { return single(row.distance); }>},
    {"toi", "s", What::figure, answered<[](const ComparisonRow& row) { return single(row.impact); }>},
    {"exponent", "", What::figure, exponent},
    {"refusal", "", What::label, [](const ComparisonRow& row, const Growths&) { return row.rejection; }},
};

std::vector<std::string> cells_of(const ComparisonRow& row, const Growths& growths) {
    std::vector<std::string> cells;
    cells.reserve(std::size(table_columns));
    for (const Column& column : table_columns) {
        cells.push_back(column.cell(row, growths));
    }
    return cells;
}

// "gjk_epa 0.25, sat 0.69"
std::string exponents_at(const Growths& growths, std::string_view placing) {
    std::string out;
    for (const Growth& growth : growths) {
        if (growth.placing == placing) {
            out += (out.empty() ? "" : ", ") + std::string(name_of(growth.algorithm)) + ' ' +
                   short_number(growth.exponent, 2);
        }
    }
    return out;
}

std::string note_of(const Growths& growths) {
    std::vector<std::string> placings;
    for (const Growth& growth : growths) {
        if (std::ranges::find(placings, growth.placing) == placings.end()) {
            placings.push_back(growth.placing);
        }
    }
    std::string out = "Exponents of time over vertices.";
    for (const std::string& placing : placings) {
        out += ' ' + (placing.empty() ? std::string("All placings") : placing) + ": " + exponents_at(growths, placing) +
               '.';
    }
    return out;
}

} // namespace

std::string comparison_csv(const std::vector<ComparisonRow>& rows) {
    const Growths growths = growth_of(rows);
    std::string out = joined_words(table_columns, &Column::name, ",") + '\n';
    for (const ComparisonRow& row : rows) {
        std::string line;
        for (const std::string& cell : cells_of(row, growths)) {
            append_cell(line, cell);
        }
        out += line + '\n';
    }
    return out;
}

std::string comparison_html(const std::vector<ComparisonRow>& rows, const std::string& about) {
    constexpr std::size_t named_pairs = 8; // that colours tell apart
    const Growths growths = growth_of(rows);
    TablePage page;
    page.name = "Algorithms compared: " + about;
    page.title = page.name;
    page.one = "row";
    page.many = "rows";
    for (const Column& column : table_columns) {
        const std::string name(column.name);
        page.columns.push_back(name);
        if (!column.unit.empty()) {
            page.units.emplace(name, column.unit);
        }
        if (column.what == What::parameter) {
            page.parameters.push_back(name);
        } else if (column.what == What::label) {
            page.labels.insert(name);
        }
    }
    page.texts = {"pair"}; // the name that a file gives may look like a number
    std::set<std::string> pairs;
    bool grown = false;
    for (const ComparisonRow& row : rows) {
        page.rows.push_back(cells_of(row, growths));
        if (in_growth(row)) {
            grown = true;
        } else {
            pairs.insert(row.pair);
        }
    }
    page.facts = std::to_string(rows.size()) + " rows, " + std::to_string(pairs.size()) +
                 " pairs by name, times of one thread in microseconds, " + build_name();
    if (grown) {
        PageChart& chart = page.charts.emplace_back();
        chart.title = "Time over vertices";
        chart.note = note_of(growths);
        chart.x = "vertices";
        chart.y = "query_us";
        chart.colour = "algorithm";
        chart.log_x = chart.log_y = true;
        chart.fixed = {{"set", "growth"}, {"placing", "overlapping"}};
    }
    if (!pairs.empty()) {
        PageChart& chart = page.charts.emplace_back();
        chart.title = "Time by algorithm";
        chart.x = "algorithm";
        chart.y = "query_us";
        chart.colour = pairs.size() <= named_pairs ? "pair" : "";
        chart.log_y = true;
        chart.fixed = {{"set", "pairs"}};
    }
    return html_of(page);
}

} // namespace cairn::core::lab
