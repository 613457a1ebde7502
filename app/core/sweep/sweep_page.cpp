#include "app/core/base/error.h"
#include "app/core/base/text_file.h"
#include "app/core/capture/capture.h"
#include "app/core/report/json.h"
#include "app/core/sweep/sweep_table.h"

namespace cairn::core {

namespace {

// The page's own file has this where the data goes.
constexpr std::string_view place = "/*DATA*/null";

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

std::string sweep_page(const Sweep& sweep, const SweepTable& table) {
    Json data;
    data["name"] = sweep.name;
    data["scene"] = sweep.scene_file.filename().string();
    data["steps"] = sweep.steps;
    data["hz"] = sweep.scene.settings.hz;
    data["build"] = build_name();
    data["parameters"] = Json::array();
    for (const SweepParameter& parameter : sweep.parameters) {
        data["parameters"].push_back(parameter.path);
    }
    data["columns"] = table.columns();
    data["units"] = table.units();
    data["rows"] = Json::array();
    const std::size_t last = table.columns().size();
    for (const auto& [run, line] : table.rows()) {
        const std::vector<std::string> cells = SweepTable::cells_of(line);
        Json row = Json::array();
        for (std::size_t i = 0; i < last; ++i) {
            // Of hexadecimal digits alone, a name may look like a number.
            const bool name = table.columns()[i] == "hash" || table.columns()[i] == "sweep";
            row.push_back(name ? Json(cells[i]) : json_of_cell(cells[i]));
        }
        data["rows"].push_back(std::move(row));
    }
    std::string json = data.dump(-1, ' ', true, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3) {
        json.insert(at + 1, 1, '\\'); // the text must not end the script that it stands in
    }
    const std::filesystem::path path = data_folder() / "assets" / "pages" / "sweep.html";
    std::string page = read_whole_file(path);
    const std::size_t at = page.find(place);
    if (at == std::string::npos) {
        throw InputError(Location{path.string(), 0, 0}, "has no place for the data: it is not the page that came with "
                                                        "this program");
    }
    return page.replace(at, place.size(), json);
}

} // namespace cairn::core
