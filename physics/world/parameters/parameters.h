// The parameters of the step and the plain numbers of a body, one row each: its word in files, its range and unit, and
// what it does. Validation, commands, scene files, captures, undo, `--set`, the panels and the state report read these
// tables; the schema and the documentation are held to them by tests. The defaults are those of Settings and BodyDef.
#pragma once

#include "physics/world/body_def.h"
#include "physics/world/command.h"
#include "physics/world/limits.h"
#include "physics/world/settings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

namespace cairn::physics {

// What a person looks for together.
enum class ParameterGroup : std::uint8_t { gravity, time, contacts, joints, continuous, sleeping };
inline constexpr std::array<std::string_view, 6> parameter_group_names{"Gravity", "Time step",         "Contacts",
                                                                       "Joints",  "Fast bodies (CCD)", "Sleeping"};

struct Parameter {
    std::string_view section; // object of the scene file that holds it: "step", "solver", or "" for the scene itself
    std::string_view key;
    ParameterGroup group;
    std::string_view label; // for panels
    std::variant<bool Settings::*, int Settings::*, float Settings::*, Vec3 Settings::*> member;
    float least = 0.0f, greatest = 1.0f; // both belong to the range; of each component; switches have none
    std::string_view unit = "";          // "" for pure numbers
    float step = 0.01f;                  // the smallest change that a person cares about, in the unit
    bool logarithmic = false;            // ratios of it matter, not differences
    std::string_view sentence;           // what it does, and what more or less of it means

