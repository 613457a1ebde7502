// GJK in sentences: each round first asks for a support point, then reduces the simplex to the part nearest the origin.
#include "app/lab/steps/wording.h"
#include "app/lab/tracers/tracers.h"

#include <algorithm>

namespace cairn::core::lab {

namespace trace = algorithms::trace;
using physics::SupportPoint;

std::vector<int> GjkTracer::vertex_numbers(const trace::Simplex& simplex) {
    std::vector<int> out;
    for (int i = 0; i < simplex.count; ++i) {
        out.push_back(numbers_.number_of(simplex.vertex[static_cast<std::size_t>(i)]));
    }
    return out;
}

// The simplex as it is, its point nearest to the origin, and the numbers of both.
LabStep GjkTracer::step_with_simplex() const {
    LabStep step;
    step.backdrop = scenery_.backdrop;
    std::vector<SupportPoint> vertices;
    for (const int number : on_simplex_) {
        vertices.push_back(numbers_.point(number));
        mark_vertex(step, scenery_, vertices.back(), number, Role::simplex);
    }
    mark_simplex(step, scenery_, vertices, Role::simplex);
    if (!simplex_.holds_origin) {
        const DVec3 nearest = scenery_.frame.direction(simplex_.nearest);
        step.difference.dots.push_back({nearest, Role::nearest, {}});
        step.difference.strokes.push_back({DVec3(0.0), nearest, Role::nearest, false, {}});
    }
    step.readings.push_back({"round", std::to_string(round_)});
    if (!by_regions_) {
        std::string weights;
        for (std::size_t i = 0; i < on_simplex_.size(); ++i) {
            weights += (i == 0 ? "" : ", ") + std::to_string(on_simplex_[i]) + ": " + short_number(simplex_.weight[i]);
        }
        step.readings.push_back({"barycentrics", weights});
        // Where those weights lead on the bodies themselves.
        DVec3 on_a(0.0);
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            on_a += vertices[i].a * simplex_.weight[i];
        }
        const DVec3 a = scenery_.frame.point(on_a);
        const DVec3 b = scenery_.frame.point(on_a - simplex_.nearest);
        step.world.dots.push_back({a, Role::nearest, {}});
        step.world.dots.push_back({b, Role::nearest, {}});
        step.world.strokes.push_back({a, b, Role::nearest, false, {}});
    }
    step.readings.push_back({"distance at most", metres(simplex_.distance)});
    if (simplex_.lower > 0.0) {
        step.readings.push_back({"distance at least", metres(simplex_.lower)});
        step.readings.push_back({"gap of the bounds", metres(simplex_.distance - simplex_.lower)});
    }
    if (scenery_.radius > 0.0) {
        step.readings.push_back({"radii", metres(scenery_.radius)});
    }
    return step;
}

std::string GjkTracer::kept_sentence(const std::vector<int>& before, const std::vector<int>& after) const {
    static constexpr std::array<const char*, 5> names{"", "vertex ", "edge ", "face ", "tetrahedron "};
    const auto part = [&](const std::vector<int>& numbers) { return names[numbers.size()] + chain(numbers); };
    const std::string whole = part(before);
    if (after.size() == 4) {
        return "The origin is inside every face of the " + part(after) + ": the simplex holds it.";
    }
    std::vector<int> dropped;
    std::ranges::copy_if(before, std::back_inserter(dropped),
                         [&](int n) { return std::ranges::find(after, n) == after.end(); });
    const bool one = after.size() == 1;
    if (dropped.empty()) {
        return after.size() == 2
                   ? "The origin lies beside " + whole + ", between its ends: keep both."
                   : "The origin projects into " + whole + ": keep all of it, and search along its normal.";
    }
    std::string out = before.size() == 4 && after.size() == 3 ? "The origin is outside " + part(after)
                                                              : "The origin lies in the region of " + part(after);
    out += ": keep " + listed(after) + ", drop " + listed(dropped) + "; search ";
    out += one ? "from there straight to the origin." : after.size() == 2 ? "across the edge." : "along its normal.";
    return out;
}

void GjkTracer::take(const trace::Simplex& simplex) {
    const std::vector<int> before = on_simplex_;
    simplex_ = simplex;
    on_simplex_ = vertex_numbers(simplex);
    // In the order of their numbers, weights with them.
    for (std::size_t i = 1; i < on_simplex_.size(); ++i) {
        for (std::size_t k = i; k > 0 && on_simplex_[k] < on_simplex_[k - 1]; --k) {
            std::swap(on_simplex_[k], on_simplex_[k - 1]);
            std::swap(simplex_.weight[k], simplex_.weight[k - 1]);
        }
    }
    if (!begun_) {
        begun_ = true;
        LabStep step = step_with_simplex();
        const bool one = on_simplex_.size() == 1;
        if (one && newest_ > 0) {
            mark_plane(step, scenery_, support_.direction, numbers_.point(newest_).w, Role::bound);
            step.sentence = "The search starts with the support point along the line of the centres, vertex " +
                            std::to_string(newest_) +
                            ": the farthest point of A that way less the farthest "
                            "point of B the other way.";
        } else {
            step.sentence = "The search starts from support points round a good guess, and keeps what is nearest to "
                            "the origin: " +
                            std::string(one ? "vertex " : "vertices ") + listed(on_simplex_) + ".";
        }
        step.status = "going on";
        out_.push_back(std::move(step));
        newest_ = 0;
        return;
    }
    std::vector<int> whole = before;
    if (newest_ > 0) {
        whole.push_back(newest_);
    }
    LabStep step = step_with_simplex();
    for (const int number : whole) {
        if (std::ranges::find(on_simplex_, number) == on_simplex_.end()) {
            mark_vertex(step, scenery_, numbers_.point(number), number, Role::dropped);
            for (const int other : whole) {
                if (other != number) {
                    step.difference.strokes.push_back({scenery_.frame.direction(numbers_.point(number).w),
                                                       scenery_.frame.direction(numbers_.point(other).w),
                                                       Role::dropped,
                                                       false,
                                                       {}});
                }
            }
        }
    }
    step.sentence = kept_sentence(whole, on_simplex_);
    step.status = "going on";
    out_.push_back(std::move(step));
    newest_ = 0;
}

