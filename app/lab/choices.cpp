#include "app/lab/choices.h"

#include "app/lab/planar/planar_tracer.h"

#include <algorithm>
#include <utility>

namespace cairn::core::lab {

namespace {

Outcome outcome_of(known_bugs::KnownBugRuns runs) {
    return {std::move(runs.bug), std::move(runs.engine), std::move(runs.verdict)};
}

} // namespace

const std::vector<Choice>& all_choices() {
    static const std::vector<Choice> choices = [] {
        std::vector<Choice> out;
        for (const Algorithm algorithm : all_algorithms) {
            out.push_back({name_of(algorithm), title_of(algorithm), algorithm, nullptr, nullptr});
        }
        for (const known_bugs::KnownBug& bug : known_bugs::all_known_bugs()) {
            out.push_back({bug.key, bug.title, std::nullopt, &bug, nullptr});
        }
        for (const planar::Lesson& lesson : planar::all_lessons()) {
            out.push_back({lesson.key, lesson.title, std::nullopt, nullptr, &lesson});
        }
        return out;
    }();
    return choices;
}

const Choice* choice_named(std::string_view name) {
    const auto& all = all_choices();
    const auto at = std::ranges::find(all, name, &Choice::name);
    return at == all.end() ? nullptr : &*at;
}

std::optional<std::string> rejection(const Choice& choice, const LabPair& pair) {
    if (choice.algorithm) {
        return rejection(*choice.algorithm, pair);
    }
    using known_bugs::Takes;
    const std::string name(choice.name);
    if (choice.lesson != nullptr) {
        return "the lesson '" + name + "' is about two polygons of its own";
    }
    if (choice.bug->takes == Takes::points) {
        return "the version '" + name + "' is about one body, not a pair: it runs on its own preset";
    }
    if (auto reason = mesh_rejection(pair)) {
        return reason;
    }
    if (choice.bug->takes == Takes::moving_pair && !(pair.duration > 0.0f)) {
        return "the version '" + name + "' needs a pair that moves";
    }
    return std::nullopt;
}

Outcome run(const Choice& choice, const LabPair& pair) {
    if (choice.algorithm) {
        return {run(*choice.algorithm, pair), std::nullopt, {}};
    }
    return outcome_of(known_bugs::run_on_pair(*choice.bug, pair));
}

Outcome run_preset(const Choice& choice, LabPair& pair) {
    if (choice.lesson != nullptr) {
        pair = LabPair{};
        return {planar::run_planar(choice.lesson->pair()), std::nullopt, {}};
    }
    const known_bugs::KnownBug& bug = *choice.bug;
    pair = bug.takes == known_bugs::Takes::points ? LabPair{} : known_bugs::preset_pair(bug);
    return outcome_of(known_bugs::run_preset(bug));
}

} // namespace cairn::core::lab
