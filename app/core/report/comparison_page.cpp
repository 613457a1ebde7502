#include "app/core/report/comparison_page.h"

#include "app/core/base/base64.h"
#include "app/core/report/markup.h"
#include "app/core/report/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>

namespace cairn::core {
namespace {

constexpr std::size_t most_listed_differences = 200; // rows that a person reads

constexpr const char* style = R"(
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 68em; padding: 0 1em; color: #20262e; }
h1 { font-size: 1.5em; } h2 { font-size: 1.25em; margin-top: 2em; border-top: 1px solid #d5dae0; padding-top: 1em; }
h3 { font-size: 1.05em; margin-top: 1.6em; }
table { border-collapse: collapse; } td, th { padding: .25em .9em .25em 0; text-align: left; vertical-align: top; }
th { font-weight: 600; border-bottom: 1px solid #d5dae0; } td.value, code { font: 13px/1.5 ui-monospace, monospace; }
.good { color: #1d7a3c; } .bad { color: #b3261e; font-weight: 600; }
figure { display: inline-block; margin: 0 1em 1em 0; width: calc(50% - 1.2em); vertical-align: top; }
figure img { width: 100%; border: 1px solid #d5dae0; } figcaption, .note { color: #5b6673; font-size: 14px; }
pre { background: #f2f4f6; padding: .6em 1em; overflow-x: auto; font: 13px/1.5 ui-monospace, monospace; }
.plot { overflow-x: auto; } .plot svg { min-width: 50em; display: block; }
svg text { font: 12px system-ui, sans-serif; fill: #5b6673; }
@media (max-width: 36em) { figure { width: 100%; } }
)";

// Steps between lines of the grid: 1, 2 or 5 times a power of ten, some five of them.
double grid_step(double range) {
    const double rough = std::max(range, 1e-300) / 5.0;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double share = rough / power;
    return (share < 1.5 ? 1.0 : share < 3.5 ? 2.0 : share < 7.5 ? 5.0 : 10.0) * power;
}

struct Curve {
    const char* colour;
    std::string name;
    std::function<double(const Deviation&)> value;
};

// Values over steps. `logarithmic`: powers of ten; zeros lie on the floor.
std::string plot(const std::string& title, const std::vector<Deviation>& points, const std::vector<Curve>& curves,
                 std::uint64_t mark, bool logarithmic) {
    constexpr double width = 940.0, height = 230.0, left = 80.0, right = 20.0, top = 12.0, bottom = 34.0;
    const double first = static_cast<double>(points.front().step);
    const double last = std::max(static_cast<double>(points.back().step), first + 1.0);
    double low = 0.0, high = 0.0;
    bool any = false;
    for (const Deviation& point : points) {
        for (const Curve& curve : curves) {
            double value = curve.value(point);
            if (logarithmic) {
                if (!(value > 0.0)) {
                    continue;
                }
                value = std::log10(value);
            }
            low = any ? std::min(low, value) : value;
            high = any ? std::max(high, value) : value;
            any = true;
        }
    }
    if (logarithmic) {
        low = any ? std::floor(low) : -9.0;
        high = any ? std::max(std::ceil(high), low + 1.0) : 0.0;
    } else if (!(high > low)) {
        high = low + std::max(std::abs(low) * 0.01, 1e-6);
    }
    const auto x = [&](double step) { return left + (step - first) / (last - first) * (width - left - right); };
    const auto y = [&](double value) {
        return height - bottom - (std::clamp(value, low, high) - low) / (high - low) * (height - top - bottom);
    };
    const auto line = [](double x1, double y1, double x2, double y2, const std::string& rest) {
        return "<line x1=\"" + short_number(x1, 6) + "\" y1=\"" + short_number(y1, 6) + "\" x2=\"" +
               short_number(x2, 6) + "\" y2=\"" + short_number(y2, 6) + "\" " + rest + "/>";
    };
    const auto text = [](double at_x, double at_y, const char* anchor, const std::string& what) {
        return "<text x=\"" + short_number(at_x, 6) + "\" y=\"" + short_number(at_y, 6) + "\" text-anchor=\"" + anchor +
               "\">" + escaped(what) + "</text>";
    };
    std::string out = "<h3>" + escaped(title) + "</h3>\n<p class=\"note\">";
    for (const Curve& curve : curves) {
        out +=
            std::string("<span style=\"color:") + curve.colour + "\">&#9632;</span> " + escaped(curve.name) + "&emsp;";
    }
    // Where the page is too narrow for its numbers to be read, a plot is moved sideways.
    out += "</p>\n<div class=\"plot\"><svg viewBox=\"0 0 " + short_number(width, 6) + ' ' + short_number(height, 6) +
           "\" width=\"100%\" role=\"img\">";
    const double step_y = logarithmic ? std::max(1.0, std::round((high - low) / 6.0)) : grid_step(high - low);
    for (double value = std::ceil(low / step_y) * step_y; value <= high + 1e-9 * step_y; value += step_y) {
        out += line(left, y(value), width - right, y(value), "stroke=\"#e3e7ec\"");
        out += text(left - 8.0, y(value) + 4.0, "end",
                    logarithmic ? "1e" + short_number(value)
                                : short_number(std::abs(value) < 1e-9 * step_y ? 0.0 : value, 6));
    }
    const double step_x = std::max(1.0, grid_step(last - first));
    for (double value = std::ceil(first / step_x) * step_x; value <= last; value += step_x) {
        out += line(x(value), top, x(value), height - bottom, "stroke=\"#eef1f4\"");
        out += text(x(value), height - bottom + 18.0, "middle", short_number(value, 9));
    }
    out += text(width - right, height - 2.0, "end", "step");
    const auto marked = static_cast<double>(mark);
    if (marked >= first && marked <= last) {
        out += line(x(marked), top, x(marked), height - bottom, "stroke=\"#b3261e\" stroke-dasharray=\"4 4\"");
    }
    for (const Curve& curve : curves) {
        out += std::string("<polyline fill=\"none\" stroke-width=\"1.6\" stroke=\"") + curve.colour + "\" points=\"";
        for (const Deviation& point : points) {
            const double value = curve.value(point);
            const double shown = logarithmic ? (value > 0.0 ? std::log10(value) : low) : value;
            out += short_number(x(static_cast<double>(point.step)), 6) + ',' + short_number(y(shown), 6) + ' ';
        }
        out += "\"/>";
        if (points.size() < 60) { // few enough to be seen one by one
            for (const Deviation& point : points) {
                const double value = curve.value(point);
                const double shown = logarithmic ? (value > 0.0 ? std::log10(value) : low) : value;
                out += "<circle r=\"2.5\" fill=\"" + std::string(curve.colour) + "\" cx=\"" +
                       short_number(x(static_cast<double>(point.step)), 6) + "\" cy=\"" + short_number(y(shown), 6) +
                       "\"/>";
            }
        }
    }
    return out + "</svg></div>\n";
}

std::string plots_of(const PageSection& section) {
    if (section.deviations.size() < 2) {
        return section.same ? ""
                            : "<p class=\"note\">Fewer than two steps of both are known, so nothing is plotted.</p>\n";
    }
    const std::uint64_t mark = section.same ? 0 : section.first_difference;
    return plot("How far apart", section.deviations,
                {{"#2f6fb3", "position, m", [](const Deviation& d) { return d.position; }},
                 {"#b3762f", "rotation, rad", [](const Deviation& d) { return d.rotation; }}},
                mark, true) +
           plot("Energy, kinetic and potential, J", section.deviations,
                {{"#5b6673", section.recorded, [](const Deviation& d) { return d.energy_recorded; }},
                 {"#b3261e", section.found, [](const Deviation& d) { return d.energy_found; }}},
                mark, false) +
           plot("Deepest penetration, m", section.deviations,
                {{"#5b6673", section.recorded, [](const Deviation& d) { return d.penetration_recorded; }},
                 {"#b3261e", section.found, [](const Deviation& d) { return d.penetration_found; }}},
                mark, false);
}

std::string differences_of(const PageSection& section) {
    if (section.differences.empty()) {
        return {};
    }
    std::string out = "<h3>What differs at step " + std::to_string(section.compared_at) +
                      "</h3>\n<table><tr><th></th><th>"
                      "field</th><th>" +
                      escaped(section.recorded) + "</th><th>" + escaped(section.found) + "</th><th>off by</th></tr>\n";
    for (std::size_t i = 0; i < std::min(section.differences.size(), most_listed_differences); ++i) {
        const StateDifference& d = section.differences[i];
        out += "<tr><td>" + escaped(d.name) + "</td><td>" + escaped(d.field) + "</td><td class=\"value\">" +
               escaped(d.recorded) + "</td><td class=\"value\">" + escaped(d.found) + "</td><td class=\"value\">" +
               (d.size > 0.0 ? short_number(d.size) : "") + "</td></tr>\n";
    }
    out += "</table>\n";
    if (section.differences.size() > most_listed_differences) {
        out += "<p class=\"note\">and " + std::to_string(section.differences.size() - most_listed_differences) +
               " more</p>\n";
    }
    return out;
}

std::string body_of(const PageSection& section) {
    std::string out = "<h2>" + escaped(section.title) + "</h2>\n";
    for (const std::string& sentence : section.verdict) {
        if (sentence.starts_with("  ")) {
            continue; // a value, which the table below has
        }
        out += "<p>" + escaped(sentence) + "</p>\n";
    }
    if (!section.pictures.empty()) {
        for (const PagePicture& picture : section.pictures) {
            out += "<figure><img alt=\"" + escaped(picture.caption) + "\" src=\"data:image/png;base64," +
                   base64(std::as_bytes(std::span(picture.png))) + "\"><figcaption>" + escaped(picture.caption) +
                   "</figcaption></figure>\n";
        }
    } else if (!section.picture_note.empty()) {
        out += "<p class=\"note\">" + escaped(section.picture_note) + "</p>\n";
    }
    out += plots_of(section) + differences_of(section);
    if (!section.environment.empty()) {
        out += "<h3>Where it was run</h3>\n<table><tr><th></th><th>" + escaped(section.recorded) + "</th><th>" +
               escaped(section.found) + "</th></tr>\n";
        for (const std::array<std::string, 3>& row : section.environment) {
            out += "<tr><td>" + escaped(row[0]) + "</td><td>" + escaped(row[1]) + "</td><td>" + escaped(row[2]) +
                   "</td></tr>\n";
        }
        out += "</table>\n";
    }
    if (!section.how_to_open.empty()) {
        out += "<h3>See it in the window</h3>\n<pre>";
        for (const std::string& command : section.how_to_open) {
            out += escaped(command) + '\n';
        }
        out += "</pre>\n";
    }
    return out;
}

} // namespace

std::string comparison_page(const std::string& title, const std::vector<PageRow>& summary,
                            const std::vector<PageSection>& sections, const std::string& of) {
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width\"><title>" +
                      escaped(title) + "</title><style>" + style + "</style></head>\n<body><h1>" + escaped(title) +
                      "</h1>\n";
    if (!summary.empty()) {
        out += "<table><tr><th>" + escaped(of) + "</th><th>outcome</th></tr>\n";
        for (const PageRow& row : summary) {
            out += "<tr><td>" + escaped(row.name) + "</td><td class=\"" + (row.good ? "good" : "bad") + "\">" +
                   escaped(row.outcome) + "</td></tr>\n";
        }
        out += "</table>\n";
    }
    for (const PageSection& section : sections) {
        out += body_of(section);
    }
    return out + "</body></html>\n";
}

} // namespace cairn::core
