#include "physics/geometry/geometry.h"

namespace cairn::physics {

namespace {

// Written out, not computed: library sines may differ in the last bit from machine to machine.
constexpr double cos_22_5 = 0.92387953251128675613;
constexpr double sin_22_5 = 0.38268343236508977173;
constexpr double half_sqrt_2 = 0.70710678118654752440;

struct PlanarTurn {
    double cosine, sine;
};

constexpr PlanarTurn eighths[8] = {{1.0, 0.0},  {half_sqrt_2, half_sqrt_2},   {0.0, 1.0},  {-half_sqrt_2, half_sqrt_2},
                                   {-1.0, 0.0}, {-half_sqrt_2, -half_sqrt_2}, {0.0, -1.0}, {half_sqrt_2, -half_sqrt_2}};

glm::dvec3 turned_point(const glm::dvec3& p, const PlanarTurn& turn) {
    return {turn.cosine * p.x - turn.sine * p.y, turn.sine * p.x + turn.cosine * p.y, p.z};
}

std::vector<Vec3> make_points() {
    const PlanarTurn half_eighth{cos_22_5, sin_22_5};
    const glm::dvec3 facet[7] = {
        {0.1, 0.0, -1.0},
        {1.0, 0.0, 0.0},
        {1.0, 0.0, 0.1},
        {0.4, 0.0, 0.4},
        turned_point({0.8, 0.0, 0.3}, half_eighth),
        turned_point({1.0, 0.0, 0.0}, half_eighth),
        turned_point({1.0, 0.0, 0.1}, half_eighth),
    };
    std::vector<Vec3> points;
    for (const PlanarTurn& turn : eighths) {
        for (const glm::dvec3& p : facet) {
            points.emplace_back(turned_point(p, turn));
        }
    }
    return points;
}

} // namespace

const std::vector<Vec3>& diamond_points() {
    static const std::vector<Vec3> points = make_points();
    return points;
}

} // namespace cairn::physics
