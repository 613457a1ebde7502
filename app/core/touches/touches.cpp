#include "app/core/touches/touches.h"

#include "app/core/scene/worlds/frame_bodies.h"

namespace cairn::core {

using namespace cairn::physics;

namespace {

Vec3 velocity_at(const BodyState& body, const Vec3& point) {
    return body.linear_velocity + glm::cross(body.angular_velocity, point - body.pose.position);
}

class Finder {
  public:
    Finder(const FrameState& before, const FrameState& after, std::vector<Touch>& touches)
        : before_(before), step_(after.step), touches_(touches), first_(touches.size()) {}

    // `normal`: unit, from a to b. `impulse`: N s on b along it.
    void add(BodyId a, BodyId b, const Vec3& point, const Vec3& normal, float impulse) {
        if (impulse <= 0.0f) {
            return;
        }
        const auto at_a = find_body(before_, a), at_b = find_body(before_, b);
        if (!at_a || !at_b) {
            return; // made just now
        }
        const float speed =
            glm::dot(velocity_at(before_.bodies[*at_a], point) - velocity_at(before_.bodies[*at_b], point), normal);
        if (speed < least_touch_speed) {
            return;
        }
        // The points of a pair follow one another.
        if (touches_.size() > first_ && touches_.back().body_a == a && touches_.back().body_b == b) {
            Touch& touch = touches_.back();
            touch.impulse += impulse;
            if (impulse > hardest_) {
                hardest_ = impulse;
                touch.point = point;
                touch.speed = speed;
            }
            return;
        }
        hardest_ = impulse;
        touches_.push_back({step_, a, b, point, speed, impulse});
    }

  private:
    const FrameState& before_;
    std::uint64_t step_;
    std::vector<Touch>& touches_;
    std::size_t first_;
    float hardest_ = 0.0f; // N s, of the points of the last touch
};

} // namespace

void find_touches(const FrameState& before, const FrameState& after, std::vector<Touch>& touches) {
    if (after.step != before.step + 1) {
        return;
    }
    Finder finder(before, after, touches);
    // The leading contacts are those of bodies that rest.
    for (std::size_t i = after.resting.contacts; i < after.contacts.size(); ++i) {
        const ContactState& contact = after.contacts[i];
        finder.add(contact.body_a, contact.body_b, contact.point, contact.normal, contact.normal_impulse);
    }
    for (const ImpactState& impact : after.impacts) {
        finder.add(impact.body_a, impact.body_b, impact.point, impact.normal, glm::dot(impact.impulse, impact.normal));
    }
    constexpr float as_loud_as = 1.0f; // m/s
    for (const BreakState& state : after.breaks) {
        const BodyId other = state.def->body_a ? state.def->body_a : state.def->body_b;
        const float seconds = 1.0f / after.settings.hz;
        touches.push_back({after.step, other, state.def->body_b, state.point, as_loud_as, state.force * seconds, true});
    }
}

} // namespace cairn::core
