#include "bench/queries/poses.h"

#include "app/core/base/random.h"
#include "physics/query/distance.h"

#include <limits>
#include <stdexcept>

namespace cairn::bench {

using namespace physics;
using glm::dvec3;

namespace {

constexpr double tolerance = 4e-7; // m, for shapes of about 1 m: what poses of single precision can hold

// Uniform on the sphere in four dimensions.
Quat random_orientation(core::Random& random) {
    for (;;) {
        const Quat q(random.signed_unit(), random.signed_unit(), random.signed_unit(), random.signed_unit());
        const float length2 = glm::dot(q, q);
        if (length2 <= 1.0f && length2 > 1e-3f) {
            return normalized(q);
        }
    }
}

Vec3 random_direction(core::Random& random) {
    for (;;) {
        const Vec3 v(random.signed_unit(), random.signed_unit(), random.signed_unit());
        const float length2 = glm::dot(v, v);
        if (length2 <= 1.0f && length2 > 1e-3f) {
            return glm::normalize(v);
        }
    }
}

dvec3 rotate_exactly(const Quat& q, const dvec3& v) {
    const dvec3 u(q.x, q.y, q.z);
    const dvec3 t = 2.0 * glm::cross(u, v);
    return v + static_cast<double>(q.w) * t + glm::cross(u, t);
}

// Greatest dot(direction, x) over the points x of the shape at the pose.
double extent(const Shape& shape, const Transform& pose, const dvec3& direction) {
    const dvec3 local = rotate_exactly(glm::conjugate(pose.orientation), direction);
    double reach = -std::numeric_limits<double>::infinity();
    if (shape.kind == ShapeKind::box) {
        reach = glm::dot(glm::abs(local), dvec3(shape.half_extents));
    } else if (shape.kind == ShapeKind::hull) {
        for (const Vec3& vertex : shape.hull->vertices) {
            reach = std::max(reach, glm::dot(local, dvec3(vertex)));
        }
    } else {
        throw std::logic_error("only boxes and hulls are compared");
    }
    return reach + glm::dot(direction, dvec3(pose.position));
}

} // namespace

std::vector<PosedPair> make_poses(const Shape& a, const Shape& b, double distance, std::size_t count,
                                  std::uint64_t seed) {
    core::Random random(seed);
    std::vector<PosedPair> poses;
    poses.reserve(count);
    while (poses.size() < count) {
        PosedPair pair;
        pair.a.orientation = random_orientation(random);
        pair.b.orientation = random_orientation(random);
        const dvec3 direction(random_direction(random));
        // The signed distance is a convex function of how far B is moved, so that Newton's iteration from outside comes
        // down on the wanted value without overshooting.
        double moved = distance + static_cast<double>(a.bounding_radius) + static_cast<double>(b.bounding_radius);
        double error = 0.0;
        for (int i = 0; i < 60; ++i) {
            pair.b.position = Vec3(direction * moved);
            const DistanceResult result = signed_distance(a, pair.a, b, pair.b);
            error = static_cast<double>(result.distance) - distance;
            if (std::abs(error) <= 0.25 * tolerance) {
                break;
            }
            moved -= error / glm::dot(dvec3(result.normal), direction);
        }
        if (!(std::abs(error) <= tolerance)) {
            throw std::runtime_error("pose " + std::to_string(poses.size()) +
                                     " could not be brought to a distance of " + std::to_string(distance) + " m");
        }
        poses.push_back(pair);
    }
    return poses;
}

std::vector<std::vector<PosedPair>> make_motion(const std::vector<PosedPair>& poses, std::size_t frames, float step,
                                                float turn, std::uint64_t seed) {
    core::Random random(seed);
    std::vector<std::vector<PosedPair>> motion(frames, poses);
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const Vec3 direction = random_direction(random);
        const Vec3 axis = random_direction(random);
        for (std::size_t f = 0; f < frames; ++f) {
            const float half_angle = 0.5f * turn * static_cast<float>(f);
            Transform& b = motion[f][i].b;
            b.position += direction * (step * static_cast<float>(f));
            const Vec3 imaginary = axis * std::sin(half_angle);
            b.orientation =
                normalized(Quat(std::cos(half_angle), imaginary.x, imaginary.y, imaginary.z) * b.orientation);
        }
    }
    return motion;
}

double width(const Shape& a, const Shape& b, const PosedPair& pose, const dvec3& normal) {
    return extent(a, pose.a, normal) + extent(b, pose.b, -normal);
}

} // namespace cairn::bench
