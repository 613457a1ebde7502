#include "app/lab/planar/planar_tracer.h"

#include "app/lab/steps/wording.h"

#include <algorithm>

namespace cairn::core::lab::planar {
namespace {

using GjkRound = PlanarTrace::GjkRound;
using EpaRound = PlanarTrace::EpaRound;

DVec3 flat(const DVec2& p) {
    return {p.x, p.y, 0.0};
}

std::string text(const DVec2& v) {
    return "(" + short_number(v.x == 0.0 ? 0.0 : v.x) + ", " + short_number(v.y == 0.0 ? 0.0 : v.y) + ")";
}

std::string names(const std::vector<PlanarVertex>& vertices) {
    std::vector<int> numbers;
    for (const PlanarVertex& vertex : vertices) {
        numbers.push_back(vertex.number);
    }
    return chain(numbers);
}

void add_stroke(Figure& figure, const DVec2& from, const DVec2& to, Role role, bool arrow = false) {
    figure.strokes.push_back({flat(from), flat(to), role, arrow, {}});
}

void add_area(Figure& figure, const std::vector<DVec2>& corners, Role role) {
    for (std::size_t i = 0; i < corners.size(); ++i) {
        add_stroke(figure, corners[i], corners[(i + 1) % corners.size()], role);
        if (i >= 1 && i + 1 < corners.size()) {
            figure.facets.push_back({{flat(corners[0]), flat(corners[i]), flat(corners[i + 1])}, role});
        }
    }
}

// A point, an edge or an area, with names at its corners.
void add_simplex(Figure& figure, const std::vector<PlanarVertex>& vertices, Role role) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        figure.dots.push_back({flat(vertices[i].w), role, std::to_string(vertices[i].number)});
        if (i + 1 < vertices.size() || vertices.size() > 2) {
            add_stroke(figure, vertices[i].w, vertices[(i + 1) % vertices.size()].w, role);
        }
        if (i >= 1 && i + 1 < vertices.size()) {
            figure.facets.push_back({{flat(vertices[0].w), flat(vertices[i].w), flat(vertices[i + 1].w)}, role});
        }
    }
}

class Tracer {
  public:
    explicit Tracer(const PlanarPair& pair)
        : pair_(pair),
          outline_a_(placed_corners(pair.a, pair.a.position)),
          outline_b_(placed_corners(pair.b, pair.a.position)) {
        auto backdrop = std::make_shared<Figure>();
        const std::vector<DVec2> corners = difference_polygon(pair);
        add_area(*backdrop, corners, Role::difference);
        backdrop->dots.push_back({DVec3(0.0), Role::origin, "0"});
        for (const DVec2& corner : corners) {
            size_ = std::max(size_, glm::length(corner - corners[0]));
        }
        backdrop_ = std::move(backdrop);
    }

