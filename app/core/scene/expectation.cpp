#include "app/core/scene/expectation.h"

#include "app/core/report/formats/number_text.h"
#include "app/core/scene/values/scene_keys.h"

#include <algorithm>

namespace cairn::core {
namespace {

std::string name_of(const Expectation::Subject& subject, const char* what) {
    if (subject.index) {
        return what + (" " + std::to_string(*subject.index));
    }
    return subject.name == "*" ? std::string("every ") + what : '"' + subject.name + '"';
}

// "penetration is at most 0.01 m", without the first word
std::string range_text(const Expectation& e, const std::string& unit) {
    const auto number = [&](double value) { return short_number(value, 6) + unit; };
    if (e.least && e.most && *e.least == *e.most) {
        return number(*e.most);
    }
    if (e.least && e.most) {
        return "from " + number(*e.least) + " to " + number(*e.most);
    }
    return e.least ? "at least " + number(*e.least) : "at most " + number(e.most.value_or(0.0));
}

std::string steps_text(const Expectation& e) {
    const std::string first = std::to_string(e.first), last = std::to_string(e.last);
    switch (e.when) {
    case Expectation::When::at:
        return " at step " + last;
    case Expectation::When::by:
        return " by step " + last;
    case Expectation::When::between:
        return " between steps " + first + " and " + last;
    case Expectation::When::always:
        return " always" + (e.first > 0 ? " from step " + first + " to " + last : " up to step " + last);
    case Expectation::When::never:
        break;
    }
    return e.first > 0 ? " from step " + first + " to " + last : " up to step " + last;
}

std::string condition_text(const Expectation& e) {
    switch (e.about) {
    case Expectation::About::within:
        return "within \"" + e.zone + '"';
    case Expectation::About::rests:
        return "at rest";
    case Expectation::About::upright:
        return "upright to " + short_number(e.most.value_or(0.0), 6) + " rad";
    case Expectation::About::touches:
        return "in touch with " + name_of(*e.other, "body");
    case Expectation::About::breaks:
        return "broken";
    case Expectation::About::step_time:
        return range_text(e, " times that of " + e.reference.file);
    case Expectation::About::measure:
        break;
    }
    return range_text(e, measure_units[static_cast<std::size_t>(e.measure)]);
}

} // namespace

bool Zone::holds(const physics::Vec3& point) const {
    const physics::Vec3 local = physics::to_local(pose, point);
    if (radius > 0.0f) {
        return glm::dot(local, local) <= radius * radius;
    }
    const physics::Vec3 off = glm::abs(local);
    return off.x <= half_extents.x && off.y <= half_extents.y && off.z <= half_extents.z;
}

std::string name_of(Measure measure) {
    std::string name(measure_keys[static_cast<std::size_t>(measure)]);
    std::ranges::replace(name, '_', ' ');
    return name;
}

std::string description(const Expectation& e) {
    std::string text;
    if (e.about == Expectation::About::measure) {
        text = "the " + name_of(e.measure);
        if (e.body) {
            text += " of " + name_of(*e.body, "body");
        } else if (e.joint) {
            text += " of joint " + name_of(*e.joint, "joint");
        }
        if (e.other) {
            text += " from " + name_of(*e.other, "body");
        }
    } else if (e.about == Expectation::About::step_time) {
        text = "the step time";
    } else {
        text = e.joint ? "joint " + name_of(*e.joint, "joint") : name_of(*e.body, "body");
    }
    text += e.when == Expectation::When::never ? " is never " : " is ";
    return text + condition_text(e) + steps_text(e);
}

} // namespace cairn::core
