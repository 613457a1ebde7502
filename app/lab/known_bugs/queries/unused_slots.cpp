#include "app/lab/known_bugs/queries/unused_slots.h"

#include "app/lab/known_bugs/support/backdrop.h"
#include "app/lab/known_bugs/support/engine_side.h"
#include "physics/query/gjk/simplex.h"

#include <array>

namespace cairn::core::lab::known_bugs {
namespace {

using Slots = std::array<Vertex, 4>;

// The first slot that holds the point, and 4 if none does.
std::size_t slot_of(const Slots& slots, std::size_t compared, const Vertex& point) {
    for (std::size_t i = 0; i < compared; ++i) {
        if (glm::length(slots[i].w - point.w) < 1e-6) {
            return i;
        }
    }
    return slots.size();
}

std::string slots_text(const Slots& slots) {
    std::string text;
    for (const Vertex& slot : slots) {
        text += (text.empty() ? "" : ", ") + (slot.number > 0 ? std::to_string(slot.number) : "unused (0, 0, 0)");
    }
    return text;
}

physics::ClosestOnSimplex closest(const Slots& slots, std::size_t count) {
    std::array<DVec3, 4> points;
    for (std::size_t i = 0; i < count; ++i) {
        points[i] = slots[i].w;
    }
    return physics::closest_on_simplex({points.data(), count});
}

Slots carriers(const Slots& slots, const physics::ClosestOnSimplex& c) {
    Slots kept{};
    for (int i = 0; i < c.count; ++i) {
        kept[std::size_t(i)] = slots[std::size_t(c.index[std::size_t(i)])];
    }
    return kept;
}

} // namespace

BySignedVolumes overlap_by_signed_volumes(Difference& difference, bool unused_slots_too, StepReport& report) {
    Slots slots{};
    slots[0] = difference.support(DVec3(1, 1, 1));
    std::size_t count = 1;
    DVec3 direction = -slots[0].w;
    double nearest = 1e300;
    const double arrow = 0.3 * difference.size();
    {
        LabStep& step = report.step("Point 1 is the support along (1, 1, 1). It is the first simplex; from it the "
                                    "search goes towards the origin.",
                                    "going on");
        draw_newest(step, slots[0]);
        draw_direction(step.difference, slots[0].w, direction, arrow);
    }
    for (int round = 1; round <= patience; ++round) {
        report.round(round);
        const Vertex point = difference.support(direction);
        const std::string name = "Point " + std::to_string(point.number);
        LabStep& step = report.step(name + " is the support along " + reading_text(direction) + ".", "going on");
        draw_simplex(step.difference, {slots.data(), count});
        draw_newest(step, point);
        add_reading(step, "slots", slots_text(slots));
        const std::size_t duplicate = slot_of(slots, unused_slots_too ? slots.size() : count, point);
        if (duplicate < slots.size()) {
            const bool unused = duplicate >= count;
            step.sentence +=
                unused ? " It is the origin, and slot " + std::to_string(duplicate + 1) +
                             ", which is not in use, holds zeros: the point counts as one that the simplex has "
                             "already, so that there seems to be nothing beyond."
                       : " The simplex has it already: there is nothing beyond it.";
            step.status = "stops: duplicate";
            if (unused) {
                step.difference.dots.push_back({DVec3(0.0), Role::wrong, "slot " + std::to_string(duplicate + 1)});
            }
            return {Answer::miss, {}};
        }
        if (glm::dot(direction, point.w) < 0.0) {
            step.sentence += " It does not come as far as the origin: nothing of the difference does.";
            step.status = "stops: apart";
            return {Answer::miss, {}};
        }
        slots[count++] = point;
        const physics::ClosestOnSimplex c = closest(slots, count);
        const std::string simplex = names({slots.data(), count});
        if (c.contains || c.distance_squared < 1e-12) {
            step.sentence += " Now " + simplex + " holds the origin.";
            step.status = "stops: overlap";
            draw_simplex(step.difference, {slots.data(), count}, Role::kept);
            const Slots kept = carriers(slots, c);
            return {Answer::hit, {kept.begin(), kept.begin() + c.count}};
        }
        if (c.distance_squared >= nearest) {
            step.sentence += " It brings " + simplex + " no nearer to the origin.";
            step.status = "stops: no progress";
            return {Answer::miss, {}};
        }
        nearest = c.distance_squared;
        direction = -c.point;
        slots = carriers(slots, c);
        count = std::size_t(c.count);
        step.sentence += " Of " + simplex + " the point nearest to the origin lies on " + names({slots.data(), count}) +
                         ": that stays, and the search goes on from there.";
        step.difference.dots.push_back({c.point, Role::nearest, {}});
        draw_simplex(step.difference, {slots.data(), count}, Role::kept);
        draw_direction(step.difference, c.point, direction, arrow);
    }
    return {};
}

LabRun run_unused_slots(const LabPair& pair) {
    LabRun run;
    StepReport report;
    report.stand_before([still = backdrop_of(pair, 0.0)](double) { return still; });
    Difference difference = difference_of(pair);
    judge(run, overlap_by_signed_volumes(difference, true, report).answer, engine_answer(pair));
    run.steps = report.take();
    return run;
}

} // namespace cairn::core::lab::known_bugs
