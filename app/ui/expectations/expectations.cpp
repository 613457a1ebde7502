// What a person expects of the scene from here on.
#include "app/ui/expectations/expectations.h"

#include "app/core/base/files/text_file.h"
#include "app/core/scene/gltf/file/gltf_mesh.h"
#include "app/core/scene/parser/scene_expectations.h"
#include "app/ui/context/attempt.h"
#include "app/ui/context/selection.h"
#include "app/ui/document/document.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace cairn::ui {

namespace {

using core::Expectation;

// Of the scene's own bodies: what was added since has no place in the file.
bool is_of_scene(const Context& ctx, physics::BodyId body) {
    return body && body.generation == 0 && body.index < ctx.simulation.scene().bodies.size();
}

Expectation::Subject subject_of(const Context& ctx, physics::BodyId body) {
    const std::vector<physics::BodyDef>& bodies = ctx.simulation.scene().bodies;
    const std::string& name = bodies[body.index].name;
    if (!name.empty() && name != "*" && core::bodies_of({name, {}}, bodies).size() == 1) {
        return {name, {}};
    }
    return {{}, body.index};
}

// As few as say it: all bodies that can move, all copies of a repeat, or each by itself.
std::vector<Expectation::Subject> subjects_of(const Context& ctx, std::vector<std::uint32_t> slots) {
    const std::vector<physics::BodyDef>& bodies = ctx.simulation.scene().bodies;
    std::ranges::sort(slots);
    if (slots.size() > 1 && core::bodies_of({"*", {}}, bodies) == slots) {
        return {{"*", {}}};
    }
    std::vector<Expectation::Subject> subjects;
    std::set<std::uint32_t> left(slots.begin(), slots.end());
    for (const std::uint32_t slot : slots) {
        const std::string& name = bodies[slot].name;
        if (left.count(slot) == 0) {
            continue;
        }
        if (const std::size_t bracket = name.rfind('['); bracket != std::string::npos && name.ends_with(']')) {
            const std::string pattern = name.substr(0, bracket) + "[*]";
            const std::vector<std::uint32_t> copies = core::bodies_of({pattern, {}}, bodies);
            if (copies.size() > 1 &&
                std::ranges::all_of(copies, [&](std::uint32_t copy) { return left.count(copy) > 0; })) {
                subjects.push_back({pattern, {}});
                for (const std::uint32_t copy : copies) {
                    left.erase(copy);
                }
                continue;
            }
        }
        subjects.push_back(subject_of(ctx, {slot, 0}));
        left.erase(slot);
    }
    return subjects;
}

// From the next step on, as long as the panel says.
void expect(Context& ctx, Expectation e, const std::vector<core::Zone>& zones = {}) {
    const std::uint64_t now = ctx.frame().step;
    const double seconds = static_cast<double>(ctx.get<ExpectationSettings>().seconds);
    const auto steps =
        static_cast<std::uint64_t>(std::max(1.0, std::round(seconds * static_cast<double>(ctx.frame().settings.hz))));
    e.first = now + 1;
    e.last = now + steps;
    const auto as_written = [](std::optional<double>& value) {
        if (value) {
            value = static_cast<double>(static_cast<float>(*value));
        }
    };
    as_written(e.least);
    as_written(e.most);
    if (attempt(ctx, [&] { ctx.simulation.expect(e, zones); })) {
        ctx.log.info("Expected: " + core::description(e));
    }
}

// With a tenth of their size, or 5 cm, of room around the selected bodies.
core::Zone zone_around(const Context& ctx, const std::vector<std::size_t>& places) {
    const physics::FrameState& frame = ctx.frame();
    physics::Aabb bounds = body_bounds(*frame.models[places.front()], frame.bodies[places.front()].pose);
    for (const std::size_t place : places) {
        bounds = physics::united(bounds, body_bounds(*frame.models[place], frame.bodies[place].pose));
    }
    core::Zone zone;
    const std::vector<core::Zone>& known = ctx.simulation.expected().zones;
    for (int number = 1;
         zone.name.empty() || std::ranges::any_of(known, [&](const core::Zone& z) { return z.name == zone.name; });
         ++number) {
        zone.name = "place " + std::to_string(number);
    }
    const glm::vec3 half = 0.5f * (bounds.upper - bounds.lower);
    zone.half_extents = half + glm::max(0.1f * half, glm::vec3(0.05f));
    zone.pose.position = 0.5f * (bounds.lower + bounds.upper);
    return zone;
}

} // namespace

