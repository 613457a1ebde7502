#include "app/lab/known_bugs/queries/expanding.h"

#include "app/core/base/joined_words.h"
#include "app/lab/known_bugs/support/backdrop.h"
#include "app/lab/known_bugs/support/engine_side.h"

#include <algorithm>
#include <cmath>

namespace cairn::core::lab::known_bugs {

using Face = Polytope::Face;
using Edge = Polytope::Edge;

DVec3 Polytope::normal(const Face& face) const {
    const auto& [i, j, k] = face.corner;
    const DVec3 n = glm::normalize(glm::cross(points[j].w - points[i].w, points[k].w - points[i].w));
    return face.turned ? -n : n;
}

double Polytope::offset(const Face& face) const {
    return glm::dot(normal(face), points[face.corner[0]].w);
}

bool Polytope::before_plane(const Face& face, const DVec3& point) const {
    // Less than rounding makes of a point in the plane does not lie before it.
    const DVec3 offset = point - points[face.corner[0]].w;
    return glm::dot(normal(face), offset) > 1e-12 * glm::length(offset);
}

double Polytope::volume() const {
    double six = 0.0;
    for (const Face& face : faces) {
        six += glm::dot(points[face.corner[0]].w, glm::cross(points[face.corner[1]].w, points[face.corner[2]].w));
    }
    return six / 6.0;
}

std::string Polytope::name(const Face& face) const {
    const std::array<Vertex, 3> corners{points[face.corner[0]], points[face.corner[1]], points[face.corner[2]]};
    return names(corners);
}

Polytope tetrahedron(const Vertex& a, const Vertex& b, const Vertex& c, const Vertex& d) {
    Polytope t{{a, b, c, d}, {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}}};
    if (t.volume() < 0.0) {
        std::swap(t.points[0], t.points[1]);
    }
    return t;
}

Polytope spread_tetrahedron(Difference& difference) {
    const DVec3 diagonal = glm::normalize(DVec3(1, 1, 1));
    const Vertex a = difference.support(diagonal);
    const Vertex b = difference.support(-diagonal);
    const DVec3 line = b.w - a.w;
    const auto from_line = [&](const Vertex& v) { return glm::length(glm::cross(line, v.w - a.w)); };
    const DVec3 side = glm::cross(line, std::abs(line.x) < std::abs(line.y) ? DVec3(1, 0, 0) : DVec3(0, 1, 0));
    const Vertex c1 = difference.support(side), c2 = difference.support(-side);
    const Vertex c = from_line(c1) >= from_line(c2) ? c1 : c2;
    const DVec3 normal = glm::cross(line, c.w - a.w);
    const auto from_plane = [&](const Vertex& v) { return std::abs(glm::dot(normal, v.w - a.w)); };
    const Vertex d1 = difference.support(normal), d2 = difference.support(-normal);
    return tetrahedron(a, b, c, from_plane(d1) >= from_plane(d2) ? d1 : d2);
}

std::vector<Edge> unique_edges(const std::vector<Face>& faces) {
    std::vector<Edge> edges;
    for (const Face& face : faces) {
        for (std::size_t i = 0; i < 3; ++i) {
            const Edge edge{face.corner[i], face.corner[(i + 1) % 3]};
            const auto reverse = std::ranges::find(edges, Edge{edge.second, edge.first});
            if (reverse != edges.end()) {
                edges.erase(reverse);
            } else {
                edges.push_back(edge);
            }
        }
    }
    return edges;
}

bool before_origin(const Polytope& polytope, const Face& face, const DVec3& point) {
    return glm::dot(polytope.normal(face), point) > 0.0;
}

