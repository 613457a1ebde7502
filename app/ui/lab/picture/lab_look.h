// How the lab's figures are drawn: the colour and weight of every role, and figures as draw lists.
#pragma once

#include "app/lab/steps/lab_step.h"
#include "render/renderer.h"

#include <glm/glm.hpp>
#include <span>
#include <vector>

namespace cairn::ui {

glm::vec3 colour_of(core::lab::Role role); // linear

// Adds to draw lists what the renderer has no shapes of its own for: faces of figures, and bodies of any kind. Its
// meshes live from one begin() to the next.
class LabDrawing {
  public:
    explicit LabDrawing(render::Renderer& renderer) : renderer_(renderer) {}
    ~LabDrawing() { begin(); }
    LabDrawing(const LabDrawing&) = delete;
    LabDrawing& operator=(const LabDrawing&) = delete;

    void begin(); // lets go of the meshes

    // `offset` is added to every point. `size` of the pair, m: how thick lines are.
    void add_figure(render::DrawList& list, const core::lab::Figure& figure, double size, const glm::dvec3& offset);
    // `opacity` 0..1.
    void add_shape(render::DrawList& list, const physics::Shape& shape, const physics::Transform& pose,
                   const glm::vec3& colour, float opacity, const glm::dvec3& offset);

  private:
    void add_facets(render::DrawList& list, const core::lab::Figure& figure, core::lab::Role role,
                    const glm::dvec3& offset);

    render::Renderer& renderer_;
    std::vector<render::MeshId> meshes_;
};

// All points of a figure, and corners of boxes about the bodies where they start, on the way and where they end: what a
// camera is to show.
void add_points(std::vector<glm::dvec3>& out, const core::lab::Figure& figure);
// Of a pair whose shapes differ much in size only the smaller one, and the difference about the origin.
std::vector<glm::dvec3> points_of_bodies(const core::lab::LabPair& pair, const core::lab::LabRun& run);
std::vector<glm::dvec3> points_of_difference(const core::lab::LabPair& pair, const core::lab::LabRun& run);

// Is there anything to see of a Minkowski difference? Not where one body is looked at.
bool shows_difference(const core::lab::LabRun& run);

// From just so far along `towards_eye` (unit, not upright) that a picture of this shape holds all the points.
render::Camera camera_for(std::span<const glm::dvec3> points, const glm::vec3& towards_eye, float aspect);

// The pair at a step: its bodies see-through, with the marks of the step. And the difference with its marks.
void draw_bodies(render::DrawList& list, LabDrawing& drawing, const core::lab::LabPair& pair,
                 const core::lab::LabStep& step);
void draw_difference(render::DrawList& list, LabDrawing& drawing, const core::lab::LabPair& pair,
                     const core::lab::LabStep& step);

} // namespace cairn::ui
