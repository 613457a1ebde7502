// The expanding polytope in sentences: each round looks beyond the nearest face, then replaces what the new point sees.
#include "app/lab/steps/wording.h"
#include "app/lab/tracers/tracers.h"

#include <algorithm>

namespace cairn::core::lab {

namespace trace = algorithms::trace;
using physics::SupportPoint;

namespace {

bool same_face(const std::array<int, 3>& f, const std::array<int, 3>& g) {
    return f == g || f == std::array<int, 3>{g[1], g[2], g[0]} || f == std::array<int, 3>{g[2], g[0], g[1]};
}

} // namespace

// The polytope's own numbers start from 1 again: GJK's simplex has been replaced by it.
std::vector<int> EpaTracer::numbers(const std::array<int, 3>& face) const {
    return {face[0] + 1, face[1] + 1, face[2] + 1};
}

LabStep EpaTracer::step_with_polytope() const {
    LabStep step;
    step.backdrop = scenery_.backdrop;
    step.polytope = {shown_, faces_};
    step.readings.push_back({"round", std::to_string(round_)});
    step.readings.push_back(
        {"polytope", std::to_string(vertices_.size()) + " vertices, " + std::to_string(faces_.size()) + " faces"});
    return step;
}

void EpaTracer::mark_face(LabStep& step, const std::array<int, 3>& face, Role role) const {
    std::array<DVec3, 3> corner{};
    for (std::size_t i = 0; i < 3; ++i) {
        const SupportPoint& point = vertices_[static_cast<std::size_t>(face[i])];
        corner[i] = scenery_.frame.direction(point.w);
        step.world.dots.push_back({scenery_.frame.point(point.a), Role::witness_a, std::to_string(face[i] + 1)});
        step.world.dots.push_back({scenery_.frame.point(point.b()), Role::witness_b, std::to_string(face[i] + 1)});
    }
    step.difference.facets.push_back({corner, role});
    for (std::size_t i = 0; i < 3; ++i) {
        step.difference.strokes.push_back({corner[i], corner[(i + 1) % 3], role, false, {}});
    }
}

void EpaTracer::take(const trace::EpaStart& start) {
    vertices_.assign(start.vertex.begin(), start.vertex.end());
    faces_.assign(trace::first_faces.begin(), trace::first_faces.end());
    shown_ = std::make_shared<std::vector<DVec3>>();
    for (const SupportPoint& vertex : vertices_) {
        shown_->push_back(scenery_.frame.direction(vertex.w));
    }
    round_ = 0;
    least_ = 0.0;
    loose_ = start.from == trace::TetrahedronFrom::again;
    LabStep step = step_with_polytope();
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
        const std::string name = std::to_string(i + 1);
        step.world.dots.push_back({scenery_.frame.point(vertices_[i].a), Role::witness_a, name});
        step.world.dots.push_back({scenery_.frame.point(vertices_[i].b()), Role::witness_b, name});
    }
    switch (start.from) {
    case trace::TetrahedronFrom::simplex:
        step.sentence = start.given == 4
                            ? "How deep? EPA starts with the tetrahedron that GJK left round the origin, its vertices "
                              "numbered anew."
                            : "How deep? GJK left " + std::to_string(start.given) +
                                  (start.given == 1 ? " vertex" : " vertices") +
                                  ": support points across them make it a tetrahedron round the origin, its vertices "
                                  "numbered anew.";
        break;
    case trace::TetrahedronFrom::guess:
        step.sentence = "The centres are so near to each other that four support points round the way out hold the "
                        "origin at once: EPA starts there, without GJK.";
        break;
    case trace::TetrahedronFrom::again:
        step.sentence =
            "The room for vertices is used up: the search starts over with more room and a looser proof, as a "
            "round surface that is equally deep all round needs.";
        break;
    }
    step.status = "going on";
    out_.push_back(std::move(step));
}

void EpaTracer::take(const trace::EpaNearest& nearest) {
    nearest_ = nearest;
    least_ = nearest.least;
    ++round_;
    LabStep step = step_with_polytope();
    mark_face(step, nearest.face, Role::kept);
    const DVec3 foot = scenery_.frame.direction(nearest.normal) * nearest.offset;
    const DVec3 beyond = scenery_.frame.direction(nearest.support.w);
    step.difference.strokes.push_back({DVec3(0.0), foot, Role::nearest, false, {}});
    step.difference.strokes.push_back(
        {foot, foot + scenery_.frame.direction(nearest.normal) * (0.3 * scenery_.size), Role::direction, true, {}});
    const bool corner = std::ranges::any_of(
        nearest.face, [&](int i) { return vertices_[static_cast<std::size_t>(i)].w == nearest.support.w; });
    step.sentence = "Round " + std::to_string(round_) + ": face " + chain(numbers(nearest.face)) +
                    " is nearest to the origin, " + metres(nearest.offset) + " away: the depth is no less. ";
    if (corner) {
        step.sentence += "The farthest point along its normal is one of its own corners: the face is on the surface.";
    } else {
        const int number = static_cast<int>(vertices_.size()) + 1;
        mark_vertex(step, scenery_, nearest.support, number, Role::newest);
        mark_plane(step, scenery_, nearest.normal, nearest.support.w, Role::bound);
        step.sentence += "The farthest point along its normal is " + std::to_string(number) + ", " +
                         metres(nearest.reach) + " out: the depth is no more.";
        step.difference.strokes.push_back({foot, beyond, Role::newest, false, {}});
    }
    step.readings.push_back({"depth at least", metres(std::max(nearest.offset, 0.0))});
    step.readings.push_back({"depth at most", metres(nearest.least)});
    step.readings.push_back({"gap of the bounds", metres(nearest.least - std::max(nearest.offset, 0.0))});
    step.readings.push_back({"normal", vector_text(scenery_.frame.direction(nearest.normal))});
    step.status = "going on";
    out_.push_back(std::move(step));
}

