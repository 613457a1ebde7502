#include "app/core/scene/parser/scene_expectations.h"

#include "app/core/base/joined_words.h"
#include "app/core/scene/values/scene_keys.h"
#include "app/core/scene/values/value_reader.h"

#include <algorithm>

namespace cairn::core {
namespace {

using physics::BodyDef;
using physics::BodyType;
using physics::JointDef;

// "brick[*]" names every copy of a repeat.
bool matches(const std::string& pattern, const std::string& name) {
    constexpr std::string_view all = "[*]";
    if (pattern.ends_with(all)) {
        const std::string_view stem =
            std::string_view(pattern).substr(0, pattern.size() - all.size() + 1); // with the [
        return name.starts_with(stem) && name.ends_with(']');
    }
    return pattern == name;
}

class Reader {
  public:
    Reader(const Document& document, const std::vector<BodyDef>& bodies, std::size_t first_body,
           const std::vector<JointDef>& joints, std::size_t first_joint, const ReadReference& reference,
           const Scene& scene)
        : document_(document),
          bodies_(bodies),
          joints_(joints),
          first_body_(first_body),
          first_joint_(first_joint),
          reference_(reference),
          scene_(scene) {}

    Expectation read(const Node& node) {
        const ObjectReader reader(document_, node, "an expectation", expectation_keys);
        Expectation e;
        e.place.at = document_.locate(node.begin);
        if (const Node* value = reader.find("body")) {
            e.body = body(*value, "body");
        }
        if (const Node* value = reader.find("joint")) {
            e.joint = joint(*value);
        }
        if (e.body && e.joint) {
            document_.fail_at_key(*reader.find("joint"), "an expectation is about bodies or about joints, not both");
        }
        const Node& condition = one_of(reader, expectation_condition_keys, "what is expected");
        read_condition(condition, e);
        read_time(one_of(reader, expectation_time_keys, "when it is expected"), e);
        reader.take("why", e.why, read_string);
        return e;
    }

  private:
    // The member whose key is one of these: there must be exactly one.
    const Node& one_of(const ObjectReader& reader, std::span<const std::string_view> keys, const std::string& what) {
        const Node* found = nullptr;
        for (const std::string_view key : keys) {
            if (const Node* node = reader.find(key)) {
                if (found != nullptr) {
                    document_.fail_at_key(node->begin > found->begin ? *node : *found,
                                          "an expectation says once " + what + ": " + in_quotes(found->key) + " or " +
                                              in_quotes(node->key));
                }
                found = node;
            }
        }
        if (found == nullptr) {
            document_.fail(reader.object(),
                           "an expectation says " + what + ", by one of " + joined_words(keys, in_quotes));
        }
        return *found;
    }

    Expectation::Subject subject(const Node& node, std::string_view what, std::size_t first, std::size_t count) {
        Expectation::Subject subject;
        if (node.kind == NodeKind::number) {
            const auto most = static_cast<std::int64_t>(count) - 1;
            if (!node.is_integer || node.integer < 0 || node.integer > most) {
                document_.fail(node, in_quotes(what) + " is the index of none of the " + std::to_string(count) +
                                         " in this file, which are counted from 0");
            }
            subject.index = static_cast<std::uint32_t>(first + static_cast<std::size_t>(node.integer));
        } else {
            subject.name = read_string(document_, node, what);
        }
        return subject;
    }
    Expectation::Subject body(const Node& node, std::string_view what) {
        Expectation::Subject named = subject(node, what, first_body_, bodies_.size() - first_body_);
        if (bodies_of(named, bodies_).empty()) {
            document_.fail(node, "there is no body named " + in_quotes(named.name) +
                                     "; NAME[*] stands for all copies of a repeat, * for every dynamic body");
        }
        return named;
    }
    Expectation::Subject joint(const Node& node) {
        Expectation::Subject named = subject(node, "joint", first_joint_, joints_.size() - first_joint_);
        if (joints_of(named, joints_).empty()) {
            document_.fail(node, "there is no joint named " + in_quotes(named.name));
        }
        return named;
    }

