#include "app/core/sweep/sweep_table.h"

#include "app/core/base/error.h"
#include "app/core/base/text_file.h"
#include "app/core/capture/capture.h"
#include "app/core/report/number_text.h"

#include <algorithm>
#include <charconv>

namespace cairn::core {

namespace {

constexpr std::string_view figure_names[] = {
    "bodies",           "contacts",     "contact_points", "worst_penetration", "end_penetration", "kinetic_energy",
    "potential_energy", "energy_start", "energy_max",     "max_speed",         "worst_speed",     "drift_mean",
    "drift_max",        "settled_at",   "asleep",         "impacts",           "worst_joint_gap", "hash"};
constexpr std::string_view time_names[] = {"ms_mean", "ms_median", "ms_p99"};

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

template <class Number>
void append_cell(std::string& line, Number value) {
    std::string digits;
    append_number(digits, value);
    append_cell(line, std::string_view(digits));
}

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
    columns_.insert(columns_.end(), std::begin(figure_names), std::end(figure_names));
    if (times) {
        columns_.insert(columns_.end(), std::begin(time_names), std::end(time_names));
    }
}

std::size_t SweepTable::times() const {
    return times_ ? std::size(time_names) : 0;
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

const std::string& SweepTable::add(std::size_t run, const SweepFigures& f) {
    std::string line;
    append_cell(line, std::string_view(hash_text(sweep_.digest)));
    append_cell(line, run + 1);
    for (const std::string& value : sweep_.values_of(run)) {
        append_cell(line, std::string_view(cell_of_value(value)));
    }
    append_cell(line, f.bodies);
    append_cell(line, f.contacts);
    append_cell(line, f.contact_points);
    append_cell(line, f.worst_penetration);
    append_cell(line, f.end_penetration);
    append_cell(line, f.kinetic_energy);
    append_cell(line, f.potential_energy);
    append_cell(line, f.energy_start);
    append_cell(line, f.energy_max);
    append_cell(line, f.max_speed);
    append_cell(line, f.worst_speed);
    append_cell(line, f.drift_mean);
    append_cell(line, f.drift_max);
    if (f.settled_at >= 0.0) {
        append_cell(line, f.settled_at);
    } else {
        line += ','; // never
    }
    append_cell(line, f.asleep);
    append_cell(line, f.impacts);
    append_cell(line, f.worst_joint_gap);
    append_cell(line, std::string_view(hash_text(f.hash)));
    if (times_) {
        append_cell(line, f.ms_mean);
        append_cell(line, f.ms_median);
        append_cell(line, f.ms_p99);
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
        append_cell(line, std::string_view(column));
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
                fail("has other columns than this sweep: it belongs to another one, or only one of both has the "
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
            fail("\"" + cells[1] + "\" is no run of this sweep, which has 1 to " + std::to_string(sweep_.run_count()));
        }
        const auto [known, added] = rows_.try_emplace(run - 1, line);
        if (added) {
            continue;
        }
        std::vector<std::string> before = cells_of(known->second);
        before.resize(before.size() - times());
        if (!std::equal(before.begin(), before.end(), cells.begin())) {
            fail("run " + std::to_string(run) + " has other figures here than in a file before");
        }
        known->second = std::min(known->second, line); // times differ: which of them stays must not depend on the order
    }
}

} // namespace cairn::core
