#include "app/lab/articles/stale_direction.h"

#include "app/lab/articles/backdrop.h"
#include "app/lab/articles/engine_side.h"

namespace cairn::core::lab::articles {
namespace {

// By value, as in the article: what is found for `direction` here does not come back. The sentence goes on.
bool contains_origin(Simplex& s, DVec3 direction, LabStep& step) {
    const std::string before = names(s);
    if (s.size() == 3) {
        nearest_part_of_triangle(s, direction);
        step.sentence += " Of " + before + " the part nearest to the origin is " + names(s) +
                         "; the direction from there is worked out, and lost: it was handed over as a copy.";
        return false;
    }
    const DVec3 spans = glm::cross(s[1].w - s[0].w, s[2].w - s[0].w);
    const bool flat = glm::dot(spans, s[3].w - s[0].w) == 0.0;
    const bool beyond = beyond_a_face(s, direction);
    if (beyond) {
        step.sentence += " The origin lies beyond face " + names(s) + " of the tetrahedron " + before +
                         "; but after the tests of the faces comes \"return true\", whatever they found.";
        draw_simplex(step.difference, s, Role::dropped);
    } else if (flat) {
        step.sentence += " The tetrahedron " + before +
                         " is flat, and its faces tell nothing; after their tests comes \"return true\", whatever "
                         "they found.";
    } else {
        step.sentence += " The origin lies inside " + before + ".";
        draw_simplex(step.difference, s, Role::kept);
    }
    if (beyond || flat) {
        step.difference.dots.push_back({DVec3(0.0), Role::wrong, "taken for inside"});
    }
    return true;
}

void draw(LabStep& step, const Simplex& before, const Vertex& point, const DVec3& direction, double arrow) {
    draw_simplex(step.difference, before);
    draw_newest(step, point);
    draw_direction(step.difference, DVec3(0.0), direction, arrow);
}

} // namespace

Answer overlap_with_stale_direction(Difference& difference, Telling& telling) {
    const double arrow = 0.3 * difference.size();
    const Vertex c = difference.support(DVec3(1, 0, 0));
    const Vertex b = difference.support(DVec3(-1, 0, 0));
    {
        LabStep& step = telling.step("Points 1 and 2 are the supports along x and against it.", "going on");
        draw_newest(step, c);
        draw(step, {c}, b, DVec3(-1, 0, 0), arrow);
        if (b.w.x > 0.0 || c.w.x < 0.0) {
            step.sentence += " Both lie on one side of the origin: nothing of the difference comes as far as that, and "
                             "the search could end here. The article does not look.";
            step.difference.dots.push_back({b.w.x > 0.0 ? b.w : c.w, Role::wrong, "short of the origin"});
        }
    }
    // Worked out once, and never again.
    const DVec3 direction = from_line(b, c);
    const Vertex third = difference.support(direction);
    {
        LabStep& step = telling.step("Point " + std::to_string(third.number) + " is the support along " +
                                         vector_text(direction) + ", from the line 1·2 to the origin.",
                                     "going on");
        draw(step, {b, c}, third, direction, arrow);
        if (glm::dot(third.w, direction) < 0.0) {
            step.sentence += " It does not come as far as the origin.";
            step.status = "stops: apart";
            return Answer::miss;
        }
    }
    Simplex s{third, b, c};
    for (int round = 1; round <= patience; ++round) {
        telling.round(round);
        LabStep& looked = telling.step("The article looks at the simplex.", "going on");
        draw_simplex(looked.difference, s);
        if (contains_origin(s, direction, looked)) {
            looked.status = "stops: overlap";
            return Answer::hit;
        }
        const Vertex a = difference.support(direction);
        LabStep& step = telling.step("Point " + std::to_string(a.number) + " is the support along " +
                                         vector_text(direction) + ", the direction of the beginning once more.",
                                     "going on");
        draw(step, s, a, direction, arrow);
        if (glm::dot(a.w, direction) < 0.0) {
            step.sentence += " It does not come as far as the origin.";
            step.status = "stops: apart";
            return Answer::miss;
        }
        s.insert(s.begin(), a);
    }
    return Answer::runs_on;
}

LabRun run_stale_direction(const LabPair& pair) {
    LabRun run;
    Telling telling;
    telling.stand_before([still = backdrop_of(pair, 0.0)](double) { return still; });
    Difference difference = difference_of(pair);
    const Answer answer = overlap_with_stale_direction(difference, telling);
    judge(run, answer, engine_answer(pair));
    run.steps = telling.take();
    return run;
}

} // namespace cairn::core::lab::articles