    void report(const GjkRound& round, int number) {
        const std::string name = std::to_string(round.found.number);
        LabStep& step = new_step();
        step.readings.push_back({"round of GJK", std::to_string(number)});
        step.readings.push_back({"point " + name, text(round.found.w) + " m"});
        add_simplex(step.difference, round.before, Role::simplex);
        mark_found(step, round.found, round.direction);
        step.sentence = round.before.empty() ? "Search from " + pair_.name_a + " towards " + pair_.name_b + ", along " +
                                                   text(round.direction) + ": the corner of " + pair_.name_a +
                                                   " farthest that way less the corner of " + pair_.name_b +
                                                   " farthest the other way is point " + name + "."
                                             : "Search from " + names(round.before) + " towards the origin, along " +
                                                   text(round.direction) + ": point " + name + " is farthest.";
        std::vector<PlanarVertex> all = round.before;
        const bool known =
            std::ranges::any_of(all, [&](const PlanarVertex& v) { return v.number == round.found.number; });
        if (!known) {
            all.push_back(round.found);
        }
        switch (round.end) {
        case GjkRound::End::inside:
            step.sentence +=
                " The triangle " + names(round.after) + " holds the origin: the polygons overlap, or touch.";
            step.status = "stops: the triangle holds the origin";
            break;
        case GjkRound::End::on_simplex:
            step.sentence += round.after.size() == 1 ? " It is the origin: the polygons touch, at the least."
                                                     : " The origin lies on the edge " + names(round.after) +
                                                           ": the polygons touch, at the least.";
            step.status = "stops: the simplex goes through the origin";
            break;
        case GjkRound::End::falls_short:
        case GjkRound::End::no_progress:
            step.sentence += " Nothing of the difference comes nearer than " + names(round.after) +
                             " does already: " + metres(glm::length(round.nearest)) + " is the distance.";
            step.status = "stops: apart";
            break;
        case GjkRound::End::goes_on:
            step.sentence += round.before.empty() ? " It is the first simplex, " + metres(glm::length(round.nearest)) +
                                                        " from the origin."
                                                  : kept_sentence(all, round);
            step.status = "going on";
            break;
        }
        add_simplex(step.difference, round.after, Role::kept);
        for (const PlanarVertex& vertex : all) {
            const bool stays = std::ranges::any_of(
                round.after, [&vertex](const PlanarVertex& v) { return v.number == vertex.number; });
            if (!stays) {
                step.difference.dots.push_back({flat(vertex.w), Role::dropped, std::to_string(vertex.number)});
            }
        }
        if (round.end != GjkRound::End::inside) {
            add_stroke(step.difference, DVec2(0.0), round.nearest, Role::nearest);
            step.difference.dots.push_back({flat(round.nearest), Role::nearest, {}});
            step.readings.push_back({"distance at most", metres(glm::length(round.nearest))});
            step.readings.push_back({"distance at least", metres(round.at_least)});
        }
    }

    void report(const EpaRound& round, int number) {
        const PlanarVertex& from = round.polygon[round.edge];
        const PlanarVertex& to = round.polygon[(round.edge + 1) % round.polygon.size()];
        const std::string edge = names({from, to}), name = std::to_string(round.found.number);
        LabStep& step = new_step();
        if (number == 1) {
            step.sentence = "How deep? The polygon " + names(round.polygon) + " lies within the difference. ";
        }
        step.sentence += "Edge " + edge + " is nearest to the origin, " + metres(round.offset) +
                         " away: the depth is no less. Along its normal point " + name + " is farthest";
        step.readings.push_back({"round of EPA", std::to_string(number)});
        step.readings.push_back({"edges", std::to_string(round.polygon.size())});
        step.readings.push_back({"depth at least", metres(std::max(round.offset, 0.0))});
        step.readings.push_back({"depth at most", metres(std::max(round.offset + round.gain, 0.0))});
        step.readings.push_back({"normal", text(round.normal)});
        add_simplex(step.difference, round.polygon, Role::simplex);
        add_stroke(step.difference, from.w, to.w, round.ends ? Role::kept : Role::dropped);
        const DVec2 foot = round.normal * round.offset;
        add_stroke(step.difference, DVec2(0.0), foot, Role::nearest);
        step.difference.dots.push_back({flat(foot), Role::nearest, {}});
        mark_found(step, round.found, round.normal);
        const DVec2 along = 0.5 * size_ * DVec2(-round.normal.y, round.normal.x);
        const DVec2 plane = round.normal * (round.offset + round.gain);
        add_stroke(step.difference, plane - along, plane + along, Role::bound);
        if (round.ends) {
            step.sentence +=
                ", and no farther than the edge itself: the edge is one of the difference, and no other is "
                "nearer. The depth is " +
                metres(std::max(round.offset, 0.0)) + ".";
            step.status = "stops: the edge is the difference's own";
        } else {
            step.sentence += ", " + metres(round.gain) + " beyond the edge: split the edge there, into " +
                             names({from, round.found}) + " and " + names({round.found, to}) + ".";
            step.status = "going on";
            add_stroke(step.difference, from.w, round.found.w, Role::silhouette);
            add_stroke(step.difference, round.found.w, to.w, Role::silhouette);
        }
    }

