#include "app/lab/published_meshes.h"

#include <numbers>

namespace cairn::core::lab {
namespace {

using physics::Vec3;

constexpr int segments = 32; // round a circle
constexpr int rings = 16;    // from pole to pole
using std::numbers::pi;

// Vertices of a circle about Z at height z.
void add_circle(std::vector<Vec3>& points, double radius, double z) {
    for (int i = 0; i < segments; ++i) {
        const double angle = 2.0 * pi * i / segments;
        points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
}

} // namespace

std::vector<Vec3> cube_mesh(float half) {
    std::vector<Vec3> points;
    for (const float x : {-half, half}) {
        for (const float y : {-half, half}) {
            for (const float z : {-half, half}) {
                points.emplace_back(x, y, z);
            }
        }
    }
    return points;
}

std::vector<Vec3> cone_mesh(float half) {
    const double h = static_cast<double>(half);
    std::vector<Vec3> points{Vec3(0.0f, 0.0f, half)};
    add_circle(points, h, -h);
    return points;
}

std::vector<Vec3> cylinder_mesh(float half) {
    const double h = static_cast<double>(half);
    std::vector<Vec3> points;
    add_circle(points, h, -h);
    add_circle(points, h, h);
    return points;
}

std::vector<Vec3> sphere_mesh(float half) {
    const double h = static_cast<double>(half);
    std::vector<Vec3> points{Vec3(0.0f, 0.0f, half), Vec3(0.0f, 0.0f, -half)};
    for (int ring = 1; ring < rings; ++ring) {
        const double latitude = pi * ring / rings;
        add_circle(points, h * std::sin(latitude), h * std::cos(latitude));
    }
    return points;
}

} // namespace cairn::core::lab
