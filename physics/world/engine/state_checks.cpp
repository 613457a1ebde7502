#include "physics/world/engine/state_checks.h"

#include <algorithm>
#include <string_view>

namespace cairn::physics {

namespace {

template <typename... Columns>
void require_length(std::size_t length, const char* what, const Columns&... columns) {
    require(((columns.size() == length) && ...), what);
}

bool sane(float value) {
    return is_finite(value);
}
bool sane(const Vec3& value) {
    return is_finite(value);
}
bool sane(const Quat& value) {
    return is_finite(value);
}
bool sane(const std::array<float, 6>& values) {
    return std::ranges::all_of(values, [](float value) { return is_finite(value); });
}
bool sane(const Aabb& box) { // an empty one is that of what is free
    return is_finite(box.lower) && is_finite(box.upper);
}
template <typename Integer>
bool sane(Integer) {
    return true;
}

} // namespace

void check_columns(const StateImage& image) {
    for_each_column(image, [&](const char* name, const auto& column) {
        // What the last step told its readers may be beyond what numbers hold; nothing starts from it.
        const std::string_view what(name);
        if (what.starts_with("point_step") || what == "joint_force" || what == "joint_torque") {
            return;
        }
        for (const auto& value : column) {
            if (!sane(value)) {
                throw Problem{std::string(name) + " holds a non-finite number"};
            }
        }
    });
    const StateImage::Bodies& b = image.bodies;
    require_length(b.kind.size(), "the columns of bodies differ in length", b.generation, b.first_shape, b.flags,
                   b.position, b.rest, b.orientation, b.linear_velocity, b.angular_velocity, b.sleep_timer, b.margin,
                   b.fitted, b.drift, b.way, b.lift, b.trace_margin);
    const StateImage::Shapes& s = image.shapes;
    require_length(s.queued.size(), "the columns of shapes differ in length", s.margin, s.reach, s.fat);
    require_length(image.free_run_lengths.size(), "the lists of free shapes differ in length", image.free_run_starts);
    const StateImage::Pairs& p = image.pairs;
    require_length(p.shape_a.size(), "the columns of pairs differ in length", p.shape_b, p.place_a, p.place_b, p.gap,
                   p.axis, p.axis_in_b, p.flags, p.points);
    std::size_t contacts = 0, points = 0;
    for (const std::uint8_t count : p.points) {
        require(count <= 4, "a contact has at most four points");
        contacts += count > 0 ? 1 : 0;
        points += count;
    }
    const StateImage::Contacts& c = image.contacts;
    require_length(contacts, "the columns of contacts differ in length", c.normal, c.friction, c.restitution,
                   c.centre_a, c.centre_b, c.rolling_arm, c.rolling_impulse, c.round_a, c.round_b, c.flags,
                   c.loaded_inverse_mass, c.tolerance, c.asked, c.radius, c.found_position, c.found_orientation,
                   c.local_normal);
    const StateImage::Points& q = image.points;
    require_length(points, "the columns of points differ in length", q.feature, q.age, q.anchor, q.local_a, q.local_b,
                   q.separation, q.normal_impulse, q.friction_impulse, q.preload, q.step_normal, q.step_friction);
    require_length(image.column_pairs.size(), "the columns of loads differ in length", image.column_levels);
    require_length(image.settling_pairs.size(), "the columns of recovering contacts differ in length",
                   image.settling_steps);
    require_length(image.loaded_bodies.size(), "the columns of loaded bodies differ in length", image.loads);
    const StateImage::Joints& j = image.joints;
    require_length(j.alive.size(), "the columns of joints differ in length", j.generation, j.place_a, j.place_b,
                   j.position, j.rigid, j.motor, j.spring, j.lower, j.upper, j.cone, j.soft_block, j.brake, j.force,
                   j.torque);
}

} // namespace cairn::physics
