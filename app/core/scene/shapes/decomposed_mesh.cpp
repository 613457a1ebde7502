#include "app/core/scene/shapes/decomposed_mesh.h"

#include "physics/base/symmetric_eigen.h"
#include "physics/geometry/convex_hull.h"
#include "physics/world/parameters/validation.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <variant>

namespace cairn::core {

namespace {

using physics::Quat;
using physics::Vec3;

// What turns the body's axes onto the principal axes of the mesh; none where these lie along the mesh's own axes, so
// that the hulls stay as they are.
Quat principal_axes(const glm::dmat3& inertia, glm::dvec3& moments) {
    glm::dmat3 diagonal = inertia;
    const double largest = std::max(inertia[0][0], std::max(inertia[1][1], inertia[2][2]));
    const double off = std::max(std::abs(inertia[1][0]), std::max(std::abs(inertia[2][0]), std::abs(inertia[2][1])));
    Quat turn = physics::identity_orientation;
    if (off > 1e-6 * largest) {
        turn = physics::normalized(Quat(glm::quat_cast(physics::diagonalise(diagonal))));
    }
    moments = {diagonal[0][0], diagonal[1][1], diagonal[2][2]};
    return turn;
}

} // namespace

physics::BodyDef body_of(const physics::Decomposition& decomposition, float density) {
    physics::BodyDef body;
    glm::dvec3 first(0.0);
    double volume = 0.0;
    for (const std::vector<Vec3>& points : decomposition.hulls) {
        body.shapes.push_back({physics::PointSet{std::make_shared<const std::vector<Vec3>>(points)}, {}});
        const auto hull = physics::build_convex_hull(points);
        if (const auto* built = std::get_if<physics::ConvexHull>(&hull)) {
            first += static_cast<double>(built->volume) * glm::dvec3(built->centroid);
            volume += static_cast<double>(built->volume);
        }
    }
    body.pose.position = Vec3(first / volume);
    body.density = density;
    if (decomposition.repairs.open_surfaces == 0) {
        glm::dvec3 moments;
        const Quat turn = principal_axes(decomposition.unit_inertia, moments);
        body.mass = static_cast<float>(static_cast<double>(density) * decomposition.volume);
        body.inertia = Vec3(static_cast<double>(density) * moments);
        if (!physics::problem_with_inertia(*body.inertia).empty()) { // as of a needle: that of the hulls will do
            body.inertia.reset();
            return body;
        }
        body.pose.orientation = turn;
        for (physics::ShapeDef& shape : body.shapes) {
            shape.pose.orientation = glm::conjugate(turn);
        }
    }
    return body;
}

std::string description(const physics::MeshRepairs& repairs) {
    std::string text;
    const auto add = [&text](std::size_t count, const char* verb, const char* one, const char* many) {
        if (count > 0) {
            text += (text.empty() ? "" : ", ") + std::string(verb) + ' ' + std::to_string(count) + ' ' +
                    (count == 1 ? one : many);
        }
    };
    add(repairs.merged_points, "merged", "point", "points");
    add(repairs.degenerate_triangles, "left out", "degenerate triangle", "degenerate triangles");
    add(repairs.duplicate_triangles, "left out", "duplicate triangle", "duplicate triangles");
    add(repairs.flipped_triangles, "turned over", "triangle", "triangles");
    add(repairs.closed_holes, "closed", "hole", "holes");
    add(repairs.open_surfaces, "thickened", "open surface", "open surfaces");
    return text;
}

} // namespace cairn::core
