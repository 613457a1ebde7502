#include "app/core/capture/verify/compare.h"

#include "app/core/report/formats/number_text.h"
#include "physics/broadphase/broadphase.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <type_traits>

namespace cairn::core {
namespace {

using namespace cairn::physics;
using Subject = StateDifference::Subject;

std::string text_of(std::span<const float> values) {
    std::string text = "(";
    for (const float value : values) {
        text += (text.size() > 1 ? ", " : "") + number_text(value);
    }
    return text + ')';
}

std::array<float, 1> parts(float value) {
    return {value};
}
std::array<float, 3> parts(const Vec3& v) {
    return {v.x, v.y, v.z};
}
std::array<float, 4> parts(const Quat& q) {
    return {q.w, q.x, q.y, q.z};
}
std::array<float, 6> parts(const Aabb& box) {
    return {box.lower.x, box.lower.y, box.lower.z, box.upper.x, box.upper.y, box.upper.z};
}
std::array<float, 6> parts(const std::array<float, 6>& values) {
    return values;
}

// Bit by bit: what is no number equals itself, and a zero is not its negative.
template <typename Value>
bool equal_bits(const Value& a, const Value& b) {
    if constexpr (std::is_integral_v<Value>) {
        return a == b;
    } else {
        return std::ranges::equal(parts(a), parts(b), {}, std::bit_cast<std::uint32_t, float>,
                                  std::bit_cast<std::uint32_t, float>);
    }
}

double distance(std::span<const float> a, std::span<const float> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += d * d;
    }
    return std::sqrt(sum);
}

class Comparison {
  public:
    Comparison(const StateImage& recorded, const StateImage& found) : recorded_(recorded), found_(found) {}

    std::vector<StateDifference> run() {
        if (recorded_.settings != found_.settings) {
            differ("settings", "as recorded", "other ones", 0.0);
        }
        bodies();
        contacts();
        joints();
        subject_ = {};
        if (recorded_.grabbed != found_.grabbed || (recorded_.grabbed && !(recorded_.grab == found_.grab))) {
            differ("dragged body", recorded_.grabbed ? "held" : "nothing", found_.grabbed ? "held" : "nothing", 0.0);
        } else if (recorded_.grabbed) {
            value("impulse of the mouse drag (N s)", recorded_.grab_impulse, found_.grab_impulse);
        }
        return std::move(out_);
    }

  private:
    void differ(const std::string& field, std::string recorded, std::string found, double size) {
        StateDifference difference = subject_;
        difference.field = field;
        difference.recorded = std::move(recorded);
        difference.found = std::move(found);
        difference.size = size;
        out_.push_back(std::move(difference));
    }

    template <typename Value>
    void value(const std::string& field, const Value& a, const Value& b) {
        if (equal_bits(a, b)) {
            return;
        }
        if constexpr (std::is_integral_v<Value>) {
            differ(field, number_text(a), number_text(b), 0.0);
        } else if constexpr (std::is_same_v<Value, float>) {
            differ(field, number_text(a), number_text(b), distance(parts(a), parts(b)));
        } else {
            const auto x = parts(a), y = parts(b);
            differ(field, text_of(x), text_of(y), distance(x, y));
        }
    }

    void bodies() {
        const StateImage::Bodies &a = recorded_.bodies, &b = found_.bodies;
        for (std::uint32_t slot = 0; slot < std::max(a.kind.size(), b.kind.size()); ++slot) {
            const bool in_a = slot < a.kind.size() && a.kind[slot] != StateImage::none;
            const bool in_b = slot < b.kind.size() && b.kind[slot] != StateImage::none;
            if (!in_a && !in_b) {
                continue;
            }
            subject_ = {};
            subject_.subject = Subject::body;
            subject_.a = slot;
            subject_.name = body_name(in_a ? recorded_ : found_, slot);
            if (in_a != in_b || a.generation[slot] != b.generation[slot]) {
                differ("identity", in_a ? "there" : "not there", in_b ? (in_a ? "another" : "there") : "not there",
                       0.0);
                continue;
            }
            if (!(recorded_.kinds[a.kind[slot]] == found_.kinds[b.kind[slot]])) {
                differ("shape, mass or material", "as recorded", "another", 0.0);
            }
            value("position (m)", a.position[slot], b.position[slot]);
            value("orientation (w, x, y, z)", a.orientation[slot], b.orientation[slot]);
            value("velocity (m/s)", a.linear_velocity[slot], b.linear_velocity[slot]);
            value("angular velocity (rad/s)", a.angular_velocity[slot], b.angular_velocity[slot]);
            value("time below the sleep threshold (s)", a.sleep_timer[slot], b.sleep_timer[slot]);
            const auto sleeps = [&](const StateImage::Bodies& of) {
                return (of.flags[slot] & StateImage::body_sleeps) != 0 ? "asleep" : "awake";
            };
            if (((a.flags[slot] ^ b.flags[slot]) & StateImage::body_sleeps) != 0) {
                differ("sleep", sleeps(a), sleeps(b), 0.0);
            }
            value("position residual (2^-29 m)", a.rest[slot], b.rest[slot]);
            value("margin of its fat AABB (m)", a.margin[slot], b.margin[slot]);
        }
    }