    void read_condition(const Node& node, Expectation& e) {
        const auto needs_body = [&] {
            if (!e.body) {
                document_.fail_at_key(node, in_quotes(node.key) + " is expected of bodies: name them with \"body\"");
            }
        };
        if (node.key == "within") {
            needs_body();
            e.about = Expectation::About::within;
            e.zone = read_string(document_, node, "within");
            if (std::ranges::none_of(scene_.zones, [&](const Zone& z) { return z.name == e.zone; })) {
                document_.fail(node, "there is no zone " + in_quotes(e.zone) + " in \"zones\"");
            }
        } else if (node.key == "rests") {
            needs_body();
            e.about = Expectation::About::rests;
            if (!read_boolean(document_, node, "rests")) {
                document_.fail(node, "\"rests\" is true; what is not to rest is said with \"never\"");
            }
        } else if (node.key == "upright") {
            needs_body();
            e.about = Expectation::About::upright;
            e.most = static_cast<double>(read_number(document_, node, "upright", tilt_range));
        } else if (node.key == "touches") {
            needs_body();
            e.about = Expectation::About::touches;
            e.other = body(node, "touches");
        } else if (node.key == "breaks") {
            if (!e.joint) {
                document_.fail_at_key(node, "\"breaks\" is expected of joints: name them with \"joint\"");
            }
            e.about = Expectation::About::breaks;
            if (!read_boolean(document_, node, "breaks")) {
                document_.fail(node, "\"breaks\" is true; what is not to break is said with \"never\"");
            }
        } else if (node.key == "step_time") {
            if (e.body || e.joint) {
                document_.fail_at_key(node, "\"step_time\" is measured of the whole world");
            }
            e.about = Expectation::About::step_time;
            const ObjectReader range(document_, node, "\"step_time\"", step_time_keys);
            e.reference = reference_(range.require("of"));
            read_range(node, range, e);
        } else {
            read_measure(node, e);
        }
    }

    void read_measure(const Node& node, Expectation& e) {
        e.about = Expectation::About::measure;
        e.measure = static_cast<Measure>(std::ranges::find(measure_keys, node.key) - measure_keys.begin());
        const std::string key = in_quotes(node.key);
        if (is_of_body(e.measure) != e.body.has_value() || is_of_joint(e.measure) != e.joint.has_value()) {
            document_.fail_at_key(node, is_of_body(e.measure) ? key + " is measured of bodies: name them with \"body\""
                                        : is_of_joint(e.measure)
                                            ? key + " is measured of joints: name them with \"joint\""
                                            : key + " is measured of the whole world");
        }
        const bool between = e.measure == Measure::distance;
        const ObjectReader range(document_, node, key,
                                 between ? std::span<const std::string_view>(distance_keys)
                                         : std::span<const std::string_view>(expected_range_keys));
        if (between) {
            e.other = body(range.require("to"), "to");
            range.take("point", e.point, read_vector, coordinate_range);
            range.take("to_point", e.other_point, read_vector, coordinate_range);
        }
        read_range(node, range, e);
    }

    void read_range(const Node& node, const ObjectReader& range, Expectation& e) {
        const std::string key = in_quotes(node.key);
        range.take("least", e.least, read_number, expected_range);
        range.take("most", e.most, read_number, expected_range);
        if (!e.least && !e.most) {
            document_.fail(node, key + " needs \"least\", \"most\" or both");
        }
        if (e.least && e.most && *e.least > *e.most) {
            document_.fail(node, "\"least\" is greater than \"most\"");
        }
    }

