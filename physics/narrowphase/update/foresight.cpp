#include "physics/narrowphase/update/foresight.h"
#include "physics/narrowphase/update/rim.h"

#include "physics/query/impact/swept_axis.h"

namespace cairn::physics {

namespace {

// Where a side is at the time of the impact.
struct SideThen {
    Transform body;
    ContactSide side;

    SideThen(const ForeseenSide& from, float time) : body(body_pose_at(from.path, time)), side(from.now) {
        side.body = &body;
        side.shape_pose = compose(body, from.path.shape_pose);
    }
    SideThen(const SideThen&) = delete;
    SideThen& operator=(const SideThen&) = delete;
};

// An arm as it was before the body turned. Its round part, from the surface back to the centre of the ball, does not
// turn with the body (solver/rows/arms/row_arms-inl.h).
Vec3 arm_before(const Vec3& arm, const Vec3& round, const Transform& now, const Transform& then) {
    return rotate(now.orientation, inverse_rotate(then.orientation, arm + round)) - round;
}

// The points as the solver takes them: from the poses at the start of the step. Where both bodies can be pushed, the
// solver lets the impulse act midway between both places of a point, so the anchor starts midway; where one can, its
// own place counts.
bool carry_back(FoundContact& found, const ForeseenSide& a, const SideThen& then_a, const ForeseenSide& b,
                const SideThen& then_b) {
    Contact& contact = found.contact;
    const Vec3 n = contact.normal;
    Vec3 rolled_a(0.0f), rolled_b(0.0f);
    if (contact.rim_radius != 0.0f) {
        const bool of_a = contact.rim_radius > 0.0f;
        const Quat &then = (of_a ? then_a : then_b).body.orientation, &now = (of_a ? a : b).path.start.orientation;
        (of_a ? rolled_a : rolled_b) = rim_roll(contact, then, now);
        contact.rim_axis = rotate(now, inverse_rotate(then, contact.rim_axis));
    }
    contact.centre_a = a.path.start.position;
    contact.centre_b = b.path.start.position;
    contact.tolerance = 0.0f;
    contact.normal_turns = 0; // its normal is that of where they meet
    Vec3 meets(0.0f);
    std::uint8_t kept = 0;
    for (std::uint8_t i = 0; i < contact.count; ++i) {
        ContactPoint point = found.points[i];
        const Vec3 half = (0.5f * point.separation) * n;
        const Vec3 on_b = point.anchor_a + half + (then_a.body.position - then_b.body.position);
        const Vec3 round_a = -contact.round_a_at(i) * n, round_b = contact.round_b_at(i) * n;
        const Vec3 arm_a = arm_before(point.anchor_a - half, round_a, a.path.start, then_a.body) + rolled_a;
        const Vec3 arm_b = arm_before(on_b, round_b, b.path.start, then_b.body) + rolled_b;
        const Vec3 gap = (contact.centre_b - contact.centre_a) + (arm_b - arm_a);
        point.separation = glm::dot(gap, n);
        if (!(point.separation > 0.0f)) {
            continue; // it turns back from there before it meets: rows are no guide
        }
        meets += then_a.body.position + found.points[i].anchor_a;
        const Vec3 aside = gap - point.separation * n;
        const float share = a.pushed && b.pushed ? 0.5f : (a.pushed ? 0.0f : 1.0f);
        point.anchor_a = arm_a + share * aside + (0.5f * point.separation) * n;
        found.points[kept++] = point;
        if (i == 1 && kept == 1) { // the first is not there any more
            contact.round_a = contact.round_a_at(1);
            contact.round_b = contact.round_b_at(1);
            contact.wider_a = contact.wider_b = 0.0f;
        }
    }
    contact.count = kept;
    contact.meets = meets / static_cast<float>(kept);
    return kept > 0;
}

} // namespace

bool foresee_contact(const ForeseenSide& a, const ForeseenSide& b, const ForesightSettings& settings,
                     const Contact* before, Vec3& axis, FoundContact& out) {
    const Shape& shape_a = *a.now.shape;
    const Shape& shape_b = *b.now.shape;
    const Vec3 between = b.now.shape_pose.position - a.now.shape_pose.position;
    if (axis_keeps_apart(shape_a, a.path, shape_b, b.path, 1.0f, axis == Vec3(0.0f) ? between : axis,
                         settings.target)) {
        return false;
    }
    ToiSettings sweep;
    sweep.target = settings.target;
    sweep.tolerance = settings.tolerance;
    sweep.known_axis = axis;
    const TimeOfImpact impact = time_of_impact(shape_a, a.path, shape_b, b.path, 1.0f, sweep);
    if (impact.iterations > 0) {
        axis = impact.normal;
    }
    if (impact.status != ToiStatus::hit) {
        return false;
    }
    CollideCache fresh;
    const SideThen then_a(a, impact.time), then_b(b, impact.time);
    if (!find_contact(then_a.side, then_b.side, settings.reach, 0.0f, before, {}, fresh, out) ||
        !carry_back(out, a, then_a, b, then_b)) {
        return false;
    }
    out.contact.meets_at = impact.time;
    out.contact.meets_centre_a = then_a.body.position;
    out.contact.meets_centre_b = then_b.body.position;
    return true;
}

} // namespace cairn::physics