    // Where the contacts of pairs begin.
    struct Place {
        std::size_t pair = 0, contact = 0, point = 0;
    };
    static std::map<std::pair<std::uint32_t, std::uint32_t>, Place> contacts_of(const StateImage& state) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, Place> places;
        Place next;
        for (next.pair = 0; next.pair < state.pairs.points.size(); ++next.pair) {
            const std::uint8_t points = state.pairs.points[next.pair];
            if (points > 0) {
                places.emplace(std::pair(state.pairs.shape_a[next.pair], state.pairs.shape_b[next.pair]), next);
                ++next.contact;
                next.point += points;
            }
        }
        return places;
    }

    static std::vector<std::uint32_t> bodies_of_shapes(const StateImage& state) {
        std::vector<std::uint32_t> bodies(state.shapes.queued.size(), StateImage::none);
        for (std::uint32_t slot = 0; slot < state.bodies.kind.size(); ++slot) {
            if (state.bodies.kind[slot] != StateImage::none) {
                const std::vector<physics::ShapeDef>& shapes = state.kinds[state.bodies.kind[slot]].shapes;
                const auto count =
                    std::ranges::count_if(shapes, [](const physics::ShapeDef& shape) { return !shape.sensor; });
                for (std::ptrdiff_t i = 0; i < count; ++i) {
                    bodies[state.bodies.first_shape[slot] + static_cast<std::size_t>(i)] = slot;
                }
            }
        }
        return bodies;
    }

    void name_contact(const StateImage& state, const std::vector<std::uint32_t>& bodies,
                      const std::pair<std::uint32_t, std::uint32_t>& shapes) {
        subject_ = {};
        subject_.subject = Subject::contact;
        subject_.a = bodies[physics::first_of(physics::PairKey{shapes.first} << 32)]; // without the number of its face
        subject_.b = bodies[shapes.second];
        subject_.name = "contact of " + body_name(state, subject_.a) + " and " + body_name(state, subject_.b);
    }

    void contacts() {
        const auto a = contacts_of(recorded_), b = contacts_of(found_);
        const std::vector<std::uint32_t> bodies_a = bodies_of_shapes(recorded_), bodies_b = bodies_of_shapes(found_);
        for (const auto& [shapes, place] : a) {
            name_contact(recorded_, bodies_a, shapes);
            const auto other = b.find(shapes);
            if (other == b.end()) {
                differ("touching", "touch", "apart", 0.0);
            } else {
                contact(place, other->second);
            }
        }
        for (const auto& [shapes, place] : b) {
            if (!a.contains(shapes)) {
                name_contact(found_, bodies_b, shapes);
                differ("touching", "apart", "touch", 0.0);
            }
        }
    }

    void contact(const Place& at_a, const Place& at_b) {
        const StateImage::Contacts &a = recorded_.contacts, &b = found_.contacts;
        const StateImage::Points &p = recorded_.points, &q = found_.points;
        value("normal", a.normal[at_a.contact], b.normal[at_b.contact]);
        value("friction", a.friction[at_a.contact], b.friction[at_b.contact]);
        value("restitution", a.restitution[at_a.contact], b.restitution[at_b.contact]);
        value("rolling impulse (N m s)", a.rolling_impulse[at_a.contact], b.rolling_impulse[at_b.contact]);
        const std::uint8_t count_a = recorded_.pairs.points[at_a.pair], count_b = found_.pairs.points[at_b.pair];
        value("number of points", count_a, count_b);
        for (std::size_t i = 0; i < std::min(count_a, count_b); ++i) {
            const std::size_t x = at_a.point + i, y = at_b.point + i;
            const std::string point = "point " + std::to_string(i) + ": ";
            value(point + "feature", p.feature[x], q.feature[y]);
            value(point + "separation (m)", p.separation[x], q.separation[y]);
            value(point + "normal impulse (N s)", p.normal_impulse[x], q.normal_impulse[y]);
            value(point + "friction impulse (N s)", p.friction_impulse[x], q.friction_impulse[y]);
            value(point + "preload (m)", p.preload[x], q.preload[y]);
        }
    }

    void joints() {
        const StateImage::Joints &a = recorded_.joints, &b = found_.joints;
        std::size_t def_a = 0, def_b = 0;
        for (std::uint32_t slot = 0; slot < std::max(a.alive.size(), b.alive.size()); ++slot) {
            const bool in_a = slot < a.alive.size() && a.alive[slot] != 0;
            const bool in_b = slot < b.alive.size() && b.alive[slot] != 0;
            if (!in_a && !in_b) {
                continue;
            }
            const JointDef& def = in_a ? recorded_.joint_defs[def_a] : found_.joint_defs[def_b];
            subject_ = {};
            subject_.subject = Subject::joint;
            subject_.a = slot;
            subject_.name = "joint " + std::to_string(slot) + (def.name.empty() ? "" : " \"" + def.name + '"');
            if (in_a != in_b) {
                differ("there", in_a ? "there" : "not there", in_b ? "there" : "not there", 0.0);
            } else {
                if (!(recorded_.joint_defs[def_a] == found_.joint_defs[def_b])) {
                    differ("what it is", "as recorded", "another", 0.0);
                }
                value("position (rad or m)", a.position[slot], b.position[slot]);
                value("impulses of its rigid rows", a.rigid[slot], b.rigid[slot]);
                value("impulse of its motor", a.motor[slot], b.motor[slot]);
                value("impulse of its spring", a.spring[slot], b.spring[slot]);
                value("impulse of its lower limit", a.lower[slot], b.lower[slot]);
                value("impulse of its upper limit", a.upper[slot], b.upper[slot]);
                value("impulse of its cone", a.cone[slot], b.cone[slot]);
                value("impulse of its soft rows", a.soft_block[slot], b.soft_block[slot]);
                value("impulse of its brake", a.brake[slot], b.brake[slot]);
            }
            def_a += in_a ? 1 : 0;
            def_b += in_b ? 1 : 0;
        }
    }