namespace {

struct Seen {
    std::vector<Face> faces;
    std::vector<Face> kept;
    std::vector<Edge> rim;
};

Seen look_from(const Polytope& polytope, const DVec3& point, const ExpandingRules& rules) {
    Seen out;
    for (const Face& face : polytope.faces) {
        const bool seen =
            rules.seen_from_origin ? before_origin(polytope, face, point) : polytope.before_plane(face, point);
        (seen ? out.faces : out.kept).push_back(face);
    }
    out.rim = unique_edges(out.faces);
    return out;
}

Polytope grown(Polytope polytope, const Vertex& point, const Seen& seen, const ExpandingRules& rules) {
    polytope.points.push_back(point);
    polytope.faces = seen.kept;
    for (const auto& [from, to] : seen.rim) {
        Face face{{from, to, polytope.points.size() - 1}};
        face.turned = rules.turns_normals_only && polytope.offset(face) < 0.0;
        polytope.faces.push_back(face);
    }
    return polytope;
}

Face nearest_face(const Polytope& p, bool by_square) {
    return *std::ranges::min_element(p.faces, [&](const Face& a, const Face& b) {
        const double of_a = p.offset(a), of_b = p.offset(b);
        return by_square ? of_a * of_a < of_b * of_b : of_a < of_b;
    });
}

void draw_face(Figure& figure, const Polytope& p, const Face& face, Role role) {
    const DVec3 &a = p.points[face.corner[0]].w, &b = p.points[face.corner[1]].w, &c = p.points[face.corner[2]].w;
    figure.facets.push_back({{a, b, c}, role});
    figure.strokes.push_back({a, b, role, false, {}});
    figure.strokes.push_back({b, c, role, false, {}});
    figure.strokes.push_back({c, a, role, false, {}});
}

void draw_polytope(Figure& figure, const Polytope& p) {
    for (const Vertex& point : p.points) {
        figure.dots.push_back({point.w, Role::simplex, std::to_string(point.number)});
    }
    for (const Face& face : p.faces) {
        draw_face(figure, p, face, Role::simplex);
    }
}

std::string names_of(const Polytope& p, const std::vector<Face>& faces) {
    return faces.empty() ? "none" : joined_words(faces, [&p](const Face& face) { return p.name(face); });
}

// What a new point does to the polytope, and where that is wrong: faces that go though the point lies behind them or
// the other way round, edges that should have cancelled.
void trace_growth(LabStep& step, const Polytope& p, const Vertex& point, const Seen& seen,
                  const ExpandingRules& rules) {
    step.sentence += " It sees the faces " + names_of(p, seen.faces) + ": they go, and new ones join the point to " +
                     std::to_string(seen.rim.size()) + " edges of their rim.";
    std::vector<Face> wrongly;
    for (const Face& face : seen.faces) {
        const bool rightly = p.before_plane({face.corner}, point.w);
        draw_face(step.difference, p, face, rightly ? Role::dropped : Role::wrong);
        if (!rightly) {
            wrongly.push_back(face);
        }
    }
    if (!wrongly.empty()) {
        step.sentence += " Not rightly: the point lies behind " + names_of(p, wrongly) +
                         ", and only seen from the origin it seems to lie before.";
    }
    for (const auto& [from, to] : seen.rim) {
        step.difference.strokes.push_back({p.points[from].w, p.points[to].w, Role::silhouette, false, {}});
    }
    if (rules.turns_normals_only && seen.rim.size() > seen.faces.size() + 2) {
        step.sentence += " Of so many faces no more than " + std::to_string(seen.faces.size() + 2) +
                         " edges can be a rim: some have the same order of corners in both faces, and do not cancel.";
    }
}

} // namespace

Polytope expanded(Polytope polytope, const Vertex& point, const ExpandingRules& rules) {
    const Seen seen = look_from(polytope, point.w, rules);
    return grown(std::move(polytope), point, seen, rules);
}

namespace {

LabStep& describe_nearest(StepReport& report, int round, const Polytope& p, const Face& face) {
    const double offset = p.offset(face);
    report.round(round);
    LabStep& step =
        report.step("Face " + p.name(face) + " is nearest to the origin, at " + length_text(offset) + ".", "going on");
    draw_polytope(step.difference, p);
    add_reading(step, "faces", std::to_string(p.faces.size()));
    add_reading(step, "nearest face", length_text(offset));
    return step;
}

void describe_no_area(LabStep& step, const Polytope& p, const Face& face) {
    step.sentence = "Face " + p.name(face) +
                    " has no area: its normal is zero divided by zero, and so are the depth and the contact.";
    step.status = "stops: not a number";
    draw_face(step.difference, p, face, Role::wrong);
}

void describe_direction(LabStep& step, const Polytope& p, const Face& face, bool by_square, double arrow) {
    const double offset = p.offset(face);
    const double truly = p.offset(nearest_face(p, false));
    if (by_square && truly < offset) {
        step.sentence += " Truly nearest is one that the origin lies beyond, at " + length_text(truly) +
                         ": squared, that looks far.";
        draw_face(step.difference, p, face, Role::wrong);
    } else {
        draw_face(step.difference, p, face, Role::kept);
    }
    const DVec3 normal = p.normal(face);
    draw_direction(step.difference, normal * offset, normal, arrow);
}

void describe_support(LabStep& step, const Vertex& point, double gain) {
    draw_newest(step, point);
    add_reading(step, "gain", length_text(gain));
    step.sentence += " Point " + std::to_string(point.number) + ", the support along its normal, lies " +
                     length_text(gain) + " beyond it.";
}

void describe_found(LabStep& step, double enough, const DVec3& nearest, double depth, bool too_soon) {
    step.sentence += " That is no more than " + length_text(enough) + ": the search ends, with a depth of " +
                     length_text(depth) + ".";
    step.status = "stops: no gain";
    step.difference.dots.push_back({nearest, too_soon ? Role::wrong : Role::nearest, {}});
}

void describe_nothing_left(LabStep& step) {
    step.sentence += " No edge is left to build on: the search has nothing in its hands, and the shapes fall "
                     "through each other.";
    step.status = "stops: no edges";
}

} // namespace

