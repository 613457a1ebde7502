// What the collision lab shows: what an algorithm does with one pair of shapes, one step after another. Plain data,
// drawn by app/ui/lab, written by `cairn lab`.
#pragma once

#include "physics/query/time_of_impact.h"

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <string>
#include <vector>

namespace cairn::core::lab {

using DVec3 = glm::dvec3;

// What a mark stands for. Each role has one colour, in the window and in pictures (app/ui/lab/lab_look.h).
enum class Role : std::uint8_t {
    origin,
    difference, // the Minkowski difference itself, faint
    simplex,    // the simplex, or the polytope, as it is now
    newest,     // the support point that this step found
    dropped,    // what this step gives up: vertices of the simplex, faces of the polytope
    kept,       // what this step found to be the part that counts: a face, an axis
    silhouette, // border of the faces that a new point sees
    nearest,    // point nearest to the origin, and the way there
    direction,  // in which the search goes on
    bound,      // support plane: nothing of the difference lies beyond it
    witness_a,  // points of the first shape
    witness_b,  // points of the second shape
    normal,     // from the first shape to the second
    sweep,      // where a shape is on its way
    wrong,      // what an erroneous version believes, and should not
};

struct Dot {
    DVec3 at{0.0}; // m
    Role role = Role::simplex;
    std::string name; // empty: not labelled
};

struct Stroke {
    DVec3 from{0.0}, to{0.0}; // m
    Role role = Role::simplex;
    bool arrow = false; // with a head at `to`
    std::string name;   // at its middle; empty: not labelled
};

struct Facet { // seen from both sides
    std::array<DVec3, 3> corner{};
    Role role = Role::simplex;
};

struct Figure {
    std::vector<Dot> dots;
    std::vector<Stroke> strokes;
    std::vector<Facet> facets;
};

// A polytope as it grows: a search of a thousand steps shares the vertices, and is drawn one step at a time.
struct Surface {
    std::shared_ptr<const std::vector<DVec3>> vertices; // m, world axes; those that come later among them
    std::vector<std::array<int, 3>> faces;              // counter-clockwise seen from outside; empty = none
};
// Its faces, edges and vertices, these by their numbers from 1 where there are not too many.
Figure marks_of(const Surface& surface);

// A number that the step has, as it is shown: "0.125 m".
struct Reading {
    std::string name;
    std::string value;
};

struct LabStep {
    std::string sentence; // what the step does and why, for people: one or two sentences
    std::string status;   // the code's own word for where it stands: "going on", "stops: bounds agree"
    std::vector<Reading> readings;
    Figure difference; // marks in the space of the Minkowski difference A - B, in world axes
    Surface polytope;  // of the expanding polytope, in the same space; else empty
    Figure world;      // marks among the bodies, world, less LabPair::origin
    // The Minkowski difference itself, which many steps share; null where there is none to show.
    std::shared_ptr<const Figure> backdrop;
    double time = 0.0; // s, at which the bodies are shown; 0 where they stand still
};

// Two shapes, their poses, and how they move: the same as a line of `cairn query`.
struct LabPair {
    physics::Shape a, b;
    std::string name_a = "A", name_b = "B";
    DVec3 origin{0.0}; // of the poses below, world, m: queries are as exact far out as near the world's origin
    physics::Sweep sweep_a, sweep_b; // `start` and `shape_pose` place a shape that does not move
    float duration = 0.0f;           // s, of the sweep; 0 = no motion is asked about
};

struct LabRun {
    std::string algorithm;      // its name on the command line
    std::vector<LabStep> steps; // at least one
    std::string answer;         // the outcome, in a sentence
    bool failed = false;        // the algorithm gave no answer, or, in an erroneous version, a wrong one
};

} // namespace cairn::core::lab
