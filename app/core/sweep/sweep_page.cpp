#include "app/core/capture/capture.h"
#include "app/core/report/formats/number_text.h"
#include "app/core/report/pages/table_page.h"
#include "app/core/sweep/sweep_table.h"

namespace cairn::core {

std::string sweep_page(const Sweep& sweep, const SweepTable& table) {
    const std::string scene = sweep.scene_file.filename().string();
    const std::string steps = std::to_string(sweep.steps);
    TablePage page;
    page.title = sweep.name + " \u2013 sweep";
    page.name = sweep.name;
    page.facts = scene + ", " + steps + " steps at " + number_text(sweep.scene.settings.hz) + " Hz, " +
                 std::to_string(table.rows().size()) + " runs, " + build_name();
    page.one = "run";
    page.many = "runs";
    page.columns = table.columns();
    page.units = table.units();
    page.labels = {"sweep", "run", "hash"};
    page.texts = {"sweep", "hash"}; // of hexadecimal digits alone, a name may look like a number
    page.hidden = {"sweep"};
    page.charts.emplace_back().y = "worst_penetration";
    page.again = "The same again, with a capture to open in the window:";
    page.command = "cairn simulate " + scene + " --steps " + steps;
    for (const SweepParameter& parameter : sweep.parameters) {
        page.parameters.push_back(parameter.path);
        page.command += " --set '" + parameter.path + "={" + parameter.path + "}'";
    }
    page.command += " --capture run-{run}.cairn";
    page.rows.reserve(table.rows().size());
    for (const auto& [run, line] : table.rows()) {
        page.rows.push_back(SweepTable::cells_of(line));
    }
    return html_of(page);
}

} // namespace cairn::core