    const StateImage &recorded_, &found_;
    StateDifference subject_;
    std::vector<StateDifference> out_;
};

double rotation_between(const Quat& a, const Quat& b) {
    const double dot =
        static_cast<double>(a.w) * static_cast<double>(b.w) + static_cast<double>(a.x) * static_cast<double>(b.x) +
        static_cast<double>(a.y) * static_cast<double>(b.y) + static_cast<double>(a.z) * static_cast<double>(b.z);
    const std::array<float, 4> p = parts(a), q = parts(b), minus{-b.w, -b.x, -b.y, -b.z};
    // By the chord and not by the arc cosine, which knows nothing of angles below a milliradian in floats.
    const double chord = dot >= 0.0 ? distance(p, q) : distance(p, minus);
    return 4.0 * std::asin(std::min(0.5 * chord, 1.0));
}

} // namespace

std::vector<StateDifference> compare(const StateImage& recorded, const StateImage& found) {
    return Comparison(recorded, found).run();
}

std::string first_difference(const StateImage& recorded, const StateImage& found) {
    if (const std::vector<StateDifference> known = compare(recorded, found); !known.empty()) {
        const StateDifference& d = known.front();
        return d.name + (d.name.empty() ? "" : ": ") + d.field + ": recorded " + d.recorded + ", found " + d.found;
    }
    return recorded.step != found.step                                                               ? "the step"
           : std::bit_cast<std::uint64_t>(recorded.time) != std::bit_cast<std::uint64_t>(found.time) ? "the time"
           : recorded.kinds != found.kinds           ? "what the bodies are made of"
           : recorded.joint_defs != found.joint_defs ? "what the joints are"
                                                     : "";
}

std::string differing_column(const StateImage& recorded, const StateImage& found) {
    std::vector<const void*> columns;
    for_each_column(recorded, [&](const char*, const auto& column) { columns.push_back(&column); });
    auto next = columns.begin();
    std::string name;
    for_each_column(found, [&](const char* called, const auto& column) {
        using Column = std::remove_cvref_t<decltype(column)>;
        const auto& other = *static_cast<const Column*>(*next++);
        const bool equal =
            std::ranges::equal(column, other, [](const auto& a, const auto& b) { return equal_bits(a, b); });
        if (!equal && name.empty()) {
            name = called;
        }
    });
    return name;
}

std::string body_name(const StateImage& state, std::uint32_t slot) {
    std::string name = "body " + std::to_string(slot);
    if (slot < state.bodies.kind.size() && state.bodies.kind[slot] != StateImage::none) {
        const std::string& given = state.kinds[state.bodies.kind[slot]].name;
        if (!given.empty()) {
            name += " \"" + given + '"';
        }
    }
    return name;
}

double Deviation::energy() const {
    return std::abs(energy_found - energy_recorded) / std::max(kinetic, 1.0);
}

Deviation deviation(const FrameState& recorded, const FrameState& found) {
    Deviation out;
    out.step = recorded.step;
    out.energy_recorded = recorded.stats.kinetic_energy + recorded.stats.potential_energy;
    out.energy_found = found.stats.kinetic_energy + found.stats.potential_energy;
    out.kinetic = std::max(recorded.stats.kinetic_energy, found.stats.kinetic_energy);
    out.penetration_recorded = static_cast<double>(recorded.stats.max_penetration);
    out.penetration_found = static_cast<double>(found.stats.max_penetration);
    auto b = found.bodies.begin();
    for (const BodyState& a : recorded.bodies) {
        while (b != found.bodies.end() && b->id.index < a.id.index) {
            out.same_bodies = false;
            ++b;
        }
        if (b == found.bodies.end() || b->id != a.id) {
            out.same_bodies = false;
            continue;
        }
        const double error = distance(parts(a.pose.position), parts(b->pose.position));
        if (error > out.position) {
            out.position = error;
            out.position_body = a.id.index;
        }
        const double turn = rotation_between(a.pose.orientation, b->pose.orientation);
        if (turn > out.rotation) {
            out.rotation = turn;
            out.rotation_body = a.id.index;
        }
        ++b;
    }
    out.same_bodies = out.same_bodies && b == found.bodies.end();
    return out;
}

} // namespace cairn::core
