#include "app/core/scene/writer/expectation_writer.h"

#include "app/core/scene/values/scene_keys.h"

namespace cairn::core {

namespace {

std::string subject_text(const Expectation::Subject& subject) {
    return subject.index ? std::to_string(*subject.index) : json_text(subject.name);
}

} // namespace

void write_zone(WrappedText& out, const Zone& zone) {
    ObjectText members(out);
    members.add("name", json_text(zone.name));
    if (zone.radius > 0.0f) {
        members.add("radius", json_text(zone.radius, "radius"));
    } else {
        members.add("half_extents", json_text(zone.half_extents, "half_extents"));
    }
    members.add("position", json_text(zone.pose.position, "position"));
    members.add_unless(physics::Transform{}.orientation, "orientation", zone.pose.orientation);
    members.end();
}

void write_expectation(WrappedText& out, const Expectation& e) {
    ObjectText members(out);
    if (e.body) {
        members.add("body", subject_text(*e.body));
    }
    if (e.joint) {
        members.add("joint", subject_text(*e.joint));
    }
    const auto number = [](double value) { return json_text(static_cast<float>(value), "expect"); };
    switch (e.about) {
    case Expectation::About::within:
        members.add("within", json_text(e.zone));
        break;
    case Expectation::About::rests:
        members.add("rests", "true");
        break;
    case Expectation::About::upright:
        members.add("upright", number(*e.most));
        break;
    case Expectation::About::touches:
        members.add("touches", subject_text(*e.other));
        break;
    case Expectation::About::breaks:
        members.add("breaks", "true");
        break;
    case Expectation::About::step_time:
    case Expectation::About::measure: {
        const bool times = e.about == Expectation::About::step_time;
        ObjectText range(members.start(times ? "step_time" : measure_keys[static_cast<std::size_t>(e.measure)]));
        if (times) {
            range.add("of", json_text(e.reference.file));
        }
        if (e.other) {
            range.add("to", subject_text(*e.other));
        }
        range.add_if_any("point", e.point);
        range.add_if_any("to_point", e.other_point);
        if (e.least) {
            range.add("least", number(*e.least));
        }
        if (e.most) {
            range.add("most", number(*e.most));
        }
        range.end();
        break;
    }
    }
    const bool one_step = e.when == Expectation::When::at || e.when == Expectation::When::by ||
                          (e.when != Expectation::When::between && e.first == 0);
    members.add(expectation_time_keys[static_cast<std::size_t>(e.when)],
                one_step ? std::to_string(e.last)
                         : '[' + std::to_string(e.first) + ", " + std::to_string(e.last) + ']');
    if (!e.why.empty()) {
        members.add("why", json_text(e.why));
    }
    members.end();
}

std::string expectations_text(const Scene& scene) {
    std::string text;
    append_entries(text, scene.expectations, write_expectation);
    return text;
}

std::string zone_text(const Zone& zone) {
    return wrapped(5, [&](WrappedText& out) { write_zone(out, zone); });
}

std::string expectation_text(const Expectation& expectation) {
    return wrapped(5, [&](WrappedText& out) { write_expectation(out, expectation); });
}

} // namespace cairn::core
