// What must be true of a scene while it runs: the "expect" and "zones" of its file.
#pragma once

#include "app/core/base/error.h"
#include "physics/base/math.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::core {

struct Scene;

// A part of space that has a name: a box, or a ball.
struct Zone {
    std::string name;
    physics::Vec3 half_extents{0.0f}; // m, of a box
    float radius = 0.0f;              // m, of a ball; 0: it is a box
    physics::Transform pose;
    bool holds(const physics::Vec3& point) const;
    friend bool operator==(const Zone&, const Zone&) = default;
};

// Numbers that are read off a state. Order of measure_keys (values/scene_keys.h) and measure_units.
enum class Measure : std::uint8_t {
    speed,            // m/s, of a body's centre of mass
    spin,             // rad/s, of a body
    height,           // m, z of a body's centre of mass
    drift,            // m, of a body's centre of mass from where it started, sideways
    distance,         // m, of a body's centre of mass from another's, or of points of the two
    position,         // rad or m, of a joint
    force,            // N, of a joint
    torque,           // N m, of a joint
    penetration,      // m, deepest of the world, as the following
    kinetic_energy,   // J
    energy,           // J, kinetic and potential
    momentum,         // kg m/s, the length of the sum over all bodies
    angular_momentum, // kg m^2/s, the length of the sum over all bodies, about their common centre of mass
    mean_drift,       // m, of all dynamic bodies
    greatest_speed,   // m/s, of all dynamic bodies
    contacts,         // pairs
    contact_points,
    awake, // bodies
};
// With a blank before it; none for counts, and for a position, whose joint knows.
inline constexpr std::array<const char*, 18> measure_units{" m/s",      " rad/s", " m",   " m", " m", "",
                                                           " N",        " N m",   " m",   " J", " J", " kg m/s",
                                                           " kg m^2/s", " m",     " m/s", "",   "",   ""};
std::string name_of(Measure measure); // "kinetic energy"

constexpr bool is_of_body(Measure measure) {
    return measure <= Measure::distance;
}
constexpr bool is_of_joint(Measure measure) {
    return measure >= Measure::position && measure <= Measure::torque;
}

struct Expectation {
    enum class About : std::uint8_t { within, rests, upright, touches, breaks, measure, step_time };
    enum class When : std::uint8_t { at, by, between, always, never };
    // Bodies or joints of the scene: those of a name ("brick"), all copies of a repeat ("brick[*]"), every dynamic body
    // ("*"), or the one of an index. Measures of the world have no subject.
    struct Subject {
        std::string name;
        std::optional<std::uint32_t> index;
        friend bool operator==(const Subject&, const Subject&) = default;
    };
    // Where it stands in a file, which changes nothing about it.
    struct Place {
        Location at{};
        friend bool operator==(const Place&, const Place&) { return true; }
    };
    // The scene that step times are compared with: its file as it was written, and what was read there.
    struct Reference {
        std::string file;
        std::shared_ptr<const Scene> scene{};
        std::string path{}; // that was read
        friend bool operator==(const Reference& a, const Reference& b) { return a.file == b.file; }
    };

    std::optional<Subject> body, joint;
    About about = About::measure;
    std::string zone;             // within
    std::optional<Subject> other; // touches, and the measure distance
    Measure measure = Measure::speed;
    std::optional<physics::Vec3> point, other_point; // of the measure distance, in the frames of the two bodies
    Reference reference{};                           // step_time
    // Of a measure, and of step_time, which is a ratio; `most` is the greatest tilt of upright, rad.
    std::optional<double> least, most;
    When when = When::always;
    std::uint64_t first = 0, last = 0; // steps, both included
    std::string why;                   // for people
    Place place{};
    friend bool operator==(const Expectation&, const Expectation&) = default;
};

// Judged by how long steps take, which no state holds: see SceneTest.
constexpr bool is_of_clock(const Expectation& expectation) {
    return expectation.about == Expectation::About::step_time;
}

// "ball" is within "goal" by step 120
std::string description(const Expectation& expectation);

} // namespace cairn::core
