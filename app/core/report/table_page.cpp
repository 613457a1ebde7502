#include "app/core/report/table_page.h"

#include "app/core/base/error.h"
#include "app/core/base/text_file.h"
#include "app/core/report/json.h"
#include "app/core/scene/scene.h"

namespace cairn::core {

namespace {

// The page's own file has this where the data goes.
constexpr std::string_view data_place = "/*DATA*/null";

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
    data["title"] = page.title;
    data["name"] = page.name;
    data["facts"] = page.facts;
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
    std::string json = data.dump(-1, ' ', true, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3) {
        json.insert(at + 1, 1, '\\'); // the text must not end the script that it stands in
    }
    const std::filesystem::path path = data_folder() / "assets" / "pages" / "table.html";
    std::string html = read_whole_file(path);
    const std::size_t at = html.find(data_place);
    if (at == std::string::npos) {
        throw InputError(Location{path.string(), 0, 0},
                         "has no data_place for the data: it is not the page that came with "
                         "this program");
    }
    return html.replace(at, data_place.size(), json);
}

} // namespace cairn::core
