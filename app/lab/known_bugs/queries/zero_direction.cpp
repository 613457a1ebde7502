#include "app/lab/known_bugs/queries/zero_direction.h"

#include "app/lab/known_bugs/support/backdrop.h"
#include "app/lab/known_bugs/support/engine_side.h"

namespace cairn::core::lab::known_bugs {
namespace {

// The region tests of geometric GJK, as the articles on its boolean form have them in common: right in themselves, but
// for an origin on the line of an edge, where the direction comes out as zero.
using Simplex = std::vector<Vertex>; // the newest point first

bool along(const DVec3& a, const DVec3& b) {
    return glm::dot(a, b) > 0.0;
}

// From the line through two points at a right angle to the origin; zero if the line goes through it.
DVec3 from_line(const Vertex& newest, const Vertex& other) {
    const DVec3 ab = other.w - newest.w;
    return glm::cross(glm::cross(ab, -newest.w), ab);
}

// Keeps the part of a triangle that is nearest to the origin, and returns where to search from it.
void nearest_part_of_triangle(Simplex& s, DVec3& direction) {
    const DVec3 ab = s[1].w - s[0].w, ac = s[2].w - s[0].w, ao = -s[0].w;
    const DVec3 normal = glm::cross(ab, ac);
    const bool beyond_ac = along(glm::cross(normal, ac), ao);
    const bool beyond_an_edge = beyond_ac || along(glm::cross(ab, normal), ao);
    if (beyond_ac && along(ac, ao)) {
        direction = from_line(s[0], s[2]);
        s = {s[0], s[2]};
    } else if (beyond_an_edge && along(ab, ao)) {
        direction = from_line(s[0], s[1]);
        s = {s[0], s[1]};
    } else if (beyond_an_edge) {
        s = {s[0]};
        direction = ao;
    } else if (along(normal, ao)) {
        direction = normal;
    } else {
        s = {s[0], s[2], s[1]};
        direction = -normal;
    }
}

// The face of the tetrahedron that the origin lies beyond, if any; false if the origin is inside.
bool beyond_a_face(Simplex& s, DVec3& direction) {
    const DVec3 ao = -s[0].w;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vertex p = s[1 + i], q = s[1 + (i + 1) % 3], r = s[1 + (i + 2) % 3];
        DVec3 normal = glm::cross(p.w - s[0].w, q.w - s[0].w);
        normal = along(normal, r.w - s[0].w) ? -normal : normal;
        if (along(normal, ao)) {
            s = {s[0], p, q};
            direction = normal;
            return true;
        }
    }
    return false;
}

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
