#include "app/lab/known_bugs/queries/zero_direction.h"

#include "app/lab/known_bugs/support/backdrop.h"
#include "app/lab/known_bugs/support/engine_side.h"

namespace cairn::core::lab::known_bugs {
namespace {

// What the new simplex led to, for the sentence.
std::string outcome(const std::string& before, const Simplex& kept, const DVec3& direction) {
    std::string text = " Of " + before + " the part nearest to the origin is " + names(kept);
    if (glm::length(direction) == 0.0) {
        return text + ", and the origin lies on its line: the cross product that should lead from the line to the "
                      "origin is zero, and there is no direction to search along.";
    }
    return text + ": search along " + reading_text(direction) + ".";
}

} // namespace

Answer overlap_by_regions(Difference& difference, const DVec3& start, StepReport& report) {
    Simplex s{difference.support(start)};
    DVec3 direction = -s[0].w;
    const double arrow = 0.3 * difference.size();
    {
        LabStep& step = report.step("Point 1 is the support along " + reading_text(start) +
                                        ". From it the search goes towards the origin.",
                                    "going on");
        draw_newest(step, s[0]);
        draw_direction(step.difference, s[0].w, direction, arrow);
    }
    for (int round = 1; round <= patience; ++round) {
        report.round(round);
        const Vertex point = difference.support(direction);
        const double reach = glm::dot(point.w, direction);
        LabStep& step = report.step("Point " + std::to_string(point.number) + " is the support along " +
                                        reading_text(direction) + ".",
                                    "going on");
        draw_simplex(step.difference, s);
        draw_newest(step, point);
        add_reading(step, "reach times length", reading_text(reach));
        if (reach <= 0.0) {
            step.status = "stops: apart";
            step.sentence += reach < 0.0 ? " It does not come as far as the origin: nothing of the difference does."
                             : glm::length(direction) == 0.0
                                 ? " A direction without length gives any point, and its product with the direction is "
                                   "zero. That is not greater than zero: the article takes them for apart."
                                 : " It comes exactly as far as the origin: they touch, but the article asks for more "
                                   "than zero, and takes them for apart.";
            if (reach == 0.0) {
                step.difference.dots.push_back({point.w, Role::wrong, {}});
            }
            return Answer::miss;
        }
        s.insert(s.begin(), point);
        const std::string before = names(s);
        if (s.size() == 2) {
            direction = from_line(s[0], s[1]);
        } else if (s.size() == 3 || beyond_a_face(s, direction)) {
            nearest_part_of_triangle(s, direction);
        } else {
            step.sentence += " The origin lies inside " + before + ".";
            step.status = "stops: overlap";
            draw_simplex(step.difference, s, Role::kept);
            return Answer::hit;
        }
        step.sentence += outcome(before, s, direction);
        draw_simplex(step.difference, s, Role::kept);
        draw_direction(step.difference, DVec3(0.0), direction, arrow);
    }
    return Answer::runs_on;
}

LabRun run_zero_direction(const LabPair& pair) {
    LabRun run;
    StepReport report;
    report.stand_before([still = backdrop_of(pair, 0.0)](double) { return still; });
    Difference difference = difference_of(pair);
    const Answer answer = overlap_by_regions(difference, DVec3(1, 0, 0), report);
    judge(run, answer, engine_answer(pair));
    run.steps = report.take();
    return run;
}

} // namespace cairn::core::lab::known_bugs