void EpaTracer::take(const trace::EpaExpand& expand) {
    vertices_.push_back(nearest_.support);
    shown_->push_back(scenery_.frame.direction(nearest_.support.w));
    for (const auto& removed : expand.removed) {
        const auto at = std::ranges::find_if(faces_, [&](const auto& face) { return same_face(face, removed); });
        if (at != faces_.end()) {
            faces_.erase(at);
        }
    }
    for (std::size_t k = 0; k < expand.border.size(); ++k) {
        faces_.push_back({expand.border[k], expand.border[(k + 1) % expand.border.size()], expand.vertex});
    }
    LabStep step = step_with_polytope();
    for (const auto& removed : expand.removed) {
        std::array<DVec3, 3> corner{};
        for (std::size_t i = 0; i < 3; ++i) {
            corner[i] = scenery_.frame.direction(vertices_[static_cast<std::size_t>(removed[i])].w);
        }
        step.difference.facets.push_back({corner, Role::dropped});
    }
    for (std::size_t k = 0; k < expand.border.size(); ++k) {
        const auto at = [&](std::size_t i) {
            return scenery_.frame.direction(
                vertices_[static_cast<std::size_t>(expand.border[i % expand.border.size()])].w);
        };
        step.difference.strokes.push_back({at(k), at(k + 1), Role::silhouette, false, {}});
    }
    mark_vertex(step, scenery_, nearest_.support, expand.vertex + 1, Role::newest);
    std::string which;
    if (expand.removed.size() <= 6) {
        for (const auto& removed : expand.removed) {
            which += (which.empty() ? " " : ", ") + chain(numbers(removed));
        }
    }
    std::vector<int> border;
    for (const int vertex : expand.border) {
        border.push_back(vertex + 1);
    }
    const std::size_t gone = expand.removed.size();
    step.sentence = "Vertex " + std::to_string(expand.vertex + 1) + " lies beyond " +
                    (gone == 1 ? "the plane of one face," : "the planes of " + std::to_string(gone) + " faces,") +
                    (which.empty() ? "" : which + ",") + " and sees " + (gone == 1 ? "it" : "them") + ": " +
                    (gone == 1 ? "it is" : "they are") + " removed, and a fan of " +
                    std::to_string(expand.border.size()) + " faces goes from the silhouette" +
                    (border.size() <= 12 ? " " + chain(border) : std::string()) + " to the new vertex.";
    step.readings.push_back({"removed", std::to_string(gone) + (gone == 1 ? " face" : " faces")});
    step.readings.push_back({"silhouette", std::to_string(expand.border.size()) + " edges"});
    step.status = "going on";
    out_.push_back(std::move(step));
}

void EpaTracer::take(const trace::EpaEnd& end) {
    LabStep step = step_with_polytope();
    const double depth = end.depth + scenery_.radius;
    if (end.why != trace::EpaStop::flat) {
        if (!faces_.empty()) {
            mark_face(step, nearest_.face, Role::kept);
        }
    }
    const DVec3 out = scenery_.frame.direction(end.normal) * end.depth;
    step.difference.strokes.push_back({DVec3(0.0), out, Role::nearest, true, metres(depth)});
    switch (end.why) {
    case trace::EpaStop::proven:
        step.sentence = "Nothing lies beyond the face but what the tolerance allows: it is on the surface of the "
                        "difference, and nearest to the origin of all. Depth " +
                        metres(depth) + ".";
        step.status = "stops: the bounds agree to a part in a million";
        break;
    case trace::EpaStop::on_boundary:
        step.sentence =
            "The nearest face is on the surface of the difference: no way out is shorter. Depth " + metres(depth) + ".";
        step.status = "stops: the support point is a corner of the face";
        break;
    case trace::EpaStop::proven_before:
        step.sentence = "The best bound met so far turns out to be the depth: " + metres(depth) + ".";
        step.status = "stops: proven by the faces since";
        break;
    case trace::EpaStop::no_room:
        step.sentence = "The polytope can grow no further here: the best bound met is " + metres(depth) + ".";
        step.status = "stops: no room, or rounding leaves no simple silhouette";
        break;
    case trace::EpaStop::flat:
        step.sentence =
            "The Minkowski difference has no volume: its normal is the way out, " + metres(depth) + " long.";
        step.status = "stops: flat";
        break;
    }
    step.readings.push_back({"depth", metres(depth)});
    step.readings.push_back({"tolerance", loose_ ? "4e-5 of the depth" : "1e-6 of the depth"}); // of epa.cpp
    step.readings.push_back({"normal", vector_text(scenery_.frame.direction(end.normal))});
    out_.push_back(std::move(step));
}

void EpaTracer::take(const trace::EpaPolish& polish) {
    ++polished_;
    LabStep step = step_with_polytope();
    const DVec3 out = scenery_.frame.direction(polish.normal) * polish.depth;
    step.difference.strokes.push_back({DVec3(0.0), out, Role::nearest, true, {}});
    step.sentence =
        "From outside: B is moved out along the normal until a small gap is left, and the closest points give "
        "a better direction. Depth " +
        metres(polish.depth + scenery_.radius) + ".";
    step.readings.push_back({"polishing", std::to_string(polished_)});
    step.readings.push_back({"depth before", metres(polish.depth_before + scenery_.radius)});
    step.readings.push_back({"depth", metres(polish.depth + scenery_.radius)});
    step.status = "going on";
    out_.push_back(std::move(step));
}

} // namespace cairn::core::lab