    constexpr bool is_switch() const { return std::holds_alternative<bool Settings::*>(member); }
    constexpr bool is_whole() const { return std::holds_alternative<int Settings::*>(member); }
};

// In the order of Settings, which is the order in files that Cairn writes.
inline constexpr std::array parameters{
    Parameter{.section = "",
              .key = "gravity",
              .group = ParameterGroup::gravity,
              .label = "Gravity",
              .member = &Settings::gravity,
              .least = -limits::gravity,
              .greatest = limits::gravity,
              .unit = "m/s^2",
              .step = 0.1f,
              .sentence = "Acceleration of free bodies: x, y, z."},
    Parameter{.section = "step",
              .key = "hz",
              .group = ParameterGroup::time,
              .label = "Rate",
              .member = &Settings::hz,
              .least = 10.0f,
              .greatest = 1000.0f,
              .unit = "1/s",
              .step = 1.0f,
              .logarithmic = true,
              .sentence = "Steps per simulated second. More follow fast motion more closely and cost more."},
    Parameter{.section = "step",
              .key = "substeps",
              .group = ParameterGroup::time,
              .label = "Substeps",
              .member = &Settings::substeps,
              .least = 1.0f,
              .greatest = 64.0f,
              .step = 1.0f,
              .sentence = "Solver substeps in each step. More make contacts stiffer and cost more."},
    Parameter{.section = "step",
              .key = "max_substeps",
              .group = ParameterGroup::time,
              .label = "Max substeps",
              .member = &Settings::max_substeps,
              .least = 1.0f,
              .greatest = 64.0f,
              .step = 1.0f,
              .sentence = "Substep limit of islands that need more to stand: tall or heavy stacks, and for their first "
                          "seconds what is "
                          "spawned touching. Islands of over 1250 contacts take at most 16. No more than Substeps: all "
                          "islands take that number."},
    Parameter{.section = "solver",
              .key = "sleeping",
              .group = ParameterGroup::sleeping,
              .label = "Sleeping",
              .member = &Settings::sleeping,
              .sentence = "Lets resting islands sleep until something touches them."},
    Parameter{.section = "solver",
              .key = "continuous",
              .group = ParameterGroup::continuous,
              .label = "CCD",
              .member = &Settings::continuous,
              .sentence = "Stops fast bodies from passing through others within a step. Off: they may tunnel."},
    Parameter{.section = "solver",
              .key = "warm_starting",
              .group = ParameterGroup::contacts,
              .label = "Warm start",
              .member = &Settings::warm_starting,
              .sentence = "Starts each solve from the impulses of the step before. Off: stacks turn soft."},
    Parameter{.section = "solver",
              .key = "contact_hertz",
              .group = ParameterGroup::contacts,
              .label = "Stiffness",
              .member = &Settings::contact_hertz,
              .least = 1.0f,
              .greatest = 240.0f,
              .unit = "1/s",
              .step = 1.0f,
              .sentence = "Stiffness with which penetration is pushed out. More carries higher stacks; at most 17 % "
                          "of the substep rate is used."},
    Parameter{.section = "solver",
              .key = "contact_damping_ratio",
              .group = ParameterGroup::contacts,
              .label = "Damping",
              .member = &Settings::contact_damping_ratio,
              .least = 0.1f,
              .greatest = 100.0f,
              .step = 0.1f,
              .logarithmic = true,
              .sentence = "Damping ratio of that push: 1 is critical, less oscillates, more is sluggish."},
    Parameter{.section = "solver",
              .key = "max_push_speed",
              .group = ParameterGroup::contacts,
              .label = "Push speed",
              .member = &Settings::max_push_speed,
              .least = 0.0f,
              .greatest = 100.0f,
              .unit = "m/s",
              .step = 0.1f,
              .sentence = "Greatest speed at which overlapping bodies are pushed apart. 0 leaves overlaps alone."},
    Parameter{.section = "solver",
              .key = "restitution_threshold",
              .group = ParameterGroup::contacts,
              .label = "Bounce above",
              .member = &Settings::restitution_threshold,
              .least = 0.0f,
              .greatest = 100.0f,
              .unit = "m/s",
              .step = 0.1f,
              .sentence = "Impacts slower than this do not bounce, so that bodies come to rest."},
    Parameter{.section = "solver",
              .key = "joint_hertz",
              .group = ParameterGroup::joints,
              .label = "Joint rate",
              .member = &Settings::joint_hertz,
              .least = 1.0f,
              .greatest = 1000.0f,
              .unit = "1/s",
              .step = 1.0f,
              .logarithmic = true,
              .sentence = "How fast joints correct position errors, as the frequency of a spring. They carry any load "
                          "without giving way; their limits yield like this spring."},
    Parameter{.section = "solver",
              .key = "joint_damping_ratio",
              .group = ParameterGroup::joints,
              .label = "Joint damping",
              .member = &Settings::joint_damping_ratio,
              .least = 0.1f,
              .greatest = 100.0f,
              .step = 0.1f,
              .logarithmic = true,
              .sentence = "Damping ratio of that spring: 1 is critical, more corrects errors more slowly."},
    Parameter{.section = "solver",
              .key = "linear_slop",
              .group = ParameterGroup::continuous,
              .label = "Slop",
              .member = &Settings::linear_slop,
              .least = 0.0f,
              .greatest = 0.1f,
              .unit = "m",
              .step = 0.0001f,
              .sentence = "Penetration that continuous collision allows, and within which bodies count as touching."},
    Parameter{.section = "solver",
              .key = "speculative_distance",
              .group = ParameterGroup::contacts,
              .label = "Look-ahead",
              .member = &Settings::speculative_distance,
              .least = 0.0f,
              .greatest = 1.0f,
              .unit = "m",
              .step = 0.001f,
              .sentence =
                  "Contacts are created ahead of touching within this gap, of bodies thinner than that within their "
                  "inner radius. More finds them earlier and creates more of them."},
    Parameter{.section = "solver",
              .key = "sleep_speed",
              .group = ParameterGroup::sleeping,
              .label = "Sleep below",
              .member = &Settings::sleep_speed,
              .least = 0.0f,
              .greatest = 10.0f,
              .unit = "m/s",
              .step = 0.001f,
              .sentence = "A body slower than this at every point may fall asleep."},
    Parameter{.section = "solver",
              .key = "sleep_time",
              .group = ParameterGroup::sleeping,
              .label = "Sleep after",
              .member = &Settings::sleep_time,
              .least = 0.0f,
              .greatest = 60.0f,
              .unit = "s",
              .step = 0.1f,
              .sentence =
                  "An island sleeps once all of it has been slower than the sleep speed, and has not sped up or "
                  "slowed down steadily, for this long."},
    Parameter{.section = "step",
              .key = "max_short_steps",
              .group = ParameterGroup::time,
              .label = "Short steps",
              .member = &Settings::max_short_steps,
              .least = 1.0f,
              .greatest = 8.0f,
              .step = 1.0f,
              .sentence = "Where crowds of small or fast bodies would hold each other up, a step is taken as 2, 4 or 8 "
                          "shorter ones, but no more than this. With 1 such crowds move in slow motion."},
};

// A plain number or switch of a body. What is not plain (pose, velocities, shapes, inertia) has no row.
struct BodyParameter {
    std::string_view key;
    std::string_view label;
    std::variant<bool BodyDef::*, float BodyDef::*, float Material::*, std::optional<float> BodyDef::*> member;
    // What changes it in a world; none where only a new body can have another.
    std::variant<std::monostate, std::optional<bool> SetBody::*, std::optional<float> SetBody::*> change =
        std::monostate{};
    bool of_dynamic_bodies_only = false; // has no effect on the others
    float least = 0.0f, greatest = 1.0f;
    std::string_view unit = "";
    float step = 0.01f;
    bool logarithmic = false;
    std::string_view sentence;

