#include "app/core/report/pages/table_page.h"

#include "app/core/report/formats/markup.h"
#include "app/core/report/pages/page.h"

namespace cairn::core {

namespace {

// Numbers as numbers, what is not one as text.
Json json_of_cell(const std::string& cell) {
    if (cell.empty()) {
        return nullptr;
    }
    double value = 0.0;
    const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc() && stop == cell.data() + cell.size() ? Json(value) : Json(cell);
}

} // namespace

std::string html_of(const TablePage& page) {
    Json data;
    data["one"] = page.one;
    data["many"] = page.many;
    data["again"] = page.again;
    data["command"] = page.command;
    data["parameters"] = page.parameters;
    data["labels"] = page.labels;
    data["hidden"] = page.hidden;
    data["charts"] = Json::array();
    for (const PageChart& chart : page.charts) {
        Json out;
        out["title"] = chart.title;
        out["note"] = chart.note;
        out["x"] = chart.x;
        out["y"] = chart.y;
        out["colour"] = chart.colour;
        out["log_x"] = chart.log_x;
        out["log_y"] = chart.log_y;
        out["fixed"] = chart.fixed;
        data["charts"].push_back(std::move(out));
    }
    data["columns"] = page.columns;
    data["units"] = page.units;
    data["rows"] = Json::array();
    for (const std::vector<std::string>& cells : page.rows) {
        Json row = Json::array();
        for (std::size_t i = 0; i < page.columns.size(); ++i) {
            row.push_back(page.texts.contains(page.columns[i]) ? Json(cells[i]) : json_of_cell(cells[i]));
        }
        data["rows"].push_back(std::move(row));
    }
    return page_of(page.title,
                   "<h1>" + escaped(page.name) + "</h1>\n<p class=\"facts\">" + escaped(page.facts) +
                       "</p>\n<div id=\"explorer\"></div>",
                   Json{{"table", std::move(data)}});
}

} // namespace cairn::core