Expanded expand(Difference& difference, Polytope p, const ExpandingRules& rules, StepReport* report) {
    const double enough = rules.enough.value_or(1e-9 * difference.size());
    int round = 1;
    for (; round <= most_expansions && p.faces.size() <= 4 + 2 * std::size_t(most_expansions); ++round) {
        const Face face = nearest_face(p, rules.nearest_by_square);
        const DVec3 normal = p.normal(face);
        const double offset = p.offset(face);
        LabStep* step = report ? &describe_nearest(*report, round, p, face) : nullptr;
        if (std::isnan(offset)) {
            if (step) {
                describe_no_area(*step, p, face);
            }
            return {Expanded::Outcome::no_normal, offset, normal, round, p.faces.size()};
        }
        const Vertex point = difference.support(normal);
        const double gain = glm::dot(normal, point.w) - offset;
        if (step) {
            describe_direction(*step, p, face, rules.nearest_by_square, 0.3 * difference.size());
            describe_support(*step, point, gain);
        }
        if (gain <= enough) {
            if (step) {
                describe_found(*step, enough, normal * offset, offset, gain > 1e-6 * difference.size());
            }
            return {Expanded::Outcome::found, offset, normal, round, p.faces.size()};
        }
        const Seen seen = look_from(p, point.w, rules);
        if (step) {
            trace_growth(*step, p, point, seen, rules);
        }
        if (seen.rim.empty()) {
            if (step) {
                describe_nothing_left(*step);
            }
            return {Expanded::Outcome::nothing_left, 0.0, DVec3(0.0), round, p.faces.size()};
        }
        p = grown(std::move(p), point, seen, rules);
    }
    return {Expanded::Outcome::runs_on, 0.0, DVec3(0.0), round - 1, p.faces.size()};
}

void judge(LabRun& bug, const Expanded& answer, const LabPair& pair) {
    const physics::DistanceResult truth = engine_answer(pair);
    const double depth = -double(truth.distance);
    switch (answer.outcome) {
    case Expanded::Outcome::found: {
        Difference difference = difference_of(pair);
        const double way_out = glm::dot(difference.support(answer.normal).w, answer.normal);
        const double within = 0.05 * std::abs(depth) + 1e-5 * difference.size();
        bug.answer = "The article's answer: they overlap by " + length_text(answer.depth) + ".";
        bug.failed = !(std::abs(answer.depth - depth) <= within && std::abs(way_out - depth) <= within);
        if (std::abs(answer.depth - depth) <= within && bug.failed) {
            bug.answer += " Along its normal it takes " + length_text(way_out) + " to part them.";
        }
        return;
    }
    case Expanded::Outcome::no_normal:
        bug.answer = "The article's answer: a normal and a depth that are not numbers.";
        break;
    case Expanded::Outcome::nothing_left:
        bug.answer = "The article's answer: none; its polytope has no edges left.";
        break;
    case Expanded::Outcome::runs_on:
        bug.answer = "The article's answer: none; it would run for ever, and was stopped after " +
                     std::to_string(answer.rounds) + " rounds with " + std::to_string(answer.faces) + " faces.";
        break;
    }
    bug.failed = true;
}

namespace {

LabRun run_from_spread(const LabPair& pair, const ExpandingRules& rules) {
    LabRun run;
    StepReport report;
    report.stand_before([still = backdrop_of(pair, 0.0)](double) { return still; });
    if (!together(engine_answer(pair))) {
        report.step("GJK finds the shapes apart, so that no depth is asked for.", "stops: apart");
        run.answer = "The article has no depth to find.";
        run.steps = report.take();
        return run;
    }
    Difference difference = difference_of(pair);
    Polytope start = spread_tetrahedron(difference);
    LabStep& step = report.step(
        "Four support points far from each other, " + names(start.points) + ", make the first polytope.", "going on");
    draw_polytope(step.difference, start);
    if (rules.turns_normals_only) {
        for (Face& face : start.faces) {
            face.turned = start.offset(face) < 0.0;
            if (face.turned) {
                step.sentence += " The origin lies beyond face " + start.name(face) +
                                 ": the article turns its normal away from the origin, but not the order of its "
                                 "corners.";
                draw_face(step.difference, start, face, Role::wrong);
            }
        }
    }
    judge(run, expand(difference, std::move(start), rules, &report), pair);
    run.steps = report.take();
    return run;
}

} // namespace

LabRun run_nearest_by_square(const LabPair& pair) {
    ExpandingRules rules;
    rules.nearest_by_square = true;
    rules.enough = 1e-3;
    return run_from_spread(pair, rules);
}

LabRun run_seen_from_origin(const LabPair& pair) {
    ExpandingRules rules;
    rules.seen_from_origin = true;
    rules.turns_normals_only = true;
    return run_from_spread(pair, rules);
}

} // namespace cairn::core::lab::known_bugs
