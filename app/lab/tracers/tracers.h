// From the events that a traced query reports to the steps that the lab shows. Internal to the lab.
#pragma once

#include "app/algorithms/trace.h"
#include "app/lab/steps/lab_step.h"
#include "app/lab/steps/placing.h"

#include <memory>
#include <string>
#include <vector>

namespace cairn::core::lab {

// What all tracers of one pose share.
struct Scenery {
    FrameOfA frame;
    double size = 1.0;   // of the pair, m: how long arrows are
    double radius = 0.0; // of spheres and capsules, by which the cores are grown, m
    std::shared_ptr<const Figure> backdrop;
};

// Support points by the order in which they were found: numbered from 1.
class Numbering {
  public:
    int number_of(const physics::SupportPoint& point); // a new one where it is not known
    const physics::SupportPoint& point(int number) const { return points_[static_cast<std::size_t>(number - 1)]; }

  private:
    std::vector<physics::SupportPoint> points_;
};

// Marks for vertices of the difference and where they come from on both shapes.
void mark_vertex(LabStep& step, const Scenery& scenery, const physics::SupportPoint& point, int number, Role role);
// The edges of a simplex, or its faces.
void mark_simplex(LabStep& step, const Scenery& scenery, const std::vector<physics::SupportPoint>& vertices, Role role);
// A plane across `direction` (frame of A, unit) at the vertex w: a square with a normal.
void mark_plane(LabStep& step, const Scenery& scenery, const DVec3& direction, const DVec3& w, Role role);
// The answer: the two points and the normal.
void mark_answer(LabStep& step, const DVec3& point_a, const DVec3& point_b, const DVec3& normal, double size);

// Steps of GJK and EPA, with signed volumes or by regions.
class GjkTracer {
  public:
    GjkTracer(const Scenery& scenery, bool by_regions, std::vector<LabStep>& out)
        : scenery_(scenery), by_regions_(by_regions), out_(out) {}

    void take(const algorithms::trace::Simplex& simplex);
    void take(const algorithms::trace::Support& support);
    void take(const algorithms::trace::GjkEnd& end);

    const Numbering& numbers() const { return numbers_; }
    Numbering& numbers() { return numbers_; }

  private:
    LabStep step_with_simplex() const;
    std::vector<int> vertex_numbers(const algorithms::trace::Simplex& simplex);
    std::string kept_sentence(const std::vector<int>& before, const std::vector<int>& after) const;

    const Scenery& scenery_;
    bool by_regions_;
    std::vector<LabStep>& out_;
    Numbering numbers_;
    algorithms::trace::Simplex simplex_;
    std::vector<int> on_simplex_; // its vertices' numbers
    algorithms::trace::Support support_;
    int newest_ = 0; // number of the support point that is being taken up; 0 = none
    int round_ = 0;
    bool begun_ = false;
};

class EpaTracer {
  public:
    EpaTracer(const Scenery& scenery, std::vector<LabStep>& out) : scenery_(scenery), out_(out) {}

    void take(const algorithms::trace::EpaStart& start);
    void take(const algorithms::trace::EpaNearest& nearest);
    void take(const algorithms::trace::EpaExpand& expand);
    void take(const algorithms::trace::EpaEnd& end);
    void take(const algorithms::trace::EpaPolish& polish);

  private:
    LabStep step_with_polytope() const;
    std::vector<int> numbers(const std::array<int, 3>& face) const;
    void mark_face(LabStep& step, const std::array<int, 3>& face, Role role) const;

    const Scenery& scenery_;
    std::vector<LabStep>& out_;
    std::vector<physics::SupportPoint> vertices_;
    std::vector<std::array<int, 3>> faces_;
    std::shared_ptr<std::vector<DVec3>> shown_; // the vertices in world axes, shared by all steps
    algorithms::trace::EpaNearest nearest_;
    double least_ = 0.0;
    int round_ = 0, polished_ = 0;
    bool loose_ = false; // the second search, with the looser proof
};

// Steps of the separating axis test.
void trace_sat(const LabPair& pair, const Scenery& scenery, const algorithms::QueryTrace& trace,
               std::vector<LabStep>& out);

// Steps of conservative advancement along the pair's sweep.
void trace_advancement(const LabPair& pair, const algorithms::QueryTrace& trace, std::vector<LabStep>& out);

} // namespace cairn::core::lab