void expect_of_selection(Context& ctx, SelectionExpectation what) {
    const std::vector<std::size_t> places = selected_places(ctx);
    const bool all_there = !places.empty() && std::ranges::all_of(places, [&](std::size_t place) {
        return is_of_scene(ctx, ctx.frame().bodies[place].id);
    });
    if (!all_there) {
        ctx.log.error(places.empty() ? "Expect: select the bodies first"
                                     : "Expect: bodies that were added are in no file; save the scene and open it");
        return;
    }
    Expectation e;
    e.when = Expectation::When::always;
    std::vector<core::Zone> zones;
    switch (what) {
    case SelectionExpectation::rest:
        e.about = Expectation::About::rests;
        e.when = Expectation::When::between; // "by" counts what has been, too
        break;
    case SelectionExpectation::upright:
        e.about = Expectation::About::upright;
        e.most = 0.1;
        break;
    case SelectionExpectation::place:
        e.about = Expectation::About::within;
        zones.push_back(zone_around(ctx, places));
        e.zone = zones.front().name;
        break;
    case SelectionExpectation::touch:
    case SelectionExpectation::no_touch:
        e.about = Expectation::About::touches;
        e.when = what == SelectionExpectation::touch ? e.when : Expectation::When::never;
        e.other = subject_of(ctx, ctx.selected);
        break;
    }
    std::vector<std::uint32_t> slots;
    for (const std::size_t place : places) {
        const physics::BodyId id = ctx.frame().bodies[place].id;
        if (!e.other || id != ctx.selected) {
            slots.push_back(id.index);
        }
    }
    for (const Expectation::Subject& subject : subjects_of(ctx, std::move(slots))) {
        e.body = subject;
        expect(ctx, e, zones);
        zones.clear(); // there by now
    }
}

void expect_at_most(Context& ctx, core::Measure measure, double most) {
    Expectation e;
    e.about = Expectation::About::measure;
    e.measure = measure;
    e.most = most;
    e.when = Expectation::When::always;
    expect(ctx, e);
}

void expect_distance(Context& ctx, const PointOfBody& from, const PointOfBody& to, double distance) {
    if (!is_of_scene(ctx, from.body) || !is_of_scene(ctx, to.body)) {
        ctx.log.error("Expect: measure between two bodies of the scene's file");
        return;
    }
    // Of measured lengths nobody means the last digit: a hundredth, or a centimetre.
    const double slack = std::max(0.01, 0.01 * distance);
    Expectation e;
    e.about = Expectation::About::measure;
    e.measure = core::Measure::distance;
    e.body = subject_of(ctx, from.body);
    e.other = subject_of(ctx, to.body);
    e.point = from.local;
    e.other_point = to.local;
    e.least = std::max(0.0, distance - slack);
    e.most = distance + slack;
    e.when = Expectation::When::always;
    expect(ctx, e);
}

void write_expectations(Context& ctx) {
    Document& document = ctx.get<Document>();
    if (core::is_gltf_name(document.file)) {
        ctx.log.warning("A glTF file has no place for expectations: save the scene as a file of its own first (" +
                        ctx.key_of("save_as") + ")");
        return;
    }
    const core::ExpectationsShown& shown = ctx.simulation.expected();
    attempt(ctx, [&] {
        const core::Scene on_disk = core::read_scene(document.file);
        std::vector<core::Zone> zones;
        std::vector<core::Expectation> added;
        for (const core::Zone& zone : shown.zones) {
            if (std::ranges::find(on_disk.zones, zone) == on_disk.zones.end()) {
                zones.push_back(zone);
            }
        }
        for (const core::Expectation& e : shown.expectations) {
            if (std::ranges::find(on_disk.expectations, e) == on_disk.expectations.end()) {
                added.push_back(e);
            }
        }
        if (added.empty()) {
            ctx.log.info(document.file.filename().string() + " holds all of them");
            return;
        }
        core::replace_file(document.file,
                           core::with_expectations(core::read_whole_file(document.file), document.file, zones, added));
        document.watched.forget_change(); // it is what runs here already
        ctx.log.info("Added " + std::to_string(added.size()) +
                     (added.size() == 1 ? " expectation to " : " expectations to ") + document.file.string());
    });
}

} // namespace cairn::ui
