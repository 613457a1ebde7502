// What a query does, reported step by step to whoever observes it: the collision lab and tests. An observed query runs
// the same code and gives the same bits as any other; one that nobody observes makes no events.
#pragma once

#include "physics/query/distance.h"
#include "physics/query/gjk/simplex.h"
#include "physics/query/time_of_impact.h"

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

// Points, directions and lengths (m) are in the frame of the first shape, A, and of the Minkowski difference A - B,
// except in the events of a time of impact.
namespace cairn::physics::trace {

// --- GJK -------------------------------------------------------------------------------

// The simplex that a round begins with, and its point nearest to the origin. The region-based simplex has no weights
// (they are zero), and of its vertices only w is set.
struct Simplex {
    std::array<SupportPoint, 4> vertex{};
    std::array<double, 4> weight{}; // barycentric coordinates of `nearest`
    int count = 0;
    DVec3 nearest{0.0};
    double distance = 0.0; // length of `nearest`: an upper bound of the distance
    double lower = 0.0;    // certain lower bound of the distance so far; negative infinity while there is none
    bool holds_origin = false;
};

// The support point that a round asks for; before the first round, the one that the search starts from.
struct Support {
    DVec3 direction{0.0}; // unit
    SupportPoint point;
    double bound = 0.0; // nothing of the difference is nearer to the origin along -direction
};

enum class GjkStop : std::uint8_t {
    holds_origin,  // a tetrahedron holds the origin
    touching,      // the simplex is as near as doubles resolve, or as near as was asked for
    beyond,        // a support plane says that the distance is more than was asked for
    bounds_agree,  // upper and lower bound are the same number
    known_point,   // the support point is a vertex already
    no_progress,   // the simplex would come no nearer: rounding
    out_of_rounds, // the cap
};

struct GjkEnd {
    GjkStop why = GjkStop::out_of_rounds;
    int rounds = 0;
};

// --- EPA ------------------------------------------------------------------------------------------------------------

// Where the first tetrahedron comes from.
enum class TetrahedronFrom : std::uint8_t {
    simplex, // GJK's, grown to four vertices by support points across it where it had fewer
    guess,   // four support points round the direction in which deep cores most likely part
    again,   // the same as before, with room for more vertices and a looser proof
};

struct EpaStart {
    TetrahedronFrom from = TetrahedronFrom::simplex;
    int given = 4;                        // of the vertices GJK left so many
    std::array<SupportPoint, 4> vertex{}; // of the faces first_faces
};
// Corners counter-clockwise seen from outside.
inline constexpr std::array<std::array<int, 3>, 4> first_faces{{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};

// The face whose plane is nearest to the origin, and what lies beyond it. Vertices are numbered in their order.
struct EpaNearest {
    std::array<int, 3> face{};
    DVec3 normal{0.0};    // unit, outwards
    double offset = 0.0;  // of its plane from the origin: a lower bound of the depth
    SupportPoint support; // farthest along the normal
    double reach = 0.0;   // how far: an upper bound
    double least = 0.0;   // least upper bound so far, this one among them
};

// The faces that see the new vertex, the support point of the face before, go. A fan from it to their border takes
// their place: for each k the face (border[k], border[k + 1], vertex), counter-clockwise seen from outside.
struct EpaExpand {
    int vertex = 0;
    std::vector<std::array<int, 3>> removed;
    std::vector<int> border; // vertices in order, closed
};

enum class EpaStop : std::uint8_t {
    proven,        // the support plane is as near as the face's, within the tolerance
    on_boundary,   // the support point is a corner of the face
    proven_before, // the least bound met earlier turns out to be proven
    no_room,       // no more vertices are kept, or rounding left the seen faces without a simple border
    flat,          // the difference has no volume: its normal is the answer
};

struct EpaEnd {
    EpaStop why = EpaStop::proven;
    double depth = 0.0, lower = 0.0;
    DVec3 normal{0.0};
};

// The direction is improved from outside, where the polytope could not be refined far enough.
struct EpaPolish {
    double depth_before = 0.0, depth = 0.0;
    DVec3 normal{0.0};
};

// --- What signed_distance() makes of it -----------------------------------------------------------------------------

enum class Shortcut : std::uint8_t {
    far_boxes,   // an axis parts two boxes by more than was asked for
    boxes,       // the axes of two boxes prove a corner over a face or two crossing edges
    closed_form, // the nearest points of this pair can be written down
};

struct ClosedForm {
    Shortcut which = Shortcut::closed_form;
};

// The answer, with the radii by which spheres and capsules are grown.
struct Answer {
    QueryStatus status = QueryStatus::failed;
    double distance = 0.0;
    DVec3 normal{0.0}, point_a{0.0}, point_b{0.0};
};

// --- The time of impact: in world axes, relative to where A's body starts ------------------------------------------

// Balls about the centres of rotation hold the shapes.
struct Balls {
    double reach = 0.0; // sum of their radii, m
    double time = 0.0;  // when they meet, or 0 if they do at the start, s
    bool miss = false;  // they never do
};

// How the separating direction was followed.
enum class CourseKind : std::uint8_t { none, fixed, with_a, with_b, with_edges };

struct Advance {
    double time = 0.0; // s, of the closest points
    double distance = 0.0;
    DVec3 normal{0.0}, point_a{0.0}, point_b{0.0};
    CourseKind course = CourseKind::none;        // none: the search ended here
    bool revolved_a = false, revolved_b = false; // replaced by the bodies of revolution that they sweep out
    double gap = 0.0;                            // separation along the course at `time`, less what must remain, m
    double rate = 0.0;                           // of the separation, m/s
    double curvature = 0.0;                      // bound of its second derivative, m/s^2
    int samples = 0;                             // of the separation along the course
    double until = 0.0;                          // s, to which the shapes certainly stay apart
};

struct ToiEnd {
    ToiStatus status = ToiStatus::miss;
    double time = 0.0;
};

using Event = std::variant<Simplex, Support, GjkEnd, EpaStart, EpaNearest, EpaExpand, EpaEnd, EpaPolish, ClosedForm,
                           Answer, Balls, Advance, ToiEnd>;

} // namespace cairn::physics::trace

namespace cairn::physics {

class QueryObserver {
  public:
    virtual void on(trace::Event event) = 0;

  protected:
    ~QueryObserver() = default;
};

namespace trace {

// Reports the event that `make` returns, if there is an observer.
template <typename Make>
void report(QueryObserver* observer, const Make& make) {
    if (observer != nullptr) [[unlikely]] {
        observer->on(make());
    }
}

} // namespace trace

} // namespace cairn::physics