    constexpr bool is_switch() const { return std::holds_alternative<bool BodyDef::*>(member); }
};

inline constexpr std::array body_parameters{
    BodyParameter{.key = "mass",
                  .label = "Mass",
                  .member = &BodyDef::mass,
                  .change = &SetBody::mass,
                  .of_dynamic_bodies_only = true,
                  .least = limits::least_mass,
                  .greatest = limits::greatest_mass,
                  .unit = "kg",
                  .step = 0.001f,
                  .logarithmic = true,
                  .sentence = "Mass of the body; its moments of inertia scale with it."},
    BodyParameter{.key = "density",
                  .label = "Density",
                  .member = &BodyDef::density,
                  .of_dynamic_bodies_only = true,
                  .least = limits::least_density,
                  .greatest = limits::greatest_density,
                  .unit = "kg/m^3",
                  .step = 1.0f,
                  .logarithmic = true,
                  .sentence = "Mass per volume, in place of the mass. Water has 1000, oak 700, steel 7850."},
    BodyParameter{.key = "friction",
                  .label = "Friction",
                  .member = &Material::friction,
                  .change = &SetBody::friction,
                  .least = 0.0f,
                  .greatest = limits::friction,
                  .step = 0.01f,
                  .sentence =
                      "Coulomb coefficient: 0 ice, 0.5 wood, 1 rubber. A contact uses the geometric mean of both "
                      "bodies'."},
    BodyParameter{.key = "restitution",
                  .label = "Elasticity",
                  .member = &Material::restitution,
                  .change = &SetBody::restitution,
                  .least = 0.0f,
                  .greatest = 1.0f,
                  .step = 0.01f,
                  .sentence = "Share of the impact speed that comes back: 0 clay, 1 perfect bounce. A contact uses the "
                              "larger of both bodies'."},
    BodyParameter{.key = "rolling_resistance",
                  .label = "Rolling",
                  .member = &Material::rolling_resistance,
                  .change = &SetBody::rolling_resistance,
                  .least = 0.0f,
                  .greatest = 1.0f,
                  .step = 0.001f,
                  .sentence =
                      "Rolling resistance: lever arm of its torque as a share of the radius. A contact uses the "
                      "larger of both bodies'."},
    BodyParameter{.key = "linear_damping",
                  .label = "Drag",
                  .member = &BodyDef::linear_damping,
                  .change = &SetBody::linear_damping,
                  .of_dynamic_bodies_only = true,
                  .least = 0.0f,
                  .greatest = limits::damping,
                  .unit = "1/s",
                  .step = 0.01f,
                  .sentence = "Rate at which the velocity decays; 0.1 loses about a tenth in a second."},
    BodyParameter{.key = "angular_damping",
                  .label = "Spin drag",
                  .member = &BodyDef::angular_damping,
                  .change = &SetBody::angular_damping,
                  .of_dynamic_bodies_only = true,
                  .least = 0.0f,
                  .greatest = limits::damping,
                  .unit = "1/s",
                  .step = 0.01f,
                  .sentence = "Rate at which the spin decays; 0.1 loses about a tenth in a second."},
    BodyParameter{.key = "gravity_scale",
                  .label = "Gravity ×",
                  .member = &BodyDef::gravity_scale,
                  .change = &SetBody::gravity_scale,
                  .of_dynamic_bodies_only = true,
                  .least = -limits::gravity_scale,
                  .greatest = limits::gravity_scale,
                  .step = 0.01f,
                  .sentence = "Factor on gravity for this body: 0 floats, -1 rises."},
    BodyParameter{.key = "can_sleep",
                  .label = "May sleep",
                  .member = &BodyDef::can_sleep,
                  .change = &SetBody::can_sleep,
                  .of_dynamic_bodies_only = true,
                  .sentence = "Whether the body may sleep when it rests. Off keeps it and what it touches awake."},
};

// All but mass and density, from which the inertia follows: these stand for themselves.
inline constexpr auto plain_body_parameters = std::span(body_parameters).subspan<2>();

// The numbers of a material, which shapes and triangles may have of their own.
struct MaterialParameter : BodyParameter {
    float Material::*number;
};
inline constexpr auto material_parameters = [] {
    std::array<MaterialParameter, 3> out{};
    std::size_t next = 0;
    for (const BodyParameter& p : body_parameters) {
        if (const auto* number = std::get_if<float Material::*>(&p.member)) {
            out.at(next++) = {p, *number};
        }
    }
    return out;
}();

// Hands the value to `use`: of a body, or of a command that may change it.
template <typename Body, typename Use>
constexpr void with_value(const BodyParameter& p, Body& body, const Use& use) {
    const auto of = [&]<typename Of>(auto Of::*member) {
        if constexpr (std::is_same_v<Of, Material>) {
            use(body.material.*member);
        } else {
            use(body.*member);
        }
    };
    std::visit(of, p.member);
}
template <typename Change, typename Use>
constexpr void with_change(const BodyParameter& p, Change& change, const Use& use) {
    const auto of = [&](auto member) {
        if constexpr (!std::is_same_v<decltype(member), std::monostate>) {
            use(change.*member);
        }
    };
    std::visit(of, p.change);
}
// Both at once, where the command can change it.
template <typename Body, typename Change, typename Use>
constexpr void with_both(const BodyParameter& p, Body& body, Change& change, const Use& use) {
    with_value(p, body, [&]<typename Value>(Value& value) {
        with_change(p, change, [&]<typename Changed>(Changed& changed) {
            if constexpr (std::is_same_v<std::remove_const_t<Changed>, std::optional<std::remove_const_t<Value>>>) {
                use(value, changed);
            }
        });
    });
}
inline bool changes(const SetBody& command, const BodyParameter& p) {
    bool any = false;
    with_change(p, command, [&](const auto& value) { any = value.has_value(); });
    return any;
}

// Looks a parameter up by its section and key; nullptr if there is none.
constexpr const Parameter* find_parameter(std::string_view section, std::string_view key) {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const Parameter& p) { return p.section == section && p.key == key; });
    return found == parameters.end() ? nullptr : &*found;
}
constexpr const BodyParameter* find_body_parameter(std::string_view key) {
    const auto found = std::find_if(body_parameters.begin(), body_parameters.end(),
                                    [&](const BodyParameter& p) { return p.key == key; });
    return found == body_parameters.end() ? nullptr : &*found;
}

inline bool differs(const Settings& a, const Settings& b, const Parameter& p) {
    return std::visit([&](auto member) { return !(a.*member == b.*member); }, p.member);
}
// Gives `to` the value that `from` has.
inline void copy(Settings& to, const Settings& from, const Parameter& p) {
    std::visit([&](auto member) { to.*member = from.*member; }, p.member);
}

namespace detail {

struct AnyValue {
    template <class T>
    constexpr operator T() const; // only ever asked for its type
};

// Of an aggregate: how many values its braces take.
template <class T, class... Values>
consteval std::size_t member_count() {
    if constexpr (requires { T{Values{}..., AnyValue{}}; }) {
        return member_count<T, Values..., AnyValue>();
    } else {
        return sizeof...(Values);
    }
}

template <class Row, std::size_t count>
consteval bool all_differ(const std::array<Row, count>& rows) {
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            if (rows[i].member == rows[k].member || rows[i].key == rows[k].key) {
                return false;
            }
        }
    }
    return true;
}

static_assert(parameters.size() == member_count<Settings>(), "every member of Settings needs its row in `parameters`");
static_assert(all_differ(parameters) && all_differ(body_parameters), "two rows are about one thing");

} // namespace detail

} // namespace cairn::physics
