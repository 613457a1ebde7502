// Errors 5 and 10: the expanding polytope. One loop, with the articles' mistakes as rules that can be set one by one;
// without them it is EPA as it should be, which the tests hold it to.
#pragma once

#include "app/lab/known_bugs/support/step_report.h"

#include <optional>
#include <utility>

namespace cairn::core::lab::known_bugs {

struct Polytope {
    struct Face {
        std::array<std::size_t, 3> corner; // of `points`, counter-clockwise from outside
        bool turned = false;               // its normal was turned round, and its corners were not
    };
    using Edge = std::pair<std::size_t, std::size_t>;

    std::vector<Vertex> points;
    std::vector<Face> faces;

    DVec3 normal(const Face& face) const;                          // unit; not a number for a face without area
    double offset(const Face& face) const;                         // m, of its plane from the origin along the normal
    bool before_plane(const Face& face, const DVec3& point) const; // the point lies on the outer side of the plane
    double volume() const;                                         // m^3
    std::string name(const Face& face) const;                      // "1·2·3"
};

// Its faces' windings so that its volume is positive.
Polytope tetrahedron(const Vertex& a, const Vertex& b, const Vertex& c, const Vertex& d);

// Support points far from each other; it need not hold the origin.
Polytope spread_tetrahedron(Difference& difference);

// The rim of the faces: edges that are not there in the other direction as well.
std::vector<Polytope::Edge> unique_edges(const std::vector<Polytope::Face>& faces);

// A face counts as seen if its normal points the way of the new point as seen from the origin: error 10.
bool before_origin(const Polytope& polytope, const Polytope::Face& face, const DVec3& point);

struct ExpandingRules {
    // 5: the face with the least square of the offset: one that the origin lies beyond is as near as one before it.
    bool nearest_by_square = false;
    // 5: a support that gains no more than this ends the search, m; nothing: a billionth of the size of the shapes.
    std::optional<double> enough;
    // 10: see before_origin().
    bool seen_from_origin = false;
    // 10: a normal that points to the origin is turned, the order of the corners is not: edges that two removed faces
    // share no longer cancel.
    bool turns_normals_only = false;
};

// Replaces the faces that see the point by a cone to it; what is left of the rules beside `seen_from_origin` and
// `turns_normals_only` does not matter.
Polytope expanded(Polytope polytope, const Vertex& point, const ExpandingRules& rules);

// Right polytopes need a tenth of it. Each round adds two faces to a closed surface; where edges do not cancel it may
// add more than there were.
inline constexpr int most_expansions = 200;

struct Expanded {
    enum class Outcome : std::uint8_t {
        found,
        no_normal,    // the nearest face has no area
        nothing_left, // no edge to build on
        runs_on,      // stopped after `most_expansions` rounds, or with more faces than so many can make
    };
    Outcome outcome = Outcome::runs_on;
    double depth = 0.0; // m, where one was found
    DVec3 normal{0.0};  // of the face that it was found on
    int rounds = 0;
    std::size_t faces = 0; // in the end
};

// Describes its steps if there is a report.
Expanded expand(Difference& difference, Polytope start, const ExpandingRules& rules, StepReport* report);

// The answer in words and whether it is wrong: no number, a depth off by more than a twentieth, or a normal along which
// that depth does not part the shapes.
void judge(LabRun& bug, const Expanded& answer, const LabPair& pair);

// The two errors' own versions.
LabRun run_nearest_by_square(const LabPair& pair);
LabRun run_seen_from_origin(const LabPair& pair);

} // namespace cairn::core::lab::known_bugs
