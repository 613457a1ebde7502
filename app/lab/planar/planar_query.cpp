#include "app/lab/planar/planar_query.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace cairn::core::lab::planar {
namespace {

using GjkRound = PlanarTrace::GjkRound;
using EpaRound = PlanarTrace::EpaRound;

constexpr double touching = 1e-9;  // of the size: closer than this is touch
constexpr double rounding = 1e-13; // of the size: what sums of coordinates may be off by

std::size_t farthest(const std::vector<DVec2>& corners, const DVec2& direction) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < corners.size(); ++i) {
        if (glm::dot(corners[i], direction) > glm::dot(corners[best], direction)) {
            best = i;
        }
    }
    return best;
}

// Both polygons as seen from the position of A: near it nothing is lost, wherever the pair is.
class Supports {
  public:
    explicit Supports(const PlanarPair& pair)
        : a_(placed_corners(pair.a, pair.a.position)),
          b_(placed_corners(pair.b, pair.a.position)),
          between_(pair.b.position - pair.a.position) {
        for (const DVec2& p : a_) {
            size_ = std::max(size_, glm::length(p));
        }
        double of_b = 0.0;
        for (const DVec2& p : b_) {
            of_b = std::max(of_b, glm::length(p - between_));
        }
        size_ += of_b;
    }

    PlanarVertex operator()(const DVec2& direction) {
        const Made made{farthest(a_, direction), farthest(b_, -direction)};
        const auto known = std::ranges::find(found_, made);
        PlanarVertex vertex{a_[made.first] - b_[made.second], a_[made.first], b_[made.second],
                            int(known - found_.begin()) + 1};
        if (known == found_.end()) {
            found_.push_back(made);
        }
        return vertex;
    }

    double size() const { return size_; } // how far corners lie from the polygons' origins, both together, m
    const DVec2& between() const { return between_; }
    int corners() const { return int(a_.size() + b_.size()); }

  private:
    using Made = std::pair<std::size_t, std::size_t>; // corners of A and B
    std::vector<DVec2> a_, b_;
    DVec2 between_;
    double size_ = 0.0;
    std::vector<Made> found_;
};

using Simplex = std::vector<PlanarVertex>;

bool holds(const Simplex& simplex, const PlanarVertex& vertex) {
    return std::ranges::any_of(simplex, [&vertex](const PlanarVertex& v) { return v.number == vertex.number; });
}

// The point of the segment nearest to the origin, and how far along it lies, 0 to 1.
std::pair<DVec2, double> nearest_on(const DVec2& from, const DVec2& to) {
    const DVec2 edge = to - from;
    const double length2 = glm::dot(edge, edge);
    const double along = length2 > 0.0 ? std::clamp(-glm::dot(from, edge) / length2, 0.0, 1.0) : 0.0;
    // Measured from the nearer end, where the least cancels.
    return {along < 0.5 ? from + along * edge : to - (1.0 - along) * edge, along};
}

struct Reduced {
    Simplex kept;
    DVec2 nearest{0.0};
    bool inside = false; // a triangle that holds the origin
};

// Keeps the part of one to three points on which the point nearest to the origin lies.
Reduced nearest_part(const Simplex& s) {
    if (s.size() == 1) {
        return {s, s[0].w, false};
    }
    const auto of_segment = [&s](std::size_t i, std::size_t j) {
        const auto [point, along] = nearest_on(s[i].w, s[j].w);
        return Reduced{along <= 0.0 ? Simplex{s[i]} : along >= 1.0 ? Simplex{s[j]} : Simplex{s[i], s[j]}, point, false};
    };
    if (s.size() == 2) {
        return of_segment(0, 1);
    }
    const double turn = cross(s[1].w - s[0].w, s[2].w - s[0].w);
    // On which side of each edge the origin lies, counted so that the inside is positive.
    bool inside = turn != 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        inside = inside && cross(s[i].w, s[(i + 1) % 3].w) * turn >= 0.0;
    }
    if (inside) {
        return {s, DVec2(0.0), true};
    }
    Reduced best = of_segment(0, 1);
    for (const Reduced& other : {of_segment(1, 2), of_segment(2, 0)}) {
        if (glm::length(other.nearest) < glm::length(best.nearest)) {
            best = other;
        }
    }
    return best;
}

// The points of A and B whose difference is the point nearest to the origin on a segment of support points.
void set_points(PlanarAnswer& answer, const PlanarVertex& from, const PlanarVertex& to, const DVec2& origin) {
    const double along = nearest_on(from.w, to.w).second;
    answer.point_a = origin + from.on_a + along * (to.on_a - from.on_a);
    answer.point_b = origin + from.on_b + along * (to.on_b - from.on_b);
}

DVec2 unit_or(const DVec2& v, const DVec2& fallback) {
    const double length = glm::length(v);
    return length > 0.0 ? v / length : fallback;
}

// A triangle round the origin, or with it on its border, from what GJK ended with. Counter-clockwise.
std::vector<PlanarVertex> start_of_epa(Simplex s, Supports& support) {
    if (s.size() == 1) {
        // The origin is a corner: the farther of two opposite points makes an edge.
        const PlanarVertex one = support(DVec2(1.0, 0.0)), other = support(DVec2(-1.0, 0.0));
        s.push_back(glm::length(one.w - s[0].w) >= glm::length(other.w - s[0].w) ? one : other);
    }
    if (s.size() == 2) {
        // The origin is on an edge: beyond one of its sides there is more.
        const DVec2 across = right_of(s[1].w - s[0].w);
        const PlanarVertex one = support(across), other = support(-across);
        s.push_back(std::abs(glm::dot(one.w - s[0].w, across)) >= std::abs(glm::dot(other.w - s[0].w, across)) ? one
                                                                                                               : other);
    }
    if (cross(s[1].w - s[0].w, s[2].w - s[0].w) < 0.0) {
        std::swap(s[1], s[2]);
    }
    return s;
}

