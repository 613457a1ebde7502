#include "bench/queries/report.h"

#include "app/cli/output/table.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cairn::bench {
namespace {

using cli::number_text;
using cli::TableRow;

constexpr double none = std::numeric_limits<double>::infinity();

// Index of the method of that name, if it was measured in this cell.
std::optional<std::size_t> find(const Measured& cell, const std::string& name) {
    for (std::size_t m = 0; m < cell.methods.size(); ++m) {
        if (cell.methods[m].name == name && !cell.nanoseconds[m].empty()) {
            return m;
        }
    }
    return std::nullopt;
}

// Names of the methods of all cells: ours first, then in the order in which they were added, those of all cells before
// those of some.
std::vector<std::string> method_names(const std::vector<const Measured*>& cells) {
    std::vector<std::string> names;
    for (const Measured* cell : cells) {
        for (const Method& method : cell->methods) {
            if (find(*cell, method.name) && std::find(names.begin(), names.end(), method.name) == names.end()) {
                names.push_back(method.name);
            }
        }
    }
    return names;
}

TableRow head(const std::string& what, const std::vector<const Measured*>& cells) {
    TableRow row{cells.front()->c->shapes->name + ", " + what};
    for (const Measured* cell : cells) {
        row.push_back(cell->c->name);
    }
    return row;
}

// One of our queries against those of the others that answer the same question or less.
struct Ratio {
    const char* ours;
    const char* against;
    bool (*counts)(Kind, bool separated);
};

bool measures(Kind kind, bool) {
    return kind == Kind::separating || kind == Kind::signed_distance;
}
// A yes or no is no distance, but it is all that libccd says about separated shapes: there it is an opponent, too.
bool answers(Kind kind, bool separated) {
    return measures(kind, separated) || (separated && kind == Kind::yes_no);
}
bool decides(Kind kind, bool) {
    return kind == Kind::yes_no;
}

bool is_special(Kind kind, bool separated) {
    return kind == Kind::special && !separated;
}

constexpr std::array<Ratio, 5> ratios{{{"Cairn overlap", "best yes or no", decides},
                                       {"Cairn signed_distance", "best distance or depth", measures},
                                       {"Cairn signed_distance", "best answer of any kind", answers},
                                       {"Cairn collide", "best distance or depth", measures},
                                       {"Cairn collide", "Bullet box-box manifold", is_special}}};

std::string name_of(const Ratio& ratio) {
    return std::string(ratio.ours) + " / " + ratio.against;
}

// Ours to the best of the others; nothing where either is missing.
std::optional<double> evaluate(const Ratio& ratio, const Measured& cell) {
    double best = none;
    for (std::size_t m = 0; m < cell.methods.size(); ++m) {
        const Method& method = cell.methods[m];
        if (!method.ours && !cell.nanoseconds[m].empty() && ratio.counts(method.kind, cell.c->distance > 0.0)) {
            best = std::min(best, median(cell.nanoseconds[m]));
        }
    }
    const auto ours = find(cell, ratio.ours);
    if (!ours || best == none) {
        return std::nullopt;
    }
    return median(cell.nanoseconds[*ours]) / best;
}

// "2e-08 (5e-07)"
std::string typical_and_worst(double typical, double worst) {
    return number_text("%.0e", std::max(0.0, typical)) + number_text(" (%.0e)", std::max(0.0, worst));
}

} // namespace

double median(std::vector<double> values) {
    if (values.empty()) {
        return none;
    }
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

std::string times_table(const std::vector<const Measured*>& cells) {
    std::vector<TableRow> rows{head("ns per pair", cells)};
    for (const std::string& method : method_names(cells)) {
        TableRow row{method};
        for (const Measured* cell : cells) {
            const auto m = find(*cell, method);
            row.push_back(m ? number_text("%.0f", median(cell->nanoseconds[*m])) : "");
        }
        rows.push_back(row);
    }
    for (const Ratio& ratio : ratios) {
        TableRow row{name_of(ratio)};
        bool any = false;
        for (const Measured* cell : cells) {
            const auto value = evaluate(ratio, *cell);
            row.push_back(value ? number_text("**%.2f**", *value) : "");
            any |= value.has_value();
        }
        if (any) {
            rows.push_back(row);
        }
    }
    return cli::markdown_table(rows);
}

std::string accuracy_table(const std::vector<const Measured*>& cells) {
    std::vector<TableRow> rows{head("error: distance; direction, m", cells)};
    for (const std::string& method : method_names(cells)) {
        TableRow row{method};
        bool any = false;
        for (const Measured* cell : cells) {
            const auto m = find(*cell, method);
            if (!m || cell->accuracies[*m].count == 0) {
                row.emplace_back();
                continue;
            }
            any = true;
            const Accuracy& accuracy = cell->accuracies[*m];
            std::string text;
            if (accuracy.has_distance) {
                text = typical_and_worst(accuracy.median_error, accuracy.max_error) + "; " +
                       typical_and_worst(accuracy.median_excess, accuracy.max_excess);
            }
            if (accuracy.wrong > 0) {
                text += (text.empty() ? "" : "; ") + std::to_string(accuracy.wrong) + " wrong";
            }
            row.push_back(text.empty() ? "right" : text);
        }
        if (any) {
            rows.push_back(row);
        }
    }
    return cli::markdown_table(rows);
}

std::string summary(const std::vector<std::unique_ptr<Measured>>& cells) {
    std::string out;
    for (const Ratio& ratio : ratios) {
        std::size_t count = 0, faster = 0;
        double worst = 0.0;
        std::string where;
        for (const auto& cell : cells) {
            if (const auto value = evaluate(ratio, *cell)) {
                ++count;
                faster += *value < 1.0 ? 1 : 0;
                if (*value > worst) {
                    worst = *value;
                    where = cell->c->shapes->name + ", " + cell->c->name;
                }
            }
        }
        if (count > 0) {
            out += "- " + name_of(ratio) + ": below 1 in " + std::to_string(faster) + " of " + std::to_string(count) +
                   " cells; at worst " + number_text("%.2f", worst) + " (" + where + ")\n";
        }
    }
    return out;
}

std::string faults(const std::vector<std::unique_ptr<Measured>>& cells, double tolerance) {
    std::string out;
    for (const auto& cell : cells) {
        for (std::size_t m = 0; m < cell->methods.size(); ++m) {
            const Accuracy& accuracy = cell->accuracies[m];
            const std::string where =
                cell->methods[m].name + ", " + cell->c->shapes->name + ", " + cell->c->name + ": ";
            if (accuracy.count == 0) {
                continue;
            }
            if (accuracy.has_distance && accuracy.least_excess < -tolerance) {
                out += where + "separates a pose by " + number_text("%.2g", -accuracy.least_excess) +
                       " m less than its depth\n";
            }
            if (!cell->methods[m].ours) {
                continue;
            }
            if (accuracy.wrong > 0) {
                out += where + std::to_string(accuracy.wrong) + " wrong answers\n";
            }
            // The normal of a manifold is that of a face or a crossing of edges nearby, not the exact one.
            if (cell->methods[m].kind == Kind::signed_distance &&
                std::max(accuracy.max_error, accuracy.max_excess) > tolerance) {
                out +=
                    where + "off by " + number_text("%.2g", std::max(accuracy.max_error, accuracy.max_excess)) + " m\n";
            }
        }
    }
    return out;
}

} // namespace cairn::bench
