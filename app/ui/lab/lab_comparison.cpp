// The lab's table of how long each algorithm takes, measured while one looks.
#include "app/core/report/formats/number_text.h"
#include "app/core/report/report.h"
#include "app/lab/comparison/comparison_pairs.h"
#include "app/lab/comparison/comparison_table.h"
#include "app/lab/pair_of_question.h"
#include "app/ui/context/attempt.h"
#include "app/ui/lab/lab.h"
#include "app/ui/lab/lab_state.h"
#include "app/ui/text/paths.h"
#include "app/ui/widgets/charts/chart.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

namespace cairn::ui {

namespace lab = core::lab;

namespace {

glm::vec3 colour_of(lab::Algorithm algorithm) {
    return body_colour(static_cast<int>(algorithm) % body_hue_count, 1.0f);
}

// Times of the growth series over the number of vertices, both by their logarithms.
void growth_plot(Context& ctx, const std::vector<lab::ComparisonRow>& rows, float height) {
    const float s = ctx.widgets.scale;
    const ImVec2 at = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, height);
    ImGui::Dummy(size);
    ctx.widgets.mark("lab.growth");
    ImDrawList& out = *ImGui::GetWindowDrawList();
    out.AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), theme::packed(ImVec4(0.08f, 0.095f, 0.12f, 1.0f)));
    const float margin = 18.0f * s;
    Chart chart{
        {at.x + margin, at.y + margin}, {at.x + size.x - margin, at.y + size.y - margin}, 1e300, -1e300, 1e30f, -1e30f};
    const auto x_of = [](const lab::ComparisonRow& row) { return std::log10(double(*row.vertices())); };
    const auto y_of = [](const lab::ComparisonRow& row) {
        return std::log10(static_cast<float>(std::max(row.query.median, 1e-3)));
    };
    const auto counts = [](const lab::ComparisonRow& row) {
        return !row.placing.empty() && row.rejection.empty() && row.vertices();
    };
    for (const lab::ComparisonRow& row : rows) {
        if (counts(row)) {
            chart.from = std::min(chart.from, x_of(row));
            chart.to = std::max(chart.to, x_of(row));
            chart.bottom = std::min(chart.bottom, y_of(row));
            chart.top = std::max(chart.top, y_of(row));
        }
    }
    if (!(chart.to > chart.from) || !(chart.top > chart.bottom)) {
        return;
    }
    const auto place = [&](const lab::ComparisonRow& row) { return chart.at(x_of(row), y_of(row)); };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!counts(rows[i])) {
            continue;
        }
        const ImU32 colour = theme::packed(theme::from_linear(colour_of(rows[i].algorithm)));
        out.AddCircleFilled(place(rows[i]), 2.5f * s, colour);
        // To the same algorithm and placing with the next number of vertices.
        for (std::size_t k = i + 1; k < rows.size(); ++k) {
            if (counts(rows[k]) && rows[k].algorithm == rows[i].algorithm && rows[k].placing == rows[i].placing) {
                out.AddLine(place(rows[i]), place(rows[k]), colour, 1.2f * s);
                break;
            }
        }
    }
    out.AddText(ImVec2(at.x + 6.0f * s, at.y + 3.0f * s), theme::packed(theme::muted),
                joined(core::short_number(std::pow(10.0, double(chart.bottom)), 2), " to ",
                       core::short_number(std::pow(10.0, double(chart.top))), " us over ",
                       core::short_number(std::pow(10.0, chart.from)), " to ",
                       core::short_number(std::pow(10.0, chart.to), 4), " vertices, by logarithms")
                    .c_str());
}

void table(Context& ctx, const std::vector<lab::ComparisonRow>& rows) {
    if (!ImGui::BeginTable("lab.rows", 5, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY)) {
        return;
    }
    for (const char* title : {"pair", "algorithm", "us", "rounds", "answer"}) {
        ImGui::TableSetupColumn(title);
    }
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const lab::ComparisonRow& row = rows[static_cast<std::size_t>(i)];
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(row.pair.c_str());
            ctx.widgets.tip_by(
                [&] { return formatted("%s\nboth shapes built in %.4g us", row.pair.c_str(), row.build.median); });
            ImGui::TableNextColumn();
            ImGui::TextColored(theme::from_linear(colour_of(row.algorithm)), "%s",
                               std::string(lab::name_of(row.algorithm)).c_str());
            ctx.widgets.tip(lab::title_of(row.algorithm));
            ImGui::TableNextColumn();
            if (!row.rejection.empty()) {
                ImGui::TextColored(theme::muted, "-");
                ctx.widgets.tip(row.rejection);
                continue;
            }
            ImGui::PushFont(ctx.widgets.fonts.mono);
            ImGui::TextUnformatted(formatted("%.4g", row.query.median).c_str());
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(formatted("%d", row.iterations).c_str());
            ImGui::PopFont();
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(std::string(row.status).c_str());
        }
    }
    ImGui::EndTable();
}

} // namespace

void begin_comparison(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    std::vector<lab::ComparedPair> pairs;
    const bool found = attempt(ctx, [&] {
        if (state.has_pair && state.pair.a.bounding_radius > 0.0f) {
            pairs.push_back(lab::compared_pair("this pair", state.pair));
        }
        if (state.home == LabSource::questions) {
            std::ranges::move(lab::pairs_of(state.questions), std::back_inserter(pairs));
        } else {
            std::ranges::move(lab::near_pairs(ctx.frame()), std::back_inserter(pairs));
        }
    });
    if (!found) {
        return;
    }
    std::ranges::move(lab::growth_pairs(), std::back_inserter(pairs));
    state.comparison = std::make_unique<lab::Comparison>(std::move(pairs));
    state.measuring = true;
}

void follow_comparison(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    if (!state.measuring || !state.comparison) {
        return;
    }
    // The window stays in motion: some rows a frame, one at least.
    const auto begin = std::chrono::steady_clock::now();
    do {
        if (!state.comparison->measure_next()) {
            state.measuring = false;
        }
    } while (state.measuring && std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(8));
}

void draw_comparison(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    Widgets& w = ctx.widgets;
    const std::vector<lab::ComparisonRow>& rows = state.comparison->rows();
    const float third = (ImGui::GetContentRegionAvail().x - 8.0f * w.scale) / 3.0f;
    if (w.button("lab.comparison.close", "Back to the steps", "Discards the measurements.", third)) {
        state.comparison.reset();
        state.measuring = false;
        return;
    }
    ImGui::SameLine(0.0f, 4.0f * w.scale);
    if (w.button("lab.comparison.stop", state.measuring ? "Stop" : "Done", "Keeps what has been measured so far.",
                 third, state.measuring)) {
        state.measuring = false;
    }
    ImGui::SameLine(0.0f, 4.0f * w.scale);
    if (w.button("lab.comparison.save", "Save as CSV", "With all columns that `cairn lab --table` writes.", third,
                 !rows.empty())) {
        const auto path = user_folder("lab") / (dated_name("comparison") + ".csv");
        if (make_parent(ctx, path) && attempt(ctx, [&] { core::write_text_file(path, lab::comparison_csv(rows)); })) {
            ctx.log.info("Saved " + path.string());
        }
    }
    if (state.measuring) {
        const auto share = static_cast<float>(rows.size()) / static_cast<float>(state.comparison->row_count());
        w.progress("lab.comparison.progress", share);
    }
    growth_plot(ctx, rows, 150.0f * w.scale);
    table(ctx, rows);
}

} // namespace cairn::ui