    void report(const PlanarAnswer& answer) {
        LabStep& step = new_step();
        const DVec2 a = answer.point_a - pair_.a.position, b = answer.point_b - pair_.a.position;
        step.world.dots.push_back({flat(a), Role::witness_a, "a"});
        step.world.dots.push_back({flat(b), Role::witness_b, "b"});
        add_stroke(step.world, a, b, Role::nearest);
        add_stroke(step.world, a, a + 0.15 * size_ * answer.normal, Role::normal, true);
        add_stroke(step.difference, DVec2(0.0), a - b, Role::nearest);
        step.difference.dots.push_back({flat(a - b), Role::nearest, "a - b"});
        step.sentence = "The point of the difference nearest to the origin, on its border, is the difference of two "
                        "points: a on " +
                        pair_.name_a + " and b on " + pair_.name_b + ". ";
        step.sentence += answer.status == PlanarStatus::overlapping
                             ? "Moved along the normal by the depth, " + pair_.name_b + " just touches."
                         : answer.status == PlanarStatus::separated ? "The normal leads from a to b."
                                                                    : "They are one: the polygons touch.";
        step.status = status_text(answer);
        step.readings.push_back({"distance", metres(answer.distance + 0.0)});
        step.readings.push_back({"normal", text(answer.normal)});
        step.readings.push_back({"rounds of GJK", std::to_string(answer.gjk_rounds)});
        step.readings.push_back({"rounds of EPA", std::to_string(answer.epa_rounds)});
    }

    static std::string status_text(const PlanarAnswer& answer) {
        switch (answer.status) {
        case PlanarStatus::separated:
            return "separated: " + metres(answer.distance) + " apart";
        case PlanarStatus::touching:
            return "touching";
        case PlanarStatus::overlapping:
            return "overlapping: " + metres(-answer.distance) + " deep";
        case PlanarStatus::failed:
            break;
        }
        return "failed: not done within the rounds allowed";
    }

    std::vector<LabStep> take() { return std::move(steps_); }

  private:
    LabStep& new_step() {
        LabStep& step = steps_.emplace_back();
        step.backdrop = backdrop_;
        add_area(step.world, outline_a_, Role::witness_a);
        add_area(step.world, outline_b_, Role::witness_b);
        return step;
    }

    // A support point, the corners that made it, and the direction in which it was looked for.
    void mark_found(LabStep& step, const PlanarVertex& found, const DVec2& direction) const {
        const std::string name = std::to_string(found.number);
        const DVec2 arrow = 0.2 * size_ * direction;
        step.difference.dots.push_back({flat(found.w), Role::newest, name});
        add_stroke(step.difference, DVec2(0.0), arrow, Role::direction, true);
        step.world.dots.push_back({flat(found.on_a), Role::witness_a, name});
        step.world.dots.push_back({flat(found.on_b), Role::witness_b, name});
        add_stroke(step.world, found.on_a, found.on_a + 0.5 * arrow, Role::direction, true);
        add_stroke(step.world, found.on_b, found.on_b - 0.5 * arrow, Role::direction, true);
    }

    static std::string kept_sentence(const std::vector<PlanarVertex>& all, const GjkRound& round) {
        const std::string kept = names(round.after);
        return " Of " + names(all) + " the part nearest to the origin is " +
               (round.after.size() == 1 ? "the point " : "the edge ") + kept + ", " +
               metres(glm::length(round.nearest)) +
               " away: " + (round.after.size() == all.size() ? "keep both." : "the rest is dropped.");
    }

    const PlanarPair& pair_;
    std::vector<DVec2> outline_a_, outline_b_;
    std::shared_ptr<const Figure> backdrop_;
    double size_ = 0.0; // of the difference, m: how long arrows are
    std::vector<LabStep> steps_;
};

} // namespace

LabRun run_planar(const PlanarPair& pair) {
    PlanarTrace trace;
    const PlanarAnswer answer = planar_distance(pair, &trace);
    Tracer tracer(pair);
    int number = 0;
    for (const GjkRound& round : trace.gjk) {
        tracer.report(round, ++number);
    }
    number = 0;
    for (const EpaRound& round : trace.epa) {
        tracer.report(round, ++number);
    }
    tracer.report(answer);
    LabRun run;
    run.algorithm = "planar";
    run.steps = tracer.take();
    run.answer = Tracer::status_text(answer);
    run.failed = answer.status == PlanarStatus::failed;
    return run;
}

} // namespace cairn::core::lab::planar
