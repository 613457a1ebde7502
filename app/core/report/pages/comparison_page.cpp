#include "app/core/report/pages/comparison_page.h"

#include "app/core/base/base64.h"
#include "app/core/report/formats/markup.h"
#include "app/core/report/formats/number_text.h"
#include "app/core/report/pages/page.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace cairn::core {
namespace {

constexpr std::size_t most_listed_differences = 200; // rows that a person reads

struct Curve {
    const char* colour;
    std::string name;
    double Deviation::*value;
};

// What the page's script needs to draw the values over the steps. `log`: by powers of ten.
Json plot(const char* title, const PageSection& section, const std::vector<Curve>& curves, bool log) {
    Json out{{"title", title}, {"log", log}, {"marked", nullptr}, {"steps", Json::array()}, {"curves", Json::array()}};
    for (const Deviation& at : section.deviations) {
        out["steps"].push_back(at.step);
    }
    if (!section.same && section.first_difference >= section.deviations.front().step &&
        section.first_difference <= section.deviations.back().step) {
        out["marked"] = section.first_difference;
    }
    for (const Curve& curve : curves) {
        Json values = Json::array();
        for (const Deviation& at : section.deviations) {
            values.push_back(json_of(static_cast<float>(at.*curve.value))); // as many digits as a picture shows
        }
        out["curves"].push_back({{"name", curve.name}, {"colour", curve.colour}, {"values", std::move(values)}});
    }
    return out;
}

std::string plots_of(const PageSection& section, Json& plots) {
    if (section.deviations.size() < 2) {
        return section.same ? ""
                            : "<p class=\"note\">Fewer than two steps of both are known, so nothing is plotted.</p>\n";
    }
    const std::size_t first = plots.size();
    plots.push_back(plot(
        "How far apart", section,
        {{"#2f6fb3", "position, m", &Deviation::position}, {"#b3762f", "rotation, rad", &Deviation::rotation}}, true));
    plots.push_back(plot("Energy, kinetic and potential, J", section,
                         {{"#5b6673", section.recorded, &Deviation::energy_recorded},
                          {"#b3261e", section.found, &Deviation::energy_found}},
                         false));
    plots.push_back(plot("Deepest penetration, m", section,
                         {{"#5b6673", section.recorded, &Deviation::penetration_recorded},
                          {"#b3261e", section.found, &Deviation::penetration_found}},
                         false));
    std::string out;
    for (std::size_t i = first; i < plots.size(); ++i) {
        out += "<figure class=\"plot\" id=\"plot-" + std::to_string(i) + "\"></figure>\n";
    }
    return out;
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

std::string body_of(const PageSection& section, Json& plots) {
    std::string out = "<h2>" + escaped(section.title) + "</h2>\n";
    for (const std::string& sentence : section.verdict) {
        if (sentence.starts_with("  ")) {
            continue; // a value, which the table below has
        }
        out += "<p>" + escaped(sentence) + "</p>\n";
    }
    if (!section.pictures.empty()) {
        for (const PagePicture& picture : section.pictures) {
            out += "<figure class=\"picture\"><img alt=\"" + escaped(picture.caption) +
                   "\" src=\"data:image/png;base64," + base64(std::as_bytes(std::span(picture.png))) +
                   "\"><figcaption>" + escaped(picture.caption) + "</figcaption></figure>\n";
        }
    } else if (!section.picture_note.empty()) {
        out += "<p class=\"note\">" + escaped(section.picture_note) + "</p>\n";
    }
    out += plots_of(section, plots) + differences_of(section);
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
    std::string out = "<h1>" + escaped(title) + "</h1>\n";
    if (!summary.empty()) {
        out += "<table><tr><th>" + escaped(of) + "</th><th>outcome</th></tr>\n";
        for (const PageRow& row : summary) {
            out += "<tr><td>" + escaped(row.name) + "</td><td class=\"" + (row.good ? "good" : "bad") + "\">" +
                   escaped(row.outcome) + "</td></tr>\n";
        }
        out += "</table>\n";
    }
    Json plots = Json::array();
    for (const PageSection& section : sections) {
        out += body_of(section, plots);
    }
    return page_of(title, out, Json{{"plots", std::move(plots)}});
}

} // namespace cairn::core
