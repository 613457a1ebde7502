#include "app/lab/known_bugs/queries/padded_simplex.h"

#include "app/lab/known_bugs/queries/expanding.h"
#include "app/lab/known_bugs/queries/unused_slots.h"
#include "app/lab/known_bugs/support/backdrop.h"
#include "app/lab/known_bugs/support/engine_side.h"

#include <cmath>

namespace cairn::core::lab::known_bugs {
namespace {

constexpr double margin = 1e-3; // m

double six_volumes(const std::array<Vertex, 4>& t) {
    return glm::dot(glm::cross(t[1].w - t[0].w, t[2].w - t[0].w), t[3].w - t[0].w);
}

} // namespace

std::array<Vertex, 4> padded(const std::vector<Vertex>& simplex, Difference& difference) {
    std::array<Vertex, 4> t;
    std::ranges::copy(simplex, t.begin());
    if (simplex.size() < 2) {
        t[1] = difference.support(-t[0].w);
    }
    if (simplex.size() < 3) {
        const DVec3 line = t[1].w - t[0].w;
        t[2] =
            difference.support(glm::cross(line, std::abs(line.z) < std::abs(line.x) ? DVec3(0, 0, 1) : DVec3(1, 0, 0)));
    }
    if (simplex.size() < 4) {
        t[3] = difference.support(glm::cross(t[1].w - t[0].w, t[2].w - t[0].w));
    }
    return t;
}

std::array<Vertex, 4> grown_from_centroid(std::array<Vertex, 4> corners, double by) {
    const DVec3 centroid = 0.25 * (corners[0].w + corners[1].w + corners[2].w + corners[3].w);
    for (Vertex& corner : corners) {
        corner.w += by * glm::normalize(corner.w - centroid);
    }
    return corners;
}

LabRun run_padded_simplex(const LabPair& pair) {
    LabRun run;
    StepReport report;
    report.stand_before([still = backdrop_of(pair, 0.0)](double) { return still; });
    Difference difference = difference_of(pair);
    const BySignedVolumes gjk = overlap_by_signed_volumes(difference, false, report);
    if (gjk.answer != Answer::hit) {
        judge(run, gjk.answer, engine_answer(pair));
        run.steps = report.take();
        return run;
    }
    const std::array<Vertex, 4> start = padded(gjk.simplex, difference);
    const std::array<Vertex, 4> corners_grown = grown_from_centroid(start, margin);
    const double size = difference.size();
    const bool flat = std::abs(six_volumes(start)) <= 1e-9 * size * size * size;
    report.round(0);
    {
        LabStep& step = report.step("EPA wants a tetrahedron. GJK ended on " + names(gjk.simplex) +
                                        ": support points fill it up to " + names(start) + ".",
                                    flat ? "flat" : "going on");
        draw_simplex(step.difference, start, flat ? Role::wrong : Role::simplex);
        add_reading(step, "volume", reading_text(std::abs(six_volumes(start)) / 6.0) + " m³");
        if (flat) {
            step.sentence += " The last point lies in the plane of the others, or is one of them, because the plane is "
                             "a side of the difference: the tetrahedron is flat. Nobody looks.";
        }
    }
    {
        LabStep& step = report.step("The article moves the corners 1 mm away from their middle, in place of growing "
                                    "the shapes.",
                                    "going on");
        for (std::size_t i = 0; i < start.size(); ++i) {
            draw_direction(step.difference, start[i].w, corners_grown[i].w - start[i].w, 0.15 * size);
        }
        add_reading(step, "volume", reading_text(std::abs(six_volumes(corners_grown)) / 6.0) + " m³");
        if (flat) {
            step.sentence += " What is flat stays flat.";
        }
    }
    judge(run, expand(difference, tetrahedron(start[0], start[1], start[2], start[3]), {}, &report), pair);
    run.steps = report.take();
    return run;
}

} // namespace cairn::core::lab::known_bugs
