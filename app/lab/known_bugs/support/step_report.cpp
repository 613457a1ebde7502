#include "app/lab/known_bugs/support/step_report.h"

#include "app/core/base/joined_words.h"
#include "app/core/report/formats/number_text.h"

#include <cmath>

namespace cairn::core::lab::known_bugs {

std::string answer_text(Answer answer) {
    switch (answer) {
    case Answer::hit:
        return "they overlap";
    case Answer::miss:
        return "they are apart";
    case Answer::runs_on:
        break;
    }
    return "nothing: it would run for ever, and was stopped after " + std::to_string(patience) + " rounds";
}

LabStep& StepReport::step(std::string sentence, std::string status, double time) {
    const bool shown = round_ <= most_rounds_;
    LabStep& step = shown ? steps_.emplace_back() : not_shown_;
    step = {};
    step.sentence = std::move(sentence);
    step.status = std::move(status);
    step.time = time;
    if (shown && backdrop_) {
        step.backdrop = backdrop_(time);
    }
    return step;
}

void StepReport::show_the_last() {
    if (round_ > most_rounds_) {
        // The last event says how it ended.
        not_shown_.sentence = "Rounds " + std::to_string(most_rounds_ + 1) + " to " + std::to_string(round_) +
                              " are not shown. At the end of them: " + not_shown_.sentence;
        not_shown_.backdrop = backdrop_ ? backdrop_(not_shown_.time) : nullptr;
        steps_.push_back(std::move(not_shown_));
    }
}

void StepReport::round(int number) {
    if (number <= most_rounds_) {
        show_the_last();
    }
    round_ = number;
}

std::vector<LabStep> StepReport::take() {
    round(0);
    return std::exchange(steps_, {});
}

std::string reading_text(double value) {
    if (std::isnan(value)) {
        return "not a number"; // its sign means nothing, but would be printed
    }
    return short_number(value == 0.0 ? 0.0 : value);
}

std::string length_text(double value) {
    if (std::isnan(value)) {
        return reading_text(value);
    }
    const double size = std::abs(value);
    return size >= 1e-6 && size < 0.01 ? reading_text(1e3 * value) + " mm" : reading_text(value) + " m";
}

std::string reading_text(const DVec3& v) {
    // What is a rounding error beside the others is shown as zero.
    const double least = 1e-9 * glm::length(v);
    const auto text = [least](double x) { return reading_text(std::abs(x) < least ? 0.0 : x); };
    return "(" + text(v.x) + ", " + text(v.y) + ", " + text(v.z) + ")";
}

std::string names(std::span<const Vertex> vertices) {
    return joined_words(
        vertices, [](const Vertex& vertex) { return std::to_string(vertex.number); }, "·");
}

void draw_simplex(Figure& figure, std::span<const Vertex> simplex, Role role) {
    for (std::size_t i = 0; i < simplex.size(); ++i) {
        figure.dots.push_back({simplex[i].w, role, std::to_string(simplex[i].number)});
        for (std::size_t j = i + 1; j < simplex.size(); ++j) {
            figure.strokes.push_back({simplex[i].w, simplex[j].w, role, false, {}});
            for (std::size_t k = j + 1; k < simplex.size(); ++k) {
                figure.facets.push_back({{simplex[i].w, simplex[j].w, simplex[k].w}, role});
            }
        }
    }
}

void draw_newest(LabStep& step, const Vertex& vertex) {
    const std::string name = std::to_string(vertex.number);
    step.difference.dots.push_back({vertex.w, Role::newest, name});
    step.world.dots.push_back({vertex.on_a, Role::witness_a, name});
    step.world.dots.push_back({vertex.on_b, Role::witness_b, name});
    add_reading(step, "point " + name, reading_text(vertex.w) + " m");
}

void draw_direction(Figure& figure, const DVec3& from, const DVec3& direction, double length, Role role) {
    const double norm = glm::length(direction);
    if (norm > 0.0 && std::isfinite(norm)) {
        figure.strokes.push_back({from, from + direction * (length / norm), role, true, {}});
    }
}

void add_reading(LabStep& step, std::string name, std::string value) {
    step.readings.push_back({std::move(name), std::move(value)});
}

} // namespace cairn::core::lab::known_bugs
