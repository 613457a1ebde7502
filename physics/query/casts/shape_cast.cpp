#include "physics/query/shape_cast.h"

#include "physics/query/distance/pair_distance.h"

#include <algorithm>
#include <limits>

namespace cairn::physics {
namespace {

constexpr double least_tolerance = 1e-7; // of the size of both shapes

} // namespace

ShapeCast shape_cast(const Shape& a, const Transform& from, const Vec3& translation, const Shape& b,
                     const Transform& at, const ShapeCastSettings& settings) {
    ShapeCast out;
    const Frame start = frame_of(from);
    const Frame place = frame_of(at);
    const DVec3 way(translation);
    const double length = glm::length(way);
    const double size = double(a.bounding_radius) + double(b.bounding_radius);
    const double target = double(settings.target);
    const double tolerance = std::max(double(settings.tolerance), least_tolerance * size);
    const double contact = target + tolerance;

    double fraction = 0.0;
    const auto travelled = [&](ShapeCastStatus status) {
        out.status = status;
        out.fraction = status == ShapeCastStatus::miss ? 1.0f : rounded_down(fraction);
        out.travelled = rounded_down(status == ShapeCastStatus::miss ? length : fraction * length);
    };

    // From A's centre to B's. The ball about both shapes together is entered first.
    const DVec3 between = place.position - start.position;
    const double meeting = size + contact;
    const double outside = glm::dot(between, between) - meeting * meeting;
    if (!(meeting > 0.0) || outside > 0.0) {
        const double towards = glm::dot(between, way);
        const double discriminant = towards * towards - length * length * outside;
        double enter = std::numeric_limits<double>::infinity();
        if (meeting > 0.0 && towards > 0.0 && discriminant >= 0.0) {
            enter = outside / (towards + std::sqrt(discriminant));
        }
        if (!(enter <= 1.0)) {
            const double nearest = length > 0.0 ? std::clamp(towards / (length * length), 0.0, 1.0) : 0.0;
            const DVec3 gap = between - way * nearest;
            const double apart = glm::length(gap);
            out.distance = float(apart - size);
            out.normal = apart > 0.0 ? Vec3(gap / apart) : Vec3(0.0f, 0.0f, 1.0f);
            travelled(ShapeCastStatus::miss);
            return out;
        }
        fraction = enter * (1.0 - 1e-9);
    }

    const DVec3 local_way = apply_inverse_rotation(start.rotation, way);
    CorePair pair = core_pair(a, b, relative_frame(start, place));
    const DVec3 first = pair.b_in_a.position;
    DVec3 towards(0.0);
    for (;;) {
        pair.b_in_a.position = first - local_way * fraction;
        const PairDistance nearest = pair_distance(pair, std::numeric_limits<double>::max(),
                                                   out.iterations == 0 ? between_centres(pair) : towards);
        ++out.iterations;
        out.gjk_iterations += nearest.gjk_iterations + nearest.epa_iterations;
        towards = nearest.normal;
        const auto report = [&](ShapeCastStatus status) {
            travelled(status);
            const DVec3 offset = start.position + way * fraction;
            out.distance = float(nearest.distance);
            out.normal = Vec3(start.rotation * nearest.normal);
            out.point_a = Vec3(start.rotation * nearest.point_a + offset);
            out.point_b = Vec3(start.rotation * nearest.point_b + offset);
            return out;
        };
        if (nearest.distance <= target) {
            return report(fraction > 0.0 ? ShapeCastStatus::hit : ShapeCastStatus::initial);
        }
        const double closing = glm::dot(nearest.normal, local_way); // m per whole way
        if (!(closing > 0.0)) {
            return report(ShapeCastStatus::miss);
        }
        if (nearest.distance <= contact) {
            return report(ShapeCastStatus::hit);
        }
        // The certain separation along the normal, which may be a rounding less than the distance.
        const double separation =
            glm::dot(nearest.normal, pair.support_b(-nearest.normal) - pair.support_a(nearest.normal)) - pair.radius;
        // Half the tolerance before the target, so that the shapes are still apart there and the normal is certain.
        const double step = (std::min(separation, nearest.distance) - target - 0.5 * tolerance) / closing;
        if (!(fraction + step < 1.0)) {
            return report(ShapeCastStatus::miss);
        }
        if (out.iterations >= settings.max_iterations || !(fraction + step > fraction)) {
            return report(ShapeCastStatus::out_of_iterations);
        }
        fraction += step;
    }
}

} // namespace cairn::physics