PlanarStatus status_of(double distance, double size) {
    return distance > touching * size    ? PlanarStatus::separated
           : distance < -touching * size ? PlanarStatus::overlapping
                                         : PlanarStatus::touching;
}

void expand(std::vector<PlanarVertex> polygon, Supports& support, int most, const DVec2& origin, PlanarAnswer& answer,
            PlanarTrace* trace) {
    while (answer.epa_rounds < most) {
        ++answer.epa_rounds;
        EpaRound round;
        round.offset = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const DVec2 edge = polygon[(i + 1) % polygon.size()].w - polygon[i].w;
            const DVec2 normal = unit_or(right_of(edge), DVec2(1.0, 0.0));
            // With its sign: an edge that the origin lies beyond is nearer than any other.
            const double offset = glm::dot(normal, polygon[i].w);
            if (offset < round.offset) {
                round.edge = i;
                round.normal = normal;
                round.offset = offset;
            }
        }
        round.found = support(round.normal);
        round.gain = glm::dot(round.normal, round.found.w) - round.offset;
        round.ends = round.gain <= rounding * support.size() || holds(polygon, round.found);
        const PlanarVertex from = polygon[round.edge], to = polygon[(round.edge + 1) % polygon.size()];
        if (trace != nullptr) {
            round.polygon = polygon;
            trace->epa.push_back(round);
        }
        if (round.ends) {
            answer.distance = -round.offset;
            answer.normal = round.normal;
            answer.status = status_of(answer.distance, support.size());
            set_points(answer, from, to, origin);
            return;
        }
        polygon.insert(polygon.begin() + std::ptrdiff_t(round.edge) + 1, round.found);
    }
    answer.status = PlanarStatus::failed;
}

} // namespace

PlanarAnswer planar_distance(const PlanarPair& pair, PlanarTrace* trace, const PlanarSettings& settings) {
    Supports support(pair);
    const int most = settings.most_rounds > 0 ? settings.most_rounds : 2 * support.corners();
    const DVec2 origin = pair.a.position;
    PlanarAnswer answer;
    Simplex simplex;
    DVec2 nearest(0.0);
    // From centre to centre: the point of A minus B that comes from where they face each other.
    DVec2 direction = unit_or(support.between(), DVec2(1.0, 0.0));
    double at_least = 0.0;
    DVec2 parting = direction; // the direction that `at_least` was found along
    while (answer.gjk_rounds < most) {
        ++answer.gjk_rounds;
        GjkRound round;
        round.before = simplex;
        round.direction = direction;
        round.found = support(direction);
        // Nothing of the difference lies farther along the direction than the point found.
        if (-glm::dot(direction, round.found.w) > at_least) {
            at_least = -glm::dot(direction, round.found.w);
            parting = direction;
        }
        Reduced reduced{simplex, nearest, false};
        const double before = glm::length(nearest);
        if (holds(simplex, round.found)) {
            round.end = GjkRound::End::falls_short;
        } else {
            simplex.push_back(round.found);
            reduced = nearest_part(simplex);
            const double now = glm::length(reduced.nearest);
            if (reduced.inside) {
                round.end = GjkRound::End::inside;
            } else if (now <= touching * support.size()) {
                round.end = GjkRound::End::on_simplex;
            } else if (now - at_least <= rounding * support.size()) {
                round.end = GjkRound::End::falls_short;
            } else if (!round.before.empty() && now >= before) {
                // Rounding alone lets a new point bring nothing: what was there is as near as rounding allows.
                round.end = GjkRound::End::no_progress;
                reduced = {round.before, nearest, false};
            }
        }
        simplex = reduced.kept;
        nearest = reduced.nearest;
        round.after = simplex;
        round.nearest = nearest;
        round.at_least = at_least;
        const GjkRound::End end = round.end;
        if (trace != nullptr) {
            trace->gjk.push_back(std::move(round));
        }
        if (end == GjkRound::End::inside || end == GjkRound::End::on_simplex) {
            expand(start_of_epa(simplex, support), support, most, origin, answer, trace);
            return answer;
        }
        direction = -unit_or(nearest, -parting);
        if (end != GjkRound::End::goes_on) {
            answer.distance = glm::length(nearest);
            answer.normal = direction;
            answer.status = status_of(answer.distance, support.size());
            set_points(answer, simplex.front(), simplex.back(), origin);
            return answer;
        }
    }
    answer.distance = glm::length(nearest);
    answer.normal = direction;
    set_points(answer, simplex.front(), simplex.back(), origin);
    return answer;
}

std::vector<DVec2> difference_polygon(const PlanarPair& pair) {
    std::vector<DVec2> points;
    for (const DVec2& p : placed_corners(pair.a, pair.a.position)) {
        for (const DVec2& q : placed_corners(pair.b, pair.a.position)) {
            points.push_back(p - q);
        }
    }
    const auto hull = polygon_of(points);
    return std::get<Polygon>(hull).corners; // of two polygons with area: it has more
}

} // namespace cairn::core::lab::planar