void GjkTracer::take(const trace::Support& support) {
    support_ = support;
    newest_ = numbers_.number_of(support.point);
    if (!begun_) {
        return; // the first simplex reports it
    }
    ++round_;
    LabStep step = step_with_simplex();
    const bool known = std::ranges::find(on_simplex_, newest_) != on_simplex_.end();
    if (!known) {
        mark_vertex(step, scenery_, support.point, newest_, Role::newest);
    }
    const DVec3 from = scenery_.frame.direction(simplex_.nearest);
    const DVec3 along = scenery_.frame.direction(support.direction) * (0.4 * scenery_.size);
    step.difference.strokes.push_back({from, from + along, Role::direction, true, {}});
    mark_plane(step, scenery_, support.direction, support.point.w, Role::bound);
    // The same direction on the bodies: A is searched along it, B against it.
    const DVec3 on_a = scenery_.frame.point(support.point.a);
    const DVec3 on_b = scenery_.frame.point(support.point.b());
    step.world.strokes.push_back({on_a, on_a + 0.5 * along, Role::direction, true, {}});
    step.world.strokes.push_back({on_b, on_b - 0.5 * along, Role::direction, true, {}});
    step.readings.push_back({"direction", vector_text(scenery_.frame.direction(support.direction))});
    step.readings.push_back({"support plane at", metres(support.bound)});
    step.sentence =
        "Round " + std::to_string(round_) + ": from the nearest point of the simplex towards the origin and on: ";
    if (known) {
        step.sentence += "the farthest point that way is vertex " + std::to_string(newest_) + ", which it has already.";
    } else if (support.bound > 0.0) {
        step.sentence += "support point " + std::to_string(newest_) +
                         ". It does not pass the origin: nothing of the "
                         "difference is nearer than its plane, " +
                         metres(support.bound) + " away.";
    } else {
        step.sentence +=
            "support point " + std::to_string(newest_) + ", beyond the origin by " + metres(-support.bound) + ".";
    }
    step.status = "going on";
    out_.push_back(std::move(step));
    simplex_.lower = std::max(simplex_.lower, support.bound);
}

void GjkTracer::take(const trace::GjkEnd& end) {
    LabStep step = step_with_simplex();
    // Spheres and capsules are grown: their cores are apart by more than they are.
    const double apart = simplex_.distance - scenery_.radius;
    const bool grown = scenery_.radius > 0.0;
    const std::string found = (grown ? "the cores are " : "the shapes are ") + metres(simplex_.distance) + " apart";
    std::string rest = ".";
    if (grown) {
        rest = apart < 0.0 ? ". That is less than the radii: the shapes overlap by " + metres(-apart) + "."
                           : ", and the shapes " + metres(apart) + ".";
    }
    switch (end.why) {
    case trace::GjkStop::holds_origin:
        step.sentence = "The origin is inside the Minkowski difference: the shapes overlap.";
        step.status = "stops: the simplex holds the origin";
        break;
    case trace::GjkStop::touching:
        step.sentence = by_regions_
                            ? "The simplex is as near to the origin as touching shapes are: they overlap."
                            : "The simplex passes through the origin as exactly as numbers can tell: the shapes "
                              "touch or overlap.";
        step.status = "stops: touching";
        break;
    case trace::GjkStop::beyond:
        mark_plane(step, scenery_, support_.direction, support_.point.w, Role::bound);
        step.sentence =
            "The support plane lies between the origin and all of the difference: the shapes are apart, and "
            "nobody asked how far.";
        step.status = "stops: a separating plane";
        break;
    case trace::GjkStop::bounds_agree:
        step.sentence = "The support plane is as far away as the nearest point of the simplex: " + found +
                        ", proven from both sides" + rest;
        step.status = "stops: the bounds agree to a part in 1e12";
        break;
    case trace::GjkStop::known_point:
        step.sentence = "No point of the difference lies farther along than the simplex itself: its nearest point is "
                        "the nearest of all, and " +
                        found + rest;
        step.status = "stops: the support point is a vertex already";
        break;
    case trace::GjkStop::no_progress:
        step.sentence = "Another vertex would bring the simplex no nearer: what is left is rounding.";
        step.status = "stops: no progress";
        break;
    case trace::GjkStop::out_of_rounds:
        step.sentence = "The cap on rounds is reached: the best bounds so far are reported.";
        step.status = "stops: out of rounds";
        break;
    }
    step.readings.push_back({"rounds", std::to_string(end.rounds)});
    step.readings.push_back(
        {"tolerance", "1e-12 of the distance"}); // relative_gap of gjk.cpp, resolution of region_gjk
    out_.push_back(std::move(step));
    begun_ = false;
    round_ = newest_ = 0;
    on_simplex_.clear();
}

} // namespace cairn::core::lab