    void read_time(const Node& node, Expectation& e) {
        if (e.about == Expectation::About::step_time && node.key != "always") {
            document_.fail_at_key(node, "\"step_time\" is measured over many steps: say which with \"always\"");
        }
        constexpr std::array<std::string_view, 5> names = expectation_time_keys;
        e.when = static_cast<Expectation::When>(std::ranges::find(names, node.key) - names.begin());
        const auto step = [&](const Node& value) {
            return static_cast<std::uint64_t>(read_integer(document_, value, node.key, 0, max_expected_step));
        };
        const bool takes_two = e.when != Expectation::When::at && e.when != Expectation::When::by;
        if (takes_two && node.kind == NodeKind::array) {
            if (node.child_count != 2) {
                document_.fail(node, in_quotes(node.key) + " takes two steps, [FIRST, LAST]");
            }
            e.first = step(*document_.first(node));
            e.last = step(*document_.next(*document_.first(node)));
            if (e.first > e.last) {
                document_.fail(node, "the first of the two steps comes after the last");
            }
        } else if (e.when == Expectation::When::between) {
            document_.fail(node, "\"between\" takes two steps, [FIRST, LAST]");
        } else {
            e.last = step(node);
            e.first = e.when == Expectation::When::at ? e.last : 0;
        }
        if (e.about == Expectation::About::step_time && e.last == 0) {
            document_.fail(node, "\"step_time\" needs a step to measure");
        }
    }

    const Document& document_;
    const std::vector<BodyDef>& bodies_;
    const std::vector<JointDef>& joints_;
    std::size_t first_body_, first_joint_;
    const ReadReference& reference_;
    const Scene& scene_;
};

} // namespace

void read_zones(const Document& document, const Node& node, Scene& scene) {
    for (const Node* each : expect_list(document, node, "zones", "zones")) {
        const ObjectReader reader(document, *each, "a zone", zone_keys);
        Zone zone;
        const Node& name = reader.require("name");
        zone.name = read_string(document, name, "name");
        if (zone.name.empty()) {
            document.fail(name, "a zone needs a name");
        }
        if (std::ranges::any_of(scene.zones, [&](const Zone& z) { return z.name == zone.name; })) {
            document.fail(name, "there is a zone " + in_quotes(zone.name) + " already");
        }
        const Node* extents = reader.find("half_extents");
        const Node* radius = reader.find("radius");
        if ((extents == nullptr) == (radius == nullptr)) {
            document.fail(*each, extents == nullptr ? "a zone needs \"half_extents\" or \"radius\""
                                                    : "a zone takes \"half_extents\" or \"radius\", not both");
        }
        if (extents != nullptr) {
            zone.half_extents = read_vector(document, *extents, "half_extents", zone_size_range);
        } else {
            zone.radius = read_number(document, *radius, "radius", zone_size_range);
        }
        reader.take("position", zone.pose.position, read_vector, coordinate_range);
        reader.take("orientation", zone.pose.orientation, read_orientation);
        scene.zones.push_back(std::move(zone));
    }
}

void read_expectations(const Document& document, const Node& node, const std::vector<BodyDef>& bodies,
                       std::size_t first_body, const std::vector<JointDef>& joints, std::size_t first_joint,
                       const ReadReference& reference, Scene& scene) {
    expect_list(document, node, "expect", "expectations");
    Reader reader(document, bodies, first_body, joints, first_joint, reference, scene);
    for (const Node* each : document.children(node)) {
        scene.expectations.push_back(reader.read(*each));
    }
}

std::vector<std::uint32_t> bodies_of(const Expectation::Subject& subject, const std::vector<BodyDef>& bodies) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        const bool meant = subject.index         ? *subject.index == i
                           : subject.name == "*" ? bodies[i].type == BodyType::dynamic
                                                 : !bodies[i].name.empty() && matches(subject.name, bodies[i].name);
        if (meant) {
            found.push_back(i);
        }
    }
    return found;
}

std::vector<std::uint32_t> joints_of(const Expectation::Subject& subject, const std::vector<JointDef>& joints) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < joints.size(); ++i) {
        const bool meant = subject.index
                               ? *subject.index == i
                               : subject.name == "*" || (!joints[i].name.empty() && joints[i].name == subject.name);
        if (meant) {
            found.push_back(i);
        }
    }
    return found;
}

} // namespace cairn::core
