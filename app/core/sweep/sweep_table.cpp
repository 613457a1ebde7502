#include "app/core/sweep/sweep_table.h"

#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "app/core/capture/capture.h"
#include "app/core/report/formats/csv.h"
#include "app/core/report/formats/number_text.h"

#include <algorithm>
#include <charconv>
#include <span>

namespace cairn::core {

namespace {

template <auto member>
std::string cell_of_member(const SweepMetrics& metrics) {
    return number_text(metrics.*member);
}

std::string cell_of_settling(const SweepMetrics& metrics) {
    return metrics.settled_at >= 0.0 ? number_text(metrics.settled_at) : ""; // never
}

std::string cell_of_hash(const SweepMetrics& metrics) {
    return hash_text(metrics.hash);
}

struct SweepColumn {
    std::string_view name, unit; // of a number that has none: empty
    std::string (*cell)(const SweepMetrics&);
};

// In the order of the columns.
constexpr SweepColumn metrics_of_motion[] = {
    {"bodies", "", cell_of_member<&SweepMetrics::bodies>},
    {"contacts", "", cell_of_member<&SweepMetrics::contacts>},
    {"contact_points", "", cell_of_member<&SweepMetrics::contact_points>},
    {"worst_penetration", "m", cell_of_member<&SweepMetrics::worst_penetration>},
    {"end_penetration", "m", cell_of_member<&SweepMetrics::end_penetration>},
    {"kinetic_energy", "J", cell_of_member<&SweepMetrics::kinetic_energy>},
    {"potential_energy", "J", cell_of_member<&SweepMetrics::potential_energy>},
    {"energy_start", "J", cell_of_member<&SweepMetrics::energy_start>},
    {"energy_max", "J", cell_of_member<&SweepMetrics::energy_max>},
    {"max_speed", "m/s", cell_of_member<&SweepMetrics::max_speed>},
    {"worst_speed", "m/s", cell_of_member<&SweepMetrics::worst_speed>},
    {"drift_mean", "m", cell_of_member<&SweepMetrics::drift_mean>},
    {"drift_max", "m", cell_of_member<&SweepMetrics::drift_max>},
    {"settled_at", "s", cell_of_settling},
    {"asleep", "", cell_of_member<&SweepMetrics::asleep>},
    {"impacts", "", cell_of_member<&SweepMetrics::impacts>},
    {"worst_joint_gap", "m", cell_of_member<&SweepMetrics::worst_joint_gap>},
    {"stopped", "", cell_of_member<&SweepMetrics::stopped>},
    {"hash", "", cell_of_hash}};
constexpr SweepColumn metrics_of_time[] = {{"ms_mean", "ms", cell_of_member<&SweepMetrics::ms_mean>},
                                           {"ms_median", "ms", cell_of_member<&SweepMetrics::ms_median>},
                                           {"ms_p99", "ms", cell_of_member<&SweepMetrics::ms_p99>}};

// A string stands in the table as its own text.
std::string cell_of_value(const std::string& json) {
    const bool text = json.size() >= 2 && json.front() == '"' && json.find('\\') == std::string::npos;
    return text ? json.substr(1, json.size() - 2) : json;
}

} // namespace

SweepTable::SweepTable(const Sweep& sweep, bool times) : sweep_(sweep), times_(times) {
    columns_ = {"sweep", "run"};
    for (const SweepParameter& parameter : sweep.parameters) {
        columns_.push_back(parameter.path);
    }
    const auto add = [&](std::span<const SweepColumn> metrics) {
        for (const SweepColumn& metric : metrics) {
            columns_.emplace_back(metric.name);
            if (!metric.unit.empty()) {
                units_.emplace(metric.name, metric.unit);
            }
        }
    };
    add(metrics_of_motion);
    for (std::size_t i = 0; sweep.expect && i < sweep.scene.expectations.size(); ++i) {
        columns_.push_back("expect " + std::to_string(i + 1) + ": " + description(sweep.scene.expectations[i]));
    }
    if (times) {
        add(metrics_of_time);
    }
}

std::size_t SweepTable::times() const {
    return times_ ? std::size(metrics_of_time) : 0;
}

std::vector<std::size_t> SweepTable::missing(const Shard& shard) const {
    std::vector<std::size_t> runs;
    for (std::size_t run = 0; run < sweep_.run_count(); ++run) {
        if (shard.has(run) && !has(run)) {
            runs.push_back(run);
        }
    }
    return runs;
}

const std::string& SweepTable::add(std::size_t run, const SweepMetrics& metrics) {
    std::string line;
    append_cell(line, hash_text(sweep_.digest));
    append_cell(line, number_text(run + 1));
    for (const std::string& value : sweep_.values_of(run)) {
        append_cell(line, cell_of_value(value));
    }
    for (const SweepColumn& metric : metrics_of_motion) {
        append_cell(line, metric.cell(metrics));
    }
    for (const std::string& outcome : metrics.expectations) {
        append_cell(line, outcome);
    }
    if (times_) {
        for (const SweepColumn& metric : metrics_of_time) {
            append_cell(line, metric.cell(metrics));
        }
    }
    return rows_[run] = std::move(line);
}

std::vector<std::string> SweepTable::cells_of(std::string_view line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
            cells.back() += c;
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
    return cells;
}

std::string SweepTable::head() const {
    std::string line;
    for (const std::string& column : columns_) {
        append_cell(line, column);
    }
    return line;
}

std::string SweepTable::text() const {
    std::string text = head() + '\n';
    for (const auto& [run, line] : rows_) {
        text += line;
        text += '\n';
    }
    return text;
}

void SweepTable::read(const std::filesystem::path& path) {
    const std::string text = read_whole_file(path);
    std::size_t number = 0;
    const auto fail = [&](const std::string& what) { throw InputError(Location{path.string(), number, 1}, what); };
    const std::string digest = hash_text(sweep_.digest);
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
        end = text.find('\n', begin);
        ++number;
        if (end == std::string::npos) {
            return; // cut off while it was written
        }
        const std::string line = text.substr(begin, end - begin);
        if (number == 1) {
            if (line != head()) {
                fail("has different columns than this sweep: it belongs to another one, or only one of them has the "
                     "columns of --times");
            }
            continue;
        }
        const std::vector<std::string> cells = cells_of(line);
        if (cells.size() != columns_.size()) {
            fail("has " + std::to_string(cells.size()) + " cells where the head has " +
                 std::to_string(columns_.size()));
        }
        if (cells[0] != digest) {
            fail("is of another sweep: scene, steps or parameters are not the same");
        }
        std::size_t run = 0;
        const auto [stop, error] = std::from_chars(cells[1].data(), cells[1].data() + cells[1].size(), run);
        if (error != std::errc() || stop != cells[1].data() + cells[1].size() || run < 1 || run > sweep_.run_count()) {
            fail("\"" + cells[1] + "\" is not a run of this sweep, which has 1 to " +
                 std::to_string(sweep_.run_count()));
        }
        const auto [known, added] = rows_.try_emplace(run - 1, line);
        if (added) {
            continue;
        }
        std::vector<std::string> before = cells_of(known->second);
        before.resize(before.size() - times());
        if (!std::equal(before.begin(), before.end(), cells.begin())) {
            fail("run " + std::to_string(run) + " has other results here than in an earlier file");
        }
        known->second = std::min(known->second, line); // times differ: which of them stays must not depend on the order
    }
}

} // namespace cairn::core
