// Real tosses of a cube against their simulation: how far do we stray? docs/results/tosses.md says what is measured and
// why.
#include "app/cli/output/table.h"
#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "app/core/report/formats/number_text.h"
#include "bench/tosses/toss_bullet.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>

namespace cairn::bench {
namespace {

constexpr const char* usage = "usage: toss_bench FILE.csv [--restitution=E,E,...] [--threshold=M/S] [--substeps=N] "
                              "[--windows] [--trace=OUT.csv]";

struct Options {
    std::string file;
    std::vector<float> restitutions = {0.0f, 0.05f, 0.1f, 0.125f, 0.2f};
    TossSetup setup;
    bool windows = false;
    std::string trace;
};

[[noreturn]] void reject(const std::string& what) {
    throw core::InputError(what + "\n" + usage);
}

template <typename Number>
Number number_in(std::string_view option, std::string_view text, Number least, Number greatest) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= greatest)) {
        std::string range;
        core::append_number(range, least);
        range += "..";
        core::append_number(range, greatest);
        reject("--" + std::string(option) + ": '" + std::string(text) + "' is not a number in " + range);
    }
    return value;
}

Options parse_options(int count, char** arguments) {
    Options options;
    options.setup.settings.hz = toss_rate;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        const std::size_t equals = argument.find('=');
        const std::string_view name = argument.substr(0, equals);
        const std::string_view value = equals == std::string_view::npos ? "" : argument.substr(equals + 1);
        if (name == "--restitution") {
            options.restitutions.clear();
            for (std::size_t from = 0; from <= value.size();) {
                const std::size_t to = std::min(value.find(',', from), value.size());
                options.restitutions.push_back(number_in("restitution", value.substr(from, to - from), 0.0f, 1.0f));
                from = to + 1;
            }
        } else if (name == "--threshold") {
            options.setup.settings.restitution_threshold = number_in("threshold", value, 0.0f, 100.0f);
        } else if (name == "--substeps") {
            options.setup.settings.substeps = number_in("substeps", value, 1, 64);
        } else if (argument == "--windows") {
            options.windows = true;
        } else if (name == "--trace") {
            options.trace = value;
            if (options.trace.empty()) {
                reject("--trace: name a file");
            }
        } else if (argument.substr(0, 1) == "-") {
            reject("unknown option '" + std::string(argument) + "'");
        } else if (options.file.empty()) {
            options.file = argument;
        } else {
            reject("only one file is read, '" + std::string(argument) + "' is one more");
        }
    }
    if (options.file.empty()) {
        reject("name the file of the recorded tosses");
    }
    return options;
}

// In the columns of the record, so that one program can read both.
void append_rows(std::string& out, const Toss& toss, const std::vector<TossRow>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        core::append_number(out, toss.number);
        out += ',';
        core::append_number(out, i);
        const TossRow& row = rows[i];
        const physics::Vec3& p = row.pose.position;
        const physics::Quat& q = row.pose.orientation;
        const physics::Vec3& v = row.linear_velocity;
        const physics::Vec3& w = row.angular_velocity;
        for (const float value : {p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z}) {
            out += ',';
            core::append_number(out, value);
        }
        out += '\n';
    }
}

// Of all tosses or windows.
struct Errors {
    std::vector<double> position; // percent of the side
    std::vector<double> rotation; // degrees

    void add(const TossError& error) {
        position.push_back(100.0 * error.position);
        rotation.push_back(error.rotation);
    }
};

std::string with_quartiles(const Quartiles& q) {
    return cli::number_text("%.2f", q.median) + " (" + cli::number_text("%.1f", q.lower) + " to " +
           cli::number_text("%.1f", q.upper) + ")";
}

cli::TableRow table_row(float restitution, const Errors& ours, const Errors& bullet) {
    return {cli::number_text("%.3f", static_cast<double>(restitution)), with_quartiles(quartiles(ours.position)),
            with_quartiles(quartiles(ours.rotation)), with_quartiles(quartiles(bullet.position)),
            with_quartiles(quartiles(bullet.rotation))};
}

void run(const Options& options) {
    const std::vector<Toss> tosses = read_tosses(options.file);
    const double side = static_cast<double>(options.setup.side);
    std::string trace = options.trace.empty() ? "" : "restitution," + std::string(toss_header) + "\n";
    std::vector<cli::TableRow> whole = {
        {"restitution", "position, % of the side", "rotation, degrees", "Bullet: position", "rotation"}};
    std::vector<cli::TableRow> short_runs = whole;
    for (const float restitution : options.restitutions) {
        TossSetup setup = options.setup;
        setup.restitution = restitution;
        Errors errors;
        Errors bullet_errors;
        Errors window_errors;
        Errors bullet_window_errors;
        for (const Toss& toss : tosses) {
            const std::vector<TossRow> rows = simulate(toss, setup);
            errors.add(mean_error(toss.rows, rows, side));
            bullet_errors.add(mean_error(toss.rows, simulate_with_bullet(toss, setup), side));
            if (!options.trace.empty()) {
                std::string lines;
                append_rows(lines, toss, rows);
                for (std::size_t from = 0; from < lines.size();) {
                    const std::size_t to = lines.find('\n', from) + 1;
                    core::append_number(trace, restitution);
                    trace += ',';
                    trace.append(lines, from, to - from);
                    from = to;
                }
            }
            if (options.windows) {
                for (const Toss& window : windows_of(toss)) {
                    window_errors.add(mean_error(window.rows, simulate(window, setup), side));
                    bullet_window_errors.add(mean_error(window.rows, simulate_with_bullet(window, setup), side));
                }
            }
        }
        whole.push_back(table_row(restitution, errors, bullet_errors));
        if (options.windows) {
            if (window_errors.position.empty()) {
                throw core::InputError({options.file, 0, 0},
                                       "no toss moves for as long as a window, leave --windows out");
            }
            short_runs.push_back(table_row(restitution, window_errors, bullet_window_errors));
        }
    }
    std::printf("%zu tosses from their release; medians with quartiles of the mean error of each\n\n%s", tosses.size(),
                cli::markdown_table(whole).c_str());
    if (options.windows) {
        std::printf("\nThe same over windows of %zu rows that start every %zu rows, while the cube moves\n\n%s",
                    window_rows, window_spacing, cli::markdown_table(short_runs).c_str());
    }
    if (!options.trace.empty()) {
        core::replace_file(options.trace, trace);
    }
}

} // namespace
} // namespace cairn::bench

int main(int count, char** arguments) {
    try {
        cairn::bench::run(cairn::bench::parse_options(count, arguments));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    }
}
